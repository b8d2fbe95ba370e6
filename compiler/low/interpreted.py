"""The low-level program → its functions as an interpreter likes them, which pays for every call and every look.

What a C compiler does by itself is done here, pass by pass; what the program says is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from rulewright.compiler.low import program as L
from rulewright.compiler.low.array_locals import Replaced, arrays_replaced, with_array_locals
from rulewright.compiler.low.counted_dice import with_counted_dice
from rulewright.compiler.low.dead_copies import without_dead_copies
from rulewright.compiler.low.drawn_at_once import with_drawn_at_once
from rulewright.compiler.low.fewer_steps import in_fewer_steps
from rulewright.compiler.low.known import without_repeats
from rulewright.compiler.low.lay_in import laid_in
from rulewright.compiler.low.look_once import with_cells_read_once
from rulewright.compiler.low.machine_types import PC
from rulewright.compiler.low.one_loop import with_one_loop
from rulewright.compiler.low.one_name import with_one_name
from rulewright.compiler.low.walk_low import expressions_in, map_bodies, statements


def for_interpreter(program: L.Program, kept: Set[str]) -> L.Program:
    """`kept`: functions that are called from outside of the program."""
    zeros = {t.name for t in program.tables if t.values == (0,) * len(t.values)}
    program = replace(
        program, functions=tuple(with_counted_dice(f, zeros) for f in program.functions)
    )
    pure = changes_nothing(program.functions)
    functions = laid_in(program, kept, pure)
    replaced = arrays_replaced(functions)
    found = tuple(_done(f, pure, replaced) for f in functions)
    return replace(program, functions=tuple(going_on(found, program)))


def _done(f: L.Function, pure: Set[str], replaced: Replaced) -> L.Function:
    f = in_fewer_steps(with_drawn_at_once(f))
    f = without_dead_copies(without_repeats(f, pure))
    f = without_dead_copies(with_one_name(with_cells_read_once(f, pure)))
    return with_array_locals(with_one_loop(f, pure), replaced)


def going_on(functions: tuple[L.Function, ...], program: L.Program) -> Iterator[L.Function]:
    """What only a decision starts begins on an empty stack: from there a loop is gone on with at once, without the dispatcher."""
    called = {e.name for f in functions for e in expressions_in(f.body) if isinstance(e, L.Call)}
    called |= {name for name in program.points if name is not None}
    points = dict(enumerate(program.points))

    def block(body: tuple[L.Stmt, ...]) -> tuple[L.Stmt, ...]:
        return tuple(map_bodies(stmt(s), block) for s in body)

    def stmt(s: L.Stmt) -> L.Stmt:
        match s:
            case L.Return(L.Number(value=number, name=name)) if name and points.get(number):
                return replace(s, value=L.Call(points[number] or "", (), PC))
            case _:  # others: they stay
                return s

    for f in functions:
        begins = f.name in program.decisions and f.name not in called
        yield replace(f, body=block(f.body)) if begins else f


def changes_nothing(functions: tuple[L.Function, ...]) -> set[str]:
    """The names of functions that only read the state."""
    pure = {f.name for f in functions if not f.keeps and not _writes(f)}
    while True:
        left = {f.name for f in functions if f.name in pure and _calls_only(f, pure)}
        if left == pure:
            return pure
        pure = left


def _writes(f: L.Function) -> bool:
    for s in statements(f.body):
        match s:
            case L.Store(place):
                root: L.Expr = place
                while isinstance(root, L.Item):
                    root = root.base
                if not (isinstance(root, L.Local) and isinstance(place, L.Local)):
                    return True
            case L.Tell() | L.Hit() | L.Mark():
                return True
            case _:  # others: what they call is looked at apart
                pass
    return False


def _calls_only(f: L.Function, pure: set[str]) -> bool:
    return all(e.name in pure for e in expressions_in(f.body) if isinstance(e, L.Call))
