"""Broken rules files against the messages they must give; UPDATE_GOLDEN=1 writes them anew."""

import os
from pathlib import Path

import pytest

from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources

FOLDER = Path(__file__).parents[1] / "bad" / "syntax"
CASES = sorted(FOLDER.glob("*.rules"))


def messages(path: Path) -> str:
    sources, problems = Sources(), Problems()
    parse_rules(sources.add(path.name, path.read_text(encoding="utf-8")), problems)
    return render_all(problems, sources) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_messages(path: Path) -> None:
    golden = path.with_suffix(".expected")
    found = messages(path)
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
    assert "error RW02" in found


def test_there_are_enough_and_none_is_left_over() -> None:
    assert len(CASES) >= 20
    assert {path.stem for path in CASES} == {path.stem for path in FOLDER.glob("*.expected")}
