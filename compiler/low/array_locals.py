"""A function → the same with arrays of the state under names of their own, where it looks at them again and again.

for i in 1 ..< 10:                                 let cast = state.cast
    state.cast[x % 6] += 1                 →       for i in 1 ..< 10:
                                                       cast[x % 6] += 1

An array keeps its place while only its entries change; where the state may get another one, it is looked for again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.new_names import NewNames
from rulewright.compiler.low.walk_low import (
    bodies,
    children,
    expressions,
    map_bodies,
    map_children,
    map_operands,
    operands,
    statements,
)

Block = tuple[L.Stmt, ...]
Replaced = Mapping[str, Set[str]]
# looks at an array from which on a name pays
WORTH = 4.0
_TURNS = 4.0  # of a loop, roughly
_EITHER = 0.5  # what stands in a branch is done so often


def arrays_replaced(functions: tuple[L.Function, ...]) -> dict[str, set[str]]:
    """By function: the arrays of the state that others may take the place of, in what it calls too."""
    calls: dict[str, set[str]] = {}
    found: dict[str, set[str]] = {}
    for f in functions:
        own = found[f.name] = set()
        calls[f.name] = set()
        for s in statements(f.body):
            if isinstance(s, L.Store) and isinstance(s.place, L.Field):
                own.add(s.place.name)
            calls[f.name] |= {e.name for e in expressions(operands(s)) if isinstance(e, L.Call)}
    changed = True
    while changed:
        changed = False
        for name, others in calls.items():
            more = set().union(*(found.get(x, set()) for x in others)) - found[name]
            changed = changed or bool(more)
            found[name] |= more
    return found


def with_array_locals(f: L.Function, replaced: Replaced) -> L.Function:
    return f if f.keeps else replace(f, body=_Arrays(f, replaced).block(f.body))


def _arrays(body: Block) -> dict[L.Field, float]:
    """How often statements look at each array of the state, roughly."""
    found: dict[L.Field, float] = {}
    for s in body:
        _count(s, 1.0, found)
    return found


def _count(s: L.Stmt, times: float, found: dict[L.Field, float]) -> None:
    seen = list(operands(s))
    if isinstance(s, L.Store) and isinstance(s.place, L.Item):
        seen.append(s.place.base)
    stack = [(e, times) for e in seen]
    while stack:
        e, n = stack.pop()
        match e:
            case L.Field(_, T.Array()):
                found[e] = found.get(e, 0.0) + n
            case L.Logic(_, left, right):
                stack += [(left, n), (right, n * _EITHER)]
            case L.Pick(test, yes, no):
                stack += [(test, n), (yes, n * _EITHER), (no, n * _EITHER)]
            case _:  # others: all their parts are worked out
                stack += [(x, n) for x in children(e)]
    match s:
        case L.If():
            inner = times * _EITHER
        case L.For() | L.Loop():
            inner = times * _TURNS
        case (
            L.Let() | L.Store() | L.Do() | L.Break() | L.Continue() | L.Return() | L.Raise() | L.Append() | L.Tell()
            | L.Mark() | L.Hit()
        ):  # fmt: skip
            return
        case _:
            assert_never(s)
    for body in bodies(s):
        for x in body:
            _count(x, inner, found)


def _in_one_branch(body: Iterable[L.Stmt], field: L.Field) -> bool:
    """Whether only one of the statements looks at an array, and not before it has taken a branch; there it gets its name."""
    users = [s for s in body if _arrays((s,)).get(field)]
    if len(users) != 1 or not isinstance(users[0], L.If):
        return False
    return not _arrays((replace(users[0], body=(), other=()),)).get(field)


class _Arrays:
    def __init__(self, f: L.Function, replaced: Replaced) -> None:
        self.replaced = replaced
        self.names = NewNames(f)

    def block(self, body: Block) -> Block:
        out = list(body)
        for field, times in _arrays(body).items():
            if times >= WORTH and not _in_one_branch(out, field):
                out = self.named(out, field)
        return tuple(map_bodies(s, self.block) for s in out)

    def named(self, body: list[L.Stmt], field: L.Field) -> list[L.Stmt]:
        """The statements with a name for the array in each stretch in which it stays the same one."""
        out: list[L.Stmt] = []
        stretch: list[L.Stmt] = []
        for s in body:
            if self.may_replace(s, field):
                out += self.stretch(stretch, field)
                stretch = []
            stretch.append(s)
        return out + self.stretch(stretch, field)

    def stretch(self, body: list[L.Stmt], field: L.Field) -> list[L.Stmt]:
        first, rest = body[:1], body[1:]
        made = isinstance(first[0], L.Store) and first[0].place == field if first else False
        if first and not made and self.may_replace(first[0], field):
            return first + self.in_stretch(rest, field, None)
        if made:
            store = first[0]
            assert isinstance(store, L.Store)
            return self.in_stretch(rest, field, store)
        return self.in_stretch(body, field, None)

    def in_stretch(self, body: list[L.Stmt], field: L.Field, store: L.Store | None) -> list[L.Stmt]:
        before: list[L.Stmt] = [] if store is None else [store]
        if _arrays(tuple(body)).get(field, 0.0) < WORTH:
            return before + body
        start = next(i for i, s in enumerate(body) if field in _arrays((s,)))
        local = L.Local(self.names.new(field.name), field.type)
        if store is None:
            first: list[L.Stmt] = [*body[:start], L.Let(local, field, body[start].at)]
            rest = body[start:]
        else:
            first = [L.Let(local, store.value, store.at), replace(store, value=local)]
            rest = body

        def put(e: L.Expr) -> L.Expr:
            return local if e == field else map_children(e, put)

        def inside(s: L.Stmt) -> L.Stmt:
            return map_bodies(map_operands(s, put), lambda b: tuple(map(inside, b)))

        return first + [inside(s) for s in rest]

    def may_replace(self, s: L.Stmt, field: L.Field) -> bool:
        for x in statements((s,)):
            if isinstance(x, L.Store) and x.place == field:
                return True
            for e in expressions(operands(x)):
                if isinstance(e, L.Call) and field.name in self.replaced.get(e.name, {field.name}):
                    return True
        return False
