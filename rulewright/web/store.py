"""What a server keeps: tables, and for each an append-only list of what happened. SQLite or PostgreSQL stand behind it.

An entry is written under (table, number), which is unique: whoever writes second is told so, and nothing is ever changed.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from rulewright.runtime.errors import RulewrightError

Json = dict[str, Any]
Events = list[Json]
GAME, REPLAY = "game", "replay"


class StoreError(RulewrightError):
    """The store can't be used; the message says why."""


class Taken(StoreError):
    """Somebody else has written under this number already."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it was made. What became of its seats stands among the entries."""

    id: str
    kind: str
    game: str
    players: int
    variants: tuple[str, ...]
    options: Json
    seats: tuple[str, ...]
    ruleset: str
    made: float
    secret: str = field(repr=False, default="")

    def to_json(self) -> Json:
        return {
            "kind": self.kind, "game": self.game, "players": self.players, "variants": list(self.variants),
            "options": self.options, "seats": list(self.seats), "ruleset": self.ruleset, "secret": self.secret,
        }  # fmt: skip

    @staticmethod
    def from_json(id_: str, made: float, data: Json) -> Table:
        return Table(
            id_, data["kind"], data["game"], data["players"], tuple(data["variants"]), data["options"],
            tuple(data["seats"]), data["ruleset"], made, data["secret"],
        )  # fmt: skip


def new_id() -> str:
    return secrets.token_urlsafe(12)


def new_secret() -> str:
    return secrets.token_hex(32)


class Store(Protocol):
    """Every method may be called by many tasks at once. What `make` and `append` have returned from is on the disk."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def make(self, table: Table, entries: list[Events]) -> None:
        """A new table with its first entries, all or nothing."""
        ...

    async def table(self, id_: str) -> Table | None: ...

    async def entries(self, id_: str, since: int = 0) -> list[Events]:
        """The entries from a number on, in order."""
        ...

    async def append(self, id_: str, number: int, events: Events) -> None:
        """Write one entry; raises Taken when there is one with this number."""
        ...

    async def count(self) -> int:
        """How many tables there are."""
        ...

    async def clear(self, before: float) -> int:
        """Remove the tables at which nothing has happened since a time; how many."""
        ...

    def news(self) -> AsyncIterator[str]:
        """The tables in which another process has written, as it happens; "" when some may have been missed."""
        ...


def open_store(where: str) -> Store:
    """A store by its words: postgresql://… or the path of a SQLite file."""
    if where.startswith(("postgresql://", "postgres://")):
        try:
            from rulewright.web.store_postgres import PostgresStore
        except ImportError:
            raise StoreError(
                "PostgreSQL needs a package more: pip install 'rulewright[web,postgres]'"
            ) from None
        return PostgresStore(where)
    from rulewright.web.store_sqlite import SqliteStore

    return SqliteStore(where)
