"""Many games side by side: the same games as one by one, in arrays that stay where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from common import game
from test_observations import native_of, small, spec_of

from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.vector import seed_of


def played(vector: Any, steps: int, seed: int = 1) -> list[bytes]:
    dice = np.random.default_rng(seed)
    out = []
    for _ in range(steps):
        given = vector.step(vector.random_actions(dice))
        out.append(b"".join(array.tobytes() for array in given))
    return out


def test_the_same_seed_gives_the_same_stream() -> None:
    engine = game("yspahan", 3)
    assert played(engine.vector(3, 5), 60) == played(engine.vector(3, 5), 60)
    assert played(engine.vector(3, 5), 60) != played(engine.vector(3, 6), 60)


def test_a_game_does_not_depend_on_how_many_there_are() -> None:
    engine = game("yspahan", 3)
    few, many = engine.vector(2, 5), engine.vector(5, 5)
    assert (few.observations == many.observations[:2]).all()
    for _ in range(40):
        actions = many.masks.argmax(axis=1)
        many.step(actions)
        few.step(actions[:2])
        assert (few.observations == many.observations[:2]).all()
        assert (few.seat == many.seat[:2]).all()


def test_it_plays_what_states_play() -> None:
    """Every array against a state that is played beside it, through several rounds."""
    engine = game("mykerinos", 2)
    vector = engine.vector(2, 9)
    arrays = [vector.observations, vector.masks, vector.rewards, vector.done, vector.seat]
    dice = np.random.default_rng(3)
    rounds = [0, 0]
    beside = [engine.new_initial_state(seed_of(9, i, 0)) for i in range(2)]
    while min(rounds) < 2:
        actions = vector.random_actions(dice)
        given = vector.step(actions)
        assert all(a is b for a, b in zip(given, arrays, strict=True)), "written in place"
        for i in range(2):
            beside[i].apply_action(int(actions[i]))
            assert vector.done[i] == beside[i].is_terminal()
            if beside[i].is_terminal():
                assert vector.rewards[i].tolist() == pytest.approx(beside[i].returns())
                assert vector.scores[i].tolist() == beside[i].scores()[:2]
                rounds[i] += 1
                beside[i] = engine.new_initial_state(seed_of(9, i, rounds[i]))
            else:
                assert not vector.rewards[i].any()
            assert vector.seat[i] == beside[i].current_player()
            assert tuple(np.nonzero(vector.masks[i])[0]) == beside[i].legal_actions()
            row = np.zeros_like(vector.observations[i])
            beside[i].observe_into(row, beside[i].current_player())
            assert (row == vector.observations[i]).all()


def test_an_illegal_action_changes_nothing() -> None:
    vector = game("yspahan", 3).vector(2, 1)
    before = vector.observations.copy(), [state.clone() for state in vector.states]
    for actions, words in (
        ([vector.masks[0].argmax(), 10**6], "game 1: "),
        ([-1, vector.masks[1].argmax()], "game 0: "),
        ([0.5, 1.5], "whole numbers"),
        ([1], "2 games need 2"),
    ):
        with pytest.raises(IllegalAction, match=words):
            vector.step(np.array(actions))
    assert (vector.observations == before[0]).all()
    assert vector.states == before[1]


def test_wrong_numbers_are_told() -> None:
    for n in (0, -1, 1.5, True):
        with pytest.raises(RulewrightError, match="number of games"):
            game("yspahan", 3).vector(n)
    with pytest.raises(RulewrightError, match="a seed is a whole number"):
        game("yspahan", 3).vector(1, "x")
    # compiled or not: who writes a program on one finds out on the other
    for threads in (0, -3, 65, 1.5, "all", True, 2**70):
        with pytest.raises(RulewrightError, match="threads are from 1 to 64, not"):
            game("yspahan", 3).vector(1, threads=threads)


def test_numbers_of_arrays_are_numbers() -> None:
    """What numpy draws is a seed, what it counts a seat."""
    engine = game("yspahan", 3)
    plain, drawn = engine.vector(2, 5), engine.vector(np.int64(2), np.uint8(5), np.int32(1))
    assert (drawn.n, drawn.seed, drawn.threads) == (2, 5, 1)
    assert [type(x) for x in (drawn.n, drawn.seed, drawn.threads)] == [int] * 3
    assert (plain.observations == drawn.observations).all()
    assert plain.states == drawn.states


# ---------------------------------------------------------------- compiled


def test_compiled_it_refuses_the_same() -> None:
    slow = small("kuhn")
    fast = native_of(spec_of("kuhn"), slow.num_players())
    words = []
    for engine in (slow, fast):
        vector = engine.vector(3, 1)
        before = vector.observations.copy(), [state.clone() for state in vector.states]
        for wrong in (-1, 2, 10**6, -(2**62)):
            with pytest.raises(IllegalAction, match="game 1: ") as told:
                vector.step(np.array([0, wrong, 0]))
            words.append(str(told.value))
        with pytest.raises(IllegalAction, match="3 games need 3"):
            vector.step([0, 1])
        assert (vector.observations == before[0]).all()
        assert [state.clone() for state in vector.states] == before[1]
    assert words[:4] == words[4:]
    batch = fast.module.Batch(2)
    with pytest.raises(ValueError, match="bind the arrays first"):
        batch.show(1)
    with pytest.raises(TypeError, match="9 arrays"):
        batch.bind(np.zeros(3))
    with pytest.raises(ValueError, match=r"array 0: .* bytes are expected"):
        batch.bind(*[np.zeros(3)] * 9)
    with pytest.raises(ValueError, match="threads are from 1"):
        fast.vector(3, 1)._batch.show(0)
