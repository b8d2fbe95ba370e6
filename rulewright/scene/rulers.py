"""A board with names at its edges → each name, the place that it stands beside, and on which side of it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.scene.layout import Board, Point
from rulewright.scene.view_names import Names

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def rulers(board: Board, names: Names) -> Iterator[tuple[str, Point, str]]:
    """Numbers to the left of the rows, and names of the columns below them; above them where hexes lie in slanting columns."""
    found = (layer for layer in board.layers if names.grid(layer.kind) is not None)
    layer = next(found, None) if board.rulers else None
    if layer is None:
        return
    rows: dict[int, Point] = {}
    columns: dict[int, Point] = {}
    for i, member in enumerate(names.kinds[layer.kind]):
        at = layer.places.get(member)
        if at is None:
            continue
        row = int(names.cell(layer.kind, i, "row"))
        column = int(names.cell(layer.kind, i, "column"))
        rows[row] = min(rows.get(row, at), at)
        seen = columns.get(column, at)
        columns[column] = min(seen, at, key=lambda p: p[1] if board.hex else -p[1])
    for row, at in rows.items():
        yield str(row), at, "left"
    for column, at in columns.items():
        yield column_name(column, board.rulers), at, "above" if board.hex else "below"


def column_name(column: int, way: str | None) -> str:
    """A column's letter, or its number."""
    if way != "letters":
        return str(column)
    before, last = divmod(column - 1, 26)
    return (_LETTERS[before - 1] if before else "") + _LETTERS[last]
