"""Statements about pieces → low-level ones: drawing and moving them, putting them down, taking and showing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.keep_order import order_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import full, plus, set_of, size_of
from rulewright.compiler.low.lower_chance import below, next_random, nth
from rulewright.compiler.low.lower_expressions import combined, entry, zone
from rulewright.compiler.text.source import Span

if TYPE_CHECKING:
    from rulewright.compiler.low.lower_statements import Statements


def fail_if_empty(
    body: Statements, test: L.Expr, zone_: C.ZoneUse, span: Span, kind: L.Expr | None = None
) -> None:
    """An error that can tell the zone, whose it is, and what it no longer holds."""
    with body.when(test):
        place = body.tables.place(span)
        body.tables.holders[place.value] = zone_.zone
        args: list[L.Expr] = [place]
        if zone_.keys:
            args += [L.number(-1) if kind is None else kind, combined(body, zone_.keys)]
        elif kind is not None:
            args.append(kind)
        body.fail("empty_zone", *args)


def draw(body: Statements, s: C.SDraw) -> None:
    kinds = s.source.zone.family.kind.size
    source = zone(body, s.source)
    fail_if_empty(body, L.Not(source), s.source, s.span)
    pool = source if s.at is None else pool_at(body, s, s.at)
    next_random(body)
    piece = nth(pool, below(body, size_of(pool)))
    drawn = L.Binary("%", piece, L.number(kinds), T.Int(0, kinds - 1))
    kind = body.let(body.temp("kind", T.Int(0, kinds - 1)), drawn)
    if s.look is None and not s.all_look:
        carry(body, s.source, s.target, kind)
    if s.var is not None:
        body.define(s.var, kind)


def pool_at(body: Statements, s: C.SDraw, at: C.Expr) -> L.Expr:
    """What may lie at a place of a zone that keeps its order: the piece itself if it is settled, else all whose places are not."""
    # a place that is not there is told with its line, also where a block ends with it
    with body.place(s.span):
        return _pool(body, s, at)


def _pool(body: Statements, s: C.SDraw, at: C.Expr) -> L.Expr:
    kinds = L.number(s.source.zone.family.kind.size)
    order = body.simple(body.expr(order_of(s.source)), "order")
    assert isinstance(order.type, T.Items) and isinstance(order.type.element, T.Int)
    there = L.Help("item", (order, body.expr(at)), order.type.element)
    piece = body.let(body.temp("piece", order.type.element), there)
    whole = zone(body, s.source)
    pool = body.let(body.temp("pool", whole.type), L.Number(0, whole.type))
    settled = L.Compare(">=", piece, L.number(0))
    with body.when(settled):
        body.store(pool, L.Help("add", (pool, piece, kinds), pool.type))
    with body.when(L.Not(settled)):
        body.store(pool, whole)
        i = body.temp("i", T.Int(0, order.type.limit))
        length = L.Help("len", (order,), T.Int(0, order.type.limit))
        with body.over(i, L.Range(L.number(0), length)):
            one = body.let(
                body.temp("one", order.type.element), L.Item(order, i, order.type.element)
            )
            with body.when(L.Compare(">=", one, L.number(0))):
                body.store(pool, L.Help("remove", (pool, one, kinds), pool.type))
    return pool


def move(body: Statements, s: C.SMove) -> None:
    source, target = zone(body, s.source), zone(body, s.target)
    if s.kind is None:
        kinds = L.number(s.source.zone.family.kind.size)
        body.store(target, L.Help("union", (target, source, kinds), target.type))
        body.store(source, L.number(0))
        if body.flavour.full and s.revealing:
            if not s.quiet:
                body.tell(L.number(-1), L.Words(f"the {s.source.zone.name} is shown"))
            barrier(body)
        return
    kind = body.simple(body.expr(s.kind), "kind")
    if s.count is None or (isinstance(s.count, C.Const) and s.count.value == 1):
        _move_one(body, s, kind)
        return
    with body.over(L.Local("_", T.INT), L.Range(L.number(0), body.expr(s.count))):
        _move_one(body, s, kind)


def _move_one(body: Statements, s: C.SMove, kind: L.Expr) -> None:
    held = L.Has(zone(body, s.source), kind)
    fail_if_empty(body, L.Not(held), s.source, s.span, kind)
    carry(body, s.source, s.target, kind)


def carry(body: Statements, source: C.ZoneUse, target: C.ZoneUse, kind: L.Expr) -> None:
    """One piece of a kind leaves a zone that holds it and comes into another."""
    family = source.zone.family
    n, start, end = family.kind.size, zone(body, source), zone(body, target)
    apart = family.per is None or bool(source.zone.keys and target.zone.keys)
    copies = body.layout.copies[family.name] if apart else 3
    t = start.type
    if copies > 2 or T.is_wide(t):
        body.store(start, L.Help("remove", (start, kind, L.number(n)), t))
        body.store(end, L.Help("add", (end, kind, L.number(n)), t))
        return
    piece = body.let(body.temp("piece", t), L.One(kind, t))
    if copies == 1:
        body.store(start, piece, "^")
        body.store(end, piece, "|")
    else:
        # the second of two stands n places further on
        second = L.Binary("<<", piece, L.number(n), t)
        body.store(start, L.Pick(L.Binary("&", start, second, t), second, piece, t), "^")
        body.store(end, L.Pick(L.Binary("&", end, piece, t), second, piece, t), "|")


def barrier(body: Statements) -> None:
    """What has been seen can't be taken back."""
    body.store(L.Field("barriers", T.INT), L.number(1), "+")


def everyone(body: Statements) -> L.Number:
    players = body.flavour.game.players
    return L.number((1 << players) - 1)


def put(body: Statements, s: C.SPut) -> None:
    standing = s.standing
    kinds = T.Set(standing.family.kind.size)
    source = zone(body, s.source)
    kind = body.simple(body.expr(s.value), "kind")
    alive = body.layout.by_piece[standing.name, "alive"]
    name = body.local(s.var)
    fail_if_empty(body, L.Not(L.Has(source, kind)), s.source, s.span, kind)
    of = s.source.owner if standing.family.per is not None else None
    owner = L.number(0) if of is None else body.expr(of)
    before = body.let(body.temp("before", source.type), source)
    body.store(source, L.Help("remove", (source, kind, L.number(kinds.size)), source.type))
    body.let(name, L.Help("first", (L.Unary("~", alive, alive.type),), name.type))
    size = L.number(standing.handle.size)
    body.fail_if(
        L.Compare(">=", name, size), "list_too_long", body.tables.place(s.span), plus(name, 1), size
    )
    body.store(alive, L.One(name, alive.type), "|")
    known: L.Expr = L.number(0)
    if s.seen_by_all:
        known = everyone(body)
    elif s.seen is not None:
        known = L.One(body.expr(s.seen), T.Set(body.flavour.game.players))
    every = set_of(full(kinds), kinds)
    public = s.source.zone.visible == "all"
    guess = L.Binary("&", before, every, kinds) if public else every
    given: dict[str, L.Expr] = {"value": kind, "owner": owner, "known": known, "guess": guess}
    for field_name, value in given.items():
        body.store(entry(body.layout.by_piece[standing.name, field_name], name), value)
    for field_name, e in s.fields.items():
        place = entry(body.layout.by_piece[standing.name, field_name], name)
        body.store(place, body.result(e))
    body.keep(s.var)


def take(body: Statements, s: C.STake) -> None:
    standing = s.standing
    piece = body.simple(body.expr(s.piece), "piece")
    kind = entry(body.layout.by_piece[standing.name, "value"], piece)
    target = zone(body, s.target)
    n = L.number(standing.family.kind.size)
    body.store(target, L.Help("add", (target, kind, n), target.type))
    alive = body.layout.by_piece[standing.name, "alive"]
    body.store(alive, L.Unary("~", L.One(piece, alive.type), alive.type), "&")
    for field_name in ("value", "owner", "known", "guess", *standing.fields):
        body.store(entry(body.layout.by_piece[standing.name, field_name], piece), L.number(0))


def show(body: Statements, piece: C.Expr, standing: C.Standing, to: C.Expr | None) -> None:
    known = entry(body.layout.by_piece[standing.name, "known"], body.expr(piece))
    if to is None:
        body.store(known, everyone(body))
    else:
        body.store(known, L.One(body.expr(to), known.type), "|")
    if body.flavour.full:
        barrier(body)
