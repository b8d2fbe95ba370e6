"""A server inside the test, and people who talk with it as a browser would."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from starlette.testclient import TestClient, WebSocketTestSession

from rulewright.web.app import make_app
from rulewright.web.settings import Limits, Settings
from rulewright.web.store import open_store

BASE = "http://localhost"
# seconds without any message, after which a test gives up
PATIENCE = 90
ORIGIN = {"origin": BASE}
# a test is one visitor that asks faster than any
MANY = (100_000, 100_000.0)
ROOMY = Limits(
    bot_processes=1, new_tables=MANY, pages=MANY, messages=MANY, advice=MANY, replays=MANY
)  # fmt: skip


@contextmanager
def serving(
    path: Path, limits: Limits | None = None, folders: tuple[str, ...] = ()
) -> Iterator[Any]:
    settings = Settings(limits=limits or ROOMY)
    app = make_app(settings, open_store(str(path / "tables.sqlite")), folders)
    with TestClient(app, base_url=BASE, headers=ORIGIN, follow_redirects=False) as client:
        yield client


def make_table(client: Any, game: str, seats: list[str], **fields: str) -> str:
    """A table made by the lobby's form; its id."""
    data = {"game": game, "players": str(len(seats)), **fields}
    data |= {f"seat{i}": who for i, who in enumerate(seats)}
    response = client.post("/tables", data=data)
    assert response.status_code == 303, response.text
    return str(response.headers["location"].removeprefix("/table/"))


def other_browser(client: Any) -> TestClient:
    """Somebody else at the same server, in the same loop: no cookie of the first."""
    other = TestClient(client.app, base_url=BASE, headers=ORIGIN, follow_redirects=False)
    other.portal = client.portal
    return other


@dataclass
class Person:
    """A browser at a table: it keeps what it was sent, as the page would."""

    socket: WebSocketTestSession
    html: dict[str, str] = field(default_factory=dict)
    story: list[str] = field(default_factory=list)
    version: int = -1
    mine: bool = False
    raw: list[str] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)

    def hear(self) -> dict[str, Any]:
        text = self.socket.portal.call(self._receive)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "patch":
            if "options" in message["html"]:
                # what the options before them brought goes with them
                self.html = {k: v for k, v in self.html.items() if not k.startswith("preview-")}
            self.html |= message["html"]
            start, items = message["story"]
            self.story[start:] = items
            self.version, self.mine = message["version"], message["mine"]
        else:
            self.answers.append(message)
        return message

    async def _receive(self) -> str:
        with anyio.fail_after(PATIENCE):
            message = await self.socket._send_rx.receive()
        assert message["type"] == "websocket.send", message
        return str(message["text"])

    def until(self, version: int) -> None:
        while self.version < version:
            self.hear()

    def until_mine(self) -> None:
        while not self.mine and not self.over:
            self.hear()

    def answer(self) -> dict[str, Any]:
        """The next message that is no patch."""
        while True:
            message = self.hear()
            if message["type"] != "patch":
                return message

    def say(self, type_: str, **rest: Any) -> None:
        self.socket.send_text(json.dumps({"type": type_, **rest}))

    @property
    def actions(self) -> list[int]:
        import re

        return [int(a) for a in re.findall(r'data-action="(\d+)"', self.html["options"])]

    @property
    def over(self) -> bool:
        return "<table>" in self.html.get("result", "")

    def choose(self, action: int, version: int | None = None) -> None:
        """Decide, and wait until that counts."""
        before = self.version
        self.say("choose", version=before if version is None else version, action=action)
        self.until(before + 1)


@contextmanager
def sitting(client: Any, table: str) -> Iterator[Person]:
    with client.websocket_connect(f"ws://localhost/table/{table}/socket") as socket:
        person = Person(socket)
        person.hear()
        yield person


def links(page: str) -> list[str]:
    import re

    return re.findall(r'value="http://localhost(/table/[^"]+/join/[^"]+)"', page)
