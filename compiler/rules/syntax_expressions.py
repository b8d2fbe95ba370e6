"""The syntax tree of names, citations, expressions and types: plain data, one class for each construct.

Spans do not take part in comparison, so that a tree and the tree of its printed text are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rulewright.compiler.text.source import NOWHERE, Span


def no_span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier where it is used or declared."""

    text: str
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Cite:
    """Where a rule comes from: a clause (`kind` "clause"), or marked "assumed" or "stand-in" with a reason."""

    kind: str
    text: str
    span: Span = no_span()


Cites: TypeAlias = tuple[Cite, ...]

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Num:
    value: int
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class NoneLit:
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Ref:
    """A bare name: a local, a parameter, state, a constant, a kind or a member of one."""

    name: str
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Quoted:
    """A member written in quotes because its name has dots or dashes: 'north.gate.1'."""

    name: str
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Attr:
    base: Expr
    name: Name
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Index:
    base: Expr
    index: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Call:
    """f(a, b), row.column(a, b) and the built-in functions."""

    func: Expr
    args: tuple[Expr, ...]
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Comp:
    """any(x in D where c: e, ...) and its sisters all, count, sum, min, max, union, best, sort, groups."""

    op: str
    var: Name
    domain: Expr
    where: Expr | None
    body: tuple[Expr, ...]
    default: Expr | None
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class SetOf:
    """{x in D where c} and {x in D}"""

    var: Name
    domain: Expr
    where: Expr | None
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class SetLit:
    items: tuple[Expr, ...]
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class ListLit:
    items: tuple[Expr, ...]
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # "-" or "not"
    operand: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Binary:
    """op: + - * // % | & and or == != < <= > >= in, not in, meets, within, .."""

    op: str
    left: Expr
    right: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class IsNone:
    operand: Expr
    negated: bool
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Choice:
    """a if c else b"""

    test: Expr
    then: Expr
    other: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Possible:
    """possible(call): whether a procedure can be carried out now."""

    call: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class After:
    """after(call: value): what the value would be if the procedure had run; nothing changes."""

    call: Expr
    value: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Reveal:
    """reveal(e): the hidden value, from now on known to all."""

    operand: Expr
    span: Span = no_span()


Expr: TypeAlias = (
    Num | Truth | NoneLit | Ref | Quoted | Attr | Index | Call | Comp | SetOf | SetLit | ListLit
    | Unary | Binary | IsNone | Choice | Possible | After | Reveal
)  # fmt: skip

# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class RangeType:
    low: Expr
    high: Expr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class NamedType:
    """A kind, Player, Participant, int or bool."""

    name: str
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class OptionType:
    base: TypeExpr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class SetType:
    element: TypeExpr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class MapType:
    key: TypeExpr
    value: TypeExpr
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class ListType:
    element: TypeExpr
    limit: Expr | None
    span: Span = no_span()


TypeExpr: TypeAlias = RangeType | NamedType | OptionType | SetType | MapType | ListType


@dataclass(frozen=True, slots=True)
class Param:
    name: Name
    type: TypeExpr
    span: Span = no_span()


# What a column of a table may hold besides values.


@dataclass(frozen=True, slots=True)
class CodeType:
    """procedure(me: Player) or function(me: Player) -> T: code, run by row.column(...)."""

    params: tuple[Param, ...]
    result: TypeExpr | None
    is_function: bool
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class HookType:
    """hook(me: Player) when e: code that changes or follows open functions and procedures while e holds."""

    params: tuple[Param, ...]
    when: Expr
    span: Span = no_span()


ColumnType: TypeAlias = TypeExpr | CodeType | HookType
