"""Ratings from rankings: known values, ties, the best of the likelihood, intervals that hold."""

from __future__ import annotations

from math import exp, log10
from random import Random

import pytest

from rulewright.statistics.ratings import (
    SCALE,
    Pair,
    Placings,
    expected,
    fit,
    likelihood,
    preference,
    rate,
)


def drawn(random: Random, worths: list[float]) -> tuple[list[int], list[int]]:
    """A game of all, ranked as Plackett and Luce say."""
    left, ranks, place = list(range(len(worths))), [0] * len(worths), 1
    while left:
        one = random.choices(left, [worths[i] for i in left])[0]
        left.remove(one)
        ranks[one] = place
        place += 1
    return list(range(len(worths))), ranks


def test_two_bots_have_the_odds_of_their_wins() -> None:
    games = Placings()
    for n in range(4000):
        games.add([0, 1], [1, 2] if n % 4 else [2, 1])
    a, b = fit(games, 2)
    assert a - b == pytest.approx(400 * log10(3), abs=0.2)
    assert a + b == pytest.approx(0)
    assert expected(a - b) == pytest.approx(0.75, abs=0.001)


def test_a_tie_is_half_a_win_for_each() -> None:
    ties, halves = Placings(), Placings()
    for _ in range(10):
        ties.add([0, 1], [1, 1])
        ties.add([0, 1], [1, 2])
        halves.add([0, 1], [1, 2])
        halves.add([0, 1], [2, 1])
        halves.add([0, 1], [1, 2])
        halves.add([0, 1], [1, 2])
    half = Placings()
    half.include(halves, 0.5)
    assert ties.taken == pytest.approx(half.taken)
    assert ties.sets == pytest.approx(half.sets)


def test_ties_of_more_say_nothing_of_those_who_share() -> None:
    games = Placings()
    games.add([0, 1, 2, 3], [1, 1, 1, 4])
    a, b, c, d = fit(games, 4)
    assert a == pytest.approx(b) == pytest.approx(c)
    assert a > d
    large = Placings()
    large.add(list(range(8)), [1] * 8)
    assert fit(large, 8) == pytest.approx([0.0] * 8, abs=1e-3)


def test_the_fit_is_the_best_and_the_worths_are_found_again() -> None:
    random = Random(3)
    worths = [8.0, 4.0, 1.0, 0.5]
    games = Placings()
    for _ in range(4000):
        games.add(*drawn(random, worths))
    found = fit(games, 4)
    for i, worth in enumerate(worths):
        assert exp((found[i] - found[2]) / SCALE) == pytest.approx(worth, rel=0.12)
    best = likelihood(games, found)
    for i in range(4):
        for step in (-10, 10):
            moved = [r + step * (j == i) for j, r in enumerate(found)]
            assert likelihood(games, moved) < best


def test_who_wins_everything_has_a_finite_rating() -> None:
    games = Placings()
    for _ in range(50):
        games.add([0, 1, 2], [1, 2, 3])
    a, b, c = fit(games, 3)
    assert 300 < a - c < 3000
    assert a > b > c


def test_one_bot_at_several_seats() -> None:
    games = Placings()
    for n in range(300):
        games.add([0, 0, 1, 1], [1, 2, 3, 4] if n % 3 else [3, 4, 1, 2])
    a, b = fit(games, 2)
    assert a > b


def test_intervals_hold_for_as_many_runs_as_they_say() -> None:
    """Blocks of two games that share some luck, so that games alone would look surer than they are."""
    worths = [2.0, 1.0, 1.0]
    true = SCALE * 0.6931471805599453
    held = 0
    for seed in range(60):
        random = Random(seed)
        blocks = []
        for _ in range(40):
            block = Placings()
            game = drawn(random, worths)
            block.add(*game)
            block.add(*game)
            blocks.append(block)
        found = rate(blocks, 3, anchor=1, samples=60, seed=seed)
        held += found[0].low <= true <= found[0].high
    assert held >= 50
    assert found[1].value == found[1].low == found[1].high == 0


def test_one_block_has_no_interval() -> None:
    block = Placings()
    block.add([0, 1], [1, 2])
    assert rate([block], 2)[0].high == float("inf")


def test_pairs() -> None:
    assert preference([0, 1, 2], [1, 2, 2], 0, 1) == 1
    assert preference([0, 1, 2], [1, 2, 2], 1, 2) == 0
    assert preference([0, 0, 1], [1, 3, 2], 0, 1) == 0
    assert preference([0, 2, 1], [1, 3, 2], 0, 3) is None
    pair = Pair()
    for _ in range(20):
        assert pair.add([1, 0]) == 0.5
    assert pair.add([]) is None
    assert (pair.meetings, pair.share) == (40, 0.75)
    low, high = pair.interval
    assert 0.5 < low < 0.75 < high < 1
