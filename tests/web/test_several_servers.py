"""Several server processes on one PostgreSQL: any of them serves any table, and a decision counts once."""

import asyncio

import pytest
from loopback import Visitor, make_table
from real_server import RealServer
from stores import postgres

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with postgres() as url:
        found = [
            RealServer(tmp_path_factory.mktemp("pg"), "--store", url, "--bots", "1")
            for _ in range(2)
        ]
        yield found
        for server in found:
            server.stop()


def at(server, path, cookie):
    return Visitor(server.url, path, cookie)


def test_people_at_two_servers_play_one_game(servers):
    path, cookie = make_table(servers[0].url, "mykerinos", ["me", "me"])

    async def play():
        one, two = at(servers[0], path, cookie), at(servers[1], path, cookie)
        await one.connect()
        await two.connect()
        for turn in range(40):
            who, other = (one, two) if turn % 2 else (two, one)
            await who.until_mine()
            if who.over:
                break
            await who.choose(who.actions[0])
            while other.version < who.version:
                await other.hear()
            assert other.actions == who.actions or other.over
        await one.close()
        await two.close()

    asyncio.run(play())


def test_of_two_decisions_at_once_one_wins_and_the_other_is_told(servers):
    path, cookie = make_table(servers[0].url, "mykerinos", ["me", "me"])

    async def race():
        people = [at(server, path, cookie) for server in servers]
        for person in people:
            await person.connect()
        told = 0
        for _ in range(12):
            version = max(p.version for p in people)
            for person in people:
                while person.version < version or not person.actions:
                    await person.hear()
            if len(people[0].actions) < 2:
                await people[0].choose(people[0].actions[0])
                continue
            for person, action in zip(people, people[0].actions, strict=False):
                await person.send(type="choose", version=version, action=action)
            for person in people:
                while person.version <= version:
                    told += (await person.hear())["type"] == "problem"
            # a message that says so may come after the new position
            for person in people:
                await person.send(type="why")
                while (message := await person.hear())["type"] != "why":
                    told += message["type"] == "problem"
            assert {p.version for p in people} == {version + 1}
        for person in people:
            await person.close()
        return told

    assert asyncio.run(race()) > 5


def test_the_bots_of_a_server_that_died_are_played_by_another(servers, tmp_path):
    """Both processes know the table; the one that would think for the bot is killed."""
    path, cookie = make_table(servers[0].url, "mykerinos", ["me", "random"])

    async def play():
        one, two = at(servers[0], path, cookie), at(servers[1], path, cookie)
        await one.connect()
        await two.connect()
        for _ in range(3):
            await one.until_mine()
            await one.choose(one.actions[0])
        await one.until_mine()
        await one.close()
        servers[0].kill()
        for _ in range(3):
            while two.version < one.version or not two.actions:
                await two.hear()
            await two.choose(two.actions[0])
        await two.close()

    try:
        asyncio.run(play())
    finally:
        servers[0].start()
