"""What a ruleset declares, for the typed tree: locals, tables, state, zones and pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

from rulewright.compiler.core.types import KindT, MapT, Type
from rulewright.compiler.core.visibility import Secrecy
from rulewright.compiler.text.source import NOWHERE, Span

if TYPE_CHECKING:
    from rulewright.compiler.core.tree import Expr, Function, Procedure, SChoose


@dataclass(slots=True, eq=False)
class Local:
    """A parameter or local variable; `number` is unique in the ruleset."""

    name: str
    type: Type
    number: int
    mutable: bool = False
    secrecy: Secrecy = None
    # the choice that secretly gave this variable its value, if one did; of a secret roll a choice without a label
    chosen_by: SChoose | None = None
    span: Span = NOWHERE
    # of one that goes over the members of a seat's team: that seat
    mate_of: str | None = None
    # all variables of the joint secret choice that this is one of
    chosen_with: list[Local] = field(default_factory=list)
    # of a map of a function's own, which is kept in a list: what it maps
    map: MapT | None = None
    # of what was chosen at once in secret: the variables of its steps, and whether all know how many were chosen
    steps: list[Local] = field(default_factory=list)
    as_many: bool = False
    several: Several | None = None
    # of such a step: its piece is not that of another step
    apart: bool = False


@dataclass(slots=True, eq=False)
class Several:
    """What was chosen at once in secret: out of what, how many, and what was asked of the whole."""

    over: Expr
    low: Expr
    high: Expr
    tests: list[Expr]


@dataclass(slots=True, eq=False)
class Kind:
    """A table's members and its constant columns, each a list over the members."""

    name: str
    members: list[str]
    texts: list[str]
    columns: dict[str, KindColumn]
    graph: str | None = None
    spans: list[Span] = field(default_factory=list)
    cites: list[tuple[str, ...]] = field(default_factory=list)
    # the columns that name a row together, for Kind.at(…)
    keys: tuple[str, ...] = ()
    board: Board | None = None

    @property
    def type(self) -> KindT:
        return KindT(self.name, len(self.members))


@dataclass(frozen=True, slots=True)
class Board:
    """What a table with a grid knows of its cells beside their columns."""

    hexes: bool
    radius: int | None
    columns: int
    rows: int
    from_bottom: bool
    # whether no cell is left out
    whole: bool
    # the kind of its directions, if they have a name
    ways: str | None


@dataclass(slots=True, eq=False)
class KindColumn:
    """values: ints (none is -1), masks for sets, tuples for lists, strings for text; code: Function/Procedure per member."""

    name: str
    type: Type | None
    values: list[object]
    code: list[Function | Procedure | None] | None = None
    params: tuple[Type, ...] = ()
    result: Type | None = None


@dataclass(slots=True, eq=False)
class StateVar:
    name: str
    type: Type
    visible: str  # "all", "owner", "team", "nobody"
    resets: str | None
    first: Expr | None
    span: Span
    builtin: bool = False
    # of what is noted beside a hidden variable (trace_secrets.py): that variable, and what is noted
    about: str = ""
    role: str = ""
    # how large its numbers usually get, where the spec says so; no part of the rules
    usual: int = 0


@dataclass(slots=True, eq=False)
class Zone:
    """One zone of a family, or one for each member of a kind, or for each combination of members; the first key is the owner."""

    name: str
    family: Family
    keys: tuple[KindT, ...]
    visible: str
    starts_full: bool
    span: Span
    # of one that keeps its order: its pieces from the top on (-1: one of those whose place nobody knows), and, if nobody may look
    # into it, the seats that know what lies at each place
    order: StateVar | None = None
    seen: StateVar | None = None

    @property
    def per(self) -> KindT | None:
        """Whose it is: the kind of the first key."""
        return self.keys[0] if self.keys else None

    @property
    def count(self) -> int:
        """How many there are."""
        return prod(kind.size for kind in self.keys)


@dataclass(slots=True, eq=False)
class Standing:
    """Pieces of a family that stand on their own; a handle is a member of the kind `handle`."""

    name: str
    family: Family
    handle: KindT
    fields: dict[str, Type]
    span: Span


@dataclass(slots=True, eq=False)
class Family:
    """Conserved pieces: `copies[owner][kind]` of each; owner index 0 alone when not per anyone."""

    name: str
    kind: KindT
    per: KindT | None
    copies: list[list[int]]
    zones: list[Zone]
    standing: Standing | None
    span: Span
