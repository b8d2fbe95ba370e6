"""Sets as bit masks: counting, picking and listing members."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64


def members(mask: int) -> list[int]:
    """The members of a set, in order."""
    out: list[int] = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def size(mask: int) -> int:
    return mask.bit_count()


def nth(mask: int, n: i64) -> int:
    """The member with n smaller ones in the set."""
    while n > 0:
        mask &= mask - 1
        n -= 1
    return (mask & -mask).bit_length() - 1


def first(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
