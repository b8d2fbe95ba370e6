"""A spec's folder → its clauses with the rules and scenarios behind them, which scenarios fail and why, and which lines ran."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulewright.compiler.text.diagnostics import Problems
from rulewright.conformance.clauses import clause_coverage
from rulewright.conformance.compare_facts import Mismatch
from rulewright.conformance.mutants import all_mutants
from rulewright.conformance.mutation import cover, judge, sample
from rulewright.conformance.outcomes import Outcome, Run, run_suite
from rulewright.conformance.reviewed import read_reviewed
from rulewright.conformance.rules import rule_coverage
from rulewright.conformance.sorting import sorted_failures
from rulewright.conformance.suite import Suite, load_suite
from rulewright.language.service import SHOWN

Json = dict[str, Any]


def conformance(root: Path, original: Path | None, text: str = "") -> Json:
    """All scenarios run (those that match `text`); raises SpecError for a spec that is wrong."""
    suite = load_suite(root, SHOWN)
    run = run_suite(suite, text)
    heaps = [("", run.failed)]
    if original is not None and original.is_dir():
        heaps = sorted_failures(root, SHOWN, run, original)
    failures = [_failure(outcome, heap) for heap, outcomes in heaps for outcome in outcomes]
    return {
        "ran": len(run.outcomes),
        "failed": len({f["name"] for f in failures}),
        "failures": failures,
        "problems": [p.message for p in run.problems][:20],
        "clauses": _clauses(suite, run),
        "margins": {} if text else _margins(suite, run),
        "seconds": round(run.seconds, 1),
    }


def _failure(outcome: Outcome, heap: str) -> Json:
    return {
        "name": outcome.name, "ruleset": outcome.ruleset, "file": outcome.span.file.removeprefix(f"{SHOWN}/"),
        "line": outcome.span.line, "covers": list(outcome.covers), "heap": heap,
        "mismatches": [_mismatch(m) for m in outcome.mismatches][:5],
    }  # fmt: skip


def _mismatch(found: Mismatch) -> str:
    return f"expected {found.expected}, came {found.came}"


def surviving(root: Path, file: str, most: int = 40) -> Json:
    """Small changes of one file that no scenario notices, as notes by line; a fixed sample where there are many."""
    suite = load_suite(root, SHOWN)
    problems = Problems()
    reviewed = read_reviewed(
        root / "mutants.yaml", f"{SHOWN}/mutants.yaml", suite.spec.sources, problems
    )
    mine = [
        m
        for m in all_mutants(suite.spec)
        if m.span.file == f"{SHOWN}/{file}" and m.id not in reviewed
    ]
    coverage = cover(suite)
    picked = sample(mine, most, 1)
    found = [judge(suite, mutant, coverage) for mutant in picked]
    notes: dict[int, Json] = {}
    for verdict in found:
        if verdict.fate == "survived":
            note = notes.setdefault(
                verdict.line, {"kind": "mutant", "text": "no scenario notices:"}
            )
            note["text"] += f" {verdict.words};"
    return {"file": file, "tried": len(picked), "of": len(mine), "notes": notes}


def _clauses(suite: Suite, run: Run) -> list[Json]:
    found = clause_coverage(suite.spec, suite.scenarios, run)
    lines = suite.spec.sources.line

    def place(span: Any) -> Json:
        file = span.file.removeprefix(f"{SHOWN}/")
        return {"file": file, "line": span.line, "text": lines(span.file, span.line).strip()[:200]}

    return [
        {
            "id": row.clause.id,
            "section": row.clause.section,
            "rule": row.clause.rule,
            "cited": [place(s) for s in row.cited],
            "absent": [a.because for a in row.absent],
            "scenarios": [
                {"name": c.name, "passed": c.passed, **place(c.span)} for c in row.covering
            ],
        }
        for row in found.rows
    ]


def _margins(suite: Suite, run: Run) -> dict[str, dict[int, Json]]:
    """For each line of the rules whether a scenario ran it."""
    out: dict[str, dict[int, Json]] = {}
    for unit in rule_coverage(suite.spec, run).units:
        file, line, _ = unit.place
        lines = out.setdefault(file.removeprefix(f"{SHOWN}/"), {})
        if unit.ran:
            lines.setdefault(line, {"kind": "run", "text": "a scenario runs this"})
        else:
            lines[line] = {"kind": "missed", "text": "no scenario runs this"}
    return out
