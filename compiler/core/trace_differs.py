"""Hidden values chosen out of hidden zones → a note of which of them were chosen as different pieces, wherever these go later.

    offer.differs   the values (numbered over all variables with pieces of this kind) whose pieces are surely others than its own

There are no more pieces than there are: of two aces, at most two values that differ from each other are aces, also when all have seen aces go and
nobody can tell from where. When a value is chosen out of a zone, it differs from those whose pieces surely lie elsewhere then, and from those chosen
with it; both stay what they are until one is assigned anew. It is noted only where pieces may leave these zones, and where there are more such
values than pieces of some kind. Deals keep to it (runtime/differ.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import same
from rulewright.compiler.core.trace_moves import all_equal
from rulewright.compiler.core.trace_notes import Fresh, Keys, Trace, steady
from rulewright.compiler.core.trace_sets import Sets
from rulewright.compiler.core.types import BOOL, IntT, KindT, MapT, SetT, count_of
from rulewright.compiler.core.walk import statements
from rulewright.compiler.text.source import NOWHERE


class Differing(Sets):
    """Statements beside those that keep what was chosen."""

    def __init__(self, game: C.Game, fresh: Fresh) -> None:
        super().__init__(game, fresh)
        # steps of a joint choice that were kept just now, and where
        self.siblings: list[tuple[C.Local, Trace, Keys]] = []

    def note_differs(self) -> None:
        """Adds the variables where they can tell something."""
        left = {
            s.source.zone.name
            for p in self.game.procedures
            for s in statements(p.body)
            if isinstance(s, C.SMove | C.SDraw | C.SPut)
        }
        for kind in {t.element: None for t in self.traces.values()}:
            if not isinstance(kind, KindT):
                continue
            found = [t for t in self.traces.values() if t.zones and t.element == kind]
            if any(not left.isdisjoint(t.zones) for t in found) and self._too_many(kind, found):
                numbers = sum(_entries(t) for t in found)
                values = SetT(IntT(0, numbers - 1))
                for trace in found:
                    trace.differs = self._note(trace, "differs", values, C.Const(0, values))

    def _too_many(self, kind: KindT, traces: list[Trace]) -> bool:
        """Whether there are more values than pieces of some kind, of one owner where each has its own."""
        families = [z.family for z in self.followed if z.family.kind == kind]
        families = [f for i, f in enumerate(families) if f not in families[:i]]
        owned = all(f.per is not None for f in families)
        sizes = [[count_of(k) or 0 for k in t.keys] for t in traces]
        values = sum(prod(row[1:] if owned else row) for row in sizes)
        rows = [row for f in families for row in f.copies]
        if not owned:
            rows = [[sum(many) for many in zip(*rows, strict=True)]]
        return any(0 < many < values for row in rows for many in row)

    def kept_apart(
        self, s: C.SAssign, trace: Trace, keys: Keys, zone: C.ZoneUse | None
    ) -> Iterator[C.Stmt]:
        """A value was assigned. If its piece lies in a zone, it is not that of values whose pieces surely lie elsewhere."""
        if trace.differs is None:
            return
        if zone is not None and zone.zone.family.per is not None and not _of_its_owner(zone, keys):
            zone = None
        local = s.value.local if isinstance(s.value, C.Use) and zone is not None else None
        others = local.chosen_with if local is not None and local.apart else []
        self.siblings = [x for x in self.siblings if x[0] in others]
        yield self.set(trace.differs, keys, C.Const(0, _values(trace)))
        mine = self._alone(trace, keys)
        for other in self._alike(trace):

            def one(there: Keys, other: Trace = other) -> list[C.Stmt]:
                assert other.differs is not None and trace.differs is not None
                no_more = self.set(other.differs, there, mine, "-")
                if zone is None:
                    return [no_more]
                apart = self._surely_elsewhere(other, there, zone)
                both = [
                    self.set(other.differs, there, mine, "|"),
                    self.set(trace.differs, keys, self._alone(other, there), "|"),
                ]
                return [C.SIf([(apart, both)], [no_more])]

            yield from self.cells(other, None, one)
        if local is not None and steady(keys):
            self.siblings.append((local, trace, keys))

    def _surely_elsewhere(self, other: Trace, there: Keys, zone: C.ZoneUse) -> C.Expr:
        """Whether the piece of an entry is not one that lies in a zone now, or was chosen with what is kept now."""
        gone = C.Const(0, SetT(other.element))
        stays = fold.op("==", (self.read(other.may_be, there), gone), BOOL, NOWHERE)
        not_here = fold.op("not", (self.is_there(other, there, zone),), BOOL, NOWHERE)
        test = fold.op("and", (stays, not_here), BOOL, NOWHERE)
        for _, trace, kept in self.siblings:
            if trace is other:
                test = fold.op("or", (all_equal(there, kept), test), BOOL, NOWHERE)
        return test

    def _alike(self, trace: Trace) -> list[Trace]:
        """The variables whose values are numbered together with those of a variable."""
        found = self.traces.values()
        return [t for t in found if t.differs is not None and t.element == trace.element]

    def _alone(self, trace: Trace, keys: Keys) -> C.Expr:
        """The set of the number of one entry."""
        before = 0
        for other in self._alike(trace):
            if other is trace:
                break
            before += _entries(other)
        exact = tuple(_as_key(k, t) for k, t in zip(keys, trace.keys, strict=True))
        many = _entries(trace)
        at = C.Op("place", exact, IntT(0, many - 1))
        first = C.Const(before, IntT(before, before))
        number = fold.op("+", (first, at), IntT(before, before + many - 1), NOWHERE)
        return C.Op("set", (number,), _values(trace))


def _entries(trace: Trace) -> int:
    return prod(count_of(k) or 0 for k in trace.keys)


def _values(trace: Trace) -> SetT:
    assert trace.differs is not None
    t = trace.differs.type
    while isinstance(t, MapT):
        t = t.value
    assert isinstance(t, SetT)
    return t


def _as_key(key: C.Expr, t: KindT | IntT) -> C.Expr:
    """The key, counted from the first of the map and not from that of its own bounds."""
    if key.type == t:
        return key
    if isinstance(key, C.Const):
        return C.Const(key.value, t)
    return C.Op("+", (key, C.Const(0, IntT(0, 0))), t)


def _of_its_owner(zone: C.ZoneUse, keys: Keys) -> bool:
    return zone.owner is not None and same(zone.owner, keys[0])
