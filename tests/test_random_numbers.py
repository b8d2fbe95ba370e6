"""Random numbers: the generator is the one that its module speaks of, and dice that share a number are fair and the same everywhere."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from common import GAMES, game

from rulewright import load
from rulewright.runtime import rng


def probably_prime(n: int) -> bool:
    return all(pow(base, n - 1, n) == 1 for base in (2, 3, 5, 7, 11, 13))


def test_the_period_is_as_long_as_it_can_be():
    """A safe prime: the powers of the base come round after half as many steps as there are states, at the earliest."""
    modulus = (rng.MULTIPLIER << rng.BITS) - 1
    assert probably_prime(modulus) and probably_prime((modulus - 1) // 2)
    # 2**30 times the next state is the state again, modulo that prime
    x = 123_456_789_012
    assert (rng.step(x) << rng.BITS) % modulus == x


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 45])
def test_dice_that_share_a_number_are_fair(sides):
    """Each outcome of all of them together has as many numbers as any other, or one more."""
    share = rng.share(sides)
    ways = sides**share
    first = [-(-(place << rng.BITS) // ways) for place in range(ways + 1)]
    many = [b - a for a, b in pairwise(first)]
    assert sum(many) == 1 << rng.BITS
    assert max(many) - min(many) <= 1 and min(many) >= 1 << 19
    # and the outcome of one number is the digits that it is said to be
    for x in (0, 1, rng.LOW, 0x2AAAAAAA, 123_456_789):
        whole = rng.below(x, ways)
        digits = [whole // sides ** (share - 1 - place) % sides for place in range(share)]
        assert digits == [rng.digit(x, sides, place) for place in range(share)]


@pytest.mark.parametrize(("sides", "times"), [(6, 9), (6, 0), (6, 1), (2, 40), (20, 7), (6, 255)])
def test_dice_counted_at_once_are_those_rolled_one_after_another(sides, times):
    class Rolling:
        rng = rng.from_seed(sides * 1000 + times)

    x = Rolling.rng
    counts = [0] * sides
    for place in range(times):
        if place % rng.share(sides) == 0:
            x = rng.step(x)
        counts[rng.digit(x, sides, place % rng.share(sides))] += 1
    state = Rolling()
    assert rng.counted_dice(state, sides, times) == counts
    assert state.rng == x


def test_who_plays_at_random_takes_each_option_as_often():
    x = rng.from_seed(5)
    seen = [0] * 7
    for _ in range(70_000):
        x = rng.step(x)
        seen[rng.among(x, 7)] += 1
    # the spread of such counts is 93
    assert all(abs(n - 10_000) < 500 for n in seen)


def test_dice_in_a_row_fall_alike_in_every_flavour():
    """The fast flavour rolls in a loop, the full one stops for each die, and so does chance from a seed where people play."""
    from rulewright.chance import SeededChance

    fast = load("yspahan", 3)
    for seed in range(20):
        states = [fast.new_initial_state(seed), fast.full.new_initial_state(seed)]
        given = fast.full.new_initial_state(seed, chance="explicit")
        chance = SeededChance(seed)
        for _ in range(30):
            while given.is_chance_node():
                given.apply_action(chance.outcome(given))
            legal = states[0].legal_actions()
            for state in (*states, given):
                assert state.legal_actions() == legal
                state.apply_action(legal[-1])


def test_dice_are_gone_on_with_from_a_save():
    """A save in the midst of a cast knows which die comes next, and the rest of the cast goes on as it would have."""
    full = load("yspahan", 3).full
    state = full.new_initial_state(3, chance="explicit")
    state.apply_action(state.legal_actions()[0])
    for rolled in range(9):
        assert state.is_chance_node() and state.digit == rolled % rng.share(6)
        again = full.from_dict(json.loads(json.dumps(state.to_dict())))
        assert again.digit == state.digit and again == state
        state.apply_action(0)


def test_random_numbers_of_older_saves_are_taken_in():
    """They were larger; what is a state already stays as it is."""
    race = game(str(GAMES / "race"), 2)
    saved = race.new_initial_state(1).to_dict()
    assert race.from_dict(saved).rng == int(saved["rng"])
    for older in (2**62 - 1, rng.RANGE[1] + 1):
        state = race.from_dict({**saved, "rng": str(older)})
        assert rng.RANGE[0] <= state.rng <= rng.RANGE[1]
        assert race.random_playout(state, 3).is_terminal()
