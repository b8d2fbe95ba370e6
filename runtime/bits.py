"""Sets as bit masks: counting, picking and listing members."""

from __future__ import annotations

from typing import Final

# the same set is listed again and again, so lists are kept, as many as this
_MOST_LISTS: Final = 8192
_LISTS: dict[int, list[int]] = {}


def members(mask: int) -> list[int]:
    """The members of a set, in order; a list that is shared, so it must not be changed."""
    found = _LISTS.get(mask)
    if found is None:
        if len(_LISTS) >= _MOST_LISTS:
            _LISTS.clear()
        found = _LISTS[mask] = _members(mask)
    return found


def _members(mask: int) -> list[int]:
    out: list[int] = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


# how many members a set has; a built-in method, called without a Python frame
size: Final = int.bit_count


def nth(mask: int, n: int) -> int:
    """The member with n smaller ones in the set."""
    low = 0
    while mask:
        # the members of all small sets are known: ten places at a time
        row = FEW[mask & 1023]
        if n < len(row):
            return low + row[n]
        n -= len(row)
        low += 10
        mask >>= 10
    return -1


# the sets of one member, for kinds that fit into a machine word
BIT: Final[list[int]] = [1 << n for n in range(64)]
# the members of all small sets
FEW: Final = [_members(m) for m in range(1024)]


def bit(n: int) -> int:
    """The set of one member, however large its number."""
    return 1 << n


def up_to(n: int) -> int:
    """The set of the n smallest numbers."""
    return (1 << n) - 1 if n > 0 else 0


def first(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def topmost(mask: int) -> int:
    """The greatest member of a set that is not empty."""
    return mask.bit_length() - 1


def pick(mask: int, x: int, offset: int, weights: list[int]) -> int:
    """A member in proportion to weights[offset + member], chosen by the low 32 bits of x; any when all weigh nothing."""
    total = 0
    rest = mask
    while rest:
        low = rest & -rest
        total += weights[offset + low.bit_length() - 1]
        rest ^= low
    if total == 0:
        return nth(mask, (x & 0xFFFFFFFF) * mask.bit_count() >> 32)
    at = (x & 0xFFFFFFFF) * total >> 32
    while True:
        low = mask & -mask
        at -= weights[offset + low.bit_length() - 1]
        if at < 0:
            return low.bit_length() - 1
        mask ^= low
