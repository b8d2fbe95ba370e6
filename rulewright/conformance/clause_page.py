"""Clause coverage → one self-contained HTML page: the clauses by section, with rules and scenarios beside them."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.text.source import Sources, Span
from rulewright.conformance.clauses import ClauseCoverage, ClauseRow
from rulewright.conformance.show import rounded_down
from rulewright.pages import page


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands, and the line that stands there."""

    file: str
    number: int
    line: str


@dataclass(frozen=True, slots=True)
class Covering:
    """A scenario that covers a clause."""

    name: str
    file: str
    line: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A clause as the page shows it."""

    id: str
    rule: str
    note: str
    marks: str
    example: bool
    gap: bool
    places: list[Place]
    notes: list[str]
    covering: list[Covering]


def clause_page(c: ClauseCoverage, sources: Sources) -> str:
    sections: dict[str, list[Row]] = {}
    for row in c.rows:
        sections.setdefault(row.clause.section or "clauses", []).append(_row(row, sources))
    return page(
        "clauses.html.j2",
        title=c.title,
        clauses=len(c.rows),
        cited=rounded_down(c.percent_cited),
        covered=rounded_down(c.percent_covered),
        scenarios=c.scenarios,
        gaps=sum(_is_gap(r) for r in c.rows),
        unknown=[(name, _place(span, sources)) for name, span in c.unknown],
        sections=list(sections.items()),
    )


def _is_gap(row: ClauseRow) -> bool:
    return not row.is_cited or not row.is_covered


def _row(row: ClauseRow, sources: Sources) -> Row:
    clause = row.clause
    marks = []
    if clause.example:
        marks.append("example")
    if clause.variant:
        marks.append(f"variant {clause.variant}")
    if clause.players:
        marks.append(f"{', '.join(map(str, clause.players))} players")
    notes = [f"no rule needed: {a.because}" for a in row.absent]
    notes += [f"does not hold with the variant {v}" for v in row.overruled]
    return Row(
        id=clause.id,
        rule=clause.rule,
        note=clause.note or "",
        marks=" · ".join(marks),
        example=bool(clause.example),
        gap=_is_gap(row),
        places=[_place(span, sources) for span in row.cited],
        notes=notes,
        covering=[
            Covering(k.name, k.span.file.rsplit("/", 1)[-1], k.span.line, k.passed)
            for k in row.covering
        ],
    )


def _place(span: Span, sources: Sources) -> Place:
    return Place(span.file, span.line, sources.line(span.file, span.line).strip())
