"""A position → the seats that may choose at the same time as the one that is asked, and what they may choose.

Engines ask one seat after the other. When what an earlier seat chooses makes no difference to what a later one sees and may choose,
and no chance lies between, the later one need not wait: it chooses ahead, and its choice counts when its turn comes.
"""

from __future__ import annotations

from typing import Any

from rulewright.runtime.game import Game
from rulewright.runtime.view import Memo, data_of
from rulewright.web.sight import pending

# decisions of others that are looked through, at most
_MOST_BETWEEN = 24


def position_for(game: Game, state: Any, seat: int, taken: list[int]) -> Any | None:
    """The position in which a seat is to choose ahead, after what it has `taken` ahead already; None when it must wait.

    It is not the true position, but to the seat it looks like that: the choices of others in it are made up.
    """
    if state.is_terminal() or state.is_chance_node() or state.current_player() == seat:
        return None
    reached = _reached(game, state, seat)
    for action in taken:
        if reached is None or action not in reached.legal_actions():
            return None
        reached = reached.clone()
        before = reached.barriers
        reached.apply_action(action)
        if reached.current_player() != seat or reached.barriers != before:
            return None
        if not pending(game, reached)["secret"]:
            return None
    return reached


def _reached(game: Game, state: Any, seat: int) -> Any | None:
    """Where the seat is asked, if it sees and may choose the same whatever those before it choose."""
    # what has been told before is the same for all that is tried, and long
    one = state.clone()
    one.story, memo = [], Memo()
    for _ in range(_MOST_BETWEEN):
        if one.is_terminal() or one.is_chance_node() or not pending(game, one)["secret"]:
            return None
        if one.current_player() == seat:
            return one
        after = []
        for action in one.legal_actions():
            tried = one.clone()
            tried.apply_action(action)
            if tried.barriers != state.barriers or tried.is_terminal():
                return None
            after.append(tried)
        first = _seen(after[0], seat, memo)
        if any(_seen(tried, seat, memo) != first for tried in after[1:]):
            return None
        one = after[0]
    return None


def _seen(state: Any, seat: int, memo: Memo) -> tuple[int, dict[str, Any]]:
    """Who is asked, and what a seat sees; what is as in the position before it is made once."""
    memo.new_position()
    return state.current_player(), data_of(state.view(seat), memo)
