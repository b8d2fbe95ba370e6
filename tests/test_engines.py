"""Every ruleset of every game: the fast and the full engine go the same way, and states survive saving and dealing."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import rulewright
from rulewright.compiler.build import Spec, read_spec
from rulewright.compiler.overlay import rulesets
from rulewright.engines import SPECS, game_of

_SPECS: dict[str, Spec] = {}


def spec_of(name: str) -> Spec:
    if name not in _SPECS:
        _SPECS[name] = read_spec(Path(SPECS / name), f"spec/{name}")
    return _SPECS[name]


def all_rulesets() -> list[tuple[str, int, tuple[str, ...]]]:
    return [(name, n, v) for name in rulewright.games() for n, v in rulesets(spec_of(name).folder)]


@pytest.mark.parametrize(
    ("name", "players", "variants"),
    all_rulesets(),
    ids=lambda x: "+".join(x) if isinstance(x, tuple) else str(x),
)
def test_fast_and_full_agree(name: str, players: int, variants: tuple[str, ...]) -> None:
    game = game_of(spec_of(name), players, variants)
    for seed in (1, 2):
        fast = game.new_initial_state(seed=seed)
        full = game.full.new_initial_state(seed=seed)
        dice = random.Random(seed)
        step = 0
        while not fast.is_terminal():
            assert fast.current_player() == full.current_player()
            legal = fast.legal_actions()
            assert legal == full.legal_actions()
            if step % 23 == 0:
                assert game.full_state(fast) == full
                again = game.from_dict(json.loads(json.dumps(fast.to_dict())))
                assert again == fast and again.rng == fast.rng
                for seat in range(players):
                    view = fast.view(seat)
                    dealt = view.determinize(step)
                    assert dealt.view(seat) == view
            action = dice.choice(legal)
            assert fast.action_from_dict(fast.action_to_dict(action)) == action
            copy = fast.clone()
            fast.apply_action(action)
            assert copy.legal_actions() == legal
            full.apply_action(action)
            step += 1
        assert full.is_terminal()
        assert fast.scores() == full.scores()
        assert fast.rng == full.rng
        breakdown = [sum(row.values()) for row in fast.score_breakdown()]
        assert breakdown == fast.scores()
        assert sum(fast.returns()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "players", "variants"),
    all_rulesets(),
    ids=lambda x: "+".join(x) if isinstance(x, tuple) else str(x),
)
def test_explicit_chance_replays_sampled_chance(
    name: str, players: int, variants: tuple[str, ...]
) -> None:
    """A sampled game, retold with its chance outcomes given from outside, ends in the same state."""
    game = game_of(spec_of(name), players, variants).full
    sampled = game.new_initial_state(seed=5)
    explicit = game.new_initial_state(seed=5, chance="explicit")
    dice = random.Random(5)
    while True:
        while explicit.is_chance_node():
            outcomes = explicit.chance_outcomes()
            assert sum(p for _, p in outcomes) == pytest.approx(1.0)
            assert [o for o, _ in outcomes] == explicit.legal_actions()
            from rulewright.runtime.api import sample

            explicit.apply_action(sample(explicit))
        if sampled.is_terminal():
            break
        action = dice.choice(sampled.legal_actions())
        sampled.apply_action(action)
        explicit.apply_action(action)
    assert explicit.is_terminal()
    assert explicit.scores() == sampled.scores()
