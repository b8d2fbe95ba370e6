"""`each`, `where`, `name` and `grid` of a table into how its rows are made."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.read.folder import Each, Grid
from rulewright.compiler.read.read_values import identifier, parse_code
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YMap,
    YScalar,
    as_int,
    as_map,
    as_text,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, listed, quoted

MAX_MEMBERS = 4096  # a few characters can make a grid as large as they like
GRID_COLUMNS = ("row", "column", "neighbours")
_BESIDE = ("straight", "diagonal", "all")


@dataclass(frozen=True, slots=True)
class Made:
    """What a table says about rows that are not listed."""

    each: Each | None
    grid: Grid | None
    grid_node: Node | None
    csv: YScalar | None
    names: tuple[str, ...]
    # whether it says nothing at all about them
    nothing: bool


def read_made(fields: Fields, problems: Problems) -> Made:
    each_node, where_node = fields.take("each"), fields.take("where")
    name_node, csv_node = fields.take("name"), fields.take("csv")
    grid_node = fields.take("grid")
    for node, word in ((where_node, "where"), (name_node, "name")):
        if node is not None and each_node is None and grid_node is None:
            message = f"'{word}' speaks of rows that are made, and here are none"
            problems.error("RW0328", node.span, message, expected="beside 'each' or 'grid'")
    if each_node is not None and grid_node is not None:
        message = "a table has either 'each' or a grid"
        problems.error("RW0317", each_node.span, message, hint="remove one of them")
        each_node = None
    parts = () if each_node is None else _parts(each_node, problems)
    grid = None if grid_node is None else _grid(grid_node, problems)
    if grid is not None and not grid.hexes and grid.radius is not None:
        grid = None
    each: Each | None = None
    if parts or grid_node is not None:
        where = None if where_node is None else read_expression(where_node, problems, "'where'")
        name = None if name_node is None else as_text(name_node, problems, "'name'")
        made = each_node if each_node is not None else grid_node
        assert made is not None
        shown = name_node if name is not None and isinstance(name_node, YScalar) else None
        each = Each(parts, where, shown, made.span)
    csv = None
    if csv_node is not None and as_text(csv_node, problems, "'csv'") is not None:
        assert isinstance(csv_node, YScalar)
        csv = csv_node
    names = tuple(name.text for name, _ in parts)
    nothing = all(node is None for node in (each_node, grid_node, csv_node))
    return Made(each, grid, grid_node, csv, names, nothing)


def read_expression(node: Node, problems: Problems, what: str) -> S.Expr | None:
    """Rule text that gives a value; a bare number is one too."""
    if as_text(node, problems, what) is None or not isinstance(node, YScalar):
        return None
    return parse_code(node, problems, "expression")


def _parts(node: Node, problems: Problems) -> tuple[tuple[S.Name, S.Expr], ...]:
    found: list[tuple[S.Name, S.Expr]] = []
    mapping = as_map(node, problems, "'each'")
    if mapping is not None and not mapping.entries:
        problems.error("RW0320", mapping.span, "'each' names nothing to go over")
    for key, value in mapping.entries if mapping is not None else []:
        name = identifier(key, problems, "the name of a column")
        over = read_expression(value, problems, f"what {quoted(key.text)} goes over")
        if name is not None and over is not None:
            found.append((S.Name(name, key.span), over))
    return tuple(found)


def _one_of(node: Node | None, word: str, values: tuple[str, ...], problems: Problems) -> str:
    """One of some words, the first where nothing is said."""
    text = None if node is None else as_text(node, problems, f"'{word}'")
    if node is not None and text is not None and text not in values:
        message = f"'{word}' of a grid cannot be {quoted(text)}"
        problems.error("RW0317", node.span, message, expected=listed(values))
    return text if text in values and text is not None else values[0]


def _grid(node: Node, problems: Problems) -> Grid | None:
    mapping = as_map(node, problems, "'grid'")
    if mapping is None:
        return None
    fields = Fields(mapping, problems, "a grid")
    hexes = _one_of(fields.take("cells"), "cells", ("square", "hex"), problems) == "hex"
    beside_node = fields.take("neighbours")
    beside = _one_of(beside_node, "neighbours", _BESIDE, problems)
    from_node = fields.take("from")
    from_bottom = _one_of(from_node, "from", ("top", "bottom"), problems) == "bottom"
    way_node = fields.take("directions")
    ways: S.Name | None = None
    if way_node is not None:
        way = as_text(way_node, problems, "'directions'")
        if way is not None and not (way[:1].isupper() and way.isidentifier()):
            problems.error(
                "RW0305", way_node.span, f"the table of directions cannot be {quoted(way)}",
                expected="a word that begins with a capital letter",
            )  # fmt: skip
        elif way is not None:
            ways = S.Name(way, way_node.span)
    radius_node = fields.take("radius")
    radius = None if radius_node is None else as_int(radius_node, problems, "'radius'")
    if radius_node is not None:
        fields_ok = _no_size(mapping, fields, problems)
        if not hexes:
            message = "only a grid of hexagons has a radius"
            problems.error("RW0317", radius_node.span, message, hint="add 'cells: hex'")
        wide = high = None if radius is None or not fields_ok else 2 * radius + 1
    else:
        wide_node, high_node = fields.need("columns"), fields.need("rows")
        wide = None if wide_node is None else as_int(wide_node, problems, "'columns'")
        high = None if high_node is None else as_int(high_node, problems, "'rows'")
    fields.finish()
    if hexes and beside_node is not None and beside != "straight":
        message = "hexagons have no diagonals: all six around are neighbours"
        problems.error("RW0317", beside_node.span, message, hint="remove 'neighbours'")
        beside = "straight"
    if wide is None or high is None:
        return None
    if wide < 1 or high < 1 or wide * high > MAX_MEMBERS:
        expected = f"at least 1 column and 1 row, and at most {MAX_MEMBERS} members"
        message = f"a grid of {wide} by {high} members cannot be made"
        problems.error("RW0317", mapping.span, message, expected=expected)
        return None
    return Grid(wide, high, mapping.span, hexes, radius, beside, ways, from_bottom)


def _no_size(mapping: YMap, fields: Fields, problems: Problems) -> bool:
    """A hexagon of hexagons is as wide and high as its radius says."""
    fine = True
    for word in ("columns", "rows"):
        other = fields.take(word)
        if other is not None:
            message = f"a grid with a radius cannot have '{word}'"
            problems.error("RW0317", other.span, message, hint="remove one of them")
            fine = False
    return fine
