"""Every ruleset of every game: the fast and the full engine go the same way, and states survive saving and dealing."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from common import Ruleset, each_ruleset, game, walk

from rulewright.compiler.build import read_spec
from rulewright.engines import game_of
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
            assert tuple(o for o, _ in outcomes) == explicit.legal_actions()
            explicit.apply_action(sample(explicit))
        if sampled.is_terminal():
            break
        action = dice.choice(sampled.legal_actions())
        sampled.apply_action(action)
        explicit.apply_action(action)
    assert explicit.is_terminal()
    assert explicit.scores() == sampled.scores()


@each_ruleset
def test_a_batch_of_playouts_is_what_its_playouts_are(ruleset: Ruleset) -> None:
    engine = game(*ruleset)
    state = engine.new_initial_state(seed=3)
    for action in walk(state, 3, 20):
        assert action in state.legal_actions()
    before = state.clone()
    ends = engine.random_playouts(state, range(5))
    assert state == before and state.rng == before.rng
    for seed, end in enumerate(ends):
        assert end.is_terminal()
        alone = engine.random_playout(state, seed)
        assert alone == end and alone.rng == end.rng
    (full,) = engine.full.random_playouts(engine.full_state(state), [2])
    assert full.scores() == ends[2].scores()


def test_functions_may_have_the_names_that_engines_use(tmp_path: Path) -> None:
    """Whatever the rules call their functions, none stands in the way of the engine's own."""
    names = "why say broken call reopen fact refresh rank_keys heuristic playout run follow begin decide".split()
    rules = "".join(f"function {name}(n: 0..9) -> 0..9: return n\n" for name in names)
    calls = "".join(f"    total = {name}(total)\n" for name in names)
    (tmp_path / "game.yaml").write_text(
        "game: tiny\ntitle: Tiny\nplayers: [2]\nseats: [Blue, Green]\n"
    )
    (tmp_path / "tiny.rules").write_text(
        "state:\n    total: 0..9\noutcome p in Player by total\n"
        f"{rules}procedure play():\n    for p in Player:\n        choose a in 1 .. 3 by p as first\n"
        f"        total = a\n{calls}"
    )
    engine = game_of(read_spec(tmp_path), 2)
    assert engine.random_playout(engine.new_initial_state(1), 1).is_terminal()
    state = engine.full.new_initial_state(1)
    state.apply_action(state.legal_actions()[1])
    assert state.why_not("first", 3) == [] and state.to_dict()["state"]["total"] == 2


def test_what_a_guard_rules_out_is_not_looked_at(tmp_path: Path) -> None:
    """Conditions become set algebra, but no part is worked out that the rules would not come to."""
    (tmp_path / "game.yaml").write_text(
        "game: tiny\ntitle: Tiny\nplayers: [3]\nseats: [Blue, Green, Red]\n"
    )
    (tmp_path / "tiny.rules").write_text("""\
state:
    total: 0..9
    order: list of Player max 3
    some: set of Player
outcome p in Player by total
function none_before() -> bool: return size(order) == 0
procedure play():
    for p in Player:
        choose q in Player by p as first
            where size(order) == 0 or q != order[1]
            where none_before() or q != order[1]
            where not (q in some and q == order[2])
        if any(x in Player where size(order) > 1: x == order[2]): total = 2
        if any(x in Player: size(order) > 1 and x == order[2]): total = 2
        if any(x in Player where x in some: x == order[2]): total = 2
        if any(x in some: x == order[2]): total = 2
        total += count(x in Player where total > 5 and x == order[3])
        order = [q]
""")
    engine = game_of(read_spec(tmp_path), 3)
    for flavour in (engine, engine.full):
        for seed in range(10):
            end = flavour.random_playout(flavour.new_initial_state(seed), seed)
            assert end.is_terminal() and end.total == 0
