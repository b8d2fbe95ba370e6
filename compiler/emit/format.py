"""The text of an engine as emitted → the same text formatted by black, with its line table moved along.

Black takes a second for an engine, so results are kept in a cache by the hash of what was formatted.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulewright.cache import read, write
from rulewright.compiler.emit.engine import Engine
from rulewright.compiler.emit.make_info import describe
from rulewright.compiler.text.source import NOWHERE, Span

LINE_LENGTH = 100


def format_engine(engine: Engine, cache: Path | None = None) -> Engine:
    """The engine as it is committed: formatted, and its lines still leading back to the spec."""
    return with_text(engine, format_text(engine.text, cache))


def with_text(engine: Engine, text: str) -> Engine:
    """The engine by a text that says the same in another layout."""
    spans = move_spans(engine.text, engine.module.spans, text)
    module = replace(engine.module, text=text, spans=spans)
    info = engine.info
    told = describe(engine.game, module, info["hash"], info["compiler"], info["full"])
    return Engine(text, told, module, engine.game)


def format_text(text: str, cache: Path | None = None) -> str:
    """Python formatted by black; a cache that can't be read or written does no harm."""
    from importlib.metadata import version

    key = hashlib.sha256(f"{version('black')} {LINE_LENGTH}\n{text}".encode()).hexdigest()
    kept = None if cache is None else cache / f"{key}.py"
    found = None if kept is None else read(kept)
    if found is not None:
        with suppress(ValueError):
            return found.decode()
    import black
    from black.mode import Mode, TargetVersion

    mode = Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY311})
    result = black.format_str(text, mode=mode)
    if kept is not None:
        write(kept, result.encode())
    return result


def move_spans(before: str, spans: Sequence[Span], after: str) -> list[Span]:
    """Where the lines of a formatted text come from, given where those of the original do.

    Formatting changes lines but no statement, so the statements of both are met in the same order.
    """
    lines = after.split("\n")
    moved = [NOWHERE] * len(lines)
    for old, new in zip(_statements(before), _statements(after), strict=True):
        if type(old) is not type(new):
            raise ValueError(f"line {new.lineno} of the formatted text is another statement")
        span = spans[old.lineno - 1] if old.lineno <= len(spans) else NOWHERE
        for line in range(new.lineno, _head_end(new) + 1):
            if lines[line - 1] and not lines[line - 1].lstrip().startswith("#"):
                moved[line - 1] = span
    return moved


def _statements(text: str) -> list[ast.stmt]:
    return list(_within(ast.parse(text)))


def _within(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements inside a node, in the order of the text."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        # Expressions hold no statements, and most of a module is expressions.
        if not isinstance(child, ast.expr):
            yield from _within(child)


def _head_end(statement: ast.stmt) -> int:
    """The last line of a statement without the statements in it."""
    body: list[ast.stmt] = getattr(statement, "body", [])
    if not body:
        return statement.end_lineno or statement.lineno
    return max(statement.lineno, body[0].lineno - 1)
