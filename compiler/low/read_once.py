"""A function → the same with cells of the state read into a local, where its loops look at them again and again.

function near(me: Player) -> 0..9:                   function near(me: Player) -> 0..9:
    for s in Space: … s in ground[me] …        →         let ground_here = ground[me]
                                                         for s in Space: … s in ground_here …

A function changes no state, so a cell whose keys stay the same holds the same value all through it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import ListT, MapT
from rulewright.compiler.core.walk import bodies, children, map_children, map_statement, operands

Key = tuple[object, ...]


def read_once(f: C.Function, fresh: Callable[[], int]) -> C.Function:
    """Cells that the loops of a function look at are read into a local before them."""
    if not any(isinstance(s, C.SFor) for s in f.body):
        return f
    params = {p.number for p in f.params}
    found: dict[Key, C.Read] = {}
    _cells(f.body, params, False, found)
    first: list[C.Stmt] = []
    uses: dict[Key, C.Use] = {}
    for key, cell in found.items():
        local = C.Local(f"{cell.var.name}_here", cell.type, fresh())
        first.append(C.SLet(local, cell, cell.span))
        uses[key] = C.Use(local, cell.type, cell.span)

    def once(e: C.Expr) -> C.Expr:
        key = _key(e, params)
        return uses[key] if key is not None and key in uses else map_children(e, once)

    def block(stmts: list[C.Stmt]) -> list[C.Stmt]:
        return [map_statement(s, once, block) for s in stmts]

    return dataclasses.replace(f, body=[*first, *block(f.body)]) if first else f


def _key(x: C.Expr, params: set[int]) -> Key | None:
    """What tells a cell of the state from others, when it is the same all through a function."""
    if not isinstance(x, C.Read) or not x.keys or isinstance(x.type, ListT | MapT):
        return None
    parts: list[object] = [x.var.name]
    for key in x.keys:
        if isinstance(key, C.Use) and key.local.number in params:
            parts.append(("local", key.local.number))
        elif isinstance(key, C.Const):
            parts.append(key.value)
        else:
            return None
    return tuple(parts)


def _cells(
    stmts: Iterable[C.Stmt], params: set[int], inside: bool, found: dict[Key, C.Read]
) -> None:
    """The cells that are looked at inside loops."""
    for s in stmts:
        if isinstance(s, C.SFor):
            _looked_at((s.domain,), params, inside, found)
            _looked_at((s.where,), params, True, found)
            _cells(s.body, params, True, found)
            continue
        _looked_at(operands(s), params, inside, found)
        for body in bodies(s):
            _cells(body, params, inside, found)


def _looked_at(
    parts: Iterable[C.Expr | None], params: set[int], inside: bool, found: dict[Key, C.Read]
) -> None:
    for e in parts:
        if e is None:
            continue
        key = _key(e, params)
        if key is None or not isinstance(e, C.Read):
            _looked_at(children(e), params, inside, found)
        elif inside:
            found.setdefault(key, e)
