"""Loops and domains → how often they turn at most, as far as types tell."""

from __future__ import annotations

from math import inf
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    ZoneT,
    count_of,
)
from rulewright.compiler.core.walk import bodies

SURELY_SHORT = 100_000


def length(domain: C.Expr) -> float:
    """How many values a domain has at most; infinite when nothing is known."""
    match domain.type:
        case SetT(element) | GroupsT(element):
            size = count_of(element)
            return inf if size is None else size
        case ListT(_, limit):
            if limit is not None:
                return limit
            return _sorted_length(domain)
        case RangeT(low, high) if low is not None and high is not None:
            return max(0, high - low + 1)
        case (
            BadT() | BoolT() | IntT() | KindT() | MapT() | NoneT() | OptT() | RangeT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(domain.type)
    return inf


def _sorted_length(domain: C.Expr) -> float:
    """A list that a function sorts has no more entries than what is sorted."""
    match domain:
        case C.Comp("sort", _, over):
            return length(over)
        case C.Call(C.Function(body=[C.SReturn(value)])) if value is not None:
            return _sorted_length(value)
        case _:  # others: no list that comes from sorting
            pass
    return inf


def turns(s: C.SFor | C.SWhile) -> float:
    """The turns of a loop and of those inside it, at most."""
    own = length(s.domain) if isinstance(s, C.SFor) else inf
    inner = 1.0
    stack = list(s.body)
    while stack:
        inside = stack.pop()
        if isinstance(inside, C.SFor | C.SWhile):
            inner = max(inner, turns(inside))
        else:
            stack.extend(x for body in bodies(inside) for x in body)
    return own * inner


def longest_walk(kind: C.Kind, steps: C.Expr) -> int:
    """The most steps that a walk can be asked for: it can't pass more members than there are."""
    most = len(kind.members) - 1
    high = steps.type.high if isinstance(steps.type, IntT) else None
    return max(0, most if high is None else min(most, high))
