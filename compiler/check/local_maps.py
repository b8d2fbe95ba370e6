"""Maps of a function's own → lists with an entry for each key, which are made anew when an entry changes.

    var cost: map Quay to 0..99 = 9    →    cost = filled(9, 3)
    cost[q] = n                             cost = replaced(cost, n, place(q))
    cost[q]                                 entry(cost, place(q))

So they hold, hide and outlast a decision as lists do.
"""

from __future__ import annotations

from rulewright.compiler.check import expressions
from rulewright.compiler.check.fitting import bad, surely_inside
from rulewright.compiler.check.kinds import MAX_LIST
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    count_of,
    low_of,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span


def kept_in(sc: Scope, t: MapT, name: S.Name, span: Span) -> ListT | None:
    """The list that a map of a function's own is kept in; what can't be is told."""
    if isinstance(t.value, MapT | ListT):
        sc.ruleset.error(
            "RW0649", span, f"{quoted(name.text)} can't hold {a(t.value)} for each key",
            expected="map K to a number, bool, a kind or a set",
            hint="make a table of the combinations: each: {…}" if isinstance(t.value, MapT) else None,
        )  # fmt: skip
        return None
    many = count_of(t.key) or 0
    if many > MAX_LIST:
        sc.ruleset.error(
            "RW0648", span, f"{quoted(name.text)} has {many:,} entries", expected=f"at most {MAX_LIST:,}"
        )  # fmt: skip
        return None
    if isinstance(t.value, KindT | IntT | SetT):
        return ListT(t.value, many)
    if isinstance(t.value, BoolT):
        return ListT(IntT(0, 1), many)
    if isinstance(t.value, OptT) and isinstance(t.value.base, KindT | IntT):
        base, values = t.value.base, count_of(t.value.base)
        # none is -1
        return ListT(IntT(-1, None if values is None else low_of(base) + values - 1), many)
    return None  # what is wrong with others is told


def filled(items: ListT, value: C.Expr, span: Span) -> C.Expr:
    """A map with the same value for every key."""
    many = items.limit or 0
    value = _as_entry(value)
    return C.Op("filled", (value, C.Const(many, IntT(many, many))), items, span, value.secrecy)


def entry(sc: Scope, whole: C.Use, index: S.Expr, span: Span) -> C.Expr:
    """cost[q]"""
    t = whole.local.map
    assert t is not None
    key = surely_inside(sc, expressions.need(sc, index, t.key), t.key)
    if isinstance(key.type, BadT):
        return bad(span)
    number = IntT(0, (count_of(t.key) or 1) - 1)
    items = C.Use(whole.local, whole.local.type, whole.span, whole.secrecy)
    at = C.Op("place", (_as_key(key, t),), number, key.span, key.secrecy)
    secrecy = fold.secrecy_of((items, at))
    return C.Op("entry", (items, at), t.value, span, secrecy)


def _as_key(key: C.Expr, t: MapT) -> C.Expr:
    """The key, counted from the first of the map and not from that of its own bounds."""
    match key:
        case C.Const(value, _, span):
            return C.Const(value, t.key, span)
        case _ if key.type == t.key:
            return key
        case _:  # others: numbers within narrower bounds
            zero = C.Const(0, IntT(0, 0), key.span)
            return C.Op("+", (key, zero), t.key, key.span, key.secrecy)


def _as_entry(value: C.Expr) -> C.Expr:
    """A value as a list holds it: truth is 0 or 1."""
    if not isinstance(value.type, BoolT):
        return value
    if isinstance(value, C.Const):
        return C.Const(value.value, IntT(0, 1), value.span)
    one, zero = C.Const(1, IntT(1, 1)), C.Const(0, IntT(0, 0))
    return C.Op("if", (value, one, zero), IntT(0, 1), value.span, value.secrecy)


def with_entry(target: C.Op, value: C.Expr, span: Span) -> tuple[C.Local, C.Expr]:
    """The local, and its map with another value for the key of an entry."""
    items, at = target.args
    assert isinstance(items, C.Use)
    args = (items, _as_entry(value), at)
    return items.local, C.Op("replaced", args, items.type, span, fold.secrecy_of(args))
