"""Rankings of games, block by block → ratings of who played, with intervals, and the matrix of pairs.

The model is that of Plackett and Luce: who is first is drawn in proportion to everybody's worth, the next among the rest, and so on. A rating is the
logarithm of a worth on the scale that chess uses, where 400 points are odds of ten to one. A tie stands for all orders of those who share the
place, each in equal part, as a draw is half a win for each. The worths that make the rankings likeliest are found step by step by Hunter's MM,
which never steps back; plain Python is enough, since only the sets of who was left at some place are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import exp, factorial, log, sqrt
from random import Random

from rulewright.statistics.sequential import Moments

# 400 points are odds of ten to one
SCALE = 400 / log(10)
# ratings are found to less than this, in worths' logarithms
_EXACT = 1e-6
_MOST_STEPS = 10_000
_Z = 1.959963984540054
# of larger ties not all orders are looked at
_LARGEST_TIE = 6


@dataclass(slots=True)
class Placings:
    """What ratings depend on: how often each was taken next, and from which sets (as sorted numbers, with repetition) somebody was taken."""

    taken: dict[int, float] = field(default_factory=dict)
    sets: dict[tuple[int, ...], float] = field(default_factory=dict)

    def add(self, who: Sequence[int], ranks: Sequence[int]) -> None:
        """One game: who sat at each seat, and the place that each seat reached."""
        groups: dict[int, list[int]] = {}
        for one, rank in zip(who, ranks, strict=True):
            groups.setdefault(rank, []).append(one)
        behind: list[int] = []
        # from the last place to the first: whoever is placed is taken from among themselves and all behind them
        for rank in sorted(groups, reverse=True):
            group = groups[rank]
            share = 1 / factorial(min(len(group), _LARGEST_TIE))
            for order in _orders(group):
                left = list(behind)
                for one in reversed(order):
                    left.append(one)
                    if len(left) > 1:
                        self.taken[one] = self.taken.get(one, 0.0) + share
                        key = tuple(sorted(left))
                        self.sets[key] = self.sets.get(key, 0.0) + share
            behind += group

    def include(self, other: Placings, times: float = 1.0) -> None:
        for one, n in other.taken.items():
            self.taken[one] = self.taken.get(one, 0.0) + times * n
        for key, n in other.sets.items():
            self.sets[key] = self.sets.get(key, 0.0) + times * n


def _orders(group: Sequence[int]) -> Iterable[Sequence[int]]:
    if len(group) <= _LARGEST_TIE:
        return permutations(group)
    # everybody is equally often at each place: turned round, and the same backwards
    turned = [[*group[i:], *group[:i]] for i in range(len(group))]
    times = factorial(_LARGEST_TIE) // len(turned) + 1
    return (turned * times)[: factorial(_LARGEST_TIE)]


def fit(placings: Placings, count: int, start: Sequence[float] | None = None) -> list[float]:
    """The likeliest ratings of `count` bots, with a mean of 0.

    Each has also tied once, in equal parts with all others: without that, who won or lost every game would have no finite rating. Of bots
    that meet often, this moves little.
    """
    part = 1 / max(1, count - 1)
    sets = [*placings.sets.items(), *(((i, j), part) for j in range(count) for i in range(j))]
    taken = [placings.taken.get(i, 0.0) + 0.5 for i in range(count)]
    logs = [0.0] * count if start is None else [r / SCALE for r in start]
    for _ in range(_MOST_STEPS):
        worths = [exp(x) for x in logs]
        weights = [0.0] * count
        for key, n in sets:
            share = n / sum([worths[i] for i in key])
            for i in key:
                weights[i] += share
        new = [log(t / w) for t, w in zip(taken, weights, strict=True)] if count > 1 else [0.0]
        # only ratios of worths mean something
        mean = sum(new) / count
        new = [x - mean for x in new]
        moved = max(abs(a - b) for a, b in zip(new, logs, strict=True))
        logs = new
        if moved < _EXACT:
            break
    return [SCALE * x for x in logs]


def likelihood(placings: Placings, ratings: Sequence[float]) -> float:
    """The logarithm of how likely the rankings are."""
    worths = [exp(r / SCALE) for r in ratings]
    total = sum(n * log(worths[i]) for i, n in placings.taken.items())
    return total - sum(n * log(sum(worths[i] for i in key)) for key, n in placings.sets.items())


def expected(ahead: float) -> float:
    """How often somebody whose rating is so much higher is ahead of the other."""
    return 1 / (1 + exp(-ahead / SCALE))


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating and the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


def rate(
    blocks: Sequence[Placings], count: int, anchor: int | None = None, samples: int = 300, seed: int = 0
) -> list[Rating]:  # fmt: skip
    """Ratings with intervals by the bootstrap: blocks are drawn with repetition, since games of one block belong together.

    `anchor` is who has rating 0; without one it is the mean of all. The intervals are of the differences to that.
    """
    whole = Placings()
    for block in blocks:
        whole.include(block)
    best = fit(whole, count)
    random = Random(seed)
    drawn: list[list[float]] = []
    for _ in range(samples if len(blocks) > 1 else 0):
        times: dict[int, int] = {}
        for at in random.choices(range(len(blocks)), k=len(blocks)):
            times[at] = times.get(at, 0) + 1
        some = Placings()
        for at, n in times.items():
            some.include(blocks[at], n)
        drawn.append(_anchored(fit(some, count, best), anchor))
    best = _anchored(best, anchor)
    out = []
    for i, value in enumerate(best):
        found = sorted(one[i] for one in drawn)
        if i == anchor:
            out.append(Rating(0.0, 0.0, 0.0))
        elif not found:
            out.append(Rating(value, float("-inf"), float("inf")))
        else:
            last = len(found) - 1
            out.append(Rating(value, found[round(0.025 * last)], found[round(0.975 * last)]))
    return out


def _anchored(ratings: list[float], anchor: int | None) -> list[float]:
    zero = 0.0 if anchor is None else ratings[anchor]
    return [r - zero for r in ratings]


# ---------------------------------------------------------------- pairs


def preference(who: Sequence[int], ranks: Sequence[int], a: int, b: int) -> float | None:
    """How far a was ahead of b in one game, from -1 to 1; None where they did not meet. Who has several seats counts with each."""
    ahead, met = 0, 0
    for one, rank in zip(who, ranks, strict=True):
        if one != a:
            continue
        for other, behind in zip(who, ranks, strict=True):
            if other == b:
                met += 1
                ahead += (rank < behind) - (rank > behind)
    return ahead / met if met else None


@dataclass(slots=True)
class Pair:
    """How often one was ahead of another, by means of blocks: each block is one value."""

    meetings: int = 0
    blocks: Moments = field(default_factory=Moments)

    def add(self, games: Iterable[float]) -> float | None:
        """The games of one block in which they met."""
        found = list(games)
        if not found:
            return None
        self.meetings += len(found)
        mean = sum(found) / len(found)
        self.blocks.add(mean)
        return mean

    @property
    def share(self) -> float:
        """The share of meetings in which the first was ahead; a tie is half of one."""
        return (1 + self.blocks.mean) / 2

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, for a number of blocks that was fixed beforehand."""
        if self.blocks.n < 2:
            return 0.0, 1.0
        # as if a block at each end had been seen too: a share of 100 % has an interval as well
        variance = self.blocks.variance + 2 / self.blocks.n**2
        half = _Z * sqrt(variance / self.blocks.n) / 2
        return max(0.0, self.share - half), min(1.0, self.share + half)


def pairs_of(count: int) -> dict[tuple[int, int], Pair]:
    return {(a, b): Pair() for a in range(count) for b in range(count) if a != b}


def add_block(
    pairs: Mapping[tuple[int, int], Pair], games: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> None:
    """One block of games, as who sat where and the places, into all pairs."""
    for (a, b), pair in pairs.items():
        found = [preference(who, ranks, a, b) for who, ranks in games]
        pair.add(x for x in found if x is not None)
