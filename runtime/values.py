"""Values inside an engine (ints and masks) ↔ values at its edge (names, numbers, lists)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from rulewright.runtime.bits import members
from rulewright.runtime.data import Json, Value
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.given import shown
from rulewright.runtime.info import ChoiceRow, Info, KindRow, TypeRow


def _is_small(value: object) -> bool:
    return type(value) is int and value.bit_length() < 64


class Known:
    """What is known of a ruleset without an engine: its names, their types and values."""

    def __init__(self, info: Json) -> None:
        # of the keys of an engine's info those that are known before there is one
        self.info = cast(Info, info)
        self.values = Values(info["kinds"])

    def option_name(self, choice: ChoiceRow, index: int) -> Value:
        return self.values.option_name(choice, index)


class Values:
    """Knows the kinds of one game."""

    def __init__(self, kinds: Mapping[str, KindRow]) -> None:
        self.names: dict[str, list[str]] = {k: v["members"] for k, v in kinds.items()}
        self.texts: dict[str, list[str]] = {k: v["texts"] for k, v in kinds.items()}
        self.index = {k: {m: i for i, m in enumerate(v)} for k, v in self.names.items()}

    def option_name(self, choice: ChoiceRow, index: int) -> Value:
        """The value of a decision with this index: a member, a number, or the word after `or`."""
        if choice["otherwise"] is not None and index == choice["size"] - 1:
            return choice["otherwise"]
        return self.show(choice["element"], index + self.low(choice["element"]))

    def low(self, t: TypeRow) -> int:
        return int(t["low"] or 0) if t["t"] == "int" else 0

    def count(self, t: TypeRow) -> int:
        return int(t["high"] - t["low"] + 1 if t["t"] == "int" else t["size"])

    def show(self, t: TypeRow, value: Value) -> Value:
        """The edge's value of an engine's value."""
        match t["t"]:
            case "kind":
                if t["kind"] == "Player":
                    return int(value)
                return self.names[t["kind"]][value]
            case "bool":
                return bool(value)
            case "opt":
                return None if value < 0 else self.show(t["of"], value)
            case "set":
                low = self.low(t["of"])
                return [self.show(t["of"], i + low) for i in members(value)]
            case "list":
                return [self.show(t["of"], i) for i in value]
            case _:
                pass
        return int(value)

    def read(self, t: TypeRow, value: Value, what: str = "value") -> Value:
        """The engine's value of an edge's value, or a clear error."""
        match t["t"]:
            case "kind":
                return self._member(t, value, what)
            case "bool":
                if isinstance(value, bool):
                    return int(value)
            case "opt":
                return -1 if value is None or value == "none" else self.read(t["of"], value, what)
            case "set":
                if isinstance(value, list | tuple):
                    low = self.low(t["of"])
                    return sum({1 << (self.read(t["of"], v, what) - low) for v in value})
            case "list":
                if isinstance(value, list | tuple):
                    return [self.read(t["of"], v, what) for v in value]
            case "int":
                if isinstance(value, int) and not isinstance(value, bool):
                    low, high = t["low"], t["high"]
                    if (low is None or value >= low) and (high is None or value <= high):
                        return value
                    raise RulewrightError(f"{what}: {shown(value)} is outside {low}..{high}")
            case _:
                pass
        raise RulewrightError(f"{what}: {shown(value)} is not {self.describe(t)}")

    def _member(self, t: TypeRow, value: Value, what: str) -> int:
        index = self.index[t["kind"]]
        key = str(value) if type(value) is str or _is_small(value) else ""
        if key in index:
            return index[key]
        import difflib

        near = difflib.get_close_matches(key[:80], index, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise RulewrightError(f"{what}: {shown(value)} is not a member of {t['kind']}{hint}")

    def describe(self, t: TypeRow) -> str:
        match t["t"]:
            case "kind":
                return f"a member of {t['kind']}"
            case "opt":
                return f"{self.describe(t['of'])} or none"
            case "set" | "list":
                return f"a list of values, each {self.describe(t['of'])}"
            case "bool":
                return "true or false"
            case _:
                pass
        return "a number"

    def text(self, t: TypeRow, value: int) -> str:
        """A value in a player's words."""
        if t["t"] == "kind":
            return self.texts[t["kind"]][value]
        return str(value)

    # ------------------------------------------------------------ maps laid flat

    def show_map(self, t: TypeRow, cells: list[Value], start: int = 0) -> Value:
        """Nested maps from a flat list."""
        if t["t"] != "map":
            return self.show(t, cells[start])
        size = self.cells(t["value"])
        low = self.low(t["key"])
        return {
            str(self.show(t["key"], i + low)): self.show_map(t["value"], cells, start + i * size)
            for i in range(self.count(t["key"]))
        }

    def cells(self, t: TypeRow) -> int:
        return self.count(t["key"]) * self.cells(t["value"]) if t["t"] == "map" else 1

    def read_map(self, t: TypeRow, value: Value, cells: list[Value], start: int, what: str) -> None:
        """Write the named entries of a nested map into a flat list."""
        if t["t"] != "map":
            cells[start] = self.read(t, value, what)
            return
        if not isinstance(value, dict):
            raise RulewrightError(f"{what}: {shown(value)} is not a mapping")
        size = self.cells(t["value"])
        low = self.low(t["key"])
        for key, inner in value.items():
            k = int(key) if t["key"]["t"] == "int" and str(key).lstrip("-").isdigit() else key
            index = self.read(t["key"], k, what) - low
            self.read_map(t["value"], inner, cells, start + index * size, f"{what}.{key}")
