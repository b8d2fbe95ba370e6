"""A checked game → the same game, which notes beside every hidden value what all may think of it.

A value that only its owner sees is a number, a member of a kind or a set. What everybody can work out about it is state like any other, kept in
variables of the compiler's own beside it:

    offer.may_be    the values it may have, wherever pieces lie
    offer.may_be_none   whether it may be none, where that is possible
    offer.lies_in   the places (zones, each as often as it is there) of which one is known to hold a piece of this kind; empty if none is
    offer.among     the kinds it may be of those that lie there
    offer.own       whether its piece is surely not that of another value that lies there by itself, where there may be several
    offer.differs   the values whose pieces are surely others than its own (trace_differs.py)
    offer.holds     the numbers of the relations with other hidden things that were established when it was chosen

(of a set: trace_sets.py)

They are set where the value is, and follow the pieces: `choose c in hand[p] … secretly`, `offer[p] = c` gives `lies_in`; when pieces leave that
zone, what all saw of it is noted: a piece taken unseen from there to a hand makes that hand one of the places. Everything noted is worked out from what all see; dealing hidden pieces (runtime/deal.py) keeps to it. What is known of
relations is in the function `fits`, with every invariant that speaks of something hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.secret_choices import parts_of, same
from rulewright.compiler.core.secret_relations import established, make_relations
from rulewright.compiler.core.trace_differs import Differing
from rulewright.compiler.core.trace_notes import (
    OWNED,
    Chosen,
    Entry,
    Env,
    Fresh,
    Keys,
    Trace,
    steady,
    surely_read,
)
from rulewright.compiler.core.trace_sets import stale
from rulewright.compiler.core.types import (
    BOOL,
    IntT,
    KindT,
    MapT,
    SetT,
    Type,
    count_of,
    low_of,
)
from rulewright.compiler.core.walk import statements
from rulewright.compiler.text.source import NOWHERE

_NONE = C.Const(1, BOOL)


def trace_secrets(game: C.Game, fresh: Fresh) -> None:
    """Adds the notes to a game: variables, statements, and the function `fits`."""
    _Tracer(game, fresh).run()


class _Tracer(Differing):
    def run(self) -> None:
        game = self.game
        for var in game.state:
            if var.visible in OWNED and isinstance(var.type, MapT):
                self.traces[var.name] = self._begin(var)
        for p in game.procedures:
            for s in statements(p.body):
                if isinstance(s, C.SAssign) and self._kept(s) is not None:
                    assert isinstance(s.value, C.Use)
                    self.kept_locals.add(s.value.local.number)
                whole = self.secretly(s) if isinstance(s, C.SAssign) else None
                if whole is not None and whole.steps:
                    self.kept_wholes[whole.steps[-1].number] = whole
                elif whole is not None:
                    self.kept_locals.add(whole.number)
        self._follow_where()
        self.note_differs()
        for p in game.procedures:
            make_relations(p, self.traces, self.fresh)
        for trace in self.traces.values():
            if trace.relations:
                numbers = SetT(IntT(1, len(trace.relations)))
                trace.holds = self._note(trace, "holds", numbers, C.Const(0, numbers))
        for p in game.procedures:
            p.body = self.block(p.body, {})
        for trace in self.traces.values():
            game.state.extend(trace.notes())
        game.followed = [z.name for z in self.followed]
        game.fits = self._fits()
        if game.fits is not None:
            game.functions.append(game.fits)

    def _kept(self, s: C.SAssign) -> Trace | None:
        """The hidden variable that a value chosen in secret goes to."""
        if s.op or not isinstance(s.target, C.Read) or not isinstance(s.value, C.Use):
            return None
        if isinstance(s.target.type, SetT):
            return None
        return None if s.value.local.chosen_by is None else self.traces.get(s.target.var.name)

    def _follow_where(self) -> None:
        """Which zones the piece of a value may be known to lie in: where it is chosen from, and where pieces go from there."""
        unseen = [z for f in self.game.families for z in f.zones if z.visible == "nobody"]
        unseen = [z for z in unseen if z.per in (None, self.player)]
        by_key = {z.name: z.per for z in (*self.zones, *unseen)}
        moves: list[C.SMove | C.SDraw] = []
        for p in self.game.procedures:
            for s in statements(p.body):
                if isinstance(s, C.SMove | C.SDraw) and s.target.zone in (*self.zones, *unseen):
                    moves.append(s)
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
                reached = {s.target.zone.name for s in moves if s.source.zone.name in trace.zones}
                # what belongs to others than the value does is not followed
                reached = {name for name in reached if by_key[name] in (None, trace.keys[0])}
                more = not reached <= trace.zones
                trace.zones |= reached
        followed = {name for trace in self.traces.values() for name in trace.zones}
        self.zones += [z for z in unseen if z.name in followed]
        self.followed = [z for z in self.zones if z.name in followed]
        for trace in self.traces.values():
            if trace.zones:
                places, values = self.places(), SetT(trace.element)
                trace.lies_in = self._note(trace, "lies_in", places, C.Const(0, places))
                trace.among = self._note(trace, "among", values, C.Const(0, values))
                from_there = [s for s in moves if s.source.zone.name in trace.zones]
                trace.travels = any(_to_another(s) for s in from_there)
                if from_there and self._meets_others(trace):
                    trace.own = self._note(trace, "own", BOOL, C.Const(0, BOOL))

    def _meets_others(self, trace: Trace) -> bool:
        """Whether pieces of several values may lie in one zone: of several variables, keys of one owner, or owners."""
        if len(trace.keys) > 1 or any(
            t is not trace and t.zones & trace.zones for t in self.traces.values()
        ):
            return True
        return trace.travels or any(z.per is None for z in self.zones if z.name in trace.zones)

    def _own(self, zone: C.ZoneUse | None, target: C.Expr) -> C.ZoneUse | None:
        """The zone, if it is one of those that only the owner of the value sees, or nobody."""
        if zone is None or zone.zone not in self.zones or not isinstance(target, C.Read):
            return None
        trace = self.traces.get(target.var.name)
        if zone.owner is None or (trace is not None and trace.travels):
            return zone
        return zone if same(zone.owner, target.keys[0]) else None

    def block(self, stmts: list[C.Stmt], env: Env) -> list[C.Stmt]:
        out: list[C.Stmt] = []
        self.siblings = []
        for s in stmts:
            out.extend(self.stmt(s, env))
        self.siblings = []
        return out

    def stmt(self, s: C.Stmt, env: Env) -> Iterator[C.Stmt]:
        yield from self.reveals(s)
        match s:
            case C.SChoose():
                yield s
                if s.secret and s.var.number in self.kept_locals:
                    yield self.options(s, env)
                if s.var.number in self.kept_wholes:
                    yield from self.whole_chosen(self.kept_wholes[s.var.number], env)
            case C.SRoll(var=rolled) if rolled.chosen_by is not None:
                yield s
                if rolled.number in self.kept_locals:
                    yield self.options(rolled.chosen_by, env)
            case C.SLet(local, C.Reveal(C.Read(var, keys))) | C.SLet(
                local, C.Read(var, keys)
            ) if var.name in self.traces and not isinstance(self.traces[var.name].inner, SetT):
                yield s
                if steady(keys) and not local.mutable:
                    self.shown[local.number] = (self.traces[var.name], keys)
            case C.SAssign(C.Read(var, keys)):
                trace = self.traces.get(var.name)
                of_set = trace is not None and isinstance(trace.inner, SetT)
                changed = self.changed(
                    ("state", var.name), keys if var.visible in OWNED else (), keys
                )
                if trace is not None and of_set:
                    yield from changed
                    yield from self.set_changed(s, trace, keys, env)
                yield s
                if trace is None or not of_set:
                    yield from changed
                if trace is not None and not of_set:
                    self.forget(trace, env)
                    yield from self.assigned(s, trace, keys, env)
                stale(env, ("state", var.name), keys, _key_types(var.type))
            case C.SAssign() | C.SShow():
                yield s
                stale(env, ("pieces", ""))
                yield from self.changed(("pieces", ""), (), ())
            case C.SScore():
                yield s
                stale(env, ("state", "score"))
                yield from self.changed(("state", "score"), (), ())
            case C.SIf(arms, other):
                self.weaken(env, s)
                new = [(test, self.block(body, dict(env))) for test, body in arms]
                yield replace(s, arms=new, other=self.block(other, dict(env)))
            case C.SFor(body=body):
                self.weaken(env, s)
                yield replace(s, body=self.block(body, dict(env)))
            case C.SWhile(test, body):
                self.weaken(env, s)
                # each round the condition is asked, and once more after the last
                asked = [] if test is None else [*self._shown_in(test, {})]
                yield replace(s, body=[*asked, *self.block(body, dict(env))])
                if not any(isinstance(x, C.SBreak) for x in statements(body)):
                    yield from [] if test is None else [*self._shown_in(test, {})]
            case C.SMove():
                yield from self.move(s, env)
            case C.SDraw(drawn, source, target):
                source = yield from self.settled(source)
                target = yield from self.settled(target)
                yield s
                kind = None if drawn is None else C.Use(drawn, drawn.type)
                self.leaves(env, source, None, None)
                yield from self.left(source, kind, self.goes(target), [])
                yield from self.zones_changed(source, target)
            case C.SPut(value=value, source=source):
                yield s
                yield from self.left(source, value, None, self.aliases(value, source, env))
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
                self.siblings = []
                for chosen in env.values():
                    chosen.zone, chosen.fresh, chosen.kept = None, False, []
            case (
                C.SBreak() | C.SContinue() | C.SLet() | C.SMark() | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll()
                | C.STell()
            ):  # fmt: skip
                yield s
            case _:
                assert_never(s)

    def forget(self, trace: Trace, env: Env) -> None:
        """Entries of a variable may have another value now: what was known to be the same is so no longer."""
        self.shown = {n: found for n, found in self.shown.items() if found[0] is not trace}
        for number, chosen in list(env.items()):
            kept = [k for k in chosen.kept if k[0] is not trace]
            env[number] = replace(chosen, kept=kept)

    def weaken(self, env: Env, s: C.Stmt) -> None:
        """What happens in a branch or a loop may or may not have happened."""
        acts = (C.SMove, C.SDraw, C.SPut, C.STake, C.SRun, C.SAssign, C.SScore, C.SShow)
        inside = [x for x in statements([s]) if isinstance(x, acts)]
        for number, chosen in list(env.items()):
            if any(not isinstance(x, C.SAssign | C.SScore | C.SShow) for x in inside):
                env[number] = replace(chosen, zone=None, fresh=False, kept=[])
            elif any(not (isinstance(x, C.SAssign) and self._kept(x)) for x in inside):
                env[number] = replace(chosen, fresh=False)

    def options(self, s: C.SChoose, env: Env) -> C.Stmt:
        """The options as far as all know them, put together where they were offered."""
        parts = parts_of(s)
        local = self.fresh(f"{s.var.name} options", SetT(s.element))
        env[s.var.number] = Chosen(parts, local, parts.zone, tests=list(parts.secret))
        return C.SLet(local, parts.public_options(self.fresh), NOWHERE)

    def assigned(self, s: C.SAssign, trace: Trace, keys: Keys, env: Env) -> Iterator[C.Stmt]:
        chosen = env.get(s.value.local.number) if isinstance(s.value, C.Use) else None
        if self._kept(s) is None:
            yield from self._public_value(s, trace, keys)
            return
        whole = C.Const(fold.full_mask(trace.element), SetT(trace.element))
        zone = None if chosen is None else self._own(chosen.zone, s.target)
        known: C.Expr = whole
        if chosen is not None:
            known = self.over_values(trace, C.Use(chosen.options, chosen.options.type))
        if zone is not None and zone.zone.name not in trace.zones:
            zone = None
        may_be = known if zone is None else C.Const(0, whole.type)
        yield self.set(trace.may_be, keys, may_be)
        if trace.none is not None:
            yield self.set(trace.none, keys, _NONE if chosen is None else self._none(chosen))
        if trace.lies_in is not None and trace.among is not None:
            none = C.Const(0, self.places())
            yield self.set(trace.lies_in, keys, none if zone is None else self.place_alone(zone))
            yield self.set(trace.among, keys, C.Const(0, whole.type) if zone is None else known)
        if trace.own is not None:
            own: C.Expr = C.Const(0, BOOL)
            if zone is not None and isinstance(s.value, C.Use) and s.value.local.apart:
                own = self.none_by_itself(trace, keys, zone)
            yield self.set(trace.own, keys, own)
        yield from self.kept_apart(s, trace, keys, zone)
        if trace.holds is not None:
            none = C.Const(0, SetT(IntT(1, len(trace.relations))))
            yield self.set(
                trace.holds,
                keys,
                (
                    established(s, trace.relations, chosen.stale)
                    if chosen is not None and chosen.fresh
                    else none
                ),
            )
        if chosen is not None and steady(keys):
            chosen.kept.append((trace, keys))

    def _none(self, chosen: Chosen) -> C.Expr:
        """Whether all must think that nothing may have been chosen."""
        choice = chosen.parts.choice
        if choice.otherwise is not None:
            return _NONE
        empty = C.Const(0, chosen.options.type)
        options = C.Use(chosen.options, chosen.options.type)
        return fold.op("==", (options, empty), BOOL, NOWHERE) if choice.if_any else C.Const(0, BOOL)

    def _public_value(self, s: C.SAssign, trace: Trace, keys: Keys) -> Iterator[C.Stmt]:
        """All saw what it became, or by how much it changed."""
        if s.op in ("+", "-"):
            local = self.fresh("value", trace.element)
            use = C.Use(local, trace.element)
            back = fold.op("-" if s.op == "+" else "+", (use, s.value), IntT(), NOWHERE)
            before = self.read(trace.may_be, keys)
            low, many = low_of(trace.element), count_of(trace.element) or 0
            test = fold.op("in", (back, before), BOOL, NOWHERE)
            ends: tuple[tuple[OpName, int], ...] = (("<", low + many), (">=", low))
            for name, bound in ends:
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
        yield from self.kept_apart(s, trace, keys, None)
        if trace.holds is not None:
            yield self.set(trace.holds, keys, C.Const(0, SetT(IntT(1, len(trace.relations)))))

    def reveals(self, s: C.Stmt) -> Iterator[C.Stmt]:
        """What the statement makes known is noted before it: by then everybody knows."""
        for e in surely_read(s):
            yield from self._shown_in(e, {})
        if isinstance(s, C.SIf):
            yield from self._of_arms(s.arms)

    def _of_arms(self, arms: list[tuple[C.Expr, list[C.Stmt]]]) -> list[C.Stmt]:
        """What later conditions make known, where it comes to them; there may be a thousand of them."""
        tests = [test for test, _ in arms]
        made_known = [[*self._shown_in(test, {})] for test in tests[1:]]
        inner: list[C.Stmt] = []
        for before, found in zip(reversed(tests[:-1]), reversed(made_known), strict=True):
            inner = [*found, *inner]
            inner = [C.SIf([(before, [])], inner)] if inner else []
        return inner

    def _shown_in(self, e: C.Expr, bound: dict[int, C.Local]) -> Iterator[C.Stmt]:
        match e:
            case C.Reveal(C.Read(var, keys) as read) if (
                var.name in self.traces and not bound and not isinstance(read.type, SetT)
            ):
                yield from self.known(self.traces[var.name], keys)
            case C.Reveal(operand) if not bound and (entry := self._asked_none(operand)):
                yield from self.none_or_not(*entry)
            case C.Reveal(operand):
                if not bound:
                    yield from self.set_shown(operand)
                yield from self._shown_in(operand, bound)
            case C.Column(base=base):
                yield from self._shown_in(base, bound)
            case C.Op("if" | "and" | "or" as name, (first, second, *rest)):
                yield from self._shown_in(first, bound)
                # the others are worked out in one case only
                yes = [] if name == "or" else [*self._shown_in(second, bound)]
                no = [
                    x
                    for e in ((second,) if name == "or" else rest)
                    for x in self._shown_in(e, bound)
                ]
                if yes or no:
                    yield C.SIf([(first, yes)], no)
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
            case (
                C.Call() | C.CanRun() | C.CodeCall() | C.Comp() | C.Const() | C.PieceRead() | C.Range() | C.Read()
                | C.Use() | C.ZoneUse()
            ):  # fmt: skip
                pass
            case _:
                assert_never(e)

    def _asked_none(self, e: C.Expr) -> Entry | None:
        """The entry of which it is asked whether it is none."""
        match e:
            case C.Op("not", (inner,)):
                return self._asked_none(inner)
            case C.Op("is_none", (C.Read(var, keys),)) if var.name in self.traces:
                return self.traces[var.name], keys
            case C.Op("is_none", (C.Use(local),)):
                return self.shown.get(local.number)
            case _:  # others: something else is asked
                return None

    def _fits(self) -> C.Function | None:
        """Whether hidden things are as what was established says, and as the invariants say."""
        body: list[C.Stmt] = []
        for trace in self.traces.values():
            for i, relation in enumerate(trace.relations, 1):
                assert trace.holds is not None
                number = C.Const(i, IntT(i, i))
                held = fold.op("in", (number, self.read(trace.holds, relation.cell)), BOOL, NOWHERE)
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


def _key_types(t: Type) -> tuple[Type, ...]:
    """Of what the keys of a map are."""
    return (t.key, *_key_types(t.value)) if isinstance(t, MapT) else ()


def _to_another(s: C.SMove | C.SDraw) -> bool:
    """Whether a piece may come to lie in a zone of a seat that it was not in."""
    if s.target.owner is None:
        return False
    return s.source.owner is None or not same(s.source.owner, s.target.owner)


def _no() -> C.Stmt:
    return C.SReturn(fold.truth(False, NOWHERE))
