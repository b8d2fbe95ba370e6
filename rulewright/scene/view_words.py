"""Names and values of a view → the words a player reads."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

Json = dict[str, Any]
# the kinds that the seats belong to
PEOPLE = ("Player", "Participant")


def plain(name: str) -> str:
    """A name as people write it."""
    return name.replace("_", " ")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def seat_name(info: Mapping[str, Any], seat: int) -> str:
    return str(info["seats"][seat])


class People:
    """The participants of a game: their names, and their first letters as far as these tell them apart."""

    def __init__(self, info: Mapping[str, Any]) -> None:
        self.seats: list[str] = [str(s) for s in info["seats"][: info["players"]]]
        self.all: list[str] = [*self.seats, *map(str, info["participants"][len(self.seats) :])]
        # how a view names them: a seat's number, or the name of one who has no seat as the spec writes it
        self._keys: list[str] = list(info["kinds"][PEOPLE[1]]["members"])
        longest = max(map(len, self.all))
        sizes = (n for n in range(1, longest) if len({p[:n] for p in self.all}) == len(self.all))
        size = next(sizes, longest)
        self._initials = [name[:size] for name in self.all]

    def initial(self, who: int) -> str:
        return self._initials[who]

    def index(self, key: str) -> int:
        """Who is meant by a key of a view."""
        return self._keys.index(key)

    def name(self, key: str) -> str:
        return self.all[self.index(key)]

    def key(self, who: int) -> str:
        """How a view names somebody: `index` the other way round."""
        return self._keys[who]

    def named(self, t: Mapping[str, Any], value: Any) -> Any:
        """A value of this type with people by their names, as keys and as values, however deep."""
        if value is None or (isinstance(value, dict) and "hidden" in value):
            return value
        match t["t"]:
            case "kind" if t["kind"] in PEOPLE:
                return self.name(str(value))
            case "opt":
                return self.named(t["of"], value)
            case "set" | "list":
                return [self.named(t["of"], one) for one in value]
            case "map":
                return {
                    self.named(t["key"], k): self.named(t["value"], v) for k, v in value.items()
                }
            case _:
                return value


def content_of(data: Json, zone: str, key: str | None = None) -> Any:
    """What lies in a zone as a seat sees it: how many of each, or, where it keeps its order and the seat knows something of that, from the top on."""
    held = data["zones"][zone]
    # only what is there may be asked for: a page remembers what it has looked at
    order = data["order"][zone] if zone in data.get("order", ()) else None
    if key is not None:
        held, order = held.get(key, {}), (order or {}).get(key)
    return _laid(held, order)


def is_apart(content: Any) -> bool:
    """Whether what lies in a zone is told for each of several keys."""
    found = content.values() if isinstance(content, dict) else ()
    return bool(found) and all(isinstance(v, dict | list) for v in found)


def _laid(held: Any, order: Any) -> Any:
    if isinstance(order, dict):
        return {key: _laid(held[key], order[key]) for key in held}
    if order is None or all(name is None for name in order):
        return held
    out: list[str] = []
    for known, run in groupby(order, key=lambda name: name is not None):
        names = list(run)
        out += [str(name) for name in names] if known else [f"{len(names)} hidden"]
    return out


def show_value(value: Any) -> str:
    """A value of a view in few words."""
    if isinstance(value, dict):
        if "hidden" in value:
            hidden = value["hidden"]
            return "hidden" if hidden is True else f"{hidden} hidden" if hidden else "–"
        if is_apart(value):
            told = {k: show_value(v) for k, v in value.items()}
            return "; ".join(f"{plain(k)}: {v}" for k, v in told.items() if v != "–") or "–"
        parts = [
            plain(k) if n is True or n == 1 else f"{n} {plain(k)}" for k, n in value.items() if n
        ]
        return ", ".join(parts) or "–"
    if isinstance(value, list):
        return ", ".join(plain(str(v)) for v in value) or "–"
    if value is None or value is False:
        return "–"
    if value is True:
        return "yes"
    return plain(str(value))
