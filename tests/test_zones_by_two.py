"""Zones for combinations of two kinds: named, shown, drawn, told and saved by both keys; the owner sees its own."""

from __future__ import annotations

import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import rulewright
from rulewright.conformance.outcomes import run_suite
from rulewright.conformance.report import is_fine
from rulewright.conformance.suite import load_suite
from rulewright.play.show import Screen
from rulewright.runtime.errors import SaveError
from rulewright.runtime.game import Game
from rulewright.scene.default_layout import plain_layout
from rulewright.scene.view_names import Names
from rulewright.web.board import Board

SPEC = Path(__file__).parent / "games" / "secret" / "lanes"


@pytest.fixture(scope="module")
def game() -> Game:
    return rulewright.compile(str(SPEC), players=2)


def reached(game: Game, seed: int, label: str) -> Any:
    """A position of a random game in which a choice is pending, and cards lie in rows and piles."""
    luck = random.Random(seed)
    state = game.new_initial_state(seed=seed, ask_forced=True)
    while state.view(0).data.get("choice") != label:
        state.apply_action(luck.choice(state.legal_actions()))
    return state


def test_scenarios_name_a_zone_by_both_keys() -> None:
    assert is_fine(run_suite(load_suite(SPEC, "lanes")))


def test_views_and_saves_name_both_keys(game: Game) -> None:
    state = reached(game, 3, "mark_lane")
    zones = state.to_dict()["zones"]
    assert list(zones["row"]) == ["0", "1"] and list(zones["row"]["0"]) == ["left", "right"]
    assert list(zones["shown"]) == ["left", "right"] and list(zones["shown"]["left"]) == ["0", "1"]
    assert sum(sum(z.values()) for z in zones["row"]["1"].values()) == 2
    seen = state.view(0).data
    assert seen["zones"]["row"]["0"] == zones["row"]["0"]
    assert all(set(z) == {"hidden"} for z in seen["zones"]["row"]["1"].values())
    assert [len(x) for x in seen["order"]["pile"]["0"].values()] == [1, 1]
    assert seen["order"]["pile"]["1"] == {"left": [None], "right": [None]}
    assert game.from_dict(state.to_dict()) == state


def test_a_save_with_a_key_left_out_is_refused(game: Game) -> None:
    saved = reached(game, 3, "mark_lane").to_dict()
    del saved["zones"]["row"]["1"]["left"]
    with pytest.raises(SaveError, match="left"):
        game.from_dict(saved)


def test_what_an_option_moves_is_told_with_the_lane(game: Game) -> None:
    state = reached(game.full, 5, "where_to")
    lane = state.to_dict()["state"]["lane_of"]["0"]
    other = "left" if lane == "right" else "right"
    told = state.preview(state.action_from_dict({"choice": "where_to", "value": other}))
    moves = [c for c in told["changes"] if c["what"] == "move"]
    assert [(m["at"], m["to_at"]) for m in moves] == [(["0", lane], ["0", other])]
    assert f"row of {other}" in told["text"]


def test_the_lanes_are_shown_apart(game: Game) -> None:
    state = reached(game, 3, "mark_lane")
    data = state.view(0).data
    names = Names.of(SPEC, game)
    console = Console(width=200, record=True, file=StringIO())
    Screen(plain_layout(names), names).show(console, data)
    told = console.export_text()
    page = "".join(Board(game, SPEC).render(data, 0, {}).values())
    lanes = [lane for lane, held in data["zones"]["row"]["0"].items() if held]
    assert all(f"{lane}: " in told for lane in lanes)
    assert all(f'<span class="name">{lane.capitalize()}</span>' in page for lane in lanes)
