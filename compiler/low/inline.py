"""Calls of short functions and procedures → what these say, written where they are called.

function rich(p: Player) -> bool: coins[p] > 3
… if rich(p.next): …                      →   … let p2 = p.next; if coins[p2] > 3: …

Only functions of a single expression and procedures of up to three plain statements; an argument that is more than a name is
worked out once. The full flavour keeps its calls, because it counts what runs in them.
"""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.substitute import substitute, substitute_stmts
from rulewright.compiler.low.body import Body
from rulewright.compiler.low.measure import weight
from rulewright.compiler.low.shorten import shortened

MAX_WEIGHT = 24  # parts of a function that is laid in
MAX_LEVELS = 8  # of functions laid into each other
MAX_INLINED = 300  # parts of expressions laid in for one call


def inlined(body: Body, function: C.Function, args: tuple[C.Expr, ...]) -> C.Expr | None:
    """The body of a function that is a single expression, with the arguments put in; None for others."""
    if not body.inline:
        return None
    function = shortened(body.tables, function)
    only = function.body[0]
    if len(function.body) != 1 or not isinstance(only, C.SReturn) or only.value is None:
        return None
    if weight(only.value) > MAX_WEIGHT:
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
            body.define(local, body.expr(arg))
            env[param.number] = C.Use(local, param.type, arg.span)
    return substitute(only.value, env)


def inlined_statements(body: Body, s: C.SRun) -> list[C.Stmt] | None:
    """The statements of a short plain procedure, with the arguments put in."""
    p = s.procedure
    if p is None or not body.inline or s.result is not None or len(p.body) > 3:
        return None
    if not all(isinstance(x, C.SAssign | C.SMove | C.SScore | C.SRun) for x in p.body):
        return None
    env: dict[int, C.Expr] = {}
    for param, arg in zip(p.params, s.args, strict=True):
        if isinstance(arg, C.Const) or (isinstance(arg, C.Use) and not arg.local.mutable):
            env[param.number] = arg
        else:
            local = C.Local(param.name, param.type, body.tables.fresh())
            body.define(local, body.result(arg))
            env[param.number] = C.Use(local, param.type, arg.span)
    return substitute_stmts(p.body, env)
