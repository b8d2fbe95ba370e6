"""A spec, its citations and a run of its scenarios → for each clause the rules that cite it and the scenarios that cover it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulewright.compiler.build import Spec
from rulewright.compiler.read.folder import Absent, Clause
from rulewright.compiler.text.source import Span
from rulewright.conformance.citations import citations
from rulewright.conformance.outcomes import Run
from rulewright.conformance.scenario import Scenario
from rulewright.conformance.show import rounded_down

MANY = 12  # a clause cited from more lines than this is perhaps too wide, or cited without thought


@dataclass(frozen=True, slots=True)
class Covering:
    """A scenario that covers a clause; it counts when it holds under all its rulesets."""

    name: str
    span: Span
    passed: bool


@dataclass(slots=True)
class ClauseRow:
    clause: Clause
    cited: list[Span] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)
    overruled: list[str] = field(default_factory=list)
    covering: list[Covering] = field(default_factory=list)

    @property
    def is_cited(self) -> bool:
        """An example needs no rule of its own."""
        return self.clause.example or bool(self.cited or self.absent)

    @property
    def is_covered(self) -> bool:
        return any(c.passed for c in self.covering)


@dataclass(slots=True)
class ClauseCoverage:
    game: str
    title: str
    rows: list[ClauseRow]
    # citations and entries of `absent` that name a clause which no index has
    unknown: list[tuple[str, Span]]
    scenarios: int
    failing: list[str]

    @property
    def percent_cited(self) -> float:
        return _percent([r.is_cited for r in self.rows if not r.clause.example])

    @property
    def percent_covered(self) -> float:
        return _percent([r.is_covered for r in self.rows])

    def uncited(self) -> list[ClauseRow]:
        return [r for r in self.rows if not r.is_cited]

    def uncovered(self) -> list[ClauseRow]:
        return [r for r in self.rows if not r.is_covered]

    def both(self) -> list[ClauseRow]:
        """Said to need no rule, and yet cited by one."""
        return [r for r in self.rows if r.absent and r.cited]

    def crowded(self) -> list[ClauseRow]:
        return [r for r in self.rows if len(r.cited) > MANY]


def clause_coverage(spec: Spec, scenarios: list[Scenario], run: Run | None) -> ClauseCoverage:
    """Without a run, because the spec is wrong, scenarios are taken at their word."""
    found = citations(spec)
    known = spec.folder.clauses
    unfit = set() if run is None else run.unfit | {o.name for o in run.failed}
    ran = {s.name for s in scenarios} if run is None else {o.name for o in run.outcomes}
    rows = {name: ClauseRow(clause) for name, clause in known.items()}
    unknown: list[tuple[str, Span]] = []
    for name, spans in found.places.items():
        if name in rows:
            rows[name].cited = spans
        else:
            unknown += [(name, span) for span in spans]
    for name, absent in found.absent.items():
        if name in rows:
            rows[name].absent = absent
            rows[name].overruled = found.overruled.get(name, [])
        else:
            unknown += [(name, a.span) for a in absent]
    for scenario in scenarios:
        passed = scenario.name in ran and scenario.name not in unfit
        for clause in dict.fromkeys(c.text for c in scenario.covers):
            if clause in rows:
                rows[clause].covering.append(Covering(scenario.name, scenario.span, passed))
    game = spec.folder.game
    failing = sorted(unfit)
    unknown.sort(key=lambda u: (u[1].file, u[1].line, u[1].column))
    return ClauseCoverage(
        game.game, game.title, list(rows.values()), unknown, len(scenarios), failing
    )


def _percent(flags: list[bool]) -> float:
    return 100.0 * sum(flags) / len(flags) if flags else 100.0


# ---------------------------------------------------------------- text and JSON


def clauses_text(c: ClauseCoverage) -> str:
    needing = [r for r in c.rows if not r.clause.example]
    by_rules, without = sum(bool(r.cited) for r in needing), sum(
        bool(r.absent) and not r.cited for r in needing
    )
    lines: list[str] = []
    _part(lines, "not cited by the spec", [_clause_line(r) for r in c.uncited()])
    _part(lines, "not covered by a scenario", [_clause_line(r) for r in c.uncovered()])
    _part(
        lines,
        "cited, but in no index of clauses",
        [f"{_place(span)}: {name}" for name, span in c.unknown],
    )
    _part(lines, "scenarios that fail and so cover nothing", c.failing)
    _part(
        lines, "suspect: said to need no rule, and yet cited",
        [f"{r.clause.id}: {', '.join(map(_place, r.cited))}" for r in c.both()],
    )  # fmt: skip
    _part(
        lines, f"suspect: cited from more than {MANY} lines",
        [f"{r.clause.id}: {len(r.cited)}" for r in c.crowded()],
    )  # fmt: skip
    examples = len(c.rows) - len(needing)
    lines.append(
        f"{c.game}: {len(c.rows)} clauses ({examples} of them examples), {rounded_down(c.percent_cited)} % cited"
        f" ({by_rules} by rules, {without} hold without one), {rounded_down(c.percent_covered)} % covered by {c.scenarios} scenarios"
    )
    return "\n".join(lines)


def _part(lines: list[str], title: str, items: list[str]) -> None:
    if items:
        lines.append(f"{title}: {len(items)}")
        lines.extend(f"  {item}" for item in items)


def _clause_line(row: ClauseRow) -> str:
    text = " ".join(row.clause.rule.split())
    short = text if len(text) <= 90 else text[:89] + "…"
    return f"{row.clause.id}  {short}"


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}"


def clauses_json(c: ClauseCoverage) -> dict[str, Any]:
    return {
        "game": c.game,
        "clauses": len(c.rows),
        "scenarios": c.scenarios,
        "cited": round(c.percent_cited, 2),
        "covered": round(c.percent_covered, 2),
        "not_cited": [r.clause.id for r in c.uncited()],
        "not_covered": [r.clause.id for r in c.uncovered()],
        "unknown": [
            {"clause": name, "file": s.file, "line": s.line, "column": s.column}
            for name, s in c.unknown
        ],
        "failing": c.failing,
        "suspect": {
            "absent_and_cited": [r.clause.id for r in c.both()],
            "cited_from_many_lines": {r.clause.id: len(r.cited) for r in c.crowded()},
        },
        "index": [
            {
                "clause": r.clause.id,
                "section": r.clause.section,
                "rule": r.clause.rule,
                "example": r.clause.example,
                "cited_by": [[s.file, s.line] for s in r.cited],
                "absent": [a.because for a in r.absent],
                "overruled_by": r.overruled,
                "covered_by": [
                    {
                        "scenario": k.name,
                        "file": k.span.file,
                        "line": k.span.line,
                        "passed": k.passed,
                    }
                    for k in r.covering
                ],
            }
            for r in c.rows
        ],
    }
