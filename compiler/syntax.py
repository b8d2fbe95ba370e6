"""The syntax tree of the rules language: plain data, one class for each construct.

Spans do not take part in comparison, so that a tree and the tree of its printed text are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rulewright.compiler.source import NOWHERE, Span


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier where it is used or declared."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Cite:
    """Where a rule comes from: a clause (`kind` "clause"), or marked "assumed" or "stand-in" with a reason."""

    kind: str
    text: str
    span: Span = _span()


Cites: TypeAlias = tuple[Cite, ...]

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Num:
    value: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class NoneLit:
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Ref:
    """A bare name: a local, a parameter, state, a constant, a kind or a member of one."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Quoted:
    """A member written in quotes because its name has dots or dashes: 'north.gate.1'."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Attr:
    base: Expr
    name: Name
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Index:
    base: Expr
    index: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """f(a, b), row.column(a, b) and the built-in functions."""

    func: Expr
    args: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Comp:
    """any(x in D where c: e, ...) and its sisters all, count, sum, min, max, best, sort, groups."""

    op: str
    var: Name
    domain: Expr
    where: Expr | None
    body: tuple[Expr, ...]
    default: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SetOf:
    """{x in D where c}"""

    var: Name
    domain: Expr
    where: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SetLit:
    items: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ListLit:
    items: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # "-" or "not"
    operand: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binary:
    """op: + - * // % | & and or == != < <= > >= in, not in, meets, within, .."""

    op: str
    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class IsNone:
    operand: Expr
    negated: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Choice:
    """a if c else b"""

    test: Expr
    then: Expr
    other: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Possible:
    """possible(call): whether a procedure can be carried out now."""

    call: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Reveal:
    """reveal(e): the hidden value, from now on known to all."""

    operand: Expr
    span: Span = _span()


Expr: TypeAlias = (
    Num | Truth | NoneLit | Ref | Quoted | Attr | Index | Call | Comp | SetOf | SetLit | ListLit
    | Unary | Binary | IsNone | Choice | Possible | Reveal
)  # fmt: skip

# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class RangeType:
    low: Expr
    high: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class NamedType:
    """A kind, Player, Participant, int or bool."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class OptionType:
    base: TypeExpr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SetType:
    element: TypeExpr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class MapType:
    key: TypeExpr
    value: TypeExpr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ListType:
    element: TypeExpr
    limit: Expr | None
    span: Span = _span()


TypeExpr: TypeAlias = RangeType | NamedType | OptionType | SetType | MapType | ListType


@dataclass(frozen=True, slots=True)
class Param:
    name: Name
    type: TypeExpr
    span: Span = _span()


# What a column of a table may hold besides values.


@dataclass(frozen=True, slots=True)
class CodeType:
    """procedure(me: Player) or function(me: Player) -> T: code, run by row.column(...)."""

    params: tuple[Param, ...]
    result: TypeExpr | None
    is_function: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class HookType:
    """hook(me: Player) when e: code that changes or follows open functions and procedures while e holds."""

    params: tuple[Param, ...]
    when: Expr
    span: Span = _span()


ColumnType: TypeAlias = TypeExpr | CodeType | HookType

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let:
    name: Name
    value: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Var:
    name: Name
    type: TypeExpr
    value: Expr | None
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assign:
    """target op value, op one of = += -= |= &="""

    target: Expr
    op: str
    value: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """The arms of if/elif in order, then the else part (perhaps empty)."""

    arms: tuple[tuple[Expr, Block], ...]
    other: Block
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class For:
    var: Name
    domain: Expr
    where: Expr | None
    body: Block
    together: bool = False
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class While:
    """while c: and, with no condition, loop:"""

    test: Expr | None
    body: Block
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Break:
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Continue:
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Where:
    test: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Choose:
    """choose x in D, y in E by p as label or word secretly if any say "…" others "…" with where lines."""

    vars: tuple[tuple[Name, Expr], ...]
    by: Expr
    label: Name
    otherwise: Name | None
    secret: bool
    if_any: bool
    say: str | None
    others: str | None
    where: tuple[Where, ...]
    cites: Cites = ()
    span: Span = _span()
    say_span: Span = _span()
    others_span: Span = _span()


@dataclass(frozen=True, slots=True)
class Option:
    name: Name
    say: str | None
    others: str | None
    where: tuple[Where, ...]
    body: Block
    cites: Cites = ()
    span: Span = _span()
    say_span: Span = _span()
    others_span: Span = _span()


@dataclass(frozen=True, slots=True)
class Either:
    by: Expr
    label: Name
    otherwise: Name | None
    if_any: bool
    options: tuple[Option, ...]
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Roll:
    """roll x in D: chance, each value of D equally likely."""

    var: Name
    domain: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Draw:
    """draw x from zone to zone: a random piece, its kind known to all."""

    var: Name
    source: Expr
    target: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Deal:
    """deal n from zone to zone: random pieces, seen only as the target zone is."""

    count: Expr
    source: Expr
    target: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Move:
    """move n of k from zone to zone; kind None means all; revealing makes hidden pieces public."""

    count: Expr | None
    kind: Expr | None
    source: Expr
    target: Expr
    revealing: bool
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Score:
    amount: Expr
    player: Expr
    reason: Name
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Run:
    """A procedure called for what it does."""

    call: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Require:
    """What must hold for the procedure to be possible."""

    test: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Reset:
    """reset moment: state declared `resets at moment` gets its first value again."""

    moment: Name
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Tell:
    """tell "text {x}": a line of the story, to all, or to one seat only."""

    text: str
    to: Expr | None
    cites: Cites = ()
    span: Span = _span()
    text_span: Span = _span()


@dataclass(frozen=True, slots=True)
class Pass:
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Put:
    """put x as NewPiece from zone of value: a piece leaves a counted zone and stands on its own, with a handle."""

    var: Name
    pieces: Name
    value: Expr
    source: Expr
    fields: tuple[tuple[Name, Expr], ...]
    seen: Expr | None
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Take:
    """take b to zone: a standing piece goes back into a counted zone."""

    piece: Expr
    target: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Show:
    """show b to p / show b to all: who may know a standing piece's value from now on."""

    piece: Expr
    to: Expr | None
    cites: Cites = ()
    span: Span = _span()


Stmt: TypeAlias = (
    Let | Var | Assign | If | For | While | Break | Continue | Return | Choose | Either | Roll
    | Draw | Deal | Move | Score | Run | Require | Reset | Tell | Pass | Put | Take | Show
)  # fmt: skip
Block: TypeAlias = tuple[Stmt, ...]

# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class StateVar:
    name: Name
    type: TypeExpr
    visible: str  # "all", "owner" or "nobody"
    resets: Name | None
    first: Expr | None
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Zone:
    name: Name
    per: TypeExpr | None
    visible: str
    starts_full: bool
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PieceField:
    name: Name
    type: TypeExpr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Pieces:
    """pieces cards of Card by copies: a conserved family and the zones that hold it."""

    name: Name
    kind: TypeExpr
    per: TypeExpr | None
    copies: Expr
    zones: tuple[Zone, ...]
    standing: Standing | None
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Standing:
    """standing Man max 40 with fields: pieces of the family that stand alone, each with a public handle."""

    name: Name
    limit: Expr
    fields: tuple[PieceField, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Function:
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr
    body: Block
    is_open: bool = False
    replaces: bool = False
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Procedure:
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: Block
    is_open: bool = False
    replaces: bool = False
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Hook:
    """on f(a): e / instead f(a): e change a result; before p(a): … and after p(a): … go with a procedure."""

    when: str  # "on", "instead", "before", "after"
    target: Name
    params: tuple[Name, ...]
    body: Block  # for "on" and "instead": one Return
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Invariant:
    name: Name
    test: Expr
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Outcome:
    """outcome p in Player by keys: the final ranking, higher keys first; equal keys share the rank."""

    var: Name
    domain: Expr
    keys: tuple[Expr, ...]
    cites: Cites = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Heuristic:
    """heuristic p: e, how good a position looks for p; only bots read it."""

    var: Name
    value: Expr
    cites: Cites = ()
    span: Span = _span()


Decl: TypeAlias = StateVar | Pieces | Function | Procedure | Hook | Invariant | Outcome | Heuristic


@dataclass(frozen=True, slots=True)
class RulesFile:
    decls: tuple[Decl, ...]
