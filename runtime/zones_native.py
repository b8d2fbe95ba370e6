"""Multisets of pieces for compiled engines: the functions of zones.py, on machine words where the zone fits into one.

A native build puts this file in the place of zones.py; results are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

# zones up to this are machine words here
WORD: Final = (1 << 62) - 1
# zones below this are counted by their columns: the bits of one kind, moved down to the first
LIMIT: Final = 1 << 1024
COLUMNS: Final[list[int]] = [0] + [
    ((1 << kinds * (1024 // kinds + 1)) - 1) // ((1 << kinds) - 1) for kinds in range(1, 65)
]


def add(zone: int, kind: i64, kinds: i64) -> int:
    """The zone with one more piece of a kind."""
    return zone | 1 << int(kind + kinds * count(zone, kind, kinds))


def remove(zone: int, kind: i64, kinds: i64) -> int:
    """The zone with one piece less of a kind that it holds."""
    return zone ^ 1 << int(kind + kinds * (count(zone, kind, kinds) - 1))


def count(zone: int, kind: i64, kinds: i64) -> i64:
    """How many pieces of a kind the zone holds."""
    n: i64 = 0
    if zone <= WORD:
        word: i64 = zone
        word >>= kind
        while word & 1:
            n += 1
            word >>= kinds
        return n
    zone >>= int(kind)
    if kinds < 65 and zone < LIMIT:
        return (zone & COLUMNS[kinds]).bit_count()
    while zone & 1:
        n += 1
        zone >>= int(kinds)
    return n


def union(a: int, b: int, kinds: i64) -> int:
    """All pieces of both zones together."""
    if a == 0:
        return b
    while b:
        low = b & -b
        a = add(a, (low.bit_length() - 1) % kinds, kinds)
        b ^= low
    return a
