"""What all printers of C share: how values are named and typed, and where in the rules a statement stands.

Expressions are asked for in the form in which they are needed: as a number, as a set of so many words, as a truth value, or as a
list. The modules for each form reach each other through this class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import assert_never

from rulewright.compiler.emit import c_types as K
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L

# files and lines share one number: so many bits for the line
LINE_BITS = 24


def is_set(t: T.Type | None) -> bool:
    return isinstance(t, T.Set | T.Zone)


def field(name: str) -> str:
    """A field of the state; names of the rules may be words of C, so each sort of name has letters of its own in front."""
    return f"s->x_{name}"


def local(name: str) -> str:
    return f"v_{name}"


def table(name: str) -> str:
    return f"t_{name}"


def function(name: str) -> str:
    return f"fn_{name}"


class Naming(ABC):
    """Names and types of one program in C; remembers which sets and lists it has."""

    def __init__(self, program: L.Program, longest: int) -> None:
        self.fields = {f.name: f for f in program.fields}
        self.tables = {t.name: t for t in program.tables}
        self.functions = {f.name: f for f in program.functions}
        self.longest = longest
        self.sets: set[int] = set()
        self.lists: dict[str, K.Items] = {}
        self.files: list[str] = []
        # the file and line of the statement being printed
        self.at = "0"
        self.made = 0

    # ------------------------------------------------------------ types

    def place(self, at: L.Origin) -> str:
        """The file and line of a rule as one number, 0 if it has none."""
        if not at.span.line:
            return "0"
        if at.span.file not in self.files:
            self.files.append(at.span.file)
        return str((self.files.index(at.span.file) + 1) << LINE_BITS | at.span.line)

    def fresh(self, wish: str) -> str:
        self.made += 1
        return f"{wish}_{self.made}"

    def items(self, t: T.Items) -> K.Items:
        found = K.items(t, self.longest)
        if found.cell.words > 1:
            self.sets.add(found.cell.words)
        return self.lists.setdefault(found.c, found)

    def set_type(self, n: int) -> str:
        if n > 1:
            self.sets.add(n)
        return K.set_type(n)

    def type(self, t: T.Type | None) -> str:
        """The type of a local, parameter or result."""
        match t:
            case None:
                return "void"
            case T.Bool():
                return "bool"
            case T.Int():
                return "int64_t"
            case T.Set() | T.Zone():
                return self.set_type(K.words(t))
            case T.Items():
                return self.items(t).c
            case T.Rows():
                return "rw_rows"
            case T.Array(element):
                # a row of numbers that the function writes into
                return f"{K.cell(element).c} *"
            case T.Text():
                raise AssertionError(f"no local is {T.show(t)}")
            case _:
                assert_never(t)

    def real_type(self, e: L.Expr) -> T.Type:
        """The type of what an expression names, which may be wider than what is known of it here."""
        match e:
            case L.Field(name):
                return self.fields[name].type
            case L.TableUse(name):
                return self.tables[name].type
            case L.Item(base):
                outer = self.real_type(base)
                assert isinstance(outer, T.Array | T.Items)
                return outer.element
            case L.Call(name) if name in self.functions:
                result = self.functions[name].result
                return e.type if result is None else result
            case (
                L.Number()
                | L.Words()
                | L.Local()
                | L.Binary()
                | L.Unary()
                | L.Has()
                | L.One()
                | L.Compare()
                | L.Between()
                | L.Logic()
                | L.Not()
                | L.Pick()
                | L.Call()
                | L.Help()
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                return e.type
            case _:
                assert_never(e)

    # ------------------------------------------------------------ values as they are kept

    def lvalue(self, e: L.Expr) -> str:
        """What names a value: a field, local, table or an entry of one."""
        match e:
            case L.Field(name):
                return field(name)
            case L.Local(name):
                return local(name)
            case L.TableUse(name):
                return table(name)
            case L.Item(base, index):
                outer = self.real_type(base)
                if isinstance(outer, T.Array):
                    return f"{self.lvalue(base)}[{self.index(index, str(outer.length))}]"
                inner = self.lvalue(base)
                return f"{inner}.a[{self.index(index, f'{inner}.n')}]"
            case (
                L.Number()
                | L.Words()
                | L.Binary()
                | L.Unary()
                | L.Has()
                | L.One()
                | L.Compare()
                | L.Between()
                | L.Logic()
                | L.Not()
                | L.Pick()
                | L.Call()
                | L.Help()
                | L.ListOf()
                | L.Row()
                | L.Sentence()
            ):
                raise AssertionError(f"{e} names nothing")
            case _:
                assert_never(e)

    def index(self, index: L.Expr, length: str) -> str:
        if isinstance(index, L.Number) and length.isdigit() and 0 <= index.value < int(length):
            return str(index.value)
        return f"rw_at({self.number(index)}, {length}, {self.at})"

    @abstractmethod
    def number(self, e: L.Expr) -> str:
        """An expression as a number."""

    @abstractmethod
    def truth(self, e: L.Expr) -> str:
        """Whether something holds, is not zero, or not empty."""

    @abstractmethod
    def members(self, e: L.Expr, n: int) -> str:
        """A set as n words; what does not fit into them is cut off."""

    @abstractmethod
    def list(self, e: L.Expr, t: K.Items) -> str:
        """A list with room for so many entries; a longer one, or entries that do not fit, are an error."""

    def value(self, e: L.Expr, t: T.Type) -> str:
        """An expression as a value of a type."""
        match t:
            case T.Bool():
                return self.truth(e)
            case T.Int():
                return self.number(e)
            case T.Set() | T.Zone():
                return self.members(e, K.words(t))
            case T.Items():
                return self.list(e, self.items(t))
            case T.Array():
                return self.lvalue(e)
            case T.Rows() | T.Text():
                raise AssertionError(f"no value is {T.show(t)}")
            case _:
                assert_never(t)

    def call(self, e: L.Call) -> str:
        f = self.functions[e.name]
        given = [
            *(["s"] if e.state else []),
            *(self.value(a, p.type) for a, p in zip(e.args, f.params, strict=True)),
        ]
        return f"{function(e.name)}({', '.join(given)})"
