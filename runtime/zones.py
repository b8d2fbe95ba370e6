"""Multisets of pieces in one int: bit `k + kinds*c` is set when there are more than c pieces of kind k."""

from __future__ import annotations


def add(zone: int, kind: int, kinds: int) -> int:
    """The zone with one more piece of a kind."""
    bit = 1 << kind
    while zone & bit:
        bit <<= kinds
    return zone | bit


def remove(zone: int, kind: int, kinds: int) -> int:
    """The zone with one piece less of a kind that it holds."""
    bit = 1 << kind
    while zone & (bit << kinds):
        bit <<= kinds
    return zone ^ bit


def count(zone: int, kind: int, kinds: int) -> int:
    n = 0
    zone >>= kind
    while zone & 1:
        n += 1
        zone >>= kinds
    return n


def union(a: int, b: int, kinds: int) -> int:
    """All pieces of both zones together."""
    if a == 0:
        return b
    while b:
        low = b & -b
        a = add(a, (low.bit_length() - 1) % kinds, kinds)
        b ^= low
    return a
