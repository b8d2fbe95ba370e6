"""Names and values of a view → the words a player reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


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
        longest = max(map(len, self.all))
        sizes = (n for n in range(1, longest) if len({p[:n] for p in self.all}) == len(self.all))
        size = next(sizes, longest)
        self._initials = [name[:size] for name in self.all]

    def initial(self, who: int) -> str:
        return self._initials[who]

    def index(self, key: str) -> int:
        """Who is meant by a key of a view: a seat's number, or the name of one who has no seat."""
        return int(key) if key.isdigit() else self.all.index(key)

    def name(self, key: str) -> str:
        return self.all[self.index(key)]

    def key(self, who: int) -> str:
        """How a view names somebody: `index` the other way round."""
        return str(who) if who < len(self.seats) else self.all[who]


def show_value(value: Any, info: Json, per_seat: bool = False) -> str:
    """A value of a view in few words."""
    if isinstance(value, dict):
        if "hidden" in value:
            hidden = value["hidden"]
            return "hidden" if hidden is True else f"{hidden} hidden" if hidden else "–"
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
    if per_seat and isinstance(value, int):
        return seat_name(info, value)
    return plain(str(value))
