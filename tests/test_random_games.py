"""Random games of every ruleset run to their end with nothing lost, nothing broken and scores that add up."""

from __future__ import annotations

import os
from typing import Any

import pytest
from common import Ruleset, all_rulesets, check_state, each_ruleset, game, ruleset_name, walk

from rulewright.runtime.game import Game

# games of one long test, so that several processes can share the work
BATCH = 1000
SOAK = float(os.environ.get("RULEWRIGHT_SOAK_SHARE", "1"))
LONG_RUNS = {"yspahan": 10_000, "mykerinos": 5_000, "ys": 5_000}


def play(engine: Game, seed: int, every: int | None) -> Any:
    """One random game. The state is looked at closely after every so many decisions, or only at the end."""
    state = engine.new_initial_state(seed)
    for number, _ in enumerate(walk(state, seed)):
        # other decisions in each game
        if every is not None and (number + seed) % every == 0:
            check_state(engine, state)
    check_state(engine, state)
    assert sum(state.returns()) == pytest.approx(1.0)
    assert sorted(state.ranking())[0] == 1
    return state


@each_ruleset
def test_a_hundred_random_games(ruleset: Ruleset) -> None:
    """In the fast flavour; the invariants are asked of the full one, with the same state, at the end of each game."""
    engine = game(*ruleset)
    ends = [play(engine, seed, every=None) for seed in range(100)]
    # they are not all the same game
    assert len({tuple(end.scores()) for end in ends}) > 50


@each_ruleset
def test_random_games_in_the_full_flavour(ruleset: Ruleset) -> None:
    """It checks ranges, and after each decision all invariants, by itself."""
    for seed in range(5):
        play(game(*ruleset).full, seed, every=60)


def batches() -> list[Any]:
    out = []
    for ruleset in all_rulesets():
        count = round(LONG_RUNS.get(ruleset[0], 1_000) * SOAK)
        for start in range(0, count, BATCH):
            size = min(BATCH, count - start)
            name = f"{ruleset_name(ruleset)}-from-{start}"
            out.append(pytest.param(ruleset, start, size, id=name))
    return out


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "start", "size"), batches())
def test_many_random_games(ruleset: Ruleset, start: int, size: int) -> None:
    """In the fast flavour, with a close look after every 101st decision and at the end."""
    engine = game(*ruleset)
    for seed in range(start, start + size):
        play(engine, 1_000_000 + seed, every=101)
