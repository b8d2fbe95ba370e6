"""A loop over a table's set whose variable only looks up one thing → a loop over those things, from a table.

for s in shops(n): total += s.value       →   for value in SHOPS_VALUE[n]: total += value
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant
from rulewright.compiler.core.types import BoolT, IntT, KindT, ListT, SetT
from rulewright.compiler.core.walk import (
    children,
    map_children,
    map_statement,
    operands,
    statements,
)
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body
from rulewright.compiler.low.names import constant_name
from rulewright.compiler.low.state_layout import low_type
from rulewright.compiler.low.tabulate import listed


def over_values(body: Body, s: C.SFor) -> tuple[L.Expr, C.SFor] | None:
    """The list of what is looked up, and the loop over it."""
    if not body.inline or body.slot(s.var) is not None:
        return None
    seen: list[C.Call | C.Column] = []
    inside = [s.where, *(e for x in statements(s.body) for e in operands(x))]
    if not _look_ups(inside, s.var, seen) or not seen:
        return None
    look = seen[0]
    if any(not _same(x, look) for x in seen) or not isinstance(look.type, IntT | KindT | SetT):
        return None
    t = low_type(look.type)
    if T.is_wide(t) or not isinstance(t, T.Int | T.Set):
        return None
    found = listed(body, s.domain)
    if found is None:
        return None
    try:
        values = [[_value(look, s.var, k) for k in row] for row in found.rows]
    except NotConstant:
        return None
    word = look.function.name if isinstance(look, C.Call) else look.column.name
    table = body.tables.lists(f"{found.name}_{constant_name(word)}", values, t)
    assert isinstance(table.type, T.Array)
    local = C.Local(word, look.type, body.tables.fresh())
    use = C.Use(local, look.type, look.span)
    items = L.Item(table, found.index, table.type.element)
    return items, _replaced(s, s.var, use)


def _value(look: C.Call | C.Column, var: C.Local, k: int) -> int:
    found = Evaluator().expr(look, {var.number: k})
    if not isinstance(found, int):
        raise NotConstant
    return found


def _is_look_up(x: C.Expr, var: C.Local) -> bool:
    match x:
        case C.Call(function, (C.Use(local),)):
            return local is var and not function.reads_state
        case C.Column(_, column, C.Use(local)):
            return local is var and not isinstance(column.type, ListT | BoolT)
        case _:  # others: worked out, not looked up
            return False


def _same(a: C.Call | C.Column, b: C.Call | C.Column) -> bool:
    if isinstance(a, C.Call) and isinstance(b, C.Call):
        return a.function is b.function
    return isinstance(a, C.Column) and isinstance(b, C.Column) and a.column is b.column


def _look_ups(parts: Iterable[C.Expr | None], var: C.Local, seen: list[C.Call | C.Column]) -> bool:
    """Whether the variable is used to look things up only; these are put into `seen`."""
    for e in parts:
        if isinstance(e, C.Call | C.Column) and _is_look_up(e, var):
            seen.append(e)
        elif (isinstance(e, C.Use) and e.local is var) or (
            e is not None and not _look_ups(children(e), var, seen)
        ):
            return False
    return True


def _replaced(s: C.SFor, var: C.Local, use: C.Use) -> C.SFor:
    """A loop in which what is looked up with its variable is a local."""

    def looked_up(e: C.Expr) -> C.Expr:
        return use if _is_look_up(e, var) else map_children(e, looked_up)

    def block(stmts: list[C.Stmt]) -> list[C.Stmt]:
        return [map_statement(x, looked_up, block) for x in stmts]

    where = None if s.where is None else looked_up(s.where)
    return C.SFor(use.local, s.domain, where, block(s.body), s.span, s.cites)
