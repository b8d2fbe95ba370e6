"""What holds for all tests: commands play interpreted and build nothing, unless a test asks for it; and a real browser, one for all."""

import os
import shutil
import signal
from pathlib import Path

import pytest

os.environ.setdefault("RULEWRIGHT_NATIVE", "0")
# what is started in the background ignores the keyboard, and so would the commands that tests interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that all processes of a run share, so that an engine that many commands need is built once."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"


@pytest.fixture(scope="session")
def chromium():
    """The browser; these tests fail without one, as nobody should think that they ran."""
    from playwright.sync_api import sync_playwright

    # the same engine without a window takes half of the processor's time
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    assert (
        path
    ), "no chromium was found: install Debian's package chromium, or name one by CHROMIUM=…"
    with sync_playwright() as playwright:
        # in a container the browser has no other fence to run in
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """Makes pages, each in a context of its own; what a page's scripts complain of fails the test."""
    from browser_checks import PATIENCE

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
                and "net::ERR_" not in message.text
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
