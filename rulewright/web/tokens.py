"""A table's secret and some seats → a link or a cookie that nobody else can make, and back."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass

_MOST = 200


@dataclass(frozen=True, slots=True)
class Pass:
    """What a browser may do at a table: sit at seats, and as host hand out the links."""

    seats: frozenset[int] = frozenset()
    host: bool = False

    def with_seat(self, seat: int) -> Pass:
        return Pass(self.seats | {seat}, self.host)


NOBODY = Pass()


def link_token(secret: str, table: str, seat: int) -> str:
    """The end of the link to a seat."""
    return f"{seat}.{_sign(secret, 'link', table, str(seat))}"


def seat_of_link(secret: str, table: str, token: str, players: int) -> int | None:
    """The seat that a link leads to; None for one that we did not make."""
    number, _, _ = token.partition(".")
    if len(token) > _MOST or not (number.isascii() and number.isdigit() and len(number) < 4):
        return None
    seat = int(number)
    if seat >= players or not _same(token, link_token(secret, table, seat)):
        return None
    return seat


def cookie_value(secret: str, table: str, passed: Pass) -> str:
    text = f"{'h' if passed.host else 'p'}{'-'.join(map(str, sorted(passed.seats)))}"
    return f"{text}.{_sign(secret, 'cookie', table, text)}"


def read_cookie(secret: str, table: str, value: str | None, players: int) -> Pass:
    """What a cookie of ours allows; any other cookie allows nothing."""
    if not value or len(value) > _MOST:
        return NOBODY
    text, _, _ = value.partition(".")
    if not _same(value, f"{text}.{_sign(secret, 'cookie', table, text)}"):
        return NOBODY
    seats = _numbers(text[1:].split("-"))
    return Pass(frozenset(s for s in seats if s < players), text.startswith("h"))


def _numbers(parts: Iterable[str]) -> list[int]:
    return [int(p) for p in parts if p.isascii() and p.isdigit()]


def _sign(secret: str, *parts: str) -> str:
    return hmac.new(secret.encode(), "\0".join(parts).encode(), hashlib.sha256).hexdigest()[:43]


def _same(a: str, b: str) -> bool:
    return hmac.compare_digest(a.encode("utf-8", "replace"), b.encode())
