"""A view → an action, by information-set Monte Carlo tree search.

One tree for the searching seat. Each iteration deals what the seat cannot see anew, walks down the tree among the
options that are legal in that deal, adds one node, plays on for a few turns, and notes how far each seat is then ahead.
Luck on the way is sampled, so a node stands for the actions that lead to it and not for one position.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Any

from rulewright.bots.base import BotError
from rulewright.bots.judge import Evaluate, Judge
from rulewright.runtime import rng
from rulewright.runtime.view import View

# how much what was seldom tried draws, when averages run from 0 to 1
_EXPLORE = 0.6
# options looked at in a node: this times the root of its visits
_WIDEN = 2.0
# the most decisions of one seat in a row that count as a turn
_TURN = 24
_MOST_ITERATIONS = 10_000_000
_MOST_DEALS = 64


def budget(text: str) -> tuple[int, float]:
    """`200` → 200 iterations; `2s`, `0.5s` → seconds."""
    try:
        if text.endswith("s"):
            seconds = float(text[:-1])
            if 0 < seconds <= 3600:
                return 0, seconds
        elif 1 <= int(text) <= _MOST_ITERATIONS:
            return int(text), 0.0
    except ValueError:
        pass
    raise BotError(
        f"mcts:{text}: the budget is a number of iterations (mcts:200) or of seconds (mcts:2s)"
    )


class Node:
    """An action in the tree: how often it was taken and could have been, and what it brought the one who took it."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.children: dict[int, Node] = {}


class MctsBot:
    """Searches for a number of iterations, or for some time; then it is not reproducible."""

    def __init__(
        self,
        game: Any,
        iterations: int = 200,
        seconds: float = 0.0,
        evaluate: Evaluate | None = None,
        weights: Sequence[int] = (),
        horizon: int | None = None,
    ) -> None:
        self.iterations = iterations
        self.seconds = seconds
        self.reproducible = seconds == 0
        self.judge = Judge(game, evaluate)
        self.weights = list(weights)
        # everybody has a turn before the position is judged
        self.horizon = int(game.info["players"]) if horizon is None else horizon

    def choose(self, view: View, seed: int) -> int:
        actions = view.legal_actions()
        if len(actions) == 1:
            return actions[0]
        root = self.search(view, seed)
        # the most visited action; of equals the one that did better
        return max(actions, key=lambda a: _standing(root.children.get(a)))

    def search(self, view: View, seed: int) -> Node:
        """The root of a tree for this view."""
        return _Search(self, view, seed).run()


def _standing(node: Node | None) -> tuple[int, float]:
    return (0, 0.0) if node is None or not node.visits else (node.visits, node.total / node.visits)


class _Search:
    """One tree while it grows."""

    def __init__(self, bot: MctsBot, view: View, seed: int) -> None:
        self.bot = bot
        self.view = view
        self.playout = view.game.module.playout_until
        self.random = Random(seed)
        self.root = Node()
        self.deals: list[Any] = []
        # the range of the averages in the tree, to weigh them against what was not tried yet
        self.low, self.high = float("inf"), float("-inf")

    def run(self) -> Node:
        until = time.monotonic() + self.bot.seconds
        done = 0
        while done < self.bot.iterations or (self.bot.seconds and time.monotonic() < until):
            self.iterate(self.deal(done))
            done += 1
        return self.root

    def deal(self, number: int) -> Any:
        """A full state that the seat can't tell from the real one; deals are used again with other luck."""
        if len(self.deals) < _MOST_DEALS:
            self.deals.append(self.view.determinize(self.random.getrandbits(60)))
        state = self.deals[number % _MOST_DEALS % len(self.deals)].clone()
        state.rng = self.luck()
        return state

    def luck(self) -> int:
        return rng.from_seed(self.random.getrandbits(60))

    def iterate(self, state: Any) -> None:
        path: list[tuple[Node, int]] = []
        node = self.root
        while not state.is_terminal():
            actions = state.legal_actions()
            if len(actions) == 1:
                state.apply_action(actions[0])
                continue
            who = state.current_player()
            action = self.select(node, actions)
            node = node.children[action]
            path.append((node, who))
            state.apply_action(action)
            if not node.visits:
                break
        x = self.luck()
        for _ in range(self.bot.horizon):
            x = self.playout(state, x, _TURN, state.current_player(), self.bot.weights)
        self.learn(path, self.bot.judge.margins(state))

    def select(self, node: Node, actions: Sequence[int]) -> int:
        """The action to follow: a new one while the node is young for its width, else the most promising."""
        children = node.children
        tried = [a for a in actions if a in children]
        if len(tried) < len(actions) and len(tried) <= _WIDEN * sqrt(node.visits):
            fresh = [a for a in actions if a not in children] if tried else actions
            action = fresh[self.random.randrange(len(fresh))]
            children[action] = Node()
            return action
        span = self.high - self.low
        scale = 1.0 / span if span > 0 else 1.0
        best, found = float("-inf"), tried[0]
        for a in tried:
            child = children[a]
            child.available += 1
            if not child.visits:
                return a
            value = (child.total / child.visits - self.low) * scale
            value += _EXPLORE * sqrt(log(child.available + 1) / child.visits)
            if value > best:
                best, found = value, a
        return found

    def learn(self, path: list[tuple[Node, int]], margins: list[float]) -> None:
        self.root.visits += 1
        for node, who in path:
            node.visits += 1
            node.total += margins[who]
            mean = node.total / node.visits
            if mean < self.low:
                self.low = mean
            if mean > self.high:
                self.high = mean
