"""Blocks → functions: one for each resume point, loop head and join, and the dispatcher that finds them."""

from __future__ import annotations

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import is_hidden
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, BoolT, KindT, count_of, low_of
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.flow.blocks import (
    Ask,
    Block,
    Branch,
    Chance,
    Enter,
    Goto,
    Leave,
    Over,
    Program,
    successors,
)
from rulewright.compiler.flow.liveness import choice_uses, locals_of, real, uses_and_defs
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import full, negated, plus, set_of
from rulewright.compiler.low.flavour import Flavour
from rulewright.compiler.low.lower_expressions import zone
from rulewright.compiler.low.lower_options import options, start
from rulewright.compiler.low.lower_pieces import fail_if_empty, pool_at
from rulewright.compiler.low.lower_statements import Statements, all_but
from rulewright.compiler.low.names import constant_name, python_name, title
from rulewright.compiler.low.shared_tables import Tables
from rulewright.compiler.low.state_layout import Layout, given_in, low_type
from rulewright.runtime import support

PC = L.Field("pc", T.PC)
WHO = L.Field("who", T.Int(-4, None))
STOP = L.number(0)
DIGIT = L.Field("digit", T.INT)
FORCED = L.Number(support.FORCED, T.PC, "FORCED")
# of a roll each outcome is a kind of its own, however many there are
ROLL_KINDS = 1 << 40


class BlockLowering:
    def __init__(self, program: Program, layout: Layout, tables: Tables, flavour: Flavour) -> None:
        self.program = program
        self.layout = layout
        self.tables = tables
        self.flavour = flavour
        self.opts = L.Field("opts", layout.options)
        self.live = program.live
        self.locals = {
            **{x.number: x for p in flavour.game.procedures for x in p.params},
            **locals_of(program),
        }
        self.numbers = {b.number: n for n, b in program.points.items()}
        # the decision or chance after which a block goes on, and the calls of each procedure
        self.resumed: dict[int, Ask | Chance] = {}
        self.backs: dict[str, dict[int, Block]] = {}
        for b in program.blocks:
            if isinstance(b.end, Ask | Chance):
                self.resumed.setdefault(b.end.resume.number, b.end)
            elif isinstance(b.end, Enter):
                self.backs.setdefault(b.end.procedure.name, {})[b.end.pc] = b.end.after
        self.named: dict[int, L.Number] = {}
        self.after_decision = False
        # values of locals that are known on the path being written
        self.known: dict[int, C.Expr] = {}
        # locals that are known not to be none on it
        self.some: set[int] = set()
        self.names = {
            b.number: tables.names.new(python_name(b.name)) for b in program.blocks if b.is_function
        }

    def function(self, block: Block) -> L.Function:
        """What happens from here to the next stop."""
        body = Statements(
            self.layout, self.tables, self.program.slots, self.flavour, self.program.aliases
        )
        # a function that only a decision starts begins on an empty stack: from there a loop may be gone on directly
        self.after_decision = isinstance(self.resumed.get(block.number), Ask)
        params: tuple[L.Local, ...] = ()
        if self.takes_value(block):
            body.names.take("v")
            params = (_value(self.resumed[block.number]),)
        body.at = L.Origin(block.span, block.owner, block.cites)
        self.load(body, block)
        self.take(body, block)
        self.block(body, block)
        self.some.clear()
        return L.Function(
            self.names[block.number], params, T.PC, title(block.owner, block.cites), tuple(body.statements),
            at=L.Origin(block.span, block.owner, block.cites),
        )  # fmt: skip

    def takes_value(self, block: Block) -> bool:
        return block.number in self.resumed

    def load(self, body: Statements, block: Block) -> None:
        """Locals that live across the stop come back from their slots."""
        region, used = [block], set[int]()
        for c in self.program.chances:
            if c.resume is block:
                used |= uses_and_defs(c.event)[0]
        seen = {block.number}
        while region:
            b = region.pop()
            used |= self.program.mentioned[b.number]
            for t in successors(b):
                laid_in = isinstance(b.end, Ask) and b.end.choice.if_any
                if (not t.is_function or laid_in) and t.number not in seen:
                    seen.add(t.number)
                    region.append(t)
        taken = block.takes.number if block.takes is not None else -1
        for number in sorted(real(self.program, used) & self.live[block.number]):
            if number != taken and number in self.program.slots:
                body.load(self.locals[number])

    def take(self, body: Statements, block: Block) -> None:
        """The value that a decision, chance or a procedure gave."""
        match self.resumed.get(block.number):
            case Ask(choice) as end:
                self.take_choice(body, choice, _value(end))
            case Chance(event) as end:
                self.take_chance(body, event, _value(end))
            case None if block.takes is not None:
                t = block.takes.type
                name = given_in(body.local(block.takes).type)
                given: L.Expr = L.Field(name, body.local(block.takes).type)
                if isinstance(t, BoolT):
                    given = L.Compare("!=", L.Field(name, T.INT), L.number(0))
                body.define(block.takes, given)
            case None:
                pass

    def take_choice(self, body: Statements, choice: C.SChoose, v: L.Local) -> None:
        body.define(choice.var, chosen(choice, v, choice.otherwise is not None))
        if choice.otherwise is None and choice.if_any:
            self.some.add(choice.var.number)

    def take_chance(self, body: Statements, event: C.SRoll | C.SDraw, v: L.Local) -> None:
        if isinstance(event, C.SRoll):
            body.define(event.var, plus(v, low_of(event.element)))
            if event.seen is not None:
                self.tell_secret_roll(body, event, event.seen)
                return
            if event.quiet:
                return
            spoken = body.spoken(C.Use(event.var, event.element))
            words = "chance gives " if isinstance(event.element, KindT) else "the roll is "
            body.tell(L.number(-1), L.Sentence((words, spoken)))
            return
        kinds = L.number(event.source.zone.family.kind.size)
        if event.look is not None or event.all_look:
            self.tell_look(body, event, v)
        else:
            source, target = zone(body, event.source), zone(body, event.target)
            body.store(source, L.Help("remove", (source, v, kinds), source.type))
            body.store(target, L.Help("add", (target, v, kinds), target.type))
            self.tell_draw(body, event, v)
        if event.var is not None:
            body.define(event.var, v)

    def tell_secret_roll(self, body: Statements, event: C.SRoll, seen: C.Expr) -> None:
        """Who sees it is told what it is; the others are told that it was rolled."""
        owner = body.expr(seen)
        spoken = body.spoken(C.Use(event.var, event.element))
        body.tell(owner, L.Sentence(("you roll ", spoken)))
        if not event.quiet:
            rolls = L.Sentence((body.participant(owner), " rolls in secret"))
            body.tell(all_but(owner), rolls)

    def tell_look(self, body: Statements, event: C.SDraw, v: L.Local) -> None:
        """Who looks at a piece is told what it is; the others that somebody does."""
        kind = event.source.zone.family.kind
        names = self.tables.texts(kind.name, self.flavour.game.kinds[kind.name].texts)
        name = L.Item(names, v, T.TEXT)
        where = f" of the {event.source.zone.name.replace('_', ' ')}"
        if event.look is None:
            body.tell(L.number(-1), L.Sentence((name, " is shown")))
            return
        who = body.expr(event.look)
        body.tell(who, L.Sentence(("you see ", name)))
        looks = L.Sentence((body.participant(who), f" looks at a piece{where}"))
        body.tell(all_but(who), looks)

    def tell_draw(self, body: Statements, event: C.SDraw, v: L.Local) -> None:
        """Who sees the target sees the piece; the others see that one was drawn."""
        kind = event.source.zone.family.kind
        names = self.tables.texts(kind.name, self.flavour.game.kinds[kind.name].texts)
        name = L.Item(names, v, T.TEXT)
        what = event.target.zone.name.replace("_", " ")
        if event.target.zone.visible == "all" and not event.quiet:
            body.tell(L.number(-1), L.Sentence((name, " is drawn")))
        elif event.target.zone.visible == "owner" and event.target.owner is not None:
            owner = body.expr(event.target.owner)
            body.tell(owner, L.Sentence(("you draw ", name)))
            if not event.quiet:
                draws = L.Sentence((body.participant(owner), f" draws one to the {what}"))
                body.tell(all_but(owner), draws)
        else:
            if event.target.zone.visible == "team" and event.target.owner is not None:
                self.tell_team(body, event.target, L.Sentence(("your team draws ", name)))
            if not event.quiet:
                body.tell(L.number(-1), L.Words(f"a piece goes to the {what} unseen"))

    def tell_team(self, body: Statements, target: C.ZoneUse, line: L.Sentence) -> None:
        """Each seat of the team that sees a zone hears the line."""
        assert target.owner is not None and target.zone.per is not None
        whose = body.expr(target.owner)
        teams = self.flavour.game.teams
        for seat, team in enumerate(teams):
            mates = [p for p, other in enumerate(teams) if other == team]
            for owner in [team] if target.zone.per.name == "Team" else mates:
                with body.when(L.Compare("==", whose, L.number(owner))):
                    body.tell(L.number(seat), line)

    # ------------------------------------------------------------ inside a function

    def block(self, body: Statements, block: Block) -> None:
        with body.owned(block.owner, block.cites):
            body.stmts(block.body)
            self.end(body, block)

    def end(self, body: Statements, block: Block) -> None:
        match block.end:
            case Goto(to, back):
                self.go(body, to, back)
            case Branch() as end:
                self.branch(body, block, end)
            case Ask(choice, pc, resume):
                with body.place(choice.span):
                    body.mark(choice.span)
                    self.ask(body, choice, pc, resume)
            case Chance(event, pc, _):
                with body.place(event.span):
                    body.mark(event.span)
                    self.chance(body, event, pc)
            case Enter() as end:
                self.enter(body, end)
            case Leave(procedure, value):
                if value is not None:
                    given = body.result(value)
                    body.store(L.Field(given_in(low_type(value.type)), given.type), given)
                self.leave(body, procedure)
            case Over():
                body.store(PC, L.number(0))
                body.store(WHO, L.number(-4))
                body.store(self.opts, set_of(0, self.opts.type))
                body.give(STOP)

    def enter(self, body: Statements, end: Enter) -> None:
        """The parameters into their slots, and where to go back to."""
        procedure = end.procedure
        guard = self.guard(procedure, end.args, end.entry)
        if guard is not None:
            with body.when(negated(body.test(guard))):
                self.go(body, end.after, False)
        values = [body.result(a) for a in end.args]
        for local, value in zip(procedure.params, values, strict=True):
            if local.number in self.program.slots:
                body.store(self.layout.by_local[local.number], value)
        body.store(self.layout.by_procedure[procedure.name], self.number(end.pc))
        body.give(self.call(end.entry))

    def number(self, pc: int) -> L.Number:
        """A number of the dispatcher, under the name of what goes on there."""
        if pc not in self.named:
            name = self.names[self.program.points[pc].number]
            self.named[pc] = L.Number(pc, T.PC, self.tables.names.new(constant_name(f"at_{name}")))
        return self.named[pc]

    def call(self, block: Block) -> L.Call:
        return L.Call(self.names[block.number], (), T.PC)

    def guard(
        self, procedure: C.Procedure, args: tuple[C.Expr, ...], entry: Block
    ) -> C.Expr | None:
        """The condition without which a procedure returns at once: it can be tested before it is entered."""
        if (
            self.flavour.full
            or entry.body
            or not isinstance(entry.end, Branch)
            or len(entry.end.arms) != 1
        ):
            return None
        other = entry.end.other
        if other.body or not isinstance(other.end, Leave) or other.end.value is not None:
            return None
        test = entry.end.arms[0][0]
        known = {p.number for p in procedure.params}
        if not free_locals(test) <= known or not all(isinstance(a, C.Const | C.Use) for a in args):
            return None
        return substitute(test, {p.number: a for p, a in zip(procedure.params, args, strict=True)})

    def leave(self, body: Statements, procedure: C.Procedure) -> None:
        """Back to the caller: directly where the callers are few, else through the dispatcher."""
        slot = self.layout.by_procedure[procedure.name]
        backs = sorted(self.backs.get(procedure.name, {}).items())
        if not self.program.direct_returns or not 0 < len(backs) <= 8:
            body.give(slot)
            return
        last = None if self.flavour.full else backs.pop()
        for pc, after in backs:
            with body.when(L.Compare("==", slot, self.number(pc))):
                body.give(self.call(after))
        body.give(slot if last is None else self.call(last[1]))

    def go(self, body: Statements, to: Block, back: bool) -> None:
        if not to.is_function:
            self.block(body, to)
        elif back and not self.after_decision:
            body.give(self.number(self.numbers[to.number]))
        else:
            body.give(self.call(to))

    def branch(self, body: Statements, block: Block, end: Branch) -> None:
        for test, to in end.arms:
            if self.known:
                test = substitute(test, self.known)
            test = self.not_none(test)
            if isinstance(test, C.Const):
                if test.value:
                    self.go(body, to, False)
                    return
                continue
            with body.place(test.span if test.span.line else block.span):
                tested = body.test(test)
                with body.aside() as inner:
                    self.go(body, to, False)
                body.statements.append(L.If(tested, tuple(inner), (), body.at))
        self.go(body, end.other, False)

    def not_none(self, test: C.Expr) -> C.Expr:
        match test:
            case C.Op("is_none", (C.Use(local),)) if (
                local.number in self.some and local.number not in self.known
            ):
                return C.Const(0, BOOL)
            case C.Op("not", (inner,)):
                return fold.op("not", (self.not_none(inner),), BOOL, test.span)
            case _:  # others: as it was
                return test

    # ------------------------------------------------------------ decisions

    def ask(self, body: Statements, choice: C.SChoose, pc: int, resume: Block) -> None:
        options(body, choice)
        m = body.options
        if choice.if_any:
            with body.when(L.Not(m)):
                # nobody is asked: what follows is written here, with none for the choice
                body.define(choice.var, L.number(-1))
                self.known[choice.var.number] = C.Const(-1, choice.var.type)
                self.block(body, resume)
                del self.known[choice.var.number]
        elif choice.otherwise is None and not _sure(choice):
            body.fail_if(L.Not(m), "no_option", body.tables.place(choice.span))
        found = with_otherwise(body, choice, m)
        if choice.stop_if is not None:
            found = body.simple(found, "all_of_them")
            body.fail_if(L.Not(found), "no_option", body.tables.place(choice.span))
        body.store(self.opts, found)
        body.store(PC, self.number(pc))
        body.store(WHO, body.expr(choice.by))
        if self.flavour.full or not is_public(choice) or never_forced(choice):
            body.give(STOP)
        elif choice.stop_if is not None:
            body.give(L.Pick(L.Unary("rest", found, found.type), STOP, FORCED, T.PC))
        elif choice.otherwise is not None:
            body.give(L.Pick(m, STOP, FORCED, T.PC))
        else:
            body.give(L.Pick(L.Unary("rest", m, m.type), STOP, FORCED, T.PC))

    def chance(self, body: Statements, event: C.SRoll | C.SDraw, pc: int) -> None:
        self.open_chance(
            body, event, sure=isinstance(event, C.SRoll) and isinstance(event.domain, C.Const)
        )
        body.store(PC, self.number(pc))
        body.store(WHO, L.number(-1))
        body.give(STOP)

    def open_chance(self, body: Statements, event: C.SRoll | C.SDraw, sure: bool = True) -> None:
        """What may come of a roll or a draw: all that there is, and the outcomes that differ.

        Where it is not sure that something may come, an error tells so.
        """
        pool = L.Field("pool", T.Set(T.WORD + 1))
        kinds_of = L.Field("kinds", T.INT)
        if isinstance(event, C.SRoll):
            body.ask(event.element)
            body.let(body.options, start(body, event.domain, event.element))
            if not sure:
                nothing = L.Not(body.options)
                body.fail_if(nothing, "nothing_to_roll", body.tables.place(event.span))
            body.store(pool, body.options)
            body.store(kinds_of, L.number(ROLL_KINDS))
            body.store(DIGIT, L.number(0) if event.digit is None else body.expr(event.digit))
            body.store(self.opts, body.options)
            return
        if not sure:
            fail_if_empty(body, L.Not(zone(body, event.source)), event.source, event.span)
        kinds = event.source.zone.family.kind.size
        whole = zone(body, event.source)
        body.store(pool, whole if event.at is None else pool_at(body, event, event.at))
        body.store(kinds_of, L.number(kinds))
        body.store(DIGIT, L.number(0))
        body.store(self.opts, kinds_in(pool, kinds))

    def refresh(self) -> list[L.Function]:
        """refresh(s): the options of the pending decision anew, after hidden pieces have been dealt."""
        found: list[L.Function] = []
        cases: list[tuple[int, str]] = []
        for ask in self.program.asks:
            # earlier steps of a secret choice are made anew, too
            step = ask.choice.secret and bool(ask.choice.var.chosen_with)
            if step or not is_public(ask.choice):
                found.append(self.refresh_choice(ask))
                cases.append((ask.pc, found[-1].name))
        for chance in self.program.chances:
            if isinstance(chance.event, C.SDraw):
                found.append(self.refresh_draw(chance, chance.event))
                cases.append((chance.pc, found[-1].name))
        calls = tuple(
            L.If(L.Compare("==", PC, self.number(pc)), (L.Do(L.Call(name, (), T.INT)),))
            for pc, name in cases
        )
        words = "Work out the pending decision's options again, from what is hidden now."
        return [*found, L.Function("refresh", (), None, words, calls)]

    def quiet_body(self, numbers: set[int]) -> Statements:
        """A function that goes on with nothing, with these locals from their slots."""
        quiet = self.flavour.quiet()
        body = Statements(self.layout, self.tables, self.program.slots, quiet, self.program.aliases)
        self.load_slots(body, numbers)
        return body

    def load_slots(self, body: Statements, numbers: set[int]) -> None:
        for number in sorted(real(self.program, numbers)):
            if number in self.program.slots and number in self.locals:
                body.load(self.locals[number])

    def refresher(self, pc: int) -> str:
        return self.tables.names.new(f"refresh_{pc}")

    def refresh_choice(self, ask: Ask) -> L.Function:
        c = ask.choice
        body = self.quiet_body(choice_uses(c))
        options(body, c)
        body.store(self.opts, with_otherwise(body, c, body.options))
        words = f"the options of {c.label}"
        return L.Function(self.refresher(ask.pc), (), None, words, tuple(body.statements))

    def refresh_draw(self, chance: Chance, event: C.SDraw) -> L.Function:
        body = self.quiet_body(uses_and_defs(event)[0])
        self.open_chance(body, event)
        words = "the pieces that may be drawn"
        return L.Function(self.refresher(chance.pc), (), None, words, tuple(body.statements))

    # ------------------------------------------------------------ the dispatcher

    def decisions(self) -> tuple[str | None, ...]:
        """The function of each decision by its number."""
        ends: tuple[Ask | Chance, ...] = (*self.program.asks, *self.program.chances)
        return self._by_number({e.pc: e.resume for e in ends})

    def other_points(self) -> tuple[str | None, ...]:
        """The function of each loop head and return, by its number."""
        points = self.program.points.items()
        return self._by_number({n: b for n, b in points if not self.takes_value(b)})

    def _by_number(self, points: dict[int, Block]) -> tuple[str | None, ...]:
        most = max(points, default=0)
        found = (points.get(n) for n in range(most + 1))
        return tuple(None if b is None else self.names[b.number] for b in found)


def _value(end: Ask | Chance) -> L.Local:
    """The parameter that brings the number of the value that was chosen."""
    if isinstance(end, Ask):
        most = (count_of(end.choice.element) or 0) - (0 if end.choice.otherwise is not None else 1)
        return L.Local("v", T.Int(0, most))
    event = end.event
    kind = event.element if isinstance(event, C.SRoll) else event.source.zone.family.kind
    return L.Local("v", T.Int(0, (count_of(kind) or 0) - 1))


def chosen(choice: C.SChoose, v: L.Local, or_none: bool) -> L.Expr:
    """The value of an option by its number; the number after the last stands for none."""
    value = plus(v, low_of(choice.element))
    if not or_none:
        return value
    n = count_of(choice.element) or 0
    t = T.Int(-1, None)
    return L.Pick(L.Compare("!=", v, L.number(n)), value, L.number(-1), t)


def with_otherwise(body: Statements, choice: C.SChoose, m: L.Local) -> L.Expr:
    """The options with the one that gives none, where there is one."""
    if choice.otherwise is None:
        return m
    word = set_of(1 << (count_of(choice.element) or 0), m.type)
    both = L.Binary("|", m, word, m.type)
    return both if choice.stop_if is None else L.Pick(body.test(choice.stop_if), both, m, m.type)


def kinds_in(zone_: L.Expr, kinds: int) -> L.Expr:
    t = T.Set(kinds)
    return L.Binary("&", zone_, set_of(full(t), t), t)


def _sure(choice: C.SChoose) -> bool:
    """There is an option for certain."""
    return isinstance(choice.domain, C.Const) and bool(choice.domain.value) and not choice.where


def never_forced(choice: C.SChoose) -> bool:
    """There are always at least two options."""
    if choice.otherwise is not None and choice.if_any:
        return True
    domain = choice.domain
    if choice.where or not isinstance(domain, C.Const) or not isinstance(domain.value, int):
        return False
    return domain.value.bit_count() > 1


def is_public(choice: C.SChoose) -> bool:
    """Whether all can work out the options: then nobody is asked where there is only one."""
    return not any(
        is_hidden(e, choice.var)
        for e in (choice.domain, choice.stop_if, *(c.test for c in choice.where))
        if e is not None
    )
