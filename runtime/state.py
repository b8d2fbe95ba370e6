"""What a program may ask of a state, whatever engine it is of: the interface that generated state classes have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, cast

from rulewright.runtime.data import Json

if TYPE_CHECKING:

    from rulewright.runtime.recall import InformationState
    from rulewright.runtime.view import View


class State(Protocol):
    """A position of a game. Seats count from 0; -1 is chance, -4 the end."""

    def clone(self) -> Self:
        """An independent copy."""

    def current_player(self) -> int: ...

    def is_terminal(self) -> bool: ...

    def is_chance_node(self) -> bool: ...

    def legal_actions(self) -> tuple[int, ...]: ...

    def apply_action(self, action: int) -> None:
        """Carry out an action; one that is not legal raises IllegalAction and changes nothing."""

    def chance_outcomes(self) -> list[tuple[int, float]]: ...

    def returns(self) -> list[float]: ...

    def scores(self) -> list[int]: ...

    def ranking(self) -> list[int]: ...

    def score_breakdown(self) -> list[dict[str, int]]: ...

    def reseed(self, seed: int) -> None: ...

    def action_to_string(self, action: int, viewer: int | None = None) -> str: ...

    def action_to_dict(self, action: int) -> Json: ...

    def action_from_dict(self, data: Json) -> int: ...

    def why_not(self, choice: str, value: object) -> list[Json]: ...

    def pending(self, viewer: int | None = None) -> Json | None: ...

    def preview(self, action: int) -> Json: ...

    def to_dict(self) -> Json: ...

    def view(self, seat: int) -> View: ...

    def observe_into(self, buffer: object, seat: int) -> None:
        """What a seat sees, as numbers into a buffer of 32-bit floats, or a mapping of names to such buffers."""

    def action_mask_into(self, buffer: object, seat: int | None = None) -> None:
        """1 for each action that the seat (without one: whoever decides) can take now, into a buffer of bytes."""

    def information_state(self, seat: int) -> InformationState:
        """All that a seat has seen and done; only of states that were begun with `remember=True`."""


class EngineState(State, Protocol):
    """What the runtime sees of a state beside that: where the game stands. Fields of the rules go by the info of the engine."""

    pc: int
    who: int
    opts: int
    rng: int
    value: int
    values: list[int]
    score: list[int]
    breakdown_: list[int]


class FullState(EngineState, Protocol):
    """A state of the full flavour: chance that is pending, the story, counters."""

    explicit: bool
    checked: bool
    asks_all: bool
    pool: int
    kinds: int
    digit: int
    barriers: int
    failed: int
    story: list[tuple[int, str]]
    hits: list[int]


def full_flavour(state: State) -> FullState:
    """A state that is known to be of the full flavour: `info["full"]` of its game says so."""
    return cast(FullState, state)


def of_engine(state: State) -> EngineState:
    """A state that came in through the public interface: there are none but those of engines."""
    return cast(EngineState, state)
