"""Calls → typed expressions: functions, built-in functions, code in tables, possible(…), reveal(…)."""

from __future__ import annotations

from rulewright.compiler.check.scope import BUILTINS, Scope
from rulewright.compiler.check.wording import a, none_hint
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.calls import code_at
from rulewright.compiler.core.evaluate import walk_table
from rulewright.compiler.core.loop_bounds import longest_walk
from rulewright.compiler.core.types import (
    BOOL,
    BadT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    RangeT,
    SetT,
    Type,
    count_of,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_params
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span


def check_call(sc: Scope, e: S.Call | S.Possible | S.Reveal, want: Type | None) -> C.Expr:
    from rulewright.compiler.check.expressions import bad, check_expr

    r = sc.ruleset
    match e:
        case S.Possible(call, span):
            return _possible(sc, call, span)
        case S.Reveal(operand, span):
            inner = check_expr(sc, operand, want)
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
                return _builtin(sc, name, args, span, want)
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
                    check_expr(sc, arg)
                return bad(span)
            held = (
                sc.find(name) is not None or name in sc.consts or name in r.state or name in r.zones
            )
            if held or name in r.constants or name in r.kinds:
                r.used.add(name)
                indexed = name in r.zones or isinstance(check_expr(sc, e.func).type, MapT | ListT)
                r.error(
                    "RW0504", e.func.span, f"{quoted(name)} is not a function",
                    hint=f"write: {name}[…]" if indexed else None,
                )  # fmt: skip
                for arg in args:
                    check_expr(sc, arg)
                return bad(span)
            for arg in args:
                check_expr(sc, arg)
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
            check_expr(sc, func)
            r.error("RW0504", func.span, "this can't be called", expected="the name of a function")
            return bad(span)


def code_column(
    sc: Scope, owner: C.Expr, name: S.Name, *, want_function: bool
) -> tuple[C.Kind, C.KindColumn] | None:
    """The code column meant by owner.name, when it is one of the right sort."""
    from rulewright.compiler.check.game import ensure_code

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
    ensure_code(r, kind, column)
    return kind, column


def check_args(
    sc: Scope,
    args: tuple[S.Expr, ...],
    types: tuple[Type, ...],
    span: Span,
    what: str,
    names: tuple[S.Param, ...] | None = None,
) -> tuple[C.Expr, ...]:
    from rulewright.compiler.check.expressions import bad, check_expr, need

    if len(args) != len(types):
        wrong_count(
            sc, span, what, len(types), len(args), None if names is None else print_params(names)
        )
        for arg in args:
            check_expr(sc, arg)
        return tuple(bad(span) for _ in types)
    return tuple(need(sc, arg, t) for arg, t in zip(args, types, strict=True))


def wrong_count(
    sc: Scope, span: Span, what: str, needed: int, given: int, params: str | None = None
) -> None:
    number = {0: "no arguments", 1: "1 argument"}.get(needed, f"{needed} arguments")
    found = {0: "there is none", 1: "there is 1"}.get(given, f"there are {given}")
    sc.ruleset.error(
        "RW0626",
        span,
        f"{what} takes {number}, here {found}",
        expected=params and f"{what.strip(chr(39))}({params})",
    )


def call_function(sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span) -> C.Expr:
    from rulewright.compiler.check.expressions import bad, check_expr
    from rulewright.compiler.check.game import function

    r = sc.ruleset
    r.used.add(name)
    f = function(r, name, span)
    if f is None:
        for arg in args:
            check_expr(sc, arg)
        return bad(span)
    values = check_args(
        sc, args, tuple(p.type for p in f.params), span, quoted(name), r.functions[name].params
    )
    sc.body.reads_state = sc.body.reads_state or f.reads_state
    secrecy = C.join(fold.secrecy_of(values), seen_by(f.secrecy, f.params, values))
    sc.body.secrecy = C.join(sc.body.secrecy, secrecy)
    return C.Call(f, values, f.result, span, secrecy)


def seen_by(secrecy: C.Secrecy, params: list[C.Local], values: tuple[C.Expr, ...]) -> C.Secrecy:
    """Who may see a result, said of the caller's values instead of the parameters."""
    from rulewright.compiler.check.expressions import owner_token

    for param, value in zip(params, values, strict=False):
        if secrecy == f"v{param.number}":
            return owner_token(value)
    return secrecy


def _possible(sc: Scope, call: S.Expr, span: Span) -> C.Expr:
    from rulewright.compiler.check.expressions import bad, check_expr
    from rulewright.compiler.check.game import procedure
    from rulewright.compiler.check.possible import possible_level

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
            p = procedure(r, name)
            values = check_args(
                sc,
                args,
                tuple(x.type for x in p.params),
                span,
                quoted(name),
                r.procedures[name].params,
            )
            r.asked.add(p.name)
            level = C.join(fold.secrecy_of(values), seen_by(possible_level(r, p), p.params, values))
            sc.body.secrecy = C.join(sc.body.secrecy, level)
            return C.CanRun(p, None, None, None, values, BOOL, span, level)
        case S.Call(S.Attr(base, name2), args, at):
            owner = check_expr(sc, base)
            found = code_column(sc, owner, name2, want_function=False)
            if found is None:
                return bad(span)
            kind, column = found
            values = check_args(sc, args, column.params, span, f"{kind.name}.{name2.text}")
            level = C.join(owner.secrecy, fold.secrecy_of(values))
            for code in code_at(column, owner):
                if isinstance(code, C.Procedure):
                    r.asked.add(code.name)
                    level = C.join(level, seen_by(possible_level(r, code), code.params, values))
            sc.body.secrecy = C.join(sc.body.secrecy, level)
            return C.CanRun(None, kind, column, owner, values, BOOL, span, level)
    check_expr(sc, call)
    r.error(
        "RW0627",
        call.span,
        "this is not a call of a procedure",
        expected="e.g. possible(pay(p, 3))",
    )
    return bad(span)


# ---------------------------------------------------------------- built-in functions

_COUNTS = {"min": 2, "max": 2, "clamp": 3, "distance": 2, "walks": 2, "clockwise": 2, "position": 2}


def _builtin(
    sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span, want: Type | None
) -> C.Expr:
    from rulewright.compiler.check.expressions import (
        bad,
        check_expr,
        item_type,
        need_domain,
        need_int,
        needed,
    )

    r = sc.ruleset
    if name in ("min", "max") and len(args) >= 2:
        return _extreme(name, [need_int(sc, x) for x in args], span)
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
        item = needed(sc, check_expr(sc, args[0], element), item_type(items, element))
        if not isinstance(items.type, ListT):
            if not isinstance(items.type, BadT):
                r.error("RW0601", items.span, f"this is {a(items.type)}", expected="a list")
            return bad(span)
        return fold.op("position", (item, items), IntT(0, items.type.limit), span)
    if name == "first_of" and len(args) == 1:
        some, element = need_domain(sc, args[0])
        if not isinstance(some.type, SetT):
            if not isinstance(some.type, BadT):
                r.error("RW0601", some.span, f"this is {a(some.type)}", expected="a set")
            return bad(span)
        return C.Op("the_first", (some,), element, span, some.secrecy)
    for arg in args:
        check_expr(sc, arg)
    wrong_count(sc, span, quoted(name), _COUNTS.get(name, 1), len(args))
    return bad(span)


def _extreme(name: str, numbers: list[C.Expr], span: Span) -> C.Expr:
    """min and max of many, two by two; halves of halves where a chain would be deep."""
    if len(numbers) > 8:
        middle = len(numbers) // 2
        numbers = [_extreme(name, numbers[:middle], span), _extreme(name, numbers[middle:], span)]
    result = numbers[0]
    for other in numbers[1:]:
        pair = (result, other)
        result = fold.op(name, pair, fold.number_type(name, pair), span)
    return result


def _size(sc: Scope, arg: S.Expr, span: Span) -> C.Expr:
    from rulewright.compiler.check.expressions import bad, check_expr

    got = check_expr(sc, arg)
    match got.type:
        case SetT(element):
            return fold.op("size_set", (got,), IntT(0, count_of(element)), span)
        case ListT(_, limit):
            return fold.op("size_list", (got,), IntT(0, limit), span)
        case BadT():
            return bad(span)
    if isinstance(got, C.ZoneUse):
        most = max((sum(row) for row in got.zone.family.copies), default=0)
        # how many pieces a zone holds is public, whoever sees them
        owner = None if got.owner is None else got.owner.secrecy
        return C.Op("zone_size", (got,), IntT(0, most), span, owner)
    sc.ruleset.error(
        "RW0601", got.span, f"{a(got.type)} has no size", expected="a set, a list or a zone"
    )
    return bad(span)


MAX_GRAPH = 400


def _graph(sc: Scope, name: str, args: tuple[S.Expr, ...], span: Span) -> C.Expr:
    from rulewright.compiler.check.expressions import bad, check_expr, need_int, needed

    first = check_expr(sc, args[0])
    kind = sc.ruleset.kinds.get(first.type.name) if isinstance(first.type, KindT) else None
    if kind is None or kind.graph is None:
        if not isinstance(first.type, BadT):
            hint = "name its column of neighbours with graph: in the table" if kind else None
            what = f"the table {kind.name} is not a graph" if kind else f"this is {a(first.type)}"
            sc.ruleset.error(
                "RW0628",
                first.span,
                what,
                expected="a member of a table with neighbours",
                hint=hint,
            )
        check_expr(sc, args[1])
        return bad(span)
    if len(kind.members) > MAX_GRAPH:
        sc.ruleset.error(
            "RW0650", span, f"{kind.name} has {len(kind.members):,} members: too many to know all ways",
            expected=f"at most {MAX_GRAPH:,}",
        )  # fmt: skip
        check_expr(sc, args[1])
        return bad(span)
    if name == "distance":
        second = needed(sc, check_expr(sc, args[1], kind.type), kind.type)
        return C.Op(
            "distance", (first, second), IntT(-1, len(kind.members) - 1), span,
            C.join(first.secrecy, second.secrecy), kind,
        )  # fmt: skip
    steps = need_int(sc, args[1])
    if walk_table(kind, longest_walk(kind, steps)) is None:
        sc.ruleset.error(
            "RW0650", span, f"there are too many walks in {kind.name} to know where they end",
            hint="let fewer steps be possible: walks(a, min(4, …))",
        )  # fmt: skip
        return bad(span)
    return C.Op(
        "walks", (first, steps), SetT(kind.type), span, C.join(first.secrecy, steps.secrecy), kind
    )


def range_type(t: Type) -> RangeT | None:
    return t if isinstance(t, RangeT) else None
