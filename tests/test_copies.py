"""States, views, games and bots go to other processes and come back as they were."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from common import reach, same

import rulewright
from rulewright.bots import make
from rulewright.engines import module_of
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game

RACE = Path(__file__).parent / "games" / "race"


def there_and_back(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def finished(state: Any) -> tuple[list[int], int, str]:
    """A state played on in another process."""
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    return state.scores(), state.rng, type(state).__name__


def sent_back(thing: Any) -> Any:
    return thing


def compiled(folder: Path) -> Any:
    return rulewright.compile(folder).new_initial_state(3)


def chosen(bot: Any, view: Any) -> int:
    return int(bot.choose(view, 7))


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
@pytest.mark.parametrize("copied", [there_and_back, copy.copy, copy.deepcopy])
def test_a_state_is_plain_data(copied: Any, chance: str) -> None:
    game = rulewright.load("ys", 3)
    state, _ = reach(game, 5, 60, chance)
    other = copied(state)
    assert same(other, state)
    assert type(other) is type(state)
    other.apply_action(other.legal_actions()[0])
    assert other != state


def test_a_state_that_asks_for_forced_decisions_goes_on_doing_so() -> None:
    game = rulewright.load("yspahan", 3)
    state = game.new_initial_state(1, ask_forced=True)
    other = there_and_back(state)
    assert type(other) is type(state)
    assert finished(other) == finished(state)


def test_a_view_a_game_and_a_history_too() -> None:
    game = rulewright.load("ys", 3)
    state, _ = reach(game, 5, 60)
    view = there_and_back(state.view(1))
    assert view == state.view(1)
    assert view.determinize(3) == state.view(1).determinize(3)
    assert there_and_back(game) is game
    assert there_and_back(game.full) is game.full
    memory = game.new_initial_state(1, remember=True)
    assert there_and_back(memory).information_state(0) == memory.information_state(0)


def test_in_another_process(tmp_path: Path) -> None:
    """One that shares nothing: the game is loaded there, by where it came from."""
    package = rulewright.load("yspahan", 3)
    folder = rulewright.compile(RACE)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for game in (package, folder, folder.full):
            state, _ = reach(game, 3, 4)
            assert pool.apply(finished, (state,)) == finished(state.clone())
            # and what comes back is of the game that it left
            assert pool.apply(sent_back, (game,)) is game
            assert same(pool.apply(sent_back, (state,)), state)
            assert pool.apply(sent_back, (state.view(0),)) == state.view(0)
        # what was made there is of the game that there is here already
        shutil.copytree(RACE, tmp_path / "race")
        mine = rulewright.compile(tmp_path / "race")
        assert same(pool.apply(compiled, (tmp_path / "race",)), mine.new_initial_state(3))
        state, _ = reach(package, 3, 20)
        seat = state.current_player()
        for name in ("random", "mcts:5", "builder"):
            bot = make(name, package)
            view = state.view(seat)
            assert pool.apply(chosen, (bot, view)) == chosen(bot, view), name


def test_a_game_from_nowhere_says_so() -> None:
    game = rulewright.load("yspahan", 3)
    text = Path(str(game.module.__file__)).read_text(encoding="utf-8")
    lost = Game(module_of(text, "lost"), game.info)
    assert there_and_back(lost) is lost, "in its own process it is there"
    call, (_, *rest) = lost.__reduce__()
    with pytest.raises(pickle.PicklingError, match="made from text"):
        call("nobody", *rest)


def test_other_rules_are_refused() -> None:
    game = rulewright.load("yspahan", 3)
    call, (_, source, _, flavour) = game.__reduce__()
    with pytest.raises(RulewrightError, match="are not those that it was made with"):
        call("nobody", source, "0123456789abcdef", flavour)
