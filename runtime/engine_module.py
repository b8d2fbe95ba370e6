"""What the runtime sees of an engine: the module that the compiler printed, in Python or in C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rulewright.runtime.data import Value
from rulewright.runtime.state import EngineState

if TYPE_CHECKING:
    from rulewright.runtime.game import Game


class EngineModule(Protocol):
    """A module with the state's class and the functions that run the rules.

    Those from `refresh` on only some flavours have. What looks at hidden things together goes by its name in the info (`fits`).
    """

    GAME: Game
    OFFSET: Sequence[int]
    COMPILED: bool
    State: type[EngineState]
    # of native engines
    AskingState: type[EngineState]
    __file__: str | None

    def new_state(self, seed: int) -> EngineState: ...

    def begin(self, s: EngineState) -> None: ...

    def begin_asking(self, s: EngineState) -> None: ...

    def run(self, s: EngineState, v: int) -> None: ...

    def run_asking(self, s: EngineState, v: int) -> None: ...

    def rank_keys(self, s: EngineState) -> list[tuple[int, ...]]: ...

    def playouts_from(self, s: EngineState, seeds: list[int]) -> list[EngineState]: ...

    def playouts(self, count: int, seed: int) -> int: ...

    def playout_until(
        self, s: EngineState, x: int, n: int, who: int, weights: Sequence[int]
    ) -> int: ...

    def playout_turns(
        self, s: EngineState, x: int, n: int, turns: int, weights: Sequence[int]
    ) -> int: ...

    def heuristic(self, s: EngineState, seat: int) -> int: ...

    def refresh(self, s: EngineState) -> None: ...

    def again(self, s: EngineState) -> None: ...

    def broken(self, s: EngineState) -> int: ...

    def say(self, s: EngineState, value: int, own: bool) -> str: ...

    def why(self, s: EngineState, index: int) -> list[int]: ...

    def sides(self, s: EngineState, index: int, number: int) -> list[int]: ...

    def reopen(self, s: EngineState) -> int: ...

    def follow(self, s: EngineState, pc: int) -> None: ...

    def call(self, s: EngineState, name: str, args: list[Value]) -> int: ...

    def fact(self, s: EngineState, name: str) -> bool: ...


class NativeModule(EngineModule, Protocol):
    """The module of a native engine as it was built, before the rest of it is added."""

    __name__: str
    FIELDS: tuple[str, ...]
    # a hash of how states are laid out
    LAYOUT: object

    def finish(self, *functions: object) -> None: ...

    def fits(self, s: EngineState) -> bool: ...
