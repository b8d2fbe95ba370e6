"""Typed expressions and statements → text, in words close to those of the language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import (
    AND,
    ATOM,
    CHOICE,
    COMPARE,
    NEGATIVE,
    NOT,
    OPERATIONS,
    OR,
    POSTFIX,
    RANGE,
    SUM,
    TERM,
)
from rulewright.compiler.core.types import (
    BoolT,
    IntT,
    KindT,
    ListT,
    NoneT,
    OptT,
    SetT,
    Type,
    count_of,
    low_of,
    show,
)

INDENT = "    "

_CHAINS = (OR, AND, SUM, TERM)


class CodePrinter:
    """Prints the code of one body after another; a subclass may give other names to what it meets."""

    # whether texts, citations and positions are printed
    wordy = True

    def __init__(self, kinds: Mapping[str, C.Kind]) -> None:
        self.kinds = kinds
        self.shared = Counter(m for kind in kinds.values() for m in kind.members)
        self.begin()

    def begin(self) -> None:
        """A new body: names of locals count from the start again."""
        self.named: dict[int, str] = {}
        self.taken: Counter[str] = Counter()
        self.declared: set[int] = set()

    # ------------------------------------------------------------ names

    def local(self, local: C.Local) -> str:
        """The local's name, with a suffix where the body has another one of that name."""
        if local.number not in self.named:
            self.taken[local.name] += 1
            again = self.taken[local.name]
            self.named[local.number] = local.name if again == 1 else f"{local.name}~{again}"
        return self.named[local.number]

    def function(self, function: C.Function) -> str:
        return function.name

    def procedure(self, procedure: C.Procedure) -> str:
        return procedure.name

    def column(self, kind: C.Kind, column: C.KindColumn) -> str:
        return column.name

    def type(self, t: Type) -> str:
        return show(t)

    def member(self, t: KindT, index: int) -> str:
        """A member by its name, with that of its kind where another kind has it too."""
        kind = self.kinds.get(t.name)
        if kind is None or not 0 <= index < len(kind.members):
            return f"{t.name}#{index}"
        name = kind.members[index]
        text = name if name.isidentifier() else f"'{name}'"
        if t.name in ("Player", "Participant"):
            return f"{t.name}.{name}"
        if self.shared[name] > 1:
            return f"{t.name}.{text}" if t.name.isidentifier() else f"'{t.name}'.{text}"
        return text

    # ------------------------------------------------------------ values

    def value(self, value: object, t: Type | None) -> str:
        """What a number, mask or tuple stands for in a type."""
        match t:
            case BoolT() if value in (0, 1):
                return "true" if value else "false"
            case OptT() | NoneT() if value == -1:
                return "none"
            case OptT(base):
                return self.value(value, base)
            case KindT() if isinstance(value, int):
                return self.member(t, value)
            case SetT(element) if isinstance(value, int) and value >= 0:
                return self._set(value, element)
            case ListT(element) if isinstance(value, tuple):
                return f"[{', '.join(self.value(v, element) for v in value)}]"
            case _:  # others: printed as they are kept
                pass
        return quote(value) if isinstance(value, str) else str(value)

    def _set(self, mask: int, element: KindT | IntT) -> str:
        size = count_of(element)
        if isinstance(element, KindT) and element.size > 1 and mask == (1 << element.size) - 1:
            return self.type(element)
        low = low_of(element)
        bits = [i for i in range(mask.bit_length()) if mask >> i & 1]
        if isinstance(element, IntT) and len(bits) > 2 and len(bits) == bits[-1] - bits[0] + 1:
            return f"{{{bits[0] + low} .. {bits[-1] + low}}}"
        text = ", ".join(self.value(i + low, element) for i in bits)
        return f"{{{text}}}" if size is not None else f"{{{text}}}?"

    # ------------------------------------------------------------ expressions

    def expr(self, e: C.Expr, place: int = CHOICE) -> str:
        text, level = self._expr(e)
        return text if level >= place else f"({text})"

    def exprs(self, items: Iterable[C.Expr]) -> str:
        return ", ".join(self.expr(e) for e in items)

    def _expr(self, e: C.Expr) -> tuple[str, int]:
        """The text without brackets around it, and how tightly it holds together."""
        match e:
            case C.Const(value, t):
                negative = isinstance(value, int) and isinstance(t, IntT) and value < 0
                return self.value(value, t), NEGATIVE if negative else ATOM
            case C.Use(local):
                return self.local(local), ATOM
            case C.Read(var, keys):
                return var.name + "".join(f"[{self.expr(k)}]" for k in keys), POSTFIX
            case C.ZoneUse(zone, keys):
                return zone.name + "".join(f"[{self.expr(k)}]" for k in keys), POSTFIX
            case C.Column(kind, column, C.Op("place", args)):
                return f"{self.column(kind, column)}({self.exprs(args)})", POSTFIX
            case C.Column(kind, column, base):
                return f"{self.expr(base, POSTFIX)}.{self.column(kind, column)}", POSTFIX
            case C.PieceRead(_, field, piece):
                return f"{self.expr(piece, POSTFIX)}.{field}", POSTFIX
            case C.Op():
                return self._op(e)
            case C.Call(function, args):
                return f"{self.function(function)}({self.exprs(args)})", POSTFIX
            case C.CodeCall(kind, column, base, args):
                return self._row(kind, column, base, args), POSTFIX
            case C.Comp():
                return self._comp(e), POSTFIX
            case C.Range(low, high):
                return f"{self.expr(low, SUM)} .. {self.expr(high, SUM)}", RANGE
            case C.CanRun(procedure, of_kind, in_column, of_row, args):
                return (
                    f"possible({self._called(procedure, of_kind, in_column, of_row, args)})",
                    POSTFIX,
                )
            case C.Reveal(operand):
                return f"reveal({self.expr(operand)})", POSTFIX

    def _row(
        self, kind: C.Kind, column: C.KindColumn, base: C.Expr, args: tuple[C.Expr, ...]
    ) -> str:
        return f"{self.expr(base, POSTFIX)}.{self.column(kind, column)}({self.exprs(args)})"

    def _called(
        self,
        procedure: C.Procedure | None,
        kind: C.Kind | None,
        column: C.KindColumn | None,
        base: C.Expr | None,
        args: tuple[C.Expr, ...],
    ) -> str:
        if procedure is not None:
            return f"{self.procedure(procedure)}({self.exprs(args)})"
        if kind is None or column is None or base is None:
            return f"?({self.exprs(args)})"
        return self._row(kind, column, base, args)

    def _op(self, e: C.Op) -> tuple[str, int]:
        args = e.args
        operation = OPERATIONS[e.op]
        match e.op, args:
            case _, (left, right) if operation.infix is not None:
                sign, level = operation.infix
                first = level if level in _CHAINS else level + 1
                return f"{self.expr(left, first)} {sign} {self.expr(right, level + 1)}", level
            case "not", (C.Op("is_none", (inner,)),):
                return f"{self.expr(inner, RANGE)} is not none", COMPARE
            case "not", (C.Op("in" | "in_list", (item, domain)),):
                return f"{self.expr(item, RANGE)} not in {self.expr(domain, RANGE)}", COMPARE
            case "not", (inner,):
                return f"not {self.expr(inner, NOT)}", NOT
            case "neg", (inner,):
                return f"-{self.expr(inner, POSTFIX)}", NEGATIVE
            case "is_none", (inner,):
                return f"{self.expr(inner, RANGE)} is none", COMPARE
            case "if", (test, then, other):
                text = f"{self.expr(then, OR)} if {self.expr(test, OR)} else {self.expr(other)}"
                return text, CHOICE
            case "set", _:
                return f"{{{self.exprs(args)}}}", ATOM
            case "list", _:
                return f"[{self.exprs(args)}]", ATOM
            case "at" | "entry" | "zone_count", (base, index):
                return f"{self.expr(base, POSTFIX)}[{self.expr(index)}]", POSTFIX
            case "next", (base,):
                return f"{self.expr(base, POSTFIX)}.next", POSTFIX
            case "standing", ():
                return (e.kind.name if e.kind is not None else "standing()"), ATOM
            case _:  # others: written as calls
                pass
        return f"{operation.written or e.op}({self.exprs(args)})", POSTFIX

    def _comp(self, e: C.Comp) -> str:
        head = f"{self.local(e.var)} in {self.expr(e.domain, RANGE)}"
        where = "" if e.where is None else f" where {self.expr(e.where)}"
        if e.op == "set":
            return f"{{{head}{where}}}"
        body = f": {self.exprs(e.body)}" if e.body else ""
        default = "" if e.default is None else f" else {self.expr(e.default)}"
        return f"{e.op}({head}{where}{body}{default})"

    def text(self, text: C.Text) -> str:
        parts = []
        for i, p in enumerate(text.parts):
            words = ": " + "/".join(text.forms[i]) if i in text.forms else ""
            parts.append(p if isinstance(p, str) else f"{{{self.expr(p)}{words}}}")
        return quote("".join(parts))

    # ------------------------------------------------------------ statements

    def params(self, params: Iterable[C.Local]) -> str:
        out: list[str] = []
        for p in params:
            self.declared.add(p.number)
            out.append(f"{self.local(p)}: {self.type(p.type)}")
        return ", ".join(out)

    def block(self, stmts: list[C.Stmt], depth: int) -> Iterator[str]:
        """The lines of statements; `pass` stands where there are none."""
        lines = [line for s in stmts for line in self.stmt(s, depth)]
        yield from lines or [f"{INDENT * depth}pass"]

    def stmt(self, s: C.Stmt, depth: int) -> Iterator[str]:
        pad = INDENT * depth
        cites = self.cites(s.cites)
        match s:
            case C.SIf(arms, other):
                for i, (test, body) in enumerate(arms):
                    yield f"{pad}{'elif' if i else 'if'} {self.expr(test)}:{'' if i else cites}"
                    yield from self.block(body, depth + 1)
                if other:
                    yield f"{pad}else:"
                    yield from self.block(other, depth + 1)
            case C.SFor(var, domain, where, body):
                over = self.expr(domain, RANGE)
                only = "" if where is None else f" where {self.expr(where)}"
                yield f"{pad}for {self._new(var)} in {over}{only}:{cites}"
                yield from self.block(body, depth + 1)
            case C.SWhile(goes_on, body):
                head = "loop" if goes_on is None else f"while {self.expr(goes_on)}"
                yield f"{pad}{head}:{cites}"
                yield from self.block(body, depth + 1)
            case C.SChoose():
                yield from self.choose(s, depth)
            case C.STell(text, to):
                if self.wordy:
                    seen = (
                        "" if to is None else f" to {'all but ' if s.others else ''}{self.expr(to)}"
                    )
                    yield f"{pad}tell {self.text(text)}{seen}{cites}"
            case simple:
                yield f"{pad}{self._simple(simple)}{cites}"

    def _new(self, local: C.Local) -> str:
        self.declared.add(local.number)
        return f"{self.local(local)}: {self.type(local.type)}"

    def _let(self, local: C.Local, value: str) -> str:
        if local.number in self.declared:
            return f"{self.local(local)} = {value}"
        return f"{'var' if local.mutable and self.wordy else 'let'} {self._new(local)} = {value}"

    def _simple(self, s: C.Simple) -> str:
        """A statement that takes one line."""
        match s:
            case C.SLet(local, value):
                return self._let(local, self.expr(value))
            case C.SAssign(target, op, value):
                return f"{self.expr(target)} {op}= {self.expr(value)}"
            case C.SBreak():
                return "break"
            case C.SContinue():
                return "continue"
            case C.SReturn(result):
                return "return" if result is None else f"return {self.expr(result)}"
            case C.SRoll(var, domain, element):
                over = self.expr(domain, RANGE)
                self.declared.add(var.number)
                quiet = " quietly" if s.quiet and self.wordy else ""
                seen = "" if s.seen is None else f" seen by {self.expr(s.seen)}"
                digit = "" if s.digit is None else f" digit {self.expr(s.digit)}"
                return f"roll {self.local(var)}: {self.type(element)} in {over}{seen}{digit}{quiet}"
            case C.SDraw(drawn, source, target):
                what = "deal 1" if drawn is None else f"draw {self._new(drawn)}"
                quiet = " quietly" if s.quiet and self.wordy else ""
                what += "" if s.at is None else f" at {self.expr(s.at)}"
                if s.look is not None or s.all_look:
                    who = "all" if s.look is None else self.expr(s.look)
                    return f"{what} from {self.expr(source)} shown to {who}{quiet}"
                to = f"{self.expr(target)}{self._lands(s.lands)}"
                return f"{what} from {self.expr(source)} to {to}{quiet}"
            case C.SMove(count, kind, source, target, revealing):
                what = "all" if kind is None else self.expr(kind)
                many = "" if count is None else f"{self.expr(count)} of "
                what = what if s.at is None else f"{what} at {self.expr(s.at)}"
                shown = f"{self._lands(s.lands)}{' revealing' if revealing else ''}"
                shown += " quietly" if s.quiet and self.wordy else ""
                return f"move {many}{what} from {self.expr(source)} to {self.expr(target)}{shown}"
            case C.SScore(amount, player, reason):
                return f"score {self.expr(amount)} to {self.expr(player)} for {reason}"
            case C.SRun(procedure, of_kind, column, base, args, into):
                call = self._called(procedure, of_kind, column, base, args)
                return call if into is None else self._let(into, call)
            case C.SRequire(test):
                return f"require {self.expr(test)}"
            case C.SPut():
                return self._put(s)
            case C.STake(piece, _, target):
                return f"take {self.expr(piece)} to {self.expr(target)}"
            case C.SShow(piece, _, to):
                return f"show {self.expr(piece)} to {'all' if to is None else self.expr(to)}"
            case C.SReveal(shown):
                return f"reveal {shown}" if self.wordy else "reveal"
            case C.SMark():
                return "mark"
            case C.SChoose() | C.STell():
                raise AssertionError(f"{type(s).__name__} takes several lines, or none")
            case _:
                assert_never(s)

    def _lands(self, lands: C.Landing | None) -> str:
        if lands is None:
            return ""
        if lands.shuffled:
            return " shuffled"
        return " on bottom" if lands.place is None else f" at {self.expr(lands.place)}"

    def _put(self, s: C.SPut) -> str:
        value, source = self.expr(s.value), self.expr(s.source)
        fields = ", ".join(f"{name} = {self.expr(e)}" for name, e in s.fields.items())
        seen = "" if s.seen is None else f" seen by {self.expr(s.seen)}"
        if s.seen_by_all:
            seen = " seen by all"
        given = f" with {fields}" if fields else ""
        self.declared.add(s.var.number)
        return f"put {self.local(s.var)} in {s.standing.name} of {value} from {source}{given}{seen}"

    def choose(self, s: C.SChoose, depth: int) -> Iterator[str]:
        """A decision: who chooses what, under which label and conditions."""
        pad = INDENT * (depth + 1)
        by, domain = self.expr(s.by, RANGE), self.expr(s.domain, RANGE)
        self.declared.add(s.var.number)
        head = (
            f"choose {self.local(s.var)}: {self.type(s.element)} in {domain} by {by} as {s.label}"
        )
        head += "" if s.otherwise is None else f" or {s.otherwise}"
        head += "" if s.stop_if is None else f" when {self.expr(s.stop_if)}"
        head += (" if any" if s.if_any else "") + (" secretly" if s.secret else "")
        yield f"{INDENT * depth}{head}{self.cites(s.cites)}"
        for c in s.where:
            yield f"{pad}where {self.expr(c.test)}{self.cites(c.cites)}"
        if not self.wordy:
            return
        told = self._says(s.say, s.others)
        if told:
            yield f"{pad}{told}"
        for index, (say, others) in sorted(s.option_says.items()):
            told = self._says(say, others)
            if told:
                yield f"{pad}option {self.value(index + low_of(s.element), s.element)} {told}"
        for test, told_then in s.else_says:
            yield f"{pad}else say {self.text(told_then)} if {self.expr(test)}"
        if s.else_say is not None:
            yield f"{pad}else say {self.text(s.else_say)}"

    def _says(self, say: C.Text | None, others: C.Text | None) -> str:
        parts = [] if say is None else [f"say {self.text(say)}"]
        parts += [] if others is None else [f"others {self.text(others)}"]
        return " ".join(parts)

    def cites(self, cites: C.Cites) -> str:
        if not self.wordy or not cites:
            return ""
        return "  " + " ".join(_cite(c) for c in cites)


def _cite(cite: str) -> str:
    word, colon, reason = cite.partition(": ")
    return f"@{word}({quote(reason)})" if colon else f"@{cite}"


def quote(text: str) -> str:
    """A text on one line, in double quotes."""
    clean = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{clean}"'
