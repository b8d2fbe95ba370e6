"""A function → the same in which no value has a second name.

let order = #sorted_by(rows)                    let lines = #sorted_by(rows)
let lines = order                               state.play_lines = lines
state.play_lines = lines                →       …
let p_2 = p                                     state.held[p] = 4
state.held[p_2] = 4

Both names must get their value in one place: then the second one, wherever it is read, is what the first one is. The name that stays
is the first one's, unless that is read for nothing but the copy (an answer `v`), or was made from the other (`n_next` from `n`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.walk_low import expressions_in, statements, with_locals

# what a loop that may stop keeps is called after its variable, which says less than a name of the rules
_OF_LOOPS = ("_all", "_last", "_next", "_place", "_rest")


def with_one_name(f: L.Function) -> L.Function:
    copies = _copies(f)
    if not copies:
        return f
    reads = Counter(e.name for e in expressions_in(f.body) if isinstance(e, L.Local))
    stays: dict[str, L.Local] = {}
    for copy, first in copies:
        if not _within(first.type, copy.type):
            continue
        only = reads[first.name] == 1 and not copy.name.endswith(_OF_LOOPS)
        if first.name not in stays and (only or first.name.startswith(f"{copy.name}_")):
            stays[first.name] = stays[copy.name] = L.Local(copy.name, first.type)
        else:
            stays[copy.name] = stays.get(first.name, first)
    params = tuple(stays.get(p.name, p) for p in f.params)
    return replace(f, params=params, body=with_locals(f.body, stays))


def _within(t: T.Type, other: T.Type) -> bool:
    """Whether all values of a type are of the other, so that the narrower one does for both."""
    match t, other:
        case T.Int(int() as low, int() as high), T.Int(least, most):
            return (least is None or least <= low) and (most is None or high <= most)
        case _:  # others: kept in different ways unless they are the same
            return t == other


def _copies(f: L.Function) -> list[tuple[L.Local, L.Local]]:
    """Locals that are copies of locals, where both get a value once and keep it; a variable of a loop is another one in each turn."""
    everywhere = list(statements(f.body))
    if not any(isinstance(s, L.Let) and isinstance(s.value, L.Local) for s in everywhere):
        return []
    given = Counter(p.name for p in f.params)
    kept = {local.name for _, local in f.keeps}
    found: list[tuple[L.Local, L.Local]] = []
    for s in everywhere:
        match s:
            case L.Let(local, value):
                given[local.name] += 1
                if isinstance(value, L.Local):
                    found.append((local, value))
            case L.For(var):
                given[var.name] += 2
            case L.Append(local):
                given[local.name] += 2
            case L.Store(place):
                root: L.Expr = place
                while isinstance(root, L.Item):
                    root = root.base
                if isinstance(root, L.Local):
                    given[root.name] += 2
            case (
                L.Break() | L.Continue() | L.Do() | L.Hit() | L.If() | L.Loop() | L.Mark() | L.Raise() | L.Return() | L.Tell()
            ):  # fmt: skip
                pass
            case _:
                assert_never(s)
    return [
        (copy, first)
        for copy, first in found
        if given[copy.name] == given[first.name] == 1 and kept.isdisjoint((copy.name, first.name))
    ]
