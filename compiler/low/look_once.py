"""A function → the same with a cell of the state read once, where it looks at it several times.

if not ((state.hand[p] >> c) & 1): raise …         let hand_now = state.hand[p]
state.hand[p] ^= (…state.hand[p]…)           →     if not ((hand_now >> c) & 1): raise …
                                                   state.hand[p] = (hand_now ^ (…hand_now…))

A cell is an entry of an array, or a field that holds a number. It counts as read as often as its statements are likely to be
reached, and gets a local where that is fewer steps; from where something may change it, it is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import replace

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.known import Values, bare, forget
from rulewright.compiler.low.lay_in import ends
from rulewright.compiler.low.new_names import NewNames
from rulewright.compiler.low.walk_low import (
    children,
    expressions,
    map_bodies,
    map_children,
    map_operands,
    operands,
    statements,
)

Block = tuple[L.Stmt, ...]
# how often what stands in a branch is done, what comes after one that returns, and what stands in a loop
_EITHER, _AFTER, _TURNS = 0.5, 0.75, 4.0


def with_cells_read_once(f: L.Function, pure: Set[str]) -> L.Function:
    """`pure`: the functions of the program that change nothing."""
    if f.keeps:
        return f
    return replace(f, body=_Cells(f, pure).block(f.body))


def _steps(cell: L.Expr) -> int:
    """The steps of a look at a cell; those of a local are one to give it a value and one for each look."""
    return sum(1 + isinstance(x, L.Field) for x in expressions((cell,)))


def _saved(cell: L.Expr, s: L.Stmt) -> float:
    """The steps that a statement, without those inside it, takes less when the cell has a local."""
    saved = _looks(cell, operands(s)) * (_steps(cell) - 1)
    if isinstance(s, L.Store) and s.op and bare(s.place) == cell:
        # its place is found once instead of twice
        saved += 4 if isinstance(cell, L.Item) else 2
        saved -= _steps(cell) - 1
    return saved


def _is_cell(e: L.Expr) -> bool:
    match e:
        case L.Item(L.Field() | L.Local(), L.Local() | L.Number(), T.Int() | T.Set() | T.Zone()):
            return isinstance(e.base.type, T.Array)
        case L.Field(_, T.Int() | T.Set() | T.Zone()):
            return True
        case _:  # others: no cells, or what is not worth a name
            return False


class _Cells:
    def __init__(self, f: L.Function, pure: Set[str]) -> None:
        self.pure = pure
        self.names = NewNames(f)

    def block(self, body: Block) -> Block:
        out: list[L.Stmt] = []
        rest = list(body)
        while rest:
            for cell in self.sure(rest[0]):
                if self.saved(cell, rest, 1.0) > _steps(cell) + 1:
                    local = L.Local(self.name(cell), cell.type)
                    out.append(L.Let(local, cell, rest[0].at))
                    rest, _ = self.put(rest, cell, local)
            out.append(map_bodies(rest.pop(0), self.block))
        return tuple(out)

    def sure(self, s: L.Stmt) -> list[L.Expr]:
        """The cells that a statement surely looks at, before it changes anything."""
        if isinstance(s, L.For | L.Loop) or (isinstance(s, L.Let) and _is_cell(s.value)):
            return []
        if any(isinstance(e, L.Call) and e.name not in self.pure for e in _inside(s)):
            return []
        found: list[L.Expr] = []
        stack = list(operands(s))
        while stack:
            e = stack.pop(0)
            match e:
                case L.Logic(_, left):
                    stack.append(left)
                case L.Pick(test):
                    stack.append(test)
                case _ if _is_cell(e):
                    if bare(e) not in found:
                        found.append(bare(e))
                case _:  # others: all their parts are worked out
                    stack.extend(children(e))
        return found

    def saved(self, cell: L.Expr, body: Iterable[L.Stmt], weight: float) -> float:
        """The steps that statements are likely to take less, until something may change the cell."""
        found = 0.0
        for s in body:
            found += weight * _saved(cell, s)
            match s:
                case L.If(_, yes, no):
                    found += self.saved(cell, yes, weight * _EITHER)
                    found += self.saved(cell, no, weight * _EITHER)
                    if ends(yes) and not isinstance(yes[-1], L.Raise):
                        weight *= _AFTER
                case L.For(body=inner) | L.Loop(inner) if self.stays(cell, inner):
                    found += self.saved(cell, inner, weight * _TURNS)
                case _:  # others: nothing inside, or what changes the cell
                    pass
            if not self.is_left(cell, s):
                break
        return found

    def is_left(self, cell: L.Expr, s: L.Stmt) -> bool:
        """Whether a cell is the same after a statement, where that goes on."""
        if isinstance(s, L.If):
            return self.stays(cell, [replace(s, body=(), other=())]) and all(
                ends(inner) or self.stays(cell, inner) for inner in (s.body, s.other)
            )
        return self.stays(cell, [s])

    def stays(self, cell: L.Expr, body: Iterable[L.Stmt]) -> bool:
        values = Values()
        values.set(cell, L.TRUE)
        for s in statements(body):
            forget(values, s, self.pure)
        return bool(values.known)

    def put(
        self, body: Iterable[L.Stmt], cell: L.Expr, local: L.Local
    ) -> tuple[list[L.Stmt], bool]:
        """Statements with a local for a cell, as long as both are the same; whether they still are at their end."""

        def known(e: L.Expr) -> L.Expr:
            return local if bare(e) == cell else map_children(e, known)

        out: list[L.Stmt] = []
        same = True
        for s in body:
            if not same:
                out.append(s)
                continue
            same = self.is_left(cell, s)
            out.append(self._put_one(s, cell, local, known))
        return out, same

    def _put_one(
        self, s: L.Stmt, cell: L.Expr, local: L.Local, known: Callable[[L.Expr], L.Expr]
    ) -> L.Stmt:
        def inside(body: Block) -> Block:
            return tuple(self.put(body, cell, local)[0])

        match s:
            case L.Store(place, value, op, at) if op and bare(place) == cell:
                return L.Store(place, L.Binary(op, local, known(value), cell.type), "", at)
            case L.For(body=body) if not self.stays(cell, body):
                return map_operands(s, known)
            case L.Loop(body) if not self.stays(cell, body):
                return s
            case _:  # others: whatever they look at
                return map_bodies(map_operands(s, known), inside)

    def name(self, cell: L.Expr) -> str:
        base = cell.base if isinstance(cell, L.Item) else cell
        assert isinstance(base, L.Field | L.Local)
        return self.names.new(f"{base.name.rstrip('_')}_now")


def _inside(s: L.Stmt) -> Iterable[L.Expr]:
    return expressions(operands(s))


def _looks(cell: L.Expr, parts: Iterable[L.Expr]) -> float:
    """How often expressions are likely to look at a cell."""
    found = 0.0
    stack = [(e, 1.0) for e in parts]
    while stack:
        e, weight = stack.pop()
        if bare(e) == cell:
            found += weight
            continue
        match e:
            case L.Logic(_, left, right):
                stack += [(left, weight), (right, weight * _EITHER)]
            case L.Pick(test, yes, no):
                stack += [(test, weight), (yes, weight * _EITHER), (no, weight * _EITHER)]
            case _:  # others: all their parts are worked out
                stack += [(x, weight) for x in children(e)]
    return found
