"""Typed expressions → low-level ones: members become numbers, sets bits, maps places in flat arrays."""

from __future__ import annotations

from typing import Literal, assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.loop_bounds import longest_walk
from rulewright.compiler.core.operations import OtherOp, SetOp
from rulewright.compiler.core.types import (
    LIMIT,
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    Type,
    count_of,
    low_of,
)
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import (
    Body,
    added,
    as_truth,
    common,
    full,
    plus,
    scaled,
    set_of,
    size_of,
)
from rulewright.compiler.low.lower_calls import call, can_run, code_call
from rulewright.compiler.low.lower_comprehensions import comprehension
from rulewright.compiler.low.lower_lists import changed, made
from rulewright.compiler.low.lower_tests import contains, has_kind, short_test
from rulewright.compiler.low.state_layout import low_type


def expression(body: Body, e: C.Expr) -> L.Expr:
    match e:
        case C.Const():
            return _const(body, e)
        case C.Use(local):
            return body.local(local)
        case C.Read():
            return read(body, e)
        case C.ZoneUse():
            return zone(body, e)
        case C.Column(kind, column, base):
            return entry(body.tables.column(kind, column), body.expr(base))
        case C.PieceRead(standing, name, piece):
            return entry(body.layout.by_piece[standing.name, name], body.expr(piece))
        case C.Op():
            return _op(body, e)
        case C.Call(function, args):
            return call(body, function, args)
        case C.CodeCall():
            return code_call(body, e)
        case C.Comp():
            return comprehension(body, e)
        case C.CanRun():
            return can_run(body, e)
        case C.Reveal(operand):
            return body.expr(operand)
        case C.Range():
            raise AssertionError("a range is only good to go over")


def _const(body: Body, e: C.Const) -> L.Expr:
    if isinstance(e.value, tuple):
        return body.tables.constant_list(e.value)
    if isinstance(e.type, BoolT):
        return L.TRUE if e.value else L.FALSE
    return L.Number(
        e.value, low_type(e.type) if isinstance(e.type, SetT) else T.Int(e.value, e.value)
    )


def entry(table: L.Field | L.TableUse | L.Local, index: L.Expr) -> L.Item:
    """The entry of an array at a place."""
    assert isinstance(table.type, T.Array | T.Items)
    return L.Item(table, index, table.type.element)


def read(body: Body, e: C.Read) -> L.Place:
    f = body.layout.by_state[e.var.name]
    return entry(f, flat(body, e.var.type, e.keys)) if isinstance(e.var.type, MapT) else f


def flat(body: Body, t: Type, keys: tuple[C.Expr, ...]) -> L.Expr:
    """The place in the flat array of nested maps."""
    place: L.Expr = L.number(0)
    for key in keys:
        assert isinstance(t, MapT)
        place = added(scaled(place, count_of(t.key) or 0), body.index(key, low_of(t.key)))
        t = t.value
    return place


def combined(body: Body, keys: tuple[C.Expr, ...]) -> L.Expr:
    """The number of a combination of values, in the order of their types."""
    found: L.Expr = L.number(0)
    for key in keys:
        assert isinstance(key.type, KindT | IntT)
        part = body.index(key, low_of(key.type))
        found = added(scaled(found, count_of(key.type) or 0), part)
    return found


def zone(body: Body, e: C.ZoneUse) -> L.Field | L.Item:
    f = body.layout.by_zone[e.zone.name]
    return entry(f, combined(body, e.keys)) if e.keys else f


# ---------------------------------------------------------------- operations


def _op(body: Body, e: C.Op) -> L.Expr:
    name, args = e.op, e.args
    t = low_type(e.type)
    if name == "*" and grows(e):
        return L.Help("times", (body.expr(args[0]), body.expr(args[1])), t)
    match name:
        case "+" | "-" | "*" | "//" | "%":
            return L.Binary(name, body.expr(args[0]), body.expr(args[1]), t)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            if short_test(e):
                return as_truth(body.test(e))
            return L.Compare(name, body.expr(args[0]), body.expr(args[1]))
        case "and" | "or":
            return logic(body, e, conditions=False)
        case "not":
            return L.Not(body.test(args[0]))
        case "if":
            return _pick(body, e)
        case "neg":
            return L.Unary("-", body.expr(args[0]), t)
        case "is_none":
            return L.Compare("<", body.expr(args[0]), L.number(0))
        case "min" | "max" | "abs" | "sign" | "clamp":
            return _bounded(body, name, args, t)
        case "checked":
            return checked(body.expr(args[0]), e.type, body.tables.place(e.span))
        case _:
            return _set_op(body, name, e, t)


def _bounded(
    body: Body,
    name: Literal["min", "max", "abs", "sign", "clamp"],
    args: tuple[C.Expr, ...],
    t: T.Type,
) -> L.Expr:
    simple = [body.simple(body.expr(x), "n") for x in args]
    match name:
        case "abs":
            (n,) = simple
            return L.Pick(L.Compare(">=", n, L.number(0)), n, L.Unary("-", n, t), t)
        case "sign":
            (n,) = simple
            down = L.Pick(L.Compare("<", n, L.number(0)), L.number(-1), L.number(0), t)
            return L.Pick(L.Compare(">", n, L.number(0)), L.number(1), down, t)
        case "clamp":
            a, low, high = simple
            upper = L.Pick(L.Compare(">", a, high), high, a, t)
            return L.Pick(L.Compare("<", a, low), low, upper, t)
        case "min" | "max":
            a, b = simple
            return L.Pick(L.Compare("<" if name == "min" else ">", a, b), a, b, t)
        case _:
            assert_never(name)


def logic(body: Body, e: C.Op, conditions: bool) -> L.Expr:
    """and/or; where the right side needs statements these run only if it is looked at."""
    how = body.test if conditions else body.truth
    left = how(e.args[0])
    with body.aside() as before:
        right = how(e.args[1])
    if not before:
        return L.Logic(e.op, left, right)
    both = body.let(body.temp("both" if e.op == "and" else "either", T.BOOL), strict(left))
    with body.when(both if e.op == "and" else L.Not(both)):
        body.statements.extend(before)
        body.let(both, strict(right))
    return both


def strict(e: L.Expr) -> L.Expr:
    """A condition that is kept."""
    return e if e in (L.TRUE, L.FALSE) else L.Help("bool", (e,), T.BOOL)


def _pick(body: Body, e: C.Op) -> L.Expr:
    test, yes, no = e.args
    t = low_type(e.type)
    tested = body.test(test)
    with body.aside() as before_yes:
        a = body.expr(yes)
    with body.aside() as before_no:
        b = body.expr(no)
    if not before_yes and not before_no:
        return L.Pick(tested, a, b, t)
    picked = body.temp("picked", t)
    with body.aside() as first:
        body.statements.extend(before_yes)
        body.let(picked, a)
    with body.aside() as second:
        body.statements.extend(before_no)
        body.let(picked, b)
    body.statements.append(L.If(tested, tuple(first), tuple(second), body.at))
    return picked


def _set_op(body: Body, name: SetOp | OtherOp, e: C.Op, t: T.Type) -> L.Expr:
    args = e.args
    match name:
        case "union":
            return L.Binary("|", body.expr(args[0]), body.expr(args[1]), t)
        case "intersect":
            return common(body.expr(args[0]), body.expr(args[1]), t)
        case "minus":
            return without(body.expr(args[0]), body.expr(args[1]), t)
        case "in":
            return as_truth(contains(body, args[0], args[1]))
        case "meets":
            return as_truth(meets(body, args[0], args[1]))
        case "within":
            a = body.expr(args[0])
            return L.Not(L.Binary("&", a, L.Unary("~", body.expr(args[1]), a.type), a.type))
        case "size_set" | "zone_size":
            return size_of(body.expr(args[0]))
        case "set":
            assert isinstance(t, T.Set)
            found: L.Expr | None = None
            for x in args:
                one = L.One(body.index(x, t.base), t)
                found = one if found is None else L.Binary("|", found, one, t)
            return set_of(0, t) if found is None else found
        case "first":
            return plus(L.Help("first", (body.expr(args[0]),), _place_in(args[0])), _base(args[0]))
        case "last":
            return plus(
                L.Help("topmost", (body.expr(args[0]),), _place_in(args[0])), _base(args[0])
            )
        case "the_first":
            looked_in = (body.expr(args[0]), body.tables.place(e.span))
            return plus(L.Help("first_of", looked_in, _place_in(args[0])), _base(args[0]))
        case "rest":
            return L.Unary("rest", body.simple(body.expr(args[0]), "rest"), t)
        case "later" | "sooner":
            moved, by = body.expr(args[0]), body.expr(args[1])
            if isinstance(by, L.Number) and by.value == 0:
                return moved
            return L.Binary("<<" if name == "later" else ">>", moved, by, t)
        case "standing":
            assert e.kind is not None
            return body.layout.by_piece[e.kind.name, "alive"]
        case _:
            return _other_op(body, name, e, t)


def meets(body: Body, a: C.Expr, b: C.Expr) -> L.Expr:
    """What two sets share."""
    left = body.expr(a)
    return left if a is b else common(left, body.expr(b), left.type)


def without(a: L.Expr, b: L.Expr, t: T.Type) -> L.Expr:
    """The members of one set that are not in the other."""
    if isinstance(b, L.Number) and isinstance(t, T.Set):
        return L.Binary("&", a, set_of(full(t) & ~b.value, t), t)
    if _is_one_of_all(b, a):
        return L.Binary("^", a, b, t)
    return L.Binary("&", a, L.Unary("~", b, t), t)


def _is_one_of_all(part: L.Expr, union: L.Expr) -> bool:
    """Whether a set is an entry of an array, and the other one the union of all its entries."""
    if not isinstance(part, L.Item) or not isinstance(part.base.type, T.Array):
        return False
    sets: list[L.Expr] = []
    rest = union
    while isinstance(rest, L.Binary) and rest.op == "|":
        sets.append(rest.right)
        rest = rest.left
    sets.append(rest)
    places = [
        x.index.value
        for x in sets
        if isinstance(x, L.Item) and x.base == part.base and isinstance(x.index, L.Number)
    ]
    return len(places) == len(sets) and sorted(places) == list(range(part.base.type.length))


def _base(domain: C.Expr) -> int:
    return low_of(domain.type.element) if isinstance(domain.type, SetT) else 0


def _place_in(domain: C.Expr) -> T.Int:
    n = count_of(domain.type.element) if isinstance(domain.type, SetT) else None
    return T.Int(0, None if n is None else n - 1)


def _other_op(body: Body, name: OtherOp, e: C.Op, t: T.Type) -> L.Expr:
    args = e.args
    match name:
        case "place":
            return combined(body, args)
        case "list":
            return L.ListOf(tuple(body.expr(x) for x in args), t)
        case "at":
            return L.Help("item", (body.expr(args[0]), body.expr(args[1])), t)
        case "entry":
            return L.Item(body.expr(args[0]), body.expr(args[1]), t)
        case "size_list":
            return L.Help("len", (body.expr(args[0]),), T.Int(0, None))
        case "in_list":
            return L.Compare("in", body.expr(args[0]), body.expr(args[1]))
        case "position":
            return L.Help("position", (body.expr(args[0]), body.expr(args[1])), t)
        case "appended" | "inserted" | "removed" | "replaced":
            assert isinstance(t, T.Items)
            return changed(body, name, e, t)
        case "slice" | "joined" | "filled":
            assert isinstance(t, T.Items)
            return made(body, name, e, t)
        case "zone_kinds":
            used = args[0]
            assert isinstance(used, C.ZoneUse)
            kinds = T.Set(used.zone.family.kind.size)
            return L.Binary("&", zone(body, used), set_of(full(kinds), kinds), kinds)
        case "zone_count":
            used = args[0]
            assert isinstance(used, C.ZoneUse)
            if body.layout.copies[used.zone.family.name] == 1:
                return L.Pick(has_kind(body, used, args[1]), L.number(1), L.number(0), T.Int(0, 1))
            kinds_n = L.number(used.zone.family.kind.size)
            return L.Help("count", (zone(body, used), body.expr(args[1]), kinds_n), t)
        case "distance":
            assert e.kind is not None
            table = body.tables.distances(e.kind)
            row = scaled(body.expr(args[0]), len(e.kind.members))
            return entry(table, added(row, body.expr(args[1])))
        case "walks":
            assert e.kind is not None
            walks, width = body.tables.walks(e.kind, longest_walk(e.kind, args[1]))
            steps = body.simple(body.expr(args[1]), "steps")
            found = entry(walks, added(scaled(body.expr(args[0]), width), steps))
            if isinstance(steps, L.Number) and 0 <= steps.value < width:
                return found
            inside: L.Expr = L.Between(L.number(0), steps, L.number(width - 1))
            return L.Pick(inside, found, set_of(0, t), t)
        case "next":
            assert isinstance(e.type, KindT)
            return L.Binary("%", plus(body.expr(args[0]), 1), L.number(e.type.size), t)
        case "clockwise":
            assert isinstance(args[0].type, KindT)
            n = args[0].type.size
            end = body.expr(args[1])
            apart = L.Binary("-", end, body.expr(args[0]), T.Int(1 - n, n - 1))
            return L.Binary("%", apart, L.number(n), t)
        case "player":
            return body.expr(args[0])
        case "mixed":
            more = args[1]
            value = zone(body, more) if isinstance(more, C.ZoneUse) else body.expr(more)
            return L.Help("mixed", (body.expr(args[0]), value), t)
        case _:
            assert_never(name)


def grows(e: C.Op) -> bool:
    """A product of numbers without bounds: again and again, it would fill the memory."""
    known = isinstance(e.type, IntT) and None not in (e.type.low, e.type.high)
    return not known and not any(isinstance(x, C.Const) for x in e.args)


def checked(value: L.Expr, t: Type, place: L.Number) -> L.Expr:
    """The value, or an error with its place where it is outside its bounds."""
    got = low_type(t)
    match t:
        case IntT(low, high):
            return L.Help("in_range", (value, _low(low), _high(high), place), got)
        case OptT(IntT(low, high)):
            return L.Help("in_range", (value, _low(low), _high(high), place, L.TRUE), got)
        case ListT(element, limit):
            low, high = (element.low, element.high) if isinstance(element, IntT) else (None, None)
            most = L.number(LIMIT if limit is None else limit)
            return L.Help("in_length", (value, most, _low(low), _high(high), place), got)
        case _:
            raise AssertionError(f"no bounds to check of {t}")


def _low(low: int | None) -> L.Number:
    return L.number(-LIMIT if low is None else low)


def _high(high: int | None) -> L.Number:
    return L.number(LIMIT if high is None else high)
