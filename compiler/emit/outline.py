"""A checked game and its blocks → the names in it with their types, as JSON: what can be said about a game without an engine.

The keys are those of the info of an engine, as far as they go.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    Type,
    ZoneT,
    show,
)
from rulewright.compiler.core.walk import statements
from rulewright.compiler.flow.blocks import Program
from rulewright.compiler.low.actions import action_numbers
from rulewright.runtime.info import StateRow

Json = dict[str, Any]


def type_info(t: Type) -> Json:
    match t:
        case IntT(low, high):
            return {"t": "int", "low": low, "high": high}
        case BoolT():
            return {"t": "bool"}
        case KindT(name, size):
            return {"t": "kind", "kind": name, "size": size}
        case OptT(base):
            return {"t": "opt", "of": type_info(base)}
        case SetT(element):
            return {"t": "set", "of": type_info(element)}
        case ListT(element, limit):
            return {"t": "list", "of": type_info(element), "limit": limit}
        case MapT(key, value):
            return {"t": "map", "key": type_info(key), "value": type_info(value)}
        case NoneT() | RangeT() | GroupsT() | ZoneT() | TextT() | BadT():
            return {"t": "int", "low": None, "high": None}
        case _:
            assert_never(t)


def state_rows(game: C.Game, fields: Mapping[str, str]) -> list[StateRow]:
    """All of the state; what lies at the places of a hidden zone is a kind, or none where nobody has ever known it."""
    rows = [_state_row(v, fields[v.name]) for v in game.state]
    kinds = {
        z.order.name: f.kind for f in game.families for z in f.zones if z.order and z.seen
    }  # fmt: skip
    for row in rows:
        if row["name"] in kinds:
            items = row["type"]
            while items["t"] == "map":
                items = items["value"]
            items["of"] = {"t": "opt", "of": type_info(kinds[row["name"]])}
    return rows


def zone_row(z: C.Zone) -> Json:
    """What can be said of a zone without an engine."""
    row: Json = {
        "name": z.name,
        "per": None if z.per is None else type_info(z.per),
        "visible": z.visible,
    }
    if len(z.keys) > 1:
        row["keys"] = [type_info(key) for key in z.keys]
    if z.order is not None:
        row["order"] = z.order.name
    if z.seen is not None:
        row["seen"] = z.seen.name
    return row


def _state_row(v: C.StateVar, field: str) -> StateRow:
    """A state variable as all that know a game see it; `field` is where an engine keeps it."""
    row: StateRow = {
        "name": v.name,
        "field": field,
        "type": type_info(v.type),
        "visible": v.visible,
        "about": v.about,
        "role": v.role,
    }
    if v.usual:
        row["usual"] = v.usual
    return row


def outline(game: C.Game, program: Program) -> Json:
    """Names, types, decisions and their values; nothing of how an engine keeps them."""
    offsets, sizes = action_numbers(game, program)
    chances = [
        s.element if isinstance(s, C.SRoll) else s.source.zone.family.kind
        for p in game.procedures
        for s in statements(p.body)
        if isinstance(s, C.SRoll | C.SDraw)
    ]
    return {
        "game": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": dict(game.options),
        "seats": list(game.seats),
        "participants": list(game.participants),
        "reasons": dict(game.reasons),
        "kinds": {k.name: {"members": k.members, "texts": k.texts} for k in game.kinds.values()},
        "state": state_rows(game, {v.name: v.name for v in game.state}),
        "families": [_family(f) for f in game.families],
        "choices": {
            str(ask.pc): {
                "label": ask.choice.label,
                "element": type_info(ask.choice.element),
                "offset": offsets[ask.pc],
                "size": sizes[ask.pc],
                "otherwise": ask.choice.otherwise,
            }
            for ask in sorted(program.asks, key=lambda a: a.pc)
        },
        "chances": {str(i): {"element": type_info(kind)} for i, kind in enumerate(chances)},
        "actions": sum(sizes[ask.pc] for ask in program.asks),
        "procedures": {p.name: [type_info(x.type) for x in p.params] for p in game.procedures},
    }


def interface(game: C.Game, known: Json) -> str:
    """A hash of all that an expression or a position from outside can name, so that it need not be checked again."""
    signatures = [
        [f.name, [show(p.type) for p in f.params], show(f.result), f.secrecy]
        for f in game.functions
    ]
    columns = [
        [
            kind.name,
            [[c.name, None if c.type is None else show(c.type)] for c in kind.columns.values()],
        ]
        for kind in game.kinds.values()
    ]
    text = json.dumps([known, signatures, columns], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _family(f: C.Family) -> Json:
    standing = None
    if f.standing is not None:
        types = {name: type_info(t) for name, t in f.standing.fields.items()}
        standing = {"name": f.standing.name, "size": f.standing.handle.size, "types": types}
    return {
        "name": f.name,
        "kind": type_info(f.kind),
        "per": None if f.per is None else type_info(f.per),
        "copies": f.copies,
        "zones": [zone_row(z) for z in f.zones],
        "standing": standing,
    }
