"""Deals of a position → a tree of what the actions in it bring: the inner loop of the bot mcts.

States and games are `Any` here: only `pc`, `who`, `opts`, `clone` and the like are used of them. What takes long, playing on and
judging, is the engine's, so that it is fast where that is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import Any

# the most decisions of one seat in a row that count as a turn
TURN = 24


class Node:
    """An action in the tree: how often it was taken, and what it brought the one who took it."""

    __slots__ = ("action", "children", "mean", "root", "total", "visits", "ways")

    def __init__(self, action: int) -> None:
        self.action = action
        self.visits: int = 0
        self.total: float = 0.0
        # of the visits and the total, which are looked at far more often than they change
        self.mean: float = 0.0
        self.root: float = 0.0
        self.children: dict[int, Node] = {}
        # the options met here, by place in the rules and by set
        self.ways: dict[Any, Way] = {}


class Way:
    """The options of a set: those tried, and those still to be tried, the next one last."""

    __slots__ = ("fresh", "tried")

    def __init__(self, tried: list[Node], fresh: list[int]) -> None:
        self.tried = tried
        self.fresh = fresh


class Search:
    """One tree while it grows. `points` says what each seat has or can expect; it is asked only where the game is over."""

    def __init__(
        self,
        random: Random,
        playout: Callable[..., int],
        estimates: Callable[[Any], Sequence[int]],
        points: Callable[[Any], list[float]],
        settings: tuple[int, int, float, float, float, float],
        weights: Sequence[int],
        most: int,
        endless: Callable[[Any], Exception],
    ) -> None:
        self.random = random
        self.playout: Any = playout
        self.estimates: Any = estimates
        self.points: Any = points
        self.players: int = settings[0]
        self.horizon: int = settings[1]
        self.unit: float = settings[2]
        self.rivalry: float = settings[3]
        self.explore: float = settings[4]
        self.widen: float = settings[5]
        self.weights = weights
        # whoever drives a game counts its decisions
        self.most = most
        self.endless: Any = endless
        self.root = Node(-1)
        # the range of each seat's averages in the tree, to weigh them against what was not tried yet
        self.low: list[float] = [1e300] * self.players
        self.high: list[float] = [-1e300] * self.players

    def iterate(self, state: Any) -> None:
        """Walk down the tree in a state of one's own, add a node, play on, and note how far each seat is then ahead."""
        state.rng = 1 + self.random.getrandbits(61)
        path: list[Node] = []
        seats: list[int] = []
        node = self.root
        made: int = 0
        while state.pc:
            made += 1
            if made > self.most:
                raise self.endless(state)
            opts: int = state.opts
            if opts & (opts - 1) == 0:
                state.apply_action(state.legal_actions()[0])
                continue
            node = self.select(node, state, opts)
            path.append(node)
            seats.append(state.who)
            state.apply_action(node.action)
            if node.visits == 0:
                break
        x: int = 1 + self.random.getrandbits(61)
        self.playout(state, x, TURN, self.horizon, self.weights)
        self.learn(path, seats, self.margins(state))

    def select(self, node: Node, state: Any, opts: int) -> Node:
        """The action to follow: a new one while the node is young for its width, else the most promising."""
        key = (state.pc, opts)
        way = node.ways.get(key)
        if way is None:
            way = self.way(node, state.legal_actions())
            node.ways[key] = way
        tried = way.tried
        visits = node.visits
        while way.fresh and len(tried) <= self.widen * sqrt(visits):
            action = way.fresh.pop()
            child = node.children.get(action)
            if child is None:
                child = Node(action)
                node.children[action] = child
                tried.append(child)
                return child
            tried.append(child)
        who: int = state.who
        low = self.low[who]
        span = self.high[who] - low
        scale = 1.0 / span if span > 0 else 1.0
        bonus = self.explore * sqrt(log(visits + 1))
        best = -1e300
        found = tried[0]
        for child in tried:
            root = child.root
            if not root:
                return child
            value = (child.mean - low) * scale + bonus / root
            if value > best:
                best = value
                found = child
        return found

    def way(self, node: Node, actions: tuple[int, ...]) -> Way:
        """What is known of these options, and the rest in the order in which they will be tried."""
        children = node.children
        fresh = [a for a in actions if a not in children]
        self.random.shuffle(fresh)
        return Way([children[a] for a in actions if a in children], fresh)

    def margins(self, state: Any) -> list[float]:
        """What each seat has, less a share of what the others have: of the best of them and of all of them, half each."""
        if state.pc:
            unit = self.unit
            found: list[float] = [value / unit for value in self.estimates(state)]
        else:
            found = self.points(state)
        return margins(found, self.rivalry)

    def learn(self, path: list[Node], seats: list[int], brought: list[float]) -> None:
        self.root.visits += 1
        for node, who in zip(path, seats, strict=True):
            node.visits += 1
            node.total += brought[who]
            node.root = sqrt(node.visits)
            node.mean = mean = node.total / node.visits
            if mean < self.low[who]:
                self.low[who] = mean
            if mean > self.high[who]:
                self.high[who] = mean


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
