"""Multisets of pieces in one int: bit `k + kinds*c` is set when there are more than c pieces of kind k."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

# zones below this are counted by their columns: the bits of one kind, moved down to the first
LIMIT: Final = 1 << 1024
COLUMNS: Final = [0] + [
    ((1 << kinds * (1024 // kinds + 1)) - 1) // ((1 << kinds) - 1) for kinds in range(1, 65)
]


def add(zone: int, kind: int, kinds: int) -> int:
    """The zone with one more piece of a kind."""
    return zone | 1 << kind + kinds * count(zone, kind, kinds)


def remove(zone: int, kind: int, kinds: int) -> int:
    """The zone with one piece less of a kind that it holds."""
    return zone ^ 1 << kind + kinds * (count(zone, kind, kinds) - 1)


def count(zone: int, kind: int, kinds: int) -> int:
    """How many pieces of a kind the zone holds."""
    zone >>= kind
    if kinds < 65 and zone < LIMIT:
        return (zone & COLUMNS[kinds]).bit_count()
    return (zone & _column(kinds, zone.bit_length() // (kinds * 64) + 1)).bit_count()


@lru_cache(maxsize=256)
def _column(kinds: int, many: int) -> int:
    """The bits of one kind in a zone of 64 times so many pieces of each."""
    return ((1 << kinds * 64 * many) - 1) // ((1 << kinds) - 1)


def union(a: int, b: int, kinds: int) -> int:
    """All pieces of both zones together."""
    if a == 0:
        return b
    while b:
        low = b & -b
        a = add(a, (low.bit_length() - 1) % kinds, kinds)
        b ^= low
    return a
