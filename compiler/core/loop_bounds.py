"""Loops and domains → how often they turn at most, as far as types tell."""

from __future__ import annotations

from math import inf

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import GroupsT, IntT, ListT, RangeT, SetT, count_of

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
        case _:
            pass
    return inf


def _sorted_length(domain: C.Expr) -> float:
    """A list that a function sorts has no more entries than what is sorted."""
    match domain:
        case C.Comp("sort", _, over):
            return length(over)
        case C.Call(C.Function(body=[C.SReturn(value)])) if value is not None:
            return _sorted_length(value)
        case _:
            pass
    return inf


def turns(s: C.SFor | C.SWhile) -> float:
    """The turns of a loop and of those inside it, at most."""
    own = length(s.domain) if isinstance(s, C.SFor) else inf
    inner = 1.0
    stack = list(s.body)
    while stack:
        match stack.pop():
            case C.SFor() | C.SWhile() as loop:
                inner = max(inner, turns(loop))
            case C.SIf(arms, other):
                stack.extend(x for _, body in arms for x in body)
                stack.extend(other)
            case _:
                pass
    return own * inner


def longest_walk(kind: C.Kind, steps: C.Expr) -> int:
    """The most steps that a walk can be asked for: it can't pass more members than there are."""
    most = len(kind.members) - 1
    high = steps.type.high if isinstance(steps.type, IntT) else None
    return max(0, most if high is None else min(most, high))
