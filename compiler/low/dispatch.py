"""The functions of decisions, loops and returns, by number → the two functions that find them by comparisons.

An interpreter looks them up in a list, and C jumps by a table; what compiles Python does best with a chain of comparisons.
"""

from __future__ import annotations

from rulewright.compiler.low import program as L
from rulewright.compiler.low import types as T

_PC = L.Local("pc", T.PC)
_V = L.Local("v", T.Int(0, None))


def dispatchers(
    decisions: tuple[str | None, ...], points: tuple[str | None, ...]
) -> list[L.Function]:
    after = "Go on after decision number pc with its value v, up to the next stop or jump."
    back = "Go on with a loop, or after a procedure, up to the next stop or jump."
    return [
        L.Function("decide", (_PC, _V), T.PC, after, tuple(_tree(_known(decisions), (_V,)))),
        L.Function("go_on", (_PC,), T.PC, back, tuple(_tree(_known(points), ()))),
    ]


def _known(names: tuple[str | None, ...]) -> list[tuple[int, str]]:
    return [(n, name) for n, name in enumerate(names) if name is not None]


def _tree(points: list[tuple[int, str]], args: tuple[L.Local, ...]) -> list[L.Stmt]:
    if len(points) <= 2:
        found: list[L.Stmt] = [
            L.If(L.Compare("==", _PC, L.number(n)), (L.Return(L.Call(name, args, T.PC)),))
            for n, name in points
        ]
        return [*found, L.Raise("lost", (_PC,))]
    middle = len(points) // 2
    below = L.Compare("<", _PC, L.number(points[middle][0]))
    return [L.If(below, tuple(_tree(points[:middle], args))), *_tree(points[middle:], args)]
