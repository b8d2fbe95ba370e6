"""A game with zones that keep their order → the same game, in which every piece that goes somewhere has its place in lists beside the zones.

    heap.order    the pieces of the zone from the top on; -1 stands for one of those whose place nobody has ever known
    heap.seen     of a zone that nobody may look into: which seats know what lies at each place

A heap that was shuffled is a row of -1, and what lies at such a place is drawn when somebody sees it; so no order is in the state that
nobody knows, and all orders stay as likely as they are. What moves pieces is followed by what it does to the lists:

    draw x from heap at 1 to table   →   draw …;  heap.order = removed(heap.order, 1);  heap.seen = removed(heap.seen, 1)
    move c from hand[p] to heap      →   move …;  heap.order = inserted(heap.order, c, 1);  heap.seen = inserted(heap.seen, {p}, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.secret_choices import same
from rulewright.compiler.core.trace_notes import steady
from rulewright.compiler.core.types import IntT, KindT, ListT, MapT, SetT, Type
from rulewright.compiler.text.source import NOWHERE, Span

Fresh = Callable[[str, Type], C.Local]
ONE = C.Const(1, IntT(1, 1))


def keep_order(game: C.Game, fresh: Fresh) -> None:
    """Adds the lists, and the statements that keep them."""
    ordered = [z for f in game.families for z in f.zones if z.order is not None]
    if not ordered:
        return
    for zone in ordered:
        game.state.extend(var for var in (zone.order, zone.seen) if var is not None)
    work = _Keeper(game, fresh)
    for p in game.procedures:
        p.body = work.block(p.body)


def order_of(zone: C.ZoneUse, span: Span = NOWHERE) -> C.Read:
    """The list of what lies in a zone that keeps its order, from the top on."""
    assert zone.zone.order is not None
    return _of(zone.zone.order, zone, span)


def shuffled(zone: C.ZoneUse, players: KindT, span: Span, cites: C.Cites) -> Iterator[C.Stmt]:
    """From now on nobody knows where anything lies in the zone."""
    size = C.Op("zone_size", (zone,), IntT(0, None))
    order = order_of(zone)
    nowhere = C.Const(-1, IntT(-1, -1))
    yield _give(order, "filled", (nowhere, size), span, cites)
    if zone.zone.seen is not None:
        seen = _of(zone.zone.seen, zone, span)
        yield _give(seen, "filled", (C.Const(0, SetT(players)), size), span)


def _of(var: C.StateVar, zone: C.ZoneUse, span: Span = NOWHERE) -> C.Read:
    t: Type = var.type
    for _ in zone.keys:
        assert isinstance(t, MapT)
        t = t.value
    return C.Read(var, zone.keys, t, span, zone.secrecy)


def _give(
    to: C.Read, op: OpName, args: tuple[C.Expr, ...], span: Span, cites: C.Cites = ()
) -> C.Stmt:
    return C.SAssign(to, "", C.Op(op, args, to.type, span), span, cites)


def _one_owner(a: C.ZoneUse, b: C.ZoneUse) -> bool:
    return all(same(x, y) for x, y in zip(a.keys, b.keys, strict=True))


class _Keeper:
    def __init__(self, game: C.Game, fresh: Fresh) -> None:
        self.game = game
        self.fresh = fresh
        self.player = game.kinds["Player"].type
        self.everyone = C.Const((1 << game.players) - 1, SetT(self.player))

    def block(self, stmts: list[C.Stmt]) -> list[C.Stmt]:
        return [new for s in stmts for new in self.stmt(s)]

    def stmt(self, s: C.Stmt) -> Iterator[C.Stmt]:
        match s:
            case C.SIf(arms, other):
                new = [(test, self.block(body)) for test, body in arms]
                yield replace(s, arms=new, other=self.block(other))
            case C.SFor(body=body) | C.SWhile(body=body):
                yield replace(s, body=self.block(body))
            case C.SDraw(source=a) if s.look is not None or s.all_look:
                source = yield from self.settled(a)
                yield from self.looked_at(replace(s, source=source, target=source), source)
            case C.SDraw(source=a, target=b) if a.zone.order or b.zone.order:
                source, target = (yield from self.settled(a)), (yield from self.settled(b))
                yield from self.drawn(replace(s, source=source, target=target))
            case C.SMove(source=a, target=b) if a.zone.order or b.zone.order:
                source, target = (yield from self.settled(a)), (yield from self.settled(b))
                move = replace(s, source=source, target=target)
                yield from (self.all_moved(move) if s.kind is None else self.moved(move, s.kind))
            case C.SPut(source=a) if a.zone.order:
                source = yield from self.settled(a)
                kind = yield from self.once("kind", s.value)
                yield replace(s, value=kind, source=source)
                yield from self.leaves(source, kind, None, s.span)
            case C.STake(piece, standing, b) if b.zone.order:
                target = yield from self.settled(b)
                kinds = standing.family.kind
                kind = yield from self.once("kind", C.PieceRead(standing, "value", piece, kinds))
                known = C.PieceRead(standing, "known", piece, SetT(self.player))
                mask = yield from self.once("known", known)
                yield replace(s, target=target)
                yield from self.comes(target, kind, mask, None, s.span)
            case (
                C.SAssign() | C.SBreak() | C.SChoose() | C.SContinue() | C.SDraw() | C.SLet() | C.SMark() | C.SMove() | C.SPut()
                | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll() | C.SRun() | C.SScore() | C.SShow() | C.STake() | C.STell()
            ):  # fmt: skip
                yield s
            case _:
                assert_never(s)

    def once(self, name: str, e: C.Expr) -> Generator[C.Stmt, None, C.Expr]:
        """A value that is worked out now, to be used several times."""
        if isinstance(e, C.Const) or (isinstance(e, C.Use) and not e.local.mutable):
            return e
        local = self.fresh(name, e.type)
        local.secrecy = e.secrecy
        yield C.SLet(local, e, e.span)
        return C.Use(local, e.type, NOWHERE, e.secrecy)

    def settled(self, zone: C.ZoneUse) -> Generator[C.Stmt, None, C.ZoneUse]:
        """The zone with an owner that stays the same, whatever the statement changes."""
        if steady(zone.keys):
            return zone
        keys: list[C.Expr] = []
        for key in zone.keys:
            keys.append((yield from self.once("whose", key)))
        return replace(zone, keys=tuple(keys))

    # ------------------------------------------------------------ single pieces

    def drawn(self, s: C.SDraw) -> Iterator[C.Stmt]:
        source, target = s.source, s.target
        at = None
        if source.zone.order is not None:
            at = yield from self.once("place", ONE if s.at is None else s.at)
        if at is not None and source.zone is target.zone and _one_owner(source, target):
            yield from self.within(source, at, s)
            return
        var = s.var
        if var is None:
            # called after its zone, as a piece without a name is
            var = self.fresh(source.zone.name, source.zone.family.kind)
            var.secrecy = C.NOBODY
        yield replace(s, var=var, at=at)
        kind = C.Use(var, var.type)
        mask: C.Expr = self.watchers(source)
        if at is not None and source.zone.seen is not None:
            known = self.read("at", _of(source.zone.seen, source), at, SetT(self.player))
            if target.zone.seen is not None:
                mask = yield from self.once("known", known)
        if at is not None:
            yield from self.leaves(source, kind, at, s.span)
        yield from self.comes(target, kind, mask, s.lands, s.span)

    def within(self, zone: C.ZoneUse, at: C.Expr, s: C.SDraw) -> Iterator[C.Stmt]:
        """A piece goes to another place of the same zone: nobody sees it, so it need not be settled which it is."""
        order = order_of(zone)
        assert isinstance(order.type, ListT) and isinstance(order.type.element, IntT)
        piece = yield from self.once("piece", C.Op("at", (order, at), order.type.element))
        seen = zone.zone.seen
        assert seen is not None
        known = self.read("at", _of(seen, zone), at, SetT(self.player))
        mask = yield from self.once("known", known)
        yield from self.leaves(zone, piece, at, s.span)
        yield from self.comes(zone, piece, mask, s.lands, s.span)

    def looked_at(self, s: C.SDraw, zone: C.ZoneUse) -> Iterator[C.Stmt]:
        """A piece that stays where it is: its place is settled now, and somebody knows it."""
        assert zone.zone.seen is not None and s.at is not None
        at = yield from self.once("place", s.at)
        var = self.fresh(zone.zone.name, zone.zone.family.kind)
        var.secrecy = C.NOBODY
        yield replace(s, var=var, at=at)
        order, seen = order_of(zone), _of(zone.zone.seen, zone)
        who: C.Expr = self.everyone
        if s.look is not None:
            one = C.Op("set", (s.look,), SetT(self.player))
            before = self.read("at", seen, at, SetT(self.player))
            union = fold.op("union", (before, one), SetT(self.player), NOWHERE)
            who = yield from self.once("known", union)
        for to, new in ((order, C.Use(var, var.type)), (seen, who)):
            yield _give(to, "removed", (to, at), s.span)
            yield _give(to, "inserted", (to, new, at), s.span)

    def moved(self, s: C.SMove, what: C.Expr) -> Iterator[C.Stmt]:
        source, target = s.source, s.target
        at = None if s.at is None else (yield from self.once("place", s.at))
        kind = yield from self.once("kind", what)
        yield replace(s, kind=kind, at=at)
        if source.zone.order is not None:
            yield from self.leaves(source, kind, at, s.span)
        mask = self.watchers(source)
        if what.secrecy is None or s.revealing:
            mask = self.everyone
        yield from self.comes(target, kind, mask, s.lands, s.span)

    def leaves(
        self, zone: C.ZoneUse, kind: C.Expr, at: C.Expr | None, span: Span
    ) -> Iterator[C.Stmt]:
        """A piece is gone: from a place, or the first of its kind; whoever looks for one in a zone that nobody sees shuffles it."""
        order = order_of(zone)
        if at is None and zone.zone.seen is not None:
            yield from shuffled(zone, self.player, span, ())
            return
        limit = order.type.limit if isinstance(order.type, ListT) else None
        place = at or C.Op("position", (kind, order), IntT(0, limit))
        yield _give(order, "removed", (order, place), span)
        if zone.zone.seen is not None:
            seen = _of(zone.zone.seen, zone)
            yield _give(seen, "removed", (seen, place), span)

    def comes(
        self, zone: C.ZoneUse, kind: C.Expr, mask: C.Expr, lands: C.Landing | None, span: Span
    ) -> Iterator[C.Stmt]:
        """A piece lies in the zone now, on top if nothing else is said."""
        if zone.zone.order is None:
            return
        if lands is not None and lands.shuffled:
            yield from shuffled(zone, self.player, span, ())
            return
        order = order_of(zone)
        if lands is not None and lands.place is None:
            yield _give(order, "appended", (order, kind), span)
        else:
            place = ONE if lands is None or lands.place is None else lands.place
            yield _give(order, "inserted", (order, kind, place), span)
        if zone.zone.seen is None:
            return
        seen = _of(zone.zone.seen, zone)
        if lands is not None and lands.place is None:
            yield _give(seen, "appended", (seen, mask), span)
        else:
            place = ONE if lands is None or lands.place is None else lands.place
            yield _give(seen, "inserted", (seen, mask, place), span)

    # ------------------------------------------------------------ all pieces of a zone

    def all_moved(self, s: C.SMove) -> Iterator[C.Stmt]:
        source, target, lands = s.source, s.target, s.lands
        many = C.Op("zone_size", (source,), IntT(0, None))
        before: C.Expr | None = None
        if target.zone.seen is not None and source.zone.seen is None:
            before = yield from self.once("many", many)
        yield s
        if target.zone.order is not None:
            if lands is not None and lands.shuffled:
                yield from shuffled(target, self.player, s.span, ())
            else:
                assert source.zone.order is not None
                below = lands is not None and lands.place is None
                to, order = order_of(target), order_of(source)
                yield _give(to, "joined", (to, order) if below else (order, to), s.span)
                if target.zone.seen is not None:
                    seen = _of(target.zone.seen, target)
                    masks: C.Expr
                    if source.zone.seen is not None:
                        masks = _of(source.zone.seen, source)
                    else:
                        assert before is not None
                        mask = self.everyone if s.revealing else self.watchers(source)
                        masks = C.Op("filled", (mask, before), seen.type)
                    yield _give(seen, "joined", (seen, masks) if below else (masks, seen), s.span)
        for var in (source.zone.order, source.zone.seen):
            if var is not None:
                to = _of(var, source)
                yield C.SAssign(to, "", C.Const((), to.type), s.span)

    # ------------------------------------------------------------ who knows

    def watchers(self, zone: C.ZoneUse) -> C.Expr:
        """The seats that see what lies in a zone, and so what leaves it."""
        players = SetT(self.player)
        if zone.zone.visible == "all":
            return self.everyone
        if zone.zone.visible == "nobody" or zone.owner is None:
            return C.Const(0, players)
        if zone.zone.visible == "owner":
            one = C.Op("set", (zone.owner,), players)
            return fold.op("intersect", (one, self.everyone), players, NOWHERE)
        team = zone.owner
        if zone.owner.type == self.player:
            seats = self.game.kinds["Player"]
            column = seats.columns["team"]
            team = C.Column(seats, column, zone.owner, self.game.kinds["Team"].type)
        teams = self.game.kinds["Team"]
        return C.Column(teams, teams.columns["members"], team, players)

    def read(self, op: OpName, items: C.Read, at: C.Expr, t: Type) -> C.Expr:
        return C.Op(op, (items, at), t)
