"""Properties that every position of every ruleset has, met at positions of random play that hypothesis picks."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from common import (
    Json,
    Ruleset,
    all_rulesets,
    check_pair,
    check_state,
    each_ruleset,
    game,
    hides_something,
    learned,
    pieces,
    reach,
    ruleset_name,
    same,
    snapshot,
    walk,
)
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulewright.runtime import view as view_module
from rulewright.runtime.errors import IllegalAction
from rulewright.runtime.game import Game
from rulewright.runtime.view import View

# the same positions in every run: what `make test` says must not hang on luck
few = settings(
    max_examples=4,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # a shorter way to a mistake is seldom worth the minutes
    suppress_health_check=list(HealthCheck),
)
seeds = st.integers(0, 2**32 - 1)
# long enough to come near the end of every game
decisions = st.integers(0, 450)


def test_a_position_can_be_reached_again() -> None:
    """The tests below lean on it."""
    engine = game("yspahan", 3)
    assert reach(engine, 5, 100)[0] == reach(engine, 5, 100)[0]
    assert reach(engine, 5, 100)[0] != reach(engine, 6, 100)[0]
    last, actions = reach(engine, 5, 4000)
    assert not last.is_terminal() and len(actions) > 150


# ---------------------------------------------------------------- actions


def refusal(state: Any, action: int) -> str:
    """The reason for which an action is refused; the state must be as before."""
    before = snapshot(state)
    with pytest.raises(IllegalAction) as error:
        state.apply_action(action)
    assert snapshot(state) == before
    return str(error.value)


def check_refusals(engine: Game, state: Any) -> None:
    """Every number that is no legal action is refused, with a reason."""
    legal = set(state.legal_actions())
    choice = engine.info["choices"][str(state.pc)]
    own = range(choice["offset"], choice["offset"] + choice["size"])
    assert legal <= set(own)
    for action in {*range(-3, engine.num_distinct_actions() + 3)} - legal:
        told = refusal(state, action)
        if action in own:
            name = engine.option_name(choice, action - choice["offset"])
            head = f"{choice['label']} {name} is not allowed: "
            assert told.startswith(head) and len(told) > len(head) + 3
            assert state.why_not(choice["label"], name)
        else:
            assert told.endswith(f" is not asked now; the pending decision is {choice['label']}")


@each_ruleset
@few
@given(seed=seeds, steps=decisions)
def test_legal_actions_apply_and_nothing_else_does(ruleset: Ruleset, seed: int, steps: int) -> None:
    fast = game(*ruleset)
    for engine in (fast, fast.full):
        state, _ = reach(engine, seed, steps)
        legal = state.legal_actions()
        assert legal and len(set(legal)) == len(legal)
        for action in legal:
            data = state.action_to_dict(action)
            assert state.action_from_dict(data) == action
            assert state.why_not(data["choice"], data["value"]) == []
            after = state.clone()
            after.apply_action(action)
            assert after.is_terminal() or after.legal_actions()
        # in the fast flavour reasons are asked of the full one, which takes a while
        if engine is fast.full or steps % 3 == 0:
            check_refusals(engine, state)


def test_a_reason_is_what_fails_inside_of_what_is_asked() -> None:
    """A card whose effect is not possible is refused for what its effect asks for, not for the question."""
    found: dict[tuple[str, str], list[str]] = {}
    engine = game("yspahan", 4).full
    for seed in range(12):
        state = engine.new_initial_state(seed)
        for _ in walk(state, seed):
            for label, name in (("play_card", "camels_for_points"), ("dice_action", "main")):
                if engine.info["choices"][str(state.pc)]["label"] == label:
                    for reason in state.why_not(label, name):
                        found[label, reason["text"]] = reason["cites"]
    assert found == {
        ("play_card", "c in hand[p]"): ["card.free-action"],
        ("play_card", "nothing can be chosen as camels_discarded"): ["card.must-have-effect"],
        ("dice_action", "size(open_shops(p, n)) > 0"): ["shops.action-needs-shop", "shops.partial-ok"],
    }  # fmt: skip


@each_ruleset
def test_nothing_can_be_done_after_the_end(ruleset: Ruleset) -> None:
    for engine in (game(*ruleset), game(*ruleset).full):
        state = engine.random_playout(engine.new_initial_state(3), 4)
        assert state.is_terminal() and state.legal_actions() == ()
        for action in (-1, 0, 1, engine.num_distinct_actions() - 1):
            assert refusal(state, action) == "the game is over"


# ---------------------------------------------------------------- copies and records


@each_ruleset
@few
@given(seed=seeds, steps=decisions)
def test_invariants_hold(ruleset: Ruleset, seed: int, steps: int) -> None:
    """The full flavour looks at them itself after each decision; here they are asked for as well."""
    engine = game(*ruleset).full
    state = engine.new_initial_state(seed)
    for number, _ in enumerate(walk(state, seed, steps)):
        assert engine.module.broken(state) < 0
        if number % 40 == 0:
            check_state(engine, state)
    check_state(engine, state)


@each_ruleset
@few
@given(seed=seeds, steps=decisions)
def test_a_clone_is_independent(ruleset: Ruleset, seed: int, steps: int) -> None:
    fast = game(*ruleset)
    for engine in (fast, fast.full):
        state, _ = reach(engine, seed, steps)
        before = snapshot(state)
        clone = state.clone()
        assert same(clone, state) and hash(clone) == hash(state)
        for _ in walk(clone, seed, 30):
            pass
        assert snapshot(state) == before
        again = state.clone()
        after = snapshot(again)
        for _ in walk(state, seed, 30):
            pass
        assert snapshot(again) == after == before
        assert same(state, clone)


@each_ruleset
@few
@given(seed=seeds, steps=decisions)
def test_a_state_survives_json(ruleset: Ruleset, seed: int, steps: int) -> None:
    fast = game(*ruleset)
    for engine in (fast, fast.full):
        state, _ = reach(engine, seed, steps)
        data = state.to_dict()
        again = engine.from_dict(json.loads(json.dumps(data)))
        assert same(again, state) and hash(again) == hash(state)
        assert again.to_dict() == data
        for one, other in zip(walk(state, seed, 40), walk(again, seed, 40), strict=True):
            assert one == other
        assert same(again, state)


@each_ruleset
@few
@given(seed=seeds, steps=decisions)
def test_seed_and_actions_give_the_same_state(ruleset: Ruleset, seed: int, steps: int) -> None:
    fast = game(*ruleset)
    state, actions = reach(fast, seed, steps)
    for engine in (fast, fast.full):
        again = engine.new_initial_state(seed)
        for action in actions:
            again.apply_action(action)
        assert again.rng == state.rng
        assert again == (state if engine is fast else fast.full_state(state))


# ---------------------------------------------------------------- what is hidden


@each_ruleset
@few
@given(
    seed=seeds, steps=decisions, deal=seeds, chance=st.sampled_from(["sampled", "sampled", "explicit"])
)  # fmt: skip
def test_nothing_leaks(ruleset: Ruleset, seed: int, steps: int, deal: int, chance: str) -> None:
    """What differs only where a seat can't look is the same to it in every word."""
    engine = game(*ruleset).full
    # dice and cards that are given one by one are steps too
    state, _ = reach(engine, seed, steps * 2 if chance == "explicit" else steps, chance)
    for seat in range(engine.num_players()):
        for extra in range(2):
            check_pair(engine, state, seat, deal + extra)


def shown(view: Any) -> Json:
    """What a view shows without the rules' local names, of which the full flavour keeps more."""
    return {key: value for key, value in view.data.items() if key != "locals"}


@each_ruleset
@few
@given(seed=seeds, steps=decisions, deal=seeds)
def test_what_a_view_deals_is_a_state(ruleset: Ruleset, seed: int, steps: int, deal: int) -> None:
    """It looks the same, has all pieces, keeps the invariants, and the game goes on from it to its end."""
    fast = game(*ruleset)
    state, _ = reach(fast, seed, steps)
    full = fast.full_state(state)
    for seat in range(fast.num_players()):
        view = state.view(seat)
        assert shown(view) == shown(full.view(seat))
        other = view.determinize(deal)
        assert other.view(seat) == view
        check_state(fast, other)
        assert other.current_player() == state.current_player()
        assert other.legal_actions()
        # the two flavours deal alike
        alike = full.view(seat).determinize(deal)
        assert fast.full_state(other) == alike
    # the last seat's goes on, in the flavour that checks ranges and invariants after each decision
    end = fast.full.random_playout(alike, deal)
    assert end.is_terminal()
    check_state(fast.full, end)


@each_ruleset
def test_the_pairs_differ_and_the_check_can_tell(ruleset: Ruleset) -> None:
    """Pairs that never differed would show nothing; and a pair made for one seat is told apart by another."""
    engine = game(*ruleset).full
    state = engine.new_initial_state(10)
    pairs = different = noticed = 0
    for number, _ in enumerate(walk(state, 10)):
        if number % 7:
            continue
        for seat in range(engine.num_players()):
            other = state.view(seat).determinize(number)
            neighbour = (seat + 1) % engine.num_players()
            pairs += 1
            different += other != state
            noticed += learned(engine, other, neighbour) != learned(engine, state, neighbour)
    if not hides_something(engine):
        # what is seen tells all that is hidden, so there is only one state that looks like this
        assert different == 0
        return
    assert different > pairs // 5
    # only what is hidden from all looks the same to everybody
    owned = any(z["visible"] == "owner" for f in engine.info["families"] for z in f["zones"])
    assert noticed > 0 or not owned


def pairs_of(ruleset: Ruleset, wanted: int, seed: int) -> int:
    """Check pairs that differ until there are so many of them; the number of games it took."""
    engine = game(*ruleset).full
    any_differ = hides_something(engine)
    found = games = 0
    dice = random.Random(seed)
    while found < wanted:
        games += 1
        assert games < wanted, "next to no pair differs"
        state = engine.new_initial_state(dice.randrange(2**32))
        for _ in walk(state, dice.randrange(2**32)):
            if dice.random() < 0.1:
                seat = dice.randrange(engine.num_players())
                differs = check_pair(engine, state, seat, dice.randrange(2**32))
                assert any_differ or not differs
                found += differs or not any_differ
    return games


@pytest.mark.parametrize("ruleset", all_rulesets("ys"), ids=ruleset_name)
def test_pairs_of_states_that_look_alike(ruleset: Ruleset) -> None:
    assert pairs_of(ruleset, 60, 2) >= 1


# ways to tell a seat more than it may know, in the parts that make a view and tell a story
def _shows_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = view_module._blank

    def leaking(view: Any) -> None:
        hands = list(view._masked.hand)
        blank(view)
        view._data = {**view.data, "leak": hands}

    monkeypatch.setattr(view_module, "_blank", leaking)


def _shows_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(View, "legal_actions", lambda self: list(self._masked.legal_actions()))
    monkeypatch.setattr(view_module, "_blank", _blank_but_for_options(view_module._blank))


def _blank_but_for_options(blank: Any) -> Any:
    def leaking(view: Any) -> None:
        options = view._masked.opts
        blank(view)
        view._masked.opts = options

    return leaking


@pytest.mark.parametrize("leak", [_shows_zones, _shows_options], ids=["zones", "options"])
def test_a_planted_leak_is_noticed(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views that show hands and decks, and views that show the options of others."""
    engine = game("yspahan", 3).full
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(20):
            state = engine.new_initial_state(seed)
            for number, _ in enumerate(walk(state, seed)):
                if number % 5 == 0:
                    for seat in range(3):
                        check_pair(engine, state, seat, number)


@pytest.mark.soak
@each_ruleset
def test_many_pairs_of_states_that_look_alike(ruleset: Ruleset) -> None:
    """A thousand pairs that differ; where nothing can differ, a thousand views that deal the state itself."""
    assert pairs_of(ruleset, 1000, 3) >= 5


@pytest.mark.soak
@each_ruleset
def test_every_position_of_some_games_deals_a_state(ruleset: Ruleset) -> None:
    engine = game(*ruleset)
    copies = [family["copies"] for family in engine.info["families"]]
    for seed in range(10):
        state = engine.new_initial_state(seed)
        for number, _ in enumerate(walk(state, seed)):
            for seat in range(engine.num_players()):
                view = state.view(seat)
                other = view.determinize(number)
                assert other.view(seat) == view
                assert pieces(engine, other) == copies
                assert engine.random_playout(other, number).is_terminal()
