"""Pieces that leave a zone → what all then know of hidden values whose piece lay there, and which relations are known no longer."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import same
from rulewright.compiler.core.secret_relations import Relation
from rulewright.compiler.core.trace_notes import Entry, Env, Keys, Notes, Trace, steady
from rulewright.compiler.core.types import (
    BOOL,
    IntT,
    KindT,
    SetT,
)
from rulewright.compiler.text.source import NOWHERE


class Moves(Notes):
    """Statements after those that move pieces or change what relations speak of."""

    def move(self, s: C.SMove, env: Env) -> Iterator[C.Stmt]:
        whole: C.Expr | None = None
        source = yield from self.settled(s.source)
        target = yield from self.settled(s.target)
        if s.kind is None and s.target.zone.visible == "all" and self.watched(s.source):
            local = self.fresh("moved", SetT(s.source.zone.family.kind))
            zone = C.Op("zone_kinds", (s.source,), local.type)
            yield C.SLet(local, zone, NOWHERE)
            whole = C.Use(local, local.type)
        yield s
        if s.kind is None:
            goes = self.goes(target)
            self.leaves(env, source, None, goes, all_of_them=True)
            yield from self.left_whole(source, goes, whole)
        else:
            aliases = self.aliases(s.kind, source, env)
            goes = self.goes(target)
            self.leaves(env, source, s.kind, goes)
            yield from self.left(source, s.kind, goes, aliases)
        yield from self.zones_changed(source, target)

    def settled(self, z: C.ZoneUse) -> Generator[C.Stmt, None, C.ZoneUse]:
        """The zone with an owner that stays the same, whatever the move changes."""
        if steady(z.keys) or not self.watched(z):
            return z
        keys: list[C.Expr] = []
        for key in z.keys:
            if steady((key,)):
                keys.append(key)
                continue
            local = self.fresh("whose", key.type)
            yield C.SLet(local, key, key.span)
            keys.append(C.Use(local, local.type))
        return replace(z, keys=tuple(keys))

    def goes(self, target: C.ZoneUse) -> C.ZoneUse | None:
        """The zone that a piece comes to lie in, if it can be followed there."""
        return target if target.zone in self.followed else None

    def aliases(self, kind: C.Expr, source: C.ZoneUse, env: Env) -> list[Entry]:
        """The hidden variables of the zone's owner whose piece this is, if the rules say so."""
        found: list[Entry] = []
        match kind:
            case C.Read(var, keys) | C.Reveal(C.Read(var, keys)) if var.name in self.traces:
                found = [(self.traces[var.name], keys)]
            case C.Use(local):
                chosen = env.get(local.number)
                if chosen is not None and chosen.kept:
                    found = chosen.kept
                elif local.number in self.shown:
                    found = [self.shown[local.number]]
            case _:  # others: no entry that is followed
                pass
        if source.owner is None:
            return found
        return [(t, k) for t, k in found if t.travels or same(source.owner, k[0])]

    def leaves(
        self,
        env: Env,
        source: C.ZoneUse,
        kind: C.Expr | None,
        goes: C.ZoneUse | None,
        all_of_them: bool = False,
    ) -> None:
        """Where the pieces of values just chosen lie after a move."""
        for number, chosen in env.items():
            chosen.fresh = False
            if chosen.zone is None or chosen.zone.zone is not source.zone:
                continue
            own = isinstance(kind, C.Use) and kind.local.number == number
            chosen.zone = goes if own or all_of_them else None

    def left_whole(
        self, source: C.ZoneUse, goes: C.ZoneUse | None, seen: C.Expr | None
    ) -> Iterator[C.Stmt]:
        """All pieces of a zone have gone elsewhere."""
        if goes is not None:
            yield from self._mix(source, goes)
        for trace in self.watched(source):

            def one(keys: Keys, trace: Trace = trace) -> list[C.Stmt]:
                if goes is not None and goes.zone.name in trace.zones:
                    there = [*self._not_in(trace, keys, source), self._also_in(trace, keys, goes)]
                else:
                    there = self._all_gone(trace, keys, source, seen)
                return [self._if_there(trace, keys, source, there)]

            yield from self.cells(trace, self.in_zones_of(trace, source.owner), one)

    def left(
        self, source: C.ZoneUse, kind: C.Expr | None, goes: C.ZoneUse | None, aliases: list[Entry]
    ) -> Iterator[C.Stmt]:
        """Some pieces of a kind have left a zone; `aliases` are the variables whose piece it was."""
        public = kind is not None and kind.secrecy is None and not _secret_local(kind)
        apart: C.Expr | None = None
        if goes is not None and not public:
            yield from self._mix(source, goes)
        if (
            len(aliases) == 1
            and aliases[0][0].own is not None
            and source.zone.name in aliases[0][0].zones
        ):
            local = self.fresh("apart", BOOL)
            yield C.SLet(local, self._surely_by_itself(*aliases[0], source), NOWHERE)
            apart = C.Use(local, BOOL)
        was = yield from self._were(aliases)
        for trace in self.watched(source):

            def one(keys: Keys, trace: Trace = trace) -> list[C.Stmt]:
                element = SetT(trace.element)
                gone = None if kind is None or not public else C.Op("set", (kind,), element)
                if gone is None:
                    one_of_them = self._unseen(trace, keys, goes, was)
                else:
                    one_of_them = [self._may_be_of(trace, keys, gone)]
                mine = other = self._not_if_apart(trace, keys, one_of_them, apart, was)
                here = [alias for t, alias in aliases if t is trace]
                if here:
                    if public:
                        one, _ = self.value(trace, keys)
                        mine = [self.set(trace.may_be, keys, one), *self.nowhere(trace, keys)]
                        if trace.none is not None:
                            mine.append(self.set(trace.none, keys, C.Const(0, BOOL)))
                    elif goes is not None and goes.zone.name in trace.zones:
                        mine = self._lies(trace, keys, goes)
                        if trace.own is not None:
                            # what went by itself is no other value's piece, if it is one value's alone
                            alone = C.Const(int(len(aliases) == 1), BOOL)
                            mine.append(self.set(trace.own, keys, alone))
                    if not public and trace.none is not None:
                        mine = [*mine, self.set(trace.none, keys, C.Const(0, BOOL))]
                    # the zone's owner is at hand, the other keys are gone through
                    known = 0 if self.in_zones_of(trace, source.owner) is None else 1
                    if len(keys) > known:
                        tests = [all_equal(keys[known:], alias[known:]) for alias in here]
                        test = tests[0]
                        for more in tests[1:]:
                            test = fold.op("or", (test, more), BOOL, NOWHERE)
                        mine = [C.SIf([(test, mine)], other)]
                return [self._if_there(trace, keys, source, mine)]

            yield from self.cells(trace, self.in_zones_of(trace, source.owner), one)

    def _were(self, aliases: list[Entry]) -> Generator[C.Stmt, None, C.Expr | None]:
        """The places of which one held the piece of these entries, which is about to leave, if there are such entries."""
        found: C.Expr | None = None
        for trace, keys in aliases:
            if trace.lies_in is not None and trace.own is not None:
                places = self.read(trace.lies_in, keys)
                found = places if found is None else C.Op("union", (found, places), places.type)
        if found is None:
            return None
        local = self.fresh("were", found.type)
        yield C.SLet(local, found, NOWHERE)
        return C.Use(local, local.type)

    def _mix(self, source: C.ZoneUse, target: C.ZoneUse) -> Iterator[C.Stmt]:
        """Pieces go from place to place unseen: values whose pieces were known to lie apart still have different ones."""
        if self.watched(source):
            for zone in (source, target):
                yield from self._by_itself(zone)

    def _by_itself(self, zone: C.ZoneUse) -> Iterator[C.Stmt]:
        """Where the piece of one value alone is known to lie, and of no other value may: it is no other's piece."""
        there = [t for t in self.traces.values() if zone.zone.name in t.zones]
        if any(t.own is None for t in there):
            return
        number: C.Expr = C.Const(0, IntT(0, 0))
        for trace in there:
            number = fold.op("+", (number, self._how_many(trace, zone)), IntT(0, None), NOWHERE)
        local = self.fresh("there", IntT(0, None))
        yield C.SLet(local, number, NOWHERE)
        alone = fold.op("==", (C.Use(local, local.type), C.Const(1, IntT(1, 1))), BOOL, NOWHERE)
        stmts: list[C.Stmt] = []
        for trace in there:

            def one(keys: Keys, trace: Trace = trace) -> list[C.Stmt]:
                assert trace.own is not None
                own = self.set(trace.own, keys, C.Const(1, BOOL))
                return [C.SIf([(self._only_there(trace, keys, zone), [own])], [])]

            stmts += self.cells(trace, self.in_zones_of(trace, zone.owner), one)
        yield C.SIf([(alone, stmts)], [])

    def _how_many(self, trace: Trace, zone: C.ZoneUse) -> C.Expr:
        """Of how many entries of a variable the piece may lie in a zone, as far as all know."""
        seat = self.in_zones_of(trace, zone.owner)
        first: list[C.Expr] = [] if seat is None else [seat]
        loops = [self.fresh("key", t) for t in trace.keys[len(first) :]]
        found = self.is_there(trace, (*first, *(C.Use(x, x.type) for x in loops)), zone)
        one, none = C.Const(1, IntT(1, 1)), C.Const(0, IntT(0, 0))
        number: C.Expr = C.Op("if", (found, one, none), IntT(0, 1))
        for local in reversed(loops):
            assert isinstance(local.type, KindT | IntT)
            domain = C.Const(fold.full_mask(local.type), SetT(local.type))
            number = C.Comp("sum", local, domain, None, (number,), None, IntT(0, None))
        return number

    def none_by_itself(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Expr:
        """Whether in a zone no value's piece is known to be its own, but for those of the row of this entry."""
        test: C.Expr = fold.truth(True, NOWHERE)
        for other in self.traces.values():
            if other.own is None or zone.zone.name not in other.zones:
                continue
            seat = self.in_zones_of(other, zone.owner)
            first: list[C.Expr] = [] if seat is None else [seat]
            loops = [self.fresh("key", t) for t in other.keys[len(first) :]]
            there = (*first, *(C.Use(x, x.type) for x in loops))
            found = self._lies_by_itself(other, there, zone)
            if other is trace and len(keys) > 1:
                same_row = all_equal(there[:-1], keys[:-1])
                found = fold.op(
                    "and", (found, fold.op("not", (same_row,), BOOL, NOWHERE)), BOOL, NOWHERE
                )
            for local in reversed(loops):
                assert isinstance(local.type, KindT | IntT)
                domain = C.Const(fold.full_mask(local.type), SetT(local.type))
                found = C.Comp("any", local, domain, None, (found,), None, BOOL)
            test = fold.op("and", (test, fold.op("not", (found,), BOOL, NOWHERE)), BOOL, NOWHERE)
        return test

    def _lies_by_itself(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Expr:
        assert trace.own is not None
        there = self.is_there(trace, keys, zone)
        return fold.op("and", (there, self.read(trace.own, keys)), BOOL, NOWHERE)

    def _surely_by_itself(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Expr:
        """And it can't be a piece that has left since: no such piece was seen to go."""
        assert trace.among is not None
        both = (self.read(trace.may_be, keys), self.read(trace.among, keys))
        gone = fold.op("meets", both, BOOL, NOWHERE)
        there = self._lies_by_itself(trace, keys, zone)
        return fold.op("and", (there, fold.op("not", (gone,), BOOL, NOWHERE)), BOOL, NOWHERE)

    def is_there(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Expr:
        """Whether the piece of an entry is known to lie there, or in one of several places of which this is one."""
        assert trace.lies_in is not None
        there = (self.place(zone), self.read(trace.lies_in, keys))
        return fold.op("in", there, BOOL, NOWHERE)

    def _only_there(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Expr:
        assert trace.lies_in is not None
        both = (self.read(trace.lies_in, keys), self.place_alone(zone))
        return fold.op("==", both, BOOL, NOWHERE)

    def _if_there(self, trace: Trace, keys: Keys, zone: C.ZoneUse, stmts: list[C.Stmt]) -> C.Stmt:
        return C.SIf([(self.is_there(trace, keys, zone), stmts)], [])

    def _lies(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> list[C.Stmt]:
        assert trace.lies_in is not None
        return [self.set(trace.lies_in, keys, self.place_alone(zone))]

    def _also_in(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Stmt:
        assert trace.lies_in is not None
        return self.set(trace.lies_in, keys, self.place_alone(zone), "|")

    def _not_in(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> list[C.Stmt]:
        assert trace.lies_in is not None
        return [self.set(trace.lies_in, keys, self.place_alone(zone), "-")]

    def _not_if_apart(
        self,
        trace: Trace,
        keys: Keys,
        stmts: list[C.Stmt],
        apart: C.Expr | None,
        was: C.Expr | None,
    ) -> list[C.Stmt]:
        """It may be what left, unless that was another value's own piece (`apart`), and this one has its own.

        Of two equal pieces it is all one which of them left: then the other one, where it was (`was`), is this value's.
        """
        if apart is None or was is None or trace.own is None or trace.lies_in is None:
            return stmts
        both = fold.op("and", (apart, self.read(trace.own, keys)), BOOL, NOWHERE)
        return [C.SIf([(both, [self.set(trace.lies_in, keys, was, "|")])], stmts)]

    def _may_be_of(self, trace: Trace, keys: Keys, seen: C.Expr | None) -> C.Stmt:
        """It may be what left, as far as all saw that; where nobody saw it, anything that it could be."""
        assert trace.among is not None
        among = self.read(trace.among, keys)
        more = among if seen is None else fold.op("intersect", (among, seen), among.type, NOWHERE)
        return self.set(trace.may_be, keys, more, "|")

    def _unseen(
        self, trace: Trace, keys: Keys, goes: C.ZoneUse | None, was: C.Expr | None
    ) -> list[C.Stmt]:
        """A piece left that nobody saw: it may lie there now, too, or anywhere. `was`: where it may have been, if it was another value's piece."""
        assert trace.lies_in is not None
        if goes is None or goes.zone.name not in trace.zones:
            nowhere = self.set(trace.lies_in, keys, C.Const(0, self.places()))
            return [self._may_be_of(trace, keys, None), nowhere, *self._not_its_own(trace, keys)]
        also = [self._also_in(trace, keys, goes)]
        if was is not None:
            also += [self.set(trace.lies_in, keys, was, "|"), *self._not_its_own(trace, keys)]
        return also

    def _all_gone(
        self, trace: Trace, keys: Keys, source: C.ZoneUse, seen: C.Expr | None
    ) -> list[C.Stmt]:
        """All pieces of a place went where they can't be followed, or where all see them."""
        if seen is None:
            return self._unseen(trace, keys, None, None)
        return [self._may_be_of(trace, keys, seen), *self._not_in(trace, keys, source)]

    def _not_its_own(self, trace: Trace, keys: Keys) -> list[C.Stmt]:
        return [] if trace.own is None else [self.set(trace.own, keys, C.Const(0, BOOL))]

    def zones_changed(self, *zones: C.ZoneUse) -> Iterator[C.Stmt]:
        for z in zones:
            own = (z.owner,) if z.zone in self.zones and z.owner is not None else ()
            yield from self.changed(("zone", z.zone.name), own, ())

    def changed(self, what: tuple[str, str], owner: Keys, keys: Keys) -> Iterator[C.Stmt]:
        """Relations that were established with what has changed now are known no longer."""
        for trace in self.traces.values():
            if trace.holds is None:
                continue
            hit = [(i, r) for i, r in enumerate(trace.relations, 1) if r.reads_of(what)]
            if not hit:
                continue
            numbers = SetT(IntT(1, len(trace.relations)))

            def one(
                cell: Keys,
                trace: Trace = trace,
                hit: list[tuple[int, Relation]] = hit,
                numbers: SetT = numbers,
            ) -> list[C.Stmt]:
                assert trace.holds is not None
                out: list[C.Stmt] = []
                always = 0
                for i, relation in hit:
                    at = relation.at_key(what)
                    if at is None or len(keys) < 2:
                        always |= 1 << (i - 1)
                        continue
                    met = C.Const(at[0], SetT(at[1]))
                    read = fold.op("in", (keys[1], met), BOOL, NOWHERE)
                    gone = C.Const(1 << (i - 1), numbers)
                    out.append(C.SIf([(read, [self.set(trace.holds, cell, gone, "-")])], []))
                if always:
                    out.append(self.set(trace.holds, cell, C.Const(always, numbers), "-"))
                return out

            yield from self.cells(trace, owner[0] if owner else None, one)


def all_equal(some: Keys, others: Keys) -> C.Expr:
    tests = [fold.op("==", (a, b), BOOL, NOWHERE) for a, b in zip(some, others, strict=True)]
    test = tests[0]
    for more in tests[1:]:
        test = fold.op("and", (test, more), BOOL, NOWHERE)
    return test


def _secret_local(e: C.Expr) -> bool:
    return isinstance(e, C.Use) and e.local.secrecy is not None
