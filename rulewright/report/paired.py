"""Two plans with the same seeds → how their games differ, with intervals for the differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from rulewright.simulate.one import Row
from rulewright.simulate.plan import Plan
from rulewright.simulate.run import Crowd, Watch

_Z = 1.959963984540054


@dataclass(slots=True)
class Measure:
    """One figure in both runs, game by game."""

    name: str
    n: int = 0
    sums: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0, 0.0])

    def add(self, a: float, b: float) -> None:
        self.n += 1
        for i, value in enumerate((a, b, b - a, (b - a) ** 2)):
            self.sums[i] += value

    @property
    def means(self) -> tuple[float, float, float]:
        n = max(1, self.n)
        return self.sums[0] / n, self.sums[1] / n, self.sums[2] / n

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean difference."""
        if self.n < 2:
            return float("-inf"), float("inf")
        mean = self.means[2]
        variance = max(0.0, (self.sums[3] - self.n * mean * mean) / (self.n - 1))
        half = _Z * sqrt(variance / self.n)
        return mean - half, mean + half

    @property
    def clear(self) -> bool:
        low, high = self.interval
        return low > 0 or high < 0

    def to_json(self) -> dict[str, Any]:
        a, b, difference = self.means
        return {
            "measure": self.name, "games": self.n, "a": a, "b": b, "difference": difference,
            "interval": list(self.interval), "clear": self.clear,
        }  # fmt: skip


class Pairing:
    """Collects the measures of two runs. `side` is the bot that is looked at; None looks at all seats alike."""

    def __init__(self, a: Plan, b: Plan, side: int | None) -> None:
        self.crowds = (Crowd(a), Crowd(b))
        self.side = side
        self.measures: dict[str, Measure] = {}

    def rows(self, jobs: int, watch: Watch | None = None) -> Iterator[tuple[Row, Row]]:
        """Both games of each seed; half of the games are played before the first pair is there."""
        first = list(self.crowds[0].rows(jobs, watch))
        done = len(first)
        again = None if watch is None else (lambda n: watch(done + n))
        if self.crowds[0].interrupted:
            return
        yield from zip(first, self.crowds[1].rows(jobs, again), strict=False)

    @property
    def interrupted(self) -> bool:
        return any(crowd.interrupted for crowd in self.crowds)

    def add(self, a: Row, b: Row) -> None:
        figures_a, figures_b = self._figures(a, 0), self._figures(b, 1)
        for name in [*figures_a, *(n for n in figures_b if n not in figures_a)]:
            measure = self.measures.setdefault(name, Measure(name))
            measure.add(figures_a.get(name, 0.0), figures_b.get(name, 0.0))

    def _figures(self, row: Row, which: int) -> dict[str, float]:
        reasons = self.crowds[which].player.reasons
        seats = [i for i, bot in enumerate(row.bots) if self.side is None or bot == self.side]
        ordered = sorted(row.scores, reverse=True)
        out: dict[str, float] = {}
        if self.side is not None:
            out["share of wins"] = sum(row.wins[i] for i in seats)
        out["score"] = sum(row.scores[i] for i in seats) / len(seats)
        if self.side is None:
            out["best score"] = float(ordered[0])
            out["lead of the winner"] = float(ordered[0] - ordered[1]) if len(ordered) > 1 else 0.0
            for seat, win in enumerate(row.wins):
                out[f"wins of seat {seat + 1}"] = win
        out["decisions"] = float(row.length)
        for k, reason in enumerate(reasons):
            out[f"points for {reason}"] = sum(row.reasons[i][k] for i in seats) / len(seats)
        return out
