"""What who runs the server may set: where it listens, and the limits that keep one visitor from taking it all."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Limits:
    """Everything that a stranger could use up. Rates are (at once, per minute)."""

    tables: int = 2_000
    connections: int = 4_000
    connections_per_table: int = 64
    connections_per_address: int = 400
    message_bytes: int = 2_000
    form_bytes: int = 20_000
    replay_bytes: int = 4_000_000
    replay_events: int = 20_000
    new_tables: tuple[int, float] = (20, 30.0)
    replays: tuple[int, float] = (10, 10.0)
    pages: tuple[int, float] = (200, 1200.0)
    messages: tuple[int, float] = (60, 1200.0)
    advice: tuple[int, float] = (10, 30.0)
    bot_processes: int = 2
    bot_seconds: float = 20.0
    # what options bring is worked out in a process of its own; where too many wait, options stand without it
    previews_waiting: int = 12
    preview_seconds: float = 60.0
    build_seconds: float = 300.0
    bots_waiting: int = 1_000
    # how long a room without anybody in it is kept in memory
    idle_seconds: float = 600.0
    # how long a person must be away before others may give the seat to a bot
    away_seconds: float = 60.0
    # a decision that another process wrote may be followed by that process's bots; after this it is taken for dead
    other_process_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server is reached. `url` is what browsers see when a proxy stands before it."""

    host: str = "127.0.0.1"
    port: int = 8765
    url: str = ""
    limits: Limits = field(default_factory=Limits)

    @property
    def secure(self) -> bool:
        return self.url.startswith("https://")

    def knows_host(self, host: str) -> bool:
        """Whether a request for this Host is meant for us: on loopback a page of elsewhere may have made its name point here."""
        if self.url:
            return host == urlsplit(self.url).netloc or _name(host) in LOOPBACK
        return self.host not in ("127.0.0.1", "::1", "localhost") or _name(host) in LOOPBACK

    def knows_origin(self, origin: str | None, host: str) -> bool:
        """Whether a page from this origin may act here: only our own pages may."""
        if not origin or not self.knows_host(host):
            return False
        if self.url and origin == self.url.rstrip("/"):
            return True
        return origin in (f"http://{host}", f"https://{host}")


def _name(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host
