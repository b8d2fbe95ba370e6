"""The low-level program → its parts: the one place that knows what its nodes are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.low import program as L


def children(e: L.Expr) -> tuple[L.Expr, ...]:
    """The expressions that an expression is made of, in the order in which they are worked out."""
    match e:
        case L.Number() | L.Words() | L.Local() | L.Field() | L.TableUse():
            return ()
        case L.Item(base, index):
            return (base, index)
        case L.Binary(_, left, right) | L.Compare(_, left, right) | L.Logic(_, left, right):
            return (left, right)
        case L.Unary(_, operand) | L.Not(operand):
            return (operand,)
        case L.Has(members, place):
            return (members, place)
        case L.One(place):
            return (place,)
        case L.Between(low, value, high):
            return (low, value, high)
        case L.Pick(test, yes, no):
            return (test, yes, no)
        case L.Call(_, args) | L.Help(_, args) | L.ListOf(args) | L.Row(args):
            return args
        case L.Sentence(parts):
            return tuple(p for p in parts if not isinstance(p, str))
        case _:
            assert_never(e)


def operands(s: L.Stmt) -> tuple[L.Expr, ...]:
    """What a statement itself reads; a place that it writes is not read, but what finds the place is."""
    match s:
        case L.Let(_, value):
            return (value,)
        case L.Store(place, value, op):
            found = children(place) if not op else (place,)
            return (*found, value)
        case L.Do(call):
            return (call,)
        case L.If(test):
            return (test,)
        case L.For(_, L.Range(start, stop)):
            return (start, stop)
        case L.For(_, L.Members(members)):
            return (members,)
        case L.For(_, over):
            return () if isinstance(over, L.Range | L.Members) else (over,)
        case L.Return(value):
            return () if value is None else (value,)
        case L.Raise(_, args):
            return args
        case L.Append(to, value):
            return (to, value)
        case L.Tell(to, text):
            return (to, text)
        case L.Loop() | L.Break() | L.Continue() | L.Mark() | L.Hit():
            return ()
        case _:
            assert_never(s)


def bodies(s: L.Stmt) -> tuple[tuple[L.Stmt, ...], ...]:
    """The blocks of statements inside a statement."""
    if isinstance(s, L.Simple):
        return ()
    match s:
        case L.If(_, body, other) | L.For(_, _, body, other):
            return (body, other)
        case L.Loop(body):
            return (body,)
        case _:
            assert_never(s)


def statements(body: Iterable[L.Stmt]) -> Iterator[L.Stmt]:
    """All statements, those inside others too."""
    for s in body:
        yield s
        for inner in bodies(s):
            yield from statements(inner)


def expressions(roots: Iterable[L.Expr]) -> Iterator[L.Expr]:
    """All expressions, those inside others too."""
    stack = list(roots)
    while stack:
        e = stack.pop()
        yield e
        stack.extend(children(e))


def expressions_in(body: Iterable[L.Stmt]) -> Iterator[L.Expr]:
    """All expressions that statements read."""
    for s in statements(body):
        yield from expressions(operands(s))


def map_bodies(s: L.Stmt, f: Callable[[tuple[L.Stmt, ...]], tuple[L.Stmt, ...]]) -> L.Stmt:
    """The same statement with what `f` gives for the blocks inside it."""
    if isinstance(s, L.Simple):
        return s
    match s:
        case L.If(body=body, other=other) | L.For(body=body, other=other):
            return replace(s, body=f(body), other=f(other))
        case L.Loop(body=body):
            return replace(s, body=f(body))
        case _:
            assert_never(s)
