"""The examples of docs/scenarios.md: every construct that a scenario can use is shown, and every example holds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from doc_blocks import blocks

from rulewright.compiler.text.diagnostics import render_all
from rulewright.conformance.outcomes import run_suite
from rulewright.conformance.read import FACTS
from rulewright.conformance.report import failure_text
from rulewright.conformance.suite import load_suite
from rulewright.engines import SPECS

PAGE = Path(__file__).parents[1] / "docs" / "scenarios.md"
EXAMPLES = [b for b in blocks(PAGE) if b.lang == "yaml"]


@pytest.mark.parametrize("game", sorted({b.words[1] for b in EXAMPLES}))
def test_the_examples_hold(game: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SPECS / game, tmp_path / game))
    shutil.rmtree(folder / "scenarios")
    (folder / "scenarios").mkdir()
    for i, block in enumerate(b for b in EXAMPLES if b.words == ("for", game)):
        (folder / "scenarios" / f"example_{i}.yaml").write_text(block.text, encoding="utf-8")
    suite = load_suite(folder, game)
    run = run_suite(suite)
    assert not suite.problems.all(), render_all(suite.problems, suite.spec.sources)
    assert [failure_text(o) for o in run.failed] == []
    assert len(run.outcomes) >= 2


def test_everything_that_can_be_expected_is_shown() -> None:
    shown = "".join(b.text for b in EXAMPLES)
    keys = (
        *FACTS,
        "call",
        "chance",
        "refused",
        "because",
        "expect",
        "by",
        "given",
        "options",
        "variants",
        "seen",
    )
    assert [key for key in keys if f"{key}:" not in shown] == []  # fmt: skip
