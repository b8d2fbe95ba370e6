"""The demo: what it prints and writes, and that the README shows it as it is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from doc_blocks import agrees, blocks, commands

from rulewright import demo

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").glob("*.md"))


def without_figures(text):
    """Output as it is but for its figures and its story, which change with bots."""
    before, _, rest = text.partition("How the first of these games ended:")
    _, _, after = rest.partition("The games are in")
    lines = [re.sub(r"\d+([.,]\d+)*", "0", line) for line in (before + after).splitlines()]
    return [" ".join(re.sub("─+", "─", line).split()) for line in lines if line.strip()]


@pytest.mark.wide
def test_the_demo_is_as_the_pages_show_it(tmp_path):
    """One run for all that is said of it, since it is the longest command there is."""
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    got = subprocess.run(
        [sys.executable, "-m", "rulewright.demo"], cwd=tmp_path, env=environment, text=True, timeout=900,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert got.returncode == 0, got.stderr
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["yspahan.csv", "yspahan.html"]
    assert f"{demo.GAMES} games" in got.stdout and "By seat" in got.stdout
    assert "rulewright play yspahan --seats human" in got.stdout
    the_readme_shows(got.stdout)
    pages = [(block, shown) for page in DOCS for block, shown in demos(page)]
    assert pages, "no page shows the demo any more"
    for block, shown in pages:
        assert agrees(shown, got.stdout), f"{block.where}\n{got.stdout}"


def demos(page):
    """The blocks of a page that type `make demo`, each with what it shows."""
    for block in blocks(page):
        if block.lang == "console":
            yield from (
                (block, shown) for command, shown in commands(block) if command == "make demo"
            )


def the_readme_shows(printed):
    """UPDATE_GOLDEN=1 writes what the demo prints now."""
    shown = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    text = README.read_text(encoding="utf-8")
    before, mark, rest = text.partition("<!-- demo -->\n```\n")
    old, end, after = rest.partition("```\n<!-- end of the demo -->\n")
    assert mark and end, "the marks around the demo are missing"
    if os.environ.get("UPDATE_GOLDEN"):
        README.write_text(f"{before}{mark}{shown}{end}{after}", encoding="utf-8")
    else:
        assert without_figures(old) == without_figures(shown), "UPDATE_GOLDEN=1 writes it anew"


def test_another_game_and_one_that_is_not_there(tmp_path):
    got = subprocess.run(
        [sys.executable, "-m", "rulewright.demo", "quoits"], cwd=tmp_path, text=True, capture_output=True, check=False
    )  # fmt: skip
    assert got.returncode == 2 and "there is no game 'quoits'" in got.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_folder_is_told(tmp_path):
    (tmp_path / "out").write_text("")
    got = subprocess.run(
        [sys.executable, "-m", "rulewright.demo"], cwd=tmp_path, text=True, capture_output=True, check=False
    )  # fmt: skip
    assert got.returncode == 1 and "Traceback" not in got.stderr and "out" in got.stderr
