"""A state with what is noted beside hidden values → the notes by their roles, and whether the values are such as the notes say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.runtime.data import Value
from rulewright.runtime.info import StateRow
from rulewright.runtime.state import EngineState
from rulewright.runtime.zones_text import counts

if TYPE_CHECKING:
    from rulewright.runtime.game import Game


def notes_of(game: Game, s: EngineState, name: str) -> dict[str, Value]:
    """What is noted beside a hidden variable: lists over its entries."""
    return {v["role"]: getattr(s, v["field"]) for v in game.info["state"] if v["about"] == name}


def lowest(game: Game, var: StateRow) -> int:
    """The value that stands at bit 0 of a set of values."""
    t = var["type"]
    while t["t"] in ("map", "opt"):
        t = t["value"] if t["t"] == "map" else t["of"]
    return int(game.values.low(t)) if t["t"] in ("int", "kind") else 0


def whose(notes: dict[str, Value], i: int, width: int) -> int:
    """The seat in whose zone the piece of an entry lies: noted where it may be another's than that of the entry."""
    return int(notes["whose"][i]) if "whose" in notes else i // width


def doubted(game: Game, s: EngineState) -> str | None:
    """A hidden value that nobody may think of, or whose piece does not lie where it must; nothing if a deal could give them all."""
    zones = {z["name"]: (f, z) for f in game.info["families"] for z in f["zones"]}
    taken: list[tuple[str, int, int]] = []
    for var in game.info["state"]:
        notes = notes_of(game, s, var["name"]) if var["visible"] in ("owner", "team") else {}
        if not notes:
            continue
        low, width = lowest(game, var), game.values.cells(var["type"]["value"])
        for i, value in enumerate(getattr(s, var["field"])):
            if value < low:
                if not ("may_be_none" in notes and notes["may_be_none"][i]):
                    return f"{var['name']} may not be none"
                continue
            if notes["may_be"][i] >> (value - low) & 1:
                continue
            at = notes["lies_in"][i] if "lies_in" in notes else 0
            if not at or not notes["among"][i] >> value & 1:
                return f"{var['name']} has a value that nobody may think of"
            name = game.info["followed"][at - 1]
            family, zone = zones[name]
            held = getattr(s, zone["field"])
            owner = whose(notes, i, width) if zone["per"] is not None else 0
            content = held if zone["per"] is None else held[owner]
            own = "own" in notes and bool(notes["own"][i])
            others = taken.count((name, owner, value)) if own else 0
            if counts(content, family["kind"]["size"])[value] <= others:
                return f"the piece of {var['name']} does not lie in {name}"
            if own:
                taken.append((name, owner, value))
    for name, (family, zone) in zones.items():
        kinds = family["kind"]["size"]
        held = getattr(s, zone["field"])
        for at, many in enumerate(notes_of(game, s, name).get("known", ())):
            content = held if zone["per"] is None else held[at // kinds]
            if many > counts(content, kinds)[at % kinds]:
                return f"fewer pieces lie in {name} than all know of"
    fits = game.info["fits"]
    if fits is not None and not getattr(game.module, fits)(s):
        return "hidden things are not to one another as they were when they were chosen"
    return None
