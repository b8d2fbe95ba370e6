"""Calls → typed expressions: functions, built-in functions, code in tables, possible(…), reveal(…)."""

from __future__ import annotations

from rulewright.compiler import core as C
from rulewright.compiler import fold
from rulewright.compiler import syntax as S
from rulewright.compiler.check_scope import BUILTINS, Scope
from rulewright.compiler.diagnostics import quoted
from rulewright.compiler.source import Span
from rulewright.compiler.types import (
    BOOL,
    BadT,
    IntT,
    KindT,
    ListT,
    RangeT,
    SetT,
    Type,
    show,
)


def check_call(sc: Scope, e: S.Call | S.Possible | S.Reveal, want: Type | None) -> C.Expr:
    from rulewright.compiler.check_expr import bad, check_expr

    r = sc.ruleset
    match e:
        case S.Possible(call, span):
            return _possible(sc, call, span)
        case S.Reveal(operand, span):
            inner = check_expr(sc, operand, want)
            if sc.pure:
                r.error("RW0620", span, "a function can't reveal anything", hint="reveal it in a procedure")
            return C.Reveal(inner, inner.type, span)
        case S.Call(S.Ref(name), args, span):
            if name in BUILTINS and name not in r.functions:
                return _builtin(sc, name, args, span, want)
            if name in r.functions:
                return call_function(sc, name, args, span)
            if name in r.procedures:
                r.error(
                    "RW0802", span, f"{quoted(name)} is a procedure and can't be called inside an expression",
                    hint=f"call it on its own: {name}(…), or let x = {name}(…)",
                )  # fmt: skip
                return bad(span)
            r.unknown(name, e.func.span, "function", [*r.functions, *r.procedures, *BUILTINS])
            return bad(span)
        case S.Call(S.Attr(base, name2), args, span):
            owner = check_expr(sc, base)
            found = code_column(sc, owner, name2, want_function=True)
            if found is None:
                return bad(span)
            kind, column = found
            values = check_args(sc, args, column.params, span, f"{kind.name}.{name2.text}")
            assert column.result is not None
            note_code_secrecy(sc, column, values)
            return C.CodeCall(
                kind, column, owner, values, column.result, span,
                C.join(owner.secrecy, fold.secrecy_of(values)),
            )  # fmt: skip
        case S.Call(func, _, span):
            r.error("RW0504", func.span, "this can't be called", expected="the name of a function")
            return bad(span)


def note_code_secrecy(sc: Scope, column: C.KindColumn, values: tuple[C.Expr, ...]) -> None:
    for code in column.code or ():
        if isinstance(code, C.Function):
            sc.body.reads_state = sc.body.reads_state or code.reads_state
            sc.body.secrecy = C.join(sc.body.secrecy, _seen_by(code.secrecy, code.params, values))


def code_column(
    sc: Scope, owner: C.Expr, name: S.Name, *, want_function: bool
) -> tuple[C.Kind, C.KindColumn] | None:
    """The code column meant by owner.name, when it is one of the right sort."""
    from rulewright.compiler.check_game import ensure_code

    r = sc.ruleset
    if isinstance(owner.type, BadT):
        return None
    if not isinstance(owner.type, KindT) or owner.type.name not in r.kinds:
        r.error("RW0610", name.span, f"{show(owner.type)} has no columns", expected="a member of a kind")
        return None
    kind = r.kinds[owner.type.name]
    column = kind.columns.get(name.text)
    if column is None:
        r.unknown(name.text, name.span, f"column of {kind.name}", kind.columns)
        return None
    r.used.add(f"{kind.name}.{name.text}")
    is_function = column.type is None and column.result is not None
    is_procedure = column.type is None and column.result is None
    if not (is_function if want_function else is_procedure):
        what = "values" if column.type is not None else ("a function" if is_function else "a procedure")
        r.error(
            "RW0803", name.span, f"{kind.name}.{name.text} holds {what}",
            expected="a column of functions" if want_function else "a column of procedures",
        )  # fmt: skip
        return None
    ensure_code(r, kind, column)
    return kind, column


def check_args(
    sc: Scope, args: tuple[S.Expr, ...], types: tuple[Type, ...], span: Span, what: str
) -> tuple[C.Expr, ...]:
    from rulewright.compiler.check_expr import bad, check_expr, need

    if len(args) != len(types):
        sc.ruleset.error(
            "RW0626", span, f"{what} takes {_count(len(types))}, here are {len(args)}"
        )
        for arg in args:
            check_expr(sc, arg)
        return tuple(bad(span) for _ in types)
    return tuple(need(sc, arg, t) for arg, t in zip(args, types, strict=True))


def _count(n: int) -> str:
    return "1 argument" if n == 1 else f"{n} arguments"


def call_function(sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span) -> C.Expr:
    from rulewright.compiler.check_expr import bad, check_expr
    from rulewright.compiler.check_game import function

    r = sc.ruleset
    r.used.add(name)
    f = function(r, name, span)
    if f is None:
        for arg in args:
            check_expr(sc, arg)
        return bad(span)
    values = check_args(sc, args, tuple(p.type for p in f.params), span, quoted(name))
    sc.body.reads_state = sc.body.reads_state or f.reads_state
    secrecy = C.join(fold.secrecy_of(values), _seen_by(f.secrecy, f.params, values))
    sc.body.secrecy = C.join(sc.body.secrecy, secrecy)
    return C.Call(f, values, f.result, span, secrecy)


def _seen_by(secrecy: C.Secrecy, params: list[C.Local], values: tuple[C.Expr, ...]) -> C.Secrecy:
    """Who may see a result, said of the caller's values instead of the parameters."""
    from rulewright.compiler.check_expr import owner_token

    for param, value in zip(params, values, strict=False):
        if secrecy == f"v{param.number}":
            return owner_token(value)
    return secrecy


def _possible(sc: Scope, call: S.Expr, span: Span) -> C.Expr:
    from rulewright.compiler.check_expr import bad, check_expr
    from rulewright.compiler.check_game import procedure

    r = sc.ruleset
    sc.body.reads_state = True
    match call:
        case S.Call(S.Ref(name), args, at):
            if name not in r.procedures:
                r.unknown(name, at, "procedure", r.procedures)
                return bad(span)
            r.used.add(name)
            p = procedure(r, name)
            values = check_args(sc, args, tuple(x.type for x in p.params), span, quoted(name))
            return C.CanRun(p, None, None, None, values, BOOL, span, _run_secrecy(sc, values))
        case S.Call(S.Attr(base, name2), args, at):
            owner = check_expr(sc, base)
            found = code_column(sc, owner, name2, want_function=False)
            if found is None:
                return bad(span)
            kind, column = found
            values = check_args(sc, args, column.params, span, f"{kind.name}.{name2.text}")
            return C.CanRun(
                None, kind, column, owner, values, BOOL, span, _run_secrecy(sc, (owner, *values))
            )
    r.error("RW0627", span, "possible(…) needs a call of a procedure", hint="write: possible(pay(p, 3))")
    return bad(span)


def _run_secrecy(sc: Scope, values: tuple[C.Expr, ...]) -> C.Secrecy:
    """Choices in what is asked about see only what their chooser sees; checked there."""
    return fold.secrecy_of(values)


# ---------------------------------------------------------------- built-in functions


def _builtin(
    sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span, want: Type | None
) -> C.Expr:
    from rulewright.compiler.check_expr import bad, check_expr, need_domain, need_int, needed

    r = sc.ruleset
    if name in ("min", "max") and len(args) >= 2:
        numbers = tuple(need_int(sc, x) for x in args)
        result = numbers[0]
        for other in numbers[1:]:
            pair = (result, other)
            result = fold.op(name, pair, fold.number_type(name, pair), span)
        return result
    if name in ("abs", "clamp") and len(args) == (1 if name == "abs" else 3):
        numbers = tuple(need_int(sc, x) for x in args)
        return fold.op(name, numbers, fold.number_type(name, numbers), span)
    if name == "size" and len(args) == 1:
        return _size(sc, args[0], span)
    if name in ("distance", "walks") and len(args) == 2:
        return _graph(sc, name, args, span)
    player, everyone = r.kinds["Player"].type, r.kinds["Participant"].type
    if name == "clockwise" and len(args) == 2:
        pair2 = tuple(needed(sc, check_expr(sc, x, player), player) for x in args)
        return fold.op("clockwise", pair2, IntT(0, player.size - 1), span)
    if name == "is_player" and len(args) == 1:
        who = needed(sc, check_expr(sc, args[0], everyone), everyone)
        return fold.op("<", (who, C.Const(player.size, IntT(player.size, player.size))), BOOL, span)
    if name == "player" and len(args) == 1:
        who = needed(sc, check_expr(sc, args[0], everyone), everyone)
        return C.Op("player", (who,), player, span, who.secrecy)
    if name == "position" and len(args) == 2:
        items, element = need_domain(sc, args[1])
        item = needed(sc, check_expr(sc, args[0], element), element)
        if not isinstance(items.type, ListT):
            r.error("RW0601", items.span, "position(x, list) needs a list", expected="a list")
            return bad(span)
        return fold.op("position", (item, items), IntT(0, items.type.limit), span)
    counts = {"min": "2", "max": "2", "abs": "1", "clamp": "3", "size": "1", "distance": "2", "walks": "2"}
    r.error("RW0626", span, f"{name}(…) takes {counts.get(name, 'other')} arguments, here are {len(args)}")
    return bad(span)


def _size(sc: Scope, arg: S.Expr, span: Span) -> C.Expr:
    from rulewright.compiler.check_expr import bad, check_expr

    got = check_expr(sc, arg)
    match got.type:
        case SetT(element):
            return fold.op("size_set", (got,), IntT(0, fold.full_mask(element).bit_length()), span)
        case ListT(_, limit):
            return fold.op("size_list", (got,), IntT(0, limit), span)
        case BadT():
            return bad(span)
    if isinstance(got, C.ZoneUse):
        most = max((sum(row) for row in got.zone.family.copies), default=0)
        # how many pieces a zone holds is public, whoever sees them
        owner = None if got.owner is None else got.owner.secrecy
        return C.Op("zone_size", (got,), IntT(0, most), span, owner)
    sc.ruleset.error("RW0601", got.span, f"{show(got.type)} has no size", expected="a set, a list or a zone")
    return bad(span)


def _graph(sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span) -> C.Expr:
    from rulewright.compiler.check_expr import bad, check_expr, need_int, needed

    first = check_expr(sc, args[0])
    kind = sc.ruleset.kinds.get(first.type.name) if isinstance(first.type, KindT) else None
    if kind is None or kind.graph is None:
        if not isinstance(first.type, BadT):
            sc.ruleset.error("RW0628", first.span, f"{show(first.type)} is not a graph", hint="name its column of neighbours with graph: in the table")
        return bad(span)
    if name == "distance":
        second = needed(sc, check_expr(sc, args[1], kind.type), kind.type)
        return C.Op(
            "distance", (first, second), IntT(-1, len(kind.members) - 1), span,
            C.join(first.secrecy, second.secrecy), kind,
        )  # fmt: skip
    steps = need_int(sc, args[1])
    return C.Op(
        "walks", (first, steps), SetT(kind.type), span, C.join(first.secrecy, steps.secrecy), kind
    )


def range_type(t: Type) -> RangeT | None:
    return t if isinstance(t, RangeT) else None
