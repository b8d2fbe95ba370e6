"""Random numbers whose whole state is one int below 2**62: the same sequence everywhere, compiled or not.

Multiply-with-carry with base 2**32: `a*2**32 - 1` and `a*2**31 - 1` are prime for the multiplier below, so the period is
about 2**61.
"""

from __future__ import annotations

from typing import Final

MULTIPLIER: Final = 1017999435
LOW: Final = 0xFFFFFFFF
# the states there are, the first and the last
RANGE: Final = (1, MULTIPLIER * (1 << 32) - 2)
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
    return 1 + (x ^ x >> 33) % (MULTIPLIER * (1 << 32) - 2)


def step(x: int) -> int:
    """The next state."""
    return MULTIPLIER * (x & LOW) + (x >> 32)


def below(x: int, n: int) -> int:
    """A number from 0 to n-1 from a state; n is at most 2**30."""
    return (x & LOW) * n >> 32
