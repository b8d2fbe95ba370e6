"""Conditions → low-level ones, where only whether a value is zero or empty counts.

size(s) > 0      →  s
size(s) > 1      →  rest s
x in s           →  s has x
a[p] + b[p] > 0  →  a[p] or b[p]          # numbers that are never below zero
"""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT, SetT, low_of
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body, common, negated, size_of
from rulewright.compiler.low.inline import inlined
from rulewright.compiler.low.set_algebra import mask_of_any
from rulewright.compiler.low.tabulate import tabulated
from rulewright.compiler.low.unroll import unrolled

# comparisons with a number that tell whether something is more than zero, or (False) that it is not
_NONZERO = {(">", 0): True, ("!=", 0): True, (">=", 1): True, ("==", 0): False, ("<", 1): False}


def never_negative(e: C.Expr) -> bool:
    """By the type of state and of constants, which is checked when it is written."""
    match e:
        case C.Op("+", args):
            return all(map(never_negative, args))
        case C.Read(_, _, IntT(low)):
            return low is not None and low >= 0
        case _:  # others: may be negative for all that is known
            return False


def short_test(e: C.Op) -> bool:
    """Whether a comparison is shorter as a condition."""
    left, right = e.args
    if not isinstance(left, C.Op) or not isinstance(right, C.Const):
        return False
    if left.op == "zone_count":
        return (e.op, right.value) in ((">", 0), ("!=", 0), (">=", 1))
    return left.op in ("size_set", "zone_size") and e.op != "<="


def contains(body: Body, item: C.Expr, domain: C.Expr) -> L.Expr:
    t = domain.type
    base = low_of(t.element) if isinstance(t, SetT) else 0
    if isinstance(domain, C.Op) and domain.op == "zone_kinds":
        domain = domain.args[0]
    return L.Has(body.expr(domain), body.index(item, base))


def has_kind(body: Body, zone: C.Expr, kind: C.Expr) -> L.Expr:
    """Whether a zone holds a piece of a kind."""
    return L.Has(body.expr(zone), body.expr(kind))


def condition(body: Body, e: C.Expr) -> L.Expr | None:
    """A condition that is shorter than the value of the expression; None where there is none."""
    if isinstance(e, C.Comp):
        mask = mask_of_any(body, e)
        if mask is not None:
            return mask
        written = unrolled(body, e)
        if written is not None:
            return body.test(written)
    if isinstance(e, C.Call) and tabulated(body.tables, e.function) is None:
        laid_in = inlined(body, e.function, e.args)
        if laid_in is not None:
            return body.test(laid_in)
    if not isinstance(e, C.Op):
        return None
    match e.op, e.args:
        case "in", (item, domain):
            return contains(body, item, domain)
        case "meets", (a, b):
            left = body.expr(a)
            return left if a is b else common(left, body.expr(b), left.type)
        case "not", (a,):
            return negated(body.test(a))
        case (">" | "!=" | "==" | "<" | ">="), (
            C.Op("size_set" | "zone_size", (inner,)),
            C.Const(int() as n),
        ):
            return _size_test(body, e.op, inner, n)
        case (">" | "!=" | ">="), (
            C.Op("zone_count", (zone, kind)),
            C.Const(int() as n),
        ) if n == (1 if e.op == ">=" else 0):
            return has_kind(body, zone, kind)
        case (">" | "!=" | "==" | ">=" | "<"), (a, C.Const(int() as n)) if (e.op, n) in _NONZERO:
            if isinstance(a, C.Call) and tabulated(body.tables, a.function) is None:
                a = inlined(body, a.function, a.args) or a
            if not never_negative(a):
                return body.expr(C.Op(e.op, (a, e.args[1]), e.type, e.span, e.secrecy))
            found = _some_of(body, a)
            return found if _NONZERO[e.op, n] else L.Not(found)
        case _:  # others: no shorter as a condition than as a value
            pass
    return None


def _some_of(body: Body, e: C.Expr) -> L.Expr:
    """Whether a number that is never negative is more than zero, where only that counts."""
    if isinstance(e, C.Op) and e.op == "+" and all(map(never_negative, e.args)):
        left, right = (_some_of(body, x) for x in e.args)
        return L.Logic("or", left, right)
    return body.expr(e)


def _size_test(body: Body, op: str, inner: C.Expr, n: int) -> L.Expr:
    """size(x) > 0 and its like, without counting."""
    found = body.expr(inner)
    if (op, n) in ((">", 0), ("!=", 0), (">=", 1)):
        return found
    if (op, n) in (("==", 0), ("<", 1)):
        return L.Not(found)
    if (op, n) in ((">", 1), (">=", 2)):
        some = body.simple(found, "some")
        return L.Unary("rest", some, some.type)
    return L.Compare(op, size_of(found), L.number(n))
