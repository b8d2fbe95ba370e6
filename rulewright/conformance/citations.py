"""A spec → every citation in it, and the clauses that it says need no rule."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.compiler.build import Spec
from rulewright.compiler.read.folder import Absent, Folder
from rulewright.compiler.read.overlay import resolve, rulesets
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.compiler.text.source import Span
from rulewright.conformance.mentions import parts


@dataclass(slots=True)
class Citations:
    """By clause: the places that cite it, in the order of the files; and the reasons of those that need no rule."""

    places: dict[str, list[Span]] = field(default_factory=dict)
    absent: dict[str, list[Absent]] = field(default_factory=dict)
    # the variants with which a clause does not hold
    overruled: dict[str, list[str]] = field(default_factory=dict)


def citations(spec: Spec) -> Citations:
    """Of the folder as written and of each ruleset: a row that a variant adds is only read when it is laid over."""
    found: dict[str, set[Span]] = {}
    absent: dict[str, dict[Span, Absent]] = {}
    for folder in [spec.folder, *_resolved(spec)]:
        roots = [folder.tables, folder.constants, folder.options, folder.decls, folder.variants]
        for item in parts(roots):
            if isinstance(item, S.Cite) and item.kind == "clause":
                found.setdefault(item.text, set()).add(item.span)
        for row in parts([folder.absent, folder.variants]):
            if isinstance(row, Absent):
                absent.setdefault(row.clause, {})[row.span] = row
    return Citations(
        {clause: _one_a_line(spans) for clause, spans in sorted(found.items())},
        {clause: list(rows.values()) for clause, rows in sorted(absent.items())},
        _overruled(spec.folder),
    )


def _overruled(folder: Folder) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for variant in folder.variants.values():
        for clause in variant.overrules:
            found.setdefault(clause.text, []).append(variant.name)
    return found


def _resolved(spec: Spec) -> list[Folder]:
    out = []
    for players, variants in rulesets(spec.folder):
        problems = Problems()
        folder = resolve(spec.folder, players, variants, problems)
        if folder is None:
            raise SpecError(problems, spec.sources)
        out.append(folder)
    return out


def _one_a_line(spans: set[Span]) -> list[Span]:
    kept = {(s.file, s.line): s for s in sorted(spans, key=lambda s: (s.file, s.line, -s.column))}
    return [kept[key] for key in sorted(kept)]
