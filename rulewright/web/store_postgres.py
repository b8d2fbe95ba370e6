"""A PostgreSQL database → a store that several server processes share: what one writes, the others hear of by NOTIFY."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import psycopg
from psycopg import AsyncConnection, errors

from rulewright.web.store import Events, StoreError, Table, Taken

_SCHEMA = """
create table if not exists rulewright_tables (
    id text primary key, made double precision not null, data text not null
);
create table if not exists rulewright_entries (
    table_id text not null references rulewright_tables (id) on delete cascade, number integer not null,
    made double precision not null, events text not null, primary key (table_id, number)
);
"""
_CHANNEL = "rulewright"
_CONNECTIONS = 4
# one process after the other makes the schema
_LOCK = 7_311_925


class PostgresStore:
    """A few connections for reading and writing, and one that listens."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._free: asyncio.Queue[AsyncConnection[Any]] = asyncio.Queue()
        self._closed = False

    async def _connect(self) -> AsyncConnection[Any]:
        try:
            return await AsyncConnection.connect(self.url, autocommit=True)
        except psycopg.Error as error:
            raise StoreError(f"the database can't be reached: {error}") from error

    async def open(self) -> None:
        first = await self._connect()
        async with first.transaction():
            await first.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
            await first.execute(_SCHEMA)
        self._free.put_nowait(first)
        for _ in range(_CONNECTIONS - 1):
            self._free.put_nowait(await self._connect())

    async def close(self) -> None:
        self._closed = True
        for _ in range(_CONNECTIONS):
            await (await self._free.get()).close()

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        """A connection of the pool; one that broke is made anew by the next who needs it."""
        found = await self._free.get()
        try:
            if found.closed:
                found = await self._connect()
            yield found
        except psycopg.Error as error:
            raise StoreError(f"the database can't be used: {error}") from error
        finally:
            self._free.put_nowait(found)

    # ------------------------------------------------------------ writing

    async def make(self, table: Table, entries: list[Events]) -> None:
        async with self._connection() as db, db.transaction():
            row = (table.id, table.made, json.dumps(table.to_json()))
            await db.execute("insert into rulewright_tables values (%s, %s, %s)", row)
            rows = [(table.id, n, table.made, json.dumps(e)) for n, e in enumerate(entries)]
            async with db.cursor() as cursor:
                await cursor.executemany(
                    "insert into rulewright_entries values (%s, %s, %s, %s)", rows
                )

    async def append(self, id_: str, number: int, events: Events) -> None:
        async with self._connection() as db:
            try:
                async with db.transaction():
                    await db.execute("set local synchronous_commit = on")
                    found = await db.execute(
                        "insert into rulewright_entries select %s, %s, %s, %s where exists "
                        "(select 1 from rulewright_entries where table_id = %s and number = %s)",
                        (id_, number, time.time(), json.dumps(events), id_, number - 1),
                    )
                    if found.rowcount != 1:
                        raise StoreError("there is no such table any more")
                    await db.execute("select pg_notify(%s, %s)", (_CHANNEL, id_))
            except errors.UniqueViolation:
                raise Taken(f"entry {number} is there already") from None

    async def clear(self, before: float) -> int:
        async with self._connection() as db, db.transaction():
            found = await db.execute(
                "delete from rulewright_tables t where t.made < %s and not exists "
                "(select 1 from rulewright_entries e where e.table_id = t.id and e.made >= %s)",
                (before, before),
            )
            return found.rowcount

    # ------------------------------------------------------------ reading

    async def table(self, id_: str) -> Table | None:
        async with self._connection() as db:
            found = await db.execute(
                "select made, data from rulewright_tables where id = %s", (id_,)
            )
            row = await found.fetchone()
        return None if row is None else Table.from_json(id_, row[0], json.loads(row[1]))

    async def entries(self, id_: str, since: int = 0) -> list[Events]:
        async with self._connection() as db:
            found = await db.execute(
                "select events from rulewright_entries where table_id = %s and number >= %s order by number",
                (id_, since),
            )
            return [json.loads(row[0]) for row in await found.fetchall()]

    async def count(self) -> int:
        async with self._connection() as db:
            row = await (await db.execute("select count(*) from rulewright_tables")).fetchone()
        return int(row[0]) if row else 0

    async def news(self) -> AsyncIterator[str]:
        """Tables that somebody has written in. After a broken connection "", as some news may have been missed."""
        while not self._closed:
            try:
                async with await AsyncConnection.connect(self.url, autocommit=True) as listening:
                    await listening.execute(f"listen {_CHANNEL}")
                    yield ""
                    async for notice in listening.notifies():
                        yield notice.payload
            except psycopg.Error:
                await asyncio.sleep(1)
