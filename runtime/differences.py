"""Two views of one seat → what is different in the second, as plain data: numbers, values, sets, zones, pieces, points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.runtime.data import Json, Value
from rulewright.runtime.info import Info, TypeRow, ZoneRow
from rulewright.runtime.owners import keys_of
from rulewright.runtime.save import show_state
from rulewright.runtime.view import pieces_data, zone_data

if TYPE_CHECKING:
    from rulewright.runtime.game import Game
    from rulewright.runtime.view import View

# what tells one change from another: what it is about, of which name, at which keys
Key = tuple[str, ...]
Changes = dict[Key, Json]
PEOPLE = ("Player", "Participant")


def changes(game: Game, before: View, after: View) -> Changes:
    """The changes by what they are about, in the order in which the spec names things; points come last.

    Most of a position stays as it is, so what is the same inside is not put into words at all.
    """
    old, new = before._masked, after._masked
    info = game.info
    out: Changes = {}
    for var in info["state"]:
        a, b = getattr(old, var["field"]), getattr(new, var["field"])
        # the score is told by its reasons; what all may think of hidden values is nothing that happens
        if a == b or var["about"] or var["field"] == "score":
            continue
        shown = show_state(game, var, a), show_state(game, var, b)
        for keys, t, x, y in _cells(var["type"], *shown, ()):
            _value(out, var["name"], keys, t, x, y)
    sizes = before._sizes != after._sizes
    for family in info["families"]:
        for zone in family["zones"]:
            if sizes or getattr(old, zone["field"]) != getattr(new, zone["field"]):
                _zone(out, zone, *(zone_data(view, family, zone) for view in (before, after)))
        standing = family["standing"]
        if standing is not None and any(
            getattr(old, field) != getattr(new, field) for field in standing["fields"].values()
        ):
            a, b = (pieces_data(view, family) for view in (before, after))
            _pieces(out, standing["name"], standing["types"], a, b)
    _points(out, info, old, new)
    return out


def agreed(info: Info, found: list[Changes]) -> list[Json]:
    """What is the same in all of them; of the rest only that it is unknown."""
    out: list[Json] = []
    for key in dict.fromkeys(key for one in found for key in one):
        rows = [one.get(key) for one in found]
        if all(row == rows[0] for row in rows):
            assert rows[0] is not None
            out.append(rows[0])
        else:
            known = next(row for row in rows if row is not None)
            kept: Json = {k: v for k, v in known.items() if k in ("what", "of", "at")}
            out.append({**kept, "unknown": True})
    return _moved(info, _handed_over(info, out))


# ---------------------------------------------------------------- state


def _cells(
    t: TypeRow, old: Value, new: Value, keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], TypeRow, Value, Value]]:
    """The single values that differ, with the keys that lead to them."""
    if old == new:
        return
    if t["t"] == "map":
        for key, value in new.items():
            yield from _cells(t["value"], old[key], value, (*keys, key))
    else:
        yield keys, t, old, new


def _value(
    out: Changes, name: str, keys: tuple[str, ...], t: TypeRow, old: Value, new: Value
) -> None:
    row: Json = {"of": name, "at": list(keys)}
    if t["t"] == "int":
        row = {"what": "number", **row, "from": old, "to": new, "by": new - old}
    elif t["t"] == "set":
        gained, lost = [v for v in new if v not in old], [v for v in old if v not in new]
        row = {"what": "set", **row, "gained": gained, "lost": lost}
    else:
        row = {"what": "value", **row, "from": old, "to": new}
    out["state", name, *keys] = row


# ---------------------------------------------------------------- pieces


def _zone(out: Changes, zone: ZoneRow, old: Json, new: Json) -> None:
    if old == new:
        return
    name = zone["name"]
    pairs: list[tuple[tuple[str, ...], Json, Json]] = [((), old, new)]
    for _ in keys_of(zone):
        pairs = [((*at, k), a[k], b[k]) for at, a, b in pairs for k in b]
    for at, a, b in pairs:
        if a != b:
            _content(out, name, at, a, b)


def _content(out: Changes, name: str, keys: tuple[str, ...], old: Json, new: Json) -> None:
    row: Json = {"what": "zone", "of": name, "at": list(keys)}
    if "hidden" in old or "hidden" in new:
        out["zone", name, *keys] = {**row, "by": _size(new) - _size(old)}
        return
    a, b = Counter(old), Counter(new)
    out["zone", name, *keys] = {**row, "gained": dict(b - a), "lost": dict(a - b)}


def _size(content: Json) -> int:
    return int(content["hidden"] if "hidden" in content else sum(content.values()))


def _pieces(out: Changes, name: str, types: Json, old: Json, new: Json) -> None:
    for handle in dict.fromkeys([*old, *new]):
        a, b = _piece(old.get(handle), types), _piece(new.get(handle), types)
        if a != b:
            row = {"what": "piece", "of": name, "at": [handle], "from": a, "to": b}
            out["piece", name, handle] = row


def _piece(row: Json | None, types: Json) -> Json | None:
    """A piece without what all think of it."""
    if row is None:
        return None
    shown = ("value", "owner", *types)
    return {k: row[k] for k in shown if k in row}


# ---------------------------------------------------------------- points


def _points(out: Changes, info: Info, old: Value, new: Value) -> None:
    reasons = list(info["reasons"])
    width = max(1, len(reasons))
    for who in range(len(old.score)):
        told = 0
        for i, reason in enumerate(reasons):
            by = new.breakdown_[who * width + i] - old.breakdown_[who * width + i]
            if by:
                told += by
                out["points", str(who), reason] = _scored(who, by, reason)
        rest = new.score[who] - old.score[who] - told
        if rest:
            out["points", str(who)] = _scored(who, rest, None)


def _scored(who: int, by: int, reason: str | None) -> Json:
    return {"what": "points", "of": reason, "at": [str(who)], "by": by}


# ---------------------------------------------------------------- from one owner or place to another


def _handed_over(info: Info, rows: list[Json]) -> list[Json]:
    """What one participant loses and another gains of the same state has changed its owner."""
    per = {v["name"] for v in info["state"] if v["type"]["t"] == "map" and _of_people(v["type"])}
    sets = [r for r in rows if r["what"] == "set" and r["of"] in per and "unknown" not in r]
    out: list[Json] = []
    for giver in sets:
        for taker in sets:
            if giver["of"] != taker["of"] or giver is taker:
                continue
            for member in [m for m in giver["lost"] if m in taker["gained"]]:
                giver["lost"] = [m for m in giver["lost"] if m != member]
                taker["gained"] = [m for m in taker["gained"] if m != member]
                ends = {"from": giver["at"][0], "to": taker["at"][0]}
                out.append({"what": "owner", "of": giver["of"], "at": [member], **ends})
    empty = [r for r in sets if not r["gained"] and not r["lost"]]
    return [r for r in rows if not any(r is e for e in empty)] + out


def _of_people(t: TypeRow) -> bool:
    return t["key"]["t"] == "kind" and t["key"]["kind"] in PEOPLE and t["value"]["t"] == "set"


def _moved(info: Info, rows: list[Json]) -> list[Json]:
    """Pieces of a kind that one zone loses and one other gains, as many, have moved there."""
    family = {z["name"]: f["name"] for f in info["families"] for z in f["zones"]}
    seen = [r for r in rows if r["what"] == "zone" and "gained" in r]
    out: list[Json] = []
    for giver in seen:
        for member, n in list(giver["lost"].items()):
            same = [r for r in seen if family[r["of"]] == family[giver["of"]]]
            takers = [r for r in same if member in r["gained"]]
            givers = [r for r in same if member in r["lost"]]
            if len(givers) == len(takers) == 1 and takers[0]["gained"][member] == n:
                del giver["lost"][member], takers[0]["gained"][member]
                move = {
                    "what": "move",
                    "of": giver["of"],
                    "at": giver["at"],
                    "piece": member,
                    "by": n,
                }
                out.append({**move, "to": takers[0]["of"], "to_at": takers[0]["at"]})
    gone = [r for r in seen if not r["gained"] and not r["lost"]]
    return [r for r in rows if not any(r is g for g in gone)] + out
