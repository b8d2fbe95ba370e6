"""Engines that are kept are tuned for the interpreter: they play the same games as those in memory, and both have one engine in C."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from common import GAMES, sampled, tuned_game

from rulewright import EngineError, Game
from rulewright.compiler.build import read_spec
from rulewright.engines import EXAMPLES, SPECS, examples, game_of, games
from rulewright.native import module_name

MICRO = Path(__file__).parent / "micro"
FOLDERS = [
    *(SPECS / name for name in games()),
    *(EXAMPLES / name for name in examples()),
    *sorted(file.parent for file in MICRO.rglob("game.yaml")),
    *sorted(file.parent for file in (GAMES / "secret").rglob("game.yaml")),
]


def played_out(game: Game, state: Any) -> Any:
    """How games from there end, or what is said of one that has no end."""
    try:
        return [end.to_dict() for end in game.random_playouts(state, [5, 6])]
    except EngineError as error:
        return str(error)


@pytest.mark.parametrize("folder", sampled(FOLDERS, 4))
def test_the_same_games(folder: Path) -> None:
    spec = read_spec(folder)
    players = max(spec.folder.game.players)
    plain, tuned = game_of(spec, players), tuned_game(spec, players)
    choose = random.Random(folder.name)
    one, other = plain.new_initial_state(seed=3), tuned.new_initial_state(seed=3)
    for _ in range(80):
        assert one.to_dict() == other.to_dict()
        if one.is_terminal():
            break
        assert one.legal_actions() == other.legal_actions()
        action = choose.choice(list(one.legal_actions()))
        one.apply_action(action)
        other.apply_action(action)
    assert played_out(plain, one) == played_out(tuned, other)


@pytest.mark.parametrize("name", games())
def test_one_engine_in_c(name: str) -> None:
    """What is compiled from a spec is found by an engine that was kept, and the other way round."""
    spec = read_spec(SPECS / name)
    players = min(spec.folder.game.players)
    plain, tuned = game_of(spec, players), tuned_game(spec, players)
    assert module_name(plain.info) == module_name(tuned.info)
    assert plain.info["lines"] != tuned.info["lines"]
