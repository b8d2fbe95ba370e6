"""Tests that stop by themselves, and intervals that are looked at all the time: how often they are wrong, by simulation."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random

import pytest

from rulewright.statistics.sequential import FEWEST, Moments, SequentialTest, anytime_interval

Draw = Callable[[Random], float]


def swapped(mean: float, draws: float, seat: float) -> Draw:
    """A block of two games with seats changed: each won, drawn or lost; `seat` is what the better seat brings."""

    def draw(random: Random) -> float:
        total = 0
        for side in (1, -1):
            win = (1 - draws + mean + side * seat) / 2
            at = random.random()
            total += 1 if at < win else 0 if at < win + draws else -1
        return total / 2

    return draw


def many(mean: float, games: int) -> Draw:
    """A block of more games: its mean is close to the whole one."""
    return lambda random: (
        sum(1 if random.random() < (1 + mean) / 2 else -1 for _ in range(games)) / games
    )


def errors(draw: Draw, margin: float, wrong: str, runs: int) -> float:
    found = 0
    for seed in range(runs):
        random = Random(seed)
        test = SequentialTest(margin)
        while test.verdict == "open":
            test.add(draw(random))
        found += test.verdict == wrong
    return found / runs


@pytest.mark.parametrize(
    ("kind", "margin"),
    [("swapped", 0.2), ("drawn", 0.1), ("many", 0.1)],
)
def test_both_errors_are_as_rare_as_asked_for(kind: str, margin: float) -> None:
    """400 runs: of 5 % one sees at most 8.3 % but in one of a thousand cases."""
    make: dict[str, Callable[[float], Draw]] = {
        "swapped": lambda mean: swapped(mean, 0.0, 0.1),
        "drawn": lambda mean: swapped(mean, 0.6, 0.2),
        "many": lambda mean: many(mean, 12),
    }
    assert errors(make[kind](0.0), margin, "more", 400) <= 0.083
    assert errors(make[kind](margin), margin, "not more", 400) <= 0.083
    # what is far from the question is told soon, and wrong less often
    assert errors(make[kind](-margin), margin, "more", 100) == 0


def test_looking_again_and_again_at_an_ordinary_interval_is_wrong_far_more_often() -> None:
    """The reason for all this: the same values, judged by 1.96 deviations after each of them."""

    def ever_wrong(anytime: bool) -> float:
        wrong = 0
        for seed in range(200):
            random, values = Random(seed), Moments()
            for _ in range(300):
                values.add(random.choice((-1.0, 1.0)))
                if values.n < FEWEST:
                    continue
                half = 1.96 * (values.variance / values.n) ** 0.5
                low, high = values.mean - half, values.mean + half
                if anytime:
                    low, high = anytime_interval(values)
                if not low <= 0 <= high:
                    wrong += 1
                    break
        return wrong / 200

    assert ever_wrong(anytime=True) <= 0.1
    assert ever_wrong(anytime=False) >= 0.25


def test_a_known_reach_makes_up_for_rare_values() -> None:
    def wrong(reach: float) -> int:
        found = 0
        for seed in range(100):
            random, values = Random(seed), Moments()
            for _ in range(150):
                values.add(0.9 if random.random() < 0.1 else -0.1)
                low, high = anytime_interval(values, reach=reach)
                if not low <= 0 <= high:
                    found += 1
                    break
        return found

    assert wrong(1.0) <= 10 < wrong(0.0)


def test_too_few_values_say_nothing() -> None:
    values = Moments()
    for _ in range(FEWEST - 1):
        values.add(1.0)
    assert anytime_interval(values) == (-inf, inf)
    test = SequentialTest(0.5)
    assert {test.add(1.0) for _ in range(FEWEST - 1)} == {"open"}
    assert test.add(1.0) == "more"


def test_what_was_said_stays_said() -> None:
    test = SequentialTest(0.5)
    for _ in range(FEWEST):
        test.add(1.0)
    assert test.verdict == "more"
    for _ in range(1000):
        test.add(-1.0)
    assert test.verdict == "more"


@pytest.mark.parametrize(
    "wrong", [{"margin": 0.0}, {"margin": 2.0}, {"error": 0.0}, {"error": 0.6}]
)
def test_settings_out_of_reach_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        SequentialTest(**wrong)


def test_moments_are_those_of_the_values() -> None:
    values = Moments()
    for x in (1.0, 2.0, 4.0, 9.0):
        values.add(x)
    assert values.mean == 4.0
    assert values.variance == pytest.approx(38 / 3)
