"""The first page of the tutorial, walked in a real browser; and the studio's pages at all widths, light and dark."""

import re
import time
from pathlib import Path

import pytest
import yaml
from browser_checks import PATIENCE, axe_complaints, is_too_wide
from playwright.sync_api import expect
from studio_pages import Designer, RealStudio, Work

pytestmark = pytest.mark.browser
SCORES = re.compile(r"A player scores ([\d.]+) points more \(([\d.]+) to ([\d.]+)\)")
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"


def test_the_five_minutes_of_the_tutorial(tmp_path, new_page):
    """As it is written there, with a studio that is started as it says; how long it takes is printed."""
    page = TUTORIAL.read_text()
    path = page[page.index("## Five minutes in the studio") : page.index("## On the command line")]
    # what the page names is what is clicked here
    for words in (
        "*Building*", "*camels*", "*gold*", "*Play it*", "*What does it do?*", "*Compare with the original*", "*Stop*",
        "*A page to share*", "*Undo*",
    ):  # fmt: skip
        assert words in path
    began = time.monotonic()
    studio = RealStudio(tmp_path, "yspahan", newcomer=True)
    try:
        work = Work(studio, tmp_path / "my-yspahan")
        d = Designer(new_page(1500, 950), studio)
        d.ready()
        walk(d, work)
        # what the page still asks for must not meet a server that stops
        d.page.close()
    finally:
        studio.stop()
    print(f"the path took {time.monotonic() - began:.0f} s")


def walk(d, work):
    before = work.texts()
    d.open("Building")
    d.set("camels", "hoist", 1)
    d.set("gold", "hoist", 0)
    assert d.errors() == 0
    assert "No mistake" in d.page.locator("#problem-count").inner_text()
    frame = d.play()
    # a turn begins with a group of dice
    begins = yaml.safe_load(work.text("view.yaml"))["asks"]["take_group"]
    turns = 0
    for _ in range(60):
        turns += frame.locator("#options h2").first.inner_text() == begins
        if turns > 3:
            break
        d.decide(frame, 1)
    assert turns > 3
    d.page.get_by_role("button", name="What does it do?").click()
    # who plays, how many games and when it ends is as a newcomer finds it
    d.page.get_by_role("button", name="Compare with the original").click()
    d.page.locator("#sentences").get_by_text(SCORES).wait_for(timeout=240_000)
    d.page.get_by_role("button", name="Stop").click()
    progress = d.page.locator("#compare-progress")
    expect(progress).to_contain_text(re.compile(r"^\d+ pairs of games"), timeout=PATIENCE)
    assert "hoist" in d.page.locator("pre.diff").inner_text()
    told = d.page.locator("#sentences").inner_text()
    more = SCORES.search(told)
    assert more and float(more[2]) <= float(more[1]) <= float(more[3])
    print(progress.inner_text(), told, sep="\n")
    assert d.page.locator("#compared tbody tr").count() >= 6
    with d.page.expect_download() as download:
        d.page.get_by_role("link", name="A page to share").click()
    assert "hoist" in Path(download.value.path()).read_text()
    d.undo_all()
    assert work.texts() == before


@pytest.fixture
def looking(real_studio, work, new_page):
    """Pages of one folder, of any size."""
    return lambda *size, **more: Designer(new_page(*size, **more), real_studio, work.root)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_pass_axe(looking, scheme):
    d = looking(1400, 900, color_scheme=scheme)
    page = d.page
    for name in ("Building", "Constants", "turn.rules", "The game", "Clauses"):
        d.open(name)
        assert axe_complaints(page) == [], name


def test_no_page_is_wider_than_the_screen(looking):
    d = looking(360, 800)
    for name in ("Building", "Souk", "turn.rules", "The game", "Clauses"):
        d.open(name)
        fits(d, name)
    d.page.get_by_role("link", name="Studio").click()
    fits(d, "the first page")


def fits(d, name):
    for width in (360, 800, 1280, 1920):
        d.page.set_viewport_size({"width": width, "height": 800})
        assert not is_too_wide(d.page), (name, width)
