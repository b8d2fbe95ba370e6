"""What a game's folder holds after reading and before checking: tables, constants, rules, variants.

Cells stay as YAML nodes with their positions; rule text in them is parsed (see `Cell.code`).
An overlay turns one `Folder` into another; nothing later sees a variant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rulewright.compiler.read.yaml_nodes import Node, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.source import Span

# a game that is driven for longer has no end, unless its game file says otherwise
MOST_DECISIONS = 100_000


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table; `type` None stands for text."""

    name: str
    type: S.ColumnType | None
    default: Node | None
    span: Span
    # worked out for every row that has no cell of its own
    formula: S.Expr | None = None


Code: TypeAlias = S.Expr | S.Block | tuple[S.Hook, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its YAML node, and the parsed code where the column holds code.

    `code` is a S.Block for procedure(...), a S.Expr for function(...), a tuple of S.Hook for hook(...).
    """

    node: Node
    code: Code | None
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cells: dict[str, Cell]
    cites: S.Cites
    span: Span


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of squares or hexagons; with a radius a hexagon of hexagons, `columns` and `rows` being its width."""

    columns: int
    rows: int
    span: Span
    hexes: bool = False
    radius: int | None = None
    # which cells are neighbours: straight, diagonal or all
    beside: str = "straight"
    # the table of its directions, if it has a name
    directions: S.Name | None = None
    # where row 1 is: at the top, or at the bottom
    from_bottom: bool = False


@dataclass(frozen=True, slots=True)
class Each:
    """How rows are made: one for each combination of the values of `parts` that meets `where`.

    A grid has no parts: its cells are the rows. `name` is the text that a row's name is made from.
    """

    parts: tuple[tuple[S.Name, S.Expr], ...]
    where: S.Expr | None
    name: YScalar | None
    span: Span


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the values of a constant must keep to: least, greatest, and how many there are in a list."""

    least: S.Expr | None
    most: S.Expr | None
    length: S.Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Property:
    """What the rows of a table must be; the rules rely on it. `columns` and `bounds` where it speaks of some."""

    name: str
    columns: tuple[S.Name, ...]
    bounds: Bounds | None
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    about: str
    columns: dict[str, Column]
    rows: dict[str, Row]
    graph: str | None
    grid: Grid | None
    cites: S.Cites
    span: Span
    properties: tuple[Property, ...] = ()
    # of a table whose rows are made (a grid among them): how; `rows` then holds cells that differ
    each: Each | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant; `type` None means: read it off the value (integer, truth value, list of integers).

    `new` tells that a variant brings it along; without, a variant changes one that is there.
    """

    name: str
    type: S.TypeExpr | None
    node: Node
    cites: S.Cites
    span: Span
    bounds: Bounds | None = None
    new: bool = False


@dataclass(frozen=True, slots=True)
class OptionDecl:
    name: str
    type: S.TypeExpr
    default: Node
    about: str
    cites: S.Cites
    span: Span


@dataclass(frozen=True, slots=True)
class Absent:
    """A clause that holds because no rule says otherwise."""

    clause: str
    because: str
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    section: str
    rule: str
    players: tuple[int, ...] | None
    variant: str | None
    example: bool
    note: str
    span: Span


@dataclass(frozen=True, slots=True)
class GameFile:
    game: str
    title: str
    about: str
    players: tuple[int, ...]
    seats: tuple[str, ...]
    neutral: tuple[str, ...]
    reasons: dict[str, str]
    span: Span
    # who drives a game stops after so many decisions
    most_decisions: int = MOST_DECISIONS
    # how large numbers of the state usually get, and where that is said
    usual: dict[str, tuple[int, Span]] = field(default_factory=dict)
    # the seats of each team, by its name
    teams: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reason_spans: dict[str, Span] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TableChange:
    """What an overlay does to one table."""

    table: S.Name
    change: dict[str, dict[str, Node]]
    change_cites: dict[str, S.Cites]
    change_spans: dict[str, Span]
    add: dict[str, Node]
    remove: tuple[S.Name, ...]
    # rows that stand behind another one, or first
    after: tuple[tuple[S.Name, S.Name | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    about: str
    players: tuple[int, ...]
    automatic: bool
    needs: tuple[S.Name, ...]
    excludes: tuple[S.Name, ...]
    constants: dict[str, Constant]
    tables: tuple[TableChange, ...]
    new_tables: dict[str, Table]
    decls: tuple[S.Decl, ...]
    neutral: tuple[str, ...]
    options: dict[str, OptionDecl]
    reasons: dict[str, str]
    absent: tuple[Absent, ...]
    # clauses listed as absent that do not hold with this variant
    overrules: tuple[S.Name, ...]
    cites: S.Cites
    span: Span
    # other teams than those of the game, and where they are named
    teams: dict[str, tuple[str, ...]] = field(default_factory=dict)
    teams_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """A whole spec. `decls` keeps the order of files (by name) and of declarations in them."""

    game: GameFile
    tables: dict[str, Table]
    constants: dict[str, Constant]
    options: dict[str, OptionDecl]
    decls: tuple[S.Decl, ...]
    variants: dict[str, Variant]
    clauses: dict[str, Clause]
    absent: tuple[Absent, ...]
    # of a resolved folder: the variants laid over it, and the player count
    applied: tuple[str, ...] = ()
    players: int = 0
    files: tuple[str, ...] = field(default=())
    # what the variants of the unresolved folder cite as a whole
    variant_cites: S.Cites = ()
    # clauses that the applied variants overrule
    overruled: tuple[str, ...] = ()
