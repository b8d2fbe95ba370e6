"""Sets as bit masks: counting, picking and listing members."""

from __future__ import annotations

from typing import Final

from rulewright.runtime.rng import BITS, LOW

# the same set is listed again and again, so lists are kept, as many as this
_MOST_LISTS: Final = 8192
_LISTS: dict[int, list[int]] = {}
_LARGE: Final = 1 << 512
# sets of so many members, but for large ones, are listed eight places at a time
_SEVERAL: Final = 5
_EIGHTS: list[list[list[int]]] = []


def members(mask: int) -> list[int]:
    """The members of a set, in order; a list that is shared, so it must not be changed."""
    found = _LISTS.get(mask)
    if found is None:
        if len(_LISTS) >= _MOST_LISTS:
            _LISTS.clear()
        found = _LISTS[mask] = fresh_members(mask)
    return found


def fresh_members(mask: int) -> list[int]:
    """The same, not kept: for sets that will hardly come again, or whose members are kept in another form."""
    if mask.bit_count() < _SEVERAL or mask >= _LARGE:
        out: list[int] = []
        while mask:
            low = mask & -mask
            out.append(low.bit_length() - 1)
            mask ^= low
        return out
    # eight places at a time, for which the members of all sets are kept
    places = (mask.bit_length() + 7) >> 3
    while places > len(_EIGHTS):
        low = 8 * len(_EIGHTS)
        _EIGHTS.append([[low + i for i in range(8) if m >> i & 1] for m in range(256)])
    eights = mask.to_bytes(places, "little")
    return [n for rows, eight in zip(_EIGHTS, eights, strict=False) if eight for n in rows[eight]]


# how many members a set has; a built-in method, called without a Python frame
size: Final = int.bit_count


def nth(mask: int, n: int) -> int:
    """The member with n smaller ones in the set."""
    low = 0
    if mask >= _LARGE:
        # by halves, so that a large set costs little more than a small one
        width = mask.bit_length()
        while width > 256:
            width //= 2
            lower = mask & ((1 << width) - 1)
            many = lower.bit_count()
            if n < many:
                mask = lower
            else:
                n -= many
                low += width
                mask >>= width
                width = mask.bit_length()
    while mask:
        # the members of all small sets are known: ten places at a time
        row = FEW[mask & 1023]
        if n < len(row):
            return low + row[n]
        n -= len(row)
        low += PLACES
        mask >>= PLACES
    return -1


# the sets of one member, for all but very large kinds
BIT: Final[list[int]] = [1 << n for n in range(256)]
# the members of all small sets: those with so many places
PLACES: Final = 10
FEW: Final = [fresh_members(m) for m in range(1 << PLACES)]


# the options of decisions, and how many: those of small sets by the set, but for the empty one, which says that a game is over
OPTIONS: Final = [(tuple(row), len(row)) for row in FEW]
OPTIONS[0] = ((0,), 1)
SMALL: Final = len(OPTIONS)
# and of others that come again and again
LISTED: Final[dict[int, tuple[tuple[int, ...], int]]] = {}


def list_more(mask: int) -> None:
    """From now on a set is listed. Who asks for this one time in sixteen has those listed that come again soon, and pays little for others."""
    if mask < _LARGE:
        if len(LISTED) >= _MOST_LISTS:
            LISTED.clear()
        row = tuple(fresh_members(mask))
        LISTED[mask] = row, len(row)


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
    """A member in proportion to weights[offset + member], chosen by the low digit of x; any when all weigh nothing."""
    total = 0
    rest = mask
    while rest:
        low = rest & -rest
        total += weights[offset + low.bit_length() - 1]
        rest ^= low
    if total == 0:
        return nth(mask, (x & LOW) * mask.bit_count() >> BITS)
    at = (x & LOW) * total >> BITS
    while True:
        low = mask & -mask
        at -= weights[offset + low.bit_length() - 1]
        if at < 0:
            return low.bit_length() - 1
        mask ^= low
