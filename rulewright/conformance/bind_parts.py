"""The positions that scenarios name (`given`, `state`, `sees`) → parts of the state of one ruleset."""

from __future__ import annotations

from typing import Any

from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar, as_int, describe
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span
from rulewright.conformance.bound import Cell, Content, Part, Piece, Pieces
from rulewright.conformance.given_values import ValueReader
from rulewright.runtime.game import Game
from rulewright.runtime.info import StateRow
from rulewright.runtime.owners import keys_of
from rulewright.runtime.values import Known

Json = dict[str, Any]


class PartReader:
    def __init__(self, game: Game | Known, problems: Problems) -> None:
        self.game = game
        self.problems = problems
        self.values = ValueReader(game.values, problems)
        # of an engine, or as far as an outline knows it
        info: Any = game.info
        self.vars: dict[str, StateRow] = {v["name"]: v for v in info["state"] if not v["about"]}
        self.zones: dict[str, tuple[Json, Json]] = {}
        self.standing: dict[str, Json] = {}
        for family in info["families"]:
            for zone in family["zones"]:
                self.zones[zone["name"]] = (family, zone)
            if family["standing"] is not None:
                self.standing[family["standing"]["name"]] = family
        self.steps = {c["label"] for c in info["choices"].values() if "." in c["label"]}
        self.player: Json = {"t": "kind", "kind": "Player", "size": info["players"]}
        members = info["kinds"]["Participant"]["members"]
        self.participant: Json = {"t": "kind", "kind": "Participant", "size": len(members)}

    def all_names(self) -> list[str]:
        return [*self.vars, *self.zones, *self.standing]

    def read(self, node: Node, what: str) -> tuple[Part, ...]:
        """{name: value} with names of state, zones and standing pieces."""
        if not isinstance(node, YMap):
            message = f"'{what}' must be a mapping, not {describe(node)}"
            self.problems.error("RW0135", node.span, message, expected="{name: value}")
            return ()
        out: list[Part] = []
        for key, value in node.entries:
            if key.text in self.vars:
                out += self.cells(self.vars[key.text], value)
            elif key.text in self.zones:
                out += self.contents(*self.zones[key.text], value)
            elif key.text in self.standing:
                found = self.pieces(self.standing[key.text], value, given=what == "given")
                out += [] if found is None else [found]
            else:
                self.unknown(key)
        return tuple(out)

    def unknown(self, key: YScalar) -> None:
        names = self.all_names()
        message = f"there is no state and no zone {quoted(key.text)}"
        self.problems.error("RW0501", key.span, message, hint=did_you_mean(key.text, names))

    def names(self, node: Node) -> tuple[tuple[str, str | None, Span], ...]:
        """A list of names, or name.key: what is kept apart for each key of a map or owner of a zone, or a step of a joint choice."""
        out: list[tuple[str, str | None, Span]] = []
        for item in node.items if isinstance(node, YList) else [node]:
            if not isinstance(item, YScalar):
                message = f"this must be a name, not {describe(item)}"
                self.problems.error("RW0130", item.span, message)
                continue
            name, _, key = item.text.partition(".")
            if key and item.text in self.steps:
                out.append((name, key, item.span))
                continue
            if name not in self.all_names():
                self.unknown(item)
                continue
            t: Json | None = None
            if name in self.vars:
                t = (
                    self.vars[name]["type"]["key"]
                    if self.vars[name]["type"]["t"] == "map"
                    else None
                )
            elif name in self.zones:
                t = next(iter(keys_of(self.zones[name][1])), None)
            elif key:
                t = {"t": "int", "low": 1, "high": self.standing[name]["standing"]["size"]}
            if key and t is None:
                self.problems.error("RW0501", item.span, f"{quoted(name)} has no parts")
                continue
            if key and t is not None:
                word = YScalar(key, "plain", item.part(len(name) + 1, len(item.text)), item.source)
                if self.values.read(t, word, f"a key of {name}") is None:
                    continue
            out.append((name, key or None, item.span))
        return tuple(out)

    def cells(self, var: StateRow, node: Node) -> list[Cell]:
        t = var["type"]
        if t["t"] != "map":
            value = self.values.read(t, node, var["name"])
            return [] if value is None else [Cell(var["name"], var, None, t, value, node.span)]
        return [
            Cell(path, var, index, inner, value, at.span)
            for path, index, inner, value, at in self.values.cells(t, node, var["name"])
        ]

    def contents(self, family: Json, zone: Json, node: Node) -> list[Content]:
        parts = [(str(zone["name"]), 0, node)]
        for t in keys_of(zone):
            parts = [
                (f"{path}.{key}", owner * t["size"] + i, value)
                for path, owner, inner in parts
                for key, i, value in self.values.entries(t, inner, path)
            ]
        every = (self.content(family, zone, path, owner, value) for path, owner, value in parts)
        return [found for found in every if found is not None]

    def content(
        self, family: Json, zone: Json, path: str, owner: int, node: Node
    ) -> Content | None:
        """{kind: count} or [kind, …]; a list for a zone that keeps its order tells what lies where, `none` for what is not known."""
        kind = family["kind"]
        order: tuple[int, ...] | None = None
        if "order" in zone and isinstance(node, YList):
            unknown = [isinstance(x, YScalar) and x.text == "none" for x in node.items]
            places = [
                -1 if hidden else self.values.member(kind["kind"], item, f"a piece of {path}")
                for item, hidden in zip(node.items, unknown, strict=True)
            ]
            order = tuple(k for k in places if k is not None)
            copies: list[int] | None = [order.count(k) for k in range(kind["size"])]
        else:
            copies = self.values.zone(kind, node, path)
        if copies is None:
            return None
        return Content(path, family, zone, owner, tuple(copies), node.span, order)

    # ------------------------------------------------------------ standing pieces

    def pieces(self, family: Json, node: Node, *, given: bool) -> Pieces | None:
        st = family["standing"]
        name = st["name"]
        if isinstance(node, YList):
            if len(node.items) > st["size"]:
                message = f"there is room for {st['size']} pieces of {name}, not {len(node.items)}"
                self.problems.error("RW0324", node.span, message)
                return None
            found = [self.piece(family, item, given=given) for item in node.items]
            return Pieces(name, family, tuple(p for p in found if p is not None), {}, node.span)
        if given or not isinstance(node, YMap):
            message = f"the pieces of {name} must be a list, not {describe(node)}"
            self.problems.error("RW0134", node.span, message, expected="[{value: …, …}, …]")
            return None
        named: dict[int, Piece | None] = {}
        handles = {"t": "int", "low": 1, "high": st["size"]}
        for _, handle, value in self.values.entries(handles, node, name):
            if isinstance(value, YScalar) and value.text == "none":
                named[handle] = None
            else:
                named[handle] = self.piece(family, value, given=False)
        return Pieces(name, family, None, named, node.span)

    def piece(self, family: Json, node: Node, *, given: bool) -> Piece | None:
        st = family["standing"]
        if not isinstance(node, YMap):
            message = f"a piece of {st['name']} must be a mapping, not {describe(node)}"
            self.problems.error("RW0135", node.span, message, expected="{value: …, …}")
            return None
        types: dict[str, Json] = {"value": family["kind"], **st["types"]}
        if family["per"] is not None:
            types["owner"] = family["per"]
        fields: dict[str, Any] = {}
        known: int | None = None
        for key, value in node.entries:
            if key.text == "seen":
                known = self.seen(value)
            elif key.text in types:
                got = self.values.read(types[key.text], value, f"{st['name']}.{key.text}")
                if got is not None:
                    fields[key.text] = got
            else:
                names = [*types, "seen"]
                self.problems.error(
                    "RW0501", key.span, f"a piece of {st['name']} has no field {quoted(key.text)}",
                    expected=listed(names), hint=did_you_mean(key.text, names),
                )  # fmt: skip
        needed = [n for n in ("value", "owner") if n in types and given and node.get(n) is None]
        for name in needed:
            message = f"a piece of {st['name']} needs the key '{name}'"
            self.problems.error("RW0136", node.span, message, expected=f"'{name}: …'")
        return Piece(fields, known, node.span)

    def seen(self, node: Node) -> int | None:
        """The seats that know a piece's value, as a mask."""
        players = self.game.info["players"]
        if isinstance(node, YScalar) and node.text == "all":
            return int((1 << players) - 1)
        mask = 0
        for item in node.items if isinstance(node, YList) else [node]:
            seat = as_int(item, self.problems, "a seat")
            if seat is not None and not 0 <= seat < players:
                self.problems.error("RW0325", item.span, f"there is no seat {seat}")
            elif seat is not None:
                mask |= 1 << seat
        return mask
