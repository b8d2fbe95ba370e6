"""A state with what is noted beside hidden values → the notes by their roles, and whether the values are such as the notes say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from rulewright.runtime.bits import members, size
from rulewright.runtime.data import Value
from rulewright.runtime.differ import entries_that_differ
from rulewright.runtime.info import FamilyRow, StateRow
from rulewright.runtime.owners import keys_of
from rulewright.runtime.state import EngineState
from rulewright.runtime.zones_text import counts

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

# a zone, and which of them
Place = tuple[str, int]


def notes_of(game: Game, s: EngineState, name: str) -> dict[str, Value]:
    """What is noted beside a hidden variable: lists over its entries."""
    return {role: getattr(s, field) for role, field in game.notes.get(name, ())}


def lowest(game: Game, var: StateRow) -> int:
    """The value that stands at bit 0 of a set of values."""
    t = var["type"]
    while t["t"] in ("map", "opt"):
        t = t["value"] if t["t"] == "map" else t["of"]
    return int(game.values.low(t)) if t["t"] in ("int", "kind") else 0


def places_of(game: Game) -> list[Place]:
    """Where pieces of hidden values may be known to lie: zones and their numbers, in the order of the sets of `lies_in`."""
    zones = {z["name"]: z for family in game.info["families"] for z in family["zones"]}
    counted = (
        (name, prod(k["size"] for k in keys_of(zones[name]))) for name in game.info["followed"]
    )
    return [(name, at) for name, many in counted for at in range(many)]


def seen_pieces(game: Game, s: EngineState, family: FamilyRow) -> list[tuple[int, list[Place]]]:
    """The pieces of a family that all have seen and that lie in one of some hidden places: kind and places of each."""
    cells = notes_of(game, s, family["name"]).get("places")
    if cells is None:
        return []
    places, copies = places_of(game), len(cells) // family["kind"]["size"]
    return [
        (at // copies, [places[n] for n in members(there)])
        for at, there in enumerate(cells)
        if there
    ]


@dataclass(slots=True)
class Link:
    """A hidden value whose piece lies in one of some places; with `own` it is the piece of no other such value."""

    name: str
    value: int
    places: list[Place]
    own: bool


def _without_a_piece(links: list[Link], held: Callable[[Place, int], int]) -> Iterator[Link]:
    """Values that have no piece in any of their places, or none of their own: pieces are given out, and given on to make room."""
    given: dict[tuple[Place, int, int], Link] = {}

    def take(link: Link, tried: set[tuple[Place, int, int]]) -> bool:
        for place in link.places:
            for n in range(held(place, link.value)):
                piece = (place, link.value, n)
                if not link.own:
                    return True
                if piece not in tried:
                    tried.add(piece)
                    if piece not in given or take(given[piece], tried):
                        given[piece] = link
                        return True
        return False

    for link in links:
        if not take(link, set()):
            yield link


def doubted(game: Game, s: EngineState) -> str | None:
    """A hidden value that nobody may think of, or whose piece does not lie where it must; nothing if a deal could give them all."""
    zones = {z["name"]: (f, z) for f in game.info["families"] for z in f["zones"]}
    places = places_of(game)
    links: list[Link] = []
    for var in game.info["state"]:
        notes = notes_of(game, s, var["name"]) if var["visible"] in ("owner", "team") else {}
        if not notes:
            continue
        if "surely" in notes:
            for i, value in enumerate(getattr(s, var["field"])):
                if notes["surely"][i] & ~value or value & ~notes["may_be"][i]:
                    return f"{var['name']} is a set that nobody may think of"
                if not notes["least"][i] <= size(value) <= notes["most"][i]:
                    return f"in {var['name']} are more or fewer than anybody may think"
            continue
        low = lowest(game, var)
        for i, value in enumerate(getattr(s, var["field"])):
            if value < low:
                if not ("may_be_none" in notes and notes["may_be_none"][i]):
                    return f"{var['name']} may not be none"
                continue
            if notes["may_be"][i] >> (value - low) & 1:
                continue
            there = list(members(notes["lies_in"][i])) if "lies_in" in notes else []
            if not there or not notes["among"][i] >> value & 1:
                return f"{var['name']} has a value that nobody may think of"
            own = "own" in notes and bool(notes["own"][i])
            links.append(Link(var["name"], value, [places[n] for n in there], own))

    def held(place: Place, kind: int) -> int:
        family, zone = zones[place[0]]
        content = getattr(s, zone["field"])
        content = content if zone["per"] is None else content[place[1]]
        return counts(content, family["kind"]["size"])[kind]

    for link in _without_a_piece(links, held):
        return f"the piece of {link.name} does not lie in {' or '.join(dict.fromkeys(name for name, _ in link.places))}"
    for (field, at), entry in entries_that_differ(game, s).items():
        value = getattr(s, field)[at]
        if not entry.may_have(value):
            return "more hidden values are of one kind than there are pieces"
        entry.give(value)
    for name, (family, zone) in zones.items():
        kinds = family["kind"]["size"]
        cells = getattr(s, zone["field"])
        for at, many in enumerate(notes_of(game, s, name).get("known", ())):
            content = cells if zone["per"] is None else cells[at // kinds]
            if many > counts(content, kinds)[at % kinds]:
                return f"fewer pieces lie in {name} than all know of"
    for family in game.info["families"]:
        seen = [
            Link(family["name"], kind, there, True) for kind, there in seen_pieces(game, s, family)
        ]
        for link in _without_a_piece(seen, held):
            return f"a piece of {link.name} that all have seen lies in none of the places where it may be"
    fits = game.info["fits"]
    if fits is not None and not getattr(game.module, fits)(s):
        return "hidden things are not to one another as they were when they were chosen"
    return None
