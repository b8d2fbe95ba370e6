"""A pending chance point → its outcome: from the operating system where people or strangers play, from a seed where somebody asked for one.

Games that people play take chance from outside (`new_initial_state(chance="explicit")`): the state holds no seed and no generator that
tells of what is to come, and every outcome is written into the record of the game. Nobody can work out what was never there.
"""

from __future__ import annotations

import secrets
from typing import Any, Protocol

from rulewright.runtime import api, rng
from rulewright.runtime.bits import nth, size
from rulewright.seeds import derive

# bits of the number that a bot gets for a decision
_BITS = 62


class Chance(Protocol):
    """Where outcomes of chance come from, and the seeds of bots."""

    def outcome(self, state: Any) -> int:
        """An outcome of the pending chance point, as an action to apply."""

    def bot_seed(self, seat: int, number: int) -> int:
        """The seed for a bot at a seat, for the decision with this number in the game."""


class SystemChance:
    """Chance from the operating system: it can't be foreseen, nor repeated."""

    def outcome(self, state: Any) -> int:
        return _outcome(state, secrets.randbelow(size(state.pool)))

    def bot_seed(self, seat: int, number: int) -> int:
        return secrets.randbits(_BITS)


class SeededChance:
    """Chance from a seed: the same outcomes as in a game that samples by itself from it.

    The seeds of bots come from another one, from which the game's can't be found.
    """

    def __init__(self, seed: int, bots: int | None = None) -> None:
        self._x = rng.from_seed(seed)
        self._bots = derive(seed, "bots") if bots is None else bots

    def outcome(self, state: Any) -> int:
        self._x, outcome = api.drawn(state, self._x)
        return outcome

    def bot_seed(self, seat: int, number: int) -> int:
        return decision_seed(self._bots, seat, number)


def decision_seed(bots: int, seat: int, number: int) -> int:
    """What a bot gets for a decision; neither the seed of the bots nor that of another decision can be found from it."""
    return derive(bots, "decision", seat, number) >> (128 - _BITS)


def _outcome(state: Any, at: int) -> int:
    """The outcome at a place among all that are equally likely: a kind counts as often as it has pieces."""
    kinds: int = state.kinds
    return int(nth(state.pool, at) % kinds)


def begin(game: Any) -> Any:
    """A new game in the full flavour whose chance comes from outside; it holds no seed."""
    return game.full.new_initial_state(0, chance="explicit")
