"""A full state → how good it looks for each seat, in points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.bots.search import margins

Evaluate = Callable[[Any, int], int]


class Judge:
    """Reads the game's own estimate, in the unit of the score; at the end of the game the score itself counts.

    A spec may write its estimate in any unit (say, four per point). What one point more changes in it tells the unit,
    so that finished and unfinished games can be compared.
    """

    def __init__(self, game: Any, evaluate: Evaluate | None = None, rivalry: float = 0.5) -> None:
        self.players = int(game.info["players"])
        self.evaluate: Evaluate = evaluate or game.module.heuristic
        self.rivalry = rivalry
        self.unit = self._unit(game)

    def _unit(self, game: Any) -> float:
        state = game.new_initial_state(0)
        before = self.evaluate(state, 0)
        state.score[0] += 1
        step = self.evaluate(state, 0) - before
        return float(step) if step > 0 else 1.0

    def points(self, state: Any) -> list[float]:
        """What each seat has or can expect."""
        if state.is_terminal():
            scores = state.scores()[: self.players]
            # winning is worth something beside the points
            bonus = 0.15 * max(10, *scores)
            return [s + bonus * r for s, r in zip(scores, state.returns(), strict=True)]
        evaluate, unit = self.evaluate, self.unit
        return [evaluate(state, p) / unit for p in range(self.players)]

    def margins(self, state: Any) -> list[float]:
        """What each seat has, less a share of what the others have: of the best of them and of all of them, half each."""
        return margins(self.points(state), self.rivalry)
