"""YAML nodes → an engine's values, checked against the types of one ruleset, with problems at their places."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.read.yaml_nodes import (
    Node,
    YList,
    YMap,
    YScalar,
    as_bool,
    as_int,
    describe,
)
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, quoted
from rulewright.runtime.values import Values

Json = dict[str, Any]

SEATS = ("Player", "Participant")  # the built-in kinds that are written as numbers of seats


class ValueReader:
    """Reads values of one ruleset; what is wrong becomes a problem and None."""

    def __init__(self, values: Values, problems: Problems) -> None:
        self.values = values
        self.problems = problems
        # every member that was named, as (kind, number)
        self.named: set[tuple[str, int]] = set()

    def read(self, t: Json, node: Node, what: str) -> Any:
        match t["t"]:
            case "kind":
                return self.member(t["kind"], node, what)
            case "bool":
                found = as_bool(node, self.problems, what)
                return None if found is None else int(found)
            case "opt":
                if isinstance(node, YScalar) and node.style == "plain" and node.text == "none":
                    return -1
                return self.read(t["of"], node, what)
            case "set":
                return self.a_set(t, node, what)
            case "list":
                return self.a_list(t, node, what)
            case _:
                pass
        return self.number(t, node, what)

    def number(self, t: Json, node: Node, what: str) -> int | None:
        number = as_int(node, self.problems, what)
        if number is None:
            return None
        low, high = t["low"], t["high"]
        if (low is not None and number < low) or (high is not None and number > high):
            self.problems.error("RW0323", node.span, f"{what} is outside {low}..{high}")
            return None
        return number

    def member(self, kind: str, node: Node, what: str) -> int | None:
        index = self.values.index[kind]
        if not isinstance(node, YScalar):
            expected = f"a member of {kind}"
            message = f"{what} must be {expected}, not {describe(node)}"
            self.problems.error("RW0313", node.span, message, expected=expected)
            return None
        found = index.get(node.text)
        if found is not None:
            self.named.add((kind, found))
            return found
        what = f"is not a member of {kind}"
        if kind in SEATS:
            what = "is not a seat"
        elif " " in kind:
            what = "is not one of the options"
        self.problems.error(
            "RW0325", node.span, f"{quoted(node.text)} {what}",
            expected=listed(index), hint=did_you_mean(node.text, index),
        )  # fmt: skip
        return None

    def items(self, node: Node, what: str) -> list[Node] | None:
        if isinstance(node, YList):
            return node.items
        message = f"{what} must be a list, not {describe(node)}"
        self.problems.error("RW0134", node.span, message, expected="a list")
        return None

    def a_set(self, t: Json, node: Node, what: str) -> int | None:
        items = self.items(node, what)
        if items is None:
            return None
        low = self.values.low(t["of"])
        mask = 0
        for item in items:
            found = self.read(t["of"], item, f"a member of {what}")
            if found is None:
                continue
            bit = 1 << (found - low)
            if mask & bit:
                self.problems.error("RW0306", item.span, f"{describe(item)} is written twice")
            mask |= bit
        return mask

    def a_list(self, t: Json, node: Node, what: str) -> list[int] | None:
        items = self.items(node, what)
        if items is None:
            return None
        if t.get("limit") is not None and len(items) > t["limit"]:
            message = f"{what} has room for {t['limit']} values, not {len(items)}"
            self.problems.error("RW0324", node.span, message)
            return None
        found = [self.read(t["of"], item, f"an entry of {what}") for item in items]
        return None if None in found else found

    def entries(self, t: Json, node: Node, what: str) -> list[tuple[str, int, Node]]:
        """The entries of a mapping whose keys are of a type: key as written, its number from 0, value."""
        if not isinstance(node, YMap):
            message = f"{what} must be a mapping, not {describe(node)}"
            keys = "seat" if t.get("kind") in SEATS else self.values.describe(t)
            expected = f"{{{keys}: …}}"
            self.problems.error("RW0135", node.span, message, expected=expected)
            return []
        out: list[tuple[str, int, Node]] = []
        for key, value in node.entries:
            number = self.read(t, key, f"a key of {what}")
            if number is not None:
                out.append((key.text, number - self.values.low(t), value))
        return out

    def cells(
        self, t: Json, node: Node, what: str, start: int = 0
    ) -> list[tuple[str, int, Json, Any, Node]]:
        """The cells that a value of nested maps names: path, place in the flat list, type, value, node."""
        if t["t"] != "map":
            value = self.read(t, node, what)
            return [] if value is None else [(what, start, t, value, node)]
        size = self.values.cells(t["value"])
        out: list[tuple[str, int, Json, Any, Node]] = []
        for key, index, inner in self.entries(t["key"], node, what):
            out += self.cells(t["value"], inner, f"{what}.{key}", start + index * size)
        return out

    def zone(self, kind: Json, node: Node, what: str) -> list[int] | None:
        """How many pieces of each kind: from a list of kinds, or from {kind: count}."""
        copies = [0] * kind["size"]
        if isinstance(node, YMap):
            for _, index, value in self.entries(kind, node, what):
                count = as_int(value, self.problems, "a number of pieces")
                if count is not None and count < 0:
                    self.problems.error(
                        "RW0323", value.span, "a number of pieces can't be negative"
                    )
                copies[index] += max(0, count or 0)
            return copies
        items = self.items(node, what)
        if items is None:
            return None
        for item in items:
            found = self.member(kind["kind"], item, f"a piece of {what}")
            if found is not None:
                copies[found] += 1
        return copies
