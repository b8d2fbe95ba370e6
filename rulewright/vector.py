"""A game → n games side by side: observations, masks and rewards in numpy arrays that are written in place."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from rulewright.runtime import rng
from rulewright.runtime.api import seed_number
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.given import shown, whole_number
from rulewright.seeds import derive

# a thread is worth its while for so many games; an engine knows no more of them than that
_SHARE, _MOST_THREADS = 128, 64
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
        many = whole_number(n)
        if many is None or many < 1:
            raise RulewrightError(f"the number of games is a whole number above 0, not {shown(n)}")
        self.game = game
        self.n = n = many
        self.seed = seed_number(seed)
        self.threads = _threads(n) if threads is None else whole_number(threads) or 0
        if not 1 <= self.threads <= _MOST_THREADS:
            raise RulewrightError(f"threads are from 1 to {_MOST_THREADS}, not {shown(threads)}")
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
        self.states: Any = [None] * n if self._batch is None else self._batch
        self._bases = np.zeros(n, np.uint64)
        self._given: Step = (
            self.observations, self.masks, self.rewards, self.done, self.seat
        )  # fmt: skip
        if self._batch is not None:
            self._batch.bind(
                self.observations, self.masks, self.rewards, self.scores, self.done, self.seat, self.rounds,
                self.lengths, self._bases,
            )  # fmt: skip
        self._rows = [memoryview(row) for row in self.observations]
        self._mask_rows = [memoryview(row) for row in self.masks]
        self.reset()

    def reset(self) -> Step:
        """All games from the beginning; the stream of games starts anew."""
        self.rewards.fill(0)
        self.scores.fill(0)
        self.done.fill(False)
        self.rounds.fill(0)
        self._bases[:] = _drawn(derive(self.seed, "vector") >> 64, self.n)
        for i in range(self.n):
            self._begin(i)
        self._write()
        return self._given

    def step(self, actions: Any) -> Step:
        """One decision in every game: observations, masks, rewards, done, seat. Nothing is done if an action is not legal."""
        chosen = self._numbers(actions)
        if self._batch is not None:
            self._fine(self._batch.advance(chosen, self.threads), chosen)
            return self._given
        self._check(chosen)
        self.rewards.fill(0)
        self.done.fill(False)
        self.lengths += 1
        for i, action in enumerate(chosen.tolist()):
            self.states[i].apply_action(action)
            if self.states[i].is_terminal():
                self._end(i, self.states[i])
        if self.lengths.max() >= self.game.most_decisions:
            raise self.game.endless(self.states[int(self.lengths.argmax())])
        self._write()
        return self._given

    def random_actions(self, dice: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action for each game, all alike; compiled or not, the same ones."""
        base = dice.bit_generator.random_raw()
        if self._batch is not None:
            found = np.empty(self.n, np.int64)
            self._fine(self._batch.draw(base, found, self.threads), found)
            return found
        legal = np.flatnonzero(self.masks)
        counts = np.count_nonzero(self.masks, axis=1)
        drawn = _drawn(int(base), self.n) & np.uint64(rng.LOW)
        # a game that is over has no options, and takes no action
        chosen = (drawn % np.maximum(counts, 1).astype(np.uint64)).astype(np.int64)
        return np.asarray(legal[counts.cumsum() - counts + chosen] % self.spec.actions, np.int64)

    def _fine(self, wrong: tuple[str, int] | None, chosen: npt.NDArray[np.int64]) -> None:
        """Raises what the engine found, if it is anything."""
        match wrong:
            case None:
                return
            case ("endless", i):
                raise self.game.endless(self.states[i])
            case ("no decision", _):
                raise self._without_decision()
            case (_, i):
                raise self._illegal(i, int(chosen[i]))

    def _numbers(self, actions: Any) -> npt.NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise IllegalAction(
                f"{self.n} games need {self.n} whole numbers, not an array of {given.dtype} with the shape {given.shape}"
            )
        return np.ascontiguousarray(given, np.int64)

    def _check(self, chosen: npt.NDArray[np.int64]) -> None:
        inside = (chosen >= 0) & (chosen < self.spec.actions)
        legal = inside & (self.masks[np.arange(self.n), np.where(inside, chosen, 0)] != 0)
        if not legal.all():
            i = int(np.argmin(legal))
            raise self._illegal(i, int(chosen[i]))

    def _illegal(self, i: int, action: int) -> IllegalAction:
        """The state's own words; it stays as it is."""
        try:
            self.states[i].clone().apply_action(action)
        except IllegalAction as error:
            return IllegalAction(f"game {i}: {error}")
        return IllegalAction(f"game {i}: the masks were changed by somebody else")

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
            self._fine(self._batch.show(self.threads), self.seat)
            return
        for i, state in enumerate(self.states):
            who = state.current_player()
            self.seat[i] = who
            self._observer.into(state, self._rows[i], who)
            self._observer.mask_into(state, self._mask_rows[i], who)


def _threads(n: int) -> int:
    return max(1, min(os.cpu_count() or 1, n // _SHARE, _MOST_THREADS))


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


def _drawn(base: int, n: int) -> npt.NDArray[np.uint64]:
    """The first n numbers that come from one."""
    return np.array([_mixed(base + _GOLDEN * (i + 1)) for i in range(n)], np.uint64)
