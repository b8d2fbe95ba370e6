"""Hidden values that were chosen as different pieces → whether one of them may have a value, as there are no more pieces of a kind than there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rulewright.runtime.state import EngineState

if TYPE_CHECKING:
    from rulewright.runtime.game import Game


@dataclass(slots=True)
class Entry:
    """One of these values; `others`: the numbers of those whose pieces are not its own (compiler/core/trace_differs.py).

    `copies` and `given` are shared by all whose pieces these are: how many there are of each kind, and who has which value by now.
    """

    number: int
    others: int
    copies: list[int]
    given: dict[int, list[Entry]]

    def may_have(self, value: int) -> bool:
        """Whether there is a piece for it beside those that others have for sure."""
        if value < 0:
            return True
        same = [x for x in self.given.get(value, ()) if self.others >> x.number & 1]
        return not _so_many_differ(same, self.copies[value])

    def give(self, value: int) -> None:
        if value >= 0:
            self.given.setdefault(value, []).append(self)


# by the field and the number of an entry there
Entries: TypeAlias = dict[tuple[str, int], Entry]


def entries_that_differ(game: Game, s: EngineState) -> Entries:
    """The values of which all know that their pieces are different ones; none has been given yet."""
    out: Entries = {}
    before: dict[str, int] = {}
    groups: dict[tuple[str, int], tuple[list[int], dict[int, list[Entry]]]] = {}
    for var in game.info["state"]:
        field = dict(game.notes.get(var["name"], ())).get("differs")
        if field is None:
            continue
        cells, t = getattr(s, field), var["type"]["value"]
        width = game.values.cells(t)
        while t["t"] in ("map", "opt"):
            t = t["value"] if t["t"] == "map" else t["of"]
        kind = t["kind"]
        first = before.get(kind, 0)
        before[kind] = first + len(cells)
        for at, others in enumerate(cells):
            if others:
                rows = _copies(game, kind)
                whose = at // width if len(rows) > 1 else 0
                copies, given = groups.setdefault((kind, whose), (rows[whose], {}))
                out[var["field"], at] = Entry(first + at, others, copies, given)
    return out


def _copies(game: Game, kind: str) -> list[list[int]]:
    """How many pieces of a kind's members may have been chosen out of hidden zones: of each owner, or in one row of all."""
    followed = game.info["followed"]
    families = [
        family
        for family in game.info["families"]
        if family["kind"]["kind"] == kind and any(z["name"] in followed for z in family["zones"])
    ]
    if all(family["per"] is not None for family in families):
        return [
            [sum(many) for many in zip(*rows, strict=True)]
            for rows in zip(*(family["copies"] for family in families), strict=True)
        ]
    return [[sum(many) for many in zip(*(r for f in families for r in f["copies"]), strict=True)]]


def _so_many_differ(entries: list[Entry], many: int) -> bool:
    """Whether so many of these have a piece each that no other of them has."""
    if many == 0:
        return True
    for i, entry in enumerate(entries[: len(entries) - many + 1]):
        rest = [x for x in entries[i + 1 :] if entry.others >> x.number & 1]
        if _so_many_differ(rest, many - 1):
            return True
    return False
