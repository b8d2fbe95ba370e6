"""States dealt from a view fit to what the decision under way tells of hidden pieces."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from common import game, walk

from rulewright import Game, RulewrightError
from rulewright.compiler.build import check_spec, read_spec
from rulewright.engines import game_of
from rulewright.runtime import deal as deals

GAME = """\
game: shows
title: Shows
players: [2]
seats: [Blue, Green]
"""
CARDS = "table: Card\nrows: {ace: {}, king: {}, queen: {}, jack: {}, ten: {}, nine: {}}\n"
RULES = """\
state:
    total: 0..9
pieces cards of Card by 1:
    deck hidden = all
    row
    hand per Player visible to owner
outcome p in Player by total + size(hand[p])

procedure play():
    for p in Player:
        deal 2 from deck to hand[p]
    for p in Player:
        either by p as what:
            option show say "shows a court card":
                where possible(show_court(p))
                show_court(p)
            option rest say "rests":
                total += 1

procedure show_court(p: Player):
    choose c in Card by p as shown
        where c in hand[p]
        where c in {king, queen}
    move c from hand[p] to row
"""


@pytest.fixture(scope="module")
def shows(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder: Path = tmp_path_factory.mktemp("shows")
    for name, text in (("game.yaml", GAME), ("cards.yaml", CARDS), ("play.rules", RULES)):
        (folder / name).write_text(text, encoding="utf-8")
    spec = read_spec(folder, "shows")
    assert [p.message for p in check_spec(spec).errors] == []
    return game_of(spec, 2)


def said_so(engine: Game) -> Any:
    """Blue, with king and queen, has said that a court card comes; which one is still to be chosen."""
    for seed in range(200):
        state = engine.new_initial_state(seed)
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[seed % len(state.legal_actions())])
        if set(hand(state, 0)) == {"king", "queen"}:
            state.apply_action(state.legal_actions()[0])
            assert state.current_player() == 0 and len(state.legal_actions()) == 2
            return state
    raise AssertionError("no seed deals king and queen")


def hand(state: Any, seat: int) -> tuple[str, ...]:
    cards = state.to_dict()["zones"]["hand"][str(seat)]
    return tuple(sorted(name for name, n in cards.items() if n))


def test_who_must_show_a_card_holds_one(shows: Game) -> None:
    """All hands with a court card come out, and no other."""
    state = said_so(shows)
    view = state.view(1)
    mine = hand(state, 1)
    dealt = set()
    for seed in range(400):
        other = view.determinize(seed)
        assert other.view(1) == view and other.legal_actions()
        assert shows.random_playout(other, seed).is_terminal()
        dealt.add(hand(other, 0))
    others = sorted({"ace", "king", "queen", "jack", "ten", "nine"} - set(mine))
    assert dealt == {two for two in combinations(others, 2) if {"king", "queen"} & set(two)}


def test_a_view_that_nothing_fits_is_told(shows: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    view = said_so(shows).view(1)
    monkeypatch.setattr(deals, "_MOST_DEALS", 0)
    with pytest.raises(RulewrightError, match=r"play\.rules:\d+: in 0 deals there was none"):
        view.determinize(1)


def test_a_building_card_that_was_announced_is_dealt() -> None:
    engine = game("yspahan", 2, ("two-player-sheet",))
    asked = 0
    for seed in range(6):
        state = engine.new_initial_state(seed)
        for _ in walk(state, seed):
            if engine.info["choices"][str(state.pc)]["label"] != "building_card":
                continue
            asked += 1
            view = state.view(1 - state.current_player())
            for number in range(60):
                assert view.determinize(number).legal_actions()
    assert asked > 2
