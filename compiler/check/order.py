"""Zones that keep their order: what is declared, where pieces land, what lies at a place → typed parts, or problems.

What the lists of such a zone are kept by stands in `core/keep_order.py`.
"""

from __future__ import annotations

from rulewright.compiler.check import expressions
from rulewright.compiler.check.fitting import apart, bad, check_place
from rulewright.compiler.check.scope import Ruleset, Scope
from rulewright.compiler.check.secrecy import must_be_public
from rulewright.compiler.check.type_wording import hidden_part
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.keep_order import order_of, shuffled
from rulewright.compiler.core.types import BadT, IntT, ListT, MapT, SetT, Type
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

# of a zone that keeps its order: more are a list too long for every copy of a state
MAX_ORDERED = 500


def most_of(family: C.Family) -> int:
    """How many pieces of a family there are, or, where each has its own, how many one has."""
    sums = [sum(copies) for copies in family.copies]
    return max(sums, default=0) if family.per is not None else sum(sums)


def declare_order(r: Ruleset, family: C.Family, decl: S.Pieces) -> None:
    """The lists of the zones that keep their order, once it is known how many pieces there are."""
    most = most_of(family)
    players = r.kinds["Player"].type
    for zone, written in zip(family.zones, decl.zones, strict=True):
        if not written.ordered:
            continue
        if most > MAX_ORDERED:
            r.error(
                "RW0648", written.span, f"{quoted(zone.name)} keeps the order of up to {most:,} pieces",
                expected=f"at most {MAX_ORDERED}",
            )  # fmt: skip
        hidden = zone.visible == "nobody"
        kind = family.kind
        piece = IntT(-1, kind.size - 1) if hidden else kind
        zone.order = _list_var(zone, ListT(piece, most), "order")
        if hidden:
            zone.seen = _list_var(zone, ListT(SetT(players), most), "seen")
            zone.seen.visible = "all"


def _list_var(zone: C.Zone, items: ListT, role: str) -> C.StateVar:
    t: Type = items
    for key in reversed(zone.keys):
        t = MapT(key, t)
    name = f"{zone.name}.{role}"
    return C.StateVar(
        name, t, zone.visible, None, None, zone.span, about=zone.name, role=role
    )  # fmt: skip


# ---------------------------------------------------------------- places


def at_place(sc: Scope, zone: C.ZoneUse, index: S.Expr, got: C.Expr | None, span: Span) -> C.Expr:
    """zone[n]: the piece at a place; zone[a .. b]: those from one place to another, as a list."""
    r = sc.ruleset
    if zone.zone.order is None:
        _no_order(sc, zone, span)
        return bad(span)
    if zone.zone.seen is not None:
        r.error(
            "RW0662", span, f"nobody may look at a place of {quoted(zone.zone.name)}",
            hint="draw or deal the piece, or show it first: show …[1] to p",
        )  # fmt: skip
        return bad(span)
    sc.body.secrecy = C.join(sc.body.secrecy, zone.secrecy)
    return of_list(sc, order_of(zone, zone.span), index, got, span)


def of_list(sc: Scope, items: C.Expr, index: S.Expr, got: C.Expr | None, span: Span) -> C.Expr:
    """items[n], or items[a .. b]: a list again, with what there is between the two places."""
    t = items.type
    assert isinstance(t, ListT)
    if isinstance(index, S.Binary) and index.op == "..":
        first, last = expressions.need_int(sc, index.left), expressions.need_int(sc, index.right)
        if isinstance(first.type, BadT) or isinstance(last.type, BadT):
            return bad(span)
        return fold.op("slice", (items, first, last), _shorter(t, first, last), span)
    place = expressions.need_int(sc, index) if got is None else got
    check_place(sc, items, place)
    return fold.op("at", (items, place), t.element, span)


def _shorter(t: ListT, first: C.Expr, last: C.Expr) -> ListT:
    """The type of a part of a list."""
    match first, last:
        case C.Const(int() as a), C.Const(int() as b):
            most = max(0, b - max(1, a) + 1)
            return ListT(t.element, most if t.limit is None else min(t.limit, most))
        case _:  # others: places that play decides
            return t


def _looks(zone: C.ZoneUse) -> str:
    return {"all": "all look", "owner": "its owner looks", "team": "a team looks"}[
        zone.zone.visible
    ]


def _no_order(sc: Scope, zone: C.ZoneUse, span: Span) -> None:
    name = zone.zone.name
    sc.ruleset.error(
        "RW0660", span, f"{quoted(name)} keeps no order", expected="a zone that was declared `ordered`",
        hint=f"write: {name} … ordered",
    )  # fmt: skip


# ---------------------------------------------------------------- statements


def check_landing(sc: Scope, lands: S.Landing | None, target: C.ZoneUse) -> C.Landing | None:
    """Where pieces come to lie in the target; nothing said is on top."""
    if lands is None:
        return None
    if target.zone.order is None:
        if lands.place is not None:
            expressions.check_expr(sc, lands.place)
        _no_order(sc, target, lands.span)
        return None
    match lands.where:
        case "top":
            return None
        case "bottom":
            return C.Landing(None)
        case "shuffled":
            _must_be_hidden(sc, target, lands.span)
            return C.Landing(None, shuffled=True)
        case "at":
            assert lands.place is not None
            place = expressions.need_int(sc, lands.place)
            if place.secrecy is not None:
                _shows(sc, place)
            _check_landing_place(sc, target, place)
            return C.Landing(place)


def _check_landing_place(sc: Scope, target: C.ZoneUse, place: C.Expr) -> None:
    """Before what lies there, or behind the last of all."""
    last = most_of(target.zone.family)
    if isinstance(place.type, IntT) and apart(place.type, IntT(1, last)):
        sc.ruleset.error(
            "RW0613", place.span, f"{quoted(target.zone.name)} has no such place",
            expected=f"from 1 to {last}", hint="the first piece has the place 1",
        )  # fmt: skip


def _shows(sc: Scope, place: C.Expr) -> None:
    sc.ruleset.error(
        "RW0701", place.span, f"the place in the zone would show everyone {hidden_part(place)}",
        hint="use reveal(…) where the rules make it known",
    )  # fmt: skip


def _must_be_hidden(sc: Scope, zone: C.ZoneUse, span: Span) -> bool:
    if zone.zone.seen is not None:
        return True
    if zone.zone.order is None:
        _no_order(sc, zone, span)
    else:
        sc.ruleset.error(
            "RW0662", span, f"{quoted(zone.zone.name)} can't be shuffled: {_looks(zone)} into it",
            expected="a zone that was declared `hidden ordered`",
        )  # fmt: skip
    return False


def check_shuffle(sc: Scope, zone: C.ZoneUse | None, span: Span, cites: C.Cites) -> list[C.Stmt]:
    if sc.secrecy is not None or sc.together is not None:
        must_be_public(sc, None, span, "shuffling")
    if zone is None or not _must_be_hidden(sc, zone, span):
        return []
    return list(shuffled(zone, sc.ruleset.kinds["Player"].type, span, cites))


def place_of(sc: Scope, e: S.Expr, source: C.ZoneUse) -> C.Expr | None:
    """The place that a piece is moved from, a number that all know."""
    place = expressions.need_int(sc, e)
    if source.zone.order is None:
        _no_order(sc, source, e.span)
        return None
    if place.secrecy is not None and place.secrecy != source.secrecy:
        _shows(sc, place)
    check_place(sc, order_of(source, e.span), place)
    return None if isinstance(place.type, BadT) else place


def check_all(sc: Scope, source: C.ZoneUse, target: C.ZoneUse, stmt: S.Move) -> None:
    """Whether it is known in which order all pieces of a zone come to lie in another."""
    r = sc.ruleset
    lands = stmt.lands
    if lands is not None and lands.where == "at":
        r.error(
            "RW0661", lands.span, "all pieces go on top or on bottom, not to a place between", expected="on top, on bottom or shuffled"
        )  # fmt: skip
    if target.zone.order is None or (lands is not None and lands.where == "shuffled"):
        return
    name = quoted(source.zone.name)
    if source.zone.order is None:
        r.error(
            "RW0661", stmt.span, f"in which order? {name} keeps none",
            hint="write: … shuffled, or move the pieces one by one",
        )  # fmt: skip
    elif source.zone.seen is not None and target.zone.seen is None:
        r.error(
            "RW0661", stmt.span, f"nobody may know the order of {name} yet, but {_looks(target)} into {quoted(target.zone.name)}",
            hint="draw or deal the pieces one by one",
        )  # fmt: skip


def shown_place(sc: Scope, e: S.Expr) -> tuple[C.ZoneUse, C.Expr] | None:
    """zone[n], where the zone keeps its order; None for anything else that is to be shown."""
    if not isinstance(e, S.Index):
        return None
    root: S.Expr = e.base
    while isinstance(root, S.Index):
        root = root.base
    if not isinstance(root, S.Ref) or root.name not in sc.ruleset.zones or sc.find(root.name):
        return None
    zone = expressions.check_expr(sc, e.base)
    place = expressions.need_int(sc, e.index)
    if not isinstance(zone, C.ZoneUse) or isinstance(place.type, BadT):
        return None if not isinstance(zone, C.ZoneUse) else (zone, place)
    if zone.zone.seen is None:
        if zone.zone.order is None:
            _no_order(sc, zone, e.base.span)
        else:
            sc.ruleset.error(
                "RW0662", e.span, f"{quoted(zone.zone.name)} need not be shown: {_looks(zone)} into it",
                expected="a place of a zone that was declared `hidden ordered`",
            )  # fmt: skip
    else:
        if place.secrecy is not None:
            _shows(sc, place)
        check_place(sc, order_of(zone, e.base.span), place)
    return zone, place


def top_of(zone: C.ZoneUse, at: C.Expr | None, span: Span) -> C.Expr:
    """The piece at a place of a zone that somebody sees: the top one if none is named."""
    place = at or C.Const(1, IntT(1, 1), span)
    t = zone.zone.family.kind
    return C.Op("at", (order_of(zone, span), place), t, span, zone.secrecy)


def is_ordered(*zones: C.ZoneUse) -> bool:
    return any(z.zone.order is not None for z in zones)
