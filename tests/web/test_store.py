"""Stores: what was written is there, in order, once; and what can't be written is told."""

import asyncio
import time

import pytest
from stores import postgres

from rulewright.web.store import Store, StoreError, Table, Taken, new_id, open_store


@pytest.fixture(scope="module")
def database():
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def where(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "t.sqlite")
    return request.getfixturevalue("database")


def a_table(made: float | None = None) -> Table:
    return Table(
        new_id(), "game", "g", 2, ("v",), {"o": 1}, ("human", "random"), "hash",
        time.time() if made is None else made, "secret",
    )  # fmt: skip


def run(where, work):
    async def working():
        store: Store = open_store(where)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(working())


def test_a_table_comes_back_as_it_was(where):
    table = a_table()

    async def write(store):
        await store.make(table, [[{"chance": "die", "value": 3}], []])
        await store.append(table.id, 2, [{"by": 0, "choice": "c", "value": "é"}])

    run(where, write)

    async def read(store):
        assert await store.table("nothing") is None and await store.entries("nothing") == []
        return (
            await store.table(table.id),
            await store.entries(table.id),
            await store.entries(table.id, 2),
        )

    found, entries, rest = run(where, read)
    assert found == table
    assert entries == [
        [{"chance": "die", "value": 3}],
        [],
        [{"by": 0, "choice": "c", "value": "é"}],
    ]
    assert rest == entries[2:]


def test_of_two_who_write_at_once_one_wins_and_the_other_is_told(where):
    table = a_table()

    async def work(store):
        other = open_store(where)
        await other.open()
        await store.make(table, [[]])
        won = []
        for number in range(1, 30):
            writing = [
                s.append(table.id, number, [{"by": i}]) for i, s in enumerate((store, other))
            ]
            outcomes = await asyncio.gather(*writing, return_exceptions=True)
            assert {type(o) for o in outcomes} == {type(None), Taken}
            won.append([o is None for o in outcomes].index(True))
        entries = await store.entries(table.id)
        assert [e[0]["by"] for e in entries[1:]] == won
        await other.close()

    run(where, work)


def test_many_at_once_are_all_written(where):
    tables = [a_table() for _ in range(20)]

    async def work(store):
        for table in tables:
            await store.make(table, [[]])
        for number in range(1, 6):
            await asyncio.gather(*(store.append(t.id, number, [{"n": number}]) for t in tables))
        return [await store.entries(t.id) for t in tables]

    for entries in run(where, work):
        assert entries == [[], *([{"n": n}] for n in range(1, 6))]


def test_nothing_is_written_beyond_a_gap_or_at_no_table(where):
    table = a_table()

    async def work(store):
        await store.make(table, [[]])
        for id_, number in ((table.id, 2), ("nothing", 1)):
            with pytest.raises(StoreError):
                await store.append(id_, number, [])
        with pytest.raises(StoreError):
            await store.make(table, [[]])
        return await store.entries(table.id)

    assert run(where, work) == [[]]


def test_old_tables_are_cleared(where):
    old, young, woken = a_table(1000.0), a_table(), a_table(1000.0)

    async def work(store):
        before = await store.count()
        for table in (old, young, woken):
            await store.make(table, [[]])
        await store.append(woken.id, 1, [])
        assert await store.clear(time.time() - 3600) == 1
        assert await store.count() == before + 2
        return [await store.table(t.id) for t in (old, young, woken)]

    assert run(where, work) == [None, young, woken]


def test_sqlite_is_synced_and_append_only(tmp_path):
    import sqlite3

    table = a_table()

    async def work(store):
        await store.make(table, [[]])
        modes = await store._run(
            lambda: [
                store._db.execute(f"pragma {p}").fetchone()[0]
                for p in ("journal_mode", "synchronous")
            ]
        )
        assert modes == ["wal", 2]
        with pytest.raises(StoreError, match="never changed"):
            await store._run(lambda: store._db.execute("update entries set events = '[]'"))

    run(str(tmp_path / "t.sqlite"), work)
    assert (
        sqlite3.connect(tmp_path / "t.sqlite").execute("pragma journal_mode").fetchone()[0] == "wal"
    )


def test_a_store_that_can_not_be_opened_says_so(tmp_path):
    (tmp_path / "no.sqlite").write_text("this is no database" * 100)
    for where in (str(tmp_path / "no.sqlite"), str(tmp_path / "nowhere" / "t.sqlite")):
        with pytest.raises(StoreError, match="can't be used"):
            run(where, lambda store: store.count())


@pytest.mark.postgres
def test_a_database_that_is_not_there_says_so():
    with pytest.raises(StoreError, match="can't be reached"):
        run("postgresql://x@127.0.0.1:1/x", lambda store: store.count())


@pytest.mark.postgres
def test_others_hear_of_what_is_written(database):
    table = a_table()

    async def work(store):
        other = open_store(database)
        await other.open()
        await store.make(table, [[]])
        heard: list[str] = []

        async def hear():
            async for id_ in other.news():
                heard.append(id_)
                if id_ == table.id:
                    return

        hearing = asyncio.create_task(hear())
        while not heard:
            await asyncio.sleep(0.01)
        await store.append(table.id, 1, [{"n": 1}])
        await asyncio.wait_for(hearing, 10)
        assert heard == ["", table.id]
        assert await other.entries(table.id, 1) == [[{"n": 1}]]
        await other.close()

    run(database, work)
