"""Deals of a position → a tree of what the actions in it bring: the inner loop of the bot mcts.

States and games are `Any` here: only `pc`, `who`, `opts`, `clone` and the like are used of them. What takes long is the engine's where that is
compiled: playing on, judging, looking through what was tried (`promising`), and noting what an iteration brought (`credit`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import Any

# the most decisions of one seat in a row that count as a turn
TURN = 24


class Tree:
    """Nodes by number: an action each, how often it was taken, and what it brought the one who took it. The first is where all begins."""

    __slots__ = ("actions", "children", "high", "low", "means", "roots", "totals", "visits")

    def __init__(self, players: int) -> None:
        self.actions: list[int] = []
        self.children: list[dict[int, int]] = []
        self.visits: list[int] = []
        self.totals: list[float] = []
        # of the visits and the totals, which are looked at far more often than they change
        self.means: list[float] = []
        self.roots: list[float] = []
        # the range of each seat's averages, to weigh them against what was not tried yet
        self.low: list[float] = [1e300] * players
        self.high: list[float] = [-1e300] * players
        self.add(-1)

    def add(self, action: int) -> int:
        """A new node; its number."""
        self.actions.append(action)
        self.children.append({})
        self.visits.append(0)
        self.totals.append(0.0)
        self.means.append(0.0)
        self.roots.append(0.0)
        return len(self.actions) - 1

    def first(self) -> dict[int, tuple[int, float]]:
        """The actions tried in the position itself: visits and what they brought in all."""
        return {a: (self.visits[n], self.totals[n]) for a, n in self.children[0].items()}


# the options of a set as nodes, and those still to be tried
Way = tuple[list[int], list[int]]


class Search:
    """One tree while it grows. `margins` says how far each seat is ahead in a state."""

    def __init__(
        self,
        random: Random,
        module: Any,
        margins: Callable[[Any], list[float]],
        settings: tuple[int, int, float, float],
        weights: Sequence[int],
        most: int,
        endless: Callable[[Any], Exception],
    ) -> None:
        self.random = random
        self.playout: Any = module.playout_turns
        self.promising: Any = module.promising if module.COMPILED else promising
        self.credit: Any = module.credit if module.COMPILED else credit
        self.margins: Any = margins
        seats, self.horizon, self.explore, self.widen = settings
        self.weights = weights
        # whoever drives a game counts its decisions
        self.most = most
        self.endless: Any = endless
        self.tree = Tree(seats)
        # the options met at a node, by place in the rules and by set
        self.ways: dict[tuple[int, int, int], Way] = {}

    def iterate(self, state: Any) -> None:
        """Walk down the tree in a state of one's own, add a node, play on, and note how far each seat is then ahead."""
        state.rng = 1 + self.random.getrandbits(61)
        tree, ways, most, promising = self.tree, self.ways, self.most, self.promising
        visits, roots, actions, means = tree.visits, tree.roots, tree.actions, tree.means
        low, high, explore, widen = tree.low, tree.high, self.explore, self.widen
        path: list[int] = []
        seats: list[int] = []
        node = made = 0
        while pc := state.pc:
            made += 1
            if made > most:
                raise self.endless(state)
            key = (node, pc, state.opts)
            way = ways.get(key)
            if way is None:
                legal = state.legal_actions()
                if len(legal) == 1:
                    state.apply_action(legal[0])
                    continue
                way = ways[key] = self.way(node, legal)
            tried, fresh = way
            who: int = state.who
            # a new one while the node is young for its width, else the most promising
            new = 0
            if fresh and len(tried) <= widen * roots[node]:
                new = self.widened(node, tried, fresh)
            node = new or promising(tried, means, roots, low[who], high[who], explore, visits[node])
            path.append(node)
            seats.append(who)
            state.apply_action(actions[node])
            if new:
                break
        self.playout(state, 1 + self.random.getrandbits(61), TURN, self.horizon, self.weights)
        self.credit(path, seats, self.margins(state), visits, tree.totals, means, roots, low, high)

    def way(self, node: int, legal: tuple[int, ...]) -> Way:
        """What is known of these options, and the rest."""
        children = self.tree.children[node]
        if not children:
            return [], list(legal)
        return (
            [children[a] for a in legal if a in children],
            [a for a in legal if a not in children],
        )

    def widened(self, node: int, tried: list[int], fresh: list[int]) -> int:
        """A new node for one of the options that were not tried; 0 where those that come up are known from other sets of options."""
        children = self.tree.children[node]
        width = self.widen * self.tree.roots[node]
        while fresh and len(tried) <= width:
            at = int(self.random.random() * len(fresh))
            fresh[at], fresh[-1] = fresh[-1], fresh[at]
            action = fresh.pop()
            found = children.get(action)
            if found is None:
                new = children[action] = self.tree.add(action)
                tried.append(new)
                return new
            tried.append(found)
        return 0


# ---------------------------------------------------------------- what engines in C do themselves (runtime/c/rw_search.h), to the bit


def promising(
    tried: list[int],
    means: list[float],
    roots: list[float],
    low: float,
    high: float,
    explore: float,
    visits: int,
) -> int:
    """The node to follow: that of the best average, with a bonus for what was seldom tried; of equals the first."""
    scale = 1.0 / (high - low) if high > low else 1.0
    bonus = explore * sqrt(log(visits + 1))
    best = -1e300
    found = tried[0]
    for n in tried:
        value = (means[n] - low) * scale + bonus / roots[n]
        if value > best:
            best = value
            found = n
    return found


def credit(
    path: list[int],
    seats: list[int],
    brought: list[float],
    visits: list[int],
    totals: list[float],
    means: list[float],
    roots: list[float],
    low: list[float],
    high: list[float],
) -> None:
    """Note at the nodes of a path what it brought who chose there, and at the first node that there was one more."""
    visits[0] += 1
    roots[0] = sqrt(visits[0])
    for node, who in zip(path, seats, strict=True):
        visits[node] = count = visits[node] + 1
        totals[node] = total = totals[node] + brought[who]
        means[node] = mean = total / count
        roots[node] = sqrt(count)
        if mean < low[who]:
            low[who] = mean
        if mean > high[who]:
            high[who] = mean


def margins(points: list[float], rivalry: float) -> list[float]:
    """The points of all seats → what each has, less a share of what the best of the others and all others have on average."""
    others = len(points) - 1
    if others == 0:
        return points
    best = -1e300
    second = -1e300
    total = 0.0
    for p in points:
        total += p
        if p > best:
            second = best
            best = p
        elif p > second:
            second = p
    out: list[float] = []
    for p in points:
        ahead = second if p == best else best
        out.append(p - rivalry * (ahead + (total - p) / others))
    return out
