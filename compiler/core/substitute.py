"""Copies of typed code with other values for some locals, folded again where that makes them constant."""

from __future__ import annotations

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant

Env = dict[int, C.Expr]


def substitute(e: C.Expr, env: Env) -> C.Expr:
    """The expression with locals replaced; the original stays as it is."""
    match e:
        case C.Const() | C.Read(keys=()):
            return e
        case C.Use(local):
            return env.get(local.number, e)
        case C.Read(var, keys, type_, span, secrecy):
            return C.Read(var, _all(keys, env), type_, span, secrecy)
        case C.ZoneUse(zone, owner, type_, span, secrecy):
            return C.ZoneUse(
                zone, None if owner is None else substitute(owner, env), type_, span, secrecy
            )
        case C.Column(kind, column, base, type_, span, secrecy):
            return column_at(kind, column, substitute(base, env), e)
        case C.PieceRead(standing, field, piece, type_, span, secrecy):
            return C.PieceRead(standing, field, substitute(piece, env), type_, span, secrecy)
        case C.Op(op, args, type_, span, _, kind):
            if op == "meets" and args[0] is args[1]:
                inner = substitute(args[0], env)
                return C.Op(op, (inner, inner), type_, span, e.secrecy, kind)
            return fold.op(op, _all(args, env), type_, span, kind)
        case C.Call(function, args, type_, span, secrecy):
            return _call(C.Call(function, _all(args, env), type_, span, secrecy))
        case C.CodeCall(kind2, column, base, args, type_, span, secrecy):
            base = substitute(base, env)
            if isinstance(base, C.Const) and isinstance(base.value, int):
                code = (column.code or [])[base.value]
                if isinstance(code, C.Function):
                    return _call(C.Call(code, _all(args, env), type_, span, secrecy))
            return C.CodeCall(kind2, column, base, _all(args, env), type_, span, secrecy)
        case C.Comp(op, var, domain, where, body, default, type_, span, secrecy):
            inner_env = {k: v for k, v in env.items() if k != var.number}
            return C.Comp(
                op, var, substitute(domain, env), None if where is None else substitute(where, inner_env),
                _all(body, inner_env), None if default is None else substitute(default, env), type_, span, secrecy,
            )  # fmt: skip
        case C.Range(low, high, type_, span, secrecy):
            return C.Range(substitute(low, env), substitute(high, env), type_, span, secrecy)
        case C.CanRun(procedure, kind3, column2, base2, args, type_, span, secrecy):
            if base2 is not None:
                base2 = substitute(base2, env)
            if (
                kind3 is not None
                and column2 is not None
                and isinstance(base2, C.Const)
                and isinstance(base2.value, int)
            ):
                code2 = (column2.code or [])[base2.value]
                if isinstance(code2, C.Procedure):
                    return C.CanRun(code2, None, None, None, _all(args, env), type_, span, secrecy)
            return C.CanRun(procedure, kind3, column2, base2, _all(args, env), type_, span, secrecy)
        case C.Reveal(operand, type_, span, secrecy):
            return C.Reveal(substitute(operand, env), type_, span, secrecy)
    raise AssertionError(type(e).__name__)


def _all(args: tuple[C.Expr, ...], env: Env) -> tuple[C.Expr, ...]:
    return tuple(substitute(x, env) for x in args)


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
    return [_stmt(s, env) for s in stmts]


def _stmt(s: C.Stmt, env: Env) -> C.Stmt:
    match s:
        case C.SLet(local, value, span, cites):
            return C.SLet(local, substitute(value, env), span, cites)
        case C.SAssign(target, op, value, span, cites):
            new = substitute(target, env)
            assert isinstance(new, C.Read | C.PieceRead)
            return C.SAssign(new, op, substitute(value, env), span, cites)
        case C.SIf(arms, other, span, cites):
            new_arms = [(substitute(t, env), substitute_stmts(b, env)) for t, b in arms]
            return C.SIf(new_arms, substitute_stmts(other, env), span, cites)
        case C.SFor(var, domain, where, body, span, cites):
            inner = {k: v for k, v in env.items() if k != var.number}
            return C.SFor(
                var, substitute(domain, env), None if where is None else substitute(where, inner),
                substitute_stmts(body, inner), span, cites,
            )  # fmt: skip
        case C.SWhile(test, body, span, cites):
            return C.SWhile(
                None if test is None else substitute(test, env),
                substitute_stmts(body, env),
                span,
                cites,
            )
        case C.SReturn(value2, span, cites):
            result = None if value2 is None else substitute(value2, env)
            return C.SReturn(result, span, cites, s.fails)
        case C.SRoll(var, domain, element, span, cites):
            return C.SRoll(var, substitute(domain, env), element, span, cites)
        case C.SDraw(var2, source, target2, span, cites):
            return C.SDraw(var2, _zone(source, env), _zone(target2, env), span, cites)
        case C.SMove(count, kind, source, target2, revealing, span, cites):
            return C.SMove(
                None if count is None else substitute(count, env), None if kind is None else substitute(kind, env),
                _zone(source, env), _zone(target2, env), revealing, span, cites,
            )  # fmt: skip
        case C.SScore(amount, player, reason, span, cites):
            return C.SScore(substitute(amount, env), substitute(player, env), reason, span, cites)
        case C.SRun(procedure, kind2, column, base, args, result, span, cites):
            new_base = None if base is None else substitute(base, env)
            return C.SRun(procedure, kind2, column, new_base, _all(args, env), result, span, cites)
        case C.SPut(var, standing, value3, source, fields, seen, everyone, span, cites):
            return C.SPut(
                var, standing, substitute(value3, env), _zone(source, env),
                {k: substitute(v, env) for k, v in fields.items()},
                None if seen is None else substitute(seen, env), everyone, span, cites,
            )  # fmt: skip
        case C.STake(piece, standing, target2, span, cites):
            return C.STake(substitute(piece, env), standing, _zone(target2, env), span, cites)
        case C.SShow(piece, standing, to, span, cites):
            return C.SShow(
                substitute(piece, env),
                standing,
                None if to is None else substitute(to, env),
                span,
                cites,
            )
        case C.STell(text, to, span, cites):
            parts: list[str | C.Expr] = [
                p if isinstance(p, str) else substitute(p, env) for p in text.parts
            ]
            return C.STell(C.Text(parts), None if to is None else substitute(to, env), span, cites)
        case C.SRequire(test2, span, cites):
            return C.SRequire(substitute(test2, env), span, cites, s.text)
        case _:
            return s


def _zone(z: C.ZoneUse, env: Env) -> C.ZoneUse:
    new = substitute(z, env)
    assert isinstance(new, C.ZoneUse)
    return new
