"""The syntax tree of the rules language: statements and declarations, and, from beside it, expressions and types.

Plain data, one class for each construct. Spans do not take part in comparison, so that a tree and the tree of its
printed text are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

# whoever uses syntax finds all of it here
# isort: off
from rulewright.compiler.rules.syntax_expressions import (
    After as After, Attr as Attr, Binary as Binary, Call as Call, Choice as Choice, Cite as Cite, Cites as Cites, CodeType as CodeType,
    ColumnType as ColumnType, Comp as Comp, Expr as Expr, HookType as HookType, Index as Index, IsNone as IsNone,
    ListLit as ListLit, ListType as ListType, MapType as MapType, Name as Name, NamedType as NamedType, NoneLit as NoneLit,
    Num as Num, OptionType as OptionType, Param as Param, Possible as Possible, Quoted as Quoted, RangeType as RangeType,
    Ref as Ref, Reveal as Reveal, SetLit as SetLit, SetOf as SetOf, SetType as SetType, Truth as Truth,
    TypeExpr as TypeExpr, Unary as Unary, no_span,
)  # fmt: skip
# isort: on
from rulewright.compiler.text.source import Span

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let:
    name: Name
    value: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Var:
    name: Name
    type: TypeExpr
    value: Expr | None
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Assign:
    """target op value, op one of = += -= |= &="""

    target: Expr
    op: str
    value: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class If:
    """The arms of if/elif in order, then the else part (perhaps empty)."""

    arms: tuple[tuple[Expr, Block], ...]
    other: Block
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class For:
    var: Name
    domain: Expr
    where: Expr | None
    body: Block
    together: bool = False
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class While:
    """while c: and, with no condition, loop:"""

    test: Expr | None
    body: Block
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Break:
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Continue:
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Hole:
    """{value}, or {value: word/words}: a number with its word, for one and for any other number."""

    value: Expr
    forms: tuple[str, str] | None
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Said:
    """A text without its quotes, whose `parts` follow from it: what it says word for word, and its holes."""

    text: str
    span: Span = no_span()
    parts: tuple[str | Hole, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Where:
    test: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Choose:
    """choose x in D say "…", y in E by p as label or word secretly if any say "…" others "…" else say "…" with where lines.

    `step_says` holds the words of each variable's step, None where it has none; it is empty where no step has any.
    """

    vars: tuple[tuple[Name, Expr], ...]
    by: Expr
    label: Name
    otherwise: Name | None
    secret: bool
    if_any: bool
    say: Said | None
    others: Said | None
    where: tuple[Where, ...]
    cites: Cites = ()
    span: Span = no_span()
    else_say: Said | None = None
    step_says: tuple[Said | None, ...] = ()
    # of several at once, `choose 1 .. 3 of xs in D`: how many
    count: Expr | None = None


@dataclass(frozen=True, slots=True)
class Option:
    name: Name
    say: Said | None
    others: Said | None
    where: tuple[Where, ...]
    body: Block
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Either:
    by: Expr
    label: Name
    otherwise: Name | None
    if_any: bool
    options: tuple[Option, ...]
    cites: Cites = ()
    span: Span = no_span()
    else_say: Said | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """roll x in D seen by p say "…": chance, each value of D equally likely; p alone sees it, or all."""

    var: Name
    domain: Expr
    cites: Cites = ()
    span: Span = no_span()
    say: Said | None = None
    seen: Expr | None = None


@dataclass(frozen=True, slots=True)
class Landing:
    """Where in an ordered zone pieces come to lie: on top, on bottom, at a place, or shuffled."""

    where: Literal["top", "bottom", "at", "shuffled"]
    place: Expr | None = None
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Draw:
    """draw x from zone to zone say "…": a random piece, or the top one, its kind known to all."""

    var: Name
    source: Expr
    target: Expr
    cites: Cites = ()
    span: Span = no_span()
    say: Said | None = None
    lands: Landing | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """deal n from zone to zone say "…": random pieces, or those on top, seen only as the target zone is."""

    count: Expr
    source: Expr
    target: Expr
    cites: Cites = ()
    span: Span = no_span()
    say: Said | None = None
    lands: Landing | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """move n of k from zone to zone; kind None means all; revealing makes hidden pieces public. With `at`, the one at a place."""

    count: Expr | None
    kind: Expr | None
    source: Expr
    target: Expr
    revealing: bool
    cites: Cites = ()
    span: Span = no_span()
    say: Said | None = None
    at: Expr | None = None
    lands: Landing | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """shuffle zone: nobody knows any longer where a piece lies in an ordered zone."""

    zone: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Score:
    amount: Expr
    player: Expr
    reason: Name
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Run:
    """A procedure called for what it does."""

    call: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Require:
    """What must hold for the procedure to be possible."""

    test: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Reset:
    """reset moment: state declared `resets at moment` gets its first value again."""

    moment: Name
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Tell:
    """tell "text {x}": a line of the story, to all, or to one seat only."""

    text: Said
    to: Expr | None
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Pass:
    cites: Cites = ()
    span: Span = no_span()


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
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Take:
    """take b to zone: a standing piece goes back into a counted zone."""

    piece: Expr
    target: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Show:
    """show b to p / show b to all: who may know a standing piece's value from now on."""

    piece: Expr
    to: Expr | None
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Change:
    """append x to list; insert x into list at place; remove x from list; remove at place from list."""

    verb: Literal["append", "insert", "remove"]
    target: Expr
    item: Expr | None
    place: Expr | None
    cites: Cites = ()
    span: Span = no_span()


# what a function may not hold
Action: TypeAlias = (
    Choose | Either | Roll | Draw | Deal | Move | Shuffle | Score | Require | Reset | Tell | Put | Take | Show
)  # fmt: skip
# without statements inside
Simple: TypeAlias = Let | Var | Assign | Change | Break | Continue | Return | Run | Pass
Stmt: TypeAlias = Action | Simple | If | For | While
Block: TypeAlias = tuple[Stmt, ...]

# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class StateVar:
    name: Name
    type: TypeExpr
    visible: str  # "all", "owner", "team" or "nobody"
    resets: Name | None
    first: Expr | None
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Zone:
    """heap hidden = all; heaps per Player per Place: one for each combination of members."""

    name: Name
    per: tuple[TypeExpr, ...]
    visible: str
    starts_full: bool
    cites: Cites = ()
    span: Span = no_span()
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class PieceField:
    name: Name
    type: TypeExpr
    span: Span = no_span()


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
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Standing:
    """standing Man max 40 with fields: pieces of the family that stand alone, each with a public handle."""

    name: Name
    limit: Expr
    fields: tuple[PieceField, ...]
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Function:
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr
    body: Block
    is_open: bool = False
    replaces: bool = False
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Procedure:
    name: Name
    params: tuple[Param, ...]
    result: TypeExpr | None
    body: Block
    is_open: bool = False
    replaces: bool = False
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Hook:
    """on f(a): e / instead f(a): e change a result; before p(a): … and after p(a): … go with a procedure."""

    when: str  # "on", "instead", "before", "after"
    target: Name
    params: tuple[Name, ...]
    body: Block  # for "on" and "instead": one Return
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Invariant:
    name: Name
    test: Expr
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Outcome:
    """outcome p in Player by keys: the final ranking, higher keys first; equal keys share the rank."""

    var: Name
    domain: Expr
    keys: tuple[Expr, ...]
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Together:
    """outcome together by e: all win or lose at once; with `of n` they reach a part of n."""

    key: Expr
    whole: Expr | None
    cites: Cites = ()
    span: Span = no_span()


@dataclass(frozen=True, slots=True)
class Heuristic:
    """heuristic p: e, how good a position looks for p; only bots read it."""

    var: Name
    value: Expr
    cites: Cites = ()
    span: Span = no_span()


Decl: TypeAlias = (
    StateVar | Pieces | Function | Procedure | Hook | Invariant | Outcome | Together | Heuristic
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RulesFile:
    decls: tuple[Decl, ...]
