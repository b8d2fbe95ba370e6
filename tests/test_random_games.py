"""Random games of every ruleset run to their end with nothing lost, nothing broken and scores that add up."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from common import (
    Ruleset,
    all_rulesets,
    check_state,
    checking_game,
    checking_game_of,
    copy_of,
    each_ruleset,
    game,
    ruleset_name,
    walk,
)

from rulewright.compiler.build import read_spec
from rulewright.engines import games
from rulewright.runtime import rng
from rulewright.runtime.game import Game

# games of one long test, so that several processes can share the work
BATCH = 500
SOAK = float(os.environ.get("RULEWRIGHT_SOAK_SHARE", "1"))
LONG_RUNS = {"yspahan": 10_000, "mykerinos": 5_000, "ys": 5_000}


def play(engine: Game, seed: int) -> Any:
    """One random game with a look at all invariants, ranges, pieces and points after each decision: its end."""
    module = engine.module
    state = module.new_state(seed)
    module.begin(state)
    done = module.checked_playout(state, rng.from_seed(seed + 7919))
    assert done > 0, f"after seed {seed} this does not hold: {engine.info['checks'][-1 - done]}"
    assert state.is_terminal()
    return state


def play_all(ruleset: Ruleset, seeds: range) -> list[tuple[int, ...]]:
    """Random games, some of their ends looked at closely; the scores."""
    engine = checking_game(*ruleset)
    scores = []
    for seed in seeds:
        end = play(engine, seed)
        scores.append(tuple(end.scores()))
        if seed % 10 == 0:
            check_state(engine, end)
            assert sum(end.returns()) == pytest.approx(1.0)
            assert min(end.ranking()) == 1
    return scores


@each_ruleset
def test_a_hundred_random_games(ruleset: Ruleset) -> None:
    """They are not all the same game."""
    assert len(set(play_all(ruleset, range(100)))) > 50


@each_ruleset
def test_random_games_in_the_full_flavour(ruleset: Ruleset) -> None:
    """It checks ranges at each assignment, and after each decision all invariants, by itself."""
    engine = game(*ruleset).full
    for seed in range(5):
        state = engine.new_initial_state(seed)
        for number, _ in enumerate(walk(state, seed)):
            # other decisions in each game
            if (number + seed) % 60 == 0:
                check_state(engine, state)
        check_state(engine, state)


def batches() -> list[Any]:
    out = []
    for ruleset in all_rulesets():
        count = round(LONG_RUNS.get(ruleset[0], 1_000) * SOAK)
        for start in range(0, count, BATCH):
            seeds = range(1_000_000 + start, 1_000_000 + min(count, start + BATCH))
            out.append(pytest.param(ruleset, seeds, id=f"{ruleset_name(ruleset)}-from-{start}"))
    return out


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "seeds"), batches())
def test_many_random_games(ruleset: Ruleset, seeds: range) -> None:
    assert len(play_all(ruleset, seeds)) == len(seeds)


def test_every_game_has_its_number_of_long_runs() -> None:
    assert set(games()) <= set(LONG_RUNS)


# ---------------------------------------------------------------- the checks can fail

# a rule that is dropped or changed: its file, its words, what stands there instead, and the check that must notice
PLANTED = [
    ("shops.rules", "where s not in foreign ", "where s in Shop ", "the invariant one_merchant_per_souk"),
    ("caravan.rules", "first_of(CaravanCamel - loaded_camels())", "first_of(CaravanCamel)", "the invariant one_cube_per_camel"),
    ("buildings.rules", "where b.gold <= gold[p] ", "where b.gold >= 0 ", "the range of gold"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "check"), PLANTED)
def test_a_broken_rule_is_noticed(
    tmp_path: Path, file: str, old: str, new: str, check: str
) -> None:
    path = copy_of("yspahan", tmp_path) / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    engine = checking_game_of(read_spec(path.parent), 3)
    with pytest.raises(AssertionError, match=f"does not hold: {check}"):
        for seed in range(20):
            play(engine, seed)


def test_lost_pieces_and_points_out_of_nowhere_are_noticed() -> None:
    engine = checking_game("yspahan", 3)
    module = engine.module

    def check(state: Any) -> str:
        number = module.broken(state)
        return "" if number < 0 else str(engine.info["checks"][number])

    state = engine.new_initial_state(1)
    assert check(state) == ""
    state.score[1] += 1
    assert check(state) == "the points of Green by reason"
    state.score[1] -= 1
    state.deck &= state.deck - 1
    assert check(state) == "the number of cards"
