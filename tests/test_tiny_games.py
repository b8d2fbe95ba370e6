"""The tiny games and the sketches: played to the end in both flavours, saved, seen from each seat, and enumerated."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from common import sampled

from rulewright.compiler.build import Spec, check_spec, read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.text.diagnostics import render_all
from rulewright.engines import game_of
from rulewright.runtime.game import Game

GAMES = Path(__file__).parent / "games"
TINY = ["auction", "bluff", "race"]
SKETCHES = sorted(p.parent.name for p in (GAMES / "sketches").glob("*/game.yaml"))
FOLDERS = [*TINY, *(f"sketches/{name}" for name in SKETCHES)]
Ruleset = tuple[str, int, tuple[str, ...]]


@cache
def spec_of(folder: str) -> Spec:
    return read_spec(GAMES / folder, f"tests/games/{folder}")


@cache
def game(folder: str, players: int, variants: tuple[str, ...] = ()) -> Game:
    return game_of(spec_of(folder), players, variants)


def all_rulesets() -> list[Ruleset]:
    return [(f, n, names) for f in FOLDERS for n, names in rulesets(spec_of(f).folder)]


def name_of(ruleset: Ruleset) -> str:
    folder, players, variants = ruleset
    return "-".join([folder.replace("/", "-"), f"p{players}", *variants])


each_ruleset = pytest.mark.parametrize("ruleset", all_rulesets(), ids=name_of)


def walk(state: Any, seed: int) -> Iterator[int]:
    """Random decisions to the end; the caller has the state before each of them."""
    dice = random.Random(seed)
    for _ in range(5000):
        if state.is_terminal():
            return
        action = dice.choice(state.legal_actions())
        yield action
        state.apply_action(action)
    raise AssertionError("the game does not end")


# ---------------------------------------------------------------- checked and played


@pytest.mark.parametrize("folder", FOLDERS)
def test_spec_has_no_problems(folder: str) -> None:
    spec = spec_of(folder)
    assert render_all(check_spec(spec), spec.sources) == ""


def test_each_spec_is_for_several_player_counts_or_says_why_not() -> None:
    for folder in TINY:
        assert len(spec_of(folder).folder.game.players) > 1, folder


@each_ruleset
def test_flavours_agree_decision_by_decision(ruleset: Ruleset) -> None:
    fast = game(*ruleset)
    for seed in range(4):
        state, full = fast.new_initial_state(seed), fast.full.new_initial_state(seed)
        for action in walk(state, seed):
            assert state.current_player() == full.current_player()
            assert state.legal_actions() == full.legal_actions()
            assert fast.full_state(state) == full
            full.apply_action(action)
        assert full.is_terminal()
        assert fast.full_state(state) == full
        assert state.scores() == full.scores()
        assert state.returns() == full.returns()
        assert sum(state.returns()) == pytest.approx(1)
        for who, reasons in enumerate(state.score_breakdown()):
            assert sum(reasons.values()) == state.scores()[who]


@each_ruleset
def test_states_survive_json(ruleset: Ruleset) -> None:
    fast = game(*ruleset)
    for flavour in (fast, fast.full):
        state = flavour.new_initial_state(5)
        for action in walk(state, 5):
            again = flavour.from_dict(json.loads(json.dumps(state.to_dict())))
            assert again == state
            assert hash(again) == hash(state)
            again.apply_action(action)
            went_on = state.clone()
            went_on.apply_action(action)
            assert again == went_on


@each_ruleset
def test_a_view_gives_states_that_look_the_same(ruleset: Ruleset) -> None:
    fast = game(*ruleset)
    for flavour in (fast, fast.full):
        state = flavour.new_initial_state(9)
        for step, action in enumerate(walk(state, 9)):
            for seat in range(flavour.num_players()):
                view = state.view(seat)
                other = view.determinize(step)
                assert other.view(seat) == view
                assert other.current_player() == state.current_player()
                if state.current_player() == seat:
                    assert view.legal_actions() == state.legal_actions()
                    assert other.legal_actions() == state.legal_actions()
                # what came out of the view is a state like any other
                end = flavour.random_playout(other, step)
                assert end.is_terminal()
            assert action in state.legal_actions()


@each_ruleset
def test_the_same_seed_gives_the_same_game(ruleset: Ruleset) -> None:
    fast = game(*ruleset)
    ends = []
    for _ in range(2):
        state = fast.new_initial_state(3)
        for _ in walk(state, 3):
            pass
        ends.append(state.to_dict())
    assert ends[0] == ends[1]


# ---------------------------------------------------------------- all states


def reachable(start: Any, decisions: int) -> set[Any]:
    """Every state up to a number of decisions, whatever chance and the players do."""
    found = {start}
    edge = [(start, decisions)]
    while edge:
        state, left = edge.pop()
        if state.is_terminal() or (left == 0 and not state.is_chance_node()):
            continue
        if state.is_chance_node():
            actions = [outcome for outcome, _ in state.chance_outcomes()]
        else:
            actions = state.legal_actions()
            left -= 1
        for action in actions:
            after = state.clone()
            after.apply_action(action)
            if after not in found:
                found.add(after)
                edge.append((after, left))
    return found


def by_view(states: set[Any], seat: int) -> dict[Any, set[Any]]:
    groups: dict[Any, set[Any]] = {}
    for state in states:
        groups.setdefault(state.view(seat), set()).add(state)
    return groups


@cache
def enumerated(folder: str, players: int, decisions: int) -> set[Any]:
    return reachable(game(folder, players).full.new_initial_state(chance="explicit"), decisions)


ENUMERATED = [("bluff", 2, 5), ("bluff", 3, 3), ("auction", 2, 2), ("auction", 3, 2)]


@pytest.mark.parametrize("ruleset", sampled(ENUMERATED, 2), ids=lambda r: "-".join(map(str, r)))
def test_determinize_reaches_every_state_with_the_same_view(ruleset: tuple[str, int, int]) -> None:
    folder, players, decisions = ruleset
    states = enumerated(folder, players, decisions)
    assert len(states) >= 300
    largest = 0
    for seat in range(players):
        groups = by_view(states, seat)
        # the seat can't tell everything apart, and it is not blind either
        assert 1 < len(groups) < len(states)
        for view, same in groups.items():
            largest = max(largest, len(same))
            reached: set[Any] = set()
            for seed in range(60 + 40 * len(same)):
                other = view.determinize(seed)
                assert other.view(seat) == view
                reached.add(other)
                if seed >= 20 and reached == same:
                    break
            assert reached == same, view.data
            # what comes out hangs on the view alone: a view of any of these states gives the same
            for state in same:
                for seed in (0, 1):
                    assert state.view(seat).determinize(seed) == view.determinize(seed)
    assert largest >= 6


@pytest.mark.parametrize(("folder", "players", "decisions"), ENUMERATED)
def test_nobody_learns_what_others_hold(folder: str, players: int, decisions: int) -> None:
    """What a view shows of another seat's hidden zones and state is their size and nothing else."""
    hidden = {"bluff": ("hand",), "auction": ("taste",)}[folder]
    for state in enumerated(folder, players, decisions):
        for seat in range(players):
            data = state.view(seat).data
            for zone in hidden:
                for owner, content in data["zones"][zone].items():
                    assert (set(content) == {"hidden"}) == (owner != str(seat))
            if folder == "auction":
                for owner, value in data["state"]["bid"].items():
                    assert (value == {"hidden": True}) == (owner != str(seat))


# ---------------------------------------------------------------- single rules


def play(state: Any, *values: object) -> Any:
    """Carry out decisions and outcomes of chance by their names."""
    for value in values:
        options = list(state.legal_actions())
        if state.is_chance_node():
            options = [outcome for outcome, _ in state.chance_outcomes()]
        names = {state.action_to_dict(action)["value"]: action for action in options}
        state.apply_action(names[value])
    return state


def test_race_a_one_loses_what_was_gathered() -> None:
    state = game("race", 2).new_initial_state(chance="explicit")
    play(state, 5, "again", 6, "again", 1)
    assert state.to_dict()["state"]["place"] == {"0": 0, "1": 0}
    play(state, 4, "stop")
    # the spring on square 4 carries on by one
    assert state.to_dict()["state"]["place"] == {"0": 0, "1": 5}


def test_race_changing_places_on_the_gate() -> None:
    state = game("race", 2).new_initial_state(chance="explicit")
    play(state, 6, "stop", 6, "again", 5, "stop")
    assert state.current_player() == 1
    assert [r["text"] for r in state.why_not("change_with", 1)] == ["other != me"]
    play(state, 0)
    assert state.to_dict()["state"]["place"] == {"0": 11, "1": 6}


def test_race_first_player_is_an_option() -> None:
    other = game_of(spec_of("race"), 3, (), {"first_player": 2})
    state = other.new_initial_state(chance="explicit")
    assert play(state, 3).current_player() == 2


def test_bluff_looking_at_a_card_tells_the_believer_alone() -> None:
    state = game("bluff", 3).new_initial_state(chance="explicit")
    play(state, "mouse", "cat", "cat", "dog", "dog", "mouse")
    play(state, "dog", "cat", "believe")
    hidden = {"hidden": True}
    assert [state.view(s).data["pieces"]["Laid"]["1"]["value"] for s in range(3)] == [
        "cat",
        hidden,
        hidden,
    ]
    play(state, "yes")
    assert [state.view(s).data["pieces"]["Laid"]["1"]["value"] for s in range(3)] == [
        "cat",
        "cat",
        hidden,
    ]
    assert state.scores() == [1, 0, 0]


def test_bluff_a_caught_lie_scores_for_the_challenger() -> None:
    state = game("bluff", 2).new_initial_state(chance="explicit")
    play(state, "mouse", "cat", "cat", "dog", "dog", "cat", "challenge")
    assert state.scores() == [0, 2]
    assert state.view(1).data["zones"]["gone"] == {"cat": 1}


def test_auction_ties_go_to_who_has_fewer_lots() -> None:
    state = game("auction", 2).new_initial_state(chance="explicit")
    play(state, "pot", "rug", "pot", 1, 0)
    assert state.to_dict()["state"]["coins"] == {"0": 2, "1": 3}
    play(state, "lamp", 2, 2)
    assert state.to_dict()["zones"]["bought"] == {"0": {"pot": 1}, "1": {"lamp": 1}}
    play(state, "rug", 1, 1)
    # one lot each: nobody gets it
    assert state.to_dict()["zones"]["box"] == {"rug": 1}
    assert state.is_terminal()
    # a pot of the right taste and two coins; a lamp and a coin
    assert state.scores() == [1 + 2 + 2, 3 + 1]
    assert state.returns() == [1.0, 0.0]
