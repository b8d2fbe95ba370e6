"""A low-level program → the text of its engine module, each line with the place in the rules that it comes from."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import assert_never

import jinja2

from rulewright.compiler.core import tree as C
from rulewright.compiler.emit.python import Printer, python_type
from rulewright.compiler.emit.spelling import docstring, literal
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.helpers import (
    ARRAYS,
    CONSTANTS,
    ERRORS,
    FUNCTIONS,
    ON_STATE,
    STATE_METHODS,
)
from rulewright.compiler.low.interpreted import for_interpreter
from rulewright.compiler.low.lower import Lowered, lower
from rulewright.compiler.text.source import NOWHERE, Span
from rulewright.runtime import rng
from rulewright.runtime.hashes import hash_of

_HELPERS = {**FUNCTIONS, **ON_STATE, **ERRORS, **CONSTANTS}


def _imports() -> dict[str, list[str]]:
    """The modules of the runtime, and what an engine may import from each."""
    found = {"arrays": list(ARRAYS), "errors": ["IN_PLAY", "Over"], "rng": ["from_seed"]}
    for name, helper in _HELPERS.items():
        if helper.module:
            found.setdefault(helper.module, []).append(name)
    return {module: sorted(found[module], key=_as_sorted) for module in sorted(found)}


def _as_sorted(name: str) -> tuple[bool, bool, str]:
    """Constants, then classes, then functions."""
    return not name.isupper(), name.islower(), name


_IMPORTS = _imports()
# what the templates use
_ALWAYS = (
    "FORCED", "LOW", "MULTIPLIER", "LISTED", "OPTIONS", "Over", "SMALL", "STEPS", "from_seed", "list_more", "lost", "nth", "pick", "size", "too_many_steps",
)  # fmt: skip


@dataclass(slots=True)
class Module:
    """The text of an engine, where its lines come from, the program that it is printed from, and a hash of that.

    The hash is the same however the program is written down: tuned or not, by whatever layout.
    """

    text: str
    spans: list[Span]
    lowered: Lowered
    engine: str


def emit_module(
    game: C.Game,
    blocks: Program,
    *,
    full: bool,
    ruleset_hash: str,
    source: str,
    checking: bool = False,
    tuned: bool = False,
) -> Module:
    """`tuned`: for an engine that is kept; it takes longer, and the interpreter takes fewer steps."""
    assert not (tuned and full), "what is counted stays as the rules have it"
    lowered = lower(game, blocks, full=full, checking=checking)
    lines = _lines(game, lowered.program, full, ruleset_hash, source)
    text = _text(lines)
    places = sorted({(span.file, span.line) for _, span in lines if span.line})
    engine = hash_of([text, repr(places)])
    if tuned:
        kept = {lowered.fits} if lowered.fits is not None else set()
        program = for_interpreter(lowered.program, kept)
        lines = _lines(game, program, full, ruleset_hash, source, tuned)
        text = _text(lines)
    return Module(text, [*(span for _, span in lines), NOWHERE], lowered, engine)


# a line of the module and where it comes from; what the templates hold comes from nowhere
_Line = tuple[str, Span]


def _text(lines: list[_Line]) -> str:
    return "".join(f"{line}\n" for line, _ in lines)


def _lines(
    game: C.Game,
    program: L.Program,
    full: bool,
    ruleset_hash: str,
    source: str,
    tuned: bool = False,
) -> list[_Line]:
    printer = Printer({n.name for n in program.numbers} if tuned else ())
    functions: list[_Line] = []
    for f in program.functions:
        functions += [("", NOWHERE), ("", NOWHERE)]
        for depth, text, at in printer.function(f):
            functions.append(("    " * depth + text, at.span))
    fields = [_about(_field(f), f.about) for f in program.fields]
    tables = [_table(t) for t in program.tables]
    used = printer.helpers | {*_ALWAYS, *(() if full else ("IN_PLAY",))}
    used |= {name for f in fields for name in f.uses} | {name for t in tables for name in t.uses}
    imports = [
        (module, ", ".join(n for n in names if n in used))
        for module, names in _IMPORTS.items()
        if used & set(names)
    ]
    variants = f", with {', '.join(game.variants)}" if game.variants else ""
    title = f"{game.title}, {game.players} players{variants}: a generated engine. Do not edit."
    given: dict[str, object] = {
        "title": docstring(title)[3:-3],
        "source": docstring(source)[3:-3],
        "hash": ruleset_hash,
        "imports": imports,
        "tables": tables,
        "offsets": _wrapped(program.offsets),
        "most": max(program.sizes),
        "most_decisions": game.most_decisions,
        "low_bits": rng.BITS,
        "fields": fields,
        "methods": [
            {"name": n, "params": p, "result": r, "call": c} for n, p, r, c in STATE_METHODS
        ],
        "decisions": _names(program.decisions, "lost_decision"),
        "points": _names(program.points, "lost_point"),
        "numbers": program.numbers,
        "start": program.start,
        "full": full,
    }
    return [*_rendered("state", given), *functions, *_rendered("play", given)]


def _rendered(name: str, given: dict[str, object]) -> list[_Line]:
    text = _templates().get_template(f"{name}.py.j2").render(given)
    return [(line, NOWHERE) for line in text.rstrip("\n").split("\n")]


@lru_cache(maxsize=1)
def _templates() -> jinja2.Environment:
    folder = Path(__file__).parent / "templates"
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """How a field is declared, copied and begun with; `uses` are names of the runtime."""

    name: str
    type: str
    copy: str
    first: str
    uses: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


def _field(f: L.StateField) -> _Field:
    name, t, copied = f.name, python_type(f.type), f"self.{f.name}.copy()"
    same = len(set(f.first)) == 1
    match f.type:
        case T.Array(T.Items()):
            # lists of the rules are never changed in place: a copy may share them
            return _Field(name, t, copied, repr([list(v) for v in f.first if isinstance(v, tuple)]))
        case T.Array() if t == "Ints":
            if same:
                first = f"[{f.first[0]!r}] * {len(f.first)}"
                return _Field(name, t, copied, first, ("Ints",))
            return _Field(name, t, copied, f"ints({list(f.first)!r})", ("Ints", "ints"))
        case T.Array():
            shared = f"self.{name}" if name == "hits" else copied
            first = f"[{f.first[0]!r}] * {len(f.first)}" if same else repr(list(f.first))
            return _Field(name, t, shared, first)
        case T.Items():
            return _Field(name, t, f"self.{name}", repr(list(f.first)))
        case T.Rows():
            return _Field(name, t, copied, "[]")
        case T.Bool():
            return _Field(name, t, f"self.{name}", str(bool(f.first[0])))
        case T.Int() | T.Set() | T.Text() | T.Zone():
            pass
        case _:
            assert_never(f.type)
    return _Field(name, t, f"self.{name}", str(f.first[0]) if f.first else "from_seed(seed)")


def _about(f: _Field, words: str) -> _Field:
    """With what it holds in words, on lines that fit."""
    return replace(f, about=tuple(textwrap.wrap(words, 88)))


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    type: str
    text: str
    uses: tuple[str, ...] = ()


def _table(table: L.Table) -> _Table:
    t = python_type(table.type)
    text = _wrapped(table.values)
    maker = {"Ints": "ints", "list[Ints]": "int_rows"}.get(t)
    if maker is None:
        return _Table(table.name, t, text)
    return _Table(table.name, t, f"{maker}({text})", ("Ints", maker))


def _wrapped(values: Sequence[object]) -> str:
    """A long list over several lines, as many entries in each as fit."""
    return _fitted([literal(v) for v in values])


def _names(names: Sequence[str | None], otherwise: str) -> str:
    return _fitted([otherwise if name is None else name for name in names])


def _fitted(parts: list[str]) -> str:
    text = ", ".join(parts)
    if len(text) <= 58 or "'" in text or '"' in text:
        return f"[{text}]"
    lines = textwrap.wrap(
        text,
        94,
        break_long_words=False,
        break_on_hyphens=False,
        initial_indent="    ",
        subsequent_indent="    ",
    )
    return "[\n" + "\n".join(lines) + ",\n]"
