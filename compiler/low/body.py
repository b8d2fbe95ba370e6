"""One function being lowered: its statements so far, its locals under their names, and what they share with others.

The modules that lower one kind of thing each take a body and give back an expression; what has to happen before it is added to
the body's statements. They reach each other through the body alone, which `lower_statements.py` makes whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BoolT, IntT, KindT, count_of, low_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.names import python_name
from rulewright.compiler.low.shared_tables import Tables
from rulewright.compiler.low.state_layout import Layout, low_type
from rulewright.compiler.low.walk_low import expressions
from rulewright.compiler.text.source import Span


class Body(ABC):
    def __init__(
        self,
        layout: Layout,
        tables: Tables,
        slots: dict[int, str],
        aliases: dict[int, int] | None = None,
    ) -> None:
        self.statements: list[L.Stmt] = []
        self.at = L.NO_ORIGIN
        self.layout = layout
        self.tables = tables
        self.slots = slots
        self.aliases = aliases or {}
        # short functions are laid in and short loops written out; the full flavour keeps them for its counters
        self.inline = True
        # how many functions are being laid into each other, and the room left for them
        self.levels = 0
        self.room = 0
        self.names = tables.names.inner(("s", "x", "low", "_"))
        self.locals: dict[int, L.Local] = {}
        # the options of the decision being asked; each decision has a set of its own
        self.options = L.Local("m", T.NO_SET)

    # ------------------------------------------------------------ what the other modules give it

    @abstractmethod
    def expr(self, e: C.Expr) -> L.Expr:
        """The value of an expression."""

    @abstractmethod
    def test(self, e: C.Expr) -> L.Expr:
        """A condition, where only whether it is zero or empty counts."""

    @abstractmethod
    def truth(self, e: C.Expr) -> L.Expr:
        """A condition as a truth value."""

    @abstractmethod
    def stmts(self, stmts: list[C.Stmt]) -> None:
        """Statements of the rules, one after another."""

    def result(self, e: C.Expr) -> L.Expr:
        """A value where its type is seen: conditions become truth values."""
        return self.truth(e) if isinstance(e.type, BoolT) else self.expr(e)

    # ------------------------------------------------------------ statements

    @contextmanager
    def aside(self) -> Iterator[list[L.Stmt]]:
        """Statements are collected in the list that it gives, and not in the body."""
        kept = self.statements
        found: list[L.Stmt] = []
        self.statements = found
        yield found
        self.statements = kept

    @contextmanager
    def place(self, span: Span) -> Iterator[None]:
        """What is added comes from there; what the compiler puts in by itself, from where it stands."""
        old = self.at
        self.at = L.Origin(span if span.line else old.span, old.owner, old.cites)
        yield
        self.at = old

    @contextmanager
    def owned(self, owner: str, cites: C.Cites) -> Iterator[None]:
        """What is added is part of that procedure."""
        old = self.at
        self.at = L.Origin(old.span, owner, cites)
        yield
        self.at = old

    def let(self, local: L.Local, value: L.Expr) -> L.Local:
        self.statements.append(L.Let(local, value, self.at))
        return local

    def store(self, place: L.Place, value: L.Expr, op: str = "") -> None:
        self.statements.append(L.Store(place, value, op, self.at))

    def do(self, call: L.Call | L.Help) -> None:
        self.statements.append(L.Do(call, self.at))

    @contextmanager
    def when(self, test: L.Expr) -> Iterator[None]:
        """if test: what is added inside."""
        at = self.at
        with self.aside() as body:
            yield
        if not isinstance(test, L.Number):
            self.statements.append(L.If(test, tuple(body), (), at))
        elif test.value:
            self.statements.extend(body)

    @contextmanager
    def over(self, var: L.Local, over: L.Range | L.Members | L.Expr) -> Iterator[None]:
        at = self.at
        with self.aside() as body:
            yield
        self.statements.append(L.For(var, over, tuple(body), (), at))

    def give(self, value: L.Expr | None) -> None:
        self.statements.append(L.Return(value, self.at))

    def fail(self, error: str, *args: L.Expr) -> None:
        self.statements.append(L.Raise(error, args, self.at))

    def fail_if(self, test: L.Expr, error: str, *args: L.Expr) -> None:
        with self.when(test):
            self.fail(error, *args)

    # ------------------------------------------------------------ locals

    def name(self, wish: str) -> str:
        """A name that neither this function nor the module uses yet."""
        return self.names.new(wish)

    def temp(self, wish: str, t: T.Type) -> L.Local:
        return L.Local(self.name(wish), t)

    def ask(self, element: KindT | IntT) -> None:
        """From here on `options` are those of a choice among so many, and of what declines."""
        self.options = self.temp("m", T.Set((count_of(element) or 0) + 1))

    def local(self, local: C.Local) -> L.Local:
        number = self.aliases.get(local.number, local.number)
        if number not in self.locals:
            self.locals[number] = self.temp(python_name(local.name), low_type(local.type))
        return self.locals[number]

    def slot(self, local: C.Local) -> L.Field | None:
        number = self.aliases.get(local.number, local.number)
        return self.layout.by_local[number] if number in self.slots else None

    def load(self, local: C.Local) -> None:
        """A local that lives in the state across decisions, under its name again."""
        value: L.Expr = self.layout.by_local[local.number]
        if isinstance(local.type, BoolT):
            value = L.Compare("!=", value, L.number(0))
        self.let(self.local(local), value)

    def define(self, local: C.Local, value: L.Expr) -> None:
        name = self.local(local)
        if value != name:
            self.let(name, value)
        self.keep(local)

    def keep(self, local: C.Local) -> None:
        """Into the state what must live across a decision."""
        slot = self.slot(local)
        if slot is not None:
            self.store(slot, self.local(local))

    def simple(self, value: L.Expr, wish: str) -> L.Local | L.Number | L.TableUse:
        """The value as a name or number, so that it can be used twice."""
        if isinstance(value, L.Local | L.Number | L.TableUse):
            return value
        return self.let(self.temp(wish, value.type), value)

    # ------------------------------------------------------------ small expressions

    def index(self, e: C.Expr, base: int) -> L.Expr:
        """The place of a value in a map or set that begins at `base`."""
        return minus(self.expr(e), base)

    def base(self, t: object) -> int:
        return low_of(t) if isinstance(t, KindT | IntT) else 0


def shifted(t: T.Type, by: int) -> T.Type:
    """The type of a number with another one added."""
    if not isinstance(t, T.Int):
        return T.INT
    return T.Int(None if t.low is None else t.low + by, None if t.high is None else t.high + by)


def plus(e: L.Expr, n: int) -> L.Expr:
    """A number and a known one, where that is another number at all."""
    if isinstance(e, L.Number):
        return L.number(e.value + n)
    if n == 0:
        return e
    t = shifted(e.type, n)
    return L.Binary("+", e, L.number(n), t) if n > 0 else L.Binary("-", e, L.number(-n), t)


def minus(e: L.Expr, n: int) -> L.Expr:
    return plus(e, -n)


def scaled(e: L.Expr, n: int) -> L.Expr:
    """A number times a known one."""
    if isinstance(e, L.Number):
        return L.number(e.value * n)
    if n == 1:
        return e
    if n == 0 and not any(isinstance(x, L.Call) for x in expressions([e])):
        return L.number(0)
    t = e.type
    if not isinstance(t, T.Int) or t.low is None or t.high is None:
        return L.Binary("*", e, L.number(n), T.INT)
    return L.Binary("*", e, L.number(n), T.Int(t.low * n, t.high * n))


def added(a: L.Expr, b: L.Expr) -> L.Expr:
    """Two numbers of a place."""
    if isinstance(b, L.Number):
        return plus(a, b.value)
    if isinstance(a, L.Number):
        return b if a.value == 0 else L.Binary("+", a, b, shifted(b.type, a.value))
    x, y = a.type, b.type
    t = T.INT
    if isinstance(x, T.Int) and isinstance(y, T.Int):
        low = None if x.low is None or y.low is None else x.low + y.low
        t = T.Int(low, None if x.high is None or y.high is None else x.high + y.high)
    return L.Binary("+", a, b, t)


def common(a: L.Expr, b: L.Expr, t: T.Type) -> L.Expr:
    """What two sets have in common, worked out where both are known."""
    if isinstance(a, L.Number) and isinstance(b, L.Number):
        return L.Number(a.value & b.value, t)
    return L.Binary("&", a, b, t)


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(e: L.Expr) -> L.Expr:
    """A condition that holds where this one does not."""
    match e:
        case L.Not(inner):
            return inner
        case L.Number(value):
            return L.FALSE if value else L.TRUE
        case L.Compare("!=", inner, L.Number(0)):
            return L.Not(inner)
        case L.Compare(op, left, right, t) if op in _OPPOSITE:
            return L.Compare(_OPPOSITE[op], left, right, t)
        case _:  # others: have no shorter opposite
            return L.Not(e)


def as_truth(e: L.Expr) -> L.Expr:
    """What only counts as zero or not, made into a truth value."""
    if isinstance(e, L.Number):
        return L.TRUE if e.value else L.FALSE
    return e if isinstance(e.type, T.Bool) else L.Compare("!=", e, L.number(0))


def size_of(e: L.Expr) -> L.Expr:
    """How many members a set or zone has."""
    match e.type:
        case T.Set(size):
            return L.Help("size", (e,), T.Int(0, size))
        case T.Zone(kinds, copies):
            return L.Help("size", (e,), T.Int(0, kinds * (copies + 1)))
        case T.Array() | T.Bool() | T.Int() | T.Items() | T.Rows() | T.Text():
            return L.Help("size", (e,), T.Int(0, None))
        case _:
            assert_never(e.type)


def full(t: T.Set) -> int:
    return (1 << t.size) - 1


def set_of(value: int, t: T.Type) -> L.Number:
    """A known set."""
    return L.Number(value, t)
