"""What is known of an engine → the pieces of an observation: what stands where, by whom it is seen.

Everything comes from types and visibility. What only its owner sees is there for the viewer alone; of a zone that the viewer can't look
into there is its size. Locals that wait across a decision (what was chosen so far, whose turn a loop has come to) have pieces too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from rulewright.compiler.observe.cells import Cells, axis, bits, cells, count, map_cells, number
from rulewright.runtime.hashes import text_hash
from rulewright.runtime.observation import ObservationSpec, Piece
from rulewright.runtime.owners import keys_of

Json = dict[str, Any]
# of what a piece tells: a word for its sort, and names
Key = tuple[str, ...]
# changes when the same rules would be written in another way
_VERSION = 1


@dataclass(slots=True)
class Layout:
    """Pieces in their order, and where each thing of the rules is written."""

    pieces: list[Piece] = field(default_factory=list)
    places: dict[Key, Piece] = field(default_factory=dict)
    # the piece of a local, by the local's number
    locals: dict[int, Piece] = field(default_factory=dict)
    # the place of each choice among the choices, by label
    choices: dict[str, int] = field(default_factory=dict)
    size: int = 0

    def add(self, key: Key, name: str, shape: Cells, about: str) -> Piece:
        taken = {p.name for p in self.pieces}
        own, n = name, 2
        while own in taken:
            own, n = f"{name}_{n}", n + 1
        words = f"{about}: {shape.words}" if shape.words else about
        piece = Piece(
            own, self.size, shape.shape, shape.axes, shape.low, shape.high, words, shape.scale
        )
        self.pieces.append(piece)
        self.places[key] = piece
        self.size += piece.size
        return piece


def layout(info: Json) -> Layout:
    """The pieces for one ruleset; `info` is that of its fast engine."""
    out = Layout()
    players, participants = info["players"], len(info["participants"])
    out.add(("decides",), "decides", bits(players, "Player", "one-hot"), "who decides")
    labels = [c["label"] for _, c in sorted(info["choices"].items(), key=lambda x: int(x[0]))]
    out.choices = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    if out.choices:
        shape = bits(len(out.choices), "choice", "one-hot")
        out.add(("choice",), "choice", shape, "what is asked")
    for var in info["state"]:
        _state(out, var)
    for family in info["families"]:
        for zone in family["zones"]:
            _zone(out, family, zone, participants)
        if family["standing"] is not None:
            _standing(out, family, players)
    _locals(out, info)
    return out


def spec_of(found: Layout, info: Json, shape: str) -> ObservationSpec:
    """What people are told of a layout."""
    rows = [[p.name, p.start, p.shape, p.scale] for p in found.pieces]
    version = f"{info['hash']}-{text_hash(json.dumps([_VERSION, rows]))[:8]}"
    return ObservationSpec(shape, tuple(found.pieces), found.size, info["actions"], version)


def _state(out: Layout, var: Json) -> None:
    name, t, usual = var["name"], var["type"], var.get("usual", 0)
    if var["visible"] == "nobody" and var["role"] != "order":
        return
    if var["visible"] == "owner":
        shape, about = map_cells(t["value"], usual), f"{name} of the viewer"
    else:
        seen = ", of the viewer's team" if var["visible"] == "team" else ""
        shape, about = map_cells(t, usual), f"{name}{seen}"
    if var["about"]:
        about = f"what all know of {var['about']} ({var['role']})"
    if var["role"] == "order":
        about = f"what lies where in {var['about']}, as far as the viewer knows"
    elif var["role"] == "seen":
        about = f"who knows what lies where in {var['about']}"
    if shape is not None:
        out.add(("state", name), name, shape, about)


def _zone(out: Layout, family: Json, zone: Json, participants: int) -> None:
    name, keys = zone["name"], keys_of(zone)
    kinds, copies = family["kind"], family["copies"]
    most = max((max(row, default=0) for row in copies), default=0)
    counts = number(0, most)
    inner = Cells((kinds["size"],), (axis(kinds),), 0, 1, counts.scale, f"how many, {counts.words}")
    if zone["visible"] == "all":
        out.add(("zone", name), name, _for_each(keys, inner), f"what is in {name}")
        return
    if zone["visible"] == "owner":
        out.add(
            ("zone", name), name, _for_each(keys[1:], inner), f"what is in {name} of the viewer"
        )
    if zone["visible"] == "team":
        about = f"what is in {name} of the viewer's team"
        out.add(("zone", name), name, _for_each(keys, inner), about)
    total = max(map(sum, copies)) if family["per"] is not None else sum(map(sum, copies))
    out.add(("size", name), f"{name}_size", _for_each(keys, number(0, total)), f"pieces in {name}")


def _for_each(keys: list[Json], inner: Cells) -> Cells:
    if not keys:
        return inner
    shape, axes = (*map(count, keys), *inner.shape), (*map(axis, keys), *inner.axes)
    return Cells(shape, axes, inner.low, inner.high, inner.scale, inner.words)


def _standing(out: Layout, family: Json, players: int) -> None:
    """Of each piece that stands: what all see of it, and its value if the viewer knows it."""
    st, kind = family["standing"], family["kind"]
    handle = {"t": "kind", "kind": st["name"], "size": st["size"]}
    parts: dict[str, tuple[Cells | None, str]] = {
        "alive": (number(0, 1, "1 if so"), "whether it stands"),
        "value": (bits(kind["size"], axis(kind), "one-hot"), "its value, if the viewer knows it"),
        "known": (bits(players, "Player", "a bit for each"), "who knows its value"),
        "guess": (bits(kind["size"], axis(kind), "a bit for each"), "what all may think it is"),
    }
    if family["per"] is not None:
        parts["owner"] = (cells(family["per"]), "whose it is")
    parts.update({name: (cells(t), name) for name, t in st["types"].items()})
    for name, (shape, about) in parts.items():
        if shape is not None:
            key = ("piece", st["name"], name)
            out.add(
                key, f"{st['name']}.{name}", _for_each([handle], shape), f"{st['name']}, {about}"
            )


def _locals(out: Layout, info: Json) -> None:
    """One piece for each local; numbers that share a slot where both count are names of the same."""
    same: dict[int, int] = {}

    def root(n: int) -> int:
        while same.setdefault(n, n) != n:
            n = same[n]
        return n

    found: dict[int, tuple[str, Json]] = {}
    for _, point in sorted(info["points"].items(), key=lambda x: int(x[0])):
        slots: dict[str, int] = {}
        for n, name, slot, t, _ in point["live"]:
            if t is not None:
                found.setdefault(n, (f"{point['frame']}.{name}", t))
                one, other = root(n), root(slots.setdefault(slot, n))
                same[max(one, other)] = min(one, other)
    by_root: dict[int, Piece | None] = {}
    for n in sorted(found):
        top = root(n)
        if top not in by_root:
            name, t = found[top]
            # a number that is known beforehand tells nothing
            fixed = t["t"] == "int" and t["low"] is not None and t["low"] == t["high"]
            shape = None if fixed else cells(t)
            about = f"{name}, while the rules need it"
            by_root[top] = (
                None if shape is None else out.add(("local", str(top)), name, shape, about)
            )
        piece = by_root[top]
        if piece is not None:
            out.locals[n] = piece
