"""The first page of the tutorial, walked in a real browser; and the studio's pages at all widths, light and dark."""

import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from studio_pages import Designer, RealStudio, Work

pytestmark = pytest.mark.browser
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    }
}


def test_the_five_minutes_of_the_tutorial(tmp_path, new_page):
    """As it is written there, with a studio that is started as it says; how long it takes is printed."""
    page = TUTORIAL.read_text()
    path = page[page.index("## Five minutes in the studio") : page.index("## On the command line")]
    # what the page names is what is clicked here
    for words in (
        "*Building*", "*camels*", "*gold*", "*Play it*", "*What does it do?*", "*Compare with the original*", "*Undo*",
    ):  # fmt: skip
        assert words in path
    began = time.monotonic()
    studio = RealStudio(tmp_path, "yspahan")
    try:
        work = Work(studio, tmp_path / "my-yspahan")
        d = Designer(new_page(1500, 950), studio)
        d.ready()
        walk(d, work)
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
    turns = 0
    for _ in range(60):
        turns += "take group" in frame.locator("#options h2").first.inner_text().lower()
        if turns > 3:
            break
        d.decide(frame, 1)
    assert turns > 3
    d.page.get_by_role("button", name="What does it do?").click()
    d.page.locator("select[name=games]").select_option("50")
    d.page.locator("select[name=bots]").select_option("random")
    d.page.get_by_role("button", name="Compare with the original").click()
    d.page.wait_for_function(
        "() => /^\\d+ pairs of games/.test(document.getElementById('compare-progress')?.textContent || '')",
        timeout=240_000,
    )
    assert "hoist" in d.page.locator("pre.diff").inner_text()
    assert d.page.locator("#sentences").inner_text()
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
        page.wait_for_timeout(300)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found] == [], name


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
        wide = d.page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        assert wide, (name, width)
