"""How a position is laid out for a player: the parts of a picture, and how the members of each kind look.

`read_view.py` makes it from a spec's `view.yaml`, `plain.py` from the types alone; docs/view.md lists what can be written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulewright.runtime.preview_tells import Tell

Point = tuple[int, int]
# (heading, what is shown below it)
Columns = tuple[tuple[str, str], ...]

SHAPES = ("circle", "square", "card", "hex", "diamond", "triangle", "none")
PATTERNS = ("stripes", "dots", "cross")
# how the columns of a grid are called at its edge; rows have numbers
RULERS = ("letters", "numbers")
# how a column can be drawn: as words; as an icon and a number; as dice with pips; every member with those in the set marked;
# what lies there as cards, as tokens or as a stack that is counted; numbers as dice; not at all
WAYS = ("words", "icon", "dice", "slots", "cards", "tokens", "stack", "pips", "hidden")


@dataclass(frozen=True, slots=True)
class Colour:
    """A word of the game for a colour, with what tells it apart for those who do not see colours."""

    light: str
    dark: str
    letter: str | None = None
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """How the members of a kind look wherever they are drawn; texts have columns of the member in braces."""

    shape: str | None = None
    size: Point | None = None
    colour: str | None = None
    border: str | None = None
    label: str | None = None
    icon: str | None = None
    title: str | None = None
    note: str | None = None
    says: str | None = None
    shows: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cell:
    """How a column is drawn: one of WAYS, with the icon, or with the state that holds the value of dice."""

    way: str
    name: str | None = None
    colour: str | None = None


Cells = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Line:
    """A text with the values of public state in braces."""

    text: str


@dataclass(frozen=True, slots=True)
class Seats:
    """A row of a table, or a board of its own, for each participant."""

    title: str
    columns: Columns
    looks: Cells = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table with a row for each member of a kind, or for those in a set.

    After `per_column` rows the table goes on beside itself.
    """

    title: str
    kind: str
    columns: Columns
    only: str | None
    hide_empty: bool = False
    from_last: bool = False
    per_column: int | None = None
    looks: Cells = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grid:
    """The members of a kind by two of their columns; in each cell the pieces and marks on the member.

    `beside` are columns about the members that the rows stand for. `piece` tells a piece in few letters;
    `also` are other pieces with a text for each.
    """

    title: str
    kind: str
    down: str
    across: str
    pieces: str | None
    piece: str
    also: Columns
    owners: str | None
    sets: Columns
    beside: Columns
    looks: Cells = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Track:
    """The members of a kind in order, each with the one who has a piece on it.

    With `rows`, a column, a new value of it begins a row above; with `winding` every second row runs back.
    """

    title: str
    kind: str
    owners: str
    label: str | None
    rows: str | None = None
    winding: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers in a row, and what stands at each: the one thing that `state` counts, or the members or participants it counts for."""

    title: str
    state: str
    kind: str | None
    low: int
    high: int
    only: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dice:
    """The numbers of state as dice with pips."""

    title: str
    state: str


@dataclass(frozen=True, slots=True)
class Zone:
    """What lies in a zone."""

    title: str
    zone: str
    look: Cell | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """A card for each member of a kind, with its note and text, and who has it."""

    title: str
    kind: str
    only: str | None
    owners: str | None


@dataclass(frozen=True, slots=True)
class Layer:
    """What is drawn of one kind: where its members lie, what links them, who or what is on them.

    `mark` and `owned` are texts with columns of the member in braces; `ties` and `titles` are columns: members with the same
    value are tied together, or have that value written among them. `above` draws one line higher, or, in a grid of blocks,
    the block itself. `outlines` are paths drawn instead of a shape. `owners`, `figures`, `facing` and `stacks` are state: whose
    piece stands where, what it is, where it looks, how many lie on each other; with `piles` so many of these are drawn one beside
    the other, from the edge of the board inwards. `chequered` are two colours that take turns. `clicks` are decisions about numbers with a column:
    a click on a member means its number.
    """

    kind: str
    places: Mapping[str, Point]
    look: Look = field(default_factory=Look)
    mark: str = "·"
    owned: str | None = None
    colour: str | None = None
    links: str | None = None
    joins: str | None = None
    ties: str | None = None
    titles: str | None = None
    owners: str | None = None
    figures: str | None = None
    facing: str | None = None
    stacks: str | None = None
    piles: int | None = None
    token: str | None = None
    only: str | None = None
    above: bool = False
    pawns: Columns = ()
    sets: Columns = ()
    pieces: str | None = None
    piece: str = "{owner} {value}"
    also: Columns = ()
    holds: tuple[str, ...] = ()
    chequered: tuple[str, ...] = ()
    clicks: Columns = ()
    outlines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Area:
    """A background: a rectangle or a path, with words on it."""

    at: Point
    size: Point
    path: str | None
    colour: str | None
    label: str | None
    icon: str | None


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of `size`; a later layer covers an earlier one. `cells` is how many characters it is drawn with, if at all,
    and `legend` says how to read these.

    With `blocks` the picture is a grid of squares, with lines after so many columns and rows; with `hex` every second row of
    the grid is moved by half a place; with `lines` pieces stand where lines cross. `rulers` name rows and columns at the edges.
    """

    title: str
    legend: str | None
    size: Point
    cells: Point | None
    blocks: Point | None
    hex: bool
    areas: tuple[Area, ...]
    layers: tuple[Layer, ...]
    rulers: str | None = None
    lines: bool = False


Part = Line | Seats | Rows | Grid | Track | Scale | Dice | Zone | Cards | Board


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts for the terminal and those for the web, most of them the same, how members look, how changes are told, and
    what decisions are called."""

    terminal: tuple[Part, ...]
    web: tuple[Part, ...]
    looks: Mapping[str, Look] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, Colour] = field(default_factory=dict)
    tells: Mapping[str, Tell] = field(default_factory=dict)
    asks: Mapping[str, str] = field(default_factory=dict)
