"""The examples: no mistakes in them, and played to the end in both flavours alike."""

from __future__ import annotations

import random

import pytest

import rulewright
from rulewright.checking import check_folder
from rulewright.compiler.build import read_spec
from rulewright.compiler.text.diagnostics import render_all
from rulewright.engines import EXAMPLES, examples, games, spec_path


@pytest.mark.parametrize("name", examples())
def test_no_mistakes(name: str) -> None:
    spec = read_spec(EXAMPLES / name, name)
    found = check_folder(spec, EXAMPLES / name)
    assert not list(found), render_all(found, spec.sources)


@pytest.mark.parametrize("name", examples())
def test_played_alike(name: str) -> None:
    game = rulewright.compile(str(EXAMPLES / name), players=2)
    fast, full = (g.new_initial_state(seed=5, ask_forced=True) for g in (game, game.full))
    luck = random.Random(name)
    for _ in range(60):
        if fast.is_terminal():
            break
        assert fast.legal_actions() == full.legal_actions()
        assert game.from_dict(fast.to_dict()) == fast
        action = luck.choice(list(fast.legal_actions()))
        assert full.view(fast.current_player()).data["legal"]
        fast.apply_action(action)
        full.apply_action(action)
    assert fast.is_terminal() == full.is_terminal() and fast.scores() == full.scores()


def test_found_by_name() -> None:
    assert not set(games()) & set(examples())
    assert spec_path("chess").resolve() == (EXAMPLES / "chess").resolve()


def test_options_make_rows() -> None:
    folder = str(EXAMPLES / "liars_dice")
    for dice in (1, 3):
        game = rulewright.compile(folder, players=2, options={"dice": dice})
        assert len(game.info["kinds"]["Bid"]["members"]) == 12 * dice
