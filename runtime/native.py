"""A module in C as it was built → one that does what a generated Python module does: errors in words, and the rarer methods.

What is called often is in C (`runtime/c`). The rest of a state's methods are those of `api.py`, added to its type here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.runtime import api, errors
from rulewright.runtime.engine_module import NativeModule
from rulewright.runtime.state import EngineState

# numbers of failures, as in c/rw_base.h; after each what the error is made with: the first of its numbers is the place
_WITH_PLACE: dict[int, tuple[Callable[..., Exception], int]] = {
    1: (errors.no_option, 1),
    2: (errors.too_many_steps, 1),
    3: (errors.out_of_range, 4),
    4: (errors.empty_zone, 3),
    5: (errors.nothing_to_roll, 1),
    6: (errors.list_too_long, 3),
    7: (errors.no_extreme, 1),
    8: (errors.lost, 1),
    17: (errors.not_in_list, 1),
}
_NO_ENTRY, _STORE, _ENDLESS = 10, 14, 16
# what Python itself raises there
_PLAIN: dict[int, type[Exception]] = {
    9: IndexError, 10: IndexError, 11: ZeroDivisionError, 12: OverflowError, 13: ValueError,
}  # fmt: skip


def failed(
    module: NativeModule, state: EngineState, code: int, file: str | None, line: int, *numbers: int
) -> Exception:
    """The error that the generated Python would raise, with the place of the rule where the engine knows no number for it."""
    at = [file, line] if file is not None else None
    if code == _ENDLESS:
        return api.endless(module.GAME, state)
    if code == _STORE:
        value, low, high, _ = numbers
        return errors.EngineError("RW1003", -1, f"{value} is outside {low}..{high}", at)
    if code in _WITH_PLACE:
        make, count = _WITH_PLACE[code]
        error = make(*numbers[:count])
        if isinstance(error, errors.EngineError) and error.place == -1 and at is not None:
            error = errors.EngineError(error.code, -1, error.message, at)
        return error
    plain = _PLAIN.get(code, ValueError)
    error = plain(f"there is no entry number {numbers[0]}" if code == _NO_ENTRY else "")
    # game.py tells the place of such an error from here, as it does from the lines of a Python engine
    vars(error)["rule"] = at
    return error


def located(
    module: NativeModule, state: EngineState, code: int, file: str | None, line: int, *numbers: int
) -> Exception:
    """The same, told with its place."""
    error = failed(module, state, code, file, line, *numbers)
    told: Exception = module.GAME.located(error)
    if told is not error:
        told.__cause__ = error
    return told


def illegal(module: NativeModule, state: EngineState, action: int) -> Exception:
    return api.illegal(module.GAME, state, action)


# methods of a state that are asked of the game
_ASKED = (
    "returns", "scores", "ranking", "score_breakdown", "chance_outcomes", "action_to_string", "action_to_dict", "action_from_dict",
    "to_dict", "pending", "view", "preview", "why_not", "observe_into", "action_mask_into", "information_state",
)  # fmt: skip


def _asked(
    module: NativeModule, name: str, function: Callable[..., object]
) -> Callable[..., object]:
    def method(self: EngineState, *args: object, **named: object) -> object:
        return function(module.GAME, self, *args, **named)

    method.__name__ = name
    method.__doc__ = function.__doc__
    return method


def finished(module: NativeModule, fits: str | None) -> NativeModule:
    """The module with all that a generated one has."""
    module.finish(failed, located, illegal, api.action_number)
    # a type made in C, which gets the methods that are Python
    state: Any = module.State

    for name in _ASKED:
        setattr(state, name, _asked(module, name, getattr(api, name)))
    state.reseed = lambda self, seed: api.reseed(self, seed)
    state.__eq__ = lambda self, other: api.equal(module.GAME, self, other)
    state.__hash__ = lambda self: api.hash_of(module.GAME, self)
    state.__reduce__ = _asked(module, "__reduce__", api.reduced)
    state._repr_html_ = _asked(module, "_repr_html_", api.shown_as_html)
    # equality and hash are looked up in the class itself
    asking: Any = module.AskingState
    asking.__eq__, asking.__hash__ = state.__eq__, state.__hash__
    state.__slots__ = module.FIELDS
    if fits is not None:
        setattr(module, fits, module.fits)
    return module
