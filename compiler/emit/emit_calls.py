"""Calls of functions → Python: a look-up in a table, the function's own expression laid in, or a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.emit.emit_words import ATOM, weight

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_expr import Body

MAX_LEVELS = 8  # of functions laid into each other
MAX_INLINED = 300  # parts of expressions laid in for one call


def call(body: Body, function: C.Function, args: tuple[C.Expr, ...]) -> tuple[str, int]:
    table = body.tables.tabulated(function)
    if table is not None and body.tables.holds(function, args):
        return body.tables.look_up(body, table, function, args)
    short = body.inlined(function, args)
    if short is not None:
        body.levels += 1
        text = body.expr(short)
        body.levels -= 1
        return text
    name = body.tables.function_name(function)
    values = [body.value(x) for x in args]
    if function.reads_state:
        values.insert(0, "s")
    return f"{name}({', '.join(values)})", ATOM


def inlined(body: Body, function: C.Function, args: tuple[C.Expr, ...]) -> C.Expr | None:
    """The body of a function that is a single expression, with the arguments put in; None for others."""
    if not body.inline:
        return None
    function = body.tables.shortened(body, function)
    only = function.body[0]
    if len(function.body) != 1 or not isinstance(only, C.SReturn) or only.value is None:
        return None
    if weight(only.value) > 24:
        return None
    if body.levels == 0:
        body.room = MAX_INLINED
    body.room -= weight(only.value)
    if body.levels >= MAX_LEVELS or body.room < 0:
        return None
    env: dict[int, C.Expr] = {}
    for param, arg in zip(function.params, args, strict=True):
        if isinstance(arg, C.Const | C.Use):
            env[param.number] = arg
        else:
            # worked out once, under a name of its own
            local = C.Local(param.name, param.type, body.tables.fresh())
            body.define(local, body.value(arg))
            env[param.number] = C.Use(local, param.type, arg.span)
    return substitute(only.value, env)


def code_call(body: Body, e: C.CodeCall) -> tuple[str, int]:
    if isinstance(e.base, C.Const) and isinstance(e.base.value, int):
        code = (e.column.code or [])[e.base.value]
        assert isinstance(code, C.Function)
        return body.call(code, e.args)
    name = body.tables.dispatcher(e.kind, e.column)
    values = ["s", body.value(e.base), *(body.value(x) for x in e.args)]
    return f"{name}({', '.join(values)})", ATOM


def can_run(body: Body, e: C.CanRun) -> tuple[str, int]:
    if e.procedure is not None:
        return body.call(body.tables.possible(e.procedure), e.args)
    assert e.kind is not None and e.column is not None and e.base is not None
    if isinstance(e.base, C.Const) and isinstance(e.base.value, int):
        code = (e.column.code or [])[e.base.value]
        if not isinstance(code, C.Procedure):
            return "True", ATOM
        return body.call(body.tables.possible(code), e.args)
    name = body.tables.possible_dispatcher(e.kind, e.column)
    values = ["s", body.value(e.base), *(body.value(x) for x in e.args)]
    return f"{name}({', '.join(values)})", ATOM
