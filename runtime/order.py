"""Zones that keep their order: what a seat knows of the places in them, dealt anew, and read from outside.

Beside such a zone stands a list of its pieces from the top on. In a zone that nobody may look into -1 stands for one of those whose place
nobody has ever known, and a second list holds who knows what lies at each place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from rulewright.runtime.bits import members
from rulewright.runtime.data import Json, Value
from rulewright.runtime.given import Given
from rulewright.runtime.info import FamilyRow, Info, ZoneRow
from rulewright.runtime.owners import by_keys, sees_zone
from rulewright.runtime.state import EngineState
from rulewright.runtime.zones_text import counts

if TYPE_CHECKING:
    from rulewright.runtime.game import Game
    from rulewright.runtime.view import View

ROLES = ("order", "seen")


class Shuffles(Protocol):
    def shuffle(self, items: list[int]) -> None: ...


def ordered(info: Info) -> Iterator[tuple[FamilyRow, ZoneRow]]:
    """The zones that keep their order."""
    for family in info["families"]:
        for zone in family["zones"]:
            if "order" in zone:
                yield family, zone


def cells_of(s: EngineState, zone: ZoneRow, field: str) -> list[list[int]]:
    """A list of the zone for each owner, or the one that it has."""
    found: Value = getattr(s, field)
    return list(found) if zone["per"] is not None else [found]


def _set(s: EngineState, zone: ZoneRow, owner: int, items: list[int]) -> None:
    # copies of a state share their lists: they are changed as a whole
    if zone["per"] is not None:
        getattr(s, zone["order"])[owner] = items
    else:
        setattr(s, zone["order"], items)


# ---------------------------------------------------------------- views


def blank_order(game: Game, s: EngineState, seat: int) -> None:
    """What lies where the seat has not looked is forgotten; that something lies there for sure is not."""
    for _, zone in ordered(game.info):
        if "seen" not in zone:
            continue  # blanked with the other variables of its owner
        seen = cells_of(s, zone, zone["seen"])
        for owner, items in enumerate(cells_of(s, zone, zone["order"])):
            known = zip(items, seen[owner], strict=True)
            _set(s, zone, owner, [min(k, 0) if not m >> seat & 1 else k for k, m in known])


def order_data(view: View) -> Json:
    """By zone, what the seat knows to lie at each place, None where it knows nothing.

    For zones that nobody may look into also who knows what lies at each place; None where nobody has ever known it.
    """
    game, s, seat = view._game, view._masked, view.seat
    order: Json = {}
    looked: Json = {}
    for family, zone in ordered(game.info):
        rows = cells_of(s, zone, zone["order"])
        seen = cells_of(s, zone, zone["seen"]) if "seen" in zone else None
        shown: list[Value] = []
        for owner, items in enumerate(rows):
            names = [None if k < 0 else game.values.show(family["kind"], k) for k in items]
            if seen is not None:
                pairs = zip(names, seen[owner], strict=True)
                names = [name if mask >> seat & 1 else None for name, mask in pairs]
            elif not sees_zone(game.info, zone, owner, seat):
                names = [None] * view._sizes[zone["name"], owner]
            shown.append(names)
        order[zone["name"]] = by_keys(game.values, zone, shown)
        if seen is not None:
            masks = [
                [None if k < 0 else list(members(mask)) for k, mask in zip(items, row, strict=True)]
                for items, row in zip(rows, seen, strict=True)
            ]
            looked[zone["name"]] = by_keys(game.values, zone, masks)
    return {"order": order, "looked_at": looked}


# ---------------------------------------------------------------- dealing


def known_pieces(view: View, s: EngineState, zone: ZoneRow, owner: int) -> list[int]:
    """The pieces of a hidden zone of which the seat knows where they lie."""
    if "seen" not in zone:
        return []
    items = cells_of(s, zone, zone["order"])[owner]
    seen = cells_of(s, zone, zone["seen"])[owner]
    return [k for k, mask in zip(items, seen, strict=True) if mask >> view.seat & 1]


def deal_order(
    view: View, s: EngineState, zone: ZoneRow, owner: int, content: list[int], dice: Shuffles
) -> None:
    """Pieces that were dealt to a zone that the seat can't look into come to lie at places: the known ones where they are, the others anywhere."""
    if "order" not in zone:
        return
    left = [k for k, n in enumerate(content) for _ in range(n)]
    if "seen" not in zone:
        dice.shuffle(left)
        _set(s, zone, owner, left)
        return
    for k in known_pieces(view, s, zone, owner):
        left.remove(k)
    dice.shuffle(left)
    items = cells_of(s, zone, zone["order"])[owner]
    seen = cells_of(s, zone, zone["seen"])[owner]
    pairs = zip(items, seen, strict=True)
    _set(s, zone, owner, [k if k < 0 or m >> view.seat & 1 else left.pop() for k, m in pairs])


# ---------------------------------------------------------------- from outside


def check_order(game: Game, state: EngineState, top: Given) -> None:
    """What lies at the places of a zone is what is in it."""
    for family, zone in ordered(game.info):
        kinds = family["kind"]["size"]
        content = getattr(state, zone["field"])
        rows = cells_of(state, zone, zone["order"])
        seen = cells_of(state, zone, zone["seen"]) if "seen" in zone else None
        for owner, items in enumerate(rows):
            held = counts(content if zone["per"] is None else content[owner], kinds)
            at = top.inside(None, "state").inside(None, f"{zone['name']}.order")
            if len(items) != sum(held):
                at.fail(f"{len(items)} places, but {sum(held)} pieces lie in {zone['name']}")
            for k in items:
                if k < 0:
                    continue
                held[k] -= 1
                if held[k] < 0:
                    piece = game.values.show(family["kind"], k)
                    at.fail(f"more {piece} have a place than lie in {zone['name']}")
            if seen is None:
                continue
            at = top.inside(None, "state").inside(None, f"{zone['name']}.seen")
            if len(seen[owner]) != len(items):
                at.fail(f"{len(seen[owner])} places, but {len(items)} pieces lie in {zone['name']}")
            if any(k < 0 and mask for k, mask in zip(items, seen[owner], strict=True)):
                at.fail("somebody knows what lies at a place, but nothing is there for sure")
