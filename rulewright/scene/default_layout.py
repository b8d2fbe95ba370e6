"""The types of a game → a layout that shows all public state, for a spec that says nothing about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from rulewright.scene.layout import (
    Board,
    Cards,
    Cell,
    Layer,
    Layout,
    Line,
    Look,
    Part,
    Point,
    Rows,
    Seats,
    Zone,
)
from rulewright.scene.standing import is_facing, is_figures, is_owners, is_stacks
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE, capital, plain

# a board of a player shows so many places for what may be put there; more of them are told by what is there
_MOST_SLOTS = 12
# so many cards lie side by side
_MOST_CARDS = 60


def plain_layout(names: Names) -> Layout:
    """Single values in a line, what players have in boards of their own, a table for every kind with state, and the zones."""
    everything = [*names.state, *names.zones]
    by_seat = [n for n in everything if names.per(n) in PEOPLE and n != "score"]
    columns = (("score", "score"), *((n, n) for n in by_seat))
    terminal: list[Part] = [*_line(names), Seats("Players", columns)]
    drawn = {kind: found for kind in names.kinds if (found := _picture(names, kind)) is not None}
    shown = {
        name
        for part in drawn.values()
        if isinstance(part, Board)
        for layer in part.layers
        for name, _ in (*layer.pawns, *layer.sets)
    }
    web: list[Part] = list(_line(names, shown))
    web += [part for part in drawn.values() if isinstance(part, Board)]
    heads = (("score", "score"), *((plain(n), n) for n in by_seat))
    web.append(Seats("Players", heads, {plain(n): c for n in by_seat if (c := _cell(names, n))}))
    web += [part for part in drawn.values() if isinstance(part, Cards)]
    for kind in names.kinds:
        told = [n for n in everything if names.per(n) == kind]
        told += [f"{s}.{f}" for s, f in names.standing_on(kind)]
        if kind in PEOPLE or not told:
            continue
        terminal.append(Rows(kind, kind, tuple((n, n) for n in told), None, True))
        web.append(Rows(_title(kind), kind, tuple((plain(n), n) for n in told), None, True))
    for zone in names.zones:
        if names.per(zone) is None:
            terminal.append(Zone(zone, zone))
            web.append(Zone(capital(plain(zone)), zone, Cell("tokens")))
    return Layout(tuple(terminal), tuple(web))


def _line(names: Names, but: Collection[str] = ()) -> list[Part]:
    single = [n for n in names.state if names.is_single(n) and n not in but]
    words = [f"{plain(n)} {{{n}}}" for n in single]
    return [Line(", ".join(words))] if words else []


def _cell(names: Names, name: str) -> Cell | None:
    """How a board of a player shows something: the places for it, cards, or words."""
    if name in names.zones:
        return Cell("cards")
    kind = names.shown_kind(name)
    if kind is None or kind in PEOPLE or not names.is_owners(name, kind):
        return None
    return Cell("slots" if len(names.kinds[kind]) <= _MOST_SLOTS else "tokens")


def _picture(names: Names, kind: str) -> Board | Cards | None:
    """A board for a kind that lies in a grid, cards for one whose members belong to players."""
    if kind in PEOPLE:
        return None
    owners = [n for n in names.state if names.per(n) in PEOPLE and names.is_owners(n, kind)]
    places = names.grid_places(kind) or _grid(names, kind)
    if places:
        board = _board(names, kind, places)
        layer = board.layers[0]
        found = (layer.owners, layer.figures, layer.stacks, layer.pawns, layer.sets, layer.pieces)
        # a kind on which nothing can be is no board
        return board if any(found) else None
    if owners and len(names.kinds[kind]) <= _MOST_CARDS:
        return Cards(_title(kind), kind, None, owners[0])
    return None


def _grid(names: Names, kind: str) -> dict[str, Point]:
    if not {"row", "column"} <= set(names.columns(kind)):
        return {}
    out = {}
    for i, member in enumerate(names.kinds[kind]):
        x, y = names.cell(kind, i, "column"), names.cell(kind, i, "row")
        if isinstance(x, int) and isinstance(y, int) and x > 0 and y > 0:
            out[member] = x, y
    return out


def _first(names: Names, kind: str, fits: Callable[[Names, str, str], bool]) -> str | None:
    return next((n for n in names.state if fits(names, n, kind)), None)


def _board(names: Names, kind: str, places: dict[str, Point]) -> Board:
    single = [n for n in names.state if names.is_single(n)]
    pieces = [f"{s}.{f}" for s, f in names.standing_on(kind)]
    grid = names.grid(kind)
    hexes = grid is not None and grid.hexes
    layer = Layer(
        kind, places, Look(shape="hex" if hexes else "square", colour="sand"), owners=_first(names, kind, is_owners),
        pawns=tuple((n, plain(n)[:2]) for n in single if names.is_member(n, kind)),
        sets=tuple((n, plain(n)[:2]) for n in single if names.is_set(n, kind)),
        pieces=pieces[0] if pieces else None, piece="{owner:1} {value}",
        also=tuple((p, "{owner:1} {value}") for p in pieces[1:]),
        figures=_first(names, kind, is_figures), stacks=_first(names, kind, is_stacks), facing=_first(names, kind, is_facing),
    )  # fmt: skip
    size = max(x for x, _ in places.values()), max(y for _, y in places.values())
    return Board(_title(kind), None, size, None, None if hexes else size, hexes, (), (layer,))


def _title(kind: str) -> str:
    """TwoWords → Two words."""
    return capital(plain(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind)).lower())
