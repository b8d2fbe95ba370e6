"""What only the full flavour has: reasons against an option, texts of decisions, calls from outside, invariants, facts."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import KindT, OptT, SetT, count_of, low_of
from rulewright.compiler.emit.emit_blocks import ANY_ROLL
from rulewright.compiler.emit.emit_options import options, start
from rulewright.compiler.emit.emit_pieces import none_left
from rulewright.compiler.emit.emit_stmt import Statements
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import NOT
from rulewright.compiler.emit.flavour import Flavour
from rulewright.compiler.emit.layout import Layout
from rulewright.compiler.emit.spelling import inside, literal
from rulewright.compiler.emit.writer import Writer
from rulewright.compiler.flow.blocks import Ask, Program
from rulewright.compiler.flow.reduce import choice_uses, locals_of, real, text_uses, uses_and_defs


def full_functions(
    game: C.Game,
    program: Program,
    layout: Layout,
    tables: Tables,
    flavour: Flavour,
    block_names: dict[int, str],
) -> list[Writer]:
    emitter = _Full(game, program, layout, tables, flavour, block_names)
    return [
        *emitter.why(), *emitter.say(), emitter.invariants(), emitter.call(), *emitter.again(), emitter.reopen(), emitter.facts(),
    ]  # fmt: skip


class _Full:
    def __init__(
        self,
        game: C.Game,
        program: Program,
        layout: Layout,
        tables: Tables,
        flavour: Flavour,
        block_names: dict[int, str],
    ) -> None:
        self.block_names = block_names
        self.game = game
        self.program = program
        self.layout = layout
        self.tables = tables
        self.flavour = flavour
        self.locals = {
            **{x.number: x for p in game.procedures for x in p.params},
            **locals_of(program),
        }

    def body(self) -> Statements:
        quiet = Flavour(self.game, False)
        return Statements(self.layout, self.tables, self.program.slots, quiet, self.program.aliases)

    def load(self, body: Statements, numbers: set[int]) -> None:
        for number in sorted(real(self.program, numbers)):
            slot = self.program.slots.get(number)
            local = self.locals.get(number)
            if slot is not None and local is not None:
                body.load(local, slot)

    def value_of(self, body: Statements, choice: C.SChoose) -> None:
        """The chosen variable from the index v, as the conditions and texts read it."""
        low = low_of(choice.element)
        text = "v" if low == 0 else f"v + {low}"
        if isinstance(choice.var.type, OptT):
            text = f"{text} if v != {count_of(choice.element)} else -1"
        name = body.local(choice.var)
        body.assign(name, text, choice.var.type)

    def of_decision(self, wish: str, params: str, result: str, taken: str = "") -> Statements:
        """One function of a decision, begun: each decision has its own, so that names are those of one decision."""
        body = self.body()
        for name in taken.split():
            body.names.take(name)
        name = self.tables.names.new(wish)
        body.out.line(f"def {name}(s: State{params}) -> {result}:")
        body.out.depth = 1
        return body

    def by_decision(
        self, head: Writer, parts: dict[int, Statements], args: str, otherwise: str
    ) -> list[Writer]:
        """The function that finds the one of the pending decision, after all of them."""
        for pc, body in parts.items():
            name = body.out.lines[0][1].partition("(")[0].removeprefix("def ")
            with head.block(f"if s.pc == {pc}:"):
                head.line(f"return {name}(s{args})")
        head.line(f"return {otherwise}")
        return [*(body.out for body in parts.values()), head]

    def why(self) -> list[Writer]:
        """why(s, v): the numbers of the conditions that rule out value v of the pending decision."""
        parts = {}
        for ask in self.program.asks:
            body = self.of_decision(f"why_{ask.pc}", ", v: i64", "list[int]", "v out")
            body.out.line("out: list[int] = []")
            self.why_one(body, ask)
            body.out.line("return out")
            parts[ask.pc] = body
        head = Writer()
        head.line("def why(s: State, v: i64) -> list[int]:")
        head.depth = 1
        head.line(
            '"""Which conditions of the pending decision rule out value v; -1 for its domain, below it what failed inside."""'
        )
        return self.by_decision(head, parts, ", v", "[]")

    def why_one(self, body: Statements, ask: Ask) -> None:
        choice = ask.choice
        self.load(body, choice_uses(choice))
        low = low_of(choice.element)
        if choice.otherwise is not None or choice.if_any:
            with body.out.block(f"if v == {count_of(choice.element)}:"):
                body.out.line("return out")
        domain = choice.domain
        name = body.local(choice.var)
        body.assign(name, "v" if low == 0 else f"v + {low}", choice.element)
        item = C.Use(choice.var, choice.element)
        inside: C.Expr
        if isinstance(domain, C.Range):
            text = f"{body.at(domain.low, 5)} <= {name} <= {body.at(domain.high, 5)}"
        elif isinstance(domain.type, SetT):
            inside = C.Op("in", (item, domain), choice.var.type)
            text = body.cond(inside, NOT)
        else:
            text = f"{name} in {body.value(domain)}"
        with body.out.block(f"if not ({text}):"):
            body.out.line("out.append(-1)")
            body.out.line("return out")
        for i, condition in enumerate(choice.where):
            asks = _asks(condition.test)
            # what is laid in leaves no trace of where it failed
            body.inline = not asks
            if asks:
                body.out.line("s.failed = -1")
            with body.out.block(f"if not {body.cond(condition.test, NOT)}:"):
                body.out.line(f"out.append({i})")
                if asks:
                    with body.out.block("if s.failed >= 0:"):
                        body.out.line("out.append(-2 - s.failed)")

    def say(self) -> list[Writer]:
        """say(s, v, own): the text of value v of the pending decision, for the chooser or for the others."""
        parts = {}
        for ask in self.program.asks:
            body = self.of_decision(f"say_{ask.pc}", ", v: i64, own: bool", "str", "v own")
            self.load(body, text_uses(ask.choice))
            self.value_of(body, ask.choice)
            self.say_one(body, ask.choice)
            parts[ask.pc] = body
        head = Writer()
        head.line("def say(s: State, v: i64, own: bool) -> str:")
        head.depth = 1
        head.line(
            '"""The words for value v of the pending decision: the chooser\'s own, or what others hear."""'
        )
        return self.by_decision(head, parts, ", v, own", '""')

    def say_one(self, body: Statements, choice: C.SChoose) -> None:
        label = choice.label.replace("_", " ").replace(".", " ")
        if choice.secret:
            others = '"chooses in secret"' if choice.others is None else body.text(choice.others)
            with body.out.block("if not own:"):
                body.out.line(f"return {others}")
        elif choice.others is not None:
            # that someone declines all hear alike
            chosen = "" if choice.otherwise is None else f" and v != {count_of(choice.element)}"
            with body.out.block(f"if not own{chosen}:"):
                body.out.line(f"return {body.text(choice.others)}")
        if choice.otherwise is not None:
            word = choice.otherwise.replace("_", " ")
            declines = literal(f"chooses {word} ({label})")
            if choice.else_say is not None:
                declines = body.text(choice.else_say)
            with body.out.block(f"if v == {count_of(choice.element)}:"):
                body.out.line(f"return {declines}")
        for index, (own, others2) in sorted(choice.option_says.items()):
            if own is None and others2 is None:
                continue
            with body.out.block(f"if v == {index}:"):
                if others2 is not None:
                    with body.out.block("if not own:"):
                        body.out.line(f"return {body.text(others2)}")
                if own is not None:
                    body.out.line(f"return {body.text(own)}")
        if choice.say is not None:
            body.out.line(f"return {body.text(choice.say)}")
            return
        spoken = body.spoken(C.Use(choice.var, choice.element))
        if isinstance(choice.element, KindT) and choice.element.name.endswith(" menu"):
            body.out.line(f'return f"{{{spoken}}}"')
        else:
            body.out.line(f'return f"chooses {{{spoken}}} ({inside(label)})"')

    def invariants(self) -> Writer:
        head = Writer()
        with head.block("def broken(s: State) -> int:"):
            head.line('"""The number of an invariant that does not hold, -1 if all do."""')
            body = self.body()
            body.out.depth = 1
            for i, invariant in enumerate(self.game.invariants):
                with body.out.block(f"if not {body.cond(invariant.test, NOT)}:"):
                    body.out.line(f"return {i}")
            body.out.line("return -1")
            head.lines.extend(body.out.lines)
        return head

    def call(self) -> Writer:
        """call(s, name, args): run one procedure, as scenarios do."""
        head = Writer()
        with head.block("def call(s: State, name: str, args: list[int]) -> i64:"):
            head.line('"""Begin one procedure; the state is over when it returns."""')
            for p in self.game.procedures:
                entry = self.program.entries.get(p.name)
                with head.block(f"if name == {literal(p.name)}:"):
                    if entry is not None:
                        for i, local in enumerate(p.params):
                            slot = self.program.slots.get(local.number)
                            if slot is not None:
                                head.line(f"s.{slot} = args[{i}]")
                        head.line(f"s.x{self.program.dynamic[p.name]} = -1")
                        head.line(f"return {self.block_names[entry.number]}(s)")
                    elif p in self.program.plain:
                        values = "".join(f", args[{i}]" for i in range(len(p.params)))
                        head.line(f"{self.tables.procedure_name(p)}(s{values})")
                        head.line("return -1")
                    else:
                        head.line("raise lost(-1)")
            head.line("raise lost(-1)")
        return head

    def again(self) -> list[Writer]:
        """again(s): who is asked at the pending point, and what can be chosen, worked out from the state alone."""
        parts = {}
        for ask in self.program.asks:
            choice = ask.choice
            body = self.of_decision(f"again_{ask.pc}", "", "None")
            self.load(body, choice_uses(choice))
            options(body, choice)
            extra = f" | {1 << (count_of(choice.element) or 0)}"
            if choice.otherwise is None:
                body.out.line("s.opts = m")
            elif choice.if_any:
                body.out.line(f"s.opts = m{extra} if m else 0")
            else:
                body.out.line(f"s.opts = m{extra}")
            body.out.line(f"s.who = {body.value(choice.by)}")
            parts[ask.pc] = body
        for chance in self.program.chances:
            event = chance.event
            body = self.of_decision(f"again_{chance.pc}", "", "None")
            self.load(body, uses_and_defs(event)[0])
            if isinstance(event, C.SRoll):
                start(body, event.domain, event.element, "m")
                body.out.line("s.pool = m")
                body.out.line(f"s.kinds = {ANY_ROLL}")
                body.out.line("s.opts = m")
            else:
                kinds = event.source.zone.family.kind.size
                with body.out.block(f"if not {body.zone(event.source)}:"):
                    none_left(body, event.source, event.span)
                body.out.line(f"s.pool = {body.zone(event.source)}")
                body.out.line(f"s.kinds = {kinds}")
                body.out.line(f"s.opts = s.pool & {hex((1 << kinds) - 1)}")
            body.out.line("s.who = -1")
            parts[chance.pc] = body
        head = Writer()
        head.line("def again(s: State) -> None:")
        head.depth = 1
        head.line(
            '"""Work out who is asked now and the options; there are none where nobody would be asked."""'
        )
        return self.by_decision(head, parts, "", "None")

    def reopen(self) -> Writer:
        """reopen(s): ask the pending decision again, after the state was changed from outside."""
        head = Writer()
        with head.block("def reopen(s: State) -> i64:"):
            head.line(
                '"""Work out the pending decision anew; where nobody is asked any more, go on."""'
            )
            head.line("again(s)")
            with head.block("if s.opts:"):
                head.line("return 0")
            for ask in self.program.asks:
                with head.block(f"if s.pc == {ask.pc}:"):
                    if ask.choice.if_any:
                        size = count_of(ask.choice.element) or 0
                        head.line(f"return {self.block_names[ask.resume.number]}(s, {size})")
                    else:
                        head.line(f"raise no_option({self.tables.place(ask.choice.span)})")
            for chance in self.program.chances:
                # of an empty zone `again` tells itself
                if isinstance(chance.event, C.SRoll):
                    with head.block(f"if s.pc == {chance.pc}:"):
                        head.line(f"raise nothing_to_roll({self.tables.place(chance.event.span)})")
            head.line("return 0")
        return head

    def facts(self) -> Writer:
        """fact(s, name): the conditions of scenarios, compiled beside the game."""
        head = Writer()
        with head.block("def fact(s: State, name: str) -> bool:"):
            head.line('"""Whether a condition of a scenario holds."""')
            for name, f in self.game.facts.items():
                with head.block(f"if name == {literal(name)}:"):
                    head.line(f"return {self.tables.function_name(f)}(s)")
            head.line("raise lost(-1)")
        return head


def _asks(test: C.Expr) -> bool:
    """Whether a condition fails exactly when one possible(…) does; in a menu it stands after which option it is for."""
    match test:
        case C.CanRun():
            return True
        case C.Op("or", (_, C.CanRun())):
            return True
    return False
