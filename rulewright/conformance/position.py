"""The position that a scenario gives → written into a state."""

from __future__ import annotations

from typing import Any, cast

from rulewright.conformance.bound import Cell, Content, Part, Pieces
from rulewright.runtime.bits import members
from rulewright.runtime.deal import known_to_all
from rulewright.runtime.game import Game
from rulewright.runtime.info import ZoneRow
from rulewright.runtime.owners import group_of
from rulewright.runtime.zones_text import counts, packed

Json = dict[str, Any]


def set_position(game: Game, state: Any, parts: tuple[Part, ...]) -> None:
    named: set[tuple[str, int]] = set()
    families: dict[str, Json] = {}
    orders: dict[tuple[str, int], list[int]] = {}
    for part in parts:
        match part:
            case Cell():
                _set_cell(game, state, part)
            case Content(_, family, zone, owner, copies, _, order):
                _set_zone(state, zone, owner, list(copies))
                if order is None or -1 not in order or not zone["full"]:
                    named.add((zone["name"], owner))
                families[family["name"]] = family
                orders[zone["name"], owner] = list(order or ())
            case Pieces(_, family):
                _set_pieces(game, state, part)
                families[family["name"]] = family
    for family in families.values():
        _set_rest(state, family, named)
        for zone in family["zones"]:
            _set_order(state, zone, family["kind"]["size"], orders)


def _set_order(state: Any, zone: Json, kinds: int, given: dict[tuple[str, int], list[int]]) -> None:
    """What lies in a zone lies there as it was given; the rest below it, shuffled where nobody sees it, else in the order of its kind."""
    if "order" not in zone:
        return
    held = getattr(state, zone["field"])
    before = getattr(state, zone["order"])
    for owner, content in enumerate(held if zone["per"] is not None else [held]):
        left = counts(content, kinds)
        size = sum(left)
        wanted = given.get((zone["name"], owner))
        order: list[int] = []
        if wanted is None:
            wanted = before if zone["per"] is None else before[owner]
            fits = len(wanted) == size and all(wanted.count(k) <= n for k, n in enumerate(left))
            if fits:
                continue  # nothing has moved here
            wanted = []
        for k in wanted[:size]:
            if k < 0 or left[k] > 0:
                order.append(k)
                left[max(k, 0)] -= k >= 0
        if "seen" in zone:
            order += [-1] * (size - len(order))
        else:
            rest = [k for k, n in enumerate(left) for _ in range(n)]
            order = [k for k in order if k >= 0] + rest
        for field, items in (("order", order), ("seen", [0] * len(order))):
            if field not in zone:
                continue
            if zone["per"] is None:
                setattr(state, zone[field], items)
            else:
                getattr(state, zone[field])[owner] = items


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
            group = group_of(family, cast(ZoneRow, zone), owner)
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
