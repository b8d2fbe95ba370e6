"""Scenarios that fail, and files of scenarios that are wrong, against the whole text that they must give.

UPDATE_GOLDEN=1 writes the texts anew.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from rulewright.compiler.text.diagnostics import render_all
from rulewright.conformance.outcomes import Run, run_suite
from rulewright.conformance.report import failure_text, is_fine, run_json, summary
from rulewright.conformance.suite import Suite, load_suite

HERE = Path(__file__).parent


def with_scenarios(file: Path, folder: Path) -> Suite:
    """The tiny spec with the scenarios of one file only."""
    path = folder / "stall"
    shutil.copytree(HERE / "stall", path, ignore=shutil.ignore_patterns("scenarios"))
    (path / "scenarios").mkdir()
    shutil.copy(file, path / "scenarios")
    return load_suite(path, "stall")


def report(suite: Suite, run: Run) -> str:
    parts = [render_all(run.problems, suite.spec.sources)]
    parts += [failure_text(o) for o in run.failed]
    return "\n".join([*(p for p in parts if p), summary(run)]) + "\n"


def compare(found: str, golden: Path) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


def test_the_tiny_spec_passes() -> None:
    run = run_suite(load_suite(HERE / "stall", "stall"))
    assert is_fine(run)
    assert summary(run) == "12 passed, 0 failed"


def test_failures(tmp_path: Path) -> None:
    suite = with_scenarios(HERE / "failing" / "all.yaml", tmp_path)
    run = run_suite(suite)
    compare(report(suite, run), HERE / "failing" / "all.txt")
    assert {o.name for o in run.outcomes if o.passed} == set()
    assert len(run.outcomes) == 1 + len(
        suite.scenarios
    )  # the first of them runs with two player counts


def test_several_processes_give_the_same(tmp_path: Path) -> None:
    suite = with_scenarios(HERE / "failing" / "all.yaml", tmp_path)
    here, there = run_suite(suite), run_suite(suite, jobs=2)
    assert there.outcomes == here.outcomes
    assert there.traces == here.traces


def test_stop_at_the_first_failure(tmp_path: Path) -> None:
    suite = with_scenarios(HERE / "failing" / "all.yaml", tmp_path)
    run = run_suite(suite, stop_at_failure=True)
    assert len(run.failed) == 1


def test_words_choose_scenarios() -> None:
    suite = load_suite(HERE / "stall", "stall")
    assert [o.name for o in run_suite(suite, "goods.melon").outcomes] == [
        "A melon is sold for four points"
    ]
    assert len(run_suite(suite, "flag UP marches").outcomes) == 1
    assert run_suite(suite, "no such words").outcomes == []


def test_json(tmp_path: Path) -> None:
    suite = with_scenarios(HERE / "failing" / "all.yaml", tmp_path)
    data = json.loads(json.dumps(run_json("stall", run_suite(suite, "illegal"))))
    assert (data["ok"], data["passed"], data["failed"]) == (False, 0, 1)
    (scenario,) = data["scenarios"]
    assert scenario["scenario"] == "an illegal decision"
    assert (scenario["file"], scenario["ruleset"]) == ("stall/scenarios/all.yaml", "2 players")
    assert scenario["covers"] == ["turn.pay"]
    (mismatch,) = scenario["mismatches"]
    assert mismatch["expected"] == "buy: melon"
    assert mismatch["came"] == "not legal: g.price <= coins[p] (turn.pay); legal is [pear, nothing]"
    assert scenario["last"] == ["stall/stall.rules", 42]


@pytest.mark.parametrize("file", sorted((HERE / "bad").glob("*.yaml")), ids=lambda p: p.stem)
def test_wrong_files(file: Path, tmp_path: Path) -> None:
    suite = with_scenarios(file, tmp_path)
    run = run_suite(suite)
    assert not is_fine(run)
    compare(report(suite, run), file.with_suffix(".txt"))


def test_a_file_that_does_not_belong(tmp_path: Path) -> None:
    suite = with_scenarios(HERE / "bad" / "yaml.yaml", tmp_path)
    (tmp_path / "stall" / "scenarios" / "notes.txt").write_text("notes")
    suite = load_suite(tmp_path / "stall", "stall")
    assert "stall/scenarios/notes.txt: error RW0303" in render_all(
        suite.problems, suite.spec.sources
    )
