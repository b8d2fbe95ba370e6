"""A game → n games side by side: observations, masks and rewards in numpy arrays that are written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.given import shown
from rulewright.seeds import derive

Floats = npt.NDArray[np.float32]
Step = tuple[Floats, npt.NDArray[np.int8], Floats, npt.NDArray[np.bool_], npt.NDArray[np.int64]]


class Vector:
    """n games of one ruleset; each begins again by itself when it has ended.

    The arrays stay the same and are written in place: `observations` (n × numbers) as the seat that decides sees them, `masks`
    (n × actions), `rewards` (n × seats; what `returns()` gives when a game ends, else 0), `scores` (n × seats; of games that have just
    ended), `done` (n), `seat` (n). Game i in its k-th round depends on the seed, i and k alone.
    """

    def __init__(self, game: Any, n: int, seed: int = 0) -> None:
        if type(n) is not int or n < 1:
            raise RulewrightError(f"the number of games is a whole number above 0, not {shown(n)}")
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise RulewrightError(f"a seed is a whole number, not {shown(seed)}")
        self.game = game
        self.n = n
        self.seed = seed
        self.spec = game.observation_spec()
        self._observer = game.observer
        players = game.num_players()
        self.observations: Floats = np.zeros((n, self.spec.size), np.float32)
        self.masks = np.zeros((n, self.spec.actions), np.int8)
        self.rewards: Floats = np.zeros((n, players), np.float32)
        self.scores: Floats = np.zeros((n, players), np.float32)
        self.done = np.zeros(n, np.bool_)
        self.seat = np.zeros(n, np.int64)
        self.rounds = [0] * n
        self.lengths = [0] * n
        self.states: list[Any] = [None] * n
        self._rows = [memoryview(row) for row in self.observations]
        self._mask_rows = [memoryview(row) for row in self.masks]
        self.reset()

    def reset(self) -> Step:
        """All games from the beginning; the stream of games starts anew."""
        self.rewards.fill(0)
        self.scores.fill(0)
        self.done.fill(False)
        for i in range(self.n):
            self.rounds[i] = 0
            self._begin(i)
            self._write(i)
        return self._given()

    def step(self, actions: Any) -> Step:
        """One decision in every game: observations, masks, rewards, done, seat. Nothing is done if an action is not legal."""
        chosen = self._checked(actions)
        self.rewards.fill(0)
        self.done.fill(False)
        for i, action in enumerate(chosen):
            state = self.states[i]
            state.apply_action(action)
            self.lengths[i] += 1
            if state.is_terminal():
                self._end(i, state)
            elif self.lengths[i] >= self.game.most_decisions:
                raise self.game.endless(state)
            self._write(i)
        return self._given()

    def random_actions(self, dice: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action for each game, all alike."""
        weights = dice.random(self.masks.shape, np.float32) * self.masks
        found: npt.NDArray[np.int64] = weights.argmax(axis=1)
        return found

    def _checked(self, actions: Any) -> list[int]:
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise IllegalAction(
                f"{self.n} games need {self.n} whole numbers, not an array of {given.dtype} with the shape {given.shape}"
            )
        inside = (given >= 0) & (given < self.spec.actions)
        legal = inside & (self.masks[np.arange(self.n), np.where(inside, given, 0)] != 0)
        if not legal.all():
            i = int(np.argmin(legal))
            # its own words; the state stays as it is
            try:
                self.states[i].clone().apply_action(int(given[i]))
            except IllegalAction as error:
                raise IllegalAction(f"game {i}: {error}") from None
            raise IllegalAction(f"game {i}: the masks were changed by somebody else")
        found: list[int] = given.tolist()
        return found

    def _end(self, i: int, state: Any) -> None:
        self.done[i] = True
        self.rewards[i] = state.returns()
        self.scores[i] = state.scores()[: self.game.num_players()]
        self.rounds[i] += 1
        self._begin(i)

    def _begin(self, i: int) -> None:
        self.states[i] = self.game.new_initial_state(derive(self.seed, "vector", i, self.rounds[i]))
        self.lengths[i] = 0
        if self.states[i].is_terminal():
            raise RulewrightError(
                f"{self.game.name} ends without a decision: there is nothing to step"
            )

    def _write(self, i: int) -> None:
        state = self.states[i]
        who = state.current_player()
        self.seat[i] = who
        self._observer.into(state, self._rows[i], who)
        self._observer.mask_into(state, self._mask_rows[i], who)

    def _given(self) -> Step:
        return self.observations, self.masks, self.rewards, self.done, self.seat
