"""A SQLite file → a store: one thread writes, many entries in one synced transaction when many come at once."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from rulewright.web.store import Events, StoreError, Table, Taken

T = TypeVar("T")
_SCHEMA = """
create table if not exists tables (id text primary key, made real not null, data text not null) without rowid;
create table if not exists entries (
    table_id text not null, number integer not null, made real not null, events text not null,
    primary key (table_id, number)
) without rowid;
create trigger if not exists entries_stay before update on entries begin select raise(abort, 'entries are never changed'); end;
"""


class SqliteStore:
    """The connection belongs to one thread. Entries that wait while a transaction is synced go together into the next."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._waiting: deque[tuple[str, int, str, asyncio.Future[None]]] = deque()
        self._db: sqlite3.Connection

    async def _run(self, what: Callable[..., T], *args: Any) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, what, *args)
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} can't be used: {error}") from error

    # ------------------------------------------------------------ opening

    async def open(self) -> None:
        await self._run(self._open)

    def _open(self) -> None:
        self._db = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")
        self._db.executescript(_SCHEMA)

    async def close(self) -> None:
        try:
            await self._run(self._db.close)
        finally:
            self._thread.shutdown()

    # ------------------------------------------------------------ writing

    async def make(self, table: Table, entries: list[Events]) -> None:
        await self._run(self._make, table, entries)

    def _make(self, table: Table, entries: list[Events]) -> None:
        with _Transaction(self._db):
            row = (table.id, table.made, json.dumps(table.to_json()))
            self._db.execute("insert into tables values (?, ?, ?)", row)
            rows = [(table.id, n, table.made, json.dumps(e)) for n, e in enumerate(entries)]
            self._db.executemany("insert into entries values (?, ?, ?, ?)", rows)

    async def append(self, id_: str, number: int, events: Events) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((id_, number, json.dumps(events), done))
        self._thread.submit(self._write_all, loop)
        await done

    def _write_all(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write all that waits; an entry whose number is taken does not keep the others from being written."""
        batch = []
        while self._waiting:
            batch.append(self._waiting.popleft())
        if not batch:
            return
        try:
            with _Transaction(self._db):
                outcomes = [self._write(id_, number, text) for id_, number, text, _ in batch]
        except sqlite3.Error as error:
            outcomes = [StoreError(f"{self.path} can't be written: {error}")] * len(batch)
        loop.call_soon_threadsafe(_tell, [done for *_, done in batch], outcomes)

    def _write(self, id_: str, number: int, text: str) -> Exception | None:
        try:
            row = (id_, number, time.time(), text, id_, number)
            # nothing may be written beyond a gap, nor at a table that was cleared
            found = self._db.execute(
                "insert into entries select ?, ?, ?, ? where exists "
                "(select 1 from entries where table_id = ? and number = ? - 1)",
                row,
            )
        except sqlite3.IntegrityError:
            return Taken(f"entry {number} is there already")
        return None if found.rowcount == 1 else StoreError("there is no such table any more")

    async def clear(self, before: float) -> int:
        return await self._run(self._clear, before)

    def _clear(self, before: float) -> int:
        with _Transaction(self._db):
            old = [
                row[0]
                for row in self._db.execute(
                    "select t.id from tables t where t.made < ?1 and not exists "
                    "(select 1 from entries e where e.table_id = t.id and e.made >= ?1)",
                    (before,),
                )
            ]
            for id_ in old:
                self._db.execute("delete from entries where table_id = ?", (id_,))
                self._db.execute("delete from tables where id = ?", (id_,))
        return len(old)

    # ------------------------------------------------------------ reading

    async def table(self, id_: str) -> Table | None:
        return await self._run(self._table, id_)

    def _table(self, id_: str) -> Table | None:
        row = self._db.execute("select made, data from tables where id = ?", (id_,)).fetchone()
        return None if row is None else Table.from_json(id_, row[0], json.loads(row[1]))

    async def entries(self, id_: str, since: int = 0) -> list[Events]:
        return await self._run(self._entries, id_, since)

    def _entries(self, id_: str, since: int) -> list[Events]:
        rows = self._db.execute(
            "select events from entries where table_id = ? and number >= ? order by number",
            (id_, since),
        )
        return [json.loads(row[0]) for row in rows]

    async def count(self) -> int:
        def counted() -> int:
            return int(self._db.execute("select count(*) from tables").fetchone()[0])

        return await self._run(counted)

    async def news(self) -> AsyncIterator[str]:
        """A SQLite file belongs to one process: there are none."""
        return
        yield ""


def _tell(waiting: list[asyncio.Future[None]], outcomes: Sequence[Exception | None]) -> None:
    for done, error in zip(waiting, outcomes, strict=True):
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


class _Transaction:
    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def __enter__(self) -> None:
        self.db.execute("begin immediate")

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None:
            self.db.execute("commit")
        elif self.db.in_transaction:
            self.db.execute("rollback")
