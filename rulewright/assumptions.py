"""A spec → everything in it that does not simply follow its rulebook: assumptions, stand-ins, readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec

# How the note of a clause says that it is a reading of a text that is silent or unclear.
_NOTES = ("STAND-IN", "READING")


@dataclass(frozen=True, slots=True)
class Assumption:
    """One of them: of kind "assumed", "stand-in" or "reading"; `what` is the rule it is about."""

    kind: str
    what: str
    reason: str
    file: str
    line: int

    def to_json(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


def assumptions(spec: Spec) -> list[Assumption]:
    """What is assumed anywhere in a spec, its variants included; what stands in files by file and line."""
    from rulewright.compiler.read.overlay import resolve, rulesets
    from rulewright.compiler.text.diagnostics import Problems

    found: dict[tuple[str, int, int], Assumption] = {}
    # Rows that a variant adds are only read when it is laid over the rest.
    folders: list[object] = [spec.folder]
    for players, variants in rulesets(spec.folder):
        folders.append(resolve(spec.folder, players, variants, Problems()))
    for folder in folders:
        for cite, what in _marked(folder, ""):
            key = (cite.span.file, cite.span.line, cite.span.column)
            found.setdefault(
                key, Assumption(cite.kind, what, cite.text, cite.span.file, cite.span.line)
            )
    for clause in spec.folder.clauses.values():
        if any(word in clause.note for word in _NOTES):
            span = clause.span
            kind = "stand-in" if _NOTES[0] in clause.note else "reading"
            found[span.file, span.line, span.column] = Assumption(
                kind, f"clause {clause.id}", clause.note, span.file, span.line
            )
    return [found[key] for key in sorted(found)]


def _marked(thing: object, what: str) -> Iterator[tuple[Any, str]]:
    """Every mark inside a part of a folder, with the innermost named thing around it."""
    from rulewright.compiler.rules.syntax import Cite

    if isinstance(thing, Cite):
        if thing.kind != "clause":
            yield thing, what
    elif isinstance(thing, dict):
        for value in thing.values():
            yield from _marked(value, what)
    elif isinstance(thing, list | tuple):
        for value in thing:
            yield from _marked(value, what)
    elif is_dataclass(thing):
        inner = _title(thing) or what
        # Its own marks first: what is in it may have taken them over.
        for field in sorted(fields(thing), key=lambda field: field.name != "cites"):
            yield from _marked(getattr(thing, field.name), inner)


_TITLES = {"OptionDecl": "option", "StateVar": "state", "Row": "row"}
_NAMED = (
    "Table", "Row", "Constant", "OptionDecl", "Variant",
    "StateVar", "Pieces", "Function", "Procedure", "Invariant",
)  # fmt: skip


def _title(thing: object) -> str | None:
    kind = type(thing).__name__
    if kind in ("Heuristic", "Outcome", "Together"):
        return kind.lower()
    if kind not in _NAMED:
        return None
    name = getattr(thing, "name", None)
    return f"{_TITLES.get(kind, kind.lower())} {getattr(name, 'text', name)}"
