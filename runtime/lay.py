"""Pieces that all have seen, with the places where each may lie by now → pieces laid in such places, so that all of them are there.

Each is another piece: one that the seat sees there, one that lies there already, or one of those still to be dealt. Ways are tried in random
order, and taken back where the others then have none; so each state in which all are there can come out, and one is found where there is one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from rulewright.runtime.notes import Place

# so many ways are tried before the deal begins anew, in another order
_MOST_WAYS = 20_000


class Shuffles(Protocol):
    def shuffle(self, items: list[int]) -> None: ...


class NoDeal(Exception):
    """This deal does not come out; another may."""


@dataclass(slots=True)
class Heap:
    """What is dealt to a place so far, room for more, and the pieces that are values' own."""

    held: list[int]
    room: int
    claimed: list[int]


@dataclass(slots=True)
class Seen:
    """A piece that lies in one of some places."""

    kind: int
    places: list[Place]


def lay_seen(seen: list[Seen], heaps: dict[Place, Heap], pool: list[int], dice: Shuffles) -> None:
    """Lays each of these pieces in one of its places, out of the pool where it is not there."""
    if not seen:
        return
    order = list(range(len(seen)))
    dice.shuffle(order)
    # those with the fewest places first, so that little is taken back
    order.sort(key=lambda i: len(seen[i].places))
    left = Counter(pool)
    laid: list[tuple[Place, int]] = []
    taken: Counter[tuple[Place, int]] = Counter()
    tried = 0

    def lay(n: int) -> bool:
        nonlocal tried
        if n == len(order):
            return True
        one = seen[order[n]]
        ways = list(range(2 * len(one.places)))
        dice.shuffle(ways)
        for way in ways:
            place, fresh = one.places[way // 2], way % 2
            heap, piece = heaps[place], (one.places[way // 2], one.kind)
            if fresh and (not heap.room or not left[one.kind]):
                continue
            if not fresh and taken[piece] >= heap.held.count(one.kind):
                continue
            tried += 1
            if tried > _MOST_WAYS:
                raise NoDeal
            taken[piece] += 1
            if fresh:
                heap.held.append(one.kind)
                heap.room -= 1
                left[one.kind] -= 1
                laid.append(piece)
            if lay(n + 1):
                return True
            taken[piece] -= 1
            if fresh:
                heap.held.remove(one.kind)
                heap.room += 1
                left[one.kind] += 1
                laid.pop()
        return False

    if not lay(0):
        raise NoDeal
    for _, kind in laid:
        pool.remove(kind)
