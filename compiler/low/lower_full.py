"""What only the full flavour has: reasons against an option, texts of decisions, calls from outside, invariants, facts."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.types import IntT, KindT, OptT, SetT, count_of, low_of
from rulewright.compiler.flow.blocks import Ask, Program
from rulewright.compiler.flow.liveness import choice_uses, text_uses, uses_and_defs
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import plus
from rulewright.compiler.low.lower_blocks import (
    PC,
    STOP,
    WHO,
    BlockLowering,
    chosen,
    with_otherwise,
)
from rulewright.compiler.low.lower_options import options
from rulewright.compiler.low.lower_statements import Statements

V, OWN, NAME = L.Local("v", T.INT), L.Local("own", T.BOOL), L.Local("name", T.TEXT)
ARGS = L.Local("args", T.Items(T.INT))
ROW = L.Local("row", T.INT)
OUT = L.Local("out", T.Items(T.INT))
FOUND = L.Help("len", (OUT,), T.Int(0, None))
FAILED = L.Field("failed", T.INT)
LOST = L.Raise("lost", (L.number(-1),))


def full_functions(game: C.Game, lowering: BlockLowering) -> list[L.Function]:
    work = _Full(game, lowering)
    return [
        *work.why(),
        *work.sides(),
        *work.say(),
        work.broken(),
        work.call(),
        *work.again(),
        work.reopen(),
        work.facts(),
    ]


class _Full:
    def __init__(self, game: C.Game, lowering: BlockLowering) -> None:
        self.game = game
        self.lowering = lowering
        self.program: Program = lowering.program
        self.tables = lowering.tables

    def by_decision(
        self,
        name: str,
        words: str,
        params: tuple[L.Local, ...],
        result: T.Type | None,
        parts: dict[int, Statements],
        otherwise: L.Expr | None,
    ) -> list[L.Function]:
        """One function of each decision, so that names are those of one decision; and the one that finds it."""
        found: list[L.Function] = []
        cases: list[L.Stmt] = []
        for pc, body in parts.items():
            own = self.tables.names.new(f"{name}_{pc}")
            found.append(
                L.Function(own, params, result, f"{name} of decision {pc}", tuple(body.statements))
            )
            here = L.Compare("==", PC, self.lowering.number(pc))
            call = L.Call(own, params, T.INT if result is None else result)
            cases.append(L.If(here, (L.Do(call) if result is None else L.Return(call),)))
        if otherwise is not None:
            cases.append(L.Return(otherwise))
        return [*found, L.Function(name, params, result, words, tuple(cases))]

    def body(self, uses: set[int], taken: str = "") -> Statements:
        body = self.lowering.quiet_body(set())
        for name in taken.split():
            body.names.take(name)
        self.lowering.load_slots(body, uses)
        return body

    # ------------------------------------------------------------ reasons

    def why(self) -> list[L.Function]:
        """why(s, v): the numbers of the conditions that rule out value v of the pending decision."""
        parts = {}
        for ask in self.program.asks:
            body = self.body(set(), "v out")
            body.let(OUT, L.ListOf((), OUT.type))
            self.why_one(body, ask)
            body.give(OUT)
            parts[ask.pc] = body
        words = "Which conditions of the pending decision rule out value v; -1 for its domain, below it what failed inside."
        return self.by_decision("why", words, (V,), OUT.type, parts, L.ListOf((), OUT.type))

    def why_one(self, body: Statements, ask: Ask) -> None:
        choice = ask.choice
        self.lowering.load_slots(body, choice_uses(choice))
        if choice.otherwise is not None or choice.if_any:
            with body.when(L.Compare("==", V, L.number(count_of(choice.element) or 0))):
                if choice.stop_if is not None:
                    with body.when(L.Not(body.test(choice.stop_if))):
                        self.append(body, L.number(len(choice.where)))
                body.give(OUT)
        item = body.let(body.local(choice.var), plus(V, low_of(choice.element)))
        inside = self.inside(body, choice, item)
        with body.when(L.Not(inside)):
            self.append(body, L.number(-1))
            body.give(OUT)
        for i, condition in enumerate(choice.where):
            with body.place(condition.span):
                if i and may_fail(condition.test):
                    # the conditions before it may be what gives it a meaning
                    with body.when(L.Compare("==", FOUND, L.number(0))):
                        self.why_not(body, i, condition)
                else:
                    self.why_not(body, i, condition)

    def why_not(self, body: Statements, number: int, condition: C.Condition) -> None:
        asks = _asks(condition.test)
        # what is laid in leaves no trace of where it failed
        body.inline = not asks
        if asks:
            body.store(FAILED, L.number(-1))
        with body.when(L.Not(body.test(condition.test))):
            self.append(body, L.number(number))
            if asks:
                with body.when(L.Compare(">=", FAILED, L.number(0))):
                    self.append(body, L.Binary("-", L.number(-2), FAILED, T.INT))

    def sides(self) -> list[L.Function]:
        """sides(s, v, row): the numbers that condition number `row` compares for value v, and whether each is what the chooser has."""
        parts = {}
        for ask in self.program.asks:
            choice = ask.choice
            compared = [(i, _compared(w.test)) for i, w in enumerate(choice.where)]
            found = [(i, args) for i, args in compared if args is not None]
            if not found:
                continue
            body = self.body(set(), "v row")
            self.lowering.load_slots(body, choice_uses(choice))
            body.let(body.local(choice.var), plus(V, low_of(choice.element)))
            by = body.expr(choice.by)
            for i, args in found:
                with body.when(L.Compare("==", ROW, L.number(i))):
                    own = [
                        L.number(int(isinstance(a, C.Read) and _of_whom(body, a) == by))
                        for a in args
                    ]
                    body.give(L.ListOf((*map(body.expr, args), *own), OUT.type))
            body.give(L.ListOf((), OUT.type))
            parts[ask.pc] = body
        words = "The two numbers that condition number `row` of the pending decision compares for value v, and whether each is the chooser's own."
        return self.by_decision("sides", words, (V, ROW), OUT.type, parts, L.ListOf((), OUT.type))

    def append(self, body: Statements, value: L.Expr) -> None:
        body.statements.append(L.Append(OUT, value, body.at))

    def inside(self, body: Statements, choice: C.SChoose, item: L.Local) -> L.Expr:
        """Whether the value is one of the domain."""
        domain = choice.domain
        if isinstance(domain, C.Range):
            return L.Between(body.expr(domain.low), item, body.expr(domain.high))
        if isinstance(domain.type, SetT):
            use = C.Use(choice.var, choice.element)
            return body.test(C.Op("in", (use, domain), choice.var.type))
        return L.Compare("in", item, body.expr(domain))

    # ------------------------------------------------------------ texts

    def say(self) -> list[L.Function]:
        """say(s, v, own): the text of value v of the pending decision, for the chooser or for the others."""
        parts = {}
        for ask in self.program.asks:
            choice = ask.choice
            body = self.body(text_uses(choice), "v own")
            given = chosen(choice, V, isinstance(choice.var.type, OptT))
            body.let(body.local(choice.var), given)
            with body.place(choice.span):
                self.say_one(body, choice)
            parts[ask.pc] = body
        words = (
            "The words for value v of the pending decision: the chooser's own, or what others hear."
        )
        return self.by_decision("say", words, (V, OWN), T.TEXT, parts, L.Words(""))

    def say_one(self, body: Statements, choice: C.SChoose) -> None:
        label = choice.label.replace("_", " ").replace(".", " ")
        last = L.number(count_of(choice.element) or 0)
        if choice.secret:
            with body.when(L.Not(OWN)):
                unseen = L.Words("chooses in secret")
                body.give(unseen if choice.others is None else body.text(choice.others))
        elif choice.others is not None:
            heard: L.Expr = L.Not(OWN)
            if choice.otherwise is not None:
                # that someone declines all hear alike
                heard = L.Logic("and", heard, L.Compare("!=", V, last))
            with body.when(heard):
                body.give(body.text(choice.others))
        if choice.otherwise is not None:
            word = choice.otherwise.replace("_", " ")
            with body.when(L.Compare("==", V, last)):
                for test, text in choice.else_says:
                    with body.when(body.test(test)):
                        body.give(body.text(text))
                declines = L.Words(f"chooses {word} ({label})")
                body.give(declines if choice.else_say is None else body.text(choice.else_say))
        for index, (own, others) in sorted(choice.option_says.items()):
            if own is None and others is None:
                continue
            with body.when(L.Compare("==", V, L.number(index))):
                if others is not None:
                    with body.when(L.Not(OWN)):
                        body.give(body.text(others))
                if own is not None:
                    body.give(body.text(own))
        if choice.say is not None:
            body.give(body.text(choice.say))
            return
        spoken = body.spoken(C.Use(choice.var, choice.element))
        if isinstance(choice.element, KindT) and choice.element.name.endswith(" menu"):
            body.give(L.Sentence((spoken,)))
        else:
            body.give(L.Sentence(("chooses ", spoken, f" ({label})")))

    # ------------------------------------------------------------ from outside

    def broken(self) -> L.Function:
        body = self.body(set())
        for i, invariant in enumerate(self.game.invariants):
            with (
                body.place(invariant.test.span),
                body.when(L.Not(body.test(invariant.test))),
            ):
                body.give(L.number(i))
        body.give(L.number(-1))
        words = "The number of an invariant that does not hold, -1 if all do."
        return L.Function("broken", (), T.INT, words, tuple(body.statements))

    def call(self) -> L.Function:
        """call(s, name, args): run one procedure, as scenarios do."""
        layout, cases = self.lowering.layout, list[L.Stmt]()
        for p in self.game.procedures:
            entry = self.program.entries.get(p.name)
            given = tuple(L.Item(ARGS, L.number(i), T.INT) for i in range(len(p.params)))
            inner: list[L.Stmt] = []
            if entry is not None:
                for local, value in zip(p.params, given, strict=True):
                    if local.number in self.program.slots:
                        inner.append(L.Store(layout.by_local[local.number], value))
                inner.append(L.Store(layout.by_procedure[p.name], L.number(-1)))
                inner.append(L.Return(self.lowering.call(entry)))
            elif p in self.program.plain:
                inner.append(L.Do(L.Call(self.tables.procedure_name(p), given, T.INT)))
                inner.append(L.Return(L.number(-1)))
            else:
                inner.append(LOST)
            cases.append(L.If(L.Compare("==", NAME, L.Words(p.name)), tuple(inner)))
        words = "Begin one procedure; the state is over when it returns."
        return L.Function("call", (NAME, ARGS), T.PC, words, (*cases, LOST))

    def again(self) -> list[L.Function]:
        """again(s): who is asked at the pending point, and what can be chosen, worked out from the state alone."""
        parts = {}
        opts = self.lowering.opts
        for ask in self.program.asks:
            choice = ask.choice
            body = self.body(choice_uses(choice))
            options(body, choice)
            found = with_otherwise(body, choice, body.options)
            if choice.otherwise is not None and choice.if_any:
                found = L.Pick(body.options, found, L.Number(0, opts.type), opts.type)
            body.store(opts, found)
            body.store(WHO, body.expr(choice.by))
            parts[ask.pc] = body
        for chance in self.program.chances:
            event = chance.event
            body = self.body(uses_and_defs(event)[0])
            self.lowering.open_chance(body, event, sure=isinstance(event, C.SRoll))
            body.store(WHO, L.number(-1))
            parts[chance.pc] = body
        words = (
            "Work out who is asked now and the options; there are none where nobody would be asked."
        )
        return self.by_decision("again", words, (), None, parts, None)

    def reopen(self) -> L.Function:
        """reopen(s): ask the pending decision again, after the state was changed from outside."""
        place = self.tables.place
        cases: list[L.Stmt] = [
            L.Do(L.Call("again", (), T.INT)),
            L.If(self.lowering.opts, (L.Return(STOP),)),
        ]
        for ask in self.program.asks:
            if ask.choice.if_any:
                n = L.number(count_of(ask.choice.element) or 0)
                resume = self.lowering.names[ask.resume.number]
                inner: L.Stmt = L.Return(L.Call(resume, (n,), T.PC))
            else:
                inner = L.Raise("no_option", (place(ask.choice.span),))
            cases.append(L.If(L.Compare("==", PC, self.lowering.number(ask.pc)), (inner,)))
        for chance in self.program.chances:
            # of an empty zone `again` tells itself
            if isinstance(chance.event, C.SRoll):
                inner = L.Raise("nothing_to_roll", (place(chance.event.span),))
                cases.append(L.If(L.Compare("==", PC, self.lowering.number(chance.pc)), (inner,)))
        words = "Work out the pending decision anew; where nobody is asked any more, go on."
        return L.Function("reopen", (), T.PC, words, (*cases, L.Return(STOP)))

    def facts(self) -> L.Function:
        """fact(s, name): the conditions of scenarios, compiled beside the game."""
        cases: list[L.Stmt] = []
        for name, f in self.game.facts.items():
            call = L.Call(self.tables.function_name(f), (), T.BOOL)
            cases.append(L.If(L.Compare("==", NAME, L.Words(name)), (L.Return(call),)))
        words = "Whether a condition of a scenario holds."
        return L.Function("fact", (NAME,), T.BOOL, words, (*cases, LOST))


def _asks(test: C.Expr) -> bool:
    """Whether a condition fails exactly when one possible(…) does; in a menu it stands after which option it is for."""
    match test:
        case C.CanRun():
            return True
        case C.Op("or", (_, C.CanRun())):
            return True
        case _:  # others: no question of what is possible
            return False


def _compared(test: C.Expr) -> tuple[C.Expr, C.Expr] | None:
    """The two numbers that a condition compares, where nobody's secret is among them."""
    match test:
        case C.Op("<" | "<=" | ">" | ">=" | "==", (a, b)) if isinstance(
            a.type, IntT
        ) and isinstance(b.type, IntT):
            return (a, b) if a.secrecy is None and b.secrecy is None else None
        case _:  # others: no two numbers to be told
            return None


def _of_whom(body: Statements, read: C.Read) -> L.Expr | None:
    """The participant whose entry of a map is read."""
    return body.expr(read.keys[0]) if len(read.keys) == 1 else None
