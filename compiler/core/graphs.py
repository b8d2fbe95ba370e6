"""A table with a column of neighbours → distances between its members and where walks end."""

from __future__ import annotations

from functools import lru_cache

from rulewright.compiler.core import tree as C

MAX_WALKS = 1_000_000


@lru_cache(maxsize=64)
def distances(kind: C.Kind) -> list[list[int]]:
    """Steps of the shortest way between any two members, -1 where there is none."""
    masks = _links(kind)
    out: list[list[int]] = []
    for start in range(len(masks)):
        row = [-1] * len(masks)
        frontier, seen, steps = 1 << start, 1 << start, 0
        while frontier:
            reached = 0
            while frontier:
                bit = frontier & -frontier
                frontier ^= bit
                x = bit.bit_length() - 1
                row[x] = steps
                reached |= masks[x]
            frontier = reached & ~seen
            seen |= frontier
            steps += 1
        out.append(row)
    return out


def walks(kind: C.Kind, start: int, steps: int, limit: int = MAX_WALKS) -> int | None:
    """Where a walk of exactly `steps` steps that uses no member twice can end, as a mask; None where there are too many walks."""
    masks = _links(kind)
    if steps < 0:
        return 0
    result = 0
    stack = [(start, 1 << start, steps)]
    while stack:
        limit -= 1
        if limit < 0:
            return None
        at, seen, left = stack.pop()
        if left == 0:
            result |= 1 << at
            continue
        free = masks[at] & ~seen
        while free:
            bit = free & -free
            free ^= bit
            stack.append((bit.bit_length() - 1, seen | bit, left - 1))
    return result


@lru_cache(maxsize=64)
def walk_table(kind: C.Kind, most: int) -> list[list[int]] | None:
    """walks() from each member for 0 .. most steps; None where there are too many walks to work them out."""
    masks = _links(kind)
    left = MAX_WALKS
    out: list[list[int]] = []
    for start in range(len(masks)):
        row = [0] * (most + 1)
        stack = [(start, 1 << start, 0)]
        while stack:
            left -= 1
            if left < 0:
                return None
            at, seen, steps = stack.pop()
            row[steps] |= 1 << at
            free = masks[at] & ~seen if steps < most else 0
            while free:
                bit = free & -free
                free ^= bit
                stack.append((bit.bit_length() - 1, seen | bit, steps + 1))
        out.append(row)
    return out


def _links(kind: C.Kind) -> list[int]:
    assert kind.graph is not None
    return [v if isinstance(v, int) else 0 for v in kind.columns[kind.graph].values]
