"""A layer of a board → the links, joins, ties and titles between its members, in places and without a format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.scene.layout import Board, Layer, Point
from rulewright.scene.view_names import Names

Json = dict[str, Any]


def links(layer: Layer, names: Names) -> list[tuple[str, str]]:
    """The pairs of members that a column of neighbours links, each once."""
    if layer.links is None:
        return []
    found: dict[tuple[str, str], None] = {}
    for i, member in enumerate(names.kinds[layer.kind]):
        for other in names.cell(layer.kind, i, layer.links) or []:
            placed = member in layer.places and str(other) in layer.places
            if placed and (str(other), member) not in found:
                found[member, str(other)] = None
    return list(found)


def joins(board: Board, layer: Layer, names: Names) -> list[tuple[Point, Point]]:
    """Lines to the members of other layers that a column names."""
    if layer.joins is None:
        return []
    kind = names.named_kind(layer.kind, layer.joins)
    others = {m: p for other in board.layers if other.kind == kind for m, p in other.places.items()}
    out = []
    for i, member in enumerate(names.kinds[layer.kind]):
        value = names.cell(layer.kind, i, layer.joins)
        for other in value if isinstance(value, list) else [value]:
            if member in layer.places and str(other) in others:
                out.append((layer.places[member], others[str(other)]))
    return out


def groups(
    layer: Layer, names: Names, column: str | None, shown: Iterable[str]
) -> dict[str, list[str]]:
    """The members with a place that share a value of a column, by that value."""
    out: dict[str, list[str]] = {}
    index = names.index[layer.kind]
    for member in shown if column is not None else ():
        value = names.cell(layer.kind, index[member], column or "")
        if value is not None and member in layer.places:
            out.setdefault(str(value), []).append(member)
    return out


def tied(points: list[Point], far: Callable[[Point, Point], int]) -> list[tuple[Point, Point]]:
    """Lines that hold points together, as short as can be."""
    out = []
    inside, free = points[:1], points[1:]
    while free:
        a, b = min(((t, f) for t in inside for f in free), key=lambda pair: far(*pair))
        out.append((a, b))
        inside.append(b)
        free.remove(b)
    return out


def middle(points: list[Point]) -> Point:
    return sum(p[0] for p in points) // len(points), sum(p[1] for p in points) // len(points)


def colour_word(
    names: Names, kind: str, member: str, colour: str | None, state: Json
) -> str | None:
    """What a member is coloured by: its own name, a column, what state says, or a word for all of them."""
    if colour is None or not names.can_tell(kind, colour):
        return colour
    found = names.tell(kind, names.index[kind][member], colour, state)
    return None if found is None else str(found)
