"""A fast engine's states → the same states, which stop at forced decisions too.

They are of a class of their own, so that the states that everybody else plays with carry no switch and ask for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.runtime.api import illegal
from rulewright.runtime.errors import IN_PLAY
from rulewright.runtime.state import EngineState, full_flavour

if TYPE_CHECKING:
    from rulewright.runtime.game import Game


def asking_class(game: Game) -> type[EngineState]:
    """The class of such states for one game; a native engine has its own."""
    module = game.module
    if module.COMPILED:
        return module.AskingState
    plain = module.State

    def apply_action(self: EngineState, action: int) -> None:
        offset, size = module.OFFSET[self.pc], self.opts.bit_length()
        if not offset <= action < offset + size or not self.opts >> (action - offset) & 1:
            raise illegal(game, self, action)
        try:
            module.run_asking(self, action - offset)
        except IN_PLAY as error:
            raise game.located(error) from error

    def clone(self: EngineState) -> EngineState:
        copy = plain.clone(self)
        copy.__class__ = made
        return copy

    # equality and hash are looked up in the class itself
    own = {
        "__slots__": (), "apply_action": apply_action, "clone": clone,
        "__eq__": plain.__eq__, "__hash__": plain.__hash__,
    }  # fmt: skip
    made: type[EngineState] = type("AskingState", (plain,), own)
    return made


def asks_forced(game: Game, state: EngineState) -> bool:
    """Whether a state stops at forced decisions."""
    if game.info["full"]:
        return full_flavour(state).asks_all
    return game.asking is not None and type(state) is game.asking


def ask_forced(game: Game, state: EngineState) -> EngineState:
    """A state that has just been made, as one that stops at forced decisions."""
    if game.info["full"]:
        full_flavour(state).asks_all = True
    else:
        asking = game.asking
        assert asking is not None
        state.__class__ = asking
    return state
