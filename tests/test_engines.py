"""Every ruleset of every game: the fast and the full engine go the same way, and states survive saving and dealing."""

from __future__ import annotations

import json
import random

import pytest
from common import Ruleset, each_ruleset, game, walk

from rulewright.runtime.api import sample


@each_ruleset
def test_fast_and_full_agree(ruleset: Ruleset) -> None:
    engine = game(*ruleset)
    for seed in (1, 2):
        fast = engine.new_initial_state(seed=seed)
        full = engine.full.new_initial_state(seed=seed)
        for step, action in enumerate(walk(fast, seed)):
            assert fast.current_player() == full.current_player()
            legal = fast.legal_actions()
            assert legal == full.legal_actions()
            if step % 23 == 0:
                assert engine.full_state(fast) == full
                again = engine.from_dict(json.loads(json.dumps(fast.to_dict())))
                assert again == fast and again.rng == fast.rng
                for seat in range(engine.num_players()):
                    view = fast.view(seat)
                    dealt = view.determinize(step)
                    assert dealt.view(seat) == view
            assert fast.action_from_dict(fast.action_to_dict(action)) == action
            full.apply_action(action)
        assert full.is_terminal()
        assert fast.scores() == full.scores()
        assert fast.rng == full.rng
        breakdown = [sum(row.values()) for row in fast.score_breakdown()]
        assert breakdown == fast.scores()
        assert sum(fast.returns()) == pytest.approx(1.0)


@each_ruleset
def test_explicit_chance_replays_sampled_chance(ruleset: Ruleset) -> None:
    """A sampled game, retold with its chance outcomes given from outside, ends in the same state."""
    engine = game(*ruleset).full
    sampled = engine.new_initial_state(seed=5)
    explicit = engine.new_initial_state(seed=5, chance="explicit")
    dice = random.Random(5)
    while True:
        while explicit.is_chance_node():
            outcomes = explicit.chance_outcomes()
            assert sum(p for _, p in outcomes) == pytest.approx(1.0)
            assert [o for o, _ in outcomes] == explicit.legal_actions()
            explicit.apply_action(sample(explicit))
        if sampled.is_terminal():
            break
        action = dice.choice(sampled.legal_actions())
        sampled.apply_action(action)
        explicit.apply_action(action)
    assert explicit.is_terminal()
    assert explicit.scores() == sampled.scores()
