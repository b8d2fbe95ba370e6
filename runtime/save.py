"""States → JSON: everything by name, so that a saved state can be read by people and by other builds (`load.py` reads it)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rulewright.runtime.asking import asks_forced
from rulewright.runtime.data import Json, Value
from rulewright.runtime.info import FamilyRow, StateRow
from rulewright.runtime.owners import by_keys
from rulewright.runtime.state import EngineState, full_flavour
from rulewright.runtime.zones_text import counts

if TYPE_CHECKING:
    from rulewright.runtime.game import Game


Row = tuple[int, str, str, Json, int | None]


def live_slots(game: Game, state: EngineState) -> list[Row]:
    """(number, name, slot, type, secret) of the locals that still count, from the pending point outwards.

    `secret` is the number of the decision that gave the value in secret, None for a value that all may know.
    """
    out: list[Row] = []
    pc = state.pc
    while pc > 0:
        point = game.info["points"].get(str(pc))
        if point is None:
            break
        out += cast("list[Row]", point["live"])
        pc = getattr(state, point["back"]) if point["back"] else 0
    return out


def returns(game: Game, state: EngineState) -> list[int]:
    """The chain of places to return to, innermost first."""
    out: list[int] = []
    pc = state.pc
    while pc > 0:
        point = game.info["points"].get(str(pc))
        if point is None or not point["back"]:
            break
        pc = getattr(state, point["back"])
        out.append(pc)
    return out


def save(game: Game, state: EngineState) -> Json:
    info = game.info
    v = game.values
    data: Json = {
        "game": info["game"], "players": info["players"], "variants": info["variants"],
        "options": info["options"], "ruleset": info["hash"], "compiler": info["compiler"],
        "state": public_state(game, state), "zones": zones(game, state), "pieces": pieces(game, state),
        "breakdown": list(state.breakdown_), "rng": str(state.rng),
        "at": {
            "pc": state.pc, "who": state.who, "options": str(state.opts), "returns": returns(game, state),
            "locals": [
                [n, name, v.show(t, getattr(state, slot)) if t else getattr(state, slot)]
                for n, name, slot, t, _ in live_slots(game, state)
            ],
        },
    }  # fmt: skip
    if state.pc and state.who >= 0:
        data["at"]["choice"] = info["choices"][str(state.pc)]["label"]
    if asks_forced(game, state):
        data["ask_forced"] = True
    if info["full"]:
        data["chance"] = {"explicit": _is_explicit(state)}
    return data


def _is_explicit(state: EngineState) -> bool:
    """Of a full state: whether chance is given from outside."""
    return full_flavour(state).explicit


def public_state(game: Game, state: EngineState) -> Json:
    out: Json = {}
    for s in game.info["state"]:
        out[s["name"]] = show_state(game, s, getattr(state, s["field"]))
    return out


def show_state(game: Game, s: StateRow, value: Value) -> Value:
    if s["type"]["t"] == "map":
        return game.values.show_map(s["type"], value)
    return game.values.show(s["type"], value)


def zones(game: Game, state: EngineState) -> Json:
    out: Json = {}
    for family in game.info["families"]:
        for zone in family["zones"]:
            value = getattr(state, zone["field"])
            rows = [show_zone(game, family, z) for z in (value if zone["per"] else [value])]
            out[zone["name"]] = by_keys(game.values, zone, rows)
    return out


def show_zone(game: Game, family: FamilyRow, zone: int) -> dict[str, int]:
    kinds = family["kind"]["size"]
    return {
        str(game.values.show(family["kind"], k)): n for k, n in enumerate(counts(zone, kinds)) if n
    }


def pieces(game: Game, state: EngineState) -> Json:
    out: Json = {}
    for family in game.info["families"]:
        st = family["standing"]
        if st is None:
            continue
        rows: Json = {}
        alive = getattr(state, st["fields"]["alive"])
        for h in range(st["size"]):
            if alive >> h & 1:
                rows[str(h + 1)] = piece(game, family, state, h)
        out[st["name"]] = rows
    return out


def piece(game: Game, family: FamilyRow, state: EngineState, h: int) -> Json:
    st = family["standing"]
    assert st is not None
    f = st["fields"]
    row: Json = {
        "value": game.values.show(family["kind"], getattr(state, f["value"])[h]),
        "known": getattr(state, f["known"])[h],
        "guess": str(getattr(state, f["guess"])[h]),
    }
    if family["per"] is not None:
        row["owner"] = game.values.show(family["per"], getattr(state, f["owner"])[h])
    for name, t in st["types"].items():
        row[name] = game.values.show(t, getattr(state, f[name])[h])
    return row
