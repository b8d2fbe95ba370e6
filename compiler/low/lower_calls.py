"""Calls of functions → a look-up in a table, the function's own expression laid in, or a call."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body
from rulewright.compiler.low.inline import inlined
from rulewright.compiler.low.state_layout import low_type
from rulewright.compiler.low.tabulate import look_up, serves


def call(body: Body, function: C.Function, args: tuple[C.Expr, ...]) -> L.Expr:
    worked = serves(body.tables, function, args)
    if worked is not None:
        return look_up(body, worked, function, args)
    short = inlined(body, function, args)
    if short is not None:
        body.levels += 1
        found = body.expr(short)
        body.levels -= 1
        return found
    name = body.tables.function_name(function)
    given = tuple(body.expr(x) for x in args)
    return L.Call(name, given, low_type(function.result), function.reads_state)


def code_call(body: Body, e: C.CodeCall) -> L.Expr:
    if isinstance(e.base, C.Const) and isinstance(e.base.value, int):
        code = (e.column.code or [])[e.base.value]
        assert isinstance(code, C.Function)
        return call(body, code, e.args)
    name = body.tables.dispatcher("function", e.kind, e.column)
    given = (body.expr(e.base), *(body.expr(x) for x in e.args))
    return L.Call(name, given, low_type(e.type))


def can_run(body: Body, e: C.CanRun) -> L.Expr:
    if e.procedure is not None:
        return call(body, body.tables.possible(e.procedure), e.args)
    assert e.kind is not None and e.column is not None and e.base is not None
    if isinstance(e.base, C.Const) and isinstance(e.base.value, int):
        code = (e.column.code or [])[e.base.value]
        if not isinstance(code, C.Procedure):
            return L.TRUE
        return call(body, body.tables.possible(code), e.args)
    name = body.tables.dispatcher("possible", e.kind, e.column)
    given = (body.expr(e.base), *(body.expr(x) for x in e.args))
    return L.Call(name, given, T.BOOL)
