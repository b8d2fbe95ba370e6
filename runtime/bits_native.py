"""Sets as bit masks for compiled engines: the functions of bits.py, on machine words where the set fits into one.

A native build puts this file in the place of bits.py; results are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rulewright.runtime.arrays import Ints, ints, repeated

if TYPE_CHECKING:
    from mypy_extensions import i64

# the largest set that is a machine word here: greater numbers are objects, and comparing with one is slow
WORD: Final = (1 << 62) - 1


def _count(m: i64) -> i64:
    m = m - ((m >> 1) & 0x1555555555555555)
    m = (m & 0x3333333333333333) + ((m >> 2) & 0x3333333333333333)
    m = (m + (m >> 4)) & 0x0F0F0F0F0F0F0F0F
    m = m + (m >> 8)
    m = m + (m >> 16)
    return (m + (m >> 32)) & 127


def size(mask: int) -> i64:
    """How many members a set has."""
    if 0 <= mask <= WORD:
        word: i64 = mask
        return _count(word)
    return mask.bit_count()


def bit(n: i64) -> int:
    """The set of one member, however large its number."""
    return 1 << int(n)


def up_to(n: i64) -> int:
    """The set of the n smallest numbers."""
    return (1 << int(n)) - 1 if n > 0 else 0


def first(mask: int) -> i64:
    """The smallest member; for a complement, the smallest that is missing in the set."""
    if -WORD <= mask <= WORD:
        word: i64 = mask
        low: i64 = word & -word
        return _count(low - 1) if low else -1
    return (mask & -mask).bit_length() - 1


def topmost(mask: int) -> i64:
    """The greatest member of a set that is not empty."""
    return mask.bit_length() - 1


def nth(mask: int, n: i64) -> i64:
    """The member with n smaller ones in the set."""
    if 0 <= mask <= WORD:
        word: i64 = mask
        while n > 0:
            word &= word - 1
            n -= 1
        low: i64 = word & -word
        return _count(low - 1) if low else -1
    while n > 0:
        mask &= mask - 1
        n -= 1
    return (mask & -mask).bit_length() - 1


def members(mask: int) -> Ints:
    """The members of a set, in order."""
    out = repeated(0, size(mask))
    n: i64 = 0
    if 0 <= mask <= WORD:
        word: i64 = mask
        low: i64 = 0
        while word:
            # the members of all small sets are known: ten places at a time
            for k in FEW[word & 1023]:
                out[n] = low + k
                n += 1
            word >>= 10
            low += 10
        return out
    while mask:
        lowest = mask & -mask
        out[n] = lowest.bit_length() - 1
        mask ^= lowest
        n += 1
    return out


def pick(mask: int, x: i64, offset: i64, weights: list[int]) -> i64:
    """A member in proportion to weights[offset + member], chosen by the low 32 bits of x; any when all weigh nothing."""
    total: i64 = 0
    items = members(mask)
    for item in items:
        total += weights[offset + item]
    if total == 0:
        return nth(mask, (x & 0xFFFFFFFF) * len(items) >> 32)
    at: i64 = (x & 0xFFFFFFFF) * total >> 32
    for item in items:
        at -= weights[offset + item]
        if at < 0:
            return item
    return -1


# the sets of one member, for kinds that fit into a machine word
BIT: Final[Ints] = ints([1 << n for n in range(63)])
# the members of all small sets
FEW: Final[list[Ints]] = [ints([n for n in range(10) if m >> n & 1]) for m in range(1024)]
COMPILED: Final = True
