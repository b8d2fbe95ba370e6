"""kill -9 at any moment: after a restart every table goes on from the last decision that was acknowledged."""

import asyncio
import random
import sqlite3

import pytest
import websockets
from loopback import Visitor, make_table
from real_server import RealServer

TABLES = 20


@pytest.mark.parametrize(
    "kills", [pytest.param(10, marks=pytest.mark.wide), pytest.param(200, marks=pytest.mark.soak)]
)
def test_no_acknowledged_decision_is_lost(tmp_path, kills):
    server = RealServer(tmp_path)
    # both seats at one browser, so that every decision comes from outside
    made = [make_table(server.url, "mykerinos", ["me", "me"]) for _ in range(TABLES)]
    # what each table's player was told: the versions with the action that made them
    told = {path: {} for path, _ in made}
    over = set()
    dice = random.Random(kills)
    try:
        for _ in range(kills):
            asyncio.run(play_until_killed(server, made, told, over, dice.randint(1, 60)))
            server.start()
            check(tmp_path, told)
            begin_anew(server, made, told, over)
        assert sum(map(len, told.values())) >= kills
    finally:
        server.stop()


async def play_until_killed(server, made, told, over, decisions):
    """All tables play at once; after so many decisions in all the server is killed, whatever it does at that moment."""
    wanted = sum(map(len, told.values())) + decisions
    playing = [
        asyncio.create_task(play(server.url, path, cookie, told[path], over))
        for path, cookie in made
    ]
    while sum(map(len, told.values())) < wanted and not all(p.done() for p in playing):
        await asyncio.sleep(0.002)
    server.kill()
    await asyncio.gather(*playing)


async def play(url, path, cookie, told, over):
    visitor = Visitor(url, path, cookie)
    try:
        await visitor.connect()
        # the page shows all that was acknowledged before
        assert visitor.version > max(told, default=-1)
        while not visitor.over:
            await visitor.until_mine()
            if not visitor.over:
                action = visitor.actions[visitor.version % len(visitor.actions)]
                number = visitor.version
                await visitor.choose(action)
                told[number] = action
        over.add(path)
    except (TimeoutError, OSError, websockets.WebSocketException, EOFError):
        pass
    finally:
        await visitor.close()


def begin_anew(server, made, told, over):
    """A table whose game is over makes room for a new one."""
    for number, (path, _) in enumerate(made):
        if path in over:
            made[number] = make_table(server.url, "mykerinos", ["me", "me"])
            told[made[number][0]] = {}
            over.discard(path)


def check(folder, told):
    """What the file holds: every entry once and without a gap, and among them all that was acknowledged."""
    db = sqlite3.connect(f"file:{folder}/tables.sqlite?mode=ro", uri=True)
    for path, versions in told.items():
        table = path.removeprefix("/table/")
        rows = db.execute(
            "select number, events from entries where table_id = ? order by number", (table,)
        ).fetchall()
        assert [n for n, _ in rows] == list(range(len(rows)))
        assert set(versions) <= {n for n, events in rows if '"choice"' in events}
    db.close()
