"""The first page of the tutorial, walked in a real browser; and the studio's pages at all widths, light and dark."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from studio_pages import Designer, RealStudio

pytestmark = pytest.mark.browser
TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    }
}


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    made = RealStudio(tmp_path_factory.mktemp("path"))
    yield made
    made.stop()


def test_the_five_minutes_of_the_tutorial(studio, new_page):
    page = TUTORIAL.read_text()
    path = page[page.index("## Five minutes in the studio") : page.index("## On the command line")]
    # what the page names is what is clicked here
    for words in (
        "*Building*",
        "*camels*",
        "*gold*",
        "*Play it*",
        "*What does it do?*",
        "*Compare with the original*",
        "*Undo*",
    ):
        assert words in path
    d = Designer(new_page(1500, 950), studio.url)
    before = studio.texts()
    d.open("Building")
    d.set("camels", "hoist", 1)
    d.set("gold", "hoist", 0)
    assert d.errors() == 0
    assert "No mistake" in d.page.locator("#problem-count").inner_text()
    d.page.get_by_role("button", name="Play it").click()
    frame = d.page.frame_locator("iframe.table-frame")
    for _ in range(3):
        frame.locator("#options .option:enabled").first.click()
        d.page.wait_for_timeout(500)
        frame.locator("#options .option:enabled").first.wait_for()
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
    assert studio.texts() == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_pass_axe(studio, new_page, scheme):
    page = new_page(1400, 900, color_scheme=scheme)
    d = Designer(page, studio.url)
    for name in ("Building", "Constants", "turn.rules", "The game", "Clauses"):
        d.open(name)
        page.wait_for_timeout(300)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found] == [], name


@pytest.mark.parametrize("width", [360, 800, 1280, 1920])
def test_no_page_is_wider_than_the_screen(studio, new_page, width):
    d = Designer(new_page(width, 800), studio.url)
    for name in ("Building", "Souk", "turn.rules", "The game", "Clauses"):
        d.open(name)
        assert d.page.evaluate(
            "() => document.documentElement.scrollWidth <= window.innerWidth"
        ), name
    d.page.goto(re.match(r"http://[^/]+", studio.url)[0] + "/studio")
    assert d.page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
