"""A zone of which there are several → what each of them is of, by its number among them, and all of them by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeVar, cast

from rulewright.runtime.data import Json, Value
from rulewright.runtime.info import FamilyRow, Info, TypeRow, ZoneRow
from rulewright.runtime.seeing import sees
from rulewright.runtime.values import Values

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

_T = TypeVar("_T")


def keys_of(zone: Mapping[str, object]) -> list[TypeRow]:
    """What there is one of the zone for: nothing, the members of a kind, or combinations of members."""
    if "keys" in zone:
        return cast(list[TypeRow], zone["keys"])
    return [] if zone["per"] is None else [cast(TypeRow, zone["per"])]


def owner_of(zone: ZoneRow, at: int) -> int:
    """The number of the first key of one of them: a seat, where seats own it."""
    return at // prod(key["size"] for key in zone["keys"][1:]) if "keys" in zone else at


def group_of(family: Mapping[str, object], zone: ZoneRow, at: int) -> int:
    """Whose pieces lie in it, where each owner has pieces of its own."""
    return owner_of(zone, at) if family["per"] is not None and zone["per"] is not None else 0


def sees_zone(info: Info, zone: ZoneRow, at: int, seat: int) -> bool:
    """Whether a seat may look into one of them."""
    return sees(info, zone["visible"], zone["per"], owner_of(zone, at), seat)


def hidden_zones(game: Game, family: FamilyRow, seat: int) -> list[tuple[ZoneRow, list[int]]]:
    """The zones of a family that a seat can't look into, each with the numbers of those of them."""
    found = game.hidden_zones.get((family["name"], seat))
    if found is None:
        found = game.hidden_zones[family["name"], seat] = []
        for zone in family["zones"]:
            there = range(prod(key["size"] for key in keys_of(zone)))
            hidden = [at for at in there if not sees_zone(game.info, zone, at, seat)]
            if hidden:
                found.append((zone, hidden))
    return found


def paths(values: Values, zone: ZoneRow) -> list[tuple[str, ...]]:
    """The names of the keys of each of them, in their order."""
    names = ([str(values.show(k, i)) for i in range(k["size"])] for k in keys_of(zone))
    return list(product(*names))


def by_keys(values: Values, zone: ZoneRow, rows: Sequence[_T]) -> _T | Json:
    """Something of each of them, under the names of its keys; of a zone that there is once, what it is."""
    keys = keys_of(zone)
    if not keys:
        return rows[0]
    return _nested(values, keys, rows)


def _nested(values: Values, keys: list[TypeRow], rows: Sequence[Value]) -> Json:
    first, *rest = keys
    width = prod(key["size"] for key in rest)
    parts = (rows[i * width : (i + 1) * width] for i in range(first["size"]))
    names = (str(values.show(first, i)) for i in range(first["size"]))
    return {
        n: _nested(values, rest, p) if rest else p[0] for n, p in zip(names, parts, strict=True)
    }


def words_of(values: Values, names: Sequence[str], at: int) -> str:
    """What one of them is of, in a player's words; `names` are the kinds of its keys."""
    out: list[str] = []
    for kind in reversed(names):
        texts = values.texts[kind]
        at, i = divmod(at, len(texts))
        out.insert(0, texts[i])
    return ", ".join(out)
