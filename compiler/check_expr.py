"""Expressions of the syntax tree → typed expressions, with who may see each value."""

from __future__ import annotations

from rulewright.compiler import core as C
from rulewright.compiler import fold
from rulewright.compiler import syntax as S
from rulewright.compiler.check_calls import check_call
from rulewright.compiler.check_scope import Scope
from rulewright.compiler.diagnostics import listed, quoted
from rulewright.compiler.source import Span
from rulewright.compiler.types import (
    BAD,
    BOOL,
    NONE,
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
    Type,
    ZoneT,
    fits,
    same,
    show,
)

_ORDER = ("<", "<=", ">", ">=")


def check_expr(sc: Scope, e: S.Expr, want: Type | None = None) -> C.Expr:
    """The typed expression. `want` helps to read names shared by several kinds, `none` and `{}`."""
    match e:
        case S.Num(value, span):
            return C.Const(value, IntT(value, value), span)
        case S.Truth(value, span):
            return C.Const(int(value), BOOL, span)
        case S.NoneLit(span):
            return C.Const(-1, want if isinstance(want, OptT) else NONE, span)
        case S.Ref(name, span):
            return _ref(sc, name, span, want)
        case S.Quoted(name, span):
            return _member(sc, name, span, want)
        case S.Attr():
            return _attr(sc, e)
        case S.Index():
            return _index(sc, e)
        case S.Call():
            return check_call(sc, e, want)
        case S.Comp():
            return _comp(sc, e)
        case S.SetOf(var, domain, where, span):
            return _set_of(sc, var, domain, where, span)
        case S.SetLit():
            return _set_lit(sc, e, want)
        case S.ListLit():
            return _list_lit(sc, e, want)
        case S.Unary("not", operand, span):
            return fold.op("not", (need_bool(sc, operand),), BOOL, span)
        case S.Unary(_, operand, span):
            arg = need_int(sc, operand)
            return fold.op("neg", (arg,), fold.number_type("neg", (arg,)), span)
        case S.Binary():
            return _binary(sc, e, want)
        case S.IsNone(operand, negated, span):
            return _is_none(sc, operand, negated, span)
        case S.Choice(test, then, other, span):
            return _choice(sc, test, then, other, span, want)
        case S.Possible() | S.Reveal():
            return check_call(sc, e, want)


# ---------------------------------------------------------------- names


def _ref(sc: Scope, name: str, span: Span, want: Type | None) -> C.Expr:
    r = sc.ruleset
    local = sc.find(name)
    if local is not None:
        return C.Use(local, sc.type_of(local), span, local.secrecy)
    if name in sc.consts:
        return sc.consts[name]
    r.used.add(name)
    if name in r.state:
        var = r.state[name]
        sc.body.reads_state = True
        secrecy = None if var.visible == "all" else C.NOBODY
        sc.body.secrecy = C.join(sc.body.secrecy, None if isinstance(var.type, MapT) else secrecy)
        return C.Read(var, (), var.type, span, secrecy)
    if name in r.zones:
        return zone_use(sc, r.zones[name], None, span)
    if name in r.constants:
        const = r.constants[name]
        return C.Const(const.value, const.type, span)
    if name in r.standing:
        sc.body.reads_state = True
        standing = r.standing[name]
        return C.Op("standing", (), SetT(standing.handle), span, None, r.kinds[standing.name])
    if name in r.kinds:
        kind = r.kinds[name]
        return C.Const(fold.full_mask(kind.type), SetT(kind.type), span)
    if name in r.members:
        return _member(sc, name, span, want)
    if name in r.functions or name in r.procedures:
        r.error("RW0504", span, f"{quoted(name)} must be called", hint=f"write: {name}(…)")
        return bad(span)
    r.unknown(name, span, "name", sc.visible_names())
    return bad(span)


def bad(span: Span) -> C.Const:
    return C.Const(0, BAD, span)


def _member(sc: Scope, name: str, span: Span, want: Type | None) -> C.Expr:
    r = sc.ruleset
    found = r.members.get(name, [])
    if not found:
        r.unknown(name, span, "member", r.members)
        return bad(span)
    wanted = want.base if isinstance(want, OptT) else want
    if len(found) > 1 and isinstance(wanted, KindT):
        fitting = [f for f in found if f[0].name == wanted.name]
        found = fitting or found
    if len(found) > 1:
        kinds = sorted(k.name for k, _ in found)
        r.error(
            "RW0505", span, f"{quoted(name)} is a member of {listed(kinds)}",
            hint=f"write {kinds[0]}.{name}" if name.isidentifier() else f"write {kinds[0]}.'{name}'",
        )  # fmt: skip
    kind, index = found[0]
    r.used.add(kind.name)
    return C.Const(index, kind.type, span)


def zone_use(sc: Scope, zone: C.Zone, owner: C.Expr | None, span: Span) -> C.ZoneUse:
    sc.body.reads_state = True
    secrecy: C.Secrecy = None
    if zone.visible == "nobody":
        secrecy = C.NOBODY
    elif zone.visible == "owner":
        secrecy = C.NOBODY if owner is None else owner_token(owner)
    return C.ZoneUse(zone, owner, ZoneT(zone.family.name), span, secrecy)


def owner_token(e: C.Expr) -> str:
    """The name of a seat in terms of who may see something (see core.Secrecy)."""
    match e:
        case C.Const(int() as n):
            return f"#{n}"
        case C.Use(local) if not local.mutable:
            return f"v{local.number}"
        case C.Op("player", (inner,)):
            return owner_token(inner)
    return C.NOBODY


def _attr(sc: Scope, e: S.Attr) -> C.Expr:
    r = sc.ruleset
    if isinstance(e.base, S.Ref) and sc.find(e.base.name) is None and e.base.name in r.kinds:
        kind = r.kinds[e.base.name]
        r.used.add(kind.name)
        if e.name.text in kind.members:
            return C.Const(kind.members.index(e.name.text), kind.type, e.span)
        r.unknown(e.name.text, e.name.span, f"member of {kind.name}", kind.members)
        return bad(e.span)
    base = check_expr(sc, e.base)
    return attribute(sc, base, e.name, e.span)


def attribute(sc: Scope, base: C.Expr, name: S.Name, span: Span) -> C.Expr:
    r = sc.ruleset
    t = base.type
    if isinstance(t, BadT):
        return bad(span)
    if isinstance(t, OptT):
        r.error(
            "RW0609", span, f"this may be none ({show(t)})",
            hint="test it first: if x is none: return",
        )  # fmt: skip
        t = t.base
    if not isinstance(t, KindT):
        r.error("RW0610", name.span, f"{show(t)} has no columns", expected="a member of a kind")
        return bad(span)
    if t.name in r.standing:
        return _piece_field(sc, r.standing[t.name], base, name, span)
    if name.text == "next" and t.name == "Player":
        return fold.op("next", (base,), t, span)
    kind = r.kinds[t.name]
    column = kind.columns.get(name.text)
    if column is None:
        r.unknown(name.text, name.span, f"column of {t.name}", kind.columns)
        return bad(span)
    r.used.add(f"{t.name}.{name.text}")
    if column.type is None:
        r.error("RW0611", span, f"the code in {quoted(name.text)} must be called", hint=f"write: …{name.text}(…)")
        return bad(span)
    if isinstance(base, C.Const) and isinstance(base.value, int):
        value = column.values[base.value]
        if isinstance(value, int | tuple):
            return C.Const(value, _exact(column.type, value), span)
    return C.Column(kind, column, base, column.type, span, base.secrecy)


def _exact(t: Type, value: int | tuple[int, ...]) -> Type:
    return IntT(value, value) if isinstance(t, IntT) and isinstance(value, int) else t


def _piece_field(
    sc: Scope, standing: C.Standing, base: C.Expr, name: S.Name, span: Span
) -> C.Expr:
    sc.body.reads_state = True
    if name.text == "value":
        sc.body.secrecy = C.NOBODY
        return C.PieceRead(standing, "value", base, standing.family.kind, span, C.NOBODY)
    if name.text == "owner" and standing.family.per is not None:
        return C.PieceRead(standing, "owner", base, standing.family.per, span, base.secrecy)
    if name.text in standing.fields:
        return C.PieceRead(standing, name.text, base, standing.fields[name.text], span, base.secrecy)
    sc.ruleset.unknown(
        name.text, name.span, f"field of {standing.name}", [*standing.fields, "value", "owner"]
    )
    return bad(span)


def _index(sc: Scope, e: S.Index) -> C.Expr:
    r = sc.ruleset
    base = check_expr(sc, e.base)
    t = base.type
    if isinstance(base, C.ZoneUse):
        zone = base.zone
        if zone.per is not None and base.owner is None:
            owner = need(sc, e.index, zone.per)
            return zone_use(sc, zone, owner, e.span)
        kind = need(sc, e.index, zone.family.kind)
        most = max((max(row, default=0) for row in zone.family.copies), default=0)
        sc.body.secrecy = C.join(sc.body.secrecy, base.secrecy)
        return C.Op(
            "zone_count", (base, kind), IntT(0, most), e.span, C.join(base.secrecy, kind.secrecy)
        )
    if isinstance(t, MapT) and isinstance(base, C.Read):
        key = need(sc, e.index, t.key)
        secrecy = base.secrecy
        if base.var.visible == "owner" and not base.keys:
            secrecy = owner_token(key)
        if not isinstance(t.value, MapT):
            sc.body.secrecy = C.join(sc.body.secrecy, secrecy)
        return C.Read(base.var, (*base.keys, key), t.value, e.span, C.join(secrecy, key.secrecy))
    if isinstance(t, ListT):
        place = need_int(sc, e.index)
        return fold.op("at", (base, place), t.element, e.span)
    if not isinstance(t, BadT):
        r.error("RW0612", e.span, f"{show(t)} can't be indexed", expected="a map, a zone or a list")
    return bad(e.span)


# ---------------------------------------------------------------- wanted types


def need(sc: Scope, e: S.Expr, want: Type) -> C.Expr:
    """An expression of the wanted type, or a problem."""
    got = check_expr(sc, e, want)
    return needed(sc, got, want)


def needed(sc: Scope, got: C.Expr, want: Type) -> C.Expr:
    r = sc.ruleset
    if isinstance(got, C.ZoneUse) and isinstance(want, SetT):
        got = C.Op("zone_kinds", (got,), SetT(got.zone.family.kind), got.span, got.secrecy)
    if isinstance(want, BadT):
        return got
    if not fits(got.type, want):
        hint = None
        if isinstance(got.type, OptT) and fits(got.type.base, want):
            hint = "it may be none: test it first, e.g. if x is none: return"
        r.error("RW0601", got.span, f"this is {a(got.type)}", expected=show(want), hint=hint)
        return bad(got.span)
    if isinstance(want, IntT) and isinstance(got, C.Const) and isinstance(got.value, int):
        low, high = want.low, want.high
        if (low is not None and got.value < low) or (high is not None and got.value > high):
            r.error("RW0613", got.span, f"{got.value} is out of range", expected=show(want))
    return got


def a(t: Type) -> str:
    return {"IntT": "a number", "BoolT": "a truth value", "NoneT": "none"}.get(
        type(t).__name__, f"of type {show(t)}"
    )


def need_int(sc: Scope, e: S.Expr) -> C.Expr:
    got = check_expr(sc, e)
    if not isinstance(got.type, IntT | BadT):
        sc.ruleset.error("RW0601", got.span, f"this is {a(got.type)}", expected="a number")
        return bad(got.span)
    return got


def need_bool(sc: Scope, e: S.Expr) -> C.Expr:
    got = check_expr(sc, e)
    if not isinstance(got.type, BoolT | BadT):
        hint = "compare it, e.g. … > 0" if isinstance(got.type, IntT) else None
        if isinstance(got.type, OptT):
            hint = "write: … is not none"
        sc.ruleset.error("RW0601", got.span, f"this is {a(got.type)}", expected="a condition", hint=hint)
        return bad(got.span)
    return got


def need_domain(sc: Scope, e: S.Expr) -> tuple[C.Expr, KindT | IntT]:
    """A set, list, range or zone to go over, and what it yields."""
    got = check_expr(sc, e)
    if isinstance(got, C.ZoneUse):
        sc.body.secrecy = C.join(sc.body.secrecy, got.secrecy)
        got = C.Op("zone_kinds", (got,), SetT(got.zone.family.kind), got.span, got.secrecy)
    element = fold.element_of(got.type)
    if element is None:
        if not isinstance(got.type, BadT):
            sc.ruleset.error(
                "RW0614", got.span, f"one can't go over {a(got.type)}",
                expected="a kind, a set, a list, a zone or a range such as 1 .. 6",
            )  # fmt: skip
        return C.Const(0, SetT(IntT(0, 0)), got.span), IntT(0, 0)
    return got, element


# ---------------------------------------------------------------- operators


def _is_member_name(sc: Scope, e: S.Expr) -> bool:
    return isinstance(e, S.Quoted | S.NoneLit) or (
        isinstance(e, S.Ref)
        and sc.find(e.name) is None
        and e.name not in sc.consts
        and e.name in sc.ruleset.members
        and e.name not in sc.ruleset.state
    )


def _binary(sc: Scope, e: S.Binary, want: Type | None) -> C.Expr:
    op, span = e.op, e.span
    if op in ("and", "or"):
        left = need_bool(sc, e.left)
        inner = sc
        if op == "and":
            inner = sc.child()
            narrow(inner, e.left, True)
        right = need_bool(inner, e.right)
        return fold.op(op, (left, right), BOOL, span)
    if op == "..":
        low, high = need_int(sc, e.left), need_int(sc, e.right)
        return C.Range(
            low, high, RangeT(fold.bounds(low.type)[0], fold.bounds(high.type)[1]), span,
            C.join(low.secrecy, high.secrecy),
        )  # fmt: skip
    if op in ("in", "not in"):
        return _contains(sc, e)
    if _is_member_name(sc, e.left) and not _is_member_name(sc, e.right):
        right = check_expr(sc, e.right)
        left = check_expr(sc, e.left, right.type)
    else:
        left = check_expr(sc, e.left, want if op in "|&-" else None)
        right = check_expr(sc, e.right, left.type)
    if op in ("==", "!=", *_ORDER):
        return _compare(sc, op, left, right, span)
    return _arithmetic(sc, op, left, right, span)


def _contains(sc: Scope, e: S.Binary) -> C.Expr:
    domain, element = need_domain(sc, e.right)
    item = check_expr(sc, e.left, element)
    r = sc.ruleset
    if not same(item.type, element) and not isinstance(item.type, BadT):
        if isinstance(item.type, OptT) and same(item.type.base, element):
            r.error("RW0609", item.span, f"this may be none ({show(item.type)})", hint="test it first: … is not none and …")
        else:
            r.error("RW0601", item.span, f"this is {a(item.type)}", expected=show(element))
        return bad(e.span)
    if isinstance(domain, C.Range):
        inside = fold.op(
            "and",
            (fold.op(">=", (item, domain.low), BOOL, e.span), fold.op("<=", (item, domain.high), BOOL, e.span)),
            BOOL, e.span,
        )  # fmt: skip
    elif isinstance(domain.type, ListT):
        inside = fold.op("in_list", (item, domain), BOOL, e.span)
    else:
        inside = fold.op("in", (item, domain), BOOL, e.span)
    return fold.op("not", (inside,), BOOL, e.span) if e.op == "not in" else inside


def _compare(sc: Scope, op: str, left: C.Expr, right: C.Expr, span: Span) -> C.Expr:
    lt, rt = left.type, right.type
    if isinstance(lt, BadT) or isinstance(rt, BadT):
        return bad(span)
    plain_l = lt.base if isinstance(lt, OptT) else lt
    plain_r = rt.base if isinstance(rt, OptT) else rt
    ok = same(plain_l, plain_r) or isinstance(lt, NoneT) and isinstance(rt, OptT)
    ok = ok or isinstance(rt, NoneT) and isinstance(lt, OptT)
    if op in _ORDER and not isinstance(plain_l, IntT | KindT):
        ok = False
    if op in _ORDER and (isinstance(lt, OptT) or isinstance(rt, OptT)):
        sc.ruleset.error("RW0609", span, "one side may be none", hint="test it first: … is not none and …")
        return bad(span)
    if not ok:
        sc.ruleset.error("RW0615", span, f"{show(lt)} and {show(rt)} can't be compared with {op}")
        return bad(span)
    return fold.op(op, (left, right), BOOL, span)


def _arithmetic(sc: Scope, op: str, left: C.Expr, right: C.Expr, span: Span) -> C.Expr:
    r = sc.ruleset
    if isinstance(left, C.ZoneUse):
        left = needed(sc, left, SetT(left.zone.family.kind))
    if isinstance(right, C.ZoneUse):
        right = needed(sc, right, SetT(right.zone.family.kind))
    lt, rt = left.type, right.type
    if isinstance(lt, BadT) or isinstance(rt, BadT):
        return bad(span)
    if isinstance(lt, SetT) and isinstance(rt, SetT) and same(lt, rt):
        names = {"|": "union", "&": "intersect", "-": "minus"}
        if op in names:
            return fold.op(names[op], (left, right), lt, span)
        if op in ("meets", "within"):
            return fold.op(op, (left, right), BOOL, span)
    if isinstance(lt, IntT) and isinstance(rt, IntT) and op in ("+", "-", "*", "//", "%"):
        if op in ("//", "%") and isinstance(right, C.Const) and right.value == 0:
            r.error("RW0616", span, "division by zero")
            return bad(span)
        return fold.op(op, (left, right), fold.number_type(op, (left, right)), span)
    r.error("RW0617", span, f"{show(lt)} {op} {show(rt)} has no meaning", expected="two numbers, or two sets of one kind")
    return bad(span)


def _is_none(sc: Scope, operand: S.Expr, negated: bool, span: Span) -> C.Expr:
    got = check_expr(sc, operand)
    if not isinstance(got.type, OptT | BadT | NoneT):
        sc.ruleset.error("RW0618", span, f"this is never none: it is {a(got.type)}")
        return bad(span)
    test = fold.op("is_none", (got,), BOOL, span)
    return fold.op("not", (test,), BOOL, span) if negated else test


def _choice(
    sc: Scope, test: S.Expr, then: S.Expr, other: S.Expr, span: Span, want: Type | None
) -> C.Expr:
    t = need_bool(sc, test)
    yes, no = sc.child(), sc.child()
    narrow(yes, test, True)
    narrow(no, test, False)
    x = check_expr(yes, then, want)
    y = check_expr(no, other, want or x.type)
    if isinstance(x.type, NoneT) and not isinstance(y.type, NoneT):
        x = C.Const(-1, OptT(y.type), x.span) if isinstance(y.type, KindT | IntT) else x
    if isinstance(x.type, BadT) or isinstance(y.type, BadT):
        return bad(span)
    if isinstance(y.type, NoneT) and isinstance(x.type, KindT | IntT):
        y = C.Const(-1, OptT(x.type), y.span)
    result: Type = x.type
    if isinstance(x.type, IntT) and isinstance(y.type, IntT):
        result = _hull(x.type, y.type)
    elif isinstance(y.type, OptT) or fits(x.type, y.type):
        result = y.type
    if not fits(y.type, result) or not fits(x.type, result):
        sc.ruleset.error("RW0619", span, f"the two sides differ: {show(x.type)} and {show(y.type)}")
        return bad(span)
    return fold.op("if", (t, x, y), result, span)


def _hull(x: IntT, y: IntT) -> IntT:
    low = None if x.low is None or y.low is None else min(x.low, y.low)
    high = None if x.high is None or y.high is None else max(x.high, y.high)
    return IntT(low, high)


def narrow(sc: Scope, test: S.Expr, outcome: bool) -> None:
    """Learn from a condition that went one way: x is not none."""
    match test:
        case S.IsNone(S.Ref(name), negated) if negated == outcome:
            local = sc.find(name)
            if local is not None and isinstance(sc.type_of(local), OptT):
                t = sc.type_of(local)
                assert isinstance(t, OptT)
                sc.narrowed[local.number] = t.base
        case S.Unary("not", operand):
            narrow(sc, operand, not outcome)
        case S.Binary("and", left, right) if outcome:
            narrow(sc, left, True)
            narrow(sc, right, True)
        case S.Binary("or", left, right) if not outcome:
            narrow(sc, left, False)
            narrow(sc, right, False)


# ---------------------------------------------------------------- over domains


def _set_lit(sc: Scope, e: S.SetLit, want: Type | None) -> C.Expr:
    element: KindT | IntT | None = want.element if isinstance(want, SetT) else None
    items: list[C.Expr] = []
    for item in e.items:
        got = check_expr(sc, item, element)
        if element is None and isinstance(got.type, KindT | IntT):
            element = got.type
        items.append(got if element is None else needed(sc, got, element))
    if element is None:
        sc.ruleset.error("RW0620", e.span, "a set of what?", hint="use it where the kind is known, or name a member")
        return bad(e.span)
    if isinstance(element, IntT):
        lows = [fold.bounds(i.type)[0] for i in items]
        highs = [fold.bounds(i.type)[1] for i in items]
        if not isinstance(want, SetT) and None not in lows and None not in highs and items:
            element = IntT(min(x for x in lows if x is not None), max(x for x in highs if x is not None))
    return fold.op("set", tuple(items), SetT(element), e.span)


def _list_lit(sc: Scope, e: S.ListLit, want: Type | None) -> C.Expr:
    element: KindT | IntT | None = want.element if isinstance(want, ListT) else None
    items: list[C.Expr] = []
    for item in e.items:
        got = check_expr(sc, item, element)
        if element is None and isinstance(got.type, KindT | IntT):
            element = got.type if isinstance(got.type, KindT) else IntT()
        items.append(got if element is None else needed(sc, got, element))
    if element is None:
        sc.ruleset.error("RW0620", e.span, "a list of what?", hint="use it where the type is known")
        return bad(e.span)
    return fold.op("list", tuple(items), ListT(element, len(items)), e.span)


def _set_of(sc: Scope, var: S.Name, domain: S.Expr, where: S.Expr, span: Span) -> C.Expr:
    over, element = need_domain(sc, domain)
    inner = sc.child()
    local = inner.declare(var, element)
    local.secrecy = over.secrecy
    test = need_bool(inner, where)
    if isinstance(over.type, RangeT) and (over.type.low is None or over.type.high is None):
        sc.ruleset.error("RW0621", over.span, "this range has no known end", expected="bounds that are known before play")
        return bad(span)
    return C.Comp(
        "set", local, over, test, (), None, SetT(element), span, C.join(over.secrecy, test.secrecy)
    )


def _comp(sc: Scope, e: S.Comp) -> C.Expr:
    over, element = need_domain(sc, e.domain)
    inner = sc.child()
    local = inner.declare(e.var, element)
    local.secrecy = over.secrecy
    where = None
    if e.where is not None:
        where = need_bool(inner, e.where)
        narrow(inner, e.where, True)
    keys = e.op in ("best", "sort", "groups")
    body: list[C.Expr] = []
    for part in e.body:
        if e.op in ("any", "all", "count"):
            body.append(need_bool(inner, part))
        elif keys:
            got = check_expr(inner, part)
            if not isinstance(got.type, IntT | KindT | BoolT | BadT):
                sc.ruleset.error("RW0622", got.span, f"{show(got.type)} is no key", expected="a number, a member or a truth value")
            body.append(got)
        else:
            body.append(need_int(inner, part))
    if len(body) != 1 and not keys and not (e.op == "count" and not body and where is not None):
        sc.ruleset.error("RW0623", e.span, f"{e.op}(…) takes one expression after the colon")
        return bad(e.span)
    default = None if e.default is None else need_int(sc, e.default)
    if default is not None and e.op not in ("min", "max"):
        sc.ruleset.error("RW0624", e.span, f"{e.op}(…) takes no else")
    type_: Type
    if e.op in ("any", "all"):
        type_ = BOOL
    elif e.op in ("count", "sum"):
        type_ = _sum_type(e.op, over, body)
    elif e.op in ("min", "max"):
        type_ = body[0].type
        if default is not None and isinstance(type_, IntT) and isinstance(default.type, IntT):
            type_ = _hull(type_, default.type)
    elif e.op == "best":
        type_ = OptT(element)
    elif e.op == "sort":
        size = _domain_size(over)
        type_ = ListT(element, size)
    elif e.op == "groups":
        type_ = GroupsT(element)
    else:
        sc.ruleset.unknown(e.op, e.span, "operation", ["any", "all", "count", "sum", "min", "max", "best", "sort"])
        return bad(e.span)
    secrecy = over.secrecy
    for part2 in (where, default, *body):
        if part2 is not None:
            secrecy = C.join(secrecy, part2.secrecy)
    return C.Comp(e.op, local, over, where, tuple(body), default, type_, e.span, secrecy)


def _domain_size(over: C.Expr) -> int | None:
    t = over.type
    match t:
        case SetT(element):
            return fold.full_mask(element).bit_length()
        case ListT(_, limit):
            return limit
        case RangeT(low, high) if low is not None and high is not None:
            return max(0, high - low + 1)
    return None


def _sum_type(op: str, over: C.Expr, body: list[C.Expr]) -> IntT:
    size = _domain_size(over)
    if op == "count":
        return IntT(0, size)
    low, high = fold.bounds(body[0].type)
    return IntT(
        None if low is None or (low < 0 and size is None) else min(0, low) * (size or 0),
        None if high is None or size is None else max(0, high) * size,
    )


