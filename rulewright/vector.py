"""A game → n games side by side: observations, masks and rewards in numpy arrays that are written in place."""

from __future__ import annotations

import os
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
    ended), `done` (n), `seat` (n). Game i in its k-th round depends on the seed, i and k alone, whatever the number of threads;
    a compiled engine uses as many as there are cores, the interpreted one none.
    """

    def __init__(self, game: Any, n: int, seed: int = 0, threads: int | None = None) -> None:
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
        self.rounds = np.zeros(n, np.int64)
        self.lengths = np.zeros(n, np.int64)
        # a compiled engine holds the states itself, and steps them without Python's lock
        self._batch = game.module.Batch(n) if hasattr(game.module, "Batch") else None
        self.threads = min(os.cpu_count() or 1, 64) if threads is None else threads
        self.states: Any = [None] * n if self._batch is None else self._batch
        self._who = np.zeros(n, np.int8)
        self._courses = np.zeros((n, 3 + 2 * players), np.int64)
        self._drawn = np.zeros((n, 2), np.int64)
        self._rows = [memoryview(row) for row in self.observations]
        self._mask_rows = [memoryview(row) for row in self.masks]
        self.reset()

    def reset(self) -> Step:
        """All games from the beginning; the stream of games starts anew."""
        self.rewards.fill(0)
        self.scores.fill(0)
        self.done.fill(False)
        self.rounds.fill(0)
        base = derive(self.seed, "vector") >> 64
        self._courses[:] = 0
        self._courses[:, 0] = [_signed(_mixed(base + _GOLDEN * (i + 1))) for i in range(self.n)]
        for i in range(self.n):
            self._begin(i)
        self._write()
        return self._given()

    def step(self, actions: Any) -> Step:
        """One decision in every game: observations, masks, rewards, done, seat. Nothing is done if an action is not legal."""
        chosen = self._checked(actions)
        self.rewards.fill(0)
        self.done.fill(False)
        self.lengths += 1
        if self._batch is not None:
            self._batch.step(chosen, self.threads)
            self._turn(self._batch)
        else:
            for i, action in enumerate(chosen.tolist()):
                self.states[i].apply_action(action)
                if self.states[i].is_terminal():
                    self._end(i, self.states[i])
        if self.lengths.max() >= self.game.most_decisions:
            raise self.game.endless(self.states[int(self.lengths.argmax())])
        self._write()
        return self._given()

    def random_actions(self, dice: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action for each game, all alike."""
        if self._batch is not None:
            self._drawn[:, 0] = dice.integers(1, 1 << 62, self.n)
            self._batch.choose(self._drawn, self.threads)
            return self._drawn[:, 1].copy()
        legal = np.flatnonzero(self.masks)
        counts = np.count_nonzero(self.masks, axis=1)
        chosen = counts.cumsum() - counts + (dice.random(self.n) * counts).astype(np.int64)
        found: npt.NDArray[np.int64] = legal[chosen] % self.spec.actions
        return found

    def _turn(self, batch: Any) -> None:
        """Games that are over begin again inside the engine; what they gave is read off."""
        batch.turn(self._courses, self.threads)
        players = self.game.num_players()
        self.done[:] = self._courses[:, 2] != 0
        if self.done.any():
            over = self._courses[self.done]
            self.rewards[self.done] = over[:, 3 : 3 + players].copy().view(np.float64)
            self.scores[self.done] = over[:, 3 + players :]
            self.lengths[self.done] = 0
            self.rounds[self.done] += 1

    def _checked(self, actions: Any) -> npt.NDArray[np.int64]:
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
        return np.ascontiguousarray(given, np.int64)

    def _end(self, i: int, state: Any) -> None:
        self.done[i] = True
        self.rewards[i] = state.returns()
        self.scores[i] = state.scores()[: self.game.num_players()]
        self.rounds[i] += 1
        self._begin(i)

    def _begin(self, i: int) -> None:
        state = self.game.new_initial_state(seed_of(self.seed, i, int(self.rounds[i])))
        if state.is_terminal():
            raise self._without_decision()
        self.states[i] = state
        self.lengths[i] = 0

    def _without_decision(self) -> RulewrightError:
        return RulewrightError(
            f"{self.game.name} ends without a decision: there is nothing to step"
        )

    def _write(self) -> None:
        """What whoever decides sees and may do, in all games."""
        if self._batch is not None:
            self._batch.players(self._who, self.threads)
            if (self._who < 0).any():
                raise self._without_decision()
            self._batch.observe(self.observations, self.threads)
            self._batch.masks(self.masks, self.threads)
            self.seat[:] = self._who
            return
        for i, state in enumerate(self.states):
            who = state.current_player()
            self.seat[i] = who
            self._observer.into(state, self._rows[i], who)
            self._observer.mask_into(state, self._mask_rows[i], who)

    def _given(self) -> Step:
        return self.observations, self.masks, self.rewards, self.done, self.seat


_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


def seed_of(seed: int, game: int, number: int) -> int:
    """The seed of a game in its round: from one number, one way, by what a compiled engine can do too."""
    base = derive(seed, "vector") >> 64
    return _mixed(_mixed(base + _GOLDEN * (game + 1)) + _GOLDEN * (number + 1)) >> 1


def _mixed(x: int) -> int:
    x &= _WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _WORD
    return x ^ x >> 31


def _signed(x: int) -> int:
    return x - (1 << 64) if x >> 63 else x
