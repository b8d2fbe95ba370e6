"""Statements about pieces → Python: drawing and moving them, putting them down, taking and showing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT, SetT
from rulewright.compiler.emit.spelling import literal
from rulewright.compiler.text.source import Span

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_stmt import Statements


def none_left(body: Statements, zone: C.ZoneUse, span: Span, kind: str = "-1") -> None:
    """Raise an error that can tell the zone, whose it is, and what it no longer holds."""
    place = body.tables.place(span)
    body.tables.holders[place] = zone.zone
    args = [str(place)]
    if zone.owner is not None:
        args += [kind, body.value(zone.owner)]
    elif kind != "-1":
        args.append(kind)
    body.out.line(f"raise empty_zone({', '.join(args)})")


def draw(body: Statements, s: C.SDraw) -> None:
    kinds = s.source.zone.family.kind.size
    source = body.zone(s.source)
    with body.out.block(f"if not {source}:"):
        none_left(body, s.source, s.span)
    body.next_random()
    kind = body.temp("kind")
    body.assign(kind, f"nth({source}, (x & LOW) * size({source}) >> 32) % {kinds}", IntT())
    body.carry(s.source, s.target, kind)
    if s.var is not None:
        body.define(s.var, kind)


def move(body: Statements, s: C.SMove) -> None:
    kinds = s.source.zone.family.kind.size
    source, target = body.zone(s.source), body.zone(s.target)
    if s.kind is None:
        body.out.line(f"{target} = union({target}, {source}, {kinds})")
        body.out.line(f"{source} = 0")
        if body.flavour.full and s.revealing:
            body.barrier(None if s.quiet else f"the {s.source.zone.name} is shown")
        return
    kind = body.simple(s.kind, "kind")
    one = s.count is None or (isinstance(s.count, C.Const) and s.count.value == 1)
    if not one:
        assert s.count is not None
        body.out.line(f"for _ in range({body.value(s.count)}):")
        body.out.depth += 1
    with body.out.block(f"if not {body.holds(s.source, source, kind)}:"):
        none_left(body, s.source, s.span, kind)
    body.carry(s.source, s.target, kind)
    if not one:
        body.out.depth -= 1


def carry(body: Statements, source: C.ZoneUse, target: C.ZoneUse, kind: str) -> None:
    """One piece of a kind leaves a zone that holds it and comes into another."""
    family = source.zone.family
    n, start, end = family.kind.size, body.zone(source), body.zone(target)
    apart = family.per is None or None not in (source.zone.per, target.zone.per)
    copies = body.layout.planes[family.name] if apart else 3
    if copies > 2 or body.wide_zone(source):
        body.out.line(f"{start} = remove({start}, {kind}, {n})")
        body.out.line(f"{end} = add({end}, {kind}, {n})")
        return
    piece = body.temp("piece")
    body.assign(piece, f"BIT[{kind}]", SetT(family.kind))
    if copies == 1:
        body.out.line(f"{start} ^= {piece}")
        body.out.line(f"{end} |= {piece}")
    else:
        # the second of two stands n places further on
        body.out.line(f"{start} ^= {piece} << {n} if {start} & {piece} << {n} else {piece}")
        body.out.line(f"{end} |= {piece} << {n} if {end} & {piece} else {piece}")


def holds(body: Statements, zone: C.ZoneUse, text: str, kind: str) -> str:
    """Whether a zone holds a piece of a kind."""
    return f"{text} & bit({kind})" if body.wide_zone(zone) else f"{text} >> {kind} & 1"


def barrier(body: Statements, text: str | None) -> None:
    if text is not None:
        body.out.line(f"s.story.append((-1, {literal(text)}))")
    body.out.line("s.barriers += 1")


def put(body: Statements, s: C.SPut) -> None:
    kinds = s.standing.family.kind.size
    source = body.zone(s.source)
    kind = body.simple(s.value, "kind")
    alive = f"s.{body.layout.by_piece[s.standing.name, 'alive'].name}"
    name = body.local(s.var)
    with body.out.block(f"if not {body.holds(s.source, source, kind)}:"):
        none_left(body, s.source, s.span, kind)
    of = s.source.owner if s.standing.family.per is not None else None
    owner = "0" if of is None else body.value(of)
    hidden_from = body.temp("before")
    body.assign(hidden_from, source, SetT(s.standing.family.kind))
    body.out.line(f"{source} = remove({source}, {kind}, {kinds})")
    body.assign(name, f"first(~{alive})", s.standing.handle)
    with body.out.block(f"if {name} >= {s.standing.handle.size}:"):
        body.out.line(
            f"raise list_too_long({body.tables.place(s.span)}, {name} + 1, {s.standing.handle.size})"
        )
    wide = body.layout.by_piece[s.standing.name, "alive"].wide
    body.out.line(f"{alive} |= {body.one(name, wide)}")
    everyone = (1 << body.flavour.game.players) - 1
    known = (
        str(everyone) if s.seen_by_all else "0" if s.seen is None else f"BIT[{body.value(s.seen)}]"
    )
    public = s.source.zone.visible == "all"
    guess = f"{hidden_from} & {hex((1 << kinds) - 1)}" if public else hex((1 << kinds) - 1)
    values = {"value": kind, "owner": owner, "known": known, "guess": guess}
    for field_name, text in values.items():
        body.out.line(
            f"s.{body.layout.by_piece[s.standing.name, field_name].name}[{name}] = {text}"
        )
    for field_name, e in s.fields.items():
        body.out.line(
            f"s.{body.layout.by_piece[s.standing.name, field_name].name}[{name}] = {body.result(e)}"
        )
    body.keep(s.var)


def take(body: Statements, s: C.STake) -> None:
    piece = body.simple(s.piece, "piece")
    value = body.layout.by_piece[s.standing.name, "value"].name
    target = body.zone(s.target)
    body.out.line(f"{target} = add({target}, s.{value}[{piece}], {s.standing.family.kind.size})")
    alive = body.layout.by_piece[s.standing.name, "alive"]
    body.out.line(f"s.{alive.name} &= ~({body.one(piece, alive.wide)})")
    for field_name in ("value", "owner", "known", "guess", *s.standing.fields):
        body.out.line(f"s.{body.layout.by_piece[s.standing.name, field_name].name}[{piece}] = 0")


def show(body: Statements, piece: C.Expr, standing: C.Standing, to: C.Expr | None) -> None:
    known = f"s.{body.layout.by_piece[standing.name, 'known'].name}[{body.value(piece)}]"
    everyone = (1 << body.flavour.game.players) - 1
    body.out.line(f"{known} = {everyone}" if to is None else f"{known} |= BIT[{body.value(to)}]")
    if body.flavour.full:
        body.out.line("s.barriers += 1")
