"""A checked game → the same game, which notes beside every hidden value what all may think of it.

A value that only its owner sees is a number or a member of a kind. What everybody can work out about it is state like any other, kept in
variables of the compiler's own beside it:

    offer.may_be    the values it may have, wherever pieces lie
    offer.may_be_none   whether it may be none, where that is possible
    offer.lies_in   the number of the owner's zone that a piece of this kind is known to lie in, 0 for none
    offer.among     the kinds it may be of those that lie there
    offer.holds     the number of the relation with other hidden things that was established when it was chosen, 0 for none

They are set where the value is, and follow the pieces: `choose c in hand[p] … secretly`, `offer[p] = c` gives `lies_in`; when pieces leave that
zone, what all saw of it is noted. Everything noted is worked out from what all see; dealing hidden pieces (runtime/deal.py) keeps to it. What is known of
relations is in the function `fits`, with every invariant that speaks of something hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import Parts, parts_of, same
from rulewright.compiler.core.secret_relations import Relation, make_relations
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
_NONE = C.Const(1, BOOL)


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
    holds: C.StateVar | None = None
    relations: list[Relation] = field(default_factory=list)
    zones: set[str] = field(default_factory=set)

    def notes(self) -> list[C.StateVar]:
        found = (self.may_be, self.none, self.lies_in, self.among, self.holds)
        return [v for v in found if v is not None]


@dataclass(slots=True)
class _Chosen:
    """A value just chosen in secret: its options as far as all know them, where its piece lies now, where it was kept."""

    parts: Parts
    options: C.Local
    zone: C.ZoneUse | None
    fresh: bool = True
    kept: list[tuple[Trace, Keys]] = field(default_factory=list)


Env = dict[int, _Chosen]


def trace_secrets(game: C.Game, fresh: Fresh) -> None:
    """Adds the notes to a game: variables, statements, and the function `fits`."""
    _Tracer(game, fresh).run()


class _Tracer:
    def __init__(self, game: C.Game, fresh: Fresh) -> None:
        self.game = game
        self.fresh = fresh
        self.player = game.kinds["Player"].type
        self.traces: dict[str, Trace] = {}
        self.zones = [
            z
            for f in game.families
            for z in f.zones
            if z.visible == "owner" and z.per == self.player
        ]
        self.kept_locals: set[int] = set()
        # locals that hold what was just revealed, with where it is kept
        self.shown: dict[int, tuple[Trace, Keys]] = {}

    def run(self) -> None:
        game = self.game
        for var in game.state:
            if var.visible == "owner" and isinstance(var.type, MapT):
                self.traces[var.name] = self._begin(var)
        for p in game.procedures:
            for s in _all(p.body):
                if isinstance(s, C.SAssign) and self._kept(s) is not None:
                    assert isinstance(s.value, C.Use)
                    self.kept_locals.add(s.value.local.number)
        self._follow_where()
        for p in game.procedures:
            make_relations(p, self.traces, self.fresh)
        for trace in self.traces.values():
            if trace.relations:
                many = IntT(0, len(trace.relations))
                trace.holds = self._note(trace, "holds", many, C.Const(0, many))
        for p in game.procedures:
            p.body = self.block(p.body, {})
        for trace in self.traces.values():
            game.state.extend(trace.notes())
        game.followed = [z.name for z in self.zones]
        game.fits = self._fits()
        if game.fits is not None:
            game.functions.append(game.fits)

    # ------------------------------------------------------------ the variables

    def _begin(self, var: C.StateVar) -> Trace:
        keys: list[KindT | IntT] = []
        t: Type = var.type
        while isinstance(t, MapT):
            keys.append(t.key)
            t = t.value
        base = t.base if isinstance(t, OptT) else t
        element = base if isinstance(base, KindT | IntT) else IntT(0, 1)
        trace = Trace(var, keys, t, element, var)
        first = _first_value(var, t)
        known = 0 if first < 0 and isinstance(t, OptT) else 1 << (first - low_of(element))
        values = SetT(element)
        trace.may_be = self._note(trace, "may_be", values, C.Const(known, values))
        if isinstance(t, OptT):
            trace.none = self._note(trace, "may_be_none", BOOL, C.Const(int(known == 0), BOOL))
        return trace

    def _note(self, trace: Trace, role: str, t: Type, first: C.Expr) -> C.StateVar:
        whole: Type = t
        for key in reversed(trace.keys):
            whole = MapT(key, whole)
        name = f"{trace.var.name}.{role}"
        return C.StateVar(
            name, whole, "all", None, first, trace.var.span, about=trace.var.name, role=role
        )

    def _kept(self, s: C.SAssign) -> Trace | None:
        """The hidden variable that a value chosen in secret goes to."""
        if s.op or not isinstance(s.target, C.Read) or not isinstance(s.value, C.Use):
            return None
        return None if s.value.local.chosen_by is None else self.traces.get(s.target.var.name)

    def _follow_where(self) -> None:
        """Which zones the piece of a value may be known to lie in: where it is chosen from, and where pieces go from there."""
        moves: list[tuple[str, str]] = []
        for p in self.game.procedures:
            for s in _all(p.body):
                if isinstance(s, C.SMove) and s.target.zone in self.zones:
                    moves.append((s.source.zone.name, s.target.zone.name))
                trace = self._kept(s) if isinstance(s, C.SAssign) else None
                if trace is not None:
                    assert isinstance(s, C.SAssign) and isinstance(s.value, C.Use)
                    assert s.value.local.chosen_by is not None
                    zone = self._own(parts_of(s.value.local.chosen_by).zone, s.target)
                    if zone is not None and zone.zone.family.kind == trace.element:
                        trace.zones.add(zone.zone.name)
        for trace in self.traces.values():
            more = True
            while more:
                reached = {b for a, b in moves if a in trace.zones}
                more = not reached <= trace.zones
                trace.zones |= reached
            if trace.zones:
                number = IntT(0, len(self.zones))
                values = SetT(trace.element)
                trace.lies_in = self._note(trace, "lies_in", number, C.Const(0, number))
                trace.among = self._note(trace, "among", values, C.Const(0, values))

    def _own(self, zone: C.ZoneUse | None, target: C.Expr) -> C.ZoneUse | None:
        """The zone, if it is one of those that only the owner of the value sees."""
        if zone is None or zone.zone not in self.zones or not isinstance(target, C.Read):
            return None
        return zone if zone.owner is not None and same(zone.owner, target.keys[0]) else None

    def number_of(self, zone: C.Zone) -> int:
        return self.zones.index(zone) + 1

    # ------------------------------------------------------------ statements

    def block(self, stmts: list[C.Stmt], env: Env) -> list[C.Stmt]:
        out: list[C.Stmt] = []
        for s in stmts:
            out.extend(self.stmt(s, env))
        return out

    def stmt(self, s: C.Stmt, env: Env) -> Iterator[C.Stmt]:
        yield from self.reveals(s)
        match s:
            case C.SChoose():
                yield s
                if s.secret and s.var.number in self.kept_locals:
                    yield self.options(s, env)
            case C.SLet(local, C.Reveal(C.Read(var, keys))) if var.name in self.traces:
                yield s
                if _steady(keys) and not local.mutable:
                    self.shown[local.number] = (self.traces[var.name], keys)
            case C.SAssign(C.Read(var, keys)):
                yield s
                yield from self.changed(
                    ("state", var.name), keys if var.visible == "owner" else (), keys
                )
                trace = self.traces.get(var.name)
                if trace is not None:
                    self.forget(trace, env)
                    yield from self.assigned(s, trace, keys, env)
            case C.SAssign() | C.SShow():
                yield s
                yield from self.changed(("pieces", ""), (), ())
            case C.SScore():
                yield s
                yield from self.changed(("state", "score"), (), ())
            case C.SIf(arms, other):
                self.weaken(env, s)
                new = [(test, self.block(body, dict(env))) for test, body in arms]
                yield replace(s, arms=new, other=self.block(other, dict(env)))
            case C.SFor(body=body) | C.SWhile(body=body):
                self.weaken(env, s)
                yield replace(s, body=self.block(body, dict(env)))
            case C.SMove():
                yield from self.move(s, env)
            case C.SDraw(drawn, source, target):
                yield s
                kind = None if drawn is None else C.Use(drawn, drawn.type)
                self.leaves(env, source, None, None)
                yield from self.left(source, kind, None, None)
                yield from self.zones_changed(source, target)
            case C.SPut(value=value, source=source):
                yield s
                yield from self.left(source, value, None, self.alias(value, source, env))
                self.leaves(env, source, value, None)
                yield from self.zones_changed(source)
                yield from self.changed(("pieces", ""), (), ())
            case C.STake(target=target):
                yield s
                yield from self.zones_changed(target)
                yield from self.changed(("pieces", ""), (), ())
            case C.SRun():
                yield s
                self.shown.clear()
                for chosen in env.values():
                    chosen.zone, chosen.fresh, chosen.kept = None, False, []
            case _:
                yield s

    def forget(self, trace: Trace, env: Env) -> None:
        """Entries of a variable may have another value now: what was known to be the same is so no longer."""
        self.shown = {n: found for n, found in self.shown.items() if found[0] is not trace}
        for number, chosen in list(env.items()):
            kept = [k for k in chosen.kept if k[0] is not trace]
            env[number] = replace(chosen, kept=kept)

    def weaken(self, env: Env, s: C.Stmt) -> None:
        """What happens in a branch or a loop may or may not have happened."""
        acts = (C.SMove, C.SDraw, C.SPut, C.STake, C.SRun, C.SAssign, C.SScore, C.SShow)
        inside = [x for x in _all([s]) if isinstance(x, acts)]
        for number, chosen in list(env.items()):
            if any(not isinstance(x, C.SAssign | C.SScore | C.SShow) for x in inside):
                env[number] = replace(chosen, zone=None, fresh=False, kept=[])
            elif any(not (isinstance(x, C.SAssign) and self._kept(x)) for x in inside):
                env[number] = replace(chosen, fresh=False)

    def options(self, s: C.SChoose, env: Env) -> C.Stmt:
        """The options as far as all know them, put together where they were offered."""
        parts = parts_of(s)
        local = self.fresh(f"{s.var.name} options", SetT(s.element))
        env[s.var.number] = _Chosen(parts, local, parts.zone)
        return C.SLet(local, parts.public_options(self.fresh), NOWHERE)

    # ------------------------------------------------------------ a hidden value is set

    def assigned(self, s: C.SAssign, trace: Trace, keys: Keys, env: Env) -> Iterator[C.Stmt]:
        chosen = env.get(s.value.local.number) if isinstance(s.value, C.Use) else None
        if self._kept(s) is None:
            yield from self._public_value(s, trace, keys)
            return
        whole = C.Const(fold.full_mask(trace.element), SetT(trace.element))
        zone = None if chosen is None else self._own(chosen.zone, s.target)
        known: C.Expr = whole
        if chosen is not None:
            known = self._as(trace, C.Use(chosen.options, chosen.options.type))
        if zone is not None and zone.zone.name not in trace.zones:
            zone = None
        may_be = known if zone is None else C.Const(0, whole.type)
        yield self.set(trace.may_be, keys, may_be)
        if trace.none is not None:
            yield self.set(trace.none, keys, _NONE if chosen is None else self._none(chosen))
        if trace.lies_in is not None and trace.among is not None:
            number = 0 if zone is None else self.number_of(zone.zone)
            yield self.set(trace.lies_in, keys, C.Const(number, IntT(0, len(self.zones))))
            yield self.set(trace.among, keys, C.Const(0, whole.type) if zone is None else known)
        if trace.holds is not None:
            fresh = chosen is not None and chosen.fresh
            relation = next((r for r in trace.relations if r.at is s), None) if fresh else None
            yield self.set(
                trace.holds,
                keys,
                (
                    C.Const(0, IntT(0, len(trace.relations)))
                    if relation is None
                    else relation.number(trace.relations)
                ),
            )
        if chosen is not None and _steady(keys):
            chosen.kept.append((trace, keys))

    def _none(self, chosen: _Chosen) -> C.Expr:
        """Whether all must think that nothing may have been chosen."""
        choice = chosen.parts.choice
        if choice.otherwise is not None:
            return _NONE
        empty = C.Const(0, chosen.options.type)
        options = C.Use(chosen.options, chosen.options.type)
        return fold.op("==", (options, empty), BOOL, NOWHERE) if choice.if_any else C.Const(0, BOOL)

    def _as(self, trace: Trace, options: C.Expr) -> C.Expr:
        """A set of options as one over the values of the variable."""
        assert isinstance(options.type, SetT)
        given, wanted = options.type.element, trace.element
        if isinstance(wanted, KindT) or low_of(given) == low_of(wanted):
            return options
        local = self.fresh("value", wanted)
        use = C.Use(local, wanted)
        high = low_of(given) + (count_of(given) or 0) - 1
        inside = fold.op("in", (use, options), BOOL, NOWHERE)
        for name, bound in (("<=", high), (">=", low_of(given))):
            test = fold.op(name, (use, C.Const(bound, IntT(bound, bound))), BOOL, NOWHERE)
            inside = fold.op("and", (test, inside), BOOL, NOWHERE)
        domain = C.Const(fold.full_mask(wanted), SetT(wanted))
        return C.Comp("set", local, domain, inside, (), None, SetT(wanted))

    def _public_value(self, s: C.SAssign, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """All saw what it became, or by how much it changed."""
        if s.op in ("+", "-"):
            local = self.fresh("value", trace.element)
            use = C.Use(local, trace.element)
            back = fold.op("-" if s.op == "+" else "+", (use, s.value), IntT(), NOWHERE)
            before = self.read(trace.may_be, keys)
            low, many = low_of(trace.element), count_of(trace.element) or 0
            test = fold.op("in", (back, before), BOOL, NOWHERE)
            for name, bound in (("<", low + many), (">=", low)):
                edge = fold.op(name, (back, C.Const(bound, IntT(bound, bound))), BOOL, NOWHERE)
                test = fold.op("and", (edge, test), BOOL, NOWHERE)
            domain = C.Const(fold.full_mask(trace.element), SetT(trace.element))
            # what it was before goes first: the set is made from the old one
            yield self.set(
                trace.may_be, keys, C.Comp("set", local, domain, test, (), None, domain.type)
            )
        else:
            one, nothing = self.value(trace, keys)
            yield self.set(trace.may_be, keys, one)
            if trace.none is not None:
                yield self.set(trace.none, keys, nothing)
        yield from self.nowhere(trace, keys)
        if trace.holds is not None:
            yield self.set(trace.holds, keys, C.Const(0, IntT(0, len(trace.relations))))

    def known(self, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """All know from now on which value it is; what else is known of it stays."""
        one, nothing = self.value(trace, keys)
        yield self.set(trace.may_be, keys, one, "&")
        if trace.none is not None:
            both = (self.read(trace.none, keys), nothing)
            yield self.set(trace.none, keys, fold.op("and", both, BOOL, NOWHERE))
        if trace.among is not None:
            yield self.set(trace.among, keys, one, "&")

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

    def nowhere(self, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """Nothing is known of where a piece of its kind lies."""
        if trace.lies_in is not None and trace.among is not None:
            yield self.set(trace.lies_in, keys, C.Const(0, IntT(0, len(self.zones))))
            yield self.set(trace.among, keys, C.Const(0, SetT(trace.element)))

    # ------------------------------------------------------------ what is revealed

    def reveals(self, s: C.Stmt) -> Iterator[C.Stmt]:
        """What the statement makes known is noted before it: by then everybody knows."""
        for e in _surely_read(s):
            yield from self._shown_in(e, {})

    def _shown_in(self, e: C.Expr, bound: dict[int, C.Local]) -> Iterator[C.Stmt]:
        match e:
            case C.Reveal(C.Read(var, keys)) if var.name in self.traces and not bound:
                yield from self.known(self.traces[var.name], keys)
            case C.Reveal(operand):
                yield from self._shown_in(operand, bound)
            case C.Column(base=base):
                yield from self._shown_in(base, bound)
            case C.Op("if" | "and" | "or", (first, *_)):
                yield from self._shown_in(first, bound)
            case C.Op(args=args):
                for arg in args:
                    yield from self._shown_in(arg, bound)
            case C.Comp(op, local, C.Const() as domain, None, body) if op not in (
                "any",
                "all",
            ) and isinstance(local.type, KindT | IntT):
                inner = [x for b in body for x in self._shown_in(b, {})]
                if inner:
                    yield C.SFor(local, domain, None, inner)
            case C.Call(function, args) if _single(function) is not None:
                from rulewright.compiler.core.substitute import substitute

                value = _single(function)
                assert value is not None
                env = {p.number: a for p, a in zip(function.params, args, strict=True)}
                yield from self._shown_in(substitute(value, env), bound)

    # ------------------------------------------------------------ pieces move

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

    def watched(self, source: C.ZoneUse) -> list[Trace]:
        return [t for t in self.traces.values() if source.zone.name in t.zones]

    def cells(
        self, trace: Trace, owner: C.Expr | None, body: Callable[[Keys], list[C.Stmt]]
    ) -> list[C.Stmt]:
        """Statements for every entry of an owner, or for every entry at all."""
        keys: list[C.Expr] = [] if owner is None else [owner]
        loops = [self.fresh("key", t) for t in trace.keys[len(keys) :]]
        keys += [C.Use(x, x.type) for x in loops]
        stmts = body(tuple(keys))
        for local in reversed(loops):
            assert isinstance(local.type, KindT | IntT)
            domain = C.Const(fold.full_mask(local.type), SetT(local.type))
            stmts = [C.SFor(local, domain, None, stmts)]
        return stmts

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

    # ------------------------------------------------------------ relations

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
            number = IntT(0, len(trace.relations))

            def one(
                cell: Keys,
                trace: Trace = trace,
                hit: list[tuple[int, Relation]] = hit,
                number: IntT = number,
            ) -> list[C.Stmt]:
                assert trace.holds is not None
                out: list[C.Stmt] = []
                for i, relation in hit:
                    test = fold.op(
                        "==", (self.read(trace.holds, cell), C.Const(i, number)), BOOL, NOWHERE
                    )
                    at = relation.at_key(what)
                    if at is not None and len(keys) > 1:
                        met = C.Const(at[0], SetT(at[1]))
                        read = fold.op("in", (keys[1], met), BOOL, NOWHERE)
                        test = fold.op("and", (test, read), BOOL, NOWHERE)
                    stop = self.set(trace.holds, cell, C.Const(0, number))
                    out.append(C.SIf([(test, [stop])], []))
                return out

            yield from self.cells(trace, owner[0] if owner else None, one)

    def _fits(self) -> C.Function | None:
        """Whether hidden things are as what was established says, and as the invariants say."""
        body: list[C.Stmt] = []
        for trace in self.traces.values():
            for i, relation in enumerate(trace.relations, 1):
                assert trace.holds is not None
                number = C.Const(i, IntT(0, len(trace.relations)))
                held = fold.op("==", (self.read(trace.holds, relation.cell), number), BOOL, NOWHERE)
                wrong = fold.op("not", (relation.test,), BOOL, NOWHERE)
                stmts: list[C.Stmt] = [C.SIf([(held, [C.SIf([(wrong, [_no()])], [])])], [])]
                for local in reversed(relation.loops):
                    assert isinstance(local.type, KindT | IntT)
                    domain = C.Const(fold.full_mask(local.type), SetT(local.type))
                    stmts = [C.SFor(local, domain, None, stmts)]
                body.extend(stmts)
        for invariant in self.game.invariants:
            if invariant.test.secrecy is not None:
                wrong = fold.op("not", (invariant.test,), BOOL, NOWHERE)
                body.append(C.SIf([(wrong, [_no()])], []))
        if not body:
            return None
        body.append(C.SReturn(fold.truth(True, NOWHERE)))
        return C.Function("hidden things fit", [], BOOL, body, NOWHERE, (), None, True)

    # ------------------------------------------------------------ small parts

    def read(self, var: C.StateVar, keys: Keys) -> C.Read:
        t: Type = var.type
        for _ in keys:
            assert isinstance(t, MapT)
            t = t.value
        return C.Read(var, keys, t)

    def set(self, var: C.StateVar, keys: Keys, value: C.Expr, op: str = "") -> C.Stmt:
        return C.SAssign(self.read(var, keys), op, value, NOWHERE)


def _first_value(var: C.StateVar, t: Type) -> int:
    if isinstance(var.first, C.Const) and isinstance(var.first.value, int):
        return var.first.value
    if isinstance(t, OptT):
        return -1
    if isinstance(t, IntT):
        low, high = t.low or 0, t.high or 0
        return min(max(0, low), high)
    return 0


def _all(stmts: list[C.Stmt]) -> Iterator[C.Stmt]:
    """All statements, those inside others too."""
    for s in stmts:
        yield s
        match s:
            case C.SIf(arms, other):
                for _, body in arms:
                    yield from _all(body)
                yield from _all(other)
            case C.SFor(body=body) | C.SWhile(body=body):
                yield from _all(body)


def _surely_read(s: C.Stmt) -> list[C.Expr]:
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
        case C.SReturn(value=value2) if value2 is not None:
            return [value2]
        case C.SPut(value=value):
            return [value]
    return []


def _single(f: C.Function) -> C.Expr | None:
    """What a function of one line gives back."""
    if len(f.body) == 1 and isinstance(f.body[0], C.SReturn):
        return f.body[0].value
    return None


def _steady(keys: Keys) -> bool:
    """Whether these keys go on naming the same entry."""
    return all(
        isinstance(k, C.Const) or (isinstance(k, C.Use) and not k.local.mutable) for k in keys
    )


def _no() -> C.Stmt:
    return C.SReturn(fold.truth(False, NOWHERE))


def _secret_local(e: C.Expr) -> bool:
    return isinstance(e, C.Use) and e.local.secrecy is not None
