"""Random numbers whose whole state is one int below 2**60: the same sequence everywhere, compiled or not.

Multiply-with-carry with base 2**30: `a*2**30 - 1` and `a*2**29 - 1` are prime for the multiplier below, so the period is
about 2**58. Multiplier and digits have 30 bits, as the digits of Python's numbers do, so that products need no long multiplication;
of such multipliers it is one whose points lie well spread in up to eight dimensions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Protocol

MULTIPLIER: Final = 559070097
# a state is two digits of so many bits; the lower one is what is drawn from
BITS: Final = 30
LOW: Final = (1 << BITS) - 1
# the states there are, the first and the last
RANGE: Final = (1, (MULTIPLIER << BITS) - 2)
# outcomes that the dice of one number may have together: none is likelier than another by more than one part in half a million
SHARED: Final = 2048
_MASK: Final = (1 << 64) - 1


def from_seed(seed: int) -> int:
    """A state for any integer; seeds that differ a little give states that differ wholly."""
    x = (abs(seed) * 2 + (seed < 0) + 0x632BE59BD9B4E019) & _MASK
    for shift, factor in (
        (32, 0xD6E8FEB86659FD93),
        (29, 0xD6E8FEB86659FD93),
        (32, 0x2545F4914F6CDD1D),
    ):
        x ^= x >> shift
        x = x * factor & _MASK
    return 1 + (x ^ x >> 33) % RANGE[1]


def within(x: int) -> int:
    """A state for a number above 0; one that is a state already stays."""
    return 1 + (x - 1) % RANGE[1]


def step(x: int) -> int:
    """The next state."""
    return MULTIPLIER * (x & LOW) + (x >> BITS)


def below(x: int, n: int) -> int:
    """A number from 0 to n-1 from a state; n is at most 2**30."""
    return (x & LOW) * n >> BITS


def among(x: int, n: int) -> int:
    """Another such number, for who plays at random: a remainder is quicker, and there is one for each decision."""
    return (x & LOW) % n


def digit(x: int, n: int, place: int) -> int:
    """The same, for several numbers from one state: digits to the base n, of which the first is that of `below`."""
    return below((x & LOW) * n**place, n)


def share(sides: int) -> int:
    """How many dice that are rolled one after another share a number."""
    found = 1
    while sides ** (found + 1) <= SHARED:
        found += 1
    return found


# ---------------------------------------------------------------- dice that are only counted

# a count is one byte of a number
MOST_COUNTED: Final = 255


class _Rolling(Protocol):
    """A state, of which only the random numbers are used here."""

    rng: int


def counted_dice(s: _Rolling, sides: int, times: int) -> list[int]:
    """How many of so many dice show each side: the same as rolling them one after another."""
    if times <= 0:
        return [0] * sides
    x = s.rng
    low = x & LOW
    found = 0
    for row, many in _NUMBERS.get(sides << 8 | times) or _numbers(sides, times):
        x = MULTIPLIER * low + (x >> 30)
        low = x & LOW
        found += row[low * many >> 30]
    s.rng = x
    return [*found.to_bytes(sides, "little")]


# for each random number that so many dice take: what its dice count by what they show, and how many ways there are
_NUMBERS: Final[dict[int, list[tuple[list[int], int]]]] = {}


def _numbers(sides: int, times: int) -> list[tuple[list[int], int]]:
    rows = _counted(sides)
    most = len(rows) - 1
    dice = [min(most, times - first) for first in range(0, times, most)]
    found = _NUMBERS[sides << 8 | times] = [(rows[n], len(rows[n])) for n in dice]
    return found


@lru_cache(maxsize=64)
def _counted(sides: int) -> list[list[int]]:
    """For each number of dice up to those that share a number: what they count, a byte for each side, by what they show."""
    rows = [[0]]
    for _ in range(share(sides)):
        rows.append([n + (1 << 8 * side) for n in rows[-1] for side in range(sides)])
    return rows
