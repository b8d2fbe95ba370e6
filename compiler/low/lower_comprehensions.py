"""Operations over domains → loops, added before the expression that uses their result."""

from __future__ import annotations

import dataclasses
from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.types import (
    BOOL,
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
    low_of,
)
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body, as_truth, common, minus, negated, plus, set_of
from rulewright.compiler.low.measure import bits_of
from rulewright.compiler.low.set_algebra import mask_of, mask_of_any, mask_of_domain
from rulewright.compiler.low.state_layout import low_type
from rulewright.compiler.low.tabulate import listed
from rulewright.compiler.low.unroll import unrolled

Over = L.Range | L.Members | L.Expr

# a loop over a kind with fewer members is not worth cutting down
LARGE = 16


def over(body: Body, domain: C.Expr) -> Over:
    """What a loop over a domain goes over."""
    if isinstance(domain, C.Range):
        return L.Range(body.expr(domain.low), plus(body.expr(domain.high), 1))
    t = domain.type
    if isinstance(t, ListT | GroupsT):
        return body.expr(domain)
    assert isinstance(t, SetT)
    if isinstance(domain, C.Const) and isinstance(domain.value, int):
        items = bits_of(domain.value, low_of(t.element))
        if items and items == list(range(items[0], items[0] + len(items))):
            return L.Range(L.number(items[0]), L.number(items[-1] + 1))
        return body.tables.constant_list(tuple(items))
    found = listed(body, domain)
    if found is not None:
        element = low_type(t.element)
        assert isinstance(element, T.Int)
        table = body.tables.lists(f"{found.name}_LIST", found.rows, element)
        assert isinstance(table.type, T.Array)
        return L.Item(table, found.index, table.type.element)
    return L.Members(body.expr(domain), low_of(t.element))


def most_of(domain: C.Expr) -> int | None:
    """How many members a domain has at most, if that is known."""
    match domain.type:
        case SetT(element) | GroupsT(element):
            return count_of(element)
        case ListT(_, limit):
            return limit
        case RangeT(int() as low, int() as high):
            return max(0, high - low + 1)
        case (
            BadT() | BoolT() | IntT() | KindT() | MapT() | NoneT() | OptT() | RangeT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(domain.type)
    return None


def comprehension(body: Body, e: C.Comp) -> L.Expr:
    if e.op == "any":
        mask = mask_of_any(body, e)
        if mask is not None:
            return as_truth(mask)
    if e.op == "set":
        mask = mask_of_domain(body, e.var, e.domain, [e.where] if e.where is not None else [])
        if mask is not None:
            return mask
    short = unrolled(body, e)
    if short is not None:
        return body.expr(short)
    if e.op in ("best", "sort", "groups"):
        return _ordered(body, e)
    return _extreme(body, e) if e.op in ("min", "max") else _gathered(body, e)


_WISHES = {
    "any": "found",
    "all": "holds",
    "count": "number",
    "sum": "total",
    "set": "those",
    "union": "those",
}


def _gathered(body: Body, e: C.Comp) -> L.Expr:
    """any, all, count, sum, set, union: a result that each member may change."""
    t = low_type(e.type)
    first = {"any": L.FALSE, "all": L.TRUE, "set": set_of(0, t), "union": set_of(0, t)}.get(
        e.op, L.number(0)
    )
    found = body.let(body.temp(_WISHES[e.op], t), first)
    cut = _cut_down(body, e)
    item = body.local(e.var)
    domain = over(body, e.domain) if cut is None else cut[0]
    e = e if cut is None else cut[1]
    with body.over(item, domain):
        _filter(body, e)
        match e.op:
            case "any":
                with body.when(body.test(e.body[0])):
                    body.let(found, L.TRUE)
                    body.statements.append(L.Break(body.at))
            case "all":
                with body.when(negated(body.test(e.body[0]))):
                    body.let(found, L.FALSE)
                    body.statements.append(L.Break(body.at))
            case "count" if e.body:
                with body.when(body.test(e.body[0])):
                    body.store(found, L.number(1), "+")
            case "count":
                body.store(found, L.number(1), "+")
            case "sum":
                body.store(found, body.expr(e.body[0]), "+")
            case "union":
                body.store(found, body.expr(e.body[0]), "|")
            case "set":
                assert isinstance(t, T.Set)
                body.store(found, L.One(minus(item, t.base), t), "|")
            case "min" | "max" | "best" | "sort" | "groups":
                raise AssertionError(f"{e.op} has no running result")
            case _:
                assert_never(e.op)
    return found


def _filter(body: Body, e: C.Comp) -> None:
    if e.where is not None:
        with body.when(negated(body.test(e.where))):
            body.statements.append(L.Continue(body.at))


def _cut_down(body: Body, e: C.Comp) -> tuple[Over, C.Comp] | None:
    """Those members only that meet the first conditions, and what is left to look at."""
    t = e.domain.type
    if not body.inline or not isinstance(t, SetT) or not isinstance(e.domain, C.Const):
        return None
    assert isinstance(e.domain.value, int)
    if e.domain.value.bit_count() < LARGE or low_of(t.element):
        return None
    tests = _conjuncts(e.where) if e.op != "any" else [*_conjuncts(e.where), *_conjuncts(e.body[0])]
    masks: list[L.Expr] = []
    for test in tests:
        mask = None if masks and may_fail(test) else mask_of(body, e.var, t.element, test)
        if mask is None:
            break
        masks.append(mask)
    low = low_type(t)
    assert isinstance(low, T.Set)
    if len(masks) < (1 if T.is_wide(low) else 2):
        return None
    rest: C.Expr | None = None
    for test in reversed(tests[len(masks) :]):
        rest = test if rest is None else fold.op("and", (test, rest), BOOL, e.span)
    if e.op == "any":
        left = dataclasses.replace(e, where=None, body=(rest or fold.truth(True, e.span),))
    else:
        left = dataclasses.replace(e, where=rest)
    if e.domain.value != (1 << (count_of(t.element) or 0)) - 1:
        masks.insert(0, set_of(e.domain.value, low))
    found = masks[0]
    for m in masks[1:]:
        found = common(found, m, low)
    return L.Members(found), left


def _conjuncts(e: C.Expr | None) -> list[C.Expr]:
    match e:
        case None:
            return []
        case C.Op("and", (a, b)):
            return [*_conjuncts(a), *_conjuncts(b)]
        case _:  # others: one condition
            return [e]


def _first_from(body: Body, e: C.Comp) -> L.Range | None:
    """For the least or greatest member of a known range: the loop that meets it first."""
    if not (body.inline and e.body and isinstance(e.body[0], C.Use) and e.body[0].local is e.var):
        return None
    match e.domain:
        case C.Range(C.Const(int() as low), C.Const(int() as high)) if e.where is not None:
            if e.op == "min":
                return L.Range(L.number(low), L.number(high + 1))
            return L.Range(L.number(high), L.number(low - 1), -1)
        case _:  # others: all must be looked at
            return None


def _extreme(body: Body, e: C.Comp) -> L.Expr:
    t = low_type(e.type)
    found = body.temp(f"{e.op}_", t)
    in_order = _first_from(body, e)
    if in_order is not None and e.where is not None:
        return _first_that(body, e, found, in_order)
    none = body.let(body.temp("none", T.BOOL), L.TRUE)
    body.let(found, L.number(0))
    item = body.local(e.var)
    domain = over(body, e.domain)
    with body.over(item, domain):
        _filter(body, e)
        value = body.simple(body.expr(e.body[0]), "n")
        better = L.Compare("<" if e.op == "min" else ">", value, found)
        with body.when(L.Logic("or", none, better)):
            body.let(found, value)
            body.let(none, L.FALSE)
    with body.when(none):
        if e.default is not None:
            body.let(found, body.expr(e.default))
        else:
            body.fail("no_extreme", body.tables.place(e.span))
    return found


def _first_that(body: Body, e: C.Comp, found: L.Local, in_order: L.Range) -> L.Expr:
    """The first member in order that meets the condition."""
    assert e.where is not None
    body.let(found, L.number(-1) if e.default is None else body.expr(e.default))
    item = body.local(e.var)
    with body.aside() as inner, body.when(body.test(e.where)):
        body.let(found, item)
        body.statements.append(L.Break(body.at))
    with body.aside() as other:
        if e.default is None:
            body.fail("no_extreme", body.tables.place(e.span))
    body.statements.append(L.For(item, in_order, tuple(inner), tuple(other), body.at))
    return found


def _ordered(body: Body, e: C.Comp) -> L.Expr:
    """best, sort and groups: collect (keys, member), then order; equals stay in the order of the domain."""
    width = max(1, len(e.body)) + 1
    t_rows = T.Rows(width, most_of(e.domain))
    rows = body.let(body.temp("rows", t_rows), L.ListOf((), t_rows))
    item = body.local(e.var)
    domain = over(body, e.domain)
    with body.over(item, domain):
        _filter(body, e)
        keys = tuple(body.expr(b) for b in e.body) or (L.number(0),)
        body.statements.append(L.Append(rows, L.Row((*keys, item)), body.at))
    wish = {"best": "best", "sort": "order", "groups": "groups"}[e.op]
    helper = {"best": "best_of", "sort": "sorted_by", "groups": "grouped_by"}[e.op]
    args: tuple[L.Expr, ...] = (rows,)
    if e.op == "groups":
        args = (rows, L.number(low_of(e.type.element) if isinstance(e.type, GroupsT) else 0))
    t = low_type(e.type)
    return body.let(body.temp(wish, t), L.Help(helper, args, t))
