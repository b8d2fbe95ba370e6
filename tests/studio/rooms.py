"""The studio's rooms → pictures of them, taken in a real browser: `PYTHONPATH=tests python tests/studio/rooms.py FOLDER`.

`--docs` takes the few that stand in docs/studio.md; without it every room is taken, at three widths, light and dark.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from browser_checks import PATIENCE, at_rest
from playwright.sync_api import sync_playwright
from studio_pages import Designer, RealStudio

WIDTHS = (800, 1280, 1920)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")


class Rooms:
    """Each method opens one room as it looks while somebody works there."""

    def __init__(self, d, studio):
        self.d, self.page, self.studio = d, d.page, studio

    def grid(self):
        self.d.open("Building")
        self.d.cell("camels", "hoist").wait_for()

    def places(self):
        self.d.open("Shop")
        self.page.locator("[data-row]").first.wait_for()

    def variant(self):
        self.d.edit("souks")
        self.d.open("CardKind")
        self.page.locator("td.changed, tr.added").first.wait_for()

    def constants(self):
        self.d.open("Constants")
        self.page.locator("[data-row]").first.wait_for()

    def uses(self):
        self.d.open("Building")
        self.page.get_by_role("button", name="What it is used for: hoist", exact=True).click()
        self.page.locator("#side h2").wait_for()

    def mistake(self):
        self.d.open("Building")
        self.d.set("camels", "hoist", 99)
        self.page.locator(".cell-problem").first.wait_for()

    def rules(self):
        self.d.rules("turn.rules")
        area = self.page.locator("textarea.code")
        area.fill(area.input_value().replace("draw_card(p)", "draw_cart(p)", 1))
        self.page.locator(".copy .error").first.wait_for()
        self.page.locator("#main").evaluate("e => e.scrollTo(0, 0)")

    def hover(self):
        self.d.rules("turn.rules")
        word = self.page.locator(".copy div", has_text="draw_card(").first.bounding_box()
        self.page.mouse.move(word["x"] + 90, word["y"] + 10)
        self.page.locator("#tip").wait_for()

    def completion(self):
        self.d.rules("turn.rules")
        area = self.page.locator("textarea.code")
        area.press("Control+End")
        area.press_sequentially("    dr")
        self.page.locator("#complete li").first.wait_for()

    def palette(self):
        self.d.open("CardKind")
        self.page.locator("#show-palette").click()
        self.page.locator(".palette-item").first.wait_for()

    def board(self):
        self.d.open("The board")
        self.page.locator(".studio-board .place").first.wait_for()

    def clauses(self):
        self.d.open("Building")
        self.d.set("camels", "hoist", 1)
        self.d.settled()
        self.d.open("Clauses")
        self.page.locator("#run-scenarios").click()
        self.page.locator(".heap").first.wait_for()

    def margins(self):
        self.d.rules("buildings.rules")
        self.page.locator(".gutter .m-run").first.wait_for()

    def compare(self):
        self.d.open("Building")
        self.d.set("camels", "hoist", 1)
        self.d.settled()
        self.page.locator("#compare").click()
        self.page.locator("#start-compare").click()
        self.page.get_by_role("link", name="A page to share").wait_for(timeout=3 * PATIENCE)

    def table(self):
        self.d.open("Building")
        frame = self.d.play()
        self.d.decide(frame, 3)

    def position(self):
        self.page.locator("#set-up").click()
        self.page.locator("#play-position").wait_for()

    def scenario(self):
        self.page.locator("#write-scenario").click()
        self.page.locator("#scenario-options button").first.wait_for()

    def game(self):
        self.d.open("The game")
        self.page.locator("#new-variant").wait_for()

    def dialog(self):
        self.d.open("RoadSquare")
        self.page.locator("button.set").first.click()
        self.page.locator("#dialog fieldset").wait_for()

    def start(self):
        self.page.keyboard.press("Escape")
        self.page.get_by_role("link", name="Studio").click()
        self.page.get_by_role("region", name="Open a folder").wait_for()


# what begins with the files as they are; the rooms behind it go on in the same page
WALKS = (
    ("grid", "places", "variant", "constants", "game", "dialog", "start"),
    ("uses",), ("mistake",), ("rules",), ("hover",), ("completion",), ("palette",), ("board",),
    ("clauses", "margins"), ("compare",), ("table", "position", "scenario"),
)  # fmt: skip
DOCS = {"grid", "hover", "board", "margins"}


def walk(studio, browser, names, shot):
    """One walk through some rooms, each looked at when it is open."""
    work = studio.work()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    rooms = Rooms(Designer(page, studio, work.root), studio)
    rooms.d.settled()
    for name in names:
        getattr(rooms, name)()
        shot(page, name)
    context.close()
    shutil.rmtree(work.root)


def everything(folder, sizes, schemes):
    def shot(page, name):
        for width in sizes:
            page.set_viewport_size({"width": width, "height": 900})
            for scheme in schemes:
                page.emulate_media(color_scheme=scheme)
                at_rest(page)
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
        page.set_viewport_size({"width": 1280, "height": 900})

    return shot


def for_docs(folder):
    def shot(page, name):
        if name in DOCS:
            at_rest(page)
            page.screenshot(path=folder / f"studio-{name}.png")

    return shot


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--rooms", nargs="+", help="only the walks with these")
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.docs:
        shot = for_docs(given.folder)
    else:
        shot = everything(given.folder, given.widths, ("light", "dark"))
    wanted = DOCS if given.docs else given.rooms
    path = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        studio = RealStudio(Path(place))
        try:
            for names in WALKS:
                if not wanted or set(wanted) & set(names):
                    walk(studio, browser, names, shot)
        finally:
            browser.close()
            studio.stop()


if __name__ == "__main__":
    main()
