"""Assignments → typed ones: what may be given a value, and what it may be given."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check import choose_some, expressions, local_maps, operators
from rulewright.compiler.check.fitting import needed
from rulewright.compiler.check.habits import NAMES
from rulewright.compiler.check.kinds import check_type
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.secrecy import may_write, must_be_public
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BAD,
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
    same,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import nearest, quoted
from rulewright.compiler.text.source import Span

# an operation is an entry of a map of a function's own
Target = C.Read | C.PieceRead | C.Local | C.Op


def _is_new(sc: Scope, name: str) -> bool:
    """Whether nothing has such a name, nor one near it."""
    r = sc.ruleset
    known = {*sc.visible_names(), *r.functions, *r.procedures, *NAMES}
    return not r.problems.is_full and name not in known and nearest(name, known) is None


def assigned_to(sc: Scope, e: S.Expr, *, rows: bool = False) -> Target | None:
    """What can be given a value; anything else is told. With `rows` that may be a part of a map with all its entries."""
    r = sc.ruleset
    if isinstance(e, S.Ref):
        local = sc.find(e.name)
        if local is not None:
            if not local.mutable:
                r.error(
                    "RW0809",
                    e.span,
                    f"{quoted(e.name)} can't be assigned",
                    expected="a variable declared with var",
                    hint="write: var x: … = … where it begins",
                )
            if local.map is not None:
                r.error(
                    "RW0812", e.span, "a whole map can't be assigned", hint="assign one entry, or go over its keys"
                )  # fmt: skip
                return None
            return local
    if isinstance(e, S.Attr):
        base = expressions.check_expr(sc, e.base)
        got = expressions.attribute(sc, base, e.name, e.span)
        if isinstance(got, C.PieceRead) and got.field not in ("value", "owner"):
            return got
        if isinstance(got, C.PieceRead):
            r.error(
                "RW0810", e.span, f"the {got.field} of a standing piece can't be assigned",
                hint="take the piece away and put another",
            )  # fmt: skip
        elif not isinstance(got.type, BadT):
            r.error(
                "RW0810", e.span, "what stands in a table can't be assigned",
                expected="state, a variable or a field of a standing piece",
            )  # fmt: skip
        return None
    if isinstance(e, S.Ref) and _is_new(sc, e.name):
        hint = f"to begin it here, write: let {e.name} = …, or var {e.name}: … = … if it changes"
        r.error("RW0501", e.span, f"unknown name {quoted(e.name)}", hint=hint)
        return None
    got = expressions.check_expr(sc, e)
    if isinstance(got, C.Read):
        if got.var.name == "score" and got.var.builtin:
            r.error(
                "RW0811",
                e.span,
                "the score can't be assigned",
                hint="write: score 5 to p for reason",
            )
            return None
        if isinstance(got.type, MapT) and not (rows and got.keys):
            r.error(
                "RW0812",
                e.span,
                "a whole map can't be assigned",
                hint="assign one entry, or go over its keys",
            )
            return None
        return got
    if _is_entry(got):
        assert isinstance(got, C.Op)
        return got
    if isinstance(got, C.ZoneUse) or (isinstance(got, C.Op) and got.op == "zone_count"):
        r.error(
            "RW0813",
            e.span,
            "pieces are not assigned: they go from zone to zone",
            hint="write: move c from … to …",
        )
    elif not isinstance(got.type, BadT):
        what = "this"
        if isinstance(e, S.Ref):
            sort = "a constant" if e.name in r.constants else a(got.type)
            what = f"{quoted(e.name)} is {sort}: it"
        r.error(
            "RW0810", e.span, f"{what} can't be assigned",
            expected="state or a variable declared with var",
        )  # fmt: skip
    return None


def check_assign(sc: Scope, stmt: S.Assign, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    chosen = sc.find(stmt.value.name) if isinstance(stmt.value, S.Ref) else None
    op = stmt.op[:-1]
    several = chosen is not None and bool(chosen.steps) and not op
    target = assigned_to(sc, stmt.target, rows=several)
    if target is None:
        expressions.check_expr(sc, stmt.value, BAD)
        return []
    t = target.type
    if isinstance(target, C.Read) and isinstance(t, MapT) and chosen is not None:
        return choose_some.keep(sc, target, chosen, stmt, cites)
    sets = isinstance(t, SetT)
    if (
        op
        and not isinstance(t, BadT)
        and (op not in ("|&-" if sets else "+-") or not isinstance(t, SetT | IntT))
    ):
        expressions.check_expr(sc, stmt.value, t)
        expected = "a set before it" if op in "|&" else "a number before it"
        hint = None
        if sets:
            hint = "write: |= {…} to put members in, -= {…} to take them out"
        elif isinstance(t, ListT):
            hint = "write: append x to …, remove x from …, or give the list anew: x = [a, b]"
        r.error(
            "RW0617",
            stmt.span,
            f"{stmt.op} has no meaning for {a(t)}",
            expected=expected,
            hint=hint,
        )
        return []
    want: Type = IntT() if op and isinstance(t, IntT) else t
    value = expressions.check_expr(sc, stmt.value, want)
    if not (op in ("&", "-") and isinstance(value.type, SetT) and same(value.type, want)):
        value = needed(sc, value, want)  # what is only taken away or kept may be a wider set
    if isinstance(target, C.Local):
        target.secrecy = C.join(C.join(target.secrecy, value.secrecy), sc.secrecy)
        if op:
            use = C.Use(target, target.type, stmt.span, target.secrecy)
            # a type that is wrong itself has been told already
            name = (
                operators.SETS[op] if sets or op not in operators.NUMBERS else operators.NUMBERS[op]
            )
            value = fold.op(name, (use, value), target.type, stmt.span)
    elif isinstance(target, C.Op) and op:
        name = operators.SETS[op] if sets else operators.NUMBERS[op]
        value = fold.op(name, (target, value), target.type, stmt.span)
    return give(sc, target, op, value, stmt.span, cites)


def check_map_var(sc: Scope, stmt: S.Var, cites: C.Cites) -> list[C.Stmt]:
    """var cost: map Quay to 0..99 = 9"""
    t = check_type(sc.ruleset, stmt.type)
    items = None
    if isinstance(t, MapT):
        items = local_maps.kept_in(sc, t, stmt.name, stmt.type.span)
    if items is None or not isinstance(t, MapT):
        if stmt.value is not None:
            expressions.check_expr(sc, stmt.value)
        sc.declare(stmt.name, BAD, mutable=True)
        return []
    first = None if stmt.value is None else expressions.need(sc, stmt.value, t.value)
    local = sc.declare(stmt.name, items, mutable=True)
    local.map = t
    local.secrecy = C.join(None if first is None else first.secrecy, sc.secrecy)
    value = local_maps.filled(items, first or zero_of(t.value, stmt.span), stmt.span)
    return [C.SLet(local, value, stmt.span, cites)]


def _is_entry(e: C.Expr) -> bool:
    """Whether it is an entry of a map of a function's own."""
    match e:
        case C.Op("entry", (C.Use(local), _)):
            return local.map is not None
        case _:  # others: kept elsewhere, or nowhere
            return False


def give(
    sc: Scope, target: Target, op: str, value: C.Expr, span: Span, cites: C.Cites
) -> list[C.Stmt]:
    """A value of the right type for what is assigned to, if it may be given to it."""
    if isinstance(target, C.Op):
        target, value = local_maps.with_entry(target, value, span)
    if isinstance(target, C.Local):
        target.secrecy = C.join(C.join(target.secrecy, value.secrecy), sc.secrecy)
        if isinstance(target.type, OptT):
            if isinstance(value.type, OptT | NoneT):
                sc.forget(target)
            else:
                sc.narrowed[target.number] = target.type.base
        return [C.SLet(target, value, span, cites)]
    if sc.pure:
        sc.ruleset.error(
            "RW0801",
            span,
            "a function can't change state",
            hint="functions only work things out; make this a procedure",
        )
        return []
    if isinstance(target, C.Read):
        for key in target.keys:
            if key.secrecy is not None and target.var.visible == "all":
                must_be_public(sc, key, span, f"assigning to {quoted(target.var.name)}")
        may_write(sc, target.var, target.keys, value, op, span)
    else:
        must_be_public(sc, value, span, f"changing {target.field}")
    return [C.SAssign(target, op, value, span, cites)]


def zero_of(t: Type, span: Span) -> C.Expr:
    """The first value of a type."""
    match t:
        case IntT(low, high):
            nearest = max(0, low or 0) if high is None else min(max(0, low or 0), high)
            return C.Const(nearest, t, span)
        case OptT():
            return C.Const(-1, t, span)
        case ListT():
            return C.Const((), t, span)
        case (
            BadT() | BoolT() | GroupsT() | KindT() | MapT() | NoneT() | RangeT() | SetT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(t)
    return C.Const(0, t, span)
