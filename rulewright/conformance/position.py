"""The position that a scenario gives → written into a state."""

from __future__ import annotations

from typing import Any

from rulewright.conformance.bound import Cell, Content, Part, Pieces
from rulewright.runtime.bits import members
from rulewright.runtime.deal import known_to_all
from rulewright.runtime.game import Game
from rulewright.runtime.zones_text import counts, packed

Json = dict[str, Any]


def set_position(game: Game, state: Any, parts: tuple[Part, ...]) -> None:
    named: set[tuple[str, int]] = set()
    families: dict[str, Json] = {}
    for part in parts:
        match part:
            case Cell():
                _set_cell(game, state, part)
            case Content(_, family, zone, owner, copies):
                _set_zone(state, zone, owner, list(copies))
                named.add((zone["name"], owner))
                families[family["name"]] = family
            case Pieces(_, family):
                _set_pieces(game, state, part)
                families[family["name"]] = family
    for family in families.values():
        _set_rest(state, family, named)


def _set_cell(game: Game, state: Any, cell: Cell) -> None:
    field = cell.var["field"]
    value: Any = list(cell.value) if isinstance(cell.value, list) else cell.value
    if cell.index is None:
        setattr(state, field, value)
        return
    getattr(state, field)[cell.index] = value
    if cell.var["visible"] in ("owner", "team"):
        # whoever reasons about it from outside takes the position as it was given
        known_to_all(game, state, cell.var, cell.index)


def _set_zone(state: Any, zone: Json, owner: int, copies: list[int]) -> None:
    if zone["per"] is None:
        setattr(state, zone["field"], packed(copies))
    else:
        getattr(state, zone["field"])[owner] = packed(copies)


def _set_pieces(game: Game, state: Any, pieces: Pieces) -> None:
    """The pieces listed stand, with handles 1, 2, … in the order written; no others do."""
    st = pieces.family["standing"]
    f = st["fields"]
    alive = 0
    for h, piece in enumerate(pieces.all or ()):
        alive |= 1 << h
        getattr(state, f["value"])[h] = piece.fields["value"]
        getattr(state, f["owner"])[h] = piece.fields.get("owner", 0)
        getattr(state, f["known"])[h] = piece.known or 0
        getattr(state, f["guess"])[h] = (1 << pieces.family["kind"]["size"]) - 1
        for name, t in st["types"].items():
            first: Any = -1 if t["t"] == "opt" else [] if t["t"] == "list" else game.values.low(t)
            getattr(state, f[name])[h] = piece.fields.get(name, first)
    setattr(state, f["alive"], alive)


def _set_rest(state: Any, family: Json, named: set[tuple[str, int]]) -> None:
    """What lies nowhere else lies in the zone that starts with all pieces; where there are too many, none is left."""
    full = next((z for z in family["zones"] if z["full"]), None)
    if full is None:
        return
    rest = [list(row) for row in family["copies"]]
    kinds = family["kind"]["size"]
    for zone in family["zones"]:
        if zone is full:
            continue
        value = getattr(state, zone["field"])
        for owner, content in enumerate(value if zone["per"] is not None else [value]):
            group = owner if family["per"] is not None and zone["per"] is not None else 0
            for k, n in enumerate(counts(content, kinds)):
                rest[group][k] -= n
    st = family["standing"]
    if st is not None:
        for h in members(getattr(state, st["fields"]["alive"])):
            group = getattr(state, st["fields"]["owner"])[h] if family["per"] is not None else 0
            rest[group][getattr(state, st["fields"]["value"])[h]] -= 1
    for group, row in enumerate(rest):
        if (full["name"], group) not in named:
            _set_zone(state, full, group, [max(0, n) for n in row])
