"""The low-level program: what is left of a ruleset when every decision about speed and layout is made.

Functions over one state, made of locals, fields, arrays and sets as words. Every expression has a type of `machine_types.py`, every
statement knows where in the rules it comes from. Nothing recurses, nothing stops: a function that asks gives back a number of
the dispatcher. Printers put this into a language and decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rulewright.compiler.low.machine_types import (
    ANY_ROWS,
    BOOL,
    FLAG,
    INT,
    TEXT,
    Array,
    Int,
    Items,
    Set,
    Type,
)
from rulewright.compiler.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a statement comes from: its place, the procedure or function it stands in, the clauses of that."""

    span: Span = NOWHERE
    owner: str = ""
    cites: tuple[str, ...] = ()


NO_ORIGIN = Origin()

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Number:
    """A number, set or truth value that is known; `name` where the program has a name for it."""

    value: int
    type: Type = INT
    name: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A text that is known."""

    text: str
    type: Type = TEXT


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter or local; its name is unique in its function."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the state; `holds`: the name of the local that a slot holds here, for people."""

    name: str
    type: Type
    holds: str = ""


@dataclass(frozen=True, slots=True)
class TableUse:
    """A table of the program."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Item:
    """The entry of an array or list at a place counted from 0."""

    base: Expr
    index: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """+ - * // % of numbers; & | ^ << >> of sets. // and % round down, as in the rules."""

    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Unary:
    """- of a number; ~ of a set; `rest` of a set: all but its first member."""

    op: str
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Has:
    """Whether a set or zone has the member that stands at a place: not zero if it does."""

    set: Expr
    place: Expr
    type: Type = FLAG


@dataclass(frozen=True, slots=True)
class One:
    """The set of the member that stands at a place."""

    place: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Compare:
    """== != < <= > >= of numbers and sets; `in` of a number and a list."""

    op: str
    left: Expr
    right: Expr
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Between:
    """low <= value <= high"""

    low: Expr
    value: Expr
    high: Expr
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Logic:
    """`and`, `or`: the right side is looked at only where the left one leaves it open."""

    op: str
    left: Expr
    right: Expr
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr
    type: Type = BOOL


@dataclass(frozen=True, slots=True)
class Pick:
    """One value or the other; only that one is worked out."""

    test: Expr
    yes: Expr
    no: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the program, with the state where it takes one."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    state: bool = True


@dataclass(frozen=True, slots=True)
class Help:
    """A function of the runtime; what there is stands in `helpers.py`."""

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ListOf:
    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Row:
    """A row of numbers."""

    items: tuple[Expr, ...]
    type: Type = ANY_ROWS


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text with holes."""

    parts: tuple[str | Expr, ...]
    type: Type = TEXT


Expr: TypeAlias = (
    Number | Words | Local | Field | TableUse | Item | Binary | Unary | Has | One | Compare | Between | Logic | Not
    | Pick | Call | Help | ListOf | Row | Sentence
)  # fmt: skip
Place: TypeAlias = Local | Field | Item

TRUE, FALSE = Number(1, BOOL), Number(0, BOOL)

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let:
    """A local gets a value."""

    local: Local
    value: Expr
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Store:
    """A place gets a value; with an operation, what it holds is changed by it (+ - & | ^ << >>)."""

    place: Place
    value: Expr
    op: str = ""
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Do:
    """A call for what it does."""

    call: Call | Help
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from `start` up to and without `stop`, or down to and without it."""

    start: Expr
    stop: Expr
    step: int = 1


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set, as it is when the loop begins, in order."""

    set: Expr
    base: int = 0


@dataclass(frozen=True, slots=True)
class For:
    """The local goes over a range, the members of a set, or the entries of a list; `other` runs where nothing broke it off."""

    var: Local
    over: Range | Members | Expr
    body: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Loop:
    """Again and again, until something breaks it off."""

    body: tuple[Stmt, ...]
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Break:
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Continue:
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None = None
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Raise:
    """An error of the runtime: its name, and what it is told."""

    error: str
    args: tuple[Expr, ...]
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Append:
    """A row or number at the end of a list that this function has made."""

    to: Local
    value: Expr
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Tell:
    """A line of the story, for a seat (-1: all, below that all but one)."""

    to: Expr
    text: Expr
    at: Origin = NO_ORIGIN


@dataclass(frozen=True, slots=True)
class Mark:
    """Here a statement of the rules begins, which the full flavour counts; `counters.py` gives it its number."""

    at: Origin = NO_ORIGIN
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """Counts that a statement of the rules has run."""

    number: int
    at: Origin = NO_ORIGIN


# without statements inside
Simple: TypeAlias = (
    Let | Store | Do | Break | Continue | Return | Raise | Append | Tell | Mark | Hit
)  # fmt: skip
Stmt: TypeAlias = Simple | If | For | Loop

# ---------------------------------------------------------------- the whole


@dataclass(frozen=True, slots=True)
class Function:
    """`state`: it takes the state first. `title` says in words what it is, with its clauses.

    `keeps`: fields that are as before when it ends, whatever it stored there, each with a name for what it held.
    """

    name: str
    params: tuple[Local, ...]
    result: Type | None
    title: str
    body: tuple[Stmt, ...]
    state: bool = True
    at: Origin = NO_ORIGIN
    keeps: tuple[tuple[Field, Local], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Constants side by side: numbers, truth values, texts, or lists of numbers."""

    name: str
    type: Array | Items
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class StateField:
    """A field of the state, with the values it has before the first step; `about` says in words what it holds."""

    name: str
    type: Type
    first: tuple[object, ...]
    about: str = ""
    # whether it holds a local or a return across decisions
    slot: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """All of one engine. Lists of functions by number hold None where a number has none."""

    fields: tuple[StateField, ...]
    tables: tuple[Table, ...]
    functions: tuple[Function, ...]
    start: str
    decisions: tuple[str | None, ...]
    points: tuple[str | None, ...]
    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    # numbers of the dispatcher that go by a name
    numbers: tuple[Number, ...] = ()


def number(value: int, t: Type | None = None) -> Number:
    """A known number of its own type."""
    return Number(value, Int(value, value) if t is None else t)


def list_type(element: Int | Set = INT) -> Items:
    return Items(element, None)
