"""Small games made to break dealing: what is dealt from a view can be played on, leaves out no state that may be, and gives nothing away."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import mutated
import pytest
from common import Ruleset, all_rulesets, ruleset_name, sampled
from common import game as game_of_package

from rulewright.bots import make
from rulewright.compiler.build import Spec, check_spec, read_spec
from rulewright.compiler.core.verify_core import check_core
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.text.diagnostics import render_all
from rulewright.engines import game_of
from rulewright.runtime.errors import SaveError
from rulewright.runtime.game import Game

FOLDER = Path(__file__).parent / "games" / "secret"
NAMES = sorted(p.parent.name for p in FOLDER.glob("*/game.yaml"))


@cache
def spec_of(name: str) -> Spec:
    return read_spec(FOLDER / name, f"tests/games/secret/{name}")


@cache
def game(name: str, players: int) -> Game:
    return game_of(spec_of(name), players)


RULESETS = [(name, players) for name in NAMES for players, _ in rulesets(spec_of(name).folder)]
each = pytest.mark.parametrize(("name", "players"), RULESETS)


def deals_played_on(engine: Game, seed: int, deals: int) -> None:
    """So many deals from views of a random game, or of several, each played to the end."""
    dice = random.Random(seed)
    left = deals
    while left > 0:
        state = engine.new_initial_state(dice.getrandbits(50))
        while not state.is_terminal() and left > 0:
            seat = dice.randrange(engine.num_players())
            view = state.view(seat)
            other = view.determinize(dice.getrandbits(50))
            assert other.view(seat) == view
            assert other.current_player() == state.current_player()
            assert engine.random_playout(other, dice.getrandbits(50)).is_terminal()
            left -= 1
            state.apply_action(dice.choice(state.legal_actions()))


def test_there_are_at_least_twelve() -> None:
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_the_specs_have_no_problems(name: str) -> None:
    spec = spec_of(name)
    assert render_all(check_spec(spec), spec.sources) == ""


@each
def test_the_tree_with_its_notes_is_sound(name: str, players: int) -> None:
    from rulewright.compiler.build import check_ruleset

    assert check_core(check_ruleset(spec_of(name), players)) == []


@each
def test_every_deal_can_be_played_on(name: str, players: int) -> None:
    engine = game(name, players)
    deals_played_on(engine, 1, 120)
    deals_played_on(engine.full, 2, 30)


@pytest.mark.soak
@each
@pytest.mark.parametrize("seed", range(4))
def test_two_thousand_deals_can_be_played_on(name: str, players: int, seed: int) -> None:
    deals_played_on(game(name, players), 100 + seed, 500)


@each
def test_flavours_agree_and_states_survive_json(name: str, players: int) -> None:
    engine = game(name, players)
    state, full = engine.new_initial_state(3), engine.full.new_initial_state(3)
    dice = random.Random(3)
    while not state.is_terminal():
        assert engine.full_state(state) == full
        assert engine.from_dict(json.loads(json.dumps(state.to_dict()))) == state
        action = dice.choice(state.legal_actions())
        state.apply_action(action)
        full.apply_action(action)
    assert full.is_terminal() and full.scores() == state.scores()


@each
def test_broken_saves_are_refused_or_as_good_as_real_ones(name: str, players: int) -> None:
    engine, dice = game(name, players), random.Random(7)
    refused = 0
    for number in range(16):
        state = engine.new_initial_state(number)
        for _ in range(dice.randrange(6)):
            if not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))
        data = mutated.broken(json.loads(json.dumps(state.to_dict())), dice)
        try:
            other = engine.from_dict(data)
        except SaveError:
            refused += 1
        else:
            mutated.check_state(engine, other, data)
            mutated.play_on(other, dice)
    assert refused > 6


def test_a_hidden_value_that_nobody_may_think_of_is_refused() -> None:
    """Two cards were laid one by one: both must lie there, and be two."""
    engine = game("apart", 2)
    state = engine.new_initial_state(1)
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    data = json.loads(json.dumps(state.to_dict()))
    assert engine.from_dict(data) == state
    plan, down = data["state"]["plan"]["0"], data["zones"]["down"]["0"]
    kinds = ("ace", "six", "king")
    for first in kinds:
        for second in kinds:
            there = dict(down)
            for card in (first, second):
                there[card] = there.get(card, 0) - 1
            plan["1"], plan["2"] = first, second
            if min(there.values()) < 0:
                with pytest.raises(SaveError, match="the piece of plan does not lie in down"):
                    engine.from_dict(data)
            else:
                engine.from_dict(data)


@pytest.mark.parametrize("name", NAMES)
def test_a_searching_bot_plays_some_decisions(name: str) -> None:
    engine = game(name, 2)
    bot = make("mcts:20", engine, FOLDER / name)
    state = engine.new_initial_state(5)
    for number in range(6):
        if state.is_terminal():
            break
        view = state.view(state.current_player())
        state.apply_action(bot.choose(view, number))


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", all_rulesets(), ids=ruleset_name)
@pytest.mark.parametrize("seed", range(4))
def test_two_thousand_deals_of_the_games(ruleset: Ruleset, seed: int) -> None:
    """A sample of these is in test_properties.py."""
    deals_played_on(game_of_package(*ruleset), 200 + seed, 500)


# ---------------------------------------------------------------- all states


def plain(view: Any) -> str:
    """What a seat sees on the table, without what is noted of hidden values."""
    return json.dumps({k: v for k, v in view.data.items() if k != "may_be"}, sort_keys=True)


def histories(engine: Game, decisions: int, most: int) -> list[tuple[Any, list[tuple[str, ...]]]]:
    """Every state after so many decisions at most, with what each seat has seen on the way there."""
    seats = range(engine.num_players())
    start = engine.full.new_initial_state(chance="explicit")
    edge: list[tuple[Any, int, list[tuple[str, ...]]]] = [
        (start, decisions, [(plain(start.view(s)),) for s in seats])
    ]
    out: list[tuple[Any, list[tuple[str, ...]]]] = []
    dice = random.Random(1)
    while edge:
        state, left, seen = edge.pop()
        if not state.is_chance_node():
            out.append((state, seen))
        if state.is_terminal() or (left == 0 and not state.is_chance_node()):
            continue
        actions = list(state.legal_actions())
        if state.is_chance_node():
            # of deals a sample will do; what is decided is gone through wholly
            actions = [outcome for outcome, _ in state.chance_outcomes()]
            dice.shuffle(actions)
            actions = actions[:2]
        for action in actions:
            after = state.clone()
            after.apply_action(action)
            now = [(*seen[s], plain(after.view(s))) for s in seats]
            edge.append((after, left - (not state.is_chance_node()), now))
        if len(out) >= most:
            break
    return out


ENUMERATED = [("picked", 3), ("pairs", 5), ("offered", 4), ("programmed", 5), ("bids", 3), ("roles", 5), ("drafted", 3),
    ("sealed", 4), ("passed", 4), ("peeked", 3), ("goals", 3), ("beside", 4), ("cups", 2), ("apart", 5), ("crib", 4), ("dark", 4),
    ("given", 4), ("robbed", 4), ("robbed", 6), ("lent", 4), ("held", 4), ("taken", 4), ("stolen", 4), ("handed", 5), ("recalled", 5), ("stacked", 3), ("decks", 3), ("lanes", 4),
    ("bundled", 4), ("bundled", 7), ("kept", 8), ("kept", 13),
    ("signs", 4), ("signs", 6)]  # fmt: skip


@pytest.mark.parametrize(("name", "decisions"), ENUMERATED)
def test_a_view_tells_nothing_beyond_what_the_seat_has_seen(name: str, decisions: int) -> None:
    """Whoever has seen the same all along has the same view: nothing hidden gets into it, what is noted of hidden values included."""
    found = histories(game(name, 2), decisions, 1500)
    for seat in range(2):
        by_seen: dict[tuple[str, ...], str] = {}
        shared = 0
        for state, seen in found:
            whole = json.dumps(state.view(seat).data, sort_keys=True)
            shared += seen[seat] in by_seen
            assert by_seen.setdefault(seen[seat], whole) == whole
        assert shared > 5


@pytest.mark.parametrize("case", sampled(ENUMERATED, 3), ids=lambda case: "-".join(map(str, case)))
def test_no_state_that_may_be_is_left_out(case: tuple[str, int]) -> None:
    name, decisions = case
    """Whatever the others may hold and have chosen, as far as a seat has seen, comes out of its view."""
    found = histories(game(name, 2), decisions, 1500)
    dice = random.Random(2)
    for seat in range(2):
        groups: dict[Any, set[Any]] = {}
        for state, _ in found:
            groups.setdefault(state.view(seat), set()).add(state)
        large = sorted(groups.items(), key=lambda g: -len(g[1]))[:6]
        assert len(large[0][1]) > 1
        for view, same in large:
            missing = set(same)
            for _ in range(20_000):
                missing.discard(view.determinize(dice.getrandbits(50)))
                if not missing:
                    break
            assert not missing, f"{len(missing)} of {len(same)} states never come out"


@pytest.mark.parametrize(("name", "decisions"), [("signs", 4), ("signs", 6), ("asked", 8)])
def test_a_hidden_set_is_dealt_as_it_may_be_and_in_no_other_way(name: str, decisions: int) -> None:
    """All states are gone through: what comes out of a view is one of those that have it, and each of them comes out."""
    found, dice = histories(game(name, 2), decisions, 100_000), random.Random(3)
    for seat in range(2):
        groups: dict[Any, set[Any]] = {}
        for state, _ in found:
            groups.setdefault(state.view(seat), set()).add(state)
        for view, same in sorted(groups.items(), key=lambda g: len(g[1]))[-80:]:
            dealt = {view.determinize(dice.getrandbits(50)) for _ in range(8 * len(same) + 20)}
            assert dealt <= same
        assert max(map(len, groups.values())) >= 6
