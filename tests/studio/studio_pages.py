"""A real studio in a process of its own, and somebody at its page who only clicks and types."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from browser_checks import PATIENCE
from playwright.sync_api import expect

from rulewright.engines import spec_path


class RealStudio:
    """`rulewright studio` as a user starts it; it can be killed and started again at the same port."""

    def __init__(self, folder: Path, *words: str, newcomer: bool = False) -> None:
        """A newcomer has nothing in the cache, and no wish for engines that are not native."""
        self.folder, self.words, self.newcomer = folder, words, newcomer
        self.port = self.works = 0
        self.start()

    def start(self) -> None:
        command = [
            sys.executable, "-m", "rulewright", "studio", *self.words, "--no-browser", "--port", str(self.port),
            "--in", str(self.folder),
        ]  # fmt: skip
        env = {**os.environ, "XDG_DATA_HOME": str(self.folder / "data")}
        if self.newcomer:
            env.pop("RULEWRIGHT_NATIVE", None)
            env["RULEWRIGHT_CACHE"] = str(self.folder / "cache")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\S+", line)
            if found:
                break
        assert found, "the studio did not start"
        self.url, self.port = found[0], int(found[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def work(self, game: str = "yspahan") -> "Work":
        """A folder of its own with a game, as somebody has one."""
        self.works += 1
        root = self.folder / f"work{self.works}" / f"my-{game}"
        shutil.copytree(spec_path(game), root)
        return Work(self, root)


class Work:
    """A folder that is open in a studio."""

    def __init__(self, studio: RealStudio, root: Path) -> None:
        self.studio, self.root = studio, root

    def text(self, file: str) -> str:
        return (self.root / file).read_bytes().decode()

    def texts(self) -> dict[str, str]:
        files = [p for p in self.root.rglob("*") if p.suffix in (".yaml", ".rules")]
        return {p.relative_to(self.root).as_posix(): p.read_bytes().decode() for p in files}


class Designer:
    """Uses the page as a person does: by labels, clicks and keys."""

    def __init__(self, page, studio, root=None):
        self.page = page
        page.goto(studio.url)
        if root is not None:
            panel = page.get_by_role("region", name="Open a folder")
            panel.get_by_label("Folder").fill(str(root))
            panel.get_by_role("button", name="Open").click()
            self.ready()

    def ready(self):
        self.page.wait_for_selector("body[data-ready]")

    def open(self, name):
        """A part of the game, by its name in the list at the left."""
        button = self.page.locator("#nav").get_by_role(
            "button", name=re.compile(rf"^{re.escape(name)}( \d+)?$")
        )
        button.first.click()
        self.page.wait_for_selector("main:not([data-open=''])")

    def edit(self, variant):
        """A variant, or the base game, in the list at the top."""
        self.page.locator("#variant").select_option(variant)
        self.page.wait_for_selector("main:not([data-open=''])")

    def cell(self, column, row):
        return self.page.get_by_label(f"{column} of {row}", exact=True)

    def set(self, column, row, value):
        """A value typed into a cell, and Tab."""
        cell = self.cell(column, row)
        cell.wait_for()
        if cell.evaluate("e => e.tagName") == "SELECT":
            cell.select_option(value)
        else:
            cell.fill(str(value))
            cell.press("Tab")
        self.saved()

    def dialog(self, button, **fields):
        """What is asked in between: fields by name, then a button."""
        dialog = self.page.locator("#dialog")
        for name, value in fields.items():
            dialog.locator(f"input[name={name}]").fill(str(value))
        dialog.get_by_role("button", name=button, exact=True).click()

    def add_row(self, name):
        self.page.locator("#add-row").click()
        self.dialog("Add", name=name)
        self.page.locator(f'[data-row="{name}"]').wait_for()

    def copy_row(self, row, name):
        self.page.get_by_role("button", name=f"Copy: {row}", exact=True).click()
        self.dialog("Copy", name=name)
        self.page.locator(f'[data-row="{name}"]').wait_for()

    def members(self, column, row, *names):
        """Exactly these in a cell that holds a set."""
        self.cell(column, row).click()
        self.tick(*names)
        self.saved()

    def tick(self, *names):
        """Exactly these in a dialog of boxes."""
        dialog = self.page.locator("#dialog")
        for label in dialog.locator("fieldset label").all():
            box = label.locator("input")
            wanted = label.inner_text().strip() in names
            if box.is_checked() != wanted:
                box.set_checked(wanted)
        dialog.get_by_role("button", name="Done").click()

    def write(self, change):
        """The text of the editor, changed."""
        area = self.page.locator("textarea.code")
        area.wait_for()
        area.fill(change(area.input_value()))
        self.saved()

    def rules(self, file):
        self.open(file)
        self.page.wait_for_function(
            "f => document.querySelector('main h2')?.textContent === f", arg=file
        )

    def saved(self):
        self.page.wait_for_function(
            "() => document.getElementById('saved').textContent === 'Saved'"
        )

    def checked(self, errors=0):
        """Until the check of what is there now tells so many mistakes."""
        self.page.wait_for_selector(f'body[data-errors="{errors}"]')

    def until(self, fits):
        """What the server says of the folder, once it fits; a page can't be told to wait for a promise."""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            state = self.state()
            if fits(state):
                return state
            self.page.wait_for_timeout(80)
        raise AssertionError(state)

    def settled(self):
        """Until the check is about the files as they are, and for the number of players that is in sight."""
        shown = self.page.locator("body")
        players = int(self.page.locator("#players").input_value())
        self.until(
            lambda s: s["checked"] == s["version"]
            and s["players"] == players
            and shown.get_attribute("data-checked") == str(s["version"])
        )

    def errors(self):
        self.settled()
        found = int(self.page.locator("body").get_attribute("data-errors"))
        if found:
            print(self.page.locator("#problem-list").inner_text())
        return found

    def play(self):
        """A table with the rules as they are; its frame, when somebody is asked there."""
        self.page.get_by_role("button", name="Play it").click()
        return self.table()

    def table(self):
        frame = self.page.frame_locator("iframe.table-frame")
        frame.locator("#options .option:enabled").first.wait_for()
        return frame

    def decide(self, frame, times):
        for _ in range(times):
            self.choose(frame, 0)

    def choose(self, frame, number):
        """An option at the table beside the editor, and wait until somebody is asked again."""
        body = frame.locator("body")
        before = body.get_attribute("data-version")
        frame.locator("#options .option:enabled").nth(number).click()
        expect(body).not_to_have_attribute("data-version", before, timeout=PATIENCE)
        frame.locator("#options .option:enabled").first.wait_for()

    def state(self):
        return self.page.evaluate(
            "async () => (await (await fetch(location.pathname + '/index')).json()).state"
        )

    def undo_all(self):
        """*Undo*, until there is nothing more; each waits for the one before."""
        for _ in range(200):
            state = self.state()
            label = state["steps"]["undo"]
            if label is None:
                return
            self.page.locator("#undo:enabled").and_(self.page.get_by_title(label)).click()
            self.until(lambda s, before=state["version"]: s["version"] != before)
        raise AssertionError("there is no end to what can be undone")
