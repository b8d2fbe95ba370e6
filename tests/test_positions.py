"""Fingerprints: the same for the same position and no other, in both flavours and in C; chess and go that end by them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from test_tiny_games import game

import rulewright
from rulewright.engines import EXAMPLES
from rulewright.runtime.game import Game
from rulewright.runtime.support import FINGERPRINT, mixed

PARTS = ("at", "marks", "track", "leader", "low", "turned")


def position(state: Any) -> str:
    data = state.view(0).data
    return repr(
        [data["state"][name] for name in PARTS] + [data["zones"][z] for z in ("stock", "own")]
    )


@pytest.mark.parametrize("players", [2, 3])
def test_equal_for_equal_positions_and_for_no_others(players: int) -> None:
    engine = game("sketches/positions", players)
    prints: dict[str, int] = {}
    came_again = 0
    for seed in range(25):
        state, luck, met = engine.new_initial_state(seed), random.Random(seed), 0
        while not state.is_terminal():
            state.apply_action(luck.choice(state.legal_actions()))
            if len(state.past) > met:
                met = len(state.past)
                now = position(state)
                came_again += now in prints
                assert prints.setdefault(now, state.past[-1]) == state.past[-1]
    assert came_again > 50
    assert len(set(prints.values())) == len(prints) > 200


def test_every_part_counts_and_its_place() -> None:
    found = {mixed(mixed(0, a), b) for a in range(-40, 40) for b in range(-40, 40)}
    assert len(found) == 6400 and all(0 <= f <= FINGERPRINT for f in found)
    zeros = {0}
    so_far = 0
    for _ in range(100):
        so_far = mixed(so_far, 0)
        zeros.add(so_far)
    assert len(zeros) == 101
    # one member in each of two sets: neither makes up for the other
    single = [0, *(1 << n for n in range(81))]
    assert len({mixed(mixed(0, a), b) for a in single for b in single}) == 82 * 82
    wide = {mixed(7, 1 << n) for n in range(300)}
    assert len(wide) == 300


def moved(engine: Game, moves: str) -> Any:
    """A game of chess after moves such as g1f3."""
    state = engine.new_initial_state(seed=0, ask_forced=True)
    for move in moves.split():
        for part in (move[:2], move[2:]):
            found = {state.action_to_dict(a)["value"]: a for a in state.legal_actions()}
            state.apply_action(found[part])
    return state


@pytest.mark.parametrize(
    ("moves", "over"),
    [
        ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", False),
        ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", True),
        # the right to castle is gone, so it is another position
        ("g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", False),
        ("g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", True),
        # a pawn that could be taken in passing, once
        ("e2e4 a7a6 e4e5 d7d5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", False),
        # nobody could take it: the positions are the same
        ("e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1", True),
    ],
)
def test_chess_ends_when_a_position_is_there_for_the_third_time(moves: str, over: bool) -> None:
    state = moved(rulewright.compile(str(EXAMPLES / "chess"), players=2), moves)
    assert state.is_terminal() == over
    if over:
        assert state.returns() == [0.5, 0.5]
