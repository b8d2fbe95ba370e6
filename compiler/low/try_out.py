"""Functions that try something out → the same, each with the fields that it must give back as they were.

after(step(p, s): free(p))    →    function after_step(p, s): keeps at, moved
                                       step(p, s)
                                       return free(p)

What a function stores, itself or through those that it calls, is what there is to give back: mostly a few fields of many. Printers do it as
is cheapest: in Python the old arrays are put back, in C the function works on a copy of the state.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.names import Names
from rulewright.compiler.low.walk_low import expressions_in, statements

_STORY = L.Field("story", T.Rows(-1))


def giving_back(functions: list[L.Function], trying: dict[str, Names]) -> list[L.Function]:
    """`trying`: the functions that leave the state as it was, by name, each with the names in it."""
    known = {f.name: f for f in functions}

    def kept(f: L.Function) -> L.Function:
        stored, names = _stored(f, known, trying.keys()), trying[f.name]
        keeps = ((x, L.Local(names.new(f"{x.name}_was"), x.type)) for x in stored)
        return replace(f, keeps=tuple(keeps))

    return [kept(f) if f.name in trying else f for f in functions]


def _stored(start: L.Function, known: dict[str, L.Function], trying: Set[str]) -> list[L.Field]:
    """The fields that running a function changes; what it tries out itself is given back already."""
    found: dict[str, L.Field] = {}
    seen, stack = {start.name}, [start]
    while stack:
        f = stack.pop()
        for s in statements(f.body):
            if isinstance(s, L.Store):
                place: L.Expr = s.place
                while isinstance(place, L.Item):
                    place = place.base
                if isinstance(place, L.Field):
                    found.setdefault(place.name, L.Field(place.name, place.type))
            elif isinstance(s, L.Tell):
                found.setdefault("story", _STORY)
        for e in expressions_in(f.body):
            if (
                isinstance(e, L.Call)
                and e.name in known
                and e.name not in seen
                and e.name not in trying
            ):
                seen.add(e.name)
                stack.append(known[e.name])
    return sorted(found.values(), key=lambda field: field.name)
