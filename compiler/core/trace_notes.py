"""Hidden variables of a game → the variables beside them in which it is noted what all may think of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.secret_choices import Parts
from rulewright.compiler.core.secret_relations import Reads, Relation
from rulewright.compiler.core.types import (
    BOOL,
    BoolT,
    IntT,
    KindT,
    MapT,
    OptT,
    SetT,
    Type,
    count_of,
    low_of,
)
from rulewright.compiler.text.source import NOWHERE

Fresh = Callable[[str, Type], C.Local]
Keys = tuple[C.Expr, ...]
# seen by whom it belongs to: a seat, or those of its team
OWNED = ("owner", "team")


@dataclass(slots=True)
class Trace:
    """A hidden variable and what is noted beside it."""

    var: C.StateVar
    keys: list[KindT | IntT]
    inner: Type
    element: KindT | IntT
    may_be: C.StateVar
    none: C.StateVar | None = None
    lies_in: C.StateVar | None = None
    among: C.StateVar | None = None
    own: C.StateVar | None = None
    differs: C.StateVar | None = None
    holds: C.StateVar | None = None
    # of a set: what is surely in it, and how many are in it at least and at most
    surely: C.StateVar | None = None
    least: C.StateVar | None = None
    most: C.StateVar | None = None
    relations: list[Relation] = field(default_factory=list)
    zones: set[str] = field(default_factory=set)
    # whether pieces of an entry may come to lie in zones of other seats than its own
    travels: bool = False

    def notes(self) -> list[C.StateVar]:
        found = (
            self.may_be,
            self.none,
            self.lies_in,
            self.among,
            self.own,
            self.differs,
            self.holds,
        )
        of_sets = (self.surely, self.least, self.most)
        return [v for v in (*found, *of_sets) if v is not None]


# an entry of a hidden variable
Entry = tuple[Trace, Keys]


@dataclass(slots=True)
class Chosen:
    """A value just chosen in secret: its options as far as all know them, where its piece lies now, where it was kept."""

    parts: Parts
    options: C.Local
    zone: C.ZoneUse | None
    fresh: bool = True
    kept: list[Entry] = field(default_factory=list)
    # of several chosen at once: how many at least and at most
    few: C.Expr | None = None
    many: C.Expr | None = None
    # what was tested of it together with hidden things, and what has changed since
    tests: list[C.Expr] = field(default_factory=list)
    stale: Reads = field(default_factory=dict)


Env = dict[int, Chosen]


class Notes:
    """The variables of the notes, and the statements that read and set them."""

    def __init__(self, game: C.Game, fresh: Fresh) -> None:
        self.game = game
        self.fresh = fresh
        self.player = game.kinds["Player"].type
        self.traces: dict[str, Trace] = {}
        self.zones = [
            z
            for f in game.families
            for z in f.zones
            if z.visible in OWNED and z.per is not None and z.per.name in ("Player", "Team")
        ]
        # those that pieces of hidden values may be known to lie in
        self.followed: list[C.Zone] = []
        self.kept_locals: set[int] = set()
        # by the last step of a choice of several that is kept as a set: the whole
        self.kept_wholes: dict[int, C.Local] = {}
        # locals that hold a hidden value, revealed or not, with where it is kept
        self.shown: dict[int, Entry] = {}

    def _begin(self, var: C.StateVar) -> Trace:
        keys: list[KindT | IntT] = []
        t: Type = var.type
        while isinstance(t, MapT):
            keys.append(t.key)
            t = t.value
        base = t.base if isinstance(t, OptT) else t.element if isinstance(t, SetT) else t
        element = base if isinstance(base, KindT | IntT) else IntT(0, 1)
        trace = Trace(var, keys, t, element, var)
        first = _first_value(var, t)
        if isinstance(t, SetT):
            self._begin_set(trace, t, first)
            return trace
        known = 0 if first < 0 and isinstance(t, OptT) else 1 << (first - low_of(element))
        values = SetT(element)
        trace.may_be = self._note(trace, "may_be", values, C.Const(known, values))
        if isinstance(t, OptT):
            trace.none = self._note(trace, "may_be_none", BOOL, C.Const(int(known == 0), BOOL))
        return trace

    def _begin_set(self, trace: Trace, t: SetT, first: int) -> None:
        """All know what a set begins with."""
        size = IntT(0, count_of(trace.element) or 0)
        many = C.Const(first.bit_count(), size)
        trace.may_be = self._note(trace, "may_be", t, C.Const(first, t))
        trace.surely = self._note(trace, "surely", t, C.Const(first, t))
        trace.least = self._note(trace, "least", size, many)
        trace.most = self._note(trace, "most", size, many)

    def _note(self, trace: Trace, role: str, t: Type, first: C.Expr) -> C.StateVar:
        whole: Type = t
        for key in reversed(trace.keys):
            whole = MapT(key, whole)
        name = f"{trace.var.name}.{role}"
        return C.StateVar(
            name, whole, "all", None, first, trace.var.span, about=trace.var.name, role=role
        )

    def places(self) -> SetT:
        """Sets of places: the zones in their order, each as often as it is there."""
        return SetT(IntT(0, sum(z.count for z in self.followed) - 1))

    def place(self, zone: C.ZoneUse) -> C.Expr:
        """The number of the place that a zone is."""
        return place_in(self.followed, zone)

    def place_alone(self, zone: C.ZoneUse) -> C.Expr:
        """The set of one place."""
        return C.Op("set", (self.place(zone),), self.places())

    def known(self, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """All know from now on which value it is; what else is known of it stays."""
        one, nothing = self.value(trace, keys)
        yield self.set(trace.may_be, keys, one, "&")
        if trace.none is not None:
            both = (self.read(trace.none, keys), nothing)
            yield self.set(trace.none, keys, fold.op("and", both, BOOL, NOWHERE))
        if trace.among is not None:
            yield self.set(trace.among, keys, one, "&")

    def none_or_not(self, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """All know from now on whether it is none."""
        if trace.none is None:
            return
        _, nothing = self.value(trace, keys)
        no_value = self.set(trace.may_be, keys, C.Const(0, SetT(trace.element)))
        a_value = self.set(trace.none, keys, C.Const(0, BOOL))
        yield C.SIf([(nothing, [no_value, *self.nowhere(trace, keys)])], [a_value])

    def value(self, trace: Trace, keys: Keys) -> tuple[C.Expr, C.Expr]:
        """The value as it is now, as a set of one, and whether it is none."""
        value = C.Read(trace.var, keys, trace.inner)
        values = SetT(trace.element)
        one: C.Expr
        if isinstance(trace.inner, BoolT):
            number = C.Op("if", (value, C.Const(1, IntT(1, 1)), C.Const(0, IntT(0, 0))), IntT(0, 1))
            one = C.Op("set", (number,), values)
        elif isinstance(trace.inner, OptT):
            is_none = C.Op("is_none", (value,), BOOL)
            there = C.Op("set", (C.Read(trace.var, keys, trace.element),), values)
            one = C.Op("if", (is_none, C.Const(0, values), there), values)
        else:
            one = C.Op("set", (value,), values)
        return one, C.Op("is_none", (value,), BOOL)

    def over_values(self, trace: Trace, options: C.Expr) -> C.Expr:
        """A set of options as one over the values of the variable."""
        assert isinstance(options.type, SetT)
        given, wanted = options.type.element, trace.element
        if isinstance(wanted, KindT) or low_of(given) == low_of(wanted):
            return options
        local = self.fresh("value", wanted)
        use = C.Use(local, wanted)
        high = low_of(given) + (count_of(given) or 0) - 1
        inside = fold.op("in", (use, options), BOOL, NOWHERE)
        ends: tuple[tuple[OpName, int], ...] = (("<=", high), (">=", low_of(given)))
        for name, bound in ends:
            test = fold.op(name, (use, C.Const(bound, IntT(bound, bound))), BOOL, NOWHERE)
            inside = fold.op("and", (test, inside), BOOL, NOWHERE)
        domain = C.Const(fold.full_mask(wanted), SetT(wanted))
        return C.Comp("set", local, domain, inside, (), None, SetT(wanted))

    def nowhere(self, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """Nothing is known of where a piece of its kind lies."""
        if trace.lies_in is not None and trace.among is not None:
            yield self.set(trace.lies_in, keys, C.Const(0, self.places()))
            yield self.set(trace.among, keys, C.Const(0, SetT(trace.element)))
        if trace.own is not None:
            yield self.set(trace.own, keys, C.Const(0, BOOL))

    def in_zones_of(self, trace: Trace, owner: C.Expr | None) -> C.Expr | None:
        """The seat whose entries alone may have their pieces in zones of an owner; none if these may be anybody's."""
        return None if trace.travels else owner

    def cells(
        self, trace: Trace, owner: C.Expr | None, body: Callable[[Keys], list[C.Stmt]]
    ) -> list[C.Stmt]:
        """Statements for every entry of an owner, or for every entry at all."""
        # what belongs to a team may bear on entries of any seat, and the other way round
        mine = owner is not None and owner.type == trace.keys[0]
        keys: list[C.Expr] = [owner] if owner is not None and mine else []
        loops = [self.fresh("key", t) for t in trace.keys[len(keys) :]]
        keys += [C.Use(x, x.type) for x in loops]
        stmts = body(tuple(keys))
        for local in reversed(loops):
            assert isinstance(local.type, KindT | IntT)
            domain = C.Const(fold.full_mask(local.type), SetT(local.type))
            stmts = [C.SFor(local, domain, None, stmts)]
        return stmts

    def watched(self, source: C.ZoneUse) -> list[Trace]:
        return [t for t in self.traces.values() if source.zone.name in t.zones]

    def read(self, var: C.StateVar, keys: Keys) -> C.Read:
        t: Type = var.type
        for _ in keys:
            assert isinstance(t, MapT)
            t = t.value
        return C.Read(var, keys, t)

    def set(self, var: C.StateVar, keys: Keys, value: C.Expr, op: str = "") -> C.Stmt:
        return C.SAssign(self.read(var, keys), op, value, NOWHERE)


def place_in(followed: list[C.Zone], zone: C.ZoneUse) -> C.Expr:
    """The number of a place among those that are followed."""
    before = followed[: followed.index(zone.zone)]
    first = sum(z.count for z in before)
    base = C.Const(first, IntT(first, first))
    if not zone.keys:
        return base
    at = C.Op("place", zone.keys, IntT(0, zone.zone.count - 1))
    return fold.op("+", (base, at), IntT(first, first + zone.zone.count - 1), NOWHERE)


def _first_value(var: C.StateVar, t: Type) -> int:
    if isinstance(var.first, C.Const) and isinstance(var.first.value, int):
        return var.first.value
    if isinstance(t, OptT):
        return -1
    if isinstance(t, IntT):
        low, high = t.low or 0, t.high or 0
        return min(max(0, low), high)
    return 0


def steady(keys: Keys) -> bool:
    """Whether these keys go on naming the same entry."""
    return all(
        isinstance(k, C.Const)
        or (isinstance(k, C.Use) and not k.local.mutable)
        or (isinstance(k, C.Column) and steady((k.base,)))
        for k in keys
    )


def surely_read(s: C.Stmt) -> list[C.Expr]:
    """Expressions that are worked out whenever a statement is carried out."""
    match s:
        case C.SLet(value=value) | C.SAssign(value=value):
            return [value]
        case C.SIf(arms):
            return [arms[0][0]] if arms else []
        case C.SFor(domain=domain):
            return [domain]
        case C.SMove(count, kind):
            return [e for e in (count, kind) if e is not None]
        case C.SScore(amount, player):
            return [amount, player]
        case C.SRun(args=args):
            return list(args)
        case C.SReturn(value=result):
            return [] if result is None else [result]
        case C.SPut(value=value):
            return [value]
        case (
            C.SWhile() | C.SBreak() | C.SContinue() | C.SChoose() | C.SRoll() | C.SDraw() | C.SRequire() | C.STell()
            | C.STake() | C.SShow() | C.SReveal() | C.SMark()
        ):  # fmt: skip
            pass
    return []
