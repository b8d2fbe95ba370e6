"""What a seat with a perfect memory knows: its own choices, what it was told, what it saw; and nothing of the rest."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from common import game

import rulewright
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game

BLUFF = Path(__file__).parent / "games" / "bluff"


def played(engine: Game, seed: int, steps: int, chance: str = "explicit") -> Any:
    dice = random.Random(seed)
    state = engine.new_initial_state(seed, chance=chance, remember=True)
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(dice.choice(state.legal_actions()))
    return state


def all_information(engine: Game, depth: int) -> dict[tuple[int, str], list[Any]]:
    """Every history up to some depth: the states by what each seat knows."""
    found: dict[tuple[int, str], list[Any]] = {}
    waiting: list[tuple[Any, int]] = [
        (engine.new_initial_state(chance="explicit", remember=True), 0)
    ]
    while waiting:
        state, n = waiting.pop()
        if not state.is_chance_node():
            for seat in range(engine.num_players()):
                found.setdefault((seat, state.information_state(seat).key), []).append(state)
        if n < depth and not state.is_terminal():
            for action in state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                waiting.append((after, n + (not state.is_chance_node())))
    return found


def test_who_knows_the_same_can_do_the_same_and_sees_the_same() -> None:
    """In all histories of a small game: equal keys mean equal views, equal options, and equal texts."""
    engine = rulewright.compile(BLUFF, 2)
    found = all_information(engine, 2)
    assert any(len(states) > 1 for states in found.values()), "nothing is hidden in it"
    for (seat, _), states in found.items():
        first = states[0]
        for other in states[1:]:
            assert other.view(seat) == first.view(seat)
            assert other.view(seat).legal_actions() == first.view(seat).legal_actions()
            assert other.information_state(seat) == first.information_state(seat)


def test_a_position_that_looks_the_same_may_be_remembered_as_another() -> None:
    """Perfect recall tells histories apart that the view does not."""
    engine = rulewright.load("yspahan", 3)
    one = played(engine, 1, 30)
    other = one.state.view(0).determinize(1)
    assert other.view(0) == one.view(0)
    keys = {played(engine, seed, 40).information_state(0).key for seed in range(5)}
    assert len(keys) == 5


def test_the_history_is_not_in_the_state() -> None:
    state = played(game("yspahan", 3), 3, 25)
    assert state == state.state
    assert state.clone() == state
    assert hash(state) == hash(state.state)
    again = game("yspahan", 3).full.from_dict(state.to_dict())
    assert again == state.state


def test_copies_go_their_own_way() -> None:
    state = played(game("yspahan", 3), 3, 25)
    before = state.information_state(1)
    copy = state.clone()
    for _ in range(5):
        copy.apply_action(copy.legal_actions()[0])
    assert state.information_state(1) == before
    assert copy.information_state(1).text.startswith(before.text)
    assert copy.information_state(1).key != before.key


def test_the_same_game_gives_the_same_keys() -> None:
    engine = rulewright.compile(BLUFF, 3)
    keys = [played(engine, 5, 60, "sampled").information_state(2).key for _ in range(2)]
    assert keys[0] == keys[1]


def test_what_a_seat_did_itself_is_in_it_and_secrets_of_others_are_not() -> None:
    engine = rulewright.compile(BLUFF, 2)
    dice = random.Random(4)
    state = engine.new_initial_state(chance="explicit", remember=True)
    while not state.is_terminal():
        who = state.current_player()
        if who < 0:
            state.apply_action(dice.choice(state.legal_actions()))
            continue
        action = dice.choice(state.legal_actions())
        told = json.dumps(state.action_to_dict(action))
        before = state.information_state(1 - who).text.count(f"> {told}")
        state.apply_action(action)
        assert f"> {told}" in state.information_state(who).text
        assert state.information_state(1 - who).text.count(f"> {told}") == before


def test_a_state_without_history_says_how_to_get_one() -> None:
    state = rulewright.load("yspahan", 3).new_initial_state(1)
    with pytest.raises(RulewrightError, match="remember=True"):
        state.information_state(0)
    with pytest.raises(RulewrightError, match="no seat 7"):
        played(game("yspahan", 3), 1, 3).information_state(7)


def test_a_long_game_is_pickled_with_all_that_was_seen() -> None:
    """However long it is: its moments hang together like a chain."""
    state: Any = game("yspahan", 4).new_initial_state(3, remember=True)
    dice = random.Random(3)
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
    state.information_state(2)
    other = pickle.loads(pickle.dumps(state))
    for seat in range(4):
        assert other.information_state(seat) == state.information_state(seat)
    assert other.state == state.state
