"""Calls → typed expressions: functions, built-in functions, code in tables, possible(…), reveal(…)."""

from __future__ import annotations

from rulewright.compiler.check import board_calls, builtins, demand, expressions, possible
from rulewright.compiler.check.fitting import bad
from rulewright.compiler.check.habits import PARTS
from rulewright.compiler.check.scope import BUILTINS, Scope, wrong_count
from rulewright.compiler.check.secrecy import seen_by
from rulewright.compiler.check.type_wording import a, none_hint
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import code_at
from rulewright.compiler.core.types import (
    BOOL,
    BadT,
    KindT,
    ListT,
    MapT,
    OptT,
    Type,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_params
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span


def check_call(sc: Scope, e: S.Call | S.Possible | S.Reveal, want: Type | None) -> C.Expr:
    r = sc.ruleset
    match e:
        case S.Possible(call, span):
            return _possible(sc, call, span)
        case S.Reveal(operand, span):
            inner = expressions.check_expr(sc, operand, want)
            if sc.pure:
                r.error(
                    "RW0801",
                    span,
                    "a function can't reveal anything",
                    hint="functions only work things out; reveal it in a procedure",
                )
            return C.Reveal(inner, inner.type, span)
        case S.Call(S.Ref(name), args, span):
            if name in BUILTINS and name not in r.functions:
                return builtins.check_builtin(sc, name, args, span)
            if name in r.functions:
                return call_function(sc, name, args, span)
            if name in r.procedures:
                r.used.add(name)
                if sc.pure:
                    r.error(
                        "RW0801",
                        span,
                        f"{quoted(name)} is a procedure, and a function can't run one",
                        hint="functions only work things out; call a function",
                    )
                else:
                    r.error(
                        "RW0802", span, f"{quoted(name)} is a procedure and can't be called inside an expression",
                        hint=f"call it on a line of its own before: let x = {name}(…)",
                    )  # fmt: skip
                for arg in args:
                    expressions.check_expr(sc, arg)
                return bad(span)
            held = (
                sc.find(name) is not None or name in sc.consts or name in r.state or name in r.zones
            )
            if held or name in r.constants or name in r.kinds:
                r.used.add(name)
                indexed = name in r.zones or isinstance(
                    expressions.check_expr(sc, e.func).type, MapT | ListT
                )
                r.error(
                    "RW0504", e.func.span, f"{quoted(name)} is not a function",
                    hint=f"write: {name}[…]" if indexed else None,
                )  # fmt: skip
                for arg in args:
                    expressions.check_expr(sc, arg)
                return bad(span)
            for arg in args:
                expressions.check_expr(sc, arg)
            r.unknown(name, e.func.span, "function", [*r.functions, *r.procedures, *BUILTINS])
            return bad(span)
        case S.Call(S.Attr(S.Ref(of) as base, S.Name("at")), args, span) if (
            sc.find(of) is None and of in r.kinds and r.kinds[of].keys
        ):
            return board_calls.row_at(sc, r.kinds[of], args, span)
        case S.Call(S.Attr(base, member), args, span):
            owner = expressions.check_expr(sc, base)
            found = code_column(sc, owner, member, want_function=True)
            if found is None:
                return bad(span)
            kind, column = found
            values = check_args(sc, args, column.params, span, f"{kind.name}.{member.text}")
            assert column.result is not None
            level = C.join(owner.secrecy, fold.secrecy_of(values))
            meant = code_at(column, owner)
            for code in meant:
                if isinstance(code, C.Function):
                    sc.body.reads_state = sc.body.reads_state or code.reads_state
                    level = C.join(level, seen_by(code.secrecy, code.params, values))
            if len(column.code or ()) < len(kind.members) and not (
                isinstance(owner, C.Const) and meant
            ):
                # a cell of the same column that is not checked yet
                sc.body.reads_state = True
                level = C.join(level, r.unknown_level())
            sc.body.secrecy = C.join(sc.body.secrecy, level)
            return C.CodeCall(kind, column, owner, values, column.result, span, level)
        case S.Call(func, _, span):
            expressions.check_expr(sc, func)
            r.error("RW0504", func.span, "this can't be called", expected="the name of a function")
            return bad(span)


def code_column(
    sc: Scope, owner: C.Expr, name: S.Name, *, want_function: bool
) -> tuple[C.Kind, C.KindColumn] | None:
    """The code column meant by owner.name, when it is one of the right sort."""
    r = sc.ruleset
    if isinstance(owner.type, BadT):
        return None
    if not isinstance(owner.type, KindT) or owner.type.name not in r.kinds:
        if isinstance(owner.type, OptT):
            r.error(
                "RW0609",
                owner.span,
                f"this may be none: it is {a(owner.type)}",
                hint=none_hint(owner),
            )
        else:
            r.error(
                "RW0610",
                name.span,
                f"{a(owner.type)} has no columns",
                expected="a member of a kind before the '.'",
                hint=PARTS.get(name.text),
            )
        return None
    kind = r.kinds[owner.type.name]
    column = kind.columns.get(name.text)
    if column is None:
        r.lacks(kind.name, "column", name, kind.columns)
        return None
    r.used.add(f"{kind.name}.{name.text}")
    is_function = column.type is None and column.result is not None
    is_procedure = column.type is None and column.result is None
    if not (is_function if want_function else is_procedure):
        what = (
            "values" if column.type is not None else ("functions" if is_function else "procedures")
        )
        hint = None
        if column.type is not None:
            hint = f"write it without brackets: ….{name.text}" if want_function else None
        elif is_function:
            hint = "use its result; on a line of its own it does nothing"
        elif want_function:
            hint = "a procedure is run on a line of its own"
        r.error(
            "RW0803", name.span, f"the column {kind.name}.{name.text} holds {what}",
            expected="a column of functions" if want_function else "a column of procedures", hint=hint,
        )  # fmt: skip
        return None
    demand.ensure_code(r, kind, column)
    return kind, column


def check_args(
    sc: Scope,
    args: tuple[S.Expr, ...],
    types: tuple[Type, ...],
    span: Span,
    what: str,
    names: tuple[S.Param, ...] | None = None,
) -> tuple[C.Expr, ...]:
    if len(args) != len(types):
        wrong_count(
            sc, span, what, len(types), len(args), None if names is None else print_params(names)
        )
        for arg in args:
            expressions.check_expr(sc, arg)
        return tuple(bad(span) for _ in types)
    return tuple(expressions.need(sc, arg, t) for arg, t in zip(args, types, strict=True))


def call_function(sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span) -> C.Expr:
    r = sc.ruleset
    r.used.add(name)
    f = demand.function(r, name, span)
    if f is None:
        for arg in args:
            expressions.check_expr(sc, arg)
        return bad(span)
    values = check_args(
        sc, args, tuple(p.type for p in f.params), span, quoted(name), r.functions[name].params
    )
    sc.body.reads_state = sc.body.reads_state or f.reads_state
    secrecy = C.join(fold.secrecy_of(values), seen_by(f.secrecy, f.params, values))
    sc.body.secrecy = C.join(sc.body.secrecy, secrecy)
    return C.Call(f, values, f.result, span, secrecy)


def _possible(sc: Scope, call: S.Expr, span: Span) -> C.Expr:
    r = sc.ruleset
    sc.body.reads_state = True
    match call:
        case S.Call(S.Ref(name), args, at):
            if name not in r.procedures:
                if name in r.functions:
                    r.used.add(name)
                    r.error(
                        "RW0627",
                        at,
                        f"{quoted(name)} is a function, and those are always possible",
                        expected="a call of a procedure",
                    )
                else:
                    r.unknown(name, call.func.span, "procedure", r.procedures)
                return bad(span)
            r.used.add(name)
            p = demand.procedure(r, name)
            values = check_args(
                sc,
                args,
                tuple(x.type for x in p.params),
                span,
                quoted(name),
                r.procedures[name].params,
            )
            r.asked.add(p.name)
            level = C.join(
                fold.secrecy_of(values), seen_by(possible.possible_level(r, p), p.params, values)
            )
            sc.body.secrecy = C.join(sc.body.secrecy, level)
            return C.CanRun(p, None, None, None, values, BOOL, span, level)
        case S.Call(S.Attr(base, member), args, at):
            owner = expressions.check_expr(sc, base)
            found = code_column(sc, owner, member, want_function=False)
            if found is None:
                return bad(span)
            kind, column = found
            values = check_args(sc, args, column.params, span, f"{kind.name}.{member.text}")
            level = C.join(owner.secrecy, fold.secrecy_of(values))
            for code in code_at(column, owner):
                if isinstance(code, C.Procedure):
                    r.asked.add(code.name)
                    level = C.join(
                        level, seen_by(possible.possible_level(r, code), code.params, values)
                    )
            sc.body.secrecy = C.join(sc.body.secrecy, level)
            return C.CanRun(None, kind, column, owner, values, BOOL, span, level)
        case _:  # others: only a call can be possible or not, which the message below says
            pass
    expressions.check_expr(sc, call)
    r.error(
        "RW0627",
        call.span,
        "this is not a call of a procedure",
        expected="e.g. possible(pay(p, 3))",
    )
    return bad(span)
