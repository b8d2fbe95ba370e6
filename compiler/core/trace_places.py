"""A checked game → the same game, which notes of every piece that all have seen in which hidden zones it may lie by now.

    cards.places    for each kind and number: the places (zones, each as often as it is there) of which one holds such a piece;
                    empty if nothing is known. Numbers of one kind stand for different pieces

What goes unseen from zone to zone makes its target one more place; what all see leave, or are told is not there, makes them fewer:

    move c from table to hand[p]        {hand[p]} is one more set of c
    deal 1 from hand[p] to hand[q]      of every kind one set with hand[p] gets hand[q], too
    move c from hand[q] to table        one set of c with hand[q] goes
    if reveal(c in hand[q]): … else:    no set of c has hand[q] any more

Equal pieces can't be told apart: it is always the smallest set that is changed, and what else may have left there gets the places of that one.
So what is noted holds whichever of them it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import Asked, asked_of, held_openly, is_public
from rulewright.compiler.core.trace_counts import Counts
from rulewright.compiler.core.trace_notes import Fresh, place_in, surely_read
from rulewright.compiler.core.types import BOOL, IntT, MapT, OptT, RangeT, SetT
from rulewright.compiler.text.source import NOWHERE

# numbers of pieces, over all kinds, and places of a family: with more of them, less is noted
_MOST_PIECES = 1_000
_MOST_PLACES = 62
_ONE = C.Const(1, IntT(1, 1))


def can_follow(family: C.Family, zones: set[C.Zone]) -> bool:
    """Whether there are not too many pieces and places to note them one by one."""
    places = sum(z.count for z in zones)
    return _copies(family) * family.kind.size <= _MOST_PIECES and places <= _MOST_PLACES


def _copies(family: C.Family) -> int:
    return max((sum(row) for row in zip(*family.copies, strict=True)), default=0)


class Places(Counts):
    """The variables of the notes, and the statements after those that move pieces."""

    def __init__(self, game: C.Game, fresh: Fresh, zones: list[C.Zone]) -> None:
        self.game = game
        self.fresh = fresh
        self.zones = set(zones)
        self.followed = [z for f in game.families for z in f.zones if z.name in game.followed]
        self.followed.sort(key=lambda z: game.followed.index(z.name))
        self.followed += [z for z in zones if z not in self.followed]
        game.followed = [z.name for z in self.followed]
        self.places = SetT(IntT(0, sum(z.count for z in self.followed) - 1))
        self.none = C.Const(0, self.places)
        self.notes = {f.name: self._places_of(f) for f in game.families if self._in(f)}

    def _in(self, family: C.Family) -> bool:
        return any(z in self.zones for z in family.zones)

    def _places_of(self, family: C.Family) -> C.StateVar:
        t = MapT(family.kind, MapT(IntT(1, _copies(family)), self.places))
        name = f"{family.name}.places"
        return C.StateVar(
            name, t, "all", None, self.none, family.span, about=family.name, role="places"
        )

    def run(self) -> None:
        for p in self.game.procedures:
            p.body = self._block(p.body)
        self.game.state.extend(self.notes.values())

    # ------------------------------------------------------------ statements

    def _stmt(self, s: C.Stmt) -> Iterator[C.Stmt]:
        for e in surely_read(s):
            for asked in _all_asked(e):
                yield from self._told(asked)
        match s:
            case C.SIf(arms, other):
                yield replace(
                    s, arms=self._arms(arms), other=[*self._not(arms), *self._block(other)]
                )
            case C.SMove() if self._any(s.source, s.target):
                yield from self._moved(s)
            case C.SDraw() if self._any(s.source, s.target):
                yield from self._drawn(s)
            case C.SPut() if self._any(s.source):
                before: list[C.Stmt] = []
                source = self._settled(s.source, before)
                seen = s.seen_by_all or is_public(s.value)
                kind = self._let("kind", s.value, before) if seen else None
                yield from (*before, s, *self._left(source, kind), *self._emptied(source))
            case C.SChoose():
                yield s
                yield from self._chosen(s)
            # pieces of other families, and what leaves all where they are; bodies are gone through as ever
            case (
                C.SAssign() | C.SBreak() | C.SContinue() | C.SDraw() | C.SFor() | C.SLet() | C.SMark() | C.SMove()
                | C.SPut() | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll() | C.SRun() | C.SScore() | C.SShow()
                | C.STake() | C.STell() | C.SWhile()
            ):  # fmt: skip
                yield from super()._stmt(s)
            case _:
                assert_never(s)

    def _any(self, *zones: C.ZoneUse) -> bool:
        return any(z.zone in self.zones for z in zones)

    def _arms(self, arms: list[tuple[C.Expr, list[C.Stmt]]]) -> list[tuple[C.Expr, list[C.Stmt]]]:
        """What the tests of later arms tell is noted where it is known which arm it is."""
        out: list[tuple[C.Expr, list[C.Stmt]]] = []
        for i, (test, body) in enumerate(arms):
            told = self._by(test, True) if i else []
            out.append((test, [*self._not(arms[:i]), *told, *self._block(body)]))
        return out

    def _not(self, arms: list[tuple[C.Expr, list[C.Stmt]]]) -> Iterator[C.Stmt]:
        """What it tells that no arm was taken; what the first one tells is noted before."""
        for test, _ in arms[1:]:
            yield from self._by(test, False)

    def _by(self, test: C.Expr, holds: bool) -> list[C.Stmt]:
        """What a test that asks for nothing else tells, where it holds or does not."""
        asked = asked_of(test)
        if asked is None or not self._any(asked.zone):
            return []
        told = self._not_there if asked.no is holds else self._there
        return told(asked.zone, asked.kind)

    def _told(self, asked: Asked) -> Iterator[C.Stmt]:
        """All know from now on whether a zone holds such a piece."""
        if not self._any(asked.zone):
            return
        before: list[C.Stmt] = []
        zone = self._settled(asked.zone, before)
        kind = self._let("kind", asked.kind, before)
        kinds = C.Op("zone_kinds", (zone,), SetT(zone.zone.family.kind))
        found = fold.op("in", (kind, kinds), BOOL, NOWHERE)
        yield from before
        yield C.SIf([(found, self._there(zone, kind))], self._not_there(zone, kind))

    def _moved(self, s: C.SMove) -> Iterator[C.Stmt]:
        before: list[C.Stmt] = []
        a, b = self._settled(s.source, before), self._settled(s.target, before)
        if s.kind is None:
            after = self._all_moved(a, b, before)
            yield from (*before, s, *after)
            return
        seen = is_public(s.kind) or "all" in (a.zone.visible, b.zone.visible)
        kind = self._let("kind", s.kind, before) if seen else None
        many = self._let("count", _ONE if s.count is None else s.count, before)
        went = self._went(a, b, kind)
        yield from (*before, s, *self._times(many, went), *self._emptied(a))

    def _drawn(self, s: C.SDraw) -> Iterator[C.Stmt]:
        if s.look is not None or s.all_look:
            yield s
            if s.all_look and s.var is not None and is_public(C.Use(s.var, s.var.type)):
                before: list[C.Stmt] = []
                zone = self._settled(s.source, before)
                yield from (*before, *self._there(zone, C.Use(s.var, zone.zone.family.kind)))
            return
        before = []
        a, b = self._settled(s.source, before), self._settled(s.target, before)
        var = s.var
        if var is None and "all" in (a.zone.visible, b.zone.visible):
            # all see which it is, where it comes from or where it lies
            var = self.fresh(a.zone.name, a.zone.family.kind)
        kind = None if var is None else C.Use(var, a.zone.family.kind, secrecy=var.secrecy)
        if kind is not None and not is_public(kind):
            kind = None
        went = self._went(a, b, kind)
        yield from (*before, replace(s, var=var), *went, *self._emptied(a))

    def _went(self, a: C.ZoneUse, b: C.ZoneUse, kind: C.Expr | None) -> list[C.Stmt]:
        """One piece has gone: of a kind that all know, or of any."""
        out: list[C.Stmt] = []
        if a.zone in self.zones:
            out += self._left(a, kind, b if kind is None else None)
        if b.zone in self.zones and kind is not None:
            out += self._came(b, kind)
        return out

    def _all_moved(self, a: C.ZoneUse, b: C.ZoneUse, before: list[C.Stmt]) -> list[C.Stmt]:
        """All pieces of a zone go: with them what is known of them. What all see is counted before."""
        if "all" in (a.zone.visible, b.zone.visible):

            def seen(kind: C.Expr) -> list[C.Stmt]:
                most = _copies(a.zone.family)
                many = C.Op("zone_count", (a, kind), IntT(0, most))
                return self._times(many, self._went(a, b, kind))

            before += self._each_kind(a, seen)
        if a.zone not in self.zones:
            return []

        def one(cell: C.Read) -> list[C.Stmt]:
            if b.zone in self.zones:
                return [self._set(cell, self._alone(a), "-"), self._set(cell, self._alone(b), "|")]
            return [self._set(cell, self._alone(a), "-")]

        return self._each_there(a, one)

    def _chosen(self, s: C.SChoose) -> Iterator[C.Stmt]:
        """What was openly chosen out of a zone lies there."""
        zone = held_openly(s)
        if zone is None or zone.zone not in self.zones or not zone.is_one:
            return
        there = self._there(zone, C.Use(s.var, zone.zone.family.kind))
        if isinstance(s.var.type, OptT):
            nothing = C.Op("is_none", (C.Use(s.var, s.var.type),), BOOL)
            there = [C.SIf([(fold.op("not", (nothing,), BOOL, NOWHERE), there)], [])]
        yield from there

    # ------------------------------------------------------------ sets of places

    def _alone(self, zone: C.ZoneUse) -> C.Expr:
        return C.Op("set", (place_in(self.followed, zone),), self.places)

    def _cell_at(self, zone: C.ZoneUse, kind: C.Expr, number: C.Expr) -> C.Read:
        return C.Read(self.notes[zone.zone.family.name], (kind, number), self.places)

    def _has(self, cell: C.Expr, zone: C.ZoneUse) -> C.Expr:
        return fold.op("in", (place_in(self.followed, zone), cell), BOOL, NOWHERE)

    def _set(self, cell: C.Read, value: C.Expr, op: str = "") -> C.Stmt:
        return C.SAssign(cell, op, value, NOWHERE)

    def _there(self, zone: C.ZoneUse, kind: C.Expr) -> list[C.Stmt]:
        """Such a piece lies there: it may be any of those that may, and is in no other place."""
        return [*self._left(zone, kind), *self._came(zone, kind)]

    def _not_there(self, zone: C.ZoneUse, kind: C.Expr) -> list[C.Stmt]:
        return self._each_number(
            zone,
            kind,
            lambda cell: self._if_in(cell, zone, [self._set(cell, self._alone(zone), "-")]),
        )

    def _emptied(self, zone: C.ZoneUse) -> list[C.Stmt]:
        """Where nothing is left nothing may lie."""
        if zone.zone not in self.zones:
            return []
        size = C.Op("zone_size", (zone,), IntT(0, None))
        empty = fold.op("==", (size, C.Const(0, IntT(0, 0))), BOOL, NOWHERE)
        gone = self._each_there(zone, lambda cell: [self._set(cell, self._alone(zone), "-")])
        return [C.SIf([(empty, gone)], [])]

    def _left(
        self, zone: C.ZoneUse, kind: C.Expr | None, to: C.ZoneUse | None = None
    ) -> list[C.Stmt]:
        """A piece of a kind, or of any, has left a zone; `to` is where it lies now if that is not seen."""
        if kind is None:
            return self._each_kind(zone, lambda k: self._one_left(zone, k, to))
        return self._one_left(zone, kind, to)

    def _one_left(self, zone: C.ZoneUse, kind: C.Expr, to: C.ZoneUse | None) -> list[C.Stmt]:
        def change(cell: C.Read) -> C.Stmt:
            if to is None or to.zone not in self.zones:
                return self._set(cell, self.none)
            return self._set(cell, self._alone(to), "|")

        copies = _copies(zone.zone.family)
        number = IntT(1, copies)
        if copies == 1:
            cell = self._cell_at(zone, kind, _ONE)
            return self._if_in(cell, zone, [change(cell)])
        i = self.fresh("number", number)
        cell = self._cell_at(zone, kind, C.Use(i, number))
        size = C.Op("neg", (C.Op("size_set", (cell,), IntT(0, None)),), IntT())
        every = C.Const(fold.full_mask(number), SetT(number))
        smallest = C.Comp("best", i, every, self._has(cell, zone), (size,), None, OptT(number))
        least = self.fresh("least", OptT(number))
        mine = self._cell_at(zone, kind, C.Use(least, number))

        def other(cell: C.Read) -> list[C.Stmt]:
            same = fold.op("==", (cell.keys[1], C.Use(least, number)), BOOL, NOWHERE)
            apart = fold.op("not", (same,), BOOL, NOWHERE)
            test = fold.op("and", (apart, self._has(cell, zone)), BOOL, NOWHERE)
            return [C.SIf([(test, [self._set(cell, mine, "|")])], [])]

        nothing = C.Op("is_none", (C.Use(least, least.type),), BOOL)
        some = fold.op("not", (nothing,), BOOL, NOWHERE)
        changed = [*self._each_number(zone, kind, other), change(mine)]
        return [C.SLet(least, smallest, NOWHERE), C.SIf([(some, changed)], [])]

    def _came(self, zone: C.ZoneUse, kind: C.Expr) -> list[C.Stmt]:
        """All know that one more such piece lies there: the first set, and the others move on to the next that is free."""
        if _copies(zone.zone.family) == 1:
            return [self._set(self._cell_at(zone, kind, _ONE), self._alone(zone))]
        new = self.fresh("places", self.places)
        new.mutable = True
        old = self.fresh("before", self.places)
        use = C.Use(new, self.places)

        def one(cell: C.Read) -> list[C.Stmt]:
            done = fold.op("==", (use, self.none), BOOL, NOWHERE)
            moved: list[C.Stmt] = [
                C.SLet(old, cell, NOWHERE),
                self._set(cell, use),
                C.SLet(new, C.Use(old, self.places), NOWHERE),
            ]
            return [C.SIf([(fold.op("not", (done,), BOOL, NOWHERE), moved)], [])]

        return [C.SLet(new, self._alone(zone), NOWHERE), *self._each_number(zone, kind, one)]

    def _if_in(self, cell: C.Read, zone: C.ZoneUse, stmts: list[C.Stmt]) -> list[C.Stmt]:
        return [C.SIf([(self._has(cell, zone), stmts)], [])]

    def _each_there(self, zone: C.ZoneUse, body: Callable[[C.Read], list[C.Stmt]]) -> list[C.Stmt]:
        def of_kind(kind: C.Expr) -> list[C.Stmt]:
            return self._each_number(zone, kind, lambda cell: self._if_in(cell, zone, body(cell)))

        return self._each_kind(zone, of_kind)

    def _each_number(
        self, zone: C.ZoneUse, kind: C.Expr, body: Callable[[C.Read], list[C.Stmt]]
    ) -> list[C.Stmt]:
        copies = _copies(zone.zone.family)
        if copies == 1:
            return body(self._cell_at(zone, kind, _ONE))
        number = IntT(1, copies)
        local = self.fresh("number", number)
        domain = C.Const(fold.full_mask(number), SetT(number))
        return [C.SFor(local, domain, None, body(self._cell_at(zone, kind, C.Use(local, number))))]

    def _times(self, many: C.Expr, stmts: list[C.Stmt]) -> list[C.Stmt]:
        if isinstance(many, C.Const) and many.value == 1:
            return stmts
        most = many.type.high if isinstance(many.type, IntT) else None
        high = max(1, most) if most is not None else None
        turns = C.Range(_ONE, many, RangeT(1, high))
        return [C.SFor(self.fresh("turn", IntT(1, high)), turns, None, stmts)]


def _all_asked(e: C.Expr) -> Iterator[Asked]:
    """What is surely asked when an expression is worked out."""
    asked = asked_of(e)
    if asked is not None:
        yield asked
        return
    match e:
        case C.Op("if" | "and" | "or", (first, *_)):
            yield from _all_asked(first)
        case C.Op(args=args):
            for arg in args:
                yield from _all_asked(arg)
        case _:  # others: what they ask may not be asked at all
            pass
