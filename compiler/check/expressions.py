"""Expressions of the syntax tree → typed expressions, with who may see each value."""

from __future__ import annotations

from rulewright.compiler.check.calls import check_call
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.wording import a, none_hint, wanted
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operators import number_type
from rulewright.compiler.core.types import (
    BAD,
    BOOL,
    NONE,
    BadT,
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    RangeT,
    SetT,
    Type,
    ZoneT,
    fits,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import listed, quoted
from rulewright.compiler.text.source import Span

MAX_RANGE = 100_000  # longer ones are a mistake, and take long to go over


def check_expr(sc: Scope, e: S.Expr, want: Type | None = None) -> C.Expr:
    """The typed expression. `want` helps to read names shared by several kinds, `none` and `{}`."""
    from rulewright.compiler.check.comprehensions import comp, list_lit, set_lit, set_of
    from rulewright.compiler.check.operators import binary, choice, is_none

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
            return fold.op("neg", (arg,), number_type("neg", (arg,)), span)
        case S.Binary():
            return binary(sc, e, want)
        case S.IsNone(operand, negated, span):
            return is_none(sc, operand, negated, span)
        case S.Choice(test, then, other, span):
            return choice(sc, test, then, other, span, want)
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
    r.named.add((kind.name, index))
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
            index = kind.members.index(e.name.text)
            r.named.add((kind.name, index))
            return C.Const(index, kind.type, e.span)
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
        elif isinstance(got.type, SetT) and isinstance(want, SetT):
            hint = set_hint(want, got.type)
        r.error("RW0601", got.span, f"this is {a(got.type)}", expected=wanted(want), hint=hint)
        return bad(got.span)
    if isinstance(got.type, BadT):
        return got
    if isinstance(want, IntT) and isinstance(got, C.Const) and isinstance(got.value, int):
        low, high = want.low, want.high
        if (low is not None and got.value < low) or (high is not None and got.value > high):
            r.error("RW0613", got.span, f"{got.value} is out of range", expected=wanted(want))
    elif isinstance(want, IntT) and isinstance(got.type, IntT) and apart(got.type, want):
        message = f"this is always out of range: it is {wanted(got.type)}"
        r.error("RW0613", got.span, message, expected=wanted(want))
    if isinstance(want, ListT) and want.limit is not None:
        length = _length(got)
        if length is not None and length > want.limit:
            r.error(
                "RW0648", got.span, f"{length} entries, but there is room for {want.limit}", expected=wanted(want)
            )  # fmt: skip
    return got


def _length(e: C.Expr) -> int | None:
    """How long a list is, where that can be seen."""
    match e:
        case C.Const(tuple() as items):
            return len(items)
        case C.Op("list", args):
            return len(args)
        case C.Comp("sort", _, C.Const(int() as members), None):
            return members.bit_count()
        case C.Call(function, _) if len(function.body) == 1:
            only, room = function.body[0], function.result
            told = isinstance(room, ListT) and room.limit is not None  # where it is declared
            if isinstance(only, C.SReturn) and only.value is not None and not told:
                return _length(only.value)
    return None


def apart(x: IntT, y: IntT) -> bool:
    """Whether no number is in both."""
    above = x.low is not None and y.high is not None and x.low > y.high
    return above or (x.high is not None and y.low is not None and x.high < y.low)


def check_place(sc: Scope, base: C.Expr, place: C.Expr) -> None:
    """Report a place that a list of known length never has, and warn of one that it may not have."""
    length = _length(base)
    if length is None and isinstance(base, C.Column) and isinstance(base.type, ListT):
        lengths = [len(v) for v in base.column.values if isinstance(v, tuple)]
        length = min(lengths) if lengths else None
    if length is None or not isinstance(place.type, IntT) or place.type == IntT():
        return
    low, high = place.type.low, place.type.high
    entries = f"{length} entr{'y' if length == 1 else 'ies'}"
    if apart(place.type, IntT(1, length)):
        there = (
            f"place {low}"
            if low == high
            else f"a place {wanted(place.type).removeprefix('a number ')}"
        )
        sc.ruleset.error(
            "RW0613", place.span, f"the list has {entries}, and no {there}", expected=f"from 1 to {length}",
            hint="the first entry has the place 1",
        )  # fmt: skip
    elif high is not None and high > length and isinstance(place, C.Read | C.PieceRead | C.Column):
        sc.ruleset.problems.warning(
            "RW0651", place.span, f"this may be as great as {high}, but the list has {entries}",
            hint=f"give the list {high} entries, or keep inside: min(…, {length})",
        )  # fmt: skip


def set_hint(want: SetT, got: SetT) -> str | None:
    """What to write where two sets of numbers have different bounds."""
    if isinstance(want.element, IntT) and isinstance(got.element, IntT):
        return f"make one with these bounds: {{n in {want.element.low} .. {want.element.high} where n in …}}"
    return None


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
