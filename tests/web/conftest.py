"""A real server in a process of its own, and a real browser."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# what waits for a page waits this long at most, in milliseconds
PATIENCE = 60_000


class RealServer:
    """`rulewright serve` as a user starts it; it can be killed and started again at the same port."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder, self.words = folder, words
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [
            sys.executable, "-m", "rulewright", "serve", "--no-browser", "--port", str(self.port),
            *([] if "--store" in self.words else ["--store", str(self.folder / "tables.sqlite")]), *self.words,
        ]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"the server did not start: {line!r}"
        self.port = int(found[1])
        self.url = found[0]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="module")
def real_server(tmp_path_factory):
    server = RealServer(tmp_path_factory.mktemp("real"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium():
    """The browser; these tests fail without one, as nobody should think that they ran."""
    from playwright.sync_api import sync_playwright

    path = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    assert (
        path
    ), "no chromium was found: install Debian's package chromium, or name one by CHROMIUM=…"
    with sync_playwright() as playwright:
        # in a container the browser has no other fence to run in
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """Makes pages, each in a context of its own; what a page's scripts complain of fails the test."""
    contexts, complaints = [], []

    def make(width=1280, height=900, **more):
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text)
                if message.type == "error"
                and "ERR_CONNECTION" not in message.text
                and "WebSocket connection" not in message.text
                and "(Bad Request)" not in message.text
                else None
            ),
        )
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []
