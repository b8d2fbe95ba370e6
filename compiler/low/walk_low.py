"""The low-level program → its parts: the one place that knows what its nodes are made of."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
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


def map_children(e: L.Expr, f: Callable[[L.Expr], L.Expr]) -> L.Expr:
    """The same expression with what `f` gives for the expressions that it is made of."""
    match e:
        case L.Number() | L.Words() | L.Local() | L.Field() | L.TableUse():
            return e
        case L.Item(base, index):
            return replace(e, base=f(base), index=f(index))
        case L.Binary(_, left, right) | L.Compare(_, left, right) | L.Logic(_, left, right):
            return replace(e, left=f(left), right=f(right))
        case L.Unary(_, operand) | L.Not(operand):
            return replace(e, operand=f(operand))
        case L.Has(members, place):
            return replace(e, set=f(members), place=f(place))
        case L.One(place):
            return replace(e, place=f(place))
        case L.Between(low, value, high):
            return replace(e, low=f(low), value=f(value), high=f(high))
        case L.Pick(test, yes, no):
            return replace(e, test=f(test), yes=f(yes), no=f(no))
        case L.Call(_, args) | L.Help(_, args):
            return replace(e, args=tuple(map(f, args)))
        case L.ListOf(items) | L.Row(items):
            return replace(e, items=tuple(map(f, items)))
        case L.Sentence(parts):
            return replace(e, parts=tuple(p if isinstance(p, str) else f(p) for p in parts))
        case _:
            assert_never(e)


def _reads(e: L.Expr, names: Container[str]) -> bool:
    return any(isinstance(x, L.Local) and x.name in names for x in expressions([e]))


def with_locals(body: tuple[L.Stmt, ...], others: Mapping[str, L.Local]) -> tuple[L.Stmt, ...]:
    """The statements with other locals in place of those named; none that would give a local its own value."""

    def local(found: L.Local) -> L.Local:
        while (other := others.get(found.name)) is not None and other != found:
            found = other
        return found

    def expr(e: L.Expr) -> L.Expr:
        if isinstance(e, L.Local):
            return local(e)
        # most expressions stay, and need no copy
        return map_children(e, expr) if _reads(e, others) else e

    def place(e: L.Place) -> L.Place:
        match e:
            case L.Local():
                return local(e)
            case L.Field():
                return e
            case L.Item():
                return replace(e, base=expr(e.base), index=expr(e.index))
            case _:
                assert_never(e)

    def block(inner: tuple[L.Stmt, ...]) -> tuple[L.Stmt, ...]:
        return tuple(new for s in inner if (new := stmt(s)) is not None)

    def stmt(s: L.Stmt) -> L.Stmt | None:
        match s:
            case L.Let(to, value):
                new, given = local(to), expr(value)
                return None if new == given else replace(s, local=new, value=given)
            case L.Store(to, value):
                return replace(s, place=place(to), value=expr(value))
            case L.Do(call):
                return replace(s, call=replace(call, args=tuple(map(expr, call.args))))
            case L.If(test, body, other):
                return replace(s, test=expr(test), body=block(body), other=block(other))
            case L.For(var, over, body, other):
                return replace(
                    s, var=local(var), over=domain(over), body=block(body), other=block(other)
                )
            case L.Loop(body):
                return replace(s, body=block(body))
            case L.Return(value):
                return s if value is None else replace(s, value=expr(value))
            case L.Raise(_, args):
                return replace(s, args=tuple(map(expr, args)))
            case L.Append(to, value):
                return replace(s, to=local(to), value=expr(value))
            case L.Tell(to, text):
                return replace(s, to=expr(to), text=expr(text))
            case L.Break() | L.Continue() | L.Mark() | L.Hit():
                return s
            case _:
                assert_never(s)

    def domain(over: L.Range | L.Members | L.Expr) -> L.Range | L.Members | L.Expr:
        match over:
            case L.Range(start, stop):
                return replace(over, start=expr(start), stop=expr(stop))
            case L.Members(members):
                return replace(over, set=expr(members))
            case _:  # others: a list
                return expr(over)

    return block(body)


def map_operands(s: L.Stmt, f: Callable[[L.Expr], L.Expr]) -> L.Stmt:
    """The same statement with what `f` gives for what it itself reads; blocks inside stay as they are."""
    match s:
        case L.Let(local, value, at):
            return L.Let(local, f(value), at)
        case L.Store(place, value, op, at):
            return L.Store(_map_place(place, f), f(value), op, at)
        case L.Do(call, at):
            found = f(call)
            assert isinstance(found, L.Call | L.Help)
            return L.Do(found, at)
        case L.If(test):
            return replace(s, test=f(test))
        case L.For(over=L.Range(start, stop, step)):
            return replace(s, over=L.Range(f(start), f(stop), step))
        case L.For(over=L.Members(members, base)):
            return replace(s, over=L.Members(f(members), base))
        case L.For(over=over):
            return s if isinstance(over, L.Range | L.Members) else replace(s, over=f(over))
        case L.Return(value, at):
            return s if value is None else L.Return(f(value), at)
        case L.Raise(error, args, at):
            return L.Raise(error, tuple(map(f, args)), at)
        case L.Append(to, value, at):
            return L.Append(to, f(value), at)
        case L.Tell(to, text, at):
            return L.Tell(f(to), f(text), at)
        case L.Loop() | L.Break() | L.Continue() | L.Mark() | L.Hit():
            return s
        case _:
            assert_never(s)


def _map_place(place: L.Place, f: Callable[[L.Expr], L.Expr]) -> L.Place:
    """A place that is written: an array may go by another name, and what finds the entry is read."""
    if not isinstance(place, L.Item):
        return place
    base = place.base
    if isinstance(base, L.Item):
        inner = _map_place(base, f)
        assert isinstance(inner, L.Item)
        return L.Item(inner, f(place.index), place.type)
    return L.Item(f(base), f(place.index), place.type)
