"""Two plans with the same seeds → how their games differ, with intervals for the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from math import log, sqrt
from typing import Any

from rulewright.simulate.one import Row
from rulewright.simulate.plan import Plan
from rulewright.simulate.run import Crowd, Watch
from rulewright.simulate.summary import Z
from rulewright.stop import Stop

# so many games of one side before the other has its turn; workers are hired anew for each round
_ROUND, _ROUND_OF_JOBS = 10, 50
# a value of a choice is seldom taken below this share, once the choice was asked so often
_SELDOM, _ENOUGH = 0.02, 50
# how often a 95 % interval may be wrong
_ALPHA = 0.05


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
        half = Z * sqrt(variance / self.n)
        return mean - half, mean + half

    def valid_interval(self, planned: int) -> tuple[float, float]:
        """A 95 % interval that holds at every number of games at once, so that one may stop whenever one likes.

        A confidence sequence for means from the mixture of normals (asymptotic, as the plain interval is); narrowest at `planned`.
        """
        if self.n < 2:
            return float("-inf"), float("inf")
        mean = self.means[2]
        variance = max(0.0, (self.sums[3] - self.n * mean * mean) / (self.n - 1))
        spread = -2 * log(_ALPHA)
        width = (spread + log(spread) + 1) / max(2, planned)
        scale = self.n * width + 1
        half = sqrt(variance) * sqrt(2 * scale / (self.n**2 * width) * log(sqrt(scale) / _ALPHA))
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


def _later(watch: Watch, before: int, done: int) -> None:
    watch(before + done)


class Pairing:
    """Collects the measures of two runs. `side` is the bot that is looked at; None looks at all seats alike."""

    def __init__(self, a: Plan, b: Plan, side: int | None, stop: Stop | None = None) -> None:
        # one word stops both
        stop = stop or Stop()
        self.stop = stop
        self.crowds = (Crowd(a, stop), Crowd(b, stop))
        self.side = side
        self.measures: dict[str, Measure] = {}
        # how often each action was taken, in both runs
        self.taken: tuple[Counter[int], Counter[int]] = (Counter(), Counter())

    def rows(
        self, jobs: int, watch: Watch | None = None, size: int = 0
    ) -> Iterator[tuple[Row, Row]]:
        """Both games of each seed, in rounds, so that an interruption leaves whole pairs; `watch` hears of single games.

        Rounds are of `size` pairs; without it as long as suits who only looks at the end.
        """
        # also between two games Ctrl-C ends the games and not the program
        with self.stop:
            games = self.crowds[0].plan.games
            size = size or (_ROUND if jobs == 1 else _ROUND_OF_JOBS * jobs)
            for start in range(0, games, size):
                numbers = range(start, min(start + size, games))
                sides: list[list[Row]] = []
                for crowd in self.crowds:
                    if self.interrupted:
                        return
                    done = 2 * start + sum(map(len, sides))
                    told = None if watch is None else partial(_later, watch, done)
                    sides.append(list(crowd.rows(jobs, told, numbers)))
                # an interrupted run may lack games in the middle
                second = {row.number: row for row in sides[1]}
                yield from ((row, second[row.number]) for row in sides[0] if row.number in second)

    @property
    def interrupted(self) -> bool:
        return self.stop.asked

    def add(self, a: Row, b: Row) -> None:
        for row, taken in zip((a, b), self.taken, strict=True):
            for choices in row.choices:
                taken.update(choices)
        figures_a, figures_b = self._figures(a, 0), self._figures(b, 1)
        for name in [*figures_a, *(n for n in figures_b if n not in figures_a)]:
            measure = self.measures.setdefault(name, Measure(name))
            measure.add(figures_a.get(name, 0.0), figures_b.get(name, 0.0))

    def seldom(self) -> list[str]:
        """What the bots could do in a menu of the rules and hardly ever did, in words, with its share of the answers."""
        out: dict[str, None] = {}
        for crowd, taken in zip(self.crowds, self.taken, strict=True):
            game = crowd.player.game
            for choice in game.info["choices"].values():
                if not str(choice["element"].get("kind", "")).endswith(" menu"):
                    continue
                times = [taken[choice["offset"] + i] for i in range(choice["size"])]
                asked = sum(times)
                for i, n in enumerate(times):
                    if asked >= _ENOUGH and n < _SELDOM * asked:
                        value = str(game.option_name(choice, i)).replace("_", " ")
                        label = str(choice["label"]).replace("_", " ")
                        out[f"{value} ({label}, {100 * n / asked:.1f} %)"] = None
        return list(out)

    def _figures(self, row: Row, which: int) -> dict[str, float]:
        reasons = self.crowds[which].player.reasons
        seats = [i for i, bot in enumerate(row.bots) if self.side is None or bot == self.side]
        # by place, since in some games few points are good
        ordered = [row.scores[i] for i in sorted(range(len(row.scores)), key=row.ranks.__getitem__)]
        out: dict[str, float] = {}
        if self.side is not None:
            # who wins together wins once
            out["share of wins"] = min(1.0, sum(row.wins[i] for i in seats))
        out["score"] = sum(row.scores[i] for i in seats) / len(seats)
        if self.side is None:
            out["best score"] = float(ordered[0])
            out["lead of the winner"] = (
                float(abs(ordered[0] - ordered[1])) if len(ordered) > 1 else 0.0
            )
            for seat, win in enumerate(row.wins):
                out[f"wins of seat {seat + 1}"] = win
        out["decisions"] = float(row.length)
        for k, reason in enumerate(reasons):
            out[f"points for {reason}"] = sum(row.reasons[i][k] for i in seats) / len(seats)
        return out
