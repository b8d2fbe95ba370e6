"""Blocks → Python functions: one for each resume point, loop head and join, and the dispatcher that finds them."""

from __future__ import annotations

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import is_hidden
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, BoolT, IntT, KindT, ListT, count_of, low_of
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.emit.emit_options import options, start
from rulewright.compiler.emit.emit_pieces import none_left
from rulewright.compiler.emit.emit_stmt import Statements
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import NOT
from rulewright.compiler.emit.flavour import Flavour
from rulewright.compiler.emit.layout import Layout
from rulewright.compiler.emit.names import constant_name, python_name
from rulewright.compiler.emit.spelling import docstring, inside, literal
from rulewright.compiler.emit.writer import Writer
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
)
from rulewright.compiler.flow.reduce import (
    choice_uses,
    live_in,
    locals_of,
    real,
    successors,
    uses_and_defs,
)

# of a roll each outcome is a kind of its own, however many there are
ANY_ROLL = 1 << 40


class BlockEmitter:
    def __init__(self, program: Program, layout: Layout, tables: Tables, flavour: Flavour) -> None:
        self.program = program
        self.layout = layout
        self.tables = tables
        self.flavour = flavour
        self.live = live_in(program)
        self.locals = {
            **{x.number: x for p in flavour.game.procedures for x in p.params},
            **locals_of(program),
        }
        self.numbers = {b.number: n for n, b in program.points.items()}
        self.after_decision = False
        self.refreshers: dict[int, str] = {}
        # values of locals that are known on the path being written
        self.known: dict[int, C.Expr] = {}
        # locals that are known not to be none on it
        self.some: set[int] = set()
        self.names = {
            b.number: tables.names.new(python_name(b.name)) for b in program.blocks if b.is_function
        }

    def function(self, block: Block) -> Writer:
        """def name(s, v): what happens from here to the next stop."""
        body = Statements(
            self.layout, self.tables, self.program.slots, self.flavour, self.program.aliases
        )
        takes_value = self.takes_value(block)
        # a function that only a decision starts begins on an empty stack: from there a loop may be gone on directly
        self.after_decision = any(
            isinstance(b.end, Ask) and b.end.resume is block for b in self.program.blocks
        )
        param = ", v: i64" if takes_value else ""
        with body.out.block(f"def {self.names[block.number]}(s: State{param}) -> i64:"):
            body.out.line(docstring(self.title(block)))
            if takes_value:
                body.names.take("v")
            self.load(body, block)
            self.take(body, block)
            self.block(body, block)
        self.some.clear()
        return body.out

    def title(self, block: Block) -> str:
        cites = ", ".join(c for c in block.cites if not c.startswith(("assumed:", "stand-in:")))
        return f"{block.owner}" + (f" ({cites})" if cites else "")

    def takes_value(self, block: Block) -> bool:
        return any(
            isinstance(b.end, Ask | Chance) and b.end.resume is block for b in self.program.blocks
        )

    def load(self, body: Statements, block: Block) -> None:
        """Locals that live across the stop come back from their slots."""
        region, used = [block], set[int]()
        for c in self.program.chances:
            if c.resume is block:
                used |= uses_and_defs(c.event)[0]
        seen = {block.number}
        while region:
            b = region.pop()
            used |= _mentions(b)
            for t in successors(b):
                laid_in = isinstance(b.end, Ask) and b.end.choice.if_any
                if (not t.is_function or laid_in) and t.number not in seen:
                    seen.add(t.number)
                    region.append(t)
        taken = block.takes.number if block.takes is not None else -1
        for number in sorted(real(self.program, used) & self.live[block.number]):
            if number != taken and number in self.program.slots:
                local = self.locals[number]
                body.load(local, self.program.slots[number])

    def take(self, body: Statements, block: Block) -> None:
        """The value that a decision, chance or a procedure gave."""
        for b in self.program.blocks:
            match b.end:
                case Ask(choice, _, resume) if resume is block:
                    self.take_choice(body, choice)
                    return
                case Chance(event, _, resume) if resume is block:
                    self.take_chance(body, event)
                    return
        if block.takes is not None:
            if isinstance(block.takes.type, ListT):
                body.define(block.takes, "s.values")
            else:
                test = " != 0" if isinstance(block.takes.type, BoolT) else ""
                body.define(block.takes, f"s.value{test}")

    def take_choice(self, body: Statements, choice: C.SChoose) -> None:
        low = low_of(choice.element)
        text = "v" if low == 0 else f"v + {low}"
        if choice.otherwise is not None:
            text = f"{text} if v != {count_of(choice.element)} else -1"
        elif choice.if_any:
            self.some.add(choice.var.number)
        body.define(choice.var, text)

    def take_chance(self, body: Statements, event: C.SRoll | C.SDraw) -> None:
        if isinstance(event, C.SRoll):
            low = low_of(event.element)
            body.define(event.var, "v" if low == 0 else f"v + {low}")
            if event.quiet:
                return
            if isinstance(event.element, KindT):
                body.out.line(
                    f's.story.append((-1, f"chance gives {{{body.spoken(C.Use(event.var, event.element))}}}"))'
                )
            else:
                body.out.line(f's.story.append((-1, f"the roll is {{{body.local(event.var)}}}"))')
            return
        kinds = event.source.zone.family.kind.size
        source, target = body.zone(event.source), body.zone(event.target)
        body.out.line(f"{source} = remove({source}, v, {kinds})")
        body.out.line(f"{target} = add({target}, v, {kinds})")
        self.tell_draw(body, event)
        if event.var is not None:
            body.define(event.var, "v")

    def tell_draw(self, body: Statements, event: C.SDraw) -> None:
        """Who sees the target sees the piece; the others see that one was drawn."""
        kind = self.flavour.game.kinds[event.source.zone.family.kind.name]
        names = body.tables.add(
            constant_name(f"names_{kind.name}"), literal(kind.texts), "list[str]"
        )
        what = event.target.zone.name.replace("_", " ")
        if event.target.zone.visible == "all" and not event.quiet:
            body.out.line(f's.story.append((-1, f"{{{names}[v]}} is drawn"))')
        elif event.target.zone.visible == "owner" and event.target.owner is not None:
            owner = body.value(event.target.owner)
            people = body.tables.add(
                "NAMES_PARTICIPANT", literal(self.flavour.game.participants), "list[str]"
            )
            body.out.line(f's.story.append(({owner}, f"you draw {{{names}[v]}}"))')
            if not event.quiet:
                body.out.line(
                    f's.story.append((-2 - ({owner}), f"{{{people}[{owner}]}} draws one to the {inside(what)}"))'
                )
        elif not event.quiet:
            told = literal(f"a piece goes to the {what} unseen")
            body.out.line(f"s.story.append((-1, {told}))")

    # ------------------------------------------------------------ inside a function

    def block(self, body: Statements, block: Block) -> None:
        body.stmts(block.body)
        self.end(body, block)

    def end(self, body: Statements, block: Block) -> None:
        match block.end:
            case Goto(to, back):
                self.go(body, to, back)
            case Branch():
                self.branch(body, block)
            case Ask(choice, pc, resume):
                with body.out.at(choice.span):
                    body.hit(choice.span)
                    self.ask(body, choice, pc, resume)
            case Chance(event, pc, _):
                with body.out.at(event.span):
                    body.hit(event.span)
                    self.chance(body, event, pc)
            case Enter(procedure, args, entry, after, pc):
                guard = self.guard(procedure, args, entry)
                if guard is not None:
                    with body.out.block(f"if not {body.cond(guard, NOT)}:"):
                        self.go(body, after, False)
                values = [body.result(a) for a in args]
                for local, value in zip(procedure.params, values, strict=True):
                    slot = self.program.slots.get(local.number)
                    if slot is not None:
                        body.out.line(f"s.{slot} = {value}")
                body.out.line(f"s.x{self.program.dynamic[procedure.name]} = {pc}")
                body.out.line(f"return {self.names[entry.number]}(s)")
            case Leave(procedure, value):
                if value is not None:
                    is_list = isinstance(value.type, ListT)
                    body.out.line(f"s.{'values' if is_list else 'value'} = {body.result(value)}")
                self.leave(body, procedure)
            case Over():
                body.out.line("s.pc = 0")
                body.out.line("s.who = -4")
                body.out.line("s.opts = 0")
                body.out.line("return 0")

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
        slot = f"s.x{self.program.dynamic[procedure.name]}"
        backs = sorted(
            {
                b.end.pc: b.end.after
                for b in self.program.blocks
                if isinstance(b.end, Enter) and b.end.procedure is procedure
            }.items()
        )
        if self.program.direct_returns and 0 < len(backs) <= 8:
            for pc, after in backs[:-1]:
                with body.out.block(f"if {slot} == {pc}:"):
                    body.out.line(f"return {self.names[after.number]}(s)")
            pc, after = backs[-1]
            if self.flavour.full:
                with body.out.block(f"if {slot} == {pc}:"):
                    body.out.line(f"return {self.names[after.number]}(s)")
                body.out.line(f"return {slot}")
            else:
                body.out.line(f"return {self.names[after.number]}(s)")
            return
        body.out.line(f"return {slot}")

    def go(self, body: Statements, to: Block, back: bool) -> None:
        if not to.is_function:
            self.block(body, to)
        elif back and not self.after_decision:
            body.out.line(f"return {self.numbers[to.number]}")
        else:
            body.out.line(f"return {self.names[to.number]}(s)")

    def branch(self, body: Statements, block: Block) -> None:
        end = block.end
        assert isinstance(end, Branch)
        first = True
        for test, to in end.arms:
            if self.known:
                test = substitute(test, self.known)
            test = self.not_none(test)
            if isinstance(test, C.Const):
                if test.value:
                    self.go(body, to, False)
                    return
                continue
            with body.out.at(test.span if test.span.line else block.span):
                head = f"if {body.cond(test)}:"
                body.out.line(head)
            body.out.depth += 1
            before = set(body.annotated)
            self.go(body, to, False)
            # names first seen inside the arm are unknown to what follows it
            body.annotated = before | (body.annotated & before) | body.annotated
            body.out.depth -= 1
            first = False
        del first
        self.go(body, end.other, False)

    def not_none(self, test: C.Expr) -> C.Expr:
        match test:
            case C.Op("is_none", (C.Use(local),)) if (
                local.number in self.some and local.number not in self.known
            ):
                return C.Const(0, BOOL)
            case C.Op("not", (inner,)):
                return fold.op("not", (self.not_none(inner),), BOOL, test.span)
        return test

    # ------------------------------------------------------------ decisions

    def ask(self, body: Statements, choice: C.SChoose, pc: int, resume: Block) -> None:
        size = count_of(choice.element) or 0
        options(body, choice)
        if choice.if_any:
            with body.out.block("if not m:"):
                # nobody is asked: what follows is written here, with none for the choice
                none = C.Const(-1, choice.var.type)
                body.define(choice.var, "-1")
                self.known[choice.var.number] = none
                self.block(body, resume)
                del self.known[choice.var.number]
        if choice.otherwise is not None:
            body.out.line(f"s.opts = m | {1 << size}")
        else:
            sure = isinstance(choice.domain, C.Const) and choice.domain.value and not choice.where
            if not choice.if_any and not sure:
                with body.out.block("if not m:"):
                    body.out.line(f"raise no_option({body.tables.place(choice.span)})")
            body.out.line("s.opts = m")
        body.out.line(f"s.pc = {pc}")
        body.out.line(f"s.who = {body.value(choice.by)}")
        if self.flavour.full or not is_public(choice) or self.never_forced(choice):
            body.out.line("return 0")
        elif choice.otherwise is not None:
            body.out.line("return 0 if m else FORCED")
        else:
            body.out.line("return 0 if m & (m - 1) else FORCED")

    def never_forced(self, choice: C.SChoose) -> bool:
        """There are always at least two options."""
        if choice.otherwise is not None and choice.if_any:
            return True
        domain = choice.domain
        if choice.where or not isinstance(domain, C.Const) or not isinstance(domain.value, int):
            return False
        return domain.value.bit_count() > 1

    def chance(self, body: Statements, event: C.SRoll | C.SDraw, pc: int) -> None:
        if isinstance(event, C.SRoll):
            start(body, event.domain, event.element, "m")
            if not isinstance(event.domain, C.Const):
                body.some_to_roll("not m", event.span)
            kinds = ANY_ROLL
        else:
            with body.out.block(f"if not {body.zone(event.source)}:"):
                none_left(body, event.source, event.span)
            body.assign("m", body.zone(event.source), IntT())
            kinds = event.source.zone.family.kind.size
        body.out.line("s.pool = m")
        body.out.line(f"s.kinds = {kinds}")
        full = (1 << kinds) - 1 if kinds < 4096 else None
        body.out.line("s.opts = m" if full is None else f"s.opts = m & {hex(full)}")
        body.out.line(f"s.pc = {pc}")
        body.out.line("s.who = -1")
        body.out.line("return 0")

    def refresh(self) -> Writer:
        """refresh(s): the options of the pending decision anew, after hidden pieces have been dealt."""
        head = Writer()
        cases: list[int] = []
        for ask in self.program.asks:
            if not is_public(ask.choice):
                cases.append(ask.pc)
                self._refresh_choice(head, ask)
        for chance in self.program.chances:
            if isinstance(chance.event, C.SDraw):
                cases.append(chance.pc)
                self._refresh_draw(head, chance, chance.event)
        with head.block("def refresh(s: State) -> None:"):
            head.line(
                '"""Work out the pending decision\'s options again, from what is hidden now."""'
            )
            for pc in cases:
                with head.block(f"if s.pc == {pc}:"):
                    head.line(f"{self.refreshers[pc]}(s)")
        return head

    def refresher(self, pc: int) -> str:
        self.refreshers[pc] = self.tables.names.new(f"refresh_{pc}")
        return self.refreshers[pc]

    def _refresh_body(self, numbers: set[int]) -> Statements:
        quiet = Flavour(self.flavour.game, False)
        body = Statements(self.layout, self.tables, self.program.slots, quiet, self.program.aliases)
        body.out.depth = 1
        for number in sorted(real(self.program, numbers)):
            if number in self.program.slots:
                local = self.locals[number]
                body.load(local, self.program.slots[number])
        return body

    def _refresh_choice(self, head: Writer, ask: Ask) -> None:
        c = ask.choice
        body = self._refresh_body(choice_uses(c))
        options(body, c)
        extra = f" | {1 << (count_of(c.element) or 0)}" if c.otherwise is not None else ""
        body.out.line(f"s.opts = m{extra}")
        with head.block(f"def {self.refresher(ask.pc)}(s: State) -> None:"):
            head.line(docstring(f"the options of {c.label}"))
            head.lines.extend(body.out.lines)

    def _refresh_draw(self, head: Writer, chance: Chance, event: C.SDraw) -> None:
        body = self._refresh_body(uses_and_defs(event)[0])
        body.out.line(f"s.pool = {body.zone(event.source)}")
        kinds = event.source.zone.family.kind.size
        body.out.line(f"s.opts = s.pool & {hex((1 << kinds) - 1)}")
        with head.block(f"def {self.refresher(chance.pc)}(s: State) -> None:"):
            head.line('"""the pieces that may be drawn"""')
            head.lines.extend(body.out.lines)

    # ------------------------------------------------------------ the dispatcher

    def decisions(self) -> list[str]:
        """The function of each decision by its number, for the interpreter."""
        points = [(a.pc, a.resume) for a in self.program.asks]
        points += [(c.pc, c.resume) for c in self.program.chances]
        names = ["lost_decision"] * (max((pc for pc, _ in points), default=0) + 1)
        for pc, resume in points:
            names[pc] = self.names[resume.number]
        return names

    def other_points(self) -> list[str]:
        """The function of each loop head and return, by its number."""
        points = [(n, b) for n, b in self.program.points.items() if not self.takes_value(b)]
        names = ["lost_point"] * (max((n for n, _ in points), default=0) + 1)
        for n, b in points:
            names[n] = self.names[b.number]
        return names

    def dispatcher(self) -> Writer:
        out = Writer()
        points = sorted(self.program.points.items())
        with out.block("def decide(s: State, pc: i64, v: i64) -> i64:"):
            out.line(
                '"""Go on after decision number pc with its value v, up to the next stop or jump."""'
            )
            self._tree(out, [(n, b) for n, b in points if self.takes_value(b)], ", v")
        with out.block("def go_on(s: State, pc: i64) -> i64:"):
            out.line('"""Go on with a loop, or after a procedure, up to the next stop or jump."""')
            self._tree(out, [(n, b) for n, b in points if not self.takes_value(b)], "")
        return out

    def _tree(self, out: Writer, points: list[tuple[int, Block]], value: str) -> None:
        if len(points) <= 2:
            for n, b in points:
                with out.block(f"if pc == {n}:"):
                    out.line(f"return {self.names[b.number]}(s{value})")
            out.line("raise lost(pc)")
            return
        middle = len(points) // 2
        with out.block(f"if pc < {points[middle][0]}:"):
            self._tree(out, points[:middle], value)
        self._tree(out, points[middle:], value)


def _mentions(b: Block) -> set[int]:
    from rulewright.compiler.flow.reduce import _end_uses, uses_and_defs

    out = _end_uses(b)
    for s in b.body:
        u, d = uses_and_defs(s)
        out = out | u | d
    return out


def is_public(choice: C.SChoose) -> bool:
    """Whether all can work out the options: then nobody is asked where there is only one."""
    return not any(
        is_hidden(e, choice.var) for e in (choice.domain, *(c.test for c in choice.where))
    )
