"""States and games ↔ what goes to another process and is the same there.

A game goes by where it came from and by the hash of its rules: it is loaded again over there, once. A state goes as its fields, which
are plain numbers and lists.
"""

from __future__ import annotations

import uuid
import weakref
from pickle import PicklingError
from typing import TYPE_CHECKING

from rulewright.runtime.asking import ask_forced, asks_forced
from rulewright.runtime.data import Json, Value
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.state import EngineState, FullState

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

# the games of this process by a mark that no other game has, forked processes included
_alive: weakref.WeakValueDictionary[str, Game] = weakref.WeakValueDictionary()
# those that were loaded here because something of theirs came in
_loaded: dict[tuple[str, str, str], Game] = {}


def mark(game: Game) -> str:
    """The mark of a game of this process."""
    found = uuid.uuid4().hex
    _alive[found] = game
    return found


def reduce_game(game: Game) -> tuple[object, ...]:
    """For pickle and copy."""
    flavour = "full" if game.info["full"] else "fast"
    if game.source is None and flavour == "full" and game.fast is not game:
        return (_full_of, (game.fast,))
    return (_revived, (game.mark, game.source, game.info["hash"], flavour))


def _full_of(game: Game) -> Game:
    return game.full


def _revived(its_mark: str, source: tuple[object, ...] | None, ruleset: str, flavour: str) -> Game:
    found = _alive.get(its_mark)
    if found is None:
        if source is None:
            raise PicklingError(
                "this game was made from text in another process; make it with rulewright.load or rulewright.compile"
            )
        found = _alike(source, ruleset, flavour) or _loaded_again(source, ruleset, flavour)
        _alive[its_mark] = found
    # what goes back from here belongs to the game that it came from
    found.mark = its_mark
    return found


def _alike(source: tuple[object, ...], ruleset: str, flavour: str) -> Game | None:
    """A game of this process that is the same, if there is one."""
    full = flavour == "full"
    for game in list(_alive.values()):
        if game.source == source and game.info["hash"] == ruleset and game.info["full"] == full:
            return game
    return None


def _loaded_again(source: tuple[object, ...], ruleset: str, flavour: str) -> Game:
    key = (repr(source), ruleset, flavour)
    if key not in _loaded:
        # games are found by the package, not by the runtime
        from rulewright.engines import from_source

        game = from_source(source)
        game = game.full if flavour == "full" else game
        if game.info["hash"] != ruleset:
            raise RulewrightError(
                f"{game.name}: the rules here ({game.info['hash']}) are not those that it was made with ({ruleset})"
            )
        _loaded[key] = game
    return _loaded[key]


def reduce_state(game: Game, state: EngineState) -> tuple[object, ...]:
    """For pickle and copy."""
    from rulewright.runtime.api import fields_of

    fields = {name: _plain(getattr(state, name)) for name in fields_of(state)}
    return (revived_state, (game, asks_forced(game, state), fields))


def full_fields(state: FullState) -> Json:
    """The fields of a state in its full flavour, for another process that has the same game. It is never compiled, so they are plain."""
    from rulewright.runtime.api import fields_of

    return {name: getattr(state, name) for name in fields_of(state)}


def _plain(value: Value) -> Value:
    """Numbers, texts and lists of them; arrays of compiled engines become lists."""
    if isinstance(value, int | str):
        return value
    if isinstance(value, tuple):
        return tuple(value)
    return [_plain(x) for x in value]


def revived_state(game: Game, asking: bool, fields: Json) -> EngineState:
    state = game.module.new_state(0)
    for name, value in fields.items():
        now = getattr(state, name)
        if isinstance(value, list) and not isinstance(now, list):
            for i, x in enumerate(value):
                now[i] = x
        else:
            setattr(state, name, value)
    return ask_forced(game, state) if asking and not game.info["full"] else state
