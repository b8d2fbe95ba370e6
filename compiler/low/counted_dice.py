"""A function → the same with dice that are only counted rolled at once.

state.cast = #copy(ALL_0)                          state.cast = counted_dice(6, 9)
let x = state.rng
let low = 0
for i in 1 until 10:
    if (((i - 1) % 4) == 0):
        let x = ((MULTIPLIER * (x & LOW)) + (x >> 30))        →
        let low = (x & LOW)
    let part = (low * 6)
    let low = (part & LOW)
    let d = ((part >> 30) + 1)
    state.cast[(d - 1)] += 1
state.rng = x

What `lower_chance.py` makes of a loop that counts what its dice show, in an array that is empty before. How the dice of one random
number count is known beforehand, so the interpreter need not look at each die. The random numbers are the same.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import plus
from rulewright.compiler.low.folded import folded
from rulewright.compiler.low.lower_chance import DIGIT, LEFT, LOW, LOW_BITS, NEXT, RANDOM, STATE
from rulewright.compiler.low.print_low import print_expr
from rulewright.compiler.low.walk_low import (
    expressions_in,
    map_bodies,
    map_children,
    statements,
)
from rulewright.runtime import rng

Block = tuple[L.Stmt, ...]
# the statements of dice in a row, the loop among them
_PARTS = 4
# what is left of a random number when it is new
_FRESH = [(STATE, print_expr(NEXT)), (LEFT, print_expr(LOW_BITS))]


def with_counted_dice(f: L.Function, zeros: Set[str]) -> L.Function:
    """`zeros`: the tables in which there is nothing but zeros."""
    if f.keeps or not any(isinstance(s, L.Let) and s.local == LEFT for s in statements(f.body)):
        return f
    return replace(f, body=_block(f.body, zeros))


def _block(body: Block, zeros: Set[str]) -> Block:
    out = [map_bodies(s, lambda inner: _block(inner, zeros)) for s in body]
    at = 0
    while at + _PARTS <= len(out):
        counted = _counted(out[at : at + _PARTS])
        empty = None if counted is None else _emptied(out[:at], counted, zeros)
        if counted is not None and empty is not None:
            out[at : at + _PARTS] = [counted]
            del out[empty]
        else:
            at += 1
    return tuple(out)


def _counted(body: list[L.Stmt]) -> L.Store | None:
    """Dice in a row that are counted and nothing else, as one statement."""
    match body:
        case [
            L.Let(x, before),
            L.Let(left, L.Number(0)),
            L.For(i, L.Range(L.Number(first), stop, 1), turn, (), at),
            L.Store(after, y, ""),
        ] if (x, before, left, after, y) == (STATE, RANDOM, LEFT, RANDOM, STATE):
            pass
        case _:  # others: no dice in a row
            return None
    match turn:
        case (
            L.If(test, (L.Let(new, number), L.Let(whole, digit)), ()),
            L.Let(part, L.Binary("*", taken, L.Number(sides))),
            L.Let(rest, L.Binary("&", cut, low)),
            L.Let(d, shown),
            L.Store(L.Item(L.Field(_, T.Array(_, length)) as counts, place), L.Number(1), "+"),
        ) if (taken, rest, cut, low) == (LEFT, LEFT, part, LOW) and length == sides:
            pass
        case _:  # others: the dice do more than count
            return None
    share = L.Binary("%", plus(i, -first), L.number(rng.share(sides)), T.INT)
    times = folded(plus(stop, -first))
    if (
        [(new, print_expr(number)), (whole, print_expr(digit))] != _FRESH
        or print_expr(test) != print_expr(L.Compare("==", share, L.number(0)))
        or print_expr(_put(place, d, shown)) != print_expr(L.Binary(">>", part, DIGIT, T.INT))
        or not isinstance(times.type, T.Int)
        or times.type.high is None
        or times.type.high > rng.MOST_COUNTED
    ):
        return None
    given = L.Call("counted_dice", (L.number(sides), times), counts.type)
    return L.Store(counts, given, "", at)


def _put(e: L.Expr, d: L.Local, value: L.Expr) -> L.Expr:
    return value if e == d else folded(map_children(e, lambda x: _put(x, d, value)))


def _emptied(before: list[L.Stmt], counted: L.Store, zeros: Set[str]) -> int | None:
    """Where the array that is counted in was made anew, if nothing has looked at it or may have changed it since."""
    for at in reversed(range(len(before))):
        match before[at]:
            case L.Store(place, L.Help("copy", (L.TableUse(name),)), "") if place == counted.place:
                return at if name in zeros else None
            case L.Store(L.Field(), L.Help("copy")) | L.Store(L.Field(), L.Call("counted_dice")):
                pass
            case L.Let() | L.Store(L.Field()) as s:
                if any(e == counted.place or isinstance(e, L.Call) for e in expressions_in([s])):
                    return None
            case _:  # others: they may do anything
                return None
    return None
