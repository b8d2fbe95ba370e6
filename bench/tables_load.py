"""Tables in the browser under load: `python -m rulewright.bench.tables_load` → how long answers take, and what memory tables need.

A server in a process of its own, on loopback; this process is everybody who plays. Each table decides every two seconds. A decision that
was acknowledged and is not in the store, or is there twice, is an error.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MANY = (10**9, 1e9)


@dataclass
class Seat:
    """One connection: it reads whatever comes, and knows what it may choose."""

    url: str
    path: str
    cookie: str
    version: int = -1
    actions: list[int] = field(default_factory=list)
    over: bool = False
    received: int = 0
    problems: int = 0
    socket: Any = None
    reading: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        import websockets
        from websockets.typing import Origin

        where = f"{self.url.replace('http', 'ws', 1)}{self.path}/socket"
        self.socket = await websockets.connect(
            where,
            origin=Origin(self.url),
            additional_headers={"Cookie": self.cookie},
            max_size=None,
        )
        self.hear(await self.socket.recv())

    async def read(self, changed: asyncio.Condition) -> None:
        async for text in self.socket:
            self.hear(text)
            async with changed:
                changed.notify_all()

    def hear(self, text: str) -> None:
        self.received += len(text)
        message = json.loads(text)
        if message["type"] == "problem":
            self.problems += 1
        if message["type"] != "patch":
            return
        self.version = message["version"]
        options = message["html"].get("options")
        if options is not None:
            self.actions = [int(a) for a in re.findall(r'data-action="(\d+)"', options)]
        self.over = self.over or "<table>" in message["html"].get("result", "")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def fetch(url: str, path: str, form: dict[str, Any] | None = None, cookie: str = "") -> Any:
    """An answer as it is, redirections too."""
    data = None if form is None else urllib.parse.urlencode(form).encode()
    headers = {"Origin": url, **({"Cookie": cookie} if cookie else {})}
    request = urllib.request.Request(url + path, data, headers)
    try:
        return urllib.request.build_opener(NoRedirect).open(request, timeout=120)
    except urllib.error.HTTPError as answer:
        if answer.code >= 400:
            raise
        return answer


def cookie_of(answer: Any) -> str:
    return str(answer.headers["set-cookie"].partition(";")[0])


def make_table(url: str, game: str, players: int) -> list[Seat]:
    """A table of people, and a connection for each of them."""
    form = {"game": game, "players": players, "seat0": "me"}
    form |= {f"seat{i}": "invited" for i in range(1, players)}
    made = fetch(url, "/tables", form)
    path, own = made.headers["location"], cookie_of(made)
    page = fetch(url, path, cookie=own).read().decode()
    links = re.findall(rf'value="{url}({path}/join/[^"]+)"', page)
    seats = [Seat(url, path, own)]
    seats += [
        Seat(url, path, cookie_of(fetch(url, link))) for link in links if "/join/0." not in link
    ]
    return seats


async def play(
    seats: list[Seat], every: float, until: float, took: list[float], done: list[int]
) -> None:
    """Decide at one table every so many seconds; `took` gets how long each answer took."""
    changed = asyncio.Condition()
    for seat in seats:
        seat.reading = asyncio.create_task(seat.read(changed))
    await asyncio.sleep(random.uniform(0, every))
    while time.monotonic() < until:
        began = time.monotonic()
        who = next((s for s in seats if s.actions), None)
        if who is None or who.over:
            break
        version = who.version
        message = {"type": "choose", "version": version, "action": random.choice(who.actions)}
        await who.socket.send(json.dumps(message))
        async with changed:
            while who.version <= version:
                await changed.wait()
        took.append(time.monotonic() - began)
        done[0] += 1
        # the others hear of it before the next one decides
        async with changed:
            while min(s.version for s in seats) <= version:
                await changed.wait()
        await asyncio.sleep(max(0.0, every - (time.monotonic() - began)))


def memory(pid: int) -> float:
    """What a process has in memory, in MB."""
    text = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


def worked(pid: int) -> float:
    """The CPU time that a process has used, in seconds."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")


async def measure(words: argparse.Namespace, url: str, pid: int, store: Path) -> bool:
    first = make_table(url, words.game, words.players)
    await first[0].connect()
    empty = memory(pid)
    tables = [make_table(url, words.game, words.players) for _ in range(words.tables)]
    opened = memory(pid)
    for seats in tables:
        await asyncio.gather(*(seat.connect() for seat in seats))
    connected = memory(pid)
    people = [seat for seats in tables for seat in seats]
    for seat in people:
        seat.received = 0
    took: list[float] = []
    counts = [[0] for _ in tables]
    until, before = time.monotonic() + words.seconds, worked(pid)
    await asyncio.gather(
        *(play(s, words.every, until, took, n) for s, n in zip(tables, counts, strict=True))
    )
    took.sort()
    print(
        f"{len(tables)} tables, {len(people)} connections, {words.seconds:g} seconds of {words.game}"
    )
    print(f"decisions: {len(took)}, {len(took) / words.seconds:.1f} a second")
    print(f"answer: median {statistics.median(took) * 1e3:.1f} ms,", end=" ")
    print(
        f"99 of 100 below {took[int(len(took) * 0.99)] * 1e3:.1f} ms, slowest {took[-1] * 1e3:.1f} ms"
    )
    print(f"the server's work: {(worked(pid) - before) / len(took) * 1e3:.2f} ms of CPU a decision")
    sent = sum(seat.received for seat in people) / max(1, len(took) * words.players)
    print(f"sent for a decision to each connection: {sent / 1000:.2f} kB")
    print(f"memory: {(opened - empty) / len(tables) * 1000:.0f} kB a table,", end=" ")
    print(
        f"{(connected - opened) / len(people) * 1000:.0f} kB a connection, {memory(pid):.0f} MB in all"
    )
    right = check(store, tables, counts)
    problems = sum(seat.problems for seat in people)
    print(f"lost or doubled decisions: {'none' if right else 'SOME'}; refused: {problems}")
    return right and problems == 0


def check(store: Path, tables: list[list[Seat]], counts: list[list[int]]) -> bool:
    """Every acknowledged decision is in the store, once."""
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    right = True
    for seats, (count,) in zip(tables, counts, strict=True):
        table = seats[0].path.removeprefix("/table/")
        rows = db.execute("select events from entries where table_id = ?", (table,)).fetchall()
        right = right and sum('"choice"' in row[0] for row in rows) == count
    return right


def serve(store: str) -> None:
    """The server, with room for all who come from one address."""
    from rulewright.web.run import run
    from rulewright.web.settings import Limits, Settings

    limits = Limits(
        tables=10_000, connections=10_000, connections_per_address=10_000, new_tables=MANY,
        pages=MANY, messages=MANY, bot_processes=1,
    )  # fmt: skip
    run(Settings(port=0, limits=limits), store, (), "", browser=False)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--game", default="yspahan")
    asked.add_argument("--players", type=int, default=4)
    asked.add_argument("--tables", type=int, default=200)
    asked.add_argument("--every", type=float, default=2.0, help="seconds between decisions")
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--serve", metavar="STORE", help=argparse.SUPPRESS)
    words = asked.parse_args()
    if words.serve:
        serve(words.serve)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "tables.sqlite"
        command = [sys.executable, "-m", "rulewright.bench.tables_load", "--serve", str(store)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                print("the server did not start", file=sys.stderr)
                return 1
            return 0 if asyncio.run(measure(words, found[0], server.pid, store)) else 1
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
