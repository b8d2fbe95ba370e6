"""A state → the same state with its history beside it, and what a seat can know from all that it has seen and done.

The history is not in the state: two states that went different ways are equal. It is kept for the full flavour, which tells what
happened between two stops. What a seat remembers is worked out when it is asked for, and shared by copies.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rulewright.runtime.api import story
from rulewright.runtime.given import seat_number
from rulewright.runtime.state import FullState, full_flavour

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

# what a view says of the game and not of the position
_ALWAYS_SO = ("game", "players", "variants", "seat", "scores")


# what was done since a stop: who, and the action told
_Acts: TypeAlias = tuple[tuple[int, str], ...]
# a moment on its own, without the ones before: its state, acts, texts and keys
_Alone: TypeAlias = tuple[FullState, _Acts, dict[int, str], dict[int, str]]


class InformationState(NamedTuple):
    """All that a seat has seen and done, as text, and a key that is the same for the same text in every process."""

    text: str
    key: str


class _Moment:
    """A stop at a decision or the end: the state then, and what was done since the moment before."""

    __slots__ = ("acts", "before", "keys", "state", "texts")

    def __init__(self, before: _Moment | None, state: FullState, acts: _Acts) -> None:
        self.before = before
        self.state = state
        self.acts = acts
        # a moment never changes; what is worked out from it is kept
        # by seat: what it learned here, and the key of all up to here
        self.texts: dict[int, str] = {}
        self.keys: dict[int, str] = {}


class Remembering:
    """A state of the full flavour that remembers how it came about; whatever else it is asked, the state answers."""

    __slots__ = ("_acts", "_game", "_last", "_state")

    def __init__(self, game: Game, state: FullState) -> None:
        self._game = game
        self._state = state
        self._acts: _Acts = ()
        self._last: _Moment | None = None
        self._note()

    @property
    def state(self) -> FullState:
        """The state itself, without its history."""
        return self._state

    def apply_action(self, action: int) -> None:
        state = self._state
        who = state.current_player()
        told = json.dumps(state.action_to_dict(action), ensure_ascii=False) if who >= 0 else ""
        state.apply_action(action)
        if who >= 0:
            self._acts = (*self._acts, (who, told))
        self._note()

    def clone(self) -> Remembering:
        other: Remembering = object.__new__(Remembering)
        other._game, other._acts, other._last = self._game, self._acts, self._last
        other._state = self._state.clone()
        return other

    def information_state(self, seat: int) -> InformationState:
        """What a seat with a perfect memory knows: its own choices, what it was told, what it saw change at each stop."""
        seat = seat_number(seat, self._game.info["players"])
        moments = []
        moment = self._last
        while moment is not None:
            moments.append(moment)
            moment = moment.before
        key = f"{self._game.info['hash']}:{seat}"
        texts = []
        for moment in reversed(moments):
            if seat not in moment.keys:
                moment.texts[seat] = _learned(moment, seat)
                moment.keys[seat] = _hash(key, moment.texts[seat])
            key = moment.keys[seat]
            texts.append(moment.texts[seat])
        # at chance that is given from outside: what was done and told since the last stop
        rest = _heard(self._last, self._state, self._acts, seat)
        if rest:
            texts.append("\n".join(rest))
            key = _hash(key, texts[-1])
        return InformationState("\n".join(filter(None, texts)), key)

    def dealt_again(self, seat: int, seed: int) -> Remembering:
        """Another state that looks the same to a seat, which remembers the same; what others remember begins here."""
        now = self.information_state(seat)
        other = self.clone()
        other._state = full_flavour(self._state.view(seat).determinize(seed))
        moment = _Moment(None, other._state.clone(), ())
        moment.texts[seat], moment.keys[seat] = now
        other._last, other._acts = moment, ()
        return other

    def __deepcopy__(self, memo: object) -> Remembering:
        return self.clone()

    def __reduce__(
        self,
    ) -> tuple[Callable[..., Remembering], tuple[Game, FullState, _Acts, list[_Alone]]]:
        """Moments as a list: a chain as long as a game is too deep to be pickled link by link."""
        moments: list[_Alone] = []
        moment = self._last
        while moment is not None:
            moments.append((moment.state, moment.acts, moment.texts, moment.keys))
            moment = moment.before
        return _remembering, (self._game, self._state, self._acts, moments[::-1])

    def _note(self) -> None:
        if not self._state.is_chance_node():
            self._last = _Moment(self._last, self._state.clone(), self._acts)
            self._acts = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in Remembering.__slots__:
            raise AttributeError(name)
        return getattr(self._state, name)

    def __eq__(self, other: object) -> bool:
        return bool(self._state == (other._state if isinstance(other, Remembering) else other))

    def __hash__(self) -> int:
        return hash(self._state)


def _learned(moment: _Moment, seat: int) -> str:
    """What a seat learned at a stop: what it did, what it was told, and what it sees that it did not see before."""
    before = {} if moment.before is None else _seen(moment.before.state, seat)
    now = _seen(moment.state, seat)
    lines = _heard(moment.before, moment.state, moment.acts, seat)
    lines += [f"{path} = {value}" for path, value in now.items() if before.get(path) != value]
    lines += [f"{path} is gone" for path in before if path not in now]
    return "\n".join(lines)


def _heard(before: _Moment | None, state: FullState, acts: _Acts, seat: int) -> list[str]:
    since = 0 if before is None else len(before.state.story)
    return [f"> {text}" for who, text in acts if who == seat] + story(state, seat, since)


def _seen(state: FullState, seat: int) -> dict[str, str]:
    """The view of a seat, laid flat."""
    data = state.view(seat).data
    out: dict[str, str] = {}
    _flat("", {key: data[key] for key in data if key not in _ALWAYS_SO}, out)
    return out


def _flat(path: str, value: object, out: dict[str, str]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _flat(f"{path}.{key}" if path else str(key), inner, out)
    else:
        out[path] = json.dumps(value, ensure_ascii=False)


def _hash(key: str, text: str) -> str:
    return blake2b(f"{key}\n{text}".encode(), digest_size=16).hexdigest()


def _remembering(game: Game, state: FullState, acts: _Acts, moments: list[_Alone]) -> Remembering:
    """What `Remembering.__reduce__` took apart."""
    other: Remembering = object.__new__(Remembering)
    other._game, other._state, other._acts, other._last = game, state, acts, None
    for then, done, texts, keys in moments:
        other._last = _Moment(other._last, then, done)
        other._last.texts, other._last.keys = texts, keys
    return other
