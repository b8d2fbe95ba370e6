"""Backgammon beside OpenSpiel's: the same positions after every turn, the same end, gammons and backgammons."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from beside import example

pytestmark = pytest.mark.peers
GAMES = int(os.environ.get("PEER_GAMES", "50"))
BAR, OFF = 24, 25
# how many men each has on each point, on the bar and borne off, as the peer counts points
Position = tuple[tuple[int, ...], tuple[int, ...]]


def place(at: int, seat: int) -> str:
    """What we call a point of the peer."""
    if at == BAR:
        return "r2c7" if seat == 0 else "r1c7"
    if at == OFF:
        return "r1c14" if seat == 0 else "r2c14"
    steps = at % 12 + 1
    column = steps + steps // 7 if at >= 12 else 14 - steps - steps // 7
    return f"r{1 if at >= 12 else 2}c{column}"


def ours_now(state: Any) -> Position:
    men = state.to_dict()["state"]["men"]
    one, two = (tuple(men[str(seat)][place(at, seat)] for at in range(26)) for seat in range(2))
    return one, two


def theirs_now(state: Any) -> Position:
    one, two = (tuple(state.board(seat, at) for at in range(24)) for seat in range(2))
    bars = [state.board(seat, 100) for seat in range(2)]
    return (
        (*one, bars[0], 15 - sum(one) - bars[0]),
        (*two, bars[1], 15 - sum(two) - bars[1]),
    )


def steps(state: Any, count: int) -> dict[Position, list[int]]:
    """All positions after so many men have moved, or after as many as can, and a way to each."""
    found: dict[Position, list[int]] = {}
    who = state.current_player()

    def follow(now: Any, left: int, actions: list[int]) -> None:
        if left == 0 or now.current_player() != who:
            found.setdefault(ours_now(now), actions)
            return
        for n in now.legal_actions():
            die = now.clone()
            die.apply_action(n)
            for a in die.legal_actions():
                then = die.clone()
                then.apply_action(a)
                follow(then, left - 1, [*actions, n, a])

    follow(state, count, [])
    return found


def test_places() -> None:
    assert [place(at, 0) for at in (0, 5, 6, 11)] == ["r2c13", "r2c8", "r2c6", "r2c1"]
    assert [place(at, 0) for at in (12, 17, 18, 23)] == ["r1c1", "r1c6", "r1c8", "r1c13"]


@pytest.mark.parametrize("part", range(10))
def test_random_games(part: int) -> None:
    import pyspiel

    peer = pyspiel.load_game("backgammon(scoring_type=full_scoring,max_player_turns=100000)")
    game = example("backgammon").full
    luck = random.Random(part)
    for _ in range(max(1, GAMES // 10)):
        ours = game.new_initial_state(chance="explicit", ask_forced=True)
        theirs = peer.new_initial_state()
        while not theirs.is_terminal():
            assert ours_now(ours) == theirs_now(theirs)
            if theirs.is_chance_node():
                first, second = roll(theirs, luck)
                ours.apply_action(first - 1)
                ours.apply_action(second - 1)
                continue
            choose(ours, theirs, luck)
        assert ours.is_terminal() and ours_now(ours) == theirs_now(theirs)
        worth = [int(x) for x in theirs.returns()]
        assert [a - b for a, b in (ours.scores(), ours.scores()[::-1])] == worth


def roll(theirs: Any, luck: random.Random) -> tuple[int, int]:
    """The peer's dice: the first roll tells who begins, of the others the order does not matter."""
    outcome = luck.choice(theirs.legal_actions())
    told = theirs.action_to_string(-1, outcome)
    first, second = (int(digit) for digit in told.rstrip(")")[-2:])
    if "starts" in told and ("X" in told) != (first > second):
        first, second = second, first
    theirs.apply_action(outcome)
    return first, second


def choose(ours: Any, theirs: Any, luck: random.Random) -> None:
    """The peer moves two men at once, twice with a double; who can't move at all passes, which we do not ask for."""
    who = theirs.current_player()
    if [theirs.action_to_string(who, a) for a in theirs.legal_actions()] == ["Pass"]:
        theirs.apply_action(theirs.legal_actions()[0])
        return
    assert ours.current_player() == who
    mine = steps(ours, 2)
    other = {theirs_now(theirs.child(a)): a for a in theirs.legal_actions()}
    assert mine.keys() == other.keys()
    position = luck.choice(sorted(mine))
    for action in mine[position]:
        ours.apply_action(action)
    theirs.apply_action(other[position])
