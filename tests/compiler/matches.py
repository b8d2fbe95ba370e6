"""The modules of the compiler → its matches over closed unions that do not name every kind, and why.

Whoever adds a statement, an expression, a type or a node follows the errors of mypy; what stands here is what mypy does not ask about.
`python tests/compiler/matches.py` lists all, `python tests/compiler/matches.py core.tree.Stmt` those over one union.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType, UnionType
from typing import get_args

ROOT = Path(__file__).parents[2]
FOLDERS = ("compiler", "rulewright/conformance", "rulewright/language", "rulewright/studio")
# where the unions are that grow with the language
HOMES = ("rules.syntax", "rules.syntax_expressions", "core.tree", "core.types", "flow.blocks", "low.program", "low.machine_types")  # fmt: skip
WHY = re.compile(r"case _:\s+# others: (\S.*)")


@dataclass(frozen=True)
class Silence:
    """A match over members of a union whose last case is for all others."""

    file: str
    line: int
    function: str
    union: str
    missing: tuple[str, ...]
    why: str | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.why or 'does not say why'}"


def unions() -> dict[str, frozenset[type]]:
    """Every union of classes that is named in the modules of trees."""
    found: dict[str, frozenset[type]] = {}
    for home in HOMES:
        module = importlib.import_module(f"rulewright.compiler.{home}")
        for name, value in vars(module).items():
            if isinstance(value, UnionType) and not name.startswith("_"):
                members = [m for m in get_args(value) if isinstance(m, type)]
                if all(m.__module__.startswith("rulewright.compiler.") for m in members):
                    found.setdefault(f"{home}.{name}", frozenset(members))
    # those that are part of another have a name for the sake of their length only
    return {k: v for k, v in found.items() if not any(v < other for other in found.values())}


UNIONS = unions()


def classes(pattern: ast.pattern, module: ModuleType) -> Iterator[type]:
    """The classes that a pattern asks for at its top, not those of its parts."""
    match pattern:
        case ast.MatchOr(patterns=several):
            for one in several:
                yield from classes(one, module)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from classes(inner, module)
        case ast.MatchSequence(patterns=several):
            # of two things at once
            for one in several:
                yield from classes(one, module)
        case ast.MatchClass(cls=name):
            found = eval(ast.unparse(name), vars(module))
            if isinstance(found, type):
                yield found
        case _:
            pass


def taken_whole(pattern: ast.pattern, module: ModuleType) -> Iterator[type]:
    """The classes all of whose objects fit, whatever they hold."""
    match pattern:
        case ast.MatchOr(patterns=several):
            for one in several:
                yield from taken_whole(one, module)
        case ast.MatchAs(pattern=ast.pattern() as inner):
            yield from taken_whole(inner, module)
        case ast.MatchClass(patterns=parts, kwd_patterns=named):
            if all(isinstance(x, ast.MatchAs) and x.pattern is None for x in [*parts, *named]):
                yield from classes(pattern, module)
        case _:
            pass


def union_of(asked: set[type]) -> str | None:
    """The union with all these classes."""
    return next((name for name, members in UNIONS.items() if asked <= members), None)


def answers(case: ast.match_case) -> bool:
    """Whether a last case takes part in the check of types, or fails when it is met."""
    last = case.body[-1]
    text = ast.unparse(last)
    return text.startswith(("assert_never(", "raise AssertionError("))


def _functions(tree: ast.AST, name: str = "") -> Iterator[tuple[str, ast.Match]]:
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.FunctionDef) else name
        if isinstance(node, ast.Match):
            yield inner, node
        yield from _functions(node, inner)


@cache
def silences() -> tuple[Silence, ...]:
    return tuple(_silences())


def _silences() -> Iterator[Silence]:
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            lines = text.splitlines()
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts if parts[0] == "rulewright" else ("rulewright", *parts))
            for function, node in _functions(ast.parse(text)):
                last = node.cases[-1]
                # a name in place of _ hands on what is left, with its type
                rest = isinstance(last.pattern, ast.MatchAs) and last.pattern.name is None
                if not rest or answers(last):
                    continue
                module = importlib.import_module(name)
                asked = {c for case in node.cases for c in classes(case.pattern, module)}
                union = union_of(asked) if asked else None
                if union is None:
                    continue
                whole = {c for case in node.cases if case.guard is None for c in taken_whole(case.pattern, module)}  # fmt: skip
                missing = tuple(sorted(c.__name__ for c in UNIONS[union] - whole))
                said = WHY.search(lines[last.pattern.lineno - 1])
                path = str(file.relative_to(ROOT))
                yield Silence(path, last.pattern.lineno, function, union, missing, said and said[1])


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    for found in silences():
        if wanted in found.union:
            print(f"{found}\n    {found.union}, without {', '.join(found.missing)}")
