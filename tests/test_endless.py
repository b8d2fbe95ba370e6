"""A game that never ends: whoever drives it counts its decisions, and the error names the innermost loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.bots import make
from rulewright.cli import main
from rulewright.play.session import Session
from rulewright.runtime.errors import EngineError
from rulewright.simulate.plan import make_plan
from rulewright.simulate.run import Crowd, SimulationError

GAME = "game: loops\nplayers: [2]\nseats: [A, B]\nmost_decisions: 500\n"
# the question stands in a procedure that is called from two places; the inner loop around it goes on
RULES = """\
state:
    n: 0..1 = 0

procedure play():
    for r in 1 .. 2:
        loop:
            for p in Player: ask(p)
            if n > 1: break
    for q in Player: ask(q)

procedure ask(p: Player):
    either by p as go_on:
        option left: n = 0
        option right: n = 1

outcome p in Player by n
"""


def loops(folder: Path, game: str = GAME, rules: str = RULES) -> Path:
    (folder / "loops").mkdir()
    (folder / "loops" / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "loops" / "loops.rules").write_text(rules, encoding="utf-8")
    return folder / "loops"


def told(error: BaseException) -> None:
    text = str(error)
    assert "loops.rules:7: RW1011: 500 decisions and no end" in text
    assert "the innermost loop, in play," in text


def test_playouts_of_both_flavours(tmp_path: Path) -> None:
    engine = rulewright.compile(loops(tmp_path), 2)
    for flavour in (engine, engine.full):
        state = flavour.new_initial_state(1)
        with pytest.raises(EngineError) as caught:
            flavour.random_playout(state, 1)
        told(caught.value)
        assert state == flavour.new_initial_state(1)
    with pytest.raises(EngineError):
        engine.module.playouts(1, 1)


def test_the_limit_is_large_unless_the_game_says_otherwise(tmp_path: Path) -> None:
    plain = GAME.replace("most_decisions: 500\n", "")
    engine = rulewright.compile(loops(tmp_path, plain), 2)
    assert engine.most_decisions == engine.module.MOST == 100_000
    # the count is no part of the rules nor of a state
    (tmp_path / "other").mkdir()
    other = rulewright.compile(loops(tmp_path / "other"), 2)
    assert other.most_decisions == 500 and other.info["hash"] == engine.info["hash"]


def test_simulations(tmp_path: Path) -> None:
    plan = make_plan(str(loops(tmp_path)), ["random"], 2, 1)
    with pytest.raises(SimulationError) as caught:
        list(Crowd(plan).rows())
    told(caught.value)


def test_a_game_that_is_played_and_recorded(tmp_path: Path) -> None:
    path = loops(tmp_path)
    session = Session.new(str(path), rulewright.load(str(path), 2), (), {}, 1, ["random", "random"])
    with pytest.raises(EngineError) as caught:
        while not session.over:
            session.bot_moves()
    told(caught.value)
    assert session.number == 500


def test_the_searching_bot_does_not_hang(tmp_path: Path) -> None:
    """Where only one thing can be done for ever, it is the walk down the tree that counts."""
    rules = RULES.replace("        option right: n = 1\n", "")
    hidden = rules.replace(
        "n: 0..1 = 0\n", "n: 0..1 = 0\n    h: map Player to 0..1 visible to owner\n"
    )
    text = hidden.replace(
        "    either by p as go_on:\n        option left: n = 0\n",
        "    choose k in 0 .. 1 by p as go_on secretly\n        where k == h[p] or n > 9\n",
    )
    engine = rulewright.compile(loops(tmp_path, rules=text.replace("n: 0..1", "n: 0..10")), 2)
    state = engine.new_initial_state(1)
    bot: Any = make("mcts:5", engine, tmp_path / "loops")
    with pytest.raises(EngineError) as caught:
        bot.search(state.view(state.current_player()), 1)
    assert "RW1011" in str(caught.value)


def test_the_command_tells_it_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["simulate", str(loops(tmp_path)), "-n", "1"])
    assert caught.value.code == 1
    assert "RW1011" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["0", "-5", "2000000000", "many", "[1]"])
def test_a_limit_that_is_none(tmp_path: Path, value: str) -> None:
    text = GAME.replace("500", value)
    with pytest.raises(Exception, match=r"RW0323|RW0132"):
        rulewright.compile(loops(tmp_path, text), 2)


def test_a_game_without_a_decision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its end is all there is to it; simulate and compare tell that."""
    rules = "procedure play():\n    for p in Player: score 3 to p for luck\n\noutcome p in Player by score[p]\n"
    path = loops(tmp_path, GAME + "reasons: {luck: luck}\n", rules)
    plan = make_plan(str(path), ["random"], 2, 3)
    for row in Crowd(plan).rows():
        assert (row.length, row.scores, row.reasons, row.course) == (0, [3, 3], [[3], [3]], [[3, 3]])  # fmt: skip
        assert row.periods == [[[3], [3]]]
    table = tmp_path / "t.csv"
    for words in (
        ["simulate", str(path), "-n", "3", "--out", str(table)],
        ["simulate", str(path), "-n", "3", "--format", "json"],
        ["report", str(table)],
        ["replay", str(table), "--game", "1", "--story"],
        ["compare", str(path), str(path), "-n", "3", "--bots", "random"],
    ):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 0, capsys.readouterr()
