"""Specs with one mistake each against the messages they must give; UPDATE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulewright.compiler.build import check_spec, read_spec
from rulewright.compiler.diagnostics import CODES, Problems, SpecError, render_all

BAD = Path(__file__).parents[1] / "bad"
GROUPS = ("names", "types", "hidden", "flow", "provenance")
CASES = sorted(path for group in GROUPS for path in (BAD / group).iterdir() if path.is_dir())


def messages(folder: Path) -> str:
    """All that reading and checking a folder has to say, the way the command line shows it."""
    try:
        spec = read_spec(folder, folder.name)
    except SpecError as error:
        return f"{error}\n"
    found = Problems()
    for problem in (*spec.problems, *check_spec(spec)):
        found.add(problem)
    return render_all(found, spec.sources) + "\n"


@pytest.mark.parametrize("folder", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_messages(folder: Path) -> None:
    golden = folder / "expected.txt"
    found = messages(folder)
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
    assert re.search(r"(error|warning) RW\d{4}: ", found), "the case must give a problem"
