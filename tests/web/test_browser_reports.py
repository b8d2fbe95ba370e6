"""Pages that commands write fit a phone: wide tables are moved sideways by themselves, not the page."""

import subprocess
import sys

import pytest
from browser_checks import is_too_wide

pytestmark = pytest.mark.browser

COMMANDS = {
    "ladder": [
        "ladder yspahan --bots random,greedy,builder,caravaneer --blocks 1 --interpreted --page page.html"
    ],
    "games": [
        "simulate yspahan --games 4 --bots greedy,builder --interpreted --out games.csv",
        "report games.csv --out page.html",
    ],
    "compare": [
        "compare yspahan yspahan+souks --players 3 --games 4 --bots random --interpreted --out page.html"
    ],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_page_is_wider_than_a_phone(name, new_page, tmp_path):
    for words in COMMANDS[name]:
        subprocess.run(
            [sys.executable, "-m", "rulewright", *words.split()],
            cwd=tmp_path, check=True, capture_output=True, timeout=300,
        )  # fmt: skip
    page = new_page(360, 740)
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("table").count()
    assert not is_too_wide(page)
