"""A grid of squares or hexagons → its cells, directions, rays, and how shapes on it turn."""

from __future__ import annotations

from functools import lru_cache

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BOOL, IntT, SetT, Type

Place = tuple[int, int]  # row and column, from 1

# in the order of a clock: by name, how the row and the column change
SQUARE_WAYS = (
    ("north", -1, 0),
    ("northeast", -1, 1),
    ("east", 0, 1),
    ("southeast", 1, 1),
    ("south", 1, 0),
    ("southwest", 1, -1),
    ("west", 0, -1),
    ("northwest", -1, -1),
)
# rows of hexagons lie side by side, each half a cell to the right of the one above it
HEX_WAYS = (
    ("northeast", -1, 1),
    ("east", 0, 1),
    ("southeast", 1, 0),
    ("southwest", 1, -1),
    ("west", 0, -1),
    ("northwest", -1, 0),
)


def places(columns: int, rows: int, radius: int | None) -> list[Place]:
    """The cells in order: row by row, each from the left."""
    all_of_them = [(y, x) for y in range(1, rows + 1) for x in range(1, columns + 1)]
    if radius is None:
        return all_of_them
    middle = radius + 1
    return [(y, x) for y, x in all_of_them if abs((y - middle) + (x - middle)) <= radius]


def ways_of(hexes: bool, from_bottom: bool) -> list[tuple[str, int, int]]:
    up = -1 if from_bottom else 1
    return [(name, y * up, x) for name, y, x in (HEX_WAYS if hexes else SQUARE_WAYS)]


def neighbour_ways(hexes: bool, beside: str) -> list[Place]:
    if hexes:
        return [(y, x) for _, y, x in HEX_WAYS]
    straight = [(y, x) for _, y, x in SQUARE_WAYS if not y or not x]
    diagonal = [(y, x) for _, y, x in SQUARE_WAYS if y and x]
    return {"straight": straight, "diagonal": diagonal, "all": straight + diagonal}[beside]


def directions(name: str, hexes: bool, from_bottom: bool) -> C.Kind:
    """The kind of the directions of a grid."""
    ways = ways_of(hexes, from_bottom)
    count = len(ways)
    names = [word for word, _, _ in ways]
    kind = C.Kind(name, names, list(names), {})
    straight = [int(hexes or not y or not x) for _, y, x in ways]
    opposite: list[object] = [(i + count // 2) % count for i in range(count)]
    after: list[object] = [(i + 1) % count for i in range(count)]
    for column in (
        C.KindColumn("rows", IntT(-1, 1), [y for _, y, _ in ways]),
        C.KindColumn("columns", IntT(-1, 1), [x for _, _, x in ways]),
        C.KindColumn("straight", BOOL, list(straight)),
        C.KindColumn("opposite", kind.type, opposite),
        C.KindColumn("clockwise", kind.type, after),
    ):
        kind.columns[column.name] = column
    return kind


def numbers(kind: C.Kind, column: str) -> list[int]:
    """The cells of a column that holds numbers, members or sets."""
    return [v if isinstance(v, int) else 0 for v in kind.columns[column].values]


def where_is(kind: C.Kind) -> dict[Place, int]:
    """The member at each place of a grid."""
    rows, columns = numbers(kind, "row"), numbers(kind, "column")
    return {place: i for i, place in enumerate(zip(rows, columns, strict=True))}


@lru_cache(maxsize=64)
def rays(kind: C.Kind, ways: C.Kind) -> list[tuple[int, ...]]:
    """For each cell and direction, the cells on the line from it, the nearest first."""
    index = where_is(kind)
    steps = list(zip(numbers(ways, "rows"), numbers(ways, "columns"), strict=True))
    out: list[tuple[int, ...]] = []
    for y, x in index:
        for dy, dx in steps:
            line: list[int] = []
            at = (y + dy, x + dx)
            while at in index:
                line.append(index[at])
                at = (at[0] + dy, at[1] + dx)
            out.append(tuple(line))
    return out


def product(name: str, *sizes: int) -> C.Kind:
    """A kind of the compiler's own: combinations of values, so that what belongs to each is a column."""
    count = 1
    for size in sizes:
        count *= size
    return C.Kind(name, [""] * count, [], {})


def as_column(pairs: C.Kind, name: str, type_: Type, values: list[object]) -> C.KindColumn:
    column = C.KindColumn(name, type_, values)
    pairs.columns[name] = column
    return column


@lru_cache(maxsize=64)
def turn_table(kind: C.Kind, hexes: bool, radius: int | None) -> list[list[int]]:
    """For each turn, where each cell goes; for the square it turns about its corner, the hexagon about its middle."""
    index = where_is(kind)
    size = max(max(y, x) for y, x in index)
    out: list[list[int]] = []
    for turn in range(6 if hexes else 4):
        row: list[int] = []
        for y, x in index:
            if hexes:
                middle = (radius or 0) + 1
                r, q = y - middle, x - middle
                for _ in range(turn):
                    q, r = -r, q + r
                row.append(index[r + middle, q + middle])
            else:
                for _ in range(turn):
                    y, x = x, size + 1 - y
                row.append(index[y, x])
        out.append(row)
    return out


@lru_cache(maxsize=64)
def mirror_table(kind: C.Kind, hexes: bool, radius: int | None) -> list[int]:
    """Where each cell goes in a mirror: left and right change places."""
    index = where_is(kind)
    size = max(x for _, x in index)
    if not hexes:
        return [index[y, size + 1 - x] for y, x in index]
    middle = (radius or 0) + 1
    return [index[y, 3 * middle - y - x] for y, x in index]


def neighbour_column(kind: C.Kind, hexes: bool, beside: str) -> C.KindColumn:
    index = where_is(kind)
    around = neighbour_ways(hexes, beside)
    masks: list[object] = []
    for y, x in index:
        near = [(y + dy, x + dx) for dy, dx in around]
        masks.append(sum(1 << index[place] for place in near if place in index))
    return C.KindColumn("neighbours", SetT(kind.type), masks)
