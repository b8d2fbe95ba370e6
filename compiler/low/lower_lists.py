"""Lists with an entry more or less, parts of lists and lists put together → a list made anew, so that copies of the state may share the old one.

appended(row, x)       items = row[:]; items.append(x)
removed(row, n)   →    joined(cut(row, 0, n - 1), cut(row, n, len(row)))
replaced(row, x, n)    joined(joined(cut(row, 0, n), [x]), cut(row, n + 1, len(row)))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body, minus, plus

ChangeOp = Literal["appended", "inserted", "removed", "replaced"]
MakeOp = Literal["slice", "joined", "filled"]


def changed(body: Body, name: ChangeOp, e: C.Op, t: T.Items) -> L.Expr:
    old = body.simple(body.expr(e.args[0]), "old")
    given = [body.simple(body.expr(x), "n") for x in e.args[1:]]
    length = body.simple(L.Help("len", (old,), T.Int(0, t.limit)), "length")
    at = body.tables.place(e.span)
    if name not in ("removed", "replaced") and t.limit is not None:
        most = L.number(t.limit)
        too_long = L.Compare(">=", length, most)
        body.fail_if(too_long, "list_too_long", at, plus(most, 1), most)
    match name:
        case "appended":
            items = body.let(body.temp("items", t), L.Help("copy", (old,), t))
            body.statements.append(L.Append(items, given[0], body.at))
            return items
        case "inserted":
            item, place = given
            if place == L.number(1):
                return _joined(L.ListOf((item,), t), old, t)
            _inside(body, place, plus(length, 1), at)
            added = _joined(_cut(old, L.number(0), minus(place, 1), t), L.ListOf((item,), t), t)
            return _joined(added, _cut(old, minus(place, 1), length, t), t)
        case "replaced":
            item, place = given
            changed = _joined(_cut(old, L.number(0), place, t), L.ListOf((item,), t), t)
            return _joined(changed, _cut(old, plus(place, 1), length, t), t)
        case "removed":
            (place,) = given
            if isinstance(e.args[1], C.Op) and e.args[1].op == "position":
                body.fail_if(L.Compare("==", place, L.number(0)), "not_in_list", at)
            else:
                _inside(body, place, length, at)
            before = _cut(old, L.number(0), minus(place, 1), t)
            return _joined(before, _cut(old, place, length, t), t)
        case _:
            assert_never(name)


def made(body: Body, name: MakeOp, e: C.Op, t: T.Items) -> L.Expr:
    given = [body.expr(x) for x in e.args]
    match name:
        case "slice":
            items, first, last = given
            return L.Help("cut", (items, minus(first, 1), last), t)
        case "joined":
            if t.limit is None:
                return L.Help("joined", tuple(given), t)
            both = [body.simple(x, "part") for x in given]
            a, b = (L.Help("len", (x,), T.Int(0, t.limit)) for x in both)
            length = L.Binary("+", a, b, T.Int(0, 2 * t.limit))
            if not _fits(both, t.limit):
                too_long = L.Compare(">", length, L.number(t.limit))
                at = body.tables.place(e.span)
                body.fail_if(too_long, "list_too_long", at, length, L.number(t.limit))
            return L.Help("joined", tuple(both), t)
        case "filled":
            return L.Help("filled", tuple(given), t)
        case _:
            assert_never(name)


def _fits(parts: Sequence[L.Expr], most: int) -> bool:
    """Whether two lists have room together for sure."""
    rooms = [x.type.limit if isinstance(x.type, T.Items) else None for x in parts]
    return sum(most + 1 if room is None else room for room in rooms) <= most


def _inside(body: Body, place: L.Expr, last: L.Expr, at: L.Number) -> None:
    first = L.number(1)
    inside: L.Expr = L.Between(first, place, last)
    if isinstance(place, L.Number) and place.value >= 1:
        inside = L.Compare("<=", place, last)
    body.fail_if(L.Not(inside), "out_of_range", at, place, first, last)


def _cut(old: L.Expr, start: L.Expr, stop: L.Expr, t: T.Items) -> L.Expr | None:
    """Entries of the old list from a place counted from 0 up to and without another; None for nothing."""
    if start == stop:
        return None
    return L.Help("cut", (old, start, stop), t)


def _joined(a: L.Expr | None, b: L.Expr | None, t: T.Items) -> L.Expr:
    if a is None or b is None:
        return a or b or L.ListOf((), t)
    return L.Help("joined", (a, b), t)
