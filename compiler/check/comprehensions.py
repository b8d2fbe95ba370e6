"""Sets, lists and operations over a domain (any, sum, best …) → typed expressions."""

from __future__ import annotations

from typing import assert_never, get_args

from rulewright.compiler.check import expressions, operators
from rulewright.compiler.check.fitting import (
    bad,
    item_type,
    mates,
    needed,
    not_too_long,
    surely_inside,
)
from rulewright.compiler.check.kinds import MAX_BITS, can_be_none
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import CompName, bounds
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
    Type,
    ZoneT,
    count_of,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.source import Span

_COMPS: dict[str, CompName] = {name: name for name in get_args(CompName)}


def _elements(
    sc: Scope, e: S.SetLit | S.ListLit, element: KindT | IntT | None, word: str, example: str
) -> tuple[list[C.Expr], KindT | IntT | None]:
    """The elements as written, of the type that is wanted, or else of the first one's; no type where nobody knows one."""
    items: list[C.Expr] = []
    for item in e.items:
        got = expressions.check_expr(sc, item, element)
        if element is None and isinstance(got.type, KindT | IntT):
            element = got.type if isinstance(got.type, KindT) else IntT()
        items.append(got if element is None else needed(sc, got, element))
    if element is None and not any(isinstance(i.type, BadT) for i in items):
        sc.ruleset.error(
            "RW0620", e.span, f"a {word} of what?",
            expected="members of a kind, or numbers", hint=f"give it a type: var x: {example}",
        )  # fmt: skip
    return items, element


def set_lit(sc: Scope, e: S.SetLit, want: Type | None) -> C.Expr:
    element: KindT | IntT | None = want.element if isinstance(want, SetT) else None
    if not e.items and isinstance(want, BadT):
        return bad(e.span)
    items, element = _elements(sc, e, element, "set", "set of Player = {}")
    if element is None:
        return bad(e.span)
    if isinstance(element, IntT):
        lows = [bounds(i.type)[0] for i in items]
        highs = [bounds(i.type)[1] for i in items]
        if not isinstance(want, SetT) and None not in lows and None not in highs and items:
            element = IntT(
                min(x for x in lows if x is not None), max(x for x in highs if x is not None)
            )
    if not _fits_a_set(sc, element, e.span):
        return bad(e.span)
    for got in items:
        surely_inside(sc, got, element)
    return fold.op("set", tuple(items), SetT(element), e.span)


def _fits_a_set(sc: Scope, element: KindT | IntT, span: Span) -> bool:
    """A set has a place for each value it may hold."""
    size = count_of(element)
    if size is None:
        sc.ruleset.error(
            "RW0621",
            span,
            "a set of numbers without known bounds",
            expected="numbers whose bounds are known before play",
            hint="e.g. min(9, …)",
        )
    elif size > MAX_BITS:
        sc.ruleset.error(
            "RW0648", span, f"a set with room for {size:,} values", expected=f"at most {MAX_BITS:,}"
        )
    return size is not None and size <= MAX_BITS


def list_lit(sc: Scope, e: S.ListLit, want: Type | None) -> C.Expr:
    element = (
        want.element if isinstance(want, ListT) and not isinstance(want.element, SetT) else None
    )
    if not e.items and isinstance(want, BadT):
        return bad(e.span)
    items, element = _elements(sc, e, element, "list", "list of Player max 4 = []")
    if element is None:
        return bad(e.span)
    return fold.op("list", tuple(items), ListT(element, len(items)), e.span)


def set_of(sc: Scope, var: S.Name, domain: S.Expr, where: S.Expr | None, span: Span) -> C.Expr:
    over, element = expressions.need_domain(sc, domain)
    inner = sc.child()
    local = inner.declare(var, item_type(over, element))
    local.secrecy = over.secrecy
    mates(local, over)
    test = None if where is None else expressions.need_bool(inner, where)
    if isinstance(over.type, RangeT) and (over.type.low is None or over.type.high is None):
        sc.ruleset.error(
            "RW0621",
            over.span,
            "this range has no known end",
            expected="bounds that are known before play",
            hint="e.g. 1 .. min(9, …)",
        )
        return bad(span)
    if isinstance(over.type, BadT) or not _fits_a_set(sc, element, over.span):
        return bad(span)
    if test is None and isinstance(over.type, SetT):
        return over
    secrecy = over.secrecy if test is None else C.join(over.secrecy, test.secrecy)
    return C.Comp("set", local, over, test, (), None, SetT(element), span, secrecy)


def comp(sc: Scope, e: S.Comp) -> C.Expr:
    over, element = expressions.need_domain(sc, e.domain)
    inner = sc.child()
    local = inner.declare(e.var, item_type(over, element))
    local.secrecy = over.secrecy
    mates(local, over)
    where = None
    if e.where is not None:
        where = expressions.need_bool(inner, e.where)
        operators.narrow(inner, e.where, True)
    not_too_long(sc, over)
    keys = e.op in ("best", "sort", "groups")
    body: list[C.Expr] = []
    for part in e.body:
        if e.op in ("any", "all", "count"):
            body.append(expressions.need_bool(inner, part))
        elif e.op == "union":
            got = expressions.check_expr(inner, part)
            if isinstance(got, C.ZoneUse):
                got = needed(inner, got, SetT(got.zone.family.kind))
            if not isinstance(got.type, SetT | BadT):
                sc.ruleset.error("RW0601", got.span, f"this is {a(got.type)}", expected="a set")
                got = bad(got.span)
            body.append(got)
        elif keys:
            got = expressions.check_expr(inner, part)
            if not isinstance(got.type, IntT | KindT | BoolT | BadT):
                sc.ruleset.error(
                    "RW0622",
                    got.span,
                    f"one can't rank by {a(got.type)}",
                    expected="a number, a member or a truth value",
                    hint="e.g. size(…) of a set",
                )
            body.append(got)
        else:
            body.append(expressions.need_int(inner, part))
    default = None if e.default is None else expressions.need_int(sc, e.default)
    if isinstance(over.type, BadT):
        return bad(e.span)
    if e.op == "groups" and not _fits_a_set(sc, element, over.span):
        return bad(e.span)
    type_: Type
    if e.op in ("any", "all"):
        type_ = BOOL
    elif e.op == "union":
        type_ = body[0].type if body else BadT()
    elif e.op in ("count", "sum"):
        type_ = _sum_type(e.op, over, body)
    elif e.op in ("min", "max"):
        type_ = body[0].type
        if default is not None and isinstance(type_, IntT) and isinstance(default.type, IntT):
            type_ = operators.hull(type_, default.type)
    elif e.op == "best":
        if not can_be_none(element):
            sc.ruleset.error(
                "RW0603",
                over.span,
                "best(…) gives none of nothing, and these numbers may be below 0",
                expected="a kind or a range from 0 up",
            )
        type_ = OptT(element)
    elif e.op == "sort":
        size = _domain_size(over)
        type_ = ListT(element, size)
    else:
        type_ = GroupsT(element)
    secrecy = over.secrecy
    for inside in (where, default, *body):
        if inside is not None:
            secrecy = C.join(secrecy, inside.secrecy)
    return C.Comp(_COMPS[e.op], local, over, where, tuple(body), default, type_, e.span, secrecy)


def _domain_size(over: C.Expr) -> int | None:
    t = over.type
    match t:
        case SetT(element):
            return count_of(element)
        case ListT(_, limit):
            return limit
        case RangeT(low, high) if low is not None and high is not None:
            return max(0, high - low + 1)
        case (
            BadT() | BoolT() | GroupsT() | IntT() | KindT() | MapT() | NoneT() | OptT() | RangeT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(t)
    return None


def _sum_type(op: str, over: C.Expr, body: list[C.Expr]) -> IntT:
    size = _domain_size(over)
    if op == "count":
        return IntT(0, size)
    low, high = bounds(body[0].type)
    return IntT(
        None if low is None or (low < 0 and size is None) else min(0, low) * (size or 0),
        None if high is None or size is None else max(0, high) * size,
    )
