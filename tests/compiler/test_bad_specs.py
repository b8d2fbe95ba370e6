"""Specs with one mistake each against the messages they must give; UPDATE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulewright.checking import check_folder
from rulewright.compiler.build import read_spec
from rulewright.compiler.text.codes import CODES
from rulewright.compiler.text.diagnostics import SpecError, render_all

BAD = Path(__file__).parents[1] / "bad"
GROUPS = ("names", "types", "hidden", "flow", "provenance", "bounds", "files")
CASES = sorted(path for group in GROUPS for path in (BAD / group).iterdir() if path.is_dir())


def messages(folder: Path) -> str:
    """All that reading and checking a folder has to say, the way the command line shows it."""
    try:
        spec = read_spec(folder, folder.name)
    except SpecError as error:
        return f"{error}\n"
    return render_all(check_folder(spec, folder), spec.sources) + "\n"


@pytest.mark.parametrize("folder", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_messages(folder: Path) -> None:
    golden = folder / "expected.txt"
    found = messages(folder)
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")
    assert re.search(r"(error|warning) RW\d{4}: ", found), "the case must give a problem"


# codes that no folder in bad/ can show, and why; another test must name each of them
ELSEWHERE = {
    "RW0103": "a file that cannot be read cannot be kept under version control",
    "RW0105": "the file would be larger than 2 MB",
    "RW0119": "the file would hold more than 200,000 values",
    "RW0199": "the spec would hold more than 200 mistakes",
    "RW0209": "the file would hold more than 100,000 characters",
    "RW0222": "only formatting gives it, for files that are right",
    "RW0302": "the folder would hold more than 200 files",
    "RW0321": "the table would have more than 4,096 rows",
    "RW0420": "options are given by those who load a game, not by a spec",
    "RW0421": "options are given by those who load a game, not by a spec",
}


def test_every_code_has_a_case() -> None:
    shown = "".join(
        path.read_text(encoding="utf-8")
        for path in sorted(BAD.rglob("*"))
        if path.name == "expected.txt" or path.suffix == ".expected"
    )
    codes = {code for code in CODES if code < "RW10"}
    missing = {code for code in codes if not re.search(rf" {code}: ", shown)}
    assert missing == set(ELSEWHERE), "a code without a case in tests/bad, or one that has it now"
    tests = Path(__file__).parents[1]
    others = "".join(
        path.read_text(encoding="utf-8")
        for path in sorted(tests.rglob("test_*.py"))
        if path != Path(__file__)
    )
    assert {code for code in ELSEWHERE if code not in others} == set()


def test_every_code_is_used() -> None:
    root = Path(__file__).parents[2]
    source = "".join(
        path.read_text(encoding="utf-8")
        for pattern in ("compiler/**/*.py", "runtime/*.py", "rulewright/*.py")
        for path in sorted(root.glob(pattern))
        if path.name != "codes.py"
    )
    used = set(re.findall(r"RW\d{4}", source)) | {"RW0199"}  # which is given by Problems itself
    assert set(CODES) - used == set()
    assert used - set(CODES) == set()


def test_many_mistakes_in_one_run() -> None:
    """Mistakes of several files and stages of checking are told together, in the order of the text."""
    found = messages(BAD / "names" / "several")
    assert found.count(": error ") >= 6
    lines = [int(n) for n in re.findall(r"play\.rules:(\d+):\d+: error", found)]
    assert lines == sorted(lines)
    groups = {path.parent.name for path in CASES}
    assert groups == set(GROUPS)
    assert len(CASES) >= 130
