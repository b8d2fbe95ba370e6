"""The examples: no mistakes in them, and played to the end in both flavours alike."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

import rulewright
from rulewright.checking import check_folder
from rulewright.compiler.build import read_spec
from rulewright.compiler.text.diagnostics import render_all
from rulewright.conformance.outcomes import run_suite
from rulewright.conformance.report import failure_text, is_fine
from rulewright.conformance.suite import load_suite
from rulewright.engines import EXAMPLES, examples, games, spec_path


@pytest.mark.parametrize("name", examples())
def test_no_mistakes(name: str) -> None:
    spec = read_spec(EXAMPLES / name, name)
    found = check_folder(spec, EXAMPLES / name)
    assert not list(found), render_all(found, spec.sources)


@pytest.mark.parametrize("name", examples())
def test_played_alike(name: str) -> None:
    players = min(read_spec(EXAMPLES / name, name).folder.game.players)
    game = rulewright.compile(str(EXAMPLES / name), players=players)
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


@pytest.mark.parametrize("name", [n for n in examples() if (EXAMPLES / n / "scenarios").is_dir()])
def test_scenarios_without_clauses_hold(name: str) -> None:
    suite = load_suite(EXAMPLES / name, name)
    assert not suite.spec.folder.clauses and suite.scenarios
    run = run_suite(suite)
    assert is_fine(run) and len(run.outcomes) == len(suite.scenarios)


def test_a_scenario_without_clauses_fails_like_any_other(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / "beacons", tmp_path / "beacons")
    file = tmp_path / "beacons" / "scenarios" / "beacons.yaml"
    text = file.read_text(encoding="utf-8").replace("water: {pier: 0}", "water: {pier: 1}")
    file.write_text(text, encoding="utf-8")
    run = run_suite(load_suite(tmp_path / "beacons", "beacons"))
    assert [o.name for o in run.failed] == ["A beacon is lit where no water stands"]
    assert "covers" not in failure_text(run.failed[0])
