"""Lists with an entry more or less → a list made anew, so that copies of the state may share the old one.

appended(row, x)       items = row[:]; items.append(x)
removed(row, n)   →    items = []; the entries before n, and those after it
"""

from __future__ import annotations

from typing import Literal, assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.low import program as L
from rulewright.compiler.low import types as T
from rulewright.compiler.low.body import Body, minus, plus

ChangeOp = Literal["appended", "inserted", "removed"]


def changed(body: Body, name: ChangeOp, e: C.Op, t: T.Items) -> L.Expr:
    old = body.simple(body.expr(e.args[0]), "old")
    given = [body.simple(body.expr(x), "n") for x in e.args[1:]]
    length = body.simple(L.Help("len", (old,), T.Int(0, t.limit)), "length")
    at = body.tables.place(e.span)
    if name != "removed" and t.limit is not None:
        most = L.number(t.limit)
        too_long = L.Compare(">=", length, most)
        body.fail_if(too_long, "list_too_long", at, plus(most, 1), most)
    match name:
        case "appended":
            items = body.let(body.temp("items", t), L.Help("copy", (old,), t))
            body.statements.append(L.Append(items, given[0], body.at))
        case "inserted":
            item, place = given
            last = plus(length, 1)
            _inside(body, place, last, at)
            items = body.let(body.temp("items", t), L.ListOf((), t))
            _entries(body, items, old, L.number(0), minus(place, 1))
            body.statements.append(L.Append(items, item, body.at))
            _entries(body, items, old, minus(place, 1), length)
        case "removed":
            (place,) = given
            if isinstance(e.args[1], C.Op) and e.args[1].op == "position":
                body.fail_if(L.Compare("==", place, L.number(0)), "not_in_list", at)
            else:
                _inside(body, place, length, at)
            items = body.let(body.temp("items", t), L.ListOf((), t))
            _entries(body, items, old, L.number(0), minus(place, 1))
            _entries(body, items, old, place, length)
        case _:
            assert_never(name)
    return items


def _inside(body: Body, place: L.Expr, last: L.Expr, at: L.Number) -> None:
    first = L.number(1)
    inside: L.Expr = L.Between(first, place, last)
    if isinstance(place, L.Number) and place.value >= 1:
        inside = L.Compare("<=", place, last)
    body.fail_if(L.Not(inside), "out_of_range", at, place, first, last)


def _entries(body: Body, items: L.Local, old: L.Expr, start: L.Expr, stop: L.Expr) -> None:
    """Entries of the old list from a place counted from 0 up to and without another."""
    assert isinstance(items.type, T.Items)
    if start == stop:
        return
    i = body.temp("i", T.Int(0, items.type.limit))
    with body.over(i, L.Range(start, stop)):
        body.statements.append(L.Append(items, L.Item(old, i, items.type.element), body.at))
