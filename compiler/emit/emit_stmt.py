"""Typed statements → Python statements; in the full flavour also what is told, counted and checked."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.loop_bounds import SURELY_SHORT, turns
from rulewright.compiler.core.substitute import substitute, substitute_stmts
from rulewright.compiler.core.types import (
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    Type,
    count_of,
    low_of,
)
from rulewright.compiler.core.walk import statements
from rulewright.compiler.emit import emit_pieces as pieces
from rulewright.compiler.emit.emit_expr import Body
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import NOT, SUM
from rulewright.compiler.emit.flavour import Flavour
from rulewright.compiler.emit.layout import Layout
from rulewright.compiler.emit.names import constant_name
from rulewright.compiler.emit.shorten import over_values
from rulewright.compiler.emit.spelling import inside, literal
from rulewright.compiler.text.source import Span

MAX_LAID = 4  # procedures laid into each other, each with up to three calls


def _short(s: C.Stmt) -> bool:
    return isinstance(s, C.SAssign | C.SScore | C.SLet) or (
        isinstance(s, C.SIf)
        and len(s.arms) == 1
        and not s.other
        and all(_short(x) for x in s.arms[0][1])
    )


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
        # whether the random state is in the local x for now
        self.rolling = False
        # the local that counts the turns of the loops being written, and how many there may be
        self.steps: str | None = None
        self.most = "STEPS"

    # see emit_pieces
    draw = pieces.draw
    move = pieces.move
    carry = pieces.carry
    holds = pieces.holds
    barrier = pieces.barrier
    put = pieces.put
    take = pieces.take
    show = pieces.show

    # ------------------------------------------------------------ blocks

    def stmts(self, stmts: list[C.Stmt]) -> None:
        for s in stmts:
            with self.out.at(s.span):
                self.hit(s.span)
                self.stmt(s)

    def hit(self, span: Span) -> None:
        if self.flavour.counts and span.line:
            self.flavour.hits.append(span)
            self.out.line(f"s.hits[{len(self.flavour.hits) - 1}] += 1")

    def stmt(self, s: C.Stmt) -> None:
        match s:
            case C.SLet(local, value):
                self.let(local, value)
            case C.SAssign():
                self.assignment(s)
            case C.SIf(arms, other):
                self.if_(arms, other)
            case C.SFor() if self.written_out(s) or self.rolled(s):
                pass
            case C.SFor():
                self.for_(s)
            case C.SWhile():
                self.while_(s)
            case C.SBreak():
                self.out.line("break")
            case C.SContinue():
                self.out.line("continue")
            case C.SReturn(value, fails=fails) if fails and value and self.flavour.asking:
                with self.out.block(f"if {self.cond(value)}:"):
                    self.out.line("return True")
                self.out.line(f"s.failed = {len(self.flavour.fails)}")
                self.flavour.fails.append(s)
                self.out.line("return False")
            case C.SReturn(value):
                self.out.line("return" if value is None else f"return {self.result(value)}")
            case C.SRoll(var, domain):
                self.roll(var, domain, s.span)
            case C.SDraw():
                self.draw(s)
            case C.SMove():
                self.move(s)
            case C.SScore():
                self.score(s)
            case C.SRun():
                self.run(s)
            case C.SPut():
                self.put(s)
            case C.STake():
                self.take(s)
            case C.SShow(piece, standing, to):
                self.show(piece, standing, to)
            case C.STell(text, to):
                if self.flavour.full:
                    who = "-1" if to is None else self.value(to)
                    if s.others:
                        who = f"-2 - ({who})"
                    self.out.line(f"s.story.append(({who}, {self.text(text)}))")
            case C.SRequire() | C.SReveal() | C.SChoose():
                pass

    def rolled(self, s: C.SFor) -> bool:
        """A loop that rolls dice and does little else keeps the random state in a local."""
        if self.rolling or not any(isinstance(x, C.SRoll) for x in s.body):
            return False
        if not all(isinstance(x, C.SRoll | C.SAssign | C.SLet | C.STell) for x in s.body):
            return False
        self.assign("x", "s.rng", IntT())
        self.assign("low", "x & LOW", IntT())
        self.rolling = True
        self.stmt(s)
        self.rolling = False
        self.out.line("s.rng = x")
        return True

    def written_out(self, s: C.SFor) -> bool:
        """A loop over a few known members with a short plain body, member by member."""
        members = self.few(s.domain)
        if members is None or self.slot(s.var) is not None or not all(_short(x) for x in s.body):
            return False
        if len(s.body) * len(members) > 12:
            return False
        if self._fill(s, members):
            return True
        for k in members:
            env: dict[int, C.Expr] = {s.var.number: C.Const(k, s.var.type)}
            where = None if s.where is None else substitute(s.where, env)
            if isinstance(where, C.Const):
                if not where.value:
                    continue
                where = None
            body = substitute_stmts(s.body, env)
            if where is None:
                self.stmts(body)
            else:
                with self.out.block(f"if {self.cond(where)}:"):
                    self.stmts(body)
        return True

    def _fill(self, s: C.SFor, members: list[int]) -> bool:
        """All entries of a map get one known value: a new list."""
        only = s.body[0] if len(s.body) == 1 and s.where is None else None
        if not isinstance(only, C.SAssign) or only.op or not isinstance(only.target, C.Read):
            return False
        t = only.target.var.type
        if (
            not isinstance(t, MapT)
            or isinstance(t.value, MapT | ListT)
            or count_of(t.key) != len(members)
        ):
            return False
        key, value = only.target.keys[0], only.value
        if not isinstance(key, C.Use) or key.local is not s.var or not isinstance(value, C.Const):
            return False
        field, n = self.layout.by_state[only.target.var.name], len(members)
        first = self.value(value)
        whole = f"[{first}] * {n}"
        if not field.wide:
            same = [int(value.value)] * n if isinstance(value.value, int) else []
            whole = f"{self.tables.numbers(f'ALL_{first}', same, False)}[:]"
        self.out.line(f"s.{field.name} = {whole}")
        return True

    def keep(self, local: C.Local) -> None:
        slot = self.slot(local)
        if slot is not None:
            self.out.line(f"s.{slot} = {self.local(local)}")

    def let(self, local: C.Local, value: C.Expr) -> None:
        # lists are never changed in place, so they can be shared
        self.define(local, self.result(value))

    def result(self, e: C.Expr) -> str:
        """A value where its type is seen: conditions become truth values."""
        if isinstance(e.type, BoolT):
            return self.bool_at(e, 0)
        return self.value(e)

    def if_(self, arms: list[tuple[C.Expr, list[C.Stmt]]], other: list[C.Stmt]) -> None:
        test, body = arms[0]
        with self.out.block(f"if {self.cond(test)}:"):
            self.stmts(body)
        rest = arms[1:]
        depth = 0
        for test, body in rest:
            kept = self.out.apart()
            text = self.cond(test)
            aside = self.out.together(kept)
            if aside:
                self.out.line("else:")
                self.out.depth += 1
                depth += 1
                self.out.lines.extend((d + 1, t, sp) for d, t, sp in aside)
                head = f"if {text}:"
            else:
                head = f"elif {text}:"
            with self.out.block(head):
                self.stmts(body)
        if other:
            with self.out.block("else:"):
                self.stmts(other)
        elif self.flavour.full and arms[-1][0].span.line:
            # the way past an `if` without an else is counted at its last condition
            with self.out.block("else:"):
                self.hit(arms[-1][0].span)
        self.out.depth -= depth

    def for_(self, s: C.SFor) -> None:
        begun = self.begin_count(s)
        values = over_values(self, s)
        if values is None:
            head = self.loop(s.var, s.domain)
        else:
            s = values[1]
            head = self.loop_over(s.var, values[0])
        with self.out.block(head):
            self.count(s.span)
            if s.where is None:
                self.keep(s.var)
                self.stmts(s.body)
            else:
                with self.out.block(f"if {self.cond(s.where)}:"):
                    self.keep(s.var)
                    self.stmts(s.body)
        self.end_count(begun)

    def while_(self, s: C.SWhile) -> None:
        begun = self.begin_count(s)
        with self.out.block("while True:"):
            if s.test is not None:
                with self.out.block(f"if not {self.cond(s.test, NOT)}:"):
                    self.out.line("break")
            self.count(s.span)
            self.stmts(s.body)
        self.end_count(begun)

    def begin_count(self, s: C.SFor | C.SWhile) -> bool:
        """Loops that may go on for very long count their turns, those inside them too."""
        if self.steps is not None or turns(s) <= SURELY_SHORT:
            return False
        # a loop alone is given less than loops in loops, which may well take many steps
        nested = any(isinstance(x, C.SFor | C.SWhile) for x in statements(s.body))
        self.most = "MANY" if nested else "STEPS"
        self.steps = self.temp("steps")
        self.assign(self.steps, "0", IntT())
        return True

    def count(self, span: Span) -> None:
        if self.steps is not None:
            self.out.line(f"{self.steps} += 1")
            with self.out.block(f"if {self.steps} > {self.most}:"):
                self.out.line(f"raise too_many_steps({self.tables.place(span)})")

    def end_count(self, begun: bool) -> None:
        if begun:
            self.steps = None

    # ------------------------------------------------------------ state

    def assignment(self, s: C.SAssign) -> None:
        if isinstance(s.target, C.PieceRead):
            f = self.layout.by_piece[s.target.standing.name, s.target.field]
            target = f"s.{f.name}[{self.value(s.target.piece)}]"
            self.out.line(f"{target} {s.op}= {self.result(s.value)}")
            return
        target = self.read(s.target)
        op = s.op
        t = s.target.type
        value = s.value
        if isinstance(t, SetT) and op == "-":
            text = f"{target} &= ~{self.at(value, 11)}"
            if isinstance(value, C.Const) and isinstance(value.value, int):
                full = (1 << (count_of(t.element) or 0)) - 1
                text = f"{target} &= {hex(full & ~value.value)}"
            self.out.line(text)
        elif op:
            self.out.line(f"{target} {op}= {self.value(value)}")
        else:
            self.out.line(f"{target} = {self.result(value)}")
        if self.flavour.full:
            self.check_range(target, t, s.span)

    def check_range(self, target: str, t: Type, span: Span) -> None:
        if isinstance(t, IntT) and t.low is not None and t.high is not None:
            with self.out.block(f"if not {t.low} <= {target} <= {t.high}:"):
                self.out.line(
                    f"raise out_of_range({self.tables.place(span)}, {target}, {t.low}, {t.high})"
                )
        elif isinstance(t, ListT) and t.limit is not None:
            with self.out.block(f"if len({target}) > {t.limit}:"):
                self.out.line(
                    f"raise list_too_long({self.tables.place(span)}, len({target}), {t.limit})"
                )

    def score(self, s: C.SScore) -> None:
        who = self.simple(s.player, "who")
        points = self.simple(s.amount, "points")
        self.out.line(f"s.score[{who}] += {points}")
        reasons = max(1, len(self.flavour.reasons))
        index = self.flavour.reasons.get(s.reason, 0)
        place = (
            f"{who} * {reasons} + {index}" if not who.isdigit() else str(int(who) * reasons + index)
        )
        self.out.line(f"s.breakdown_[{place}] += {points}")
        if self.flavour.full:
            with self.out.block(f"if {points}:"):
                names = self.tables.add(
                    "NAMES_PARTICIPANT", literal(self.flavour.game.participants), "list[str]"
                )
                why = inside(self.flavour.game.reasons[s.reason])
                self.out.line(
                    f's.story.append((-1, f"{{{names}[{who}]}} scores {{{points}}} for {why}"))'
                )

    # ------------------------------------------------------------ chance and pieces

    def next_random(self) -> None:
        """x = the next random state, kept in the state."""
        if self.rolling:
            self.out.line("x = MULTIPLIER * low + (x >> 32)")
            self.out.line("low = x & LOW")
            return
        self.assign("x", "s.rng", IntT())
        self.out.line("x = MULTIPLIER * (x & LOW) + (x >> 32)")
        self.out.line("s.rng = x")

    def below(self, n: str) -> str:
        """A number from 0 to n-1 from the random state, without brackets around it."""
        return f"{'low' if self.rolling else '(x & LOW)'} * {n} >> 32"

    def some_to_roll(self, test: str, span: Span) -> None:
        with self.out.block(f"if {test}:"):
            self.out.line(f"raise nothing_to_roll({self.tables.place(span)})")

    def roll(self, var: C.Local, domain: C.Expr, span: Span) -> None:
        self.next_random()
        if isinstance(domain, C.Range):
            low = self.value(domain.low)
            if isinstance(domain.low, C.Const) and isinstance(domain.high, C.Const):
                assert isinstance(domain.low.value, int) and isinstance(domain.high.value, int)
                n = str(domain.high.value - domain.low.value + 1)
            else:
                n = self.temp("sides")
                self.assign(
                    n, f"{self.value(domain.high)} - {self.at(domain.low, SUM + 1)} + 1", IntT()
                )
                self.some_to_roll(f"{n} < 1", span)
            plus = "" if low == "0" else f" + {low}"
            self.define(var, f"({self.below(n)}){plus}" if plus else self.below(n))
            return
        t = domain.type
        assert isinstance(t, SetT | ListT)
        if isinstance(t, SetT) and isinstance(domain, C.Const) and isinstance(domain.value, int):
            count = domain.value.bit_count()
            if domain.value == (1 << count) - 1:
                low_text = low_of(t.element)
                plus = f" + {low_text}" if low_text else ""
                below = self.below(str(count))
                self.define(var, f"({below}){plus}" if plus else below)
                return
        if isinstance(t, ListT):
            some = self.simple(domain, "items")
            self.some_to_roll(f"not {some}", span)
            self.define(var, f"{some}[{self.below(f'len({some})')}]")
            return
        some = self.simple(domain, "some")
        self.some_to_roll(f"not {some}", span)
        low2 = low_of(t.element)
        text = f"nth({some}, {self.below(f'size({some})')})"
        self.define(var, text if low2 == 0 else f"{text} + {low2}")

    # ------------------------------------------------------------ calls

    def laid_in(self, s: C.SRun) -> bool:
        """A short plain procedure written where it is called."""
        p = s.procedure
        if p is None or not self.inline or s.result is not None or len(p.body) > 3:
            return False
        if self.laid >= MAX_LAID:
            return False
        if not all(isinstance(x, C.SAssign | C.SMove | C.SScore | C.SRun) for x in p.body):
            return False
        env: dict[int, C.Expr] = {}
        for param, arg in zip(p.params, s.args, strict=True):
            if isinstance(arg, C.Const) or (isinstance(arg, C.Use) and not arg.local.mutable):
                env[param.number] = arg
            else:
                local = C.Local(param.name, param.type, self.tables.fresh())
                self.define(local, self.result(arg))
                env[param.number] = C.Use(local, param.type, arg.span)
        self.laid += 1
        for x in substitute_stmts(p.body, env):
            with self.out.at(x.span):
                self.stmt(x)
        self.laid -= 1
        return True

    def run(self, s: C.SRun) -> None:
        if self.laid_in(s):
            return
        values = ["s"]
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
                name = self.tables.procedure_dispatcher(s.kind, s.column)
                values.append(self.value(s.base))
        values += [self.result(x) for x in s.args]
        call = f"{name}({', '.join(values)})"
        if s.result is not None:
            self.define(s.result, call)
        else:
            self.out.line(call)

    # ------------------------------------------------------------ texts

    def text(self, text: C.Text) -> str:
        """A Python f-string for a text with holes."""
        out = ""
        for i, part in enumerate(text.parts):
            if isinstance(part, str):
                out += inside(part)
                continue
            spoken = self.spoken(part)
            out += "{" + spoken + "}"
            if i in text.forms:
                one, many = text.forms[i]
                out += f" {{'{one}' if {spoken} == 1 else '{many}'}}"
        return f'f"{out}"'

    def spoken(self, e: C.Expr) -> str:
        t = e.type.base if isinstance(e.type, OptT) else e.type
        if isinstance(t, KindT):
            kind = self.flavour.game.kinds[t.name]
            names = self.tables.add(
                constant_name(f"names_{t.name}"), literal(kind.texts), "list[str]"
            )
            if isinstance(e.type, OptT):
                return f"name_or_none({names}, {self.value(e)})"
            return f"{names}[{self.value(e)}]"
        if isinstance(t, SetT) and isinstance(t.element, KindT):
            kind = self.flavour.game.kinds[t.element.name]
            names = self.tables.add(
                constant_name(f"names_{t.element.name}"), literal(kind.texts), "list[str]"
            )
            return f"names_of({names}, {self.value(e)})"
        return self.value(e)
