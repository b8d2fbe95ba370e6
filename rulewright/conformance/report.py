"""Outcomes of scenarios → text for people and JSON for tools."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.text.diagnostics import to_json
from rulewright.conformance.outcomes import Outcome, Run


def failure_text(outcome: Outcome) -> str:
    """One failed scenario: what was expected, what came, for which clauses, and what ran last."""
    lines = [f"FAILED {outcome.name} ({outcome.ruleset})"]
    covers = f"  covers {', '.join(outcome.covers)}" if outcome.covers else ""
    lines.append(f"  {outcome.span.file}:{outcome.span.line}{covers}")
    for m in outcome.mismatches:
        place = f"{m.span.line}:{m.span.column}"
        lines.append(f"  {place:<8} expected  {m.expected}")
        lines.append(f"  {'':<8}     came  {m.came}")
    if outcome.last is not None:
        file, line, _ = outcome.last
        lines.append(f"  last ran {file}:{line}: {outcome.last_text}")
    return "\n".join(lines)


def summary(run: Run) -> str:
    passed = len(run.outcomes) - len(run.failed)
    text = f"{passed} passed, {len(run.failed)} failed"
    errors = sum(p.severity == "error" for p in run.problems)
    if errors:
        text += f", {errors} {'problem' if errors == 1 else 'problems'} in the files"
    return text


def is_fine(run: Run) -> bool:
    return not run.failed and not any(p.severity == "error" for p in run.problems)


def run_json(game: str, run: Run) -> dict[str, Any]:
    return {
        "game": game,
        "ok": is_fine(run),
        "passed": len(run.outcomes) - len(run.failed),
        "failed": len(run.failed),
        "seconds": round(run.seconds, 3),
        "problems": to_json(run.problems),
        "scenarios": [outcome_json(o) for o in run.outcomes],
    }


def outcome_json(o: Outcome) -> dict[str, Any]:
    return {
        "scenario": o.name,
        "ruleset": o.ruleset,
        "file": o.span.file,
        "line": o.span.line,
        "covers": list(o.covers),
        "passed": o.passed,
        "mismatches": [
            {"line": m.span.line, "column": m.span.column, "expected": m.expected, "came": m.came}
            for m in o.mismatches
        ],
        "last": None if o.last is None or o.passed else [o.last[0], o.last[1]],
    }
