"""What can go wrong while a game is played: errors that know their place in the spec."""

from __future__ import annotations


class RulewrightError(Exception):
    """The base of all errors that users of the library meet."""


class IllegalAction(RulewrightError, ValueError):
    """The action is not legal now; the message says why. The state is as it was."""


class SaveError(RulewrightError):
    """A saved state can't be used: it is damaged, of another ruleset, or none that play can reach. The message says where."""


class EngineError(RulewrightError):
    """A rule could not be carried out: a mistake in the spec that only shows in play.

    `code` is the diagnostic's code, `place` the number of the place in the spec (see the engine's places; below -1
    it is -1 less the number of a decision or loop), `at` the place itself once it is known: file, line, column.
    """

    def __init__(self, code: str, place: int, message: str, at: list[object] | None = None) -> None:
        where = f"{at[0]}:{at[1]}: " if at else ""
        super().__init__(f"{where}{code}: {message}")
        self.code = code
        self.place = place
        self.message = message
        self.at = at
        # of an empty zone: the piece that it should hold, and whose zone it is; -1 where there is none
        self.piece = self.owner = -1


# what a mistake in a spec can raise in its engine
IN_PLAY = (EngineError, IndexError, ArithmeticError, ValueError)


class Over(Exception):
    """There is no decision any more; only whoever plays to the end is told so in this way."""


def too_many_decisions(most: int, procedure: str | None, at: list[object] | None) -> EngineError:
    where = "it" if procedure is None else f"the innermost loop, in {procedure},"
    message = f"{most:,} decisions and no end: {where} goes on and on (most_decisions: in the game file allows more)"
    return EngineError("RW1011", -1, message, at)


def no_option(place: int) -> EngineError:
    return EngineError("RW1001", place, "someone must choose, but there is nothing to choose from")


def too_many_steps(place: int) -> EngineError:
    return EngineError("RW1002", place, "no decision after very many steps: a loop does not end")


def out_of_range(place: int, value: int, low: int, high: int) -> EngineError:
    return EngineError("RW1003", place, f"{value} is outside {low}..{high}")


def empty_zone(place: int, piece: int = -1, owner: int = -1) -> EngineError:
    error = EngineError("RW1004", place, "the zone does not hold such a piece")
    error.piece, error.owner = piece, owner
    return error


def nothing_to_roll(place: int) -> EngineError:
    return EngineError("RW1010", place, "chance has nothing to choose from")


def list_too_long(place: int, length: int, limit: int) -> EngineError:
    return EngineError("RW1008", place, f"{length} entries, but there is room for {limit}")


def not_in_list(place: int) -> EngineError:
    return EngineError("RW1012", place, "what is to be removed is not in the list")


def no_extreme(place: int) -> EngineError:
    return EngineError("RW1009", place, "there is no first, smallest or greatest of nothing")


def lost(pc: int) -> EngineError:
    return EngineError("RW1002", -1, f"the state's position {pc} is not one of this ruleset's")
