"""People at real sockets of a real server: for what can't be seen inside one process."""

import asyncio
import contextlib
import json
import re
import urllib.error
import urllib.parse
import urllib.request

import websockets


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def make_table(url, game, seats):
    """A table by the lobby's form: its path, and the cookie of who made it."""
    form = {"game": game, "players": len(seats), **{f"seat{i}": s for i, s in enumerate(seats)}}
    request = urllib.request.Request(
        f"{url}/tables", urllib.parse.urlencode(form).encode(), {"Origin": url}
    )
    try:
        urllib.request.build_opener(NoRedirect).open(request, timeout=60)
    except urllib.error.HTTPError as answer:
        assert answer.code == 303, answer.read()
        return answer.headers["location"], answer.headers["set-cookie"].partition(";")[0]
    raise AssertionError("no table was made")


class Visitor:
    """A connection that keeps only what is needed to go on: where the game stands and what can be chosen."""

    def __init__(self, url, path, cookie):
        self.url, self.path, self.cookie = url, path, cookie
        self.version, self.steps, self.mine, self.over = -1, 0, False, False
        self.actions = []
        self.socket = None
        self.received = 0

    async def connect(self):
        where = self.url.replace("http", "ws") + self.path + "/socket"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self.socket = await websockets.connect(
            where, origin=self.url, additional_headers=headers, max_size=None, compression=None
        )
        await self.hear()

    async def hear(self):
        text = await asyncio.wait_for(self.socket.recv(), 60)
        self.received += len(text)
        message = json.loads(text)
        if message["type"] == "patch":
            self.version, self.steps, self.mine = (
                message["version"],
                message["steps"],
                message["mine"],
            )
            options = message["html"].get("options")
            if options is not None:
                self.actions = [int(a) for a in re.findall(r'data-action="(\d+)"', options)]
            self.over = self.over or "<table>" in message["html"].get("result", "")
        return message

    async def send(self, **message):
        await self.socket.send(json.dumps(message))

    async def choose(self, action):
        """Decide and wait until it counts; the version that it made."""
        before = self.version
        await self.send(type="choose", version=before, action=action)
        while self.version <= before:
            message = await self.hear()
            if message["type"] == "problem":
                raise AssertionError(message["text"])
        return before + 1

    async def until_mine(self):
        while not self.actions and not self.over:
            await self.hear()

    async def close(self):
        if self.socket is not None:
            with contextlib.suppress(Exception):
                await self.socket.close()
