"""Typed statements → low-level ones; in the full flavour also what is told and checked."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.loop_bounds import SURELY_SHORT, turns
from rulewright.compiler.core.shared_numbers import SharedNumbers
from rulewright.compiler.core.types import IntT, KindT, ListT, OptT, SetT, Type
from rulewright.compiler.core.walk import statements
from rulewright.compiler.low import lower_pieces as pieces
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body, added, as_truth, full, negated, scaled, set_of
from rulewright.compiler.low.flavour import Flavour
from rulewright.compiler.low.inline import inlined_statements
from rulewright.compiler.low.look_ups import over_values
from rulewright.compiler.low.lower_chance import roll, rolled
from rulewright.compiler.low.lower_comprehensions import over
from rulewright.compiler.low.lower_expressions import entry, expression, logic, read
from rulewright.compiler.low.lower_tests import condition
from rulewright.compiler.low.shared_tables import Tables
from rulewright.compiler.low.state_layout import Layout
from rulewright.compiler.low.unroll import written_out
from rulewright.compiler.text.source import Span
from rulewright.runtime.support import MANY, STEPS

ARMS = 60  # of one `if`, each in the one before
MAX_LAID = 4  # procedures laid into each other, each with up to three calls
_TESTS = ("in", "meets", "not", "and", "or")


def all_but(seat: L.Expr) -> L.Expr:
    """Whom a line of the story is for: all but that seat."""
    return L.Binary("-", L.number(-2), seat, T.INT)


class Statements(Body):
    def __init__(
        self,
        layout: Layout,
        tables: Tables,
        slots: dict[int, str],
        flavour: Flavour,
        aliases: dict[int, int] | None = None,
    ) -> None:
        super().__init__(layout, tables, slots, aliases)
        self.flavour = flavour
        self.inline = not flavour.full
        # how many procedures are being laid into each other
        self.laid = 0
        # the dice that are rolled in a row here
        self.rolling: SharedNumbers | None = None
        # the local that counts the turns of the loops being written, and how many there may be
        self.steps: L.Local | None = None
        self.most = L.number(0)

    # ------------------------------------------------------------ expressions

    def expr(self, e: C.Expr) -> L.Expr:
        return expression(self, e)

    def test(self, e: C.Expr) -> L.Expr:
        if isinstance(e, C.Op) and e.op in ("and", "or"):
            return logic(self, e, conditions=True)
        found = condition(self, e)
        return self.expr(e) if found is None else found

    def truth(self, e: C.Expr) -> L.Expr:
        if isinstance(e, C.Op) and e.op in ("and", "or"):
            return logic(self, e, conditions=False)
        kept_as_number = isinstance(e, C.Read | C.PieceRead)
        if kept_as_number or (isinstance(e, C.Op) and e.op in _TESTS):
            return as_truth(self.test(e))
        return self.expr(e)

    # ------------------------------------------------------------ statements

    def stmts(self, stmts: list[C.Stmt]) -> None:
        for s in stmts:
            with self.place(s.span):
                self.mark(s.span)
                self.stmt(s)

    def mark(self, span: Span) -> None:
        """A statement of the rules begins."""
        if self.flavour.counts and span.line:
            at = L.Origin(span, self.at.owner, self.at.cites)
            self.statements.append(L.Mark(at, self.flavour.asking))

    def stmt(self, s: C.Stmt) -> None:
        match s:
            case C.SLet(local, value):
                # lists are never changed in place, so they can be shared
                self.define(local, self.result(value))
            case C.SAssign():
                self.assignment(s)
            case C.SIf(arms, other):
                self.if_(arms, other)
            case C.SFor() if rolled(self, s) or written_out(self, s):
                pass
            case C.SFor():
                self.for_(s)
            case C.SWhile():
                self.while_(s)
            case C.SBreak():
                self.statements.append(L.Break(self.at))
            case C.SContinue():
                self.statements.append(L.Continue(self.at))
            case C.SReturn(value, fails=fails) if fails and value and self.flavour.asking:
                if not isinstance(value, C.Const) or value.value:
                    with self.when(self.test(value)):
                        self.give(L.TRUE)
                self.store(L.Field("failed", T.INT), L.number(len(self.flavour.fails)))
                self.flavour.fails.append(s)
                self.give(L.FALSE)
            case C.SReturn(value):
                self.give(None if value is None else self.result(value))
            case C.SRoll(var, domain):
                roll(self, var, domain, s.span)
            case C.SDraw():
                pieces.draw(self, s)
            case C.SMove():
                pieces.move(self, s)
            case C.SScore():
                self.score(s)
            case C.SRun():
                self.run(s)
            case C.SPut():
                pieces.put(self, s)
            case C.STake():
                pieces.take(self, s)
            case C.SShow(piece, standing, to):
                pieces.show(self, piece, standing, to)
            case C.STell(text, to):
                if self.flavour.full:
                    who = L.number(-1) if to is None else self.expr(to)
                    self.tell(all_but(who) if s.others else who, self.text(text))
            case C.SRequire() | C.SReveal() | C.SChoose() | C.SMark():
                pass

    def if_(self, arms: list[tuple[C.Expr, list[C.Stmt]]], other: list[C.Stmt]) -> None:
        """A chain that is long is cut, so that what goes down into it does not go as deep as it is long.

        if a: … elif b: … elif c: …   →   more = 0; if a: … elif b: … else: more = 1; if more: if c: …
        """
        if len(arms) > ARMS:
            more = self.let(self.temp("more", T.Int(0, 1)), L.number(0))
            self._chain(arms[:ARMS], lambda _: self.store(more, L.number(1)))
            with self.when(L.Compare("!=", more, L.number(0))):
                self.if_(arms[ARMS:], other)
            return

        def at_last(test: C.Expr) -> None:
            if other:
                self.stmts(other)
            elif self.flavour.full and test.span.line:
                # the way past an `if` without an else is counted at its last condition
                self.mark(test.span)

        self._chain(arms, at_last)

    def _chain(
        self, arms: list[tuple[C.Expr, list[C.Stmt]]], at_last: Callable[[C.Expr], None]
    ) -> None:
        """What a later condition needs is worked out only when the earlier ones do not hold."""
        (test, body), *rest = arms
        tested = self.test(test)
        with self.aside() as inner:
            self.stmts(body)
        with self.aside() as otherwise:
            if rest:
                self._chain(rest, at_last)
            else:
                at_last(test)
        self.statements.append(L.If(tested, tuple(inner), tuple(otherwise), self.at))

    def for_(self, s: C.SFor) -> None:
        begun = self.begin_count(s)
        values = over_values(self, s)
        if values is None:
            var = self.local(s.var)
            domain = over(self, s.domain)
        else:
            domain, s = values
            var = self.local(s.var)
        with self.over(var, domain):
            self.count(s.span)
            if s.where is None:
                self.keep(s.var)
                self.stmts(s.body)
            else:
                with self.when(self.test(s.where)):
                    self.keep(s.var)
                    self.stmts(s.body)
        self.end_count(begun)

    def while_(self, s: C.SWhile) -> None:
        begun = self.begin_count(s)
        with self.aside() as inner:
            if s.test is not None:
                with self.when(negated(self.test(s.test))):
                    self.statements.append(L.Break(self.at))
            self.count(s.span)
            self.stmts(s.body)
        self.statements.append(L.Loop(tuple(inner), self.at))
        self.end_count(begun)

    def begin_count(self, s: C.SFor | C.SWhile) -> bool:
        """Loops that may go on for very long count their turns, those inside them too."""
        if self.steps is not None or turns(s) <= SURELY_SHORT:
            return False
        # a loop alone is given less than loops in loops, which may well take many steps
        nested = any(isinstance(x, C.SFor | C.SWhile) for x in statements(s.body))
        self.most = L.Number(MANY, T.INT, "MANY") if nested else L.Number(STEPS, T.INT, "STEPS")
        self.steps = self.let(self.temp("steps", T.Int(0, None)), L.number(0))
        return True

    def count(self, span: Span) -> None:
        if self.steps is not None:
            self.store(self.steps, L.number(1), "+")
            too_many = L.Compare(">", self.steps, self.most)
            self.fail_if(too_many, "too_many_steps", self.tables.place(span))

    def end_count(self, begun: bool) -> None:
        if begun:
            self.steps = None

    # ------------------------------------------------------------ state

    def assignment(self, s: C.SAssign) -> None:
        if isinstance(s.target, C.PieceRead):
            f = self.layout.by_piece[s.target.standing.name, s.target.field]
            place = entry(f, self.expr(s.target.piece))
            self.store(place, self.result(s.value), s.op)
            return
        target = read(self, s.target)
        t = s.target.type
        if isinstance(t, SetT) and s.op == "-":
            value = self.expr(s.value)
            assert isinstance(target.type, T.Set)
            left: L.Expr = L.Unary("~", value, target.type)
            if isinstance(value, L.Number):
                left = set_of(full(target.type) & ~value.value, target.type)
            self.store(target, left, "&")
        elif s.op:
            self.store(target, self.expr(s.value), s.op)
        else:
            self.store(target, self.result(s.value))
        if self.flavour.full:
            self.check_range(target, t, s.span)

    def check_range(self, target: L.Place, t: Type, span: Span) -> None:
        place = self.tables.place
        if isinstance(t, IntT) and t.low is not None and t.high is not None:
            low, high = L.number(t.low), L.number(t.high)
            inside = L.Between(low, target, high)
            self.fail_if(L.Not(inside), "out_of_range", place(span), target, low, high)
        elif isinstance(t, ListT) and t.limit is not None:
            length, most = L.Help("len", (target,), T.INT), L.number(t.limit)
            too_long = L.Compare(">", length, most)
            self.fail_if(too_long, "list_too_long", place(span), length, most)

    def score(self, s: C.SScore) -> None:
        who = self.simple(self.expr(s.player), "who")
        points = self.simple(self.expr(s.amount), "points")
        self.store(entry(self.layout.by_state["score"], who), points, "+")
        reasons = max(1, len(self.flavour.reasons))
        index = L.number(self.flavour.reasons.get(s.reason, 0))
        n = len(self.flavour.game.participants) * reasons
        breakdown = L.Field("breakdown_", T.Array(T.INT, n))
        self.store(entry(breakdown, added(scaled(who, reasons), index)), points, "+")
        if self.flavour.full:
            with self.when(points):
                why = self.flavour.game.reasons[s.reason]
                name = self.participant(who)
                self.tell(L.number(-1), L.Sentence((name, " scores ", points, f" for {why}")))

    # ------------------------------------------------------------ calls

    def laid_in(self, s: C.SRun) -> bool:
        """A short plain procedure written where it is called."""
        found = inlined_statements(self, s) if self.laid < MAX_LAID else None
        if found is None or s.procedure is None:
            return False
        self.laid += 1
        with self.owned(s.procedure.name, s.procedure.cites):
            for x in found:
                with self.place(x.span):
                    self.stmt(x)
        self.laid -= 1
        return True

    def run(self, s: C.SRun) -> None:
        if self.laid_in(s):
            return
        values: list[L.Expr] = []
        if s.procedure is not None:
            name = self.tables.procedure_name(s.procedure)
        else:
            assert s.kind is not None and s.column is not None and s.base is not None
            if isinstance(s.base, C.Const) and isinstance(s.base.value, int):
                code = (s.column.code or [])[s.base.value]
                if not isinstance(code, C.Procedure):
                    return
                name = self.tables.procedure_name(code)
            else:
                name = self.tables.dispatcher("procedure", s.kind, s.column)
                values.append(self.expr(s.base))
        values += [self.result(x) for x in s.args]
        if s.result is not None:
            self.define(s.result, L.Call(name, tuple(values), self.local(s.result).type))
        else:
            self.do(L.Call(name, tuple(values), T.INT))

    # ------------------------------------------------------------ texts

    def tell(self, to: L.Expr, text: L.Expr) -> None:
        self.statements.append(L.Tell(to, text, self.at))

    def participant(self, who: L.Expr) -> L.Expr:
        return entry(self.tables.texts("participant", self.flavour.game.participants), who)

    def text(self, text: C.Text) -> L.Expr:
        """A text with its holes filled."""
        parts: list[str | L.Expr] = []
        for i, part in enumerate(text.parts):
            if isinstance(part, str):
                parts.append(part)
                continue
            spoken = self.spoken(part)
            parts.append(spoken)
            if i in text.forms:
                one, many = text.forms[i]
                if isinstance(spoken, L.Number):
                    parts.append(f" {one if spoken.value == 1 else many}")
                    continue
                is_one = L.Compare("==", spoken, L.number(1))
                parts += [" ", L.Pick(is_one, L.Words(one), L.Words(many), T.TEXT)]
        return L.Sentence(tuple(parts))

    def spoken(self, e: C.Expr) -> L.Expr:
        t = e.type.base if isinstance(e.type, OptT) else e.type
        if isinstance(t, KindT):
            names = self.tables.texts(t.name, self.flavour.game.kinds[t.name].texts)
            if isinstance(e.type, OptT):
                return L.Help("name_or_none", (names, self.expr(e)), T.TEXT)
            return entry(names, self.expr(e))
        if isinstance(t, SetT) and isinstance(t.element, KindT):
            names = self.tables.texts(t.element.name, self.flavour.game.kinds[t.element.name].texts)
            return L.Help("names_of", (names, self.expr(e)), T.TEXT)
        return self.expr(e)
