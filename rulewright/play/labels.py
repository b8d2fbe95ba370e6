"""The parts of a layout → what state, zones and pieces are called there; what is shown nowhere is nothing to tell a player of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.scene.layout import Board, Cards, Grid, Line, Part, Rows, Scale, Seats, Track, Zone
from rulewright.scene.templates import holes
from rulewright.scene.words import plain


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
        case Scale():
            yield part.state, ""
        case Cards():
            if part.owners:
                yield part.owners, ""
        case Board():
            for layer in part.layers:
                found = (layer.owners, *(name for name, _ in (*layer.pawns, *layer.sets)))
                yield from ((name, "") for name in found if name)
