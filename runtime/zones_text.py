"""Zones ↔ {kind: count} at the edge."""

from __future__ import annotations

from rulewright.runtime.bits import members


def counts(zone: int, kinds: int) -> list[int]:
    """How many pieces of each kind."""
    out = [0] * kinds
    for bit in members(zone):
        out[bit % kinds] += 1
    return out


def packed(copies: list[int]) -> int:
    """The zone with so many pieces of each kind."""
    zone = 0
    for kind, n in enumerate(copies):
        if n:
            for plane in range(n):
                zone |= 1 << (kind + len(copies) * plane)
    return zone
