"""A view → an action, by information-set Monte Carlo tree search.

One tree for the searching seat. Each iteration deals what the seat cannot see anew, walks down the tree among the
options that are legal in that deal, adds one node, plays on for a few turns, and notes how far each seat is then ahead.
Luck on the way is sampled, so a node stands for the actions that lead to it and not for one position.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from rulewright.bots.base import BotError, Made
from rulewright.bots.judge import Evaluate, Judge
from rulewright.bots.search import Search, Tree
from rulewright.runtime.view import View

# how much what was seldom tried draws, when averages run from 0 to 1
_EXPLORE = 0.6
# options looked at in a node: this times the root of its visits
_WIDEN = 2.0
_MOST_ITERATIONS = 10_000_000
# so many iterations of the first ones share a deal, until there are this many deals
_PER_DEAL, _MOST_DEALS = 8, 64


def budget(text: str) -> tuple[int, float]:
    """`200` → 200 iterations; `2s`, `0.5s` → seconds; `0.5cpu` → seconds of the processor, by `clock_of`."""
    try:
        if text.endswith(("s", "cpu")):
            seconds = float(text.removesuffix("cpu").removesuffix("s"))
            if 0 < seconds <= 3600:
                return 0, seconds
        elif 1 <= int(text) <= _MOST_ITERATIONS:
            return int(text), 0.0
    except ValueError:
        pass
    raise BotError(
        f"mcts:{text}: the budget is a number of iterations (mcts:200), of seconds (mcts:2s) or of seconds of the processor (mcts:2cpu)"
    )


def clock_of(text: str) -> Callable[[], float]:
    """What a budget in seconds is measured by: the time of this thread on the processor is the same on a busy machine."""
    return time.thread_time if text.endswith("cpu") else time.monotonic


class MctsBot(Made):
    """Searches for a number of iterations, or for some time; then it is not reproducible."""

    def __init__(
        self,
        game: Any,
        iterations: int = 200,
        seconds: float = 0.0,
        evaluate: Evaluate | None = None,
        weights: Sequence[int] = (),
        horizon: int | None = None,
        explore: float = _EXPLORE,
        widen: float = _WIDEN,
        rivalry: float = 0.5,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self.iterations = iterations
        self.seconds = seconds
        self.reproducible = seconds == 0
        self.judge = Judge(game, evaluate, rivalry)
        # side by side, as engines in C want them
        self.weights = array("q", weights)
        # everybody has a turn before the position is judged
        self.horizon = int(game.info["players"]) if horizon is None else horizon
        self.explore = explore
        self.widen = widen

    def choose(self, view: View, seed: int) -> int:
        actions = view.legal_actions()
        if len(actions) == 1:
            return actions[0]
        first = self.search(view, seed).first()
        # the most visited action; of equals the one that did better
        return max(actions, key=lambda a: _standing(*first.get(a, (0, 0.0))))

    def search(self, view: View, seed: int) -> Tree:
        """A tree for this view."""
        random = Random(seed)
        judge, game = self.judge, view.game
        search = Search(
            random, game.module, judge.margins, (judge.seats, self.horizon, self.explore, self.widen),
            self.weights, game.most_decisions, game.endless,
        )  # fmt: skip
        deals: list[Any] = []
        until = self.clock() + self.seconds
        done = 0
        while done < self.iterations or (self.seconds and self.clock() < until):
            # a full state that the seat can't tell from the real one; deals are used again with other luck
            if done % _PER_DEAL == 0 and len(deals) < _MOST_DEALS:
                deals.append(view.determinize(random.getrandbits(60)))
            search.iterate(deals[done % len(deals)].clone())
            done += 1
        return search.tree


def _standing(visits: int, total: float) -> tuple[int, float]:
    return visits, total / visits if visits else 0.0
