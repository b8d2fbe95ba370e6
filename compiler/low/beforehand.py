"""Loops → the same with what stays as it is worked out before them.

for a in members(m):                               let same = (~ state.men[p])
    if AHEAD[a] & ~ state.men[p]: …          →     for a in members(m):
                                                       if AHEAD[a] & same: …

Only what can't go wrong, so that a loop which turns not once does no harm, and what every turn works out.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.new_names import NewNames
from rulewright.compiler.low.walk_low import (
    expressions,
    map_bodies,
    operands,
    statements,
)

_WISH = "same"


def worked_before(f: L.Function, pure: Set[str]) -> L.Function:
    """`pure`: the functions of the program that change nothing."""
    if not any(isinstance(s, L.For) for s in statements(f.body)):
        return f
    return replace(f, body=_Beforehand(f, pure).block(f.body))


class _Beforehand:
    def __init__(self, f: L.Function, pure: Set[str]) -> None:
        self.pure = pure
        self.names = NewNames(f)

    def block(self, body: tuple[L.Stmt, ...]) -> tuple[L.Stmt, ...]:
        out: list[L.Stmt] = []
        for s in body:
            if isinstance(s, L.For):
                out.extend(self.loop(s))
            else:
                out.append(map_bodies(s, self.block))
        return tuple(out)

    def loop(self, s: L.For) -> list[L.Stmt]:
        fixed = _Fixed(s, self.pure)
        found: dict[L.Expr, L.Local] = {}

        def place(e: L.Expr) -> L.Expr:
            if fixed.is_worth(e) and fixed.stays(e):
                if e not in found:
                    found[e] = L.Local(self.names.new(_WISH), e.type)
                return found[e]
            return _map_sure(e, place)

        body = tuple(_map_operands(x, place) for x in s.body)
        lets: list[L.Stmt] = [L.Let(local, e, s.at) for e, local in found.items()]
        return [*lets, map_bodies(replace(s, body=body), self.block)]


class _Fixed:
    """What does not change while a loop turns."""

    def __init__(self, s: L.For, pure: Set[str]) -> None:
        self.locals = {s.var.name}
        self.fields: set[str] = set()
        self.anything = False
        for x in statements(s.body):
            match x:
                case L.Let(L.Local(name)) | L.Append(L.Local(name)):
                    self.locals.add(name)
                case L.For(L.Local(name)):
                    self.locals.add(name)
                case L.Store(place):
                    root: L.Expr = place
                    while isinstance(root, L.Item):
                        root = root.base
                    if isinstance(root, L.Local):
                        self.locals.add(root.name)
                    elif isinstance(root, L.Field):
                        self.fields.add(root.name)
                case (
                    L.Break() | L.Continue() | L.Do() | L.Hit() | L.If() | L.Loop() | L.Mark() | L.Raise() | L.Return() | L.Tell()
                ):  # fmt: skip
                    pass
                case _:
                    assert_never(x)
            for e in expressions(operands(x)):
                if isinstance(e, L.Call) and e.state and e.name not in pure:
                    self.anything = True

    def is_worth(self, e: L.Expr) -> bool:
        """Single values that are more than a name; whole arrays stay where they are."""
        return isinstance(e, L.Item | L.Binary | L.Unary | L.One) and isinstance(
            e.type, T.Int | T.Bool | T.Set | T.Zone
        )

    def stays(self, e: L.Expr) -> bool:
        """Whether it is the same in every turn, and can't go wrong."""
        match e:
            case L.Number():
                return True
            case L.Local(name):
                return name not in self.locals
            case L.Field(name):
                return not self.anything and name not in self.fields
            case L.TableUse():
                return True
            case L.Item(L.Field() | L.TableUse() as base, index):
                t = base.type
                length = t.length if isinstance(t, T.Array) else 0
                return _within(index.type, length) and self.stays(base) and self.stays(index)
            case L.Binary("&" | "|" | "^", left, right):
                return self.stays(left) and self.stays(right)
            case L.Binary("+" | "-" | "*", left, right, T.Int(low, high)):
                return None not in (low, high) and self.stays(left) and self.stays(right)
            case L.Binary("%", left, L.Number(value)):
                return value > 0 and self.stays(left)
            case L.Unary("~", operand):
                return self.stays(operand)
            case L.One(at, T.Set(size)):
                return _within(at.type, size) and self.stays(at)
            case _:  # others: they may go wrong, or are seldom the same
                return False


def _within(t: T.Type, length: int) -> bool:
    return (
        isinstance(t, T.Int)
        and t.low is not None
        and t.high is not None
        and 0 <= t.low <= t.high < length
    )


def _map_sure(e: L.Expr, f: Callable[[L.Expr], L.Expr]) -> L.Expr:
    """The expression with `f` for the parts that are surely worked out whenever it is."""
    match e:
        case L.Item(base, index, t):
            return L.Item(base, f(index), t)
        case L.Binary(op, left, right, t):
            return L.Binary(op, f(left), f(right), t)
        case L.Unary("~", operand, t):
            return L.Unary("~", f(operand), t)
        case L.Has(members, at, t):
            return L.Has(f(members), f(at), t)
        case L.Compare(op, left, right, t):
            return L.Compare(op, f(left), f(right), t)
        case L.Logic(op, left, right, t):
            return L.Logic(op, f(left), right, t)
        case L.Not(operand, t):
            return L.Not(f(operand), t)
        case L.Pick(test, yes, no, t):
            return L.Pick(f(test), yes, no, t)
        case L.Call(name, args, t, state):
            return L.Call(name, tuple(map(f, args)), t, state)
        case _:  # others: nothing that is looked for stands in them
            return e


def _map_operands(s: L.Stmt, f: Callable[[L.Expr], L.Expr]) -> L.Stmt:
    match s:
        case L.Let(local, value, at):
            return L.Let(local, f(value), at)
        case L.Store(place, value, op, at):
            return L.Store(place, f(value), op, at)
        case L.If(test, body, other, at):
            return L.If(f(test), body, other, at)
        case L.For(var, L.Members(members, base), body, other, at):
            return L.For(var, L.Members(f(members), base), body, other, at)
        case _:  # others: nothing that is looked for stands in them
            return s
