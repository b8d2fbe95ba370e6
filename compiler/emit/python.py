"""The low-level program → Python: how tightly operators bind, and how lines are laid out. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import assert_never

from rulewright.compiler.emit.spelling import docstring, inside, literal
from rulewright.compiler.low import program as L
from rulewright.compiler.low.helpers import CONSTANTS, ON_STATE
from rulewright.compiler.low.machine_types import (
    Array,
    Bool,
    Int,
    Items,
    Rows,
    Set,
    Text,
    Type,
    Zone,
    bits,
    is_wide,
)
from rulewright.compiler.low.names import title
from rulewright.runtime.bits import BIT

# how tightly Python binds
TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, UNARY, ATOM = range(13)
_BINARY = {
    "+": SUM, "-": SUM, "*": TERM, "//": TERM, "%": TERM,
    "&": BIT_AND, "|": BIT_OR, "^": BIT_XOR, "<<": SHIFT, ">>": SHIFT,
}  # fmt: skip
# sets with larger numbers are shown by their bits
_HEX_FROM = 1024

# loops over so many numbers have them written out
_SHORT = 16

# a line: how far it is indented, its text, and where it comes from
Line = tuple[int, str, L.Origin]


def python_type(t: Type | None) -> str:
    """The type of a local, parameter or result."""
    match t:
        case None:
            return "None"
        case Bool():
            return "bool"
        case Text():
            return "str"
        case Int() | Set() | Zone():
            return "int"
        case Items():
            return "list[int]"
        case Rows(-1):
            return "list[tuple[int, str]]"
        case Rows(0):
            return "list[tuple[int, ...]]"
        case Rows(width):
            return f"list[tuple[{', '.join(['int'] * width)}]]"
        case Array(Array()):
            return "list[Ints]"
        case Array(Items()):
            return "list[list[int]]"
        case Array(Text()):
            return "list[str]"
        case Array(Bool()):
            return "list[bool]"
        case Array(element):
            return "list[int]" if is_wide(element) else "Ints"
    assert_never(t)


class Printer:
    """Functions → lines; remembers which functions of the runtime they call.

    `numbers`: names of the program that are printed as the numbers that they are, with the names beside them. A number costs the
    interpreter less than a name of the module.
    """

    def __init__(self, numbers: Container[str] = ()) -> None:
        self.numbers = numbers
        self.lines: list[Line] = []
        self.helpers: set[str] = set()
        # what is to be told beside the line that is being made
        self.noted: list[str] = []
        # locals of the function being printed whose type has been said, and what the lines so far are part of
        self.said: set[str] = set()
        self.owner = ""

    # ------------------------------------------------------------ functions and statements

    def function(self, f: L.Function) -> list[Line]:
        self.lines = []
        self.said = {p.name for p in f.params}
        params = ["s: State"] if f.state else []
        params += [f"{p.name}: {python_type(p.type)}" for p in f.params]
        self._line(0, f"def {f.name}({', '.join(params)}) -> {python_type(f.result)}:", f.at)
        self._line(1, docstring(f.title), f.at)
        self.owner = f.at.owner
        if f.keeps:
            self._giving_back(f)
            return self.lines
        for s in f.body:
            self.stmt(s, 1)
        return self.lines

    def _giving_back(self, f: L.Function) -> None:
        """What is stored into arrays goes into copies of them."""
        for field, was in f.keeps:
            self._line(1, f"{was.name} = s.{field.name}", f.at)
            if isinstance(field.type, Array | Rows):
                self._line(1, f"s.{field.name} = {was.name}.copy()", f.at)
        self.block("try:", f.body, 1, f.at)
        self._line(1, "finally:", f.at)
        for field, was in f.keeps:
            self._line(2, f"s.{field.name} = {was.name}", f.at)

    def _line(self, depth: int, text: str, at: L.Origin) -> None:
        if self.noted:
            text += f"  # {', '.join(self.noted)}"
            self.noted = []
        self.lines.append((depth, text, at))

    def _holds(self, e: L.Expr) -> None:
        """What a shared slot holds here, where it goes by another name."""
        if isinstance(e, L.Field) and e.holds not in ("", e.name):
            self.noted.append(e.holds)

    def block(self, head: str, body: Sequence[L.Stmt], depth: int, at: L.Origin) -> None:
        self._line(depth, head, at)
        before, owner = len(self.lines), self.owner
        for s in body:
            self.stmt(s, depth + 1)
        self.owner = owner
        if len(self.lines) == before:
            self._line(depth + 1, "pass", at)

    def stmt(self, s: L.Stmt, depth: int) -> None:
        if s.at.owner not in ("", self.owner) and not isinstance(s, L.Return):
            # what follows stands in another procedure of the rules
            self.owner = s.at.owner
            self._line(depth, f"# {docstring(title(s.at.owner, s.at.cites))[3:-3]}", L.NO_ORIGIN)
        match s:
            case L.Let(local, value, at):
                self._holds(value)
                self._line(depth, f"{self._declared(local)} = {self.expr(value)}", at)
            case L.Store(place, value, op, at):
                self._holds(place)
                self._line(depth, f"{self.expr(place)} {op}= {self.expr(value)}", at)
            case L.Do(call, at):
                self._line(depth, self.expr(call), at)
            case L.If():
                self._if(s, depth, "if")
            case L.For(var, over, body, other, at):
                if var.name not in self.said and var.name != "_":
                    self._line(depth, self._declared(var), at)
                self.block(f"for {var.name} in {self._over(over)}:", body, depth, at)
                if other:
                    self.block("else:", other, depth, at)
            case L.Loop(body, at):
                self.block("while True:", body, depth, at)
            case L.Break(at):
                self._line(depth, "break", at)
            case L.Continue(at):
                self._line(depth, "continue", at)
            case L.Return(value, at):
                self._line(depth, "return" if value is None else f"return {self.expr(value)}", at)
            case L.Raise("endless", _, at):
                self._line(depth, "raise api.endless(GAME, s)", at)
            case L.Raise(error, args, at):
                self.helpers.add(error)
                self._line(depth, f"raise {error}({self._list(args)})", at)
            case L.Append(to, value, at):
                self._line(depth, f"{to.name}.append({self.expr(value)})", at)
            case L.Tell(to, text, at):
                self._line(depth, f"s.story.append(({self.expr(to)}, {self.expr(text)}))", at)
            case L.Hit(number, at):
                self._line(depth, f"s.hits[{number}] += 1", at)
            case L.Mark():
                pass
            case _:
                assert_never(s)

    def _if(self, s: L.If, depth: int, word: str) -> None:
        self.block(f"{word} {self.expr(s.test)}:", s.body, depth, s.at)
        match s.other:
            case ():
                pass
            case (L.If() as inner,):
                self._if(inner, depth, "elif")
            case _:  # others: a block of its own
                self.block("else:", s.other, depth, s.at)

    def _declared(self, local: L.Local) -> str:
        if local.name in self.said:
            return local.name
        self.said.add(local.name)
        return f"{local.name}: {python_type(local.type)}"

    def _over(self, over: L.Range | L.Members | L.Expr) -> str:
        match over:
            case L.Range(L.Number(start), L.Number(stop), step) if (
                1 < len(range(start, stop, step)) <= _SHORT
            ):
                # the numbers themselves are sooner there than what makes them
                return str(tuple(range(start, stop, step)))
            case L.Range(start, stop, step):
                parts = [self.expr(start), self.expr(stop), str(step)]
                if step == 1:
                    parts.pop()
                    if parts[0] == "0":
                        parts.pop(0)
                return f"range({', '.join(parts)})"
            case L.Members(members, 0):
                return self._help("members", self.expr(members))
            case L.Members(members, base):
                return self._help("members_from", f"{self.expr(members)}, {base}")
            case _:
                return self.expr(over)

    def _help(self, name: str, args: str) -> str:
        self.helpers.add(name)
        return f"{name}({args})"

    # ------------------------------------------------------------ expressions

    def expr(self, e: L.Expr, need: int = TERNARY) -> str:
        text, has = self._expr(e)
        return text if has >= need else f"({text})"

    def _list(self, args: Sequence[L.Expr]) -> str:
        return ", ".join(self.expr(x) for x in args)

    def _expr(self, e: L.Expr) -> tuple[str, int]:
        match e:
            case L.Number():
                return self._number(e)
            case L.Words(text):
                return literal(text), ATOM
            case L.Local(name):
                return name, ATOM
            case L.TableUse(name):
                return self._named(name), ATOM
            case L.Field(name):
                return f"s.{name}", ATOM
            case L.Item(base, index):
                return f"{self.expr(base, ATOM)}[{self.expr(index)}]", ATOM
            case L.Binary(op, left, right):
                level = _BINARY[op]
                return f"{self.expr(left, level)} {op} {self.expr(right, level + 1)}", level
            case L.Unary("rest", operand):
                inner = self.expr(operand, ATOM)
                return f"{inner} & ({inner} - 1)", BIT_AND
            case L.Unary(op, operand):
                return f"{op}{self.expr(operand, UNARY)}", UNARY
            case L.Has(members, place):
                return self._has(members, place)
            case L.One(place, t):
                return self._one(place, t), ATOM
            case L.Compare(op, left, right):
                return f"{self.expr(left, BIT_OR)} {op} {self.expr(right, BIT_OR)}", COMPARE
            case L.Between(low, value, high):
                parts = (self.expr(x, BIT_OR) for x in (low, value, high))
                return " <= ".join(parts), COMPARE
            case L.Logic(op, left, right):
                level = AND if op == "and" else OR
                return f"{self.expr(left, level)} {op} {self.expr(right, level + 1)}", level
            case L.Not(operand):
                return f"not {self.expr(operand, NOT)}", NOT
            case L.Pick(test, yes, no):
                text = f"{self.expr(yes, OR)} if {self.expr(test, OR)} else {self.expr(no)}"
                return text, TERNARY
            case L.Call(name, args, _, state):
                given = [*(["s"] if state else []), *(self.expr(x) for x in args)]
                return f"{self._named(name)}({', '.join(given)})", ATOM
            case L.Help("copy", (whole,)):
                return f"{self.expr(whole, ATOM)}.copy()", ATOM
            case L.Help("first", (L.Local(name),)):  # written out, which saves a call
                return f"({name} & -{name}).bit_length() - 1", SUM
            case L.Help("topmost", (L.Local(name),)):
                return f"{name}.bit_length() - 1", SUM
            case L.Help(name, args):
                return self._help(name, self._list(args)), ATOM
            case L.ListOf(items):
                return f"[{self._list(items)}]", ATOM
            case L.Row(items):
                return f"({self._list(items)})", ATOM
            case L.Sentence(words):
                return self._sentence(words), ATOM
        assert_never(e)

    def _named(self, name: str) -> str:
        """A table or function, of the program or of the runtime."""
        if name in CONSTANTS or name in ON_STATE:
            self.helpers.add(name)
        return name

    def _number(self, e: L.Number) -> tuple[str, int]:
        if e.name in self.numbers:
            self.noted.append(e.name)
            return str(e.value), ATOM
        if e.name:
            self.helpers.add(e.name)
            return e.name, ATOM
        match e.type:
            case Bool():
                return ("True" if e.value else "False"), ATOM
            case Set() | Zone() if e.value >= _HEX_FROM:
                return hex(e.value), ATOM
            case Array() | Int() | Items() | Rows() | Set() | Text() | Zone():
                return str(e.value), ATOM if e.value >= 0 else UNARY
            case _:
                assert_never(e.type)

    def _has(self, members: L.Expr, place: L.Expr) -> tuple[str, int]:
        """A known member by its bit; of many, by the set of it alone, which is quicker than to shift them all."""
        if isinstance(place, L.Number) and place.value >= 0:
            return f"{self.expr(members, BIT_AND)} & {1 << place.value}", BIT_AND
        high = place.type.high if isinstance(place.type, Int) else None
        if is_wide(members.type) or (
            isinstance(members, L.Number) and (64 if high is None else high + 1) > 32
        ):
            return f"{self.expr(members, BIT_AND)} & {self._one(place, members.type)}", BIT_AND
        return f"{self.expr(members, SHIFT)} >> {self.expr(place, SUM)} & 1", BIT_AND

    def _one(self, place: L.Expr, t: Type) -> str:
        """From a table, which is quicker than to shift."""
        if isinstance(t, Set | Zone) and bits(t) > len(BIT):
            return self._help("bit", self.expr(place))
        self.helpers.add("BIT")
        return f"BIT[{self.expr(place)}]"

    def _sentence(self, parts: tuple[str | L.Expr, ...]) -> str:
        """Texts of a spec between holes; nothing in them can end the string."""
        if len(parts) == 1 and isinstance(parts[0], str):
            return literal(parts[0])
        out = (inside(p) if isinstance(p, str) else f"{{{self.expr(p)}}}" for p in parts)
        return f'f"{"".join(out)}"'
