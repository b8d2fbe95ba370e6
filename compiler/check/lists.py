"""Statements that make a list longer or shorter → the list anew, given to what holds it.

    append x to row               row = appended(row, x)
    insert x into row at 1   →    row = inserted(row, x, 1)
    remove x from row             row = removed(row, position(x, row))

So everything that holds for an assignment holds for these: purity, who sees what, bounds.
"""

from __future__ import annotations

from rulewright.compiler.check import assign, expressions
from rulewright.compiler.check.fitting import item_type, needed
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.types import BadT, IntT, ListT, SetT
from rulewright.compiler.rules import syntax as S


def check_change(sc: Scope, stmt: S.Change, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    target = assign.assigned_to(sc, stmt.target)
    t = None if target is None else target.type
    element = None if t is None else fold.element_of(t)
    if target is None or not isinstance(t, ListT) or element is None:
        for part in (stmt.item, stmt.place):
            if part is not None:
                expressions.check_expr(sc, part)
        if t is not None and not isinstance(t, BadT):
            r.error(
                "RW0601", stmt.target.span, f"this is {a(t)}", expected="a list of members or numbers",
                hint="write: |= {…} to put members in, -= {…} to take them out" if isinstance(t, SetT) else None,
            )  # fmt: skip
        return []
    if t.limit is None and stmt.verb != "remove":
        r.error(
            "RW0607", stmt.target.span, "a list that grows needs a limit", hint="declare it: list of … max 10"
        )  # fmt: skip
    whole = (
        C.Use(target, t, stmt.target.span, target.secrecy)
        if isinstance(target, C.Local)
        else target
    )
    args: list[C.Expr] = [whole]
    if stmt.item is not None:
        item = expressions.check_expr(sc, stmt.item, element)
        args.append(needed(sc, item, item_type(whole, element)))
    if stmt.place is not None:
        args.append(expressions.need_int(sc, stmt.place))
    name: OpName
    match stmt.verb:
        case "append":
            name = "appended"
        case "insert":
            name = "inserted"
        case "remove":
            name = "removed"
            if stmt.item is not None:
                at = IntT(0, t.limit)
                args[1:] = [fold.op("position", (args[1], whole), at, stmt.item.span)]
    # never worked out here: what goes wrong is told in play
    value = C.Op(name, tuple(args), t, stmt.span, fold.secrecy_of(tuple(args)))
    return assign.give(sc, target, "", value, stmt.span, cites)
