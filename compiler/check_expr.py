"""Expressions of the syntax tree → typed expressions, with who may see each value."""

from __future__ import annotations

from rulewright.compiler import core as C
from rulewright.compiler import fold
from rulewright.compiler import syntax as S
from rulewright.compiler.check_calls import check_call
from rulewright.compiler.check_scope import Scope
from rulewright.compiler.check_words import a, none_hint, wanted
from rulewright.compiler.diagnostics import listed, quoted
from rulewright.compiler.source import Span
from rulewright.compiler.types import (
    BAD,
    BOOL,
    LIMIT,
    NONE,
    BadT,
    BoolT,
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
)

_ORDER = ("<", "<=", ">", ">=")
MAX_RANGE = 100_000  # longer ones are a mistake, and take long to go over


def check_expr(sc: Scope, e: S.Expr, want: Type | None = None) -> C.Expr:
    """The typed expression. `want` helps to read names shared by several kinds, `none` and `{}`."""
    from rulewright.compiler.check_over import comp, list_lit, set_lit, set_of

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
            return comp(sc, e)
        case S.SetOf(var, domain, where, span):
            return set_of(sc, var, domain, where, span)
        case S.SetLit():
            return set_lit(sc, e, want)
        case S.ListLit():
            return list_lit(sc, e, want)
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
    if name in r.words:
        r.error(
            "RW0501", span, f"{quoted(name)} is not a value: it is the word after `or` of a choice",
            hint="the variable is none when that word is chosen; write: … is none",
        )  # fmt: skip
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
            hint=f"write {kinds[0]}.{name}" if name.isidentifier() else "give one of them another name",
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
        r.lacks(kind.name, "member", e.name, kind.members)
        return bad(e.span)
    base = check_expr(sc, e.base)
    return attribute(sc, base, e.name, e.span)


def attribute(sc: Scope, base: C.Expr, name: S.Name, span: Span) -> C.Expr:
    r = sc.ruleset
    t = base.type
    if isinstance(t, BadT):
        return bad(span)
    if isinstance(t, OptT):
        r.error("RW0609", base.span, f"this may be none: it is {a(t)}", hint=none_hint(base))
        t = t.base
    if not isinstance(t, KindT):
        r.error(
            "RW0610",
            name.span,
            f"{a(t)} has no columns",
            expected="a member of a kind before the '.'",
        )
        return bad(span)
    if t.name in r.standing:
        return _piece_field(sc, r.standing[t.name], base, name, span)
    if name.text == "next" and t.name == "Player":
        return fold.op("next", (base,), t, span)
    kind = r.kinds[t.name]
    column = kind.columns.get(name.text)
    if column is None:
        r.lacks(t.name, "column", name, [*kind.columns, *(("next",) if t.name == "Player" else ())])
        return bad(span)
    r.used.add(f"{t.name}.{name.text}")
    if column.type is None:
        r.error(
            "RW0611",
            span,
            f"the code in {quoted(name.text)} must be called",
            hint=f"write: …{name.text}(…)",
        )
        return bad(span)
    if isinstance(base, C.Const) and isinstance(base.value, int):
        value = column.values[base.value]
        if isinstance(value, int | tuple):
            return C.Const(value, _exact(column.type, value), span)
    return C.Column(kind, column, base, column.type, span, base.secrecy)


def _exact(t: Type, value: int | tuple[int, ...]) -> Type:
    return IntT(value, value) if isinstance(t, IntT) and isinstance(value, int) else t


def _piece_field(sc: Scope, standing: C.Standing, base: C.Expr, name: S.Name, span: Span) -> C.Expr:
    sc.body.reads_state = True
    if name.text == "value":
        sc.body.secrecy = C.NOBODY
        return C.PieceRead(standing, "value", base, standing.family.kind, span, C.NOBODY)
    if name.text == "owner" and standing.family.per is not None:
        return C.PieceRead(standing, "owner", base, standing.family.per, span, base.secrecy)
    if name.text in standing.fields:
        return C.PieceRead(
            standing, name.text, base, standing.fields[name.text], span, base.secrecy
        )
    sc.ruleset.lacks(standing.name, "field", name, [*standing.fields, "value", "owner"])
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
        key = surely_inside(sc, need(sc, e.index, t.key), t.key)
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
        r.error(
            "RW0612",
            e.base.span,
            f"{a(t)} can't be indexed",
            expected="a map, a zone or a list before the '['",
        )
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
            hint = f"it may be none; {none_hint(got)}"
        r.error("RW0601", got.span, f"this is {a(got.type)}", expected=wanted(want), hint=hint)
        return bad(got.span)
    if isinstance(want, IntT) and isinstance(got, C.Const) and isinstance(got.value, int):
        low, high = want.low, want.high
        if (low is not None and got.value < low) or (high is not None and got.value > high):
            r.error("RW0613", got.span, f"{got.value} is out of range", expected=wanted(want))
    return got


def surely_inside(sc: Scope, got: C.Expr, want: Type) -> C.Expr:
    """A number that can't be outside its bounds: maps and sets have no place for others."""
    if isinstance(want, IntT) and isinstance(got.type, IntT) and not isinstance(got, C.Const):
        low, high = got.type.low, got.type.high
        if want.low is None or want.high is None or (want.low == low and want.high == high):
            return got
        if low is None or high is None or low < want.low or high > want.high:
            sc.ruleset.error(
                "RW0613", got.span, f"this may be out of range: it is {wanted(got.type)}", expected=wanted(want),
                hint=f"keep it inside: clamp(…, {want.low}, {want.high})",
            )  # fmt: skip
    return got


def need_int(sc: Scope, e: S.Expr) -> C.Expr:
    got = check_expr(sc, e)
    if not isinstance(got.type, IntT | BadT):
        hint = None
        if isinstance(got.type, OptT) and isinstance(got.type.base, IntT):
            hint = f"it may be none; {none_hint(got)}"
        elif isinstance(got.type, BoolT):
            hint = "write: 1 if … else 0"
        elif isinstance(got.type, SetT | ListT | ZoneT):
            hint = "size(…) is how many it holds"
        sc.ruleset.error(
            "RW0601", got.span, f"this is {a(got.type)}", expected="a number", hint=hint
        )
        return bad(got.span)
    return got


def need_bool(sc: Scope, e: S.Expr) -> C.Expr:
    got = check_expr(sc, e)
    if not isinstance(got.type, BoolT | BadT):
        hint = "compare it, e.g. … > 0" if isinstance(got.type, IntT) else None
        if isinstance(got.type, OptT):
            hint = "write: … is not none"
        elif isinstance(got.type, SetT | ListT | ZoneT):
            hint = "write: size(…) > 0"
        sc.ruleset.error(
            "RW0601", got.span, f"this is {a(got.type)}", expected="a condition", hint=hint
        )
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
        return bad(got.span), IntT(0, 0)
    return got, element


def item_type(over: C.Expr, element: KindT | IntT) -> Type:
    """The type of a variable that goes over a domain; unknown when the domain is."""
    return BAD if isinstance(over.type, BadT) else element


def not_too_long(sc: Scope, over: C.Expr) -> None:
    """A range whose length is known must be one that can be gone over."""
    t = over.type
    if (
        isinstance(t, RangeT)
        and t.low is not None
        and t.high is not None
        and t.high - t.low >= MAX_RANGE
    ):
        sc.ruleset.error(
            "RW0647",
            over.span,
            f"this range has up to {t.high - t.low + 1:,} numbers",
            expected=f"at most {MAX_RANGE:,}",
        )


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
    item = check_expr(sc, e.left, item_type(domain, element))
    r = sc.ruleset
    if isinstance(domain.type, BadT):
        return bad(e.span)
    if not same(item.type, element) and not isinstance(item.type, BadT):
        if isinstance(item.type, OptT) and same(item.type.base, element):
            r.error(
                "RW0609", item.span, f"this may be none: it is {a(item.type)}", hint=none_hint(item)
            )
        else:
            r.error("RW0601", item.span, f"this is {a(item.type)}", expected=a(element))
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
    ok = same(plain_l, plain_r) or (isinstance(lt, NoneT) and isinstance(rt, OptT))
    ok = ok or (isinstance(rt, NoneT) and isinstance(lt, OptT))
    if op in _ORDER and not isinstance(plain_l, IntT | KindT):
        ok = False
    if op in _ORDER and (isinstance(lt, OptT) or isinstance(rt, OptT)):
        side = left if isinstance(lt, OptT) else right
        sc.ruleset.error(
            "RW0609", side.span, f"this may be none: it is {a(side.type)}", hint=none_hint(side)
        )
        return bad(span)
    if not ok:
        hint = None
        if isinstance(lt, SetT) and isinstance(rt, SetT):
            hint = "sets are compared with == and !=, `within` and `meets`"
        elif isinstance(lt, NoneT) or isinstance(rt, NoneT):
            hint = "a value that is never none has nothing to do with none"
        sc.ruleset.error(
            "RW0615", span, f"{a(lt)} and {a(rt)} can't be compared with {op}", hint=hint
        )
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
        result = fold.op(op, (left, right), fold.number_type(op, (left, right)), span)
        if (
            isinstance(left, C.Const)
            and isinstance(right, C.Const)
            and not isinstance(result, C.Const)
        ):
            r.error("RW0613", span, "this number is too large", expected=f"at most {LIMIT:,}")
            return bad(span)
        return result
    hint = None
    if isinstance(lt, BoolT) or isinstance(rt, BoolT):
        hint = "a truth value is not a number; write: 1 if … else 0"
    elif isinstance(lt, OptT) or isinstance(rt, OptT):
        hint = none_hint(left if isinstance(lt, OptT) else right)
    elif isinstance(lt, SetT) and isinstance(rt, SetT) and op == "+":
        hint = "sets are joined with |"
    sets = op in ("|", "&", "-", "meets", "within")
    expected = "two sets of one kind" if op in ("|", "&", "meets", "within") else "two numbers"
    if op == "-":
        expected = "two numbers, or two sets of one kind"
    if sets and isinstance(lt, SetT) and isinstance(rt, KindT) and same(lt.element, rt):
        hint = f"put it in braces: … {op} {{…}}"
    r.error("RW0617", span, f"{a(lt)} {op} {a(rt)} has no meaning", expected=expected, hint=hint)
    return bad(span)


def _is_none(sc: Scope, operand: S.Expr, negated: bool, span: Span) -> C.Expr:
    got = check_expr(sc, operand)
    if not isinstance(got.type, OptT | BadT | NoneT):
        sc.ruleset.error(
            "RW0618",
            got.span,
            f"this is never none: it is {a(got.type)}",
            hint="leave the test out",
        )
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
        result = hull(x.type, y.type)
    elif isinstance(y.type, OptT) or fits(x.type, y.type):
        result = y.type
    if not fits(y.type, result) or not fits(x.type, result):
        sc.ruleset.error("RW0619", span, f"the two sides differ: {a(x.type)} and {a(y.type)}")
        return bad(span)
    return fold.op("if", (t, x, y), result, span)


def hull(x: IntT, y: IntT) -> IntT:
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
