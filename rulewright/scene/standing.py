"""A layer of a board and a view → what stands on each of its members: whose piece, what it is, how many, and where it looks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from rulewright.scene.layout import Layer
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE, People

Json = dict[str, Any]
# what a viewer does not know
UNKNOWN = "?"


class Man(NamedTuple):
    """One piece, or several that lie on each other: its owner, what it is (kind and member), how many, degrees from the top."""

    who: int | None = None
    figure: tuple[str, str] | None = None
    number: int = 1
    turn: int | None = None


def way_of(names: Names, name: str, kind: str) -> tuple[str, str] | None:
    """How state says what is on the members of a kind, and of which other kind that is; None if it does not.

    `sets`: map Other to set of Kind; `spots`: map Other to Kind; `by`: map Kind to Other; `numbers`: map Kind to 0..9;
    `heaps`: map Other to map Kind to 0..9; `lists`: map Kind to list of Other. A single Other may be none.
    """
    t = names.state.get(name) or {}
    if t.get("t") != "map" or t["key"]["t"] != "kind":
        return None
    key, value = str(t["key"]["kind"]), _inside(t["value"])
    if key == kind:
        of = value["of"] if value["t"] == "list" else value
        if value["t"] == "int":
            return "numbers", ""
        return (
            ("lists" if of is not value else "by", str(of["kind"])) if of["t"] == "kind" else None
        )
    if value["t"] == "set" and _is(value["of"], kind):
        return "sets", key
    if value["t"] == "map" and _is(value["key"], kind) and value["value"]["t"] == "int":
        return "heaps", key
    return ("spots", key) if _is(value, kind) else None


def _inside(t: Json) -> Json:
    return t["of"] if t["t"] == "opt" else t


def _is(t: Json, kind: str) -> bool:
    return bool(t["t"] == "kind" and t["kind"] == kind)


def is_owners(names: Names, name: str, kind: str) -> bool:
    found = way_of(names, name, kind)
    return found is not None and found[0] in ("sets", "spots", "by") and found[1] in PEOPLE


def is_figures(names: Names, name: str, kind: str) -> bool:
    found = way_of(names, name, kind)
    return found is not None and found[0] in ("sets", "spots", "by") and found[1] not in PEOPLE


def is_stacks(names: Names, name: str, kind: str) -> bool:
    found = way_of(names, name, kind)
    return found is not None and found[0] in ("numbers", "heaps", "lists")


def is_facing(names: Names, name: str, kind: str) -> bool:
    found = way_of(names, name, kind)
    return found is not None and found[0] == "by" and bool(turns_of(names, kind, found[1]))


def turns_of(names: Names, kind: str, way: str) -> dict[str, int]:
    """The degrees from the top for each direction of a grid, as its picture lies."""
    board = names.grid(kind)
    if not {"rows", "columns"} <= set(names.columns(way)):
        return {}
    out = {}
    for i, member in enumerate(names.kinds[way]):
        down, right = names.cell(way, i, "rows"), names.cell(way, i, "columns")
        if not isinstance(down, int) or not isinstance(right, int):
            return {}
        down = -down if board is not None and board.from_bottom else down
        hexes = board is not None and board.hexes
        x, y = (right + down / 2, down * 0.866) if hexes else (right, down)
        out[member] = round(math.degrees(math.atan2(x, -y))) % 360
    return out


class Standing:
    """Of one layer; which state says what is looked up once."""

    def __init__(self, layer: Layer, names: Names, people: People) -> None:
        self.layer = layer
        self._ways = {
            name: way_of(names, name, layer.kind)
            for name in (layer.owners, layer.figures, layer.facing, layer.stacks)
            if name
        }
        facing = self._ways.get(layer.facing or "")
        self._turns = turns_of(names, layer.kind, facing[1]) if facing else {}
        # who an owner's key stands for: a seat's number, or the name of one who has no seat
        self._who = {str(i): i for i in range(len(people.all))}
        self._who |= {m: i for i, m in enumerate(names.kinds.get("Participant", ()))}

    def __bool__(self) -> bool:
        return bool(self._ways)

    def at(self, state: Mapping[str, Any]) -> dict[str, list[Man]]:
        """The pieces by the member on which they stand; the lowest of a stack first."""
        layer = self.layer
        if not layer.figures and not layer.stacks and not layer.facing:
            if not layer.owners:
                return {}
            return {m: [Man(who) for who in found] for m, found in self._owners(state).items()}
        owners = self._owners(state) if layer.owners else {}
        figures = self._found(layer.figures, state) if layer.figures else {}
        heaps, counts = self._stacks(state) if layer.stacks else ({}, {})
        turns = state[layer.facing] if layer.facing else {}
        out: dict[str, list[Man]] = {m: list(found) for m, found in heaps.items()}
        for member in dict.fromkeys([*owners, *figures, *counts]):
            count = counts.get(member, 1)
            if not count:
                continue
            turn = self._turns.get(str(turns.get(member))) if turns else None
            whose: list[int | None] = [*owners.get(member, ())] or [None]
            what: list[tuple[str, str] | None] = [*figures.get(member, ())] or [None]
            out.setdefault(member, []).extend(
                Man(who, figure, count, turn) for who in whose for figure in what
            )
        return out

    def _owners(self, state: Mapping[str, Any]) -> dict[str, list[int]]:
        found = self._found(self.layer.owners or "", state)
        return {
            member: [self._who[key] for _, key in keys if key != UNKNOWN]
            for member, keys in found.items()
        }

    def _found(self, name: str, state: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
        """What state says is on each member: kinds with their members or keys of players."""
        way, other = self._ways[name] or ("", "")
        out: dict[str, list[tuple[str, str]]] = {}
        for key, value in state[name].items():
            if way == "sets":
                for member in value if isinstance(value, list) else ():
                    out.setdefault(member, []).append((other, key))
            elif value is None:
                continue
            elif way == "by":
                shown = UNKNOWN if isinstance(value, dict) else str(value)
                out.setdefault(key, []).append((other, shown))
            elif isinstance(value, str):
                out.setdefault(value, []).append((other, key))
        return out

    def _stacks(self, state: Mapping[str, Any]) -> tuple[dict[str, list[Man]], dict[str, int]]:
        """Pieces that stand by themselves, and numbers for what stands there."""
        name = self.layer.stacks or ""
        way, other = self._ways[name] or ("", "")
        found = state[name]
        if way == "numbers":
            return {}, {m: n for m, n in found.items() if isinstance(n, int)}
        out: dict[str, list[Man]] = {}
        if way == "lists":
            for member, keys in found.items():
                for key in keys if isinstance(keys, list) else ():
                    out.setdefault(member, []).append(self._man(other, str(key), 1))
            return out, {}
        for key, numbers in found.items():
            for member, n in numbers.items() if isinstance(numbers, dict) else ():
                if isinstance(n, int) and n:
                    out.setdefault(member, []).append(self._man(other, key, n))
        return out, {}

    def _man(self, kind: str, key: str, count: int) -> Man:
        if kind in PEOPLE:
            return Man(self._who[key], None, count)
        return Man(None, (kind, key), count)
