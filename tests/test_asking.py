"""What is asked and what is not: forced decisions, what is pending, and the names of chance points."""

import random

import pytest

import rulewright
from rulewright.runtime.api import fields_of
from rulewright.runtime.errors import IllegalAction

RULES = """
state:
    offered: map Player to 0..9

pieces cards of Card by copies:
    deck hidden = all
    hand per Player visible to owner
    table

procedure play():
    for p in Player:
        deal 1 from deck to hand[p]
        deal 1 from deck to hand[p]
    for p in Player:
        choose n in 1 .. 3 by p as number
            where n == 1 or all(q in Player: offered[q] == 0)
        offered[p] = n
    for p in Player:
        choose c in hand[p] by p as first_card
        move c from hand[p] to table
        choose d in hand[p] by p as last_card
        move d from hand[p] to table
    for p in Player:
        choose a in 1 .. 3, b in 1 .. 3 by p as pair secretly say "picks {a} and {b}" others "picks a pair"
            where a < b
        score 1 to p for play
    draw e from deck to table
    roll luck in 1 .. 6
    score luck to first_one() for play

function first_one() -> Player = sort(p in Player: offered[p])[1]

outcome p in Player by score[p]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("specs") / "forced"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        "game: forced\ntitle: Forced\nplayers: [2]\nseats: [Ada, Bo]\nreasons: {play: play}\n"
    )
    (folder / "cards.yaml").write_text(
        "table: Card\nabout: Cards.\ncolumns:\n  copies: 0..9\nrows:\n  red: {copies: 3}\n  blue: {copies: 2}\n"
    )
    (folder / "all.rules").write_text(RULES.lstrip("\n"))
    return rulewright.compile(str(folder), players=2)


def labels(state, seed=1):
    """The decisions that are asked, with how many options; chosen at random without spending numbers on what is forced."""
    r, out = random.Random(seed), []
    while not state.is_terminal():
        actions = state.legal_actions()
        out.append((state.current_player(), state.pending()["choice"], len(actions)))
        state.apply_action(actions[0] if len(actions) == 1 else r.choice(actions))
    return out


def test_a_forced_decision_is_asked_only_if_one_wants_it(game):
    for flavour in (game, game.full):
        plain = flavour.new_initial_state(3)
        asking = flavour.new_initial_state(3, ask_forced=True)
        usual, all_of_them = labels(plain), labels(asking)
        assert (1, "number", 1) in all_of_them
        assert all(label != "number" for seat, label, _ in usual if seat == 1)
        # the game is the same
        assert [x for x in all_of_them if x[2] > 1] == [x for x in usual if x[2] > 1]
        assert plain.scores() == asking.scores()


def test_what_only_hidden_facts_force_is_always_asked(game):
    for flavour in (game, game.full):
        for asks in (False, True):
            seen = labels(flavour.new_initial_state(3, ask_forced=asks))
            # each has one card left, and the others can't see which
            assert seen.count((0, "last_card", 1)) == seen.count((1, "last_card", 1)) == 1


def test_flavours_agree_when_all_is_asked(game):
    for seed in range(5):
        fast = game.new_initial_state(seed, ask_forced=True)
        full = game.full.new_initial_state(seed, ask_forced=True)
        r = random.Random(seed)
        while not fast.is_terminal():
            assert fast.legal_actions() == full.legal_actions()
            assert fast.pending() == full.pending()
            assert game.full_state(fast) == full
            action = r.choice(fast.legal_actions())
            fast.apply_action(action)
            full.apply_action(action)
        assert full.is_terminal() and fast.scores() == full.scores()


def test_copies_saves_and_deals_go_on_asking(game):
    for flavour in (game, game.full):
        state = flavour.new_initial_state(3, ask_forced=True)
        assert state != flavour.new_initial_state(3) or flavour is game.full
        saved = flavour.from_dict(state.to_dict())
        view = state.view(0)
        expected = [label for _, label, _ in labels(state.clone())]
        for copy in (state.clone(), saved, view.determinize(5)):
            assert [label for _, label, _ in labels(copy)] == expected
        assert "ask_forced" not in flavour.new_initial_state(3).to_dict()


def test_other_states_pay_nothing_for_it(game):
    assert "asks_all" not in fields_of(game.new_initial_state(0))
    assert fields_of(game.new_initial_state(0)) == fields_of(
        game.new_initial_state(0, ask_forced=True)
    )


def test_an_asking_state_refuses_what_is_not_legal_and_stays_as_it_was(game):
    state = game.new_initial_state(3, ask_forced=True)
    before = state.clone()
    for action in (-1, 10**6, game.num_distinct_actions()):
        with pytest.raises(IllegalAction):
            state.apply_action(action)
    assert state == before


def test_pending_tells_the_chooser_everything_and_others_what_is_public(game):
    state = game.new_initial_state(3, ask_forced=True)
    while state.pending()["choice"] != "pair.b":
        state.apply_action(state.legal_actions()[0])
    asked = state.pending()
    assert asked["seat"] == 0 and asked["so_far"] == {"pair.a": 1} and asked["secret"]
    assert asked["domain"] == "1 .. 3"
    assert [o["value"] for o in asked["options"]] == [2, 3]
    assert [o["action"] for o in asked["options"]] == list(state.legal_actions())
    assert state.pending(0) == asked == state.view(0).pending()
    other = state.pending(1)
    assert other == state.view(1).pending()
    assert other["options"] is None and other["so_far"] == {}
    assert (other["seat"], other["choice"]) == (0, "pair.b")


def test_pending_of_a_hidden_hand_says_nothing_to_others(game):
    views = set()
    for seed in range(6):
        state = game.new_initial_state(seed)
        while state.pending()["choice"] != "first_card":
            state.apply_action(state.legal_actions()[0])
        assert {o["value"] for o in state.pending()["options"]} <= {"red", "blue"}
        views.add(str(state.pending(1)))
    assert len(views) == 1


def test_pending_at_the_end_is_nothing(game):
    state = game.random_playout(game.new_initial_state(1), 4)
    assert state.pending() is None and state.view(0).pending() is None


def test_chance_points_have_names_and_say_where_from_and_where_to(game):
    state = game.new_initial_state(chance="explicit")
    seen = []
    while not state.is_terminal():
        asked = state.pending()
        if state.is_chance_node():
            seen.append((asked["chance"], asked["name"], asked.get("from"), asked.get("to")))
            assert sum(o["odds"] for o in asked["outcomes"]) == pytest.approx(1)
            assert [o["action"] for o in asked["outcomes"]] == [
                a for a, _ in state.chance_outcomes()
            ]
            state.apply_action(asked["outcomes"][0]["action"])
        else:
            state.apply_action(state.legal_actions()[0])
    assert seen[0] == ("draw", "deck", "deck", "hand")
    assert seen[-2:] == [("draw", "e", "deck", "table"), ("roll", "luck", None, None)]


def test_what_may_be_drawn_from_a_hidden_deck_is_not_told_to_a_seat(game):
    """The outcomes of an open draw tell what is left in the deck, and with that what others hold."""
    state = game.new_initial_state(chance="explicit")
    told = set()
    while not state.is_terminal():
        if state.is_chance_node():
            asked = state.pending(0)
            told.add((asked["name"], asked["outcomes"] is None))
            dealt = state.view(0).determinize(3)
            assert dealt.view(0) == state.view(0)
            in_deck = set(dealt.to_dict()["zones"]["deck"])
            if asked["chance"] == "draw":
                assert {o["value"] for o in dealt.pending()["outcomes"]} == in_deck
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(state.legal_actions()[0])
    assert told == {("deck", True), ("e", True), ("luck", False)}


def test_the_switch_works_with_explicit_chance(game):
    state = game.new_initial_state(chance="explicit", ask_forced=True)
    seen = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            seen.append(state.pending()["choice"])
            state.apply_action(state.legal_actions()[0])
    assert seen.count("number") == 2


def test_a_step_that_a_secret_step_forces_is_asked_too(game):
    """With 2 chosen in secret only 3 is left; that nobody is asked for it would tell the others."""
    for flavour in (game, game.full):
        state = flavour.new_initial_state(3)
        while state.pending()["choice"] != "pair.a":
            state.apply_action(state.legal_actions()[0])
        state.apply_action(state.action_from_dict({"choice": "pair.a", "value": 2}))
        asked = state.pending()
        assert asked["choice"] == "pair.b" and [o["value"] for o in asked["options"]] == [3]
        assert state.view(1).pending()["options"] is None
