"""Expressions → whether working one out can go wrong: a place outside a list, a division by zero, the greatest of nothing.

What can't go wrong may be worked out early, even where the rules would not come to it; anything else must wait for its turn.
"""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.derive_possible import derive_possible
from rulewright.compiler.core.operations import OPERATIONS
from rulewright.compiler.core.types import IntT, OptT
from rulewright.compiler.core.walk import operands, statements


def may_fail(e: C.Expr | None, inside: frozenset[int] = frozenset()) -> bool:
    """Whether an error can come of an expression; functions are looked into once."""
    match e:
        case None | C.Const() | C.Use():
            return False
        case C.Read(_, keys) | C.ZoneUse(_, keys):
            return any(_unsure(key) or may_fail(key, inside) for key in keys)
        case C.Column(_, _, base):
            return _unsure(base) or may_fail(base, inside)
        case C.PieceRead(_, _, piece):
            return _unsure(piece) or may_fail(piece, inside)
        case C.Op("//" | "%", (a, C.Const(value))) if value:
            return may_fail(a, inside)
        case C.Op(op, args):
            return OPERATIONS[op].may_fail or any(may_fail(a, inside) for a in args)
        case C.Call(function, args):
            return any(may_fail(a, inside) for a in args) or _code_may_fail(function, inside)
        case C.Comp(op, _, domain, where, body, default):
            if op in ("min", "max", "best") and default is None:
                return True
            return any(may_fail(part, inside) for part in (domain, where, *body, default))
        case C.Range(low, high):
            return may_fail(low, inside) or may_fail(high, inside)
        case C.Reveal(operand):
            return may_fail(operand, inside)
        case C.CodeCall(_, column, base, args):
            code: tuple[object, ...] = tuple(column.code or ())
        case C.CanRun(None, _, column, base, args) if column is not None:
            code = tuple(column.code or ())
        case C.CanRun(procedure, _, _, base, args):
            code = (procedure,)
    if any(may_fail(part, inside) for part in (base, *args)):
        return True
    return any(_code_may_fail(part, inside) for part in code)


def _code_may_fail(code: object, inside: frozenset[int]) -> bool:
    """Of a procedure, whether it can be carried out is asked."""
    if code is None or id(code) in inside:
        return False
    if isinstance(code, C.Procedure):
        return _any_in(derive_possible(code).body, inside | {id(code)})
    return isinstance(code, C.Function) and _any_in(code.body, inside | {id(code)})


def _unsure(key: C.Expr) -> bool:
    """Whether a place of a map may be none, or a number outside it."""
    return isinstance(key.type, OptT) or (
        isinstance(key.type, IntT) and not isinstance(key, C.Const)
    )


def _any_in(stmts: list[C.Stmt], inside: frozenset[int]) -> bool:
    """Whether an error can come of pure statements; a loop without a known end may turn too often, and what
    after(…) tries out may do anything."""
    return any(
        isinstance(s, C.SWhile | C.SRun) or any(may_fail(e, inside) for e in operands(s))
        for s in statements(stmts)
    )
