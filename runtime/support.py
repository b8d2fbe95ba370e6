"""What generated code calls beside bits and zones: ordering, lists, names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.runtime.bits import members
from rulewright.runtime.errors import list_too_long, no_extreme, out_of_range

# fingerprints are numbers up to this; in JSON they are exact everywhere
FINGERPRINT: Final = (1 << 52) - 1
_WORD: Final = (1 << 64) - 1
STEPS: Final = 100_000
LARGEST: Final = 2**62
MANY: Final = 2_000_000  # of loops inside loops
# instead of a number of a block: the pending decision has one option, which all can see
FORCED: Final = 1 << 40


def best_of(rows: Sequence[tuple[int, ...]]) -> int:
    """The last entry of the row with the greatest keys, the first of equals; -1 of nothing."""
    if not rows:
        return -1
    best = rows[0]
    for row in rows:
        if row[:-1] > best[:-1]:
            best = row
    return int(best[-1])


def sorted_by(rows: Sequence[tuple[int, ...]]) -> list[int]:
    """The last entries, greatest keys first; equals stay in order."""
    return [row[-1] for row in sorted(rows, key=lambda row: row[:-1], reverse=True)]


def grouped_by(rows: Sequence[tuple[int, ...]], low: int) -> list[int]:
    """Sets of the last entries with equal keys, greatest keys first."""
    groups: dict[tuple[int, ...], int] = {}
    for row in sorted(rows, key=lambda row: row[:-1], reverse=True):
        groups[row[:-1]] = groups.get(row[:-1], 0) | 1 << (row[-1] - low)
    return list(groups.values())


def mixed(so_far: int, value: int) -> int:
    """A fingerprint with one more value in it, a number or a set; the engines in C work out the same.

    Every bit of both changes each bit of the result as often as not (splitmix64): what differs in one part is not made up for by another.
    """
    while True:
        x = (so_far ^ value & _WORD) + 0x9E3779B97F4A7C15 & _WORD
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        x = (x ^ x >> 27) * 0x94D049BB133111EB & _WORD
        so_far = x ^ x >> 31
        value >>= 64
        if value in (0, -1):
            return so_far & FINGERPRINT


def item(items: list[int], place: int) -> int:
    """The entry at a place counted from 1."""
    if place < 1:
        raise IndexError(f"there is no entry number {place}")
    return items[place - 1]


def first_of(mask: int, place: int) -> int:
    """The smallest member of a set that must not be empty."""
    if not mask:
        raise no_extreme(place)
    return (mask & -mask).bit_length() - 1


def in_range(value: int, low: int, high: int, place: int, or_none: bool = False) -> int:
    """A number that must lie between two bounds, or be -1 for none where that is allowed."""
    if low <= value <= high or (or_none and value == -1):
        return value
    raise out_of_range(place, value, low, high)


def in_length(items: list[int], most: int, low: int, high: int, place: int) -> list[int]:
    """A list that must not be longer, nor hold other numbers."""
    if len(items) > most:
        raise list_too_long(place, len(items), most)
    for value in items:
        if not low <= value <= high:
            raise out_of_range(place, value, low, high)
    return items


def position(value: int, items: list[int]) -> int:
    """The place of a value counted from 1, 0 if it is not there."""
    return items.index(value) + 1 if value in items else 0


def cut(items: list[int], start: int, stop: int) -> list[int]:
    """The entries from a place counted from 0 up to and without another, as far as there are any."""
    return items[start if start > 0 else 0 : stop if stop > 0 else 0]


def joined(a: list[int], b: list[int]) -> list[int]:
    return a + b


def filled(value: int, many: int) -> list[int]:
    """One value so many times."""
    return [value] * many


def mask_of(items: list[int], low: int) -> int:
    mask = 0
    for i in items:
        mask |= 1 << (i - low)
    return mask


def members_from(mask: int, low: int) -> list[int]:
    return [i + low for i in members(mask)]


def name_or_none(names: list[str], index: int) -> str:
    return names[index] if index >= 0 else "nothing"


def names_of(names: list[str], mask: int) -> str:
    return ", ".join(names[i] for i in members(mask)) or "nothing"


def times(a: int, b: int) -> int:
    """A product that must stay within what numbers should reach."""
    value = a * b
    if not -LARGEST <= value <= LARGEST:
        raise OverflowError("a number grows beyond all bounds")
    return value
