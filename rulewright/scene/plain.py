"""The types of a game → a layout that shows all public state, for a spec that says nothing about it."""

from __future__ import annotations

from rulewright.scene.layout import Cell, Layout, Line, Part, Rows, Seats, Zone
from rulewright.scene.names import PEOPLE, Names
from rulewright.scene.words import plain


def plain_layout(names: Names) -> Layout:
    """Single values in a line, what players have in boards of their own, a table for every kind with state, and the zones."""
    parts: list[Part] = []
    words = [f"{plain(n)} {{{n}}}" for n in names.state if names.is_single(n)]
    if words:
        parts.append(Line(", ".join(words)))
    everything = [*names.state, *names.zones]
    by_seat = [n for n in everything if names.per(n) in PEOPLE and n != "score"]
    looks = {n: Cell("cards") for n in by_seat if n in names.zones}
    parts.append(Seats("Players", (("score", "score"), *((n, n) for n in by_seat)), looks))
    for kind in names.kinds:
        if kind in PEOPLE:
            continue
        found = [(n, n) for n in everything if names.per(n) == kind]
        found += [(f"{s}.{f}", f"{s}.{f}") for s, f in names.standing_on(kind)]
        if found:
            parts.append(Rows(kind, kind, tuple(found), None, True))
    parts += [Zone(z, z) for z in names.zones if names.per(z) is None]
    return Layout(tuple(parts), tuple(parts))
