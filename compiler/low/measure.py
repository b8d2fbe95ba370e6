"""Typed expressions → how large they are, and which few known values a domain has."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import SetT, low_of

# so many members are few
FEW = 8


def weight(e: object) -> int:
    """How many parts an expression has."""
    n = 0
    stack: list[object] = [e]
    while stack:
        x = stack.pop()
        if x is None or isinstance(x, C.Const | C.Use):
            n += 1
        elif isinstance(x, tuple | list):
            stack.extend(x)
        elif isinstance(x, C.Read | C.ZoneUse):
            n += 1
            stack.append(x.keys)
        elif isinstance(x, C.Op | C.Call):
            n += 1
            stack.append(x.args)
        elif isinstance(x, C.Column):
            n += 1
            stack.append(x.base)
        elif isinstance(x, C.Comp):
            n += 4
            stack.extend((x.domain, x.where, x.body, x.default))
        else:
            n += 6
    return n


def bits_of(mask: int, base: int) -> list[int]:
    """The members of a known set."""
    return [i + base for i in range(mask.bit_length()) if mask >> i & 1]


def few_of(domain: C.Expr) -> list[int] | None:
    """The members of a domain that is known and small."""
    match domain:
        case C.Const(int() as value, SetT(element)):
            members = bits_of(value, low_of(element))
        case C.Range(C.Const(int() as low), C.Const(int() as high)):
            if high - low > FEW:
                return None
            members = list(range(low, high + 1))
        case _:  # others: not known before play, or too many
            return None
    return members if len(members) <= FEW else None
