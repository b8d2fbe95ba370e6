"""A function → the same with one loop for two that go over the same.

for row in ROWS[n]:                                mine = state.men[p]
    if (row & others): theirs = (theirs | row)     for row in ROWS[n]:
state.turn_theirs = theirs                  →          if (row & others): theirs = (theirs | row)
mine = state.men[p]                                    if (row & mine): own = (own | row)
for row_2 in ROWS[n]:                              state.turn_theirs = theirs
    if (row_2 & mine): own = (own | row_2)

Only loops that give values to locals and can't go wrong. What stands between them goes before the loop if it needs nothing of the
first one, and after it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from rulewright.compiler.low import program as L
from rulewright.compiler.low.lay_in import renamed
from rulewright.compiler.low.walk_low import (
    expressions,
    expressions_in,
    map_bodies,
    operands,
    statements,
)

Block = tuple[L.Stmt, ...]
# entries of arrays, of whatever array: an array may go by another name
_ENTRIES = "[]"
# what a function of the program reads: any of the state
_STATE = "."


def with_one_loop(f: L.Function, pure: Set[str]) -> L.Function:
    """`pure`: the functions of the program that change nothing."""
    if f.keeps or sum(isinstance(s, L.For) for s in statements(f.body)) <= 1:
        return f
    return replace(f, body=_Loops(pure).block(f.body))


@dataclass(slots=True)
class _Effects:
    """The locals, fields and entries that statements read and write."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)

    def add(self, other: _Effects) -> None:
        self.reads |= other.reads
        self.writes |= other.writes

    def meets(self, other: _Effects) -> bool:
        """Whether it makes a difference which of both comes first."""
        if _touch(self.writes, other.reads) or _touch(other.writes, self.reads):
            return True
        return bool(self.writes & other.writes)


def _touch(writes: set[str], reads: set[str]) -> bool:
    """Whether something is written that is read."""
    if writes & reads:
        return True
    return _STATE in reads and any(x == _ENTRIES or x.startswith(_STATE) for x in writes)


def _effects(body: Iterable[L.Stmt]) -> _Effects:
    found = _Effects()
    for s in statements(body):
        for e in expressions(operands(s)):
            match e:
                case L.Local(name):
                    found.reads.add(name)
                case L.Field(name):
                    found.reads.add(f".{name}")
                case L.Item():
                    found.reads.add(_ENTRIES)
                case L.Call():
                    found.reads.add(_STATE)
                case _:  # others: they read what their parts read
                    pass
        match s:
            case L.Let(L.Local(name)) | L.For(L.Local(name)) | L.Append(L.Local(name)):
                found.writes.add(name)
            case L.Store(L.Local(name)):
                found.writes.add(name)
            case L.Store(L.Field(name)):
                found.writes.add(f".{name}")
            case L.Store():
                found.writes.add(_ENTRIES)
            case _:  # others: they give nothing a value
                pass
    return found


class _Loops:
    def __init__(self, pure: Set[str]) -> None:
        self.pure = pure

    def block(self, body: Block) -> Block:
        out = [map_bodies(s, self.block) for s in body]
        at = 0
        while at < len(out):
            first = out[at]
            if not (isinstance(first, L.For) and _is_simple(first) and self.joined(out, at, first)):
                at += 1
        return tuple(out)

    def joined(self, out: list[L.Stmt], at: int, first: L.For) -> bool:
        """Lays the next loop over the same into the one that stands there, if that can be done."""
        early: list[L.Stmt] = []
        late: list[L.Stmt] = []
        before, after = _effects([first]), _Effects()
        for n, s in enumerate(out[at + 1 :], at + 1):
            own = _effects([s])
            if isinstance(s, L.For) and s.over == first.over and _is_simple(s):
                if own.meets(before) or own.meets(after) or _reads(out[n + 1 :], s.var):
                    return False
                more = renamed(s.body, {s.var.name: first.var})
                loop = replace(first, body=(*first.body, *more))
                out[at : n + 1] = [*early, loop, *late]
                return True
            if not self.goes_on(s):
                return False
            if _touch(before.writes, own.reads) or own.meets(after):
                late.append(s)
                after.add(own)
            elif own.meets(before):
                return False
            else:
                early.append(s)
        return False

    def goes_on(self, s: L.Stmt) -> bool:
        """Whether a statement leads to the next one and nowhere else, and changes only what can be seen."""
        leaves = L.Return | L.Raise | L.Break | L.Continue | L.Do | L.Tell | L.Loop
        return not any(isinstance(x, leaves) for x in statements([s])) and all(
            e.name in self.pure for e in expressions_in([s]) if isinstance(e, L.Call)
        )


def _reads(body: Iterable[L.Stmt], local: L.Local) -> bool:
    return any(e == local for e in expressions_in(body))


def _is_simple(s: L.For) -> bool:
    """A loop over what stays, that only works out locals and can't go wrong."""
    if s.other or isinstance(s.over, L.Members) or s.var.name == "_":
        return False
    inside = list(statements(s.body))
    return all(isinstance(x, L.Let | L.If) for x in inside) and all(
        isinstance(
            e, L.Number | L.Local | L.TableUse | L.Not | L.Logic | L.Compare | L.Pick
        ) or (isinstance(e, L.Unary | L.Binary) and e.op in ("&", "|", "^", "~"))
        for e in expressions_in(s.body)
    )  # fmt: skip
