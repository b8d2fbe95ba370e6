"""Loops that roll one die after another → how many dice share a random number.

for i in 1 .. 9:                        the dice 1 to 4, 5 to 8, and 9 are the first digits of one number each,
    roll d in 1 .. 6                    to the base 6
    cast[d] += 1

A random number has room for several dice, and most of what a die costs is the number that it comes from. Which die is which digit
follows from the loop's own variable, so every flavour of an engine rolls the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT
from rulewright.compiler.core.walk import statements
from rulewright.runtime import rng


@dataclass(frozen=True, slots=True)
class SharedNumbers:
    """`share`: how many dice of so many sides one random number is good for."""

    roll: C.SRoll
    sides: int
    share: int
    # which of them a die is, from 0; worked out from the loop's variable
    digit: C.Expr


def shared_numbers(s: C.SFor) -> SharedNumbers | None:
    """What is known of a loop that rolls the same die again and again, and asks nobody in between."""
    rolls = [x for x in s.body if isinstance(x, C.SRoll)]
    if len(rolls) != 1 or s.where is not None or not isinstance(s.domain, C.Range):
        return None
    if any(x is not rolls[0] and not _goes_on(x) for x in statements(s.body)):
        return None
    sides, first = _sides(rolls[0].domain), s.domain.low
    if sides < 2 or not isinstance(first, C.Const) or not isinstance(first.value, int):
        return None
    share = rng.share(sides)
    if share == 1:
        return None
    last = s.var.type.high if isinstance(s.var.type, IntT) else None
    places = IntT(0, None if last is None else max(0, last - first.value))
    place = fold.op("-", (C.Use(s.var, s.var.type), first), places, s.span)
    number = C.Const(share, IntT(share, share))
    digit = fold.op("%", (place, number), IntT(0, share - 1), s.span)
    return SharedNumbers(rolls[0], sides, share, digit)


def _goes_on(s: C.Stmt) -> bool:
    """Whether a statement takes no random number, and leads nowhere but to the next one."""
    return isinstance(
        s,
        C.SLet | C.SAssign | C.SIf | C.SFor | C.SMark | C.SMove | C.SPut | C.SRequire | C.SReveal | C.SScore
        | C.SShow | C.STake | C.STell,
    )  # fmt: skip


def _sides(domain: C.Expr) -> int:
    """How many outcomes a roll has, where that is known; otherwise 0."""
    match domain:
        case C.Range(C.Const(int() as low), C.Const(int() as high)):
            return high - low + 1
        case C.Const(int() as members):
            return members.bit_count()
        case _:  # others: play decides
            return 0
