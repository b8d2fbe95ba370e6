"""A layout → what state, zones, pieces and members are called when a player is told of them; what is shown nowhere is not told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.runtime.preview_tells import Tongue
from rulewright.scene.layout import (
    Board,
    Cards,
    Dice,
    Grid,
    Layout,
    Line,
    Part,
    Rows,
    Scale,
    Seats,
    Track,
    Zone,
)
from rulewright.scene.sheets import Sheets
from rulewright.scene.templates import holes
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import plain


def tongue_of(layout: Layout, names: Names) -> Tongue:
    """The words of both faces for what an option brings."""
    return Tongue(labels_of(layout.terminal), members_called(layout, names), layout.tells)


def members_called(layout: Layout, names: Names) -> dict[str, dict[str, str]]:
    """Members that the view calls otherwise than the spec does."""
    sheets = Sheets(names)
    out: dict[str, dict[str, str]] = {}
    for kind, look in layout.looks.items():
        found = dict(look.names)
        for i, member in enumerate(names.kinds[kind] if look.title is not None else ()):
            found.setdefault(member, sheets.told(look.title or "", kind, i, {"state": {}}))
        out[kind] = found
    return out


def shown_in(parts: Iterable[Part]) -> frozenset[str]:
    """The state, zones and pieces that a picture shows, as the spec names them."""
    found: set[str] = set()
    for part in parts:
        found |= {source for source, _ in _named(part)}
        if isinstance(part, Seats | Rows | Grid):
            found |= {cell.name for cell in part.looks.values() if cell.name}
        if isinstance(part, Board):
            for layer in part.layers:
                own = (
                    layer.figures,
                    layer.facing,
                    layer.stacks,
                    layer.only,
                    layer.pieces,
                    layer.colour,
                )
                more = (*own, layer.look.colour, layer.look.border, *layer.holds)
                found |= {*(name for name in more if name), *(name for name, _ in layer.also)}
        elif isinstance(part, Rows | Cards) and part.only:
            found.add(part.only)
    return frozenset(name.partition(".")[0].removesuffix("?") for name in found)


def labels_of(parts: Iterable[Part]) -> dict[str, str]:
    """Names with their headings; a name without a heading is written as people write it."""
    out: dict[str, str] = {}
    for part in parts:
        for source, heading in _named(part):
            name = source.partition(".")[0].removesuffix("?")
            if name != "this" and (heading or name not in out):
                out[name] = heading or plain(name)
    return out


def _named(part: Part) -> Iterator[tuple[str, str]]:
    """What a part shows, with its heading, which may be empty."""
    match part:
        case Line(text):
            yield from ((name, "") for name in holes(text))
        case Seats() | Rows():
            yield from ((source, heading) for heading, source in part.columns)
        case Grid():
            yield from ((source, heading) for heading, source in part.beside)
            found = (part.pieces, part.owners, *(name for name, _ in (*part.also, *part.sets)))
            yield from ((name, "") for name in found if name)
        case Track():
            yield part.owners, ""
        case Zone():
            yield part.zone, ""
        case Scale() | Dice():
            yield part.state, ""
        case Cards():
            if part.owners:
                yield part.owners, ""
        case Board():
            for layer in part.layers:
                found = (layer.owners, *(name for name, _ in (*layer.pawns, *layer.sets)))
                yield from ((name, "") for name in found if name)
