"""Pieces that leave a zone → what all then know of hidden values whose piece lay there, and which relations are known no longer."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import same
from rulewright.compiler.core.secret_relations import Relation
from rulewright.compiler.core.trace_notes import Env, Keys, Notes, Trace
from rulewright.compiler.core.types import (
    BOOL,
    IntT,
    SetT,
)
from rulewright.compiler.text.source import NOWHERE


class Moves(Notes):
    """Statements after those that move pieces or change what relations speak of."""

    def move(self, s: C.SMove, env: Env) -> Iterator[C.Stmt]:
        whole: C.Expr | None = None
        if s.kind is None and s.target.zone.visible == "all" and self.watched(s.source):
            local = self.fresh("moved", SetT(s.source.zone.family.kind))
            zone = C.Op("zone_kinds", (s.source,), local.type)
            yield C.SLet(local, zone, NOWHERE)
            whole = C.Use(local, local.type)
        yield s
        goes = s.target if self._same_owner(s.source, s.target) else None
        if s.kind is None:
            self.leaves(env, s.source, None, goes, all_of_them=True)
            yield from self.left_whole(s.source, goes, whole)
        else:
            alias = self.alias(s.kind, s.source, env)
            self.leaves(env, s.source, s.kind, goes)
            yield from self.left(s.source, s.kind, goes, alias)
        yield from self.zones_changed(s.source, s.target)

    def _same_owner(self, a: C.ZoneUse, b: C.ZoneUse) -> bool:
        return (
            b.zone in self.zones
            and a.owner is not None
            and b.owner is not None
            and same(a.owner, b.owner)
        )

    def alias(self, kind: C.Expr, source: C.ZoneUse, env: Env) -> tuple[Trace, Keys] | None:
        """The hidden variable of the zone's owner whose piece this is, if the rules say so."""
        found: tuple[Trace, Keys] | None = None
        match kind:
            case C.Read(var, keys) | C.Reveal(C.Read(var, keys)) if var.name in self.traces:
                found = self.traces[var.name], keys
            case C.Use(local):
                chosen = env.get(local.number)
                if chosen is not None and len(chosen.kept) == 1:
                    found = chosen.kept[0]
                else:
                    found = self.shown.get(local.number)
            case _:
                pass
        if found is None or source.owner is None or not same(source.owner, found[1][0]):
            return None
        return found

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
        for trace in self.watched(source):

            def one(keys: Keys, trace: Trace = trace) -> list[C.Stmt]:
                if goes is not None and goes.zone.name in trace.zones:
                    there = [self._lies(trace, keys, goes)]
                else:
                    there = self._open(trace, keys, seen, gone=True)
                return [self._if_there(trace, keys, source, there)]

            yield from self.cells(trace, source.owner, one)

    def left(
        self,
        source: C.ZoneUse,
        kind: C.Expr | None,
        goes: C.ZoneUse | None,
        alias: tuple[Trace, Keys] | None,
    ) -> Iterator[C.Stmt]:
        """Some pieces of a kind have left a zone; `alias` is the variable whose piece it was."""
        public = kind is not None and kind.secrecy is None and not _secret_local(kind)
        for trace in self.watched(source):

            def one(keys: Keys, trace: Trace = trace) -> list[C.Stmt]:
                element = SetT(trace.element)
                gone = None if kind is None or not public else C.Op("set", (kind,), element)
                mine = self._open(trace, keys, gone, gone=gone is None)
                if alias is not None and alias[0] is trace:
                    if public:
                        one, _ = self.value(trace, keys)
                        mine = [self.set(trace.may_be, keys, one), *self.nowhere(trace, keys)]
                        if trace.none is not None:
                            mine.append(self.set(trace.none, keys, C.Const(0, BOOL)))
                    elif goes is not None and goes.zone.name in trace.zones:
                        mine = [self._lies(trace, keys, goes)]
                    if len(keys) > 1:
                        tests = [
                            fold.op("==", (a, b), BOOL, NOWHERE)
                            for a, b in zip(keys[1:], alias[1][1:], strict=True)
                        ]
                        test = tests[0]
                        for more in tests[1:]:
                            test = fold.op("and", (test, more), BOOL, NOWHERE)
                        mine = [
                            C.SIf([(test, mine)], self._open(trace, keys, gone, gone=gone is None))
                        ]
                return [self._if_there(trace, keys, source, mine)]

            yield from self.cells(trace, source.owner, one)

    def _if_there(self, trace: Trace, keys: Keys, zone: C.ZoneUse, stmts: list[C.Stmt]) -> C.Stmt:
        assert trace.lies_in is not None
        number = C.Const(self.number_of(zone.zone), IntT(0, len(self.zones)))
        test = fold.op("==", (self.read(trace.lies_in, keys), number), BOOL, NOWHERE)
        return C.SIf([(test, stmts)], [])

    def _lies(self, trace: Trace, keys: Keys, zone: C.ZoneUse) -> C.Stmt:
        assert trace.lies_in is not None
        number = C.Const(self.number_of(zone.zone), IntT(0, len(self.zones)))
        return self.set(trace.lies_in, keys, number)

    def _open(self, trace: Trace, keys: Keys, seen: C.Expr | None, gone: bool) -> list[C.Stmt]:
        """It may be what left, as far as all saw that; where nobody saw it, anything that it could be."""
        assert trace.lies_in is not None and trace.among is not None
        among = self.read(trace.among, keys)
        more = among if seen is None else fold.op("intersect", (among, seen), among.type, NOWHERE)
        out: list[C.Stmt] = [self.set(trace.may_be, keys, more, "|")]
        if gone:
            out.append(self.set(trace.lies_in, keys, C.Const(0, IntT(0, len(self.zones)))))
        return out

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


def _secret_local(e: C.Expr) -> bool:
    return isinstance(e, C.Use) and e.local.secrecy is not None
