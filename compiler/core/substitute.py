"""Copies of typed code with other values for some locals, folded again where that makes them constant."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant
from rulewright.compiler.core.walk import map_children, map_statement

Env = dict[int, C.Expr]


def substitute(e: C.Expr, env: Env) -> C.Expr:
    """The expression with locals replaced; the original stays as it is."""
    if isinstance(e, C.Use):
        return env.get(e.local.number, e)
    if isinstance(e, C.Comp):
        return _comp(e, env)
    if isinstance(e, C.Op) and e.op == "meets" and e.args[0] is e.args[1]:
        # that both are one and the same is how "is not empty" is written
        inner = substitute(e.args[0], env)
        return C.Op(e.op, (inner, inner), e.type, e.span, e.secrecy, e.kind)
    return _folded(map_children(e, lambda part: substitute(part, env)))


def _comp(e: C.Comp, env: Env) -> C.Expr:
    inner = {number: value for number, value in env.items() if number != e.var.number}
    where = None if e.where is None else substitute(e.where, inner)
    body = tuple(substitute(part, inner) for part in e.body)
    default = None if e.default is None else substitute(e.default, env)
    domain = substitute(e.domain, env)
    return C.Comp(e.op, e.var, domain, where, body, default, e.type, e.span, e.secrecy)


def _folded(e: C.Expr) -> C.Expr:
    """The same, worked out where its parts have become constant."""
    match e:
        case C.Column(kind, column, base):
            return column_at(kind, column, base, e)
        case C.Op(op, args, type_, span, _, of):
            return fold.op(op, args, type_, span, of)
        case C.Call():
            return _call(e)
        case C.CodeCall(_, column, C.Const(int(row)), args, type_, span, secrecy):
            code = (column.code or [])[row]
            if isinstance(code, C.Function):
                return _call(C.Call(code, args, type_, span, secrecy))
        case C.CanRun(_, _, in_column, C.Const(int(row)), args, type_, span, secrecy):
            code = None if in_column is None else (in_column.code or [])[row]
            if isinstance(code, C.Procedure):
                return C.CanRun(code, None, None, None, args, type_, span, secrecy)
        case (
            C.CanRun() | C.CodeCall() | C.Comp() | C.Const() | C.PieceRead() | C.Range() | C.Read() | C.Reveal() | C.Use()
            | C.ZoneUse()
        ):  # fmt: skip
            pass
        case _:
            assert_never(e)
    return e


def column_at(kind: C.Kind, column: C.KindColumn, base: C.Expr, old: C.Column) -> C.Expr:
    if (
        isinstance(base, C.Const)
        and isinstance(base.value, int)
        and 0 <= base.value < len(column.values)
    ):
        value = column.values[base.value]
        if isinstance(value, int | tuple):
            return C.Const(value, old.type, old.span)
    return C.Column(kind, column, base, old.type, old.span, old.secrecy)


def _call(call: C.Call) -> C.Expr:
    """A call of a constant function with constant arguments is its value."""
    if call.function.reads_state or not all(isinstance(a, C.Const) for a in call.args):
        return call
    try:
        value = Evaluator(100_000).call(
            call.function, [a.value for a in call.args if isinstance(a, C.Const)]
        )
    except (NotConstant, RecursionError):
        return call
    return C.Const(value, call.type, call.span)


def substitute_stmts(stmts: list[C.Stmt], env: Env) -> list[C.Stmt]:
    """Copies of plain statements (none of them stops) with locals replaced."""
    return [
        map_statement(s, lambda e: substitute(e, env), lambda body: substitute_stmts(body, env))
        for s in stmts
    ]
