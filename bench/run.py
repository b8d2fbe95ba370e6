"""A plan → figures: every case in a process of its own, round after round, so that a slow minute of the machine meets all alike."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rulewright.bench.environments import surroundings
from rulewright.bench.figures import Figure, figure
from rulewright.bench.plan import HERE, Case, Plan

_PATIENCE = 600  # seconds for one measurement


@dataclass(slots=True)
class Result:
    """What the rounds of one case gave."""

    case: Case
    rounds: list[dict[str, Any]] = field(default_factory=list)

    def rate(self, what: str) -> Figure:
        """So many games, decisions or steps in a second."""
        return figure([r[what] / r["seconds"] for r in self.rounds])

    def of(self, what: str) -> Figure | None:
        values = [r[what] for r in self.rounds if r.get(what) is not None]
        return figure(values) if values else None

    @property
    def length(self) -> float:
        """Decisions in a game."""
        return float(
            sum(r["decisions"] for r in self.rounds) / sum(r["games"] for r in self.rounds)
        )

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "name": self.case.name, "group": self.case.group, "who": self.case.who, "args": self.case.args,
        }  # fmt: skip
        for what in ("games", "decisions", "steps"):
            out[f"{what}_per_second"] = self.rate(what).to_json()
        for what in ("clone", "memory", "load"):
            found = self.of(what)
            out[what] = None if found is None else found.to_json()
        out["decisions_per_game"] = self.length
        out["options_per_decision"] = self.rounds[0].get("options")
        out["version"] = self.rounds[0].get("version")
        out["rounds"] = self.rounds
        return out


def measure_once(case: Case, seconds: float, patience: float = _PATIENCE) -> dict[str, Any] | str:
    """One round of one case, or what went wrong."""
    command = [case.python, str(HERE / "worker.py"), case.order(seconds)]
    try:
        done = subprocess.run(
            command, env=surroundings(), capture_output=True, text=True, timeout=patience, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"not done after {patience:.0f} s"
    except OSError as error:
        return str(error)
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ["it failed"])[-1]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(
    plan: Plan,
    rounds: int,
    seconds: float,
    tell: Callable[[str], None],
    most: float = float("inf"),
    patience: float = _PATIENCE,
) -> list[Result]:
    """All cases once, then all once more, and so on; a case that fails is left out and told.

    After `most` seconds on the clock no further round of a case is begun, but for its first.
    """
    results = [Result(case) for case in plan.cases]
    failed: set[int] = set()
    begun = time.monotonic()
    for turn in range(rounds):
        for number, result in enumerate(results):
            if number in failed or (turn and time.monotonic() - begun > most):
                continue
            tell(f"round {turn + 1} of {rounds}: {result.case.group} {result.case.name}")
            found = measure_once(result.case, seconds, patience)
            if isinstance(found, str):
                failed.add(number)
                plan.skipped[f"{result.case.group} {result.case.name}"] = found
            else:
                result.rounds.append(found)
    return [result for number, result in enumerate(results) if number not in failed]
