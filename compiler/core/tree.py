"""The typed tree: what checking makes of the syntax tree, for one player count and set of variants.

Every name is resolved, every expression has a type, members of kinds are numbers, joint choices and menus
are spelled out as single choices. Flow and emission read nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

# whoever uses the typed tree finds all of it here
# isort: off
from rulewright.compiler.core.declared import (
    Board as Board, Family as Family, Kind as Kind, KindColumn as KindColumn, Local as Local, Standing as Standing,
    StateVar as StateVar, Zone as Zone,
)  # fmt: skip
from rulewright.compiler.core.visibility import (
    NOBODY as NOBODY, TEAM as TEAM, Secrecy as Secrecy, join as join, sees as sees, team_of as team_of,
)  # fmt: skip
# isort: on
from rulewright.compiler.core.types import IntT, KindT, Type
from rulewright.compiler.text.source import NOWHERE, Span

if TYPE_CHECKING:
    from rulewright.compiler.core.operations import CompName, OpName

# ---------------------------------------------------------------- expressions


@dataclass(slots=True, eq=False)
class Const:
    """An int (members of kinds, masks, bools included), or a tuple of ints for a list."""

    value: int | tuple[int, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class Use:
    local: Local
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class Read:
    """A state variable at the given keys (all keys of its maps, or fewer where a whole map is meant)."""

    var: StateVar
    keys: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class ZoneUse:
    """A zone at the given keys: all that it has, or fewer where those of all are meant."""

    zone: Zone
    keys: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None

    @property
    def owner(self) -> Expr | None:
        return self.keys[0] if self.keys else None

    @property
    def is_one(self) -> bool:
        return len(self.keys) == len(self.zone.keys)


@dataclass(slots=True, eq=False)
class Column:
    """A constant column at a member; or with `args`, the code of a function column at it."""

    kind: Kind
    column: KindColumn
    base: Expr
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class PieceRead:
    """A field of a standing piece, or its built-in `owner` and `value`."""

    standing: Standing
    field: str
    piece: Expr
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class Op:
    """An operation on its arguments; `operators.py` has the table of them."""

    op: OpName
    args: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None
    kind: Kind | None = None


@dataclass(slots=True, eq=False)
class Call:
    """A function called; `code` dispatches over the rows of a function column instead."""

    function: Function
    args: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class CodeCall:
    """base.column(args) for a column of functions."""

    kind: Kind
    column: KindColumn
    base: Expr
    args: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class Comp:
    """any all count sum min max best sort groups set, over a domain (a set, list or range)."""

    op: CompName
    var: Local
    domain: Expr
    where: Expr | None
    body: tuple[Expr, ...]
    default: Expr | None
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class Range:
    low: Expr
    high: Expr
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class CanRun:
    """possible(procedure(args)), or over the rows of a procedure column."""

    procedure: Procedure | None
    kind: Kind | None
    column: KindColumn | None
    base: Expr | None
    args: tuple[Expr, ...]
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


@dataclass(slots=True, eq=False)
class Reveal:
    operand: Expr
    type: Type
    span: Span = NOWHERE
    secrecy: Secrecy = None


Expr: TypeAlias = (
    Const | Use | Read | ZoneUse | Column | PieceRead | Op | Call | CodeCall | Comp | Range | CanRun
    | Reveal
)  # fmt: skip

# ---------------------------------------------------------------- statements

Cites: TypeAlias = tuple[str, ...]


@dataclass(slots=True, eq=False)
class Landing:
    """Where in a zone that keeps its order pieces come to lie: before the piece at a place (None: below all); or anywhere, and all is shuffled."""

    place: Expr | None
    shuffled: bool = False


@dataclass(slots=True, eq=False)
class SLet:
    """A local gets a value: `let`, `var` and every assignment to a local."""

    local: Local
    value: Expr
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SAssign:
    """State at keys, or a field of a standing piece, gets a value; op is "", "+", "-", "|" or "&"."""

    target: Read | PieceRead
    op: str
    value: Expr
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SIf:
    arms: list[tuple[Expr, list[Stmt]]]
    other: list[Stmt]
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SFor:
    var: Local
    domain: Expr
    where: Expr | None
    body: list[Stmt]
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SWhile:
    test: Expr | None
    body: list[Stmt]
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SBreak:
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SContinue:
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SReturn:
    """`fails` in what possible(…) is made of: in words what does not hold where it gives back false."""

    value: Expr | None
    span: Span = NOWHERE
    cites: Cites = ()
    fails: str = ""


@dataclass(slots=True, eq=False)
class Condition:
    """One `where` of a choice."""

    test: Expr
    text: str
    span: Span
    cites: Cites


@dataclass(slots=True, eq=False)
class SChoose:
    """One decision: `var` gets one of the values of `domain` that meet all conditions.

    Its actions are numbers of the label: index of the value in the static domain `element`, and one more for
    the word after `or`, which gives none.
    """

    var: Local
    domain: Expr
    element: KindT | IntT
    by: Expr
    label: str
    otherwise: str | None
    secret: bool
    if_any: bool
    say: Text | None
    others: Text | None
    where: list[Condition]
    option_says: dict[int, tuple[Text | None, Text | None]] = field(default_factory=dict)
    span: Span = NOWHERE
    cites: Cites = ()
    # what is told for the word after `or`
    else_say: Text | None = None
    # another step of the same joint choice follows, which tells of both
    more: bool = False
    # where the word after `or` is offered only if something holds
    stop_if: Expr | None = None
    # of a secret choice of several: later steps are asked though this one was declined, so that nobody learns of it
    asks_on: bool = False
    # what is told for the word after `or` where something holds, the first such; else it is `else_say`
    else_says: list[tuple[Expr, Text]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class SRoll:
    var: Local
    domain: Expr
    element: KindT | IntT
    span: Span = NOWHERE
    cites: Cites = ()
    # the rules have words of their own for it, or none
    quiet: bool = False
    # who alone sees it
    seen: Expr | None = None
    # which of the dice of one random number it is, where dice are rolled in a row; see shared_numbers.py
    digit: Expr | None = None


@dataclass(slots=True, eq=False)
class SDraw:
    """One random piece of `source` goes to `target`; `var` (perhaps None) gets its kind."""

    var: Local | None
    source: ZoneUse
    target: ZoneUse
    span: Span = NOWHERE
    cites: Cites = ()
    # the rules have words of their own for it, or none; who alone sees the piece is told which it is all the same
    quiet: bool = False
    # of a source that keeps its order and that nobody may look into: the place it comes from
    at: Expr | None = None
    lands: Landing | None = None
    # it stays where it is, and this seat looks at it; or all do
    look: Expr | None = None
    all_look: bool = False


@dataclass(slots=True, eq=False)
class SMove:
    """`count` pieces of `kind` (None: all pieces) go from zone to zone."""

    count: Expr | None
    kind: Expr | None
    source: ZoneUse
    target: ZoneUse
    revealing: bool
    span: Span = NOWHERE
    cites: Cites = ()
    # the rules have words of their own for what is revealed, or none
    quiet: bool = False
    # of a source that keeps its order: the place it comes from, where that is not the first of its kind
    at: Expr | None = None
    lands: Landing | None = None


@dataclass(slots=True, eq=False)
class SScore:
    amount: Expr
    player: Expr
    reason: str
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SRun:
    """A procedure called; `result` gets what it returns. With `kind`, dispatched over a code column."""

    procedure: Procedure | None
    kind: Kind | None
    column: KindColumn | None
    base: Expr | None
    args: tuple[Expr, ...]
    result: Local | None
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SRequire:
    test: Expr
    span: Span = NOWHERE
    cites: Cites = ()
    text: str = ""


@dataclass(slots=True, eq=False)
class STell:
    """A line of the story, for all or for one seat; with `others` for all but that one."""

    text: Text
    to: Expr | None
    span: Span = NOWHERE
    cites: Cites = ()
    others: bool = False


@dataclass(slots=True, eq=False)
class SPut:
    var: Local
    standing: Standing
    value: Expr
    source: ZoneUse
    fields: dict[str, Expr]
    seen: Expr | None
    seen_by_all: bool
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class STake:
    piece: Expr
    standing: Standing
    target: ZoneUse
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SShow:
    piece: Expr
    standing: Standing
    to: Expr | None
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SReveal:
    """Something hidden has become public here: a barrier for undo and a line of the story."""

    what: str
    span: Span = NOWHERE
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class SMark:
    """The compiler's own: here the rules jump, or pass an `if`, and no statement is left that could be counted."""

    span: Span = NOWHERE
    cites: Cites = ()


# what something is done with or told, and the next statement follows
Action: TypeAlias = (
    SDraw | SMove | SScore | SRun | SRequire | STell | SPut | STake | SShow | SReveal | SMark
)  # fmt: skip
# without statements inside
Simple: TypeAlias = SLet | SAssign | SBreak | SContinue | SReturn | SChoose | SRoll | Action
Stmt: TypeAlias = Simple | SIf | SFor | SWhile


@dataclass(slots=True, eq=False)
class Text:
    """A text with holes: literal parts and expressions in turn.

    `forms` holds for the part with that index the word that follows its number: for one, and for any other number.
    """

    parts: list[str | Expr]
    forms: dict[int, tuple[str, str]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Function:
    name: str
    params: list[Local]
    result: Type
    body: list[Stmt]
    span: Span
    cites: Cites = ()
    # who may see the result, in terms of the parameters ("v12")
    secrecy: Secrecy = None
    # whether it reads state at all; if not, it can be worked out at build time
    reads_state: bool = False
    # it runs a procedure, gives back a value of the state after it, and leaves all as it was: after(…)
    tries: bool = False


@dataclass(slots=True, eq=False)
class Procedure:
    name: str
    params: list[Local]
    result: Type | None
    body: list[Stmt]
    span: Span
    cites: Cites = ()


@dataclass(slots=True, eq=False)
class Invariant:
    name: str
    test: Expr
    span: Span
    cites: Cites


@dataclass(slots=True, eq=False)
class Game:
    """One ruleset for one player count, checked."""

    name: str
    title: str
    players: int
    variants: tuple[str, ...]
    options: dict[str, object]
    seats: tuple[str, ...]
    participants: list[str]
    reasons: dict[str, str]
    kinds: dict[str, Kind]
    state: list[StateVar]
    families: list[Family]
    functions: list[Function]
    procedures: list[Procedure]
    play: Procedure
    invariants: list[Invariant]
    outcome_var: Local
    outcome_domain: Expr
    outcome_keys: list[Expr]
    heuristic: tuple[Local, Expr] | None
    # the number of each seat's team, if there are teams; whether the outcome ranks these
    teams: tuple[int, ...] = ()
    by_team: bool = False
    # of a common outcome: what its key must reach; 0 if there is none
    together: int = 0
    facts: dict[str, Function] = field(default_factory=dict)
    # no part of the rules: whoever drives a game stops after so many decisions
    most_decisions: int = 100_000
    # the zones that a piece may be known to lie in, and what tells whether hidden things fit together (trace_secrets.py)
    followed: list[str] = field(default_factory=list)
    fits: Function | None = None
