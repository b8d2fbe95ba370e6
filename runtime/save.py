"""States ↔ JSON: everything by name, so that a saved state can be read by people and by other builds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.runtime import rng
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.zones_text import counts, packed

Json = dict[str, Any]


Row = tuple[int, str, str, Json, int | None]


def live_slots(game: Any, state: Any) -> list[Row]:
    """(number, name, slot, type, secret) of the locals that still count, from the pending point outwards.

    `secret` is the number of the decision that gave the value in secret, None for a value that all may know.
    """
    out: list[Row] = []
    pc = state.pc
    while pc > 0:
        point = game.info["points"].get(str(pc))
        if point is None:
            break
        out.extend(tuple(row) for row in point["live"])
        pc = getattr(state, point["back"]) if point["back"] else 0
    return out


def returns(game: Any, state: Any) -> list[int]:
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


def save(game: Any, state: Any) -> Json:
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
    if info["full"]:
        data["chance"] = {"pool": str(state.pool), "kinds": state.kinds, "explicit": state.explicit}
    return data


def public_state(game: Any, state: Any) -> Json:
    out: Json = {}
    for s in game.info["state"]:
        out[s["name"]] = show_state(game, s, getattr(state, s["field"]))
    return out


def show_state(game: Any, s: Json, value: Any) -> Any:
    if s["type"]["t"] == "map":
        return game.values.show_map(s["type"], value)
    return game.values.show(s["type"], value)


def zones(game: Any, state: Any) -> Json:
    out: Json = {}
    for family in game.info["families"]:
        for zone in family["zones"]:
            value = getattr(state, zone["field"])
            if zone["per"] is None:
                out[zone["name"]] = show_zone(game, family, value)
            else:
                out[zone["name"]] = {
                    str(game.values.show(zone["per"], i)): show_zone(game, family, z)
                    for i, z in enumerate(value)
                }
    return out


def show_zone(game: Any, family: Json, zone: int) -> dict[str, int]:
    kinds = family["kind"]["size"]
    return {
        str(game.values.show(family["kind"], k)): n for k, n in enumerate(counts(zone, kinds)) if n
    }


def read_zone(game: Any, family: Json, value: Any, what: str) -> int:
    """A zone from {kind: count} or a list of kinds."""
    copies = [0] * family["kind"]["size"]
    items = value.items() if isinstance(value, dict) else [(k, 1) for k in value]
    for kind, n in items:
        copies[game.values.read(family["kind"], kind, what)] += n
    return packed(copies)


def pieces(game: Any, state: Any) -> Json:
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


def piece(game: Any, family: Json, state: Any, h: int) -> Json:
    st = family["standing"]
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


# ---------------------------------------------------------------- loading


def load(game: Any, data: Json) -> Any:
    """A state from what `save` gave; a file of another ruleset is refused."""
    info = game.info
    if not isinstance(data, dict) or "ruleset" not in data or "at" not in data:
        raise RulewrightError("this is not a saved state")
    if data.get("game") != info["game"]:
        raise RulewrightError(f"this state is of {data.get('game')!r}, not of {info['game']!r}")
    if data["ruleset"] != info["hash"]:
        raise RulewrightError(
            f"this state was saved under other rules (ruleset {data['ruleset']}, this is {info['hash']})"
        )
    try:
        return _load(game, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise RulewrightError(f"the saved state is damaged: {error!r}") from error


def _load(game: Any, data: Json) -> Any:
    info, v = game.info, game.values
    state = game.module.new_state(0)
    for s in info["state"]:
        value = data["state"][s["name"]]
        set_state(game, state, s, value, s["name"])
    for family in info["families"]:
        for zone in family["zones"]:
            set_zone(game, state, family, zone, data["zones"][zone["name"]])
        if family["standing"] is not None:
            _load_pieces(game, state, family, data["pieces"][family["standing"]["name"]])
    set_cells(state.breakdown_, data["breakdown"])
    state.rng = int(data["rng"]) if data.get("rng") else rng.from_seed(0)
    at = data["at"]
    state.pc, state.who, state.opts = at["pc"], at["who"], int(at["options"])
    chain = [state.pc, *at["returns"]]
    for pc, back in zip(chain, at["returns"], strict=False):
        setattr(state, info["points"][str(pc)]["back"], back)
    saved = {row[0]: row[2] for row in at["locals"]}
    for n, _, slot, t, _ in live_slots(game, state):
        if n in saved:
            setattr(state, slot, v.read(t, saved[n]) if t else saved[n])
    if info["full"] and "chance" in data:
        chance = data["chance"]
        state.pool, state.kinds, state.explicit = (
            int(chance["pool"]),
            chance["kinds"],
            chance["explicit"],
        )
    return state


def set_cells(cells: Any, values: Iterable[int]) -> None:
    """Put values into an array or list of the same length."""
    for i, value in enumerate(values):
        cells[i] = value


def set_state(game: Any, state: Any, s: Json, value: Any, what: str) -> None:
    if s["type"]["t"] == "map":
        game.values.read_map(s["type"], value, getattr(state, s["field"]), 0, what)
    else:
        setattr(state, s["field"], game.values.read(s["type"], value, what))


def set_zone(game: Any, state: Any, family: Json, zone: Json, value: Any) -> None:
    if zone["per"] is None:
        setattr(state, zone["field"], read_zone(game, family, value, zone["name"]))
        return
    field = getattr(state, zone["field"])
    for owner, content in value.items():
        field[game.values.read(zone["per"], owner, zone["name"])] = read_zone(
            game, family, content, zone["name"]
        )


def _load_pieces(game: Any, state: Any, family: Json, rows: Json) -> None:
    st = family["standing"]
    f = st["fields"]
    alive = 0
    for key, row in rows.items():
        h = int(key) - 1
        alive |= 1 << h
        getattr(state, f["value"])[h] = game.values.read(family["kind"], row["value"])
        getattr(state, f["known"])[h] = row["known"]
        getattr(state, f["guess"])[h] = int(row["guess"])
        if family["per"] is not None:
            getattr(state, f["owner"])[h] = game.values.read(family["per"], row["owner"])
        for name, t in st["types"].items():
            getattr(state, f[name])[h] = game.values.read(t, row[name])
    setattr(state, f["alive"], alive)
