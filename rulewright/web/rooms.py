"""The id of a table → its room, opened when somebody comes and closed when nobody has been there for a while."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.runtime.errors import RulewrightError
from rulewright.web.bots_pool import Workers
from rulewright.web.catalogue import Catalogue, Ruleset
from rulewright.web.course import Course
from rulewright.web.room import Room
from rulewright.web.settings import Settings
from rulewright.web.store import GAME, Events, Store, Table, new_id, new_secret

Json = dict[str, Any]


class Unplayable(RulewrightError):
    """A table can't be opened; the message says why."""


class Rooms:
    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        workers: Workers,
        settings: Settings,
        patient: Workers | None = None,
    ) -> None:
        self.store, self.catalogue, self.workers = store, catalogue, workers
        self.patient = patient
        self.settings = settings
        self._open: dict[str, asyncio.Task[Room | None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [
            asyncio.create_task(self._close_idle()),
            asyncio.create_task(self._hear()),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for room in self.rooms():
            await room.close()

    def rooms(self) -> list[Room]:
        done = [t for t in self._open.values() if t.done() and not t.cancelled()]
        return [r for t in done if t.exception() is None and (r := t.result()) is not None]

    # ------------------------------------------------------------ opening

    async def get(self, id_: str) -> Room | None:
        """The room of a table; None when there is no such table."""
        task = self._open.get(id_)
        if task is None:
            task = self._open[id_] = asyncio.create_task(self._load(id_))
            task.add_done_callback(lambda t: self._forget(id_, t))
        return await asyncio.shield(task)

    def _forget(self, id_: str, task: asyncio.Task[Room | None]) -> None:
        """What could not be opened is tried again the next time."""
        if task.cancelled() or task.exception() is not None or task.result() is None:
            self._open.pop(id_, None)

    async def _load(self, id_: str) -> Room | None:
        table = await self.store.table(id_)
        if table is None:
            return None
        ruleset = await self.ruleset(table.game, table.players, table.variants, table.options)
        if ruleset.game.info["hash"] != table.ruleset:
            raise Unplayable(
                f"this table was begun under other rules of {ruleset.offer.title}:"
                f" ruleset {table.ruleset}, now it is {ruleset.game.info['hash']}"
            )
        course = Course(ruleset.game, table.seats, ruleset.clock)
        for number, events in enumerate(await self.store.entries(id_)):
            course.accept(events)
            if number % 20 == 19:
                # a long game is played through without making others wait
                await asyncio.sleep(0)
        limits = self.settings.limits
        return Room(table, ruleset, course, self.store, self.workers, limits, self.patient)

    async def ruleset(
        self, game: str, players: int, variants: Sequence[str], options: Mapping[str, Any]
    ) -> Ruleset:
        rules = self.catalogue.rules(game, players, variants, options)
        return await self.catalogue.load(self.catalogue.offer(game), rules)

    # ------------------------------------------------------------ new tables

    async def make(
        self,
        ruleset: Ruleset,
        seats: Sequence[str],
        entries: list[Events] | None = None,
        kind: str = GAME,
    ) -> Table:
        """A new table, at its beginning or with what has happened before."""
        rules, game = ruleset.rules, ruleset.game
        if entries is None:
            entries = [Course(game, seats).draft_beginning().events]
        table = Table(
            new_id(), kind, ruleset.offer.name, rules.players, rules.variants, dict(rules.options),
            tuple(seats), game.info["hash"], time.time(), new_secret(),
        )  # fmt: skip
        await self.store.make(table, entries)
        return table

    # ------------------------------------------------------------ in the background

    async def _close_idle(self) -> None:
        idle = self.settings.limits.idle_seconds
        while True:
            await asyncio.sleep(min(30.0, idle))
            for room in self.rooms():
                waits = room.course.over or room.course.bot is None
                if not room.clients and waits and time.monotonic() - room.last_used > idle:
                    self._open.pop(room.table.id, None)
                    await room.close()

    async def _hear(self) -> None:
        """What other processes write reaches the rooms that are open here."""
        async for id_ in self.store.news():
            for room in self.rooms():
                if not id_ or room.table.id == id_:
                    with contextlib.suppress(RulewrightError):
                        await room.catch_up()
