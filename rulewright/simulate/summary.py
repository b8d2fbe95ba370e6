"""Rows of games → figures: win shares with intervals, scores, reasons, seats, length, choices. Keeps no rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from rulewright.simulate.one import Row

# 95 % of a normal distribution lie within so many deviations of its mean
Z = 1.959963984540054


def wilson(wins: float, n: int) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share; shared wins count in parts."""
    if n == 0:
        return 0.0, 1.0
    p = wins / n
    middle = p + Z * Z / (2 * n)
    half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


@dataclass(slots=True)
class Spread:
    """Whole numbers, counted: their mean, median and spread."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, value: int) -> None:
        self.counts[value] += 1

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        return sum(v * c for v, c in self.counts.items()) / max(1, self.n)

    @property
    def deviation(self) -> float:
        n, mean = self.n, self.mean
        if n < 2:
            return 0.0
        return sqrt(sum(c * (v - mean) ** 2 for v, c in self.counts.items()) / (n - 1))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        half = Z * self.deviation / sqrt(max(1, self.n))
        return self.mean - half, self.mean + half

    def at(self, place: int) -> int:
        """The value at a place in order, from 0."""
        for value in sorted(self.counts):
            place -= self.counts[value]
            if place < 0:
                return value
        return 0

    def quantile(self, q: float) -> float:
        """The value below which a share q lies, between two values where need be."""
        place = q * (self.n - 1)
        low = self.at(int(place))
        return low + (self.at(int(place) + (place % 1 > 0)) - low) * (place % 1)

    @property
    def median(self) -> float:
        return self.quantile(0.5)


@dataclass(slots=True)
class Side:
    """All that one bot, or one seat, did; `tables` are the games it was in, where it may have had several seats."""

    games: int = 0
    tables: int = 0
    wins: float = 0.0
    # whether a game can have a win for everybody; then not its one win is shared, but all seats have the same
    together: bool = False
    scores: Spread = field(default_factory=Spread)
    reasons: list[int] = field(default_factory=list)

    def add(self, win: float, score: int, reasons: list[int]) -> None:
        self.games += 1
        self.wins += win
        self.scores.add(score)
        if not self.reasons:
            self.reasons = [0] * len(reasons)
        for i, points in enumerate(reasons):
            self.reasons[i] += points

    @property
    def share(self) -> float:
        return self.wins / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share. A game has one win to share, so it is the games that count and not the seats."""
        if self.together:
            return wilson(self.share * self.tables, self.tables)
        low, high = wilson(self.wins, self.tables)
        seats = max(1, self.games) / max(1, self.tables)
        return low / seats, high / seats

    def reason_means(self) -> list[float]:
        return [points / max(1, self.games) for points in self.reasons]


class Summary:
    """Grows row by row; its size does not depend on the number of games."""

    def __init__(self, meta: dict[str, Any]) -> None:
        self.meta = meta
        self.games = 0
        self.by_bot: dict[str, Side] = {}
        self.by_seat = [Side() for _ in range(meta["players"])]
        self.length = Spread()
        # bot → action → times
        self.choices: dict[str, Counter[int]] = {}
        # period → bot → sums by reason; step → bot → sum of the lead over the best other
        self.periods: list[dict[str, list[int]]] = []
        self.course: list[dict[str, list[float]]] = []

    def add(self, row: Row) -> None:
        self.games += 1
        self.length.add(row.length)
        names = [self.meta["bots"][i] for i in row.bots]
        for seat, name in enumerate(names):
            bot = self.by_bot.setdefault(name, Side())
            bot.add(row.wins[seat], row.scores[seat], row.reasons[seat])
            self.by_seat[seat].add(row.wins[seat], row.scores[seat], row.reasons[seat])
            self.by_seat[seat].tables += 1
            self.choices.setdefault(name, Counter()).update(row.choices[seat])
        for name in set(names):
            self.by_bot[name].tables += 1
        if sum(row.wins) > 1.5:
            for side in (*self.by_bot.values(), *self.by_seat):
                side.together = True
        self._periods(row, names)
        self._course(row, names)

    def _periods(self, row: Row, names: list[str]) -> None:
        before = [[0] * len(r) for r in row.reasons]
        for number, now in enumerate(row.periods):
            if number == len(self.periods):
                self.periods.append({})
            for seat, name in enumerate(names):
                sums = self.periods[number].setdefault(name, [0] * len(now[seat]))
                for i, points in enumerate(now[seat]):
                    sums[i] += points - before[seat][i]
            before = now

    def _course(self, row: Row, names: list[str]) -> None:
        # in some games few points are good
        places = sorted(range(len(names)), key=row.ranks.__getitem__)
        sign = -1 if row.scores[places[0]] < row.scores[places[-1]] else 1
        for number, scores in enumerate(row.course):
            if number == len(self.course):
                self.course.append({})
            for seat, name in enumerate(names):
                others = [sign * s for i, s in enumerate(scores) if i != seat]
                lead = sign * scores[seat] - max(others, default=0)
                sums = self.course[number].setdefault(name, [0.0, 0.0, 0.0])
                sums[0] += 1
                sums[1] += scores[seat]
                sums[2] += lead

    @property
    def one_bot(self) -> bool:
        """One bot plays all seats: then its share of the wins is fixed and says nothing."""
        return len(self.by_bot) == 1 and not any(s.together for s in self.by_bot.values())

    def choice_table(self) -> list[tuple[str, str, dict[str, int]]]:
        """(choice, value, times by bot) for everything that was ever chosen."""
        out = []
        for label, offset, values in self.meta["choices"]:
            for i, value in enumerate(values):
                times = {bot: c[offset + i] for bot, c in self.choices.items() if c[offset + i]}
                if times:
                    out.append((label, value, times))
        return out

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "games": self.games,
            "bots": {
                name: _side(side, self.meta, fixed=self.one_bot)
                for name, side in self.by_bot.items()
            },
            "seats": {
                self.meta["seats"][i]: _side(side, self.meta) for i, side in enumerate(self.by_seat)
            },
            "length": _spread(self.length),
            "choices": [
                {"choice": label, "value": value, "times": times}
                for label, value, times in self.choice_table()
            ],
        }


def _side(side: Side, meta: dict[str, Any], fixed: bool = False) -> dict[str, Any]:
    share = {} if fixed else {"share": side.share, "interval": list(side.interval)}
    return {
        "games": side.games, "wins": round(side.wins, 6), **share, "score": _spread(side.scores),
        "reasons": dict(zip(meta["reasons"], side.reason_means() or [0.0] * len(meta["reasons"]), strict=True)),
    }  # fmt: skip


def _spread(spread: Spread) -> dict[str, float]:
    low, high = spread.interval
    return {
        "mean": spread.mean, "median": spread.median, "deviation": spread.deviation, "low": low, "high": high,
    }  # fmt: skip
