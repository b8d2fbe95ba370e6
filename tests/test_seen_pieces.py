"""Pieces that all have seen, dealt where they may be by now: in tiny games exactly the states come out that the rules lead to."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game
from rulewright.compiler.build import check_spec, read_spec
from rulewright.engines import game_of
from rulewright.runtime.errors import SaveError

GAME = "game: tiny\ntitle: Tiny\nplayers: [3]\nseats: [Ada, Bo, Cy]\n"
CARDS = """\
table: Card
columns: {copies: 1..2}
rows: {ace: {copies: 1}, king: {copies: KINGS}, six: {copies: 1}}
"""
# an open card is taken up, cards are stolen and drawn unseen, and the open one is called
RULES = """\
state:
    total: 0..9
    took: Card
pieces cards of Card by copies:
    deck hidden = all
    hand per Player visible to owner
    row

procedure play():
    for p in Player where p != first(): deal 1 from deck to hand[p]
    draw c from deck to row
    choose n in 0 .. 1 by first() as nod
    move c from row to hand[first()]
    took = c
    for p in Player: act(p.next, p)
    END

procedure act(p: Player, q: Player):
    either by p as act:
        option steals:
            where size(hand[q]) > 0
            deal 1 from hand[q] to hand[p]
        option draws:
            where size(deck) > 0
            deal 1 from deck to hand[p]
        option nods:
            total += 1

procedure wink(p: Player):
    choose n in 0 .. 1 by p as winks
    total += n

function holder(c: Card) -> Player = sort(x in Player where c in hand[x]: 0)[1]
function first() -> Player = sort(p in Player: 0)[1]
outcome p in Player by total + size(hand[p])
"""
CALLED = """wink(first())
    let q = reveal(holder(took))
    move took from hand[q] to row"""
ASKED = """if not reveal(took in hand[first()]): wink(first().next)
    elif reveal(six in hand[first()]): wink(first())
    else: wink(first().next.next)
    for q in Player:
        if reveal(took in hand[q]):
            wink(q)
            move took from hand[q] to row
            return"""


def tiny(folder: Path, kings: int, end: str) -> Game:
    texts = {
        "game.yaml": GAME,
        "cards.yaml": CARDS.replace("KINGS", str(kings)),
        "play.rules": RULES.replace("END", end),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    spec = read_spec(folder, "tiny")
    assert [p.message for p in check_spec(spec).errors] == []
    return game_of(spec, 3)


def all_states(engine: Game) -> list[Any]:
    """Every state in which somebody decides, whatever is decided and drawn."""
    edge: list[Any] = [engine.new_initial_state(chance="explicit")]
    found = set(edge)
    while edge:
        state = edge.pop()
        if state.is_terminal():
            continue
        actions = state.legal_actions()
        if state.is_chance_node():
            actions = [outcome for outcome, _ in state.chance_outcomes()]
        for action in actions:
            after = state.clone()
            after.apply_action(action)
            if after not in found:
                found.add(after)
                edge.append(after)
    return [s for s in found if not s.is_chance_node() and not s.is_terminal()]


@pytest.mark.parametrize(("kings", "end"), [(1, ASKED), (1, CALLED), (2, CALLED)])
def test_what_is_dealt_are_the_states_that_look_alike(tmp_path: Path, kings: int, end: str) -> None:
    """Where nothing but pieces all have seen tells where hidden ones lie, no state is left out, and none comes out that can't be."""
    engine = tiny(tmp_path, kings, end)
    states = all_states(engine)
    dice = random.Random(1)
    for seat in range(3):
        groups: dict[Any, set[Any]] = {}
        for state in states:
            groups.setdefault(state.view(seat), set()).add(state)
        ordered = sorted(groups.items(), key=lambda g: (-len(g[1]), repr(g[0].data)))
        assert len(ordered[0][1]) > 1
        for view, same in [*ordered[:6], *dice.sample(ordered, 12)]:
            dealt = {view.determinize(dice.getrandbits(50)) for _ in range(60 * len(same))}
            assert dealt == same


@pytest.mark.parametrize("kings", [1, 2])
def test_deals_are_played_on_whatever_was_stolen(tmp_path: Path, kings: int) -> None:
    engine, dice = tiny(tmp_path, kings, ASKED), random.Random(3)
    for state in dice.sample(sorted(all_states(engine), key=lambda s: repr(s.to_dict())), 60):
        for seat in range(3):
            other = state.view(seat).determinize(dice.getrandbits(50))
            assert engine.full.random_playout(other, dice.getrandbits(50)).is_terminal()


def test_a_save_whose_piece_lies_nowhere_it_may_be_is_refused(tmp_path: Path) -> None:
    """All saw the king go up into the first hand; a save that says so, but deals it to another, is wrong."""
    engine = tiny(tmp_path, 1, CALLED)
    for state in all_states(engine):
        data = json.loads(json.dumps(state.to_dict()))
        hands = data["zones"]["hand"]
        known = data["state"]["cards.places"]["king"]["1"]
        if known == [0] and hands["0"].get("king") and hands["1"].get("six"):
            hands["0"]["king"], hands["1"]["six"] = 0, 0
            hands["0"]["six"] = hands["0"].get("six", 0) + 1
            hands["1"]["king"] = 1
            with pytest.raises(SaveError, match="a piece of cards that all have seen lies in none"):
                engine.from_dict(data)
            return
    raise AssertionError("no such state")
