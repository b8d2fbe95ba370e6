"""Expressions of the syntax tree → typed expressions, with who may see each value."""

from __future__ import annotations

from rulewright.compiler.check import calls, comprehensions, local_maps, operators, order, what_if
from rulewright.compiler.check.fitting import bad, check_place, needed, surely_inside, viewer_token
from rulewright.compiler.check.habits import PARTS
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a, none_hint
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import number_type
from rulewright.compiler.core.types import (
    BOOL,
    NONE,
    BadT,
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    Type,
    ZoneT,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import listed, quoted
from rulewright.compiler.text.source import Span


def check_expr(sc: Scope, e: S.Expr, want: Type | None = None) -> C.Expr:
    """The typed expression. `want` helps to read names shared by several kinds, `none` and `{}`."""
    got = check_part(sc, e, want)
    if isinstance(got, C.ZoneUse) and not got.is_one:
        zone = got.zone
        keys = "".join(f"[{kind.name[0].lower()}]" for kind in zone.keys)
        asked = (
            f"which {quoted(zone.name)} of these?" if got.keys else f"whose {quoted(zone.name)}?"
        )
        if zone.name not in sc.ruleset.spoilt:
            sc.ruleset.error("RW0634", got.span, asked, hint=f"write: {zone.name}{keys}")
        return bad(got.span)
    return got


def check_part(sc: Scope, e: S.Expr, want: Type | None = None) -> C.Expr:
    """The same, of what may be a zone whose owner is yet to be named."""
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
            return calls.check_call(sc, e, want)
        case S.Comp():
            return comprehensions.comp(sc, e)
        case S.SetOf(var, domain, where, span):
            return comprehensions.set_of(sc, var, domain, where, span)
        case S.SetLit():
            return comprehensions.set_lit(sc, e, want)
        case S.ListLit():
            return comprehensions.list_lit(sc, e, want)
        case S.Unary("not", operand, span):
            return fold.op("not", (need_bool(sc, operand),), BOOL, span)
        case S.Unary(_, operand, span):
            arg = need_int(sc, operand)
            return fold.op("neg", (arg,), number_type("neg", (arg,)), span)
        case S.Binary():
            return operators.binary(sc, e, want)
        case S.IsNone(operand, negated, span):
            return operators.is_none(sc, operand, negated, span)
        case S.Choice(test, then, other, span):
            return operators.choice(sc, test, then, other, span, want)
        case S.Possible() | S.Reveal():
            return calls.check_call(sc, e, want)
        case S.After(call, value, span):
            return what_if.check_after(sc, call, value, span, want)


# ---------------------------------------------------------------- names


def _ref(sc: Scope, name: str, span: Span, want: Type | None) -> C.Expr:
    r = sc.ruleset
    local = sc.find(name)
    if local is not None:
        return C.Use(local, local.map or sc.type_of(local), span, local.secrecy)
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
        return zone_use(sc, r.zones[name], (), span)
    if name in r.constants:
        const = r.constants[name]
        return C.Const(const.value, const.type, span)
    if name in r.standing:
        sc.body.reads_state = True
        standing = r.standing[name]
        return C.Op("standing", (), SetT(standing.handle), span, None, r.kinds[standing.name])
    if name in r.kinds:
        kind = r.kinds[name]
        r.whole.add(name)
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
    this = sc.consts.get("this")
    if (
        this is not None
        and isinstance(this.type, KindT)
        and name in r.kinds[this.type.name].columns
    ):
        hint = f"it is a column of {this.type.name}: write this.{name}"
        r.error("RW0501", span, f"unknown name {quoted(name)}", hint=hint)
        return bad(span)
    if name not in r.spoilt:
        r.unknown(name, span, "name", sc.visible_names(), sc.locals_here())
    return bad(span)


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
    r.named.add((kind.name, index))
    return C.Const(index, kind.type, span)


def zone_use(sc: Scope, zone: C.Zone, keys: tuple[C.Expr, ...], span: Span) -> C.ZoneUse:
    sc.body.reads_state = True
    secrecy: C.Secrecy = None
    if zone.visible == "nobody":
        secrecy = C.NOBODY
    elif zone.visible != "all":
        secrecy = viewer_token(zone.visible, keys[0]) if keys else C.NOBODY
    return C.ZoneUse(zone, keys, ZoneT(zone.family.name), span, secrecy)


def _attr(sc: Scope, e: S.Attr) -> C.Expr:
    r = sc.ruleset
    if isinstance(e.base, S.Ref) and sc.find(e.base.name) is None and e.base.name in r.kinds:
        kind = r.kinds[e.base.name]
        r.used.add(kind.name)
        if e.name.text in kind.members:
            index = kind.members.index(e.name.text)
            r.named.add((kind.name, index))
            return C.Const(index, kind.type, e.span)
        r.lacks(kind.name, "member", e.name, kind.members)
        return bad(e.span)
    base = check_expr(sc, e.base)
    return attribute(sc, base, e.name, e.span)


def _over_hint(t: Type) -> str | None:
    if isinstance(t, IntT):
        return "write: 1 .. n"
    return "write: p.team.members" if isinstance(t, KindT) and t.name == "Team" else None


def several_hint(t: Type, column: str) -> str | None:
    """How the columns of several members are read."""
    if not isinstance(t, SetT | ListT) or not isinstance(t.element, KindT):
        return None
    return f"it holds several members: sum(x in …: x.{column}), all(x in …: x.{column} …)"


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
            hint=PARTS.get(name.text) or several_hint(t, name.text),
        )
        return bad(span)
    if t.name in r.standing:
        return _piece_field(sc, r.standing[t.name], base, name, span)
    if name.text == "next" and t.name == "Player":
        return fold.op("next", (base,), t, span)
    kind = r.kinds[t.name]
    column = kind.columns.get(name.text)
    if column is None and (t.name, name.text) in r.unmade:
        message = f"the column '{name.text}' of {t.name} is not worked out yet where this is needed"
        hint = "let it come before in the tables, and call no functions of the rules"
        r.error("RW0327", name.span, message, hint=hint)
        return bad(span)
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
    base = check_part(sc, e.base)
    t = base.type
    if isinstance(base, C.ZoneUse):
        zone = base.zone
        if not base.is_one:
            key = need(sc, e.index, zone.keys[len(base.keys)])
            return zone_use(sc, zone, (*base.keys, key), e.span)
        is_part = isinstance(e.index, S.Binary) and e.index.op == ".."
        got = None if is_part else check_expr(sc, e.index, zone.family.kind)
        if got is None or isinstance(got.type, IntT):
            return order.at_place(sc, base, e.index, got, e.span)
        kind = needed(sc, got, zone.family.kind)
        most = max((max(row, default=0) for row in zone.family.copies), default=0)
        sc.body.secrecy = C.join(sc.body.secrecy, base.secrecy)
        return C.Op(
            "zone_count", (base, kind), IntT(0, most), e.span, C.join(base.secrecy, kind.secrecy)
        )
    if isinstance(t, MapT) and isinstance(base, C.Read):
        key = surely_inside(sc, need(sc, e.index, t.key), t.key)
        secrecy = base.secrecy
        if base.var.visible in ("owner", "team") and not base.keys:
            secrecy = viewer_token(base.var.visible, key)
        if not isinstance(t.value, MapT):
            sc.body.secrecy = C.join(sc.body.secrecy, secrecy)
        return C.Read(base.var, (*base.keys, key), t.value, e.span, C.join(secrecy, key.secrecy))
    if isinstance(base, C.Use) and base.local.map is not None:
        return local_maps.entry(sc, base, e.index, e.span)
    if isinstance(t, ListT) and isinstance(e.index, S.Binary) and e.index.op == "..":
        return order.of_list(sc, base, e.index, None, e.span)
    if isinstance(t, ListT):
        place = need_int(sc, e.index)
        check_place(sc, base, place)
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


def need_domain(sc: Scope, e: S.Expr, want: Type | None = None) -> tuple[C.Expr, KindT | IntT]:
    """A set, list, range or zone to go over, and what it yields."""
    got = check_expr(sc, e, want)
    if isinstance(got, C.ZoneUse):
        sc.body.secrecy = C.join(sc.body.secrecy, got.secrecy)
        got = C.Op("zone_kinds", (got,), SetT(got.zone.family.kind), got.span, got.secrecy)
    element = fold.element_of(got.type)
    if element is None:
        if not isinstance(got.type, BadT):
            sc.ruleset.error(
                "RW0614", got.span, f"one can't go over {a(got.type)}",
                expected="a kind, a set, a list, a zone or a range such as 1 .. 6",
                hint=_over_hint(got.type),
            )  # fmt: skip
        return bad(got.span), IntT(0, 0)
    return got, element
