"""How a position is laid out for a player: the parts of a screen, and a plain layout for a spec that says nothing.

`read_layout.py` makes it from a spec's `view.yaml`; docs/playing.md lists what can be written there.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.play.names import Names

# (heading, what is shown below it)
Columns = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A text with the values of public state in braces."""

    text: str


@dataclass(frozen=True, slots=True)
class Seats:
    """A table with a row for each participant."""

    title: str
    columns: Columns


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


@dataclass(frozen=True, slots=True)
class Track:
    """The members of a kind in order, each with the one who has a piece on it."""

    title: str
    kind: str
    owners: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Zone:
    title: str
    zone: str


@dataclass(frozen=True, slots=True)
class Layer:
    """What is drawn of one kind: where its members lie, what links them, who or what is on them.

    `mark` and `owned` are texts with columns of the member in braces; `ties` and `titles` are columns: members with the same
    value are tied together by thin lines, or have that value written among them. `above` draws one line higher.
    """

    kind: str
    x: str
    y: str
    mark: str
    owned: str
    colour: str | None
    links: str | None
    ties: str | None
    titles: str | None
    owners: str | None
    only: str | None
    above: bool
    pawns: Columns
    sets: Columns


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of `size` drawn into `cells` of characters; a later layer covers an earlier one.

    With `blocks` the picture is a grid of squares, with lines after so many columns and rows.
    """

    title: str
    size: tuple[int, int]
    cells: tuple[int, int]
    blocks: tuple[int, int] | None
    layers: tuple[Layer, ...]


Part = Line | Seats | Rows | Grid | Track | Zone | Board


@dataclass(frozen=True, slots=True)
class Layout:
    parts: tuple[Part, ...]


def plain_layout(names: Names) -> Layout:
    """All public state in tables, for a spec that says nothing about it."""
    parts: list[Part] = []
    words = [f"{n.replace('_', ' ')} {{{n}}}" for n in names.state if names.is_single(n)]
    if words:
        parts.append(Line(", ".join(words)))
    everything = [*names.state, *names.zones]
    by_seat = [n for n in everything if names.per(n) in ("Player", "Participant") and n != "score"]
    parts.append(Seats("Players", (("score", "score"), *((n, n) for n in by_seat))))
    for kind in names.kinds:
        if kind in ("Player", "Participant"):
            continue
        found = [(n, n) for n in everything if names.per(n) == kind]
        found += [(f"{s}.{f}", f"{s}.{f}") for s, f in names.standing_on(kind)]
        if found:
            parts.append(Rows(kind, kind, tuple(found), None, True))
    parts += [Zone(z, z) for z in names.zones if names.per(z) is None]
    return Layout(tuple(parts))
