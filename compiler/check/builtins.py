"""Calls of built-in functions → typed operations.

Those whose arguments tell all of their type come from the table of operations; the others have a function of their own here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from rulewright.compiler.check import board_calls, expressions, fingerprints
from rulewright.compiler.check.fitting import bad, item_type, needed
from rulewright.compiler.check.scope import Scope, wrong_count
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import (
    FUNCTIONS,
    OPERATIONS,
    Function,
    OpName,
    Wanted,
    number_type,
)
from rulewright.compiler.core.types import (
    BOOL,
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    ZoneT,
    count_of,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

Args = tuple[S.Expr, ...]
FINGERPRINT = fingerprints.FINGERPRINT


def check_builtin(sc: Scope, name: str, args: Args, span: Span) -> C.Expr:
    """`name` is one of those in `scope.BUILTINS`."""
    if name in FUNCTIONS:
        operation, function = FUNCTIONS[name]
        if len(args) == len(function.wants) or (function.many and len(args) > len(function.wants)):
            return _from_table(sc, operation, function, args, span)
        wanted = len(function.wants)
    else:
        wanted, check = _OWN.get(name, (1, None))
        if check is not None and wanted <= len(args) <= _MOST.get(name, wanted):
            return check(sc, args, span)
    for arg in args:
        expressions.check_expr(sc, arg)
    wrong_count(sc, span, quoted(name), wanted, len(args))
    return bad(span)


def _from_table(sc: Scope, operation: OpName, function: Function, args: Args, span: Span) -> C.Expr:
    wants = function.wants + function.wants[-1:] * (len(args) - len(function.wants))
    last = check_argument(sc, wants[-1], args[-1], None)
    values = [
        last if arg is args[-1] else check_argument(sc, want, arg, last)
        for want, arg in zip(wants, args, strict=True)
    ]
    if any(isinstance(v.type, BadT) for v in values) and function.gives is not None:
        return bad(span)
    if function.gives is None:
        return _numbers(operation, values, span)
    type_ = function.gives(values, sc.ruleset.kinds["Player"].type)
    if OPERATIONS[operation].may_fail:
        # in play, where it can be told
        return C.Op(operation, tuple(values), type_, span, fold.secrecy_of(tuple(values)))
    return fold.op(operation, tuple(values), type_, span)


def check_argument(sc: Scope, want: Wanted, arg: S.Expr, last: C.Expr | None) -> C.Expr:
    match want:
        case "number":
            return expressions.need_int(sc, arg)
        case "player" | "participant":
            kind = sc.ruleset.kinds["Player" if want == "player" else "Participant"].type
            return needed(sc, expressions.check_expr(sc, arg, kind), kind)
        case "set" | "list":
            some, _ = expressions.need_domain(sc, arg)
            right = SetT if want == "set" else ListT
            if not isinstance(some.type, right | BadT):
                sc.ruleset.error(
                    "RW0601", some.span, f"this is {a(some.type)}", expected=f"a {want}"
                )
                return bad(some.span)
            return some
        case "element":
            element = None if last is None else fold.element_of(last.type)
            if last is None or element is None:
                expressions.check_expr(sc, arg)
                return bad(arg.span)
            return needed(sc, expressions.check_expr(sc, arg, element), item_type(last, element))
        case _:
            assert_never(want)


def _numbers(name: OpName, numbers: Sequence[C.Expr], span: Span) -> C.Expr:
    """An operation on numbers; of more than it takes, two by two, in halves of halves where a chain would be deep."""
    takes = OPERATIONS[name].takes or 0
    if len(numbers) > 8:
        middle = len(numbers) // 2
        numbers = [_numbers(name, half, span) for half in (numbers[:middle], numbers[middle:])]
    result, rest = tuple(numbers[:takes]), numbers[takes:]
    value = fold.op(name, result, number_type(name, result), span)
    for other in rest:
        value = fold.op(name, (value, other), number_type(name, (value, other)), span)
    return value


# ---------------------------------------------------------------- those with a rule of their own


def _is_player(sc: Scope, args: Args, span: Span) -> C.Expr:
    who = check_argument(sc, "participant", args[0], None)
    seats = sc.ruleset.kinds["Player"].type.size
    return fold.op("<", (who, C.Const(seats, IntT(seats, seats))), BOOL, span)


def _size(sc: Scope, args: Args, span: Span) -> C.Expr:
    got = expressions.check_expr(sc, args[0])
    match got.type:
        case SetT(element):
            return fold.op("size_set", (got,), IntT(0, count_of(element)), span)
        case ListT(_, limit):
            return fold.op("size_list", (got,), IntT(0, limit), span)
        case BadT():
            return bad(span)
        case (
            BoolT() | GroupsT() | IntT() | KindT() | MapT() | NoneT() | OptT() | RangeT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(got.type)
    if isinstance(got, C.ZoneUse):
        most = max((sum(row) for row in got.zone.family.copies), default=0)
        # how many pieces a zone holds is public, whoever sees them
        return C.Op("zone_size", (got,), IntT(0, most), span, fold.secrecy_of(got.keys))
    sc.ruleset.error(
        "RW0601", got.span, f"{a(got.type)} has no size", expected="a set, a list or a zone"
    )
    return bad(span)


_MOST_PARTS = 100


def _fingerprint(sc: Scope, args: Args, span: Span) -> C.Expr:
    """A number that is the same for the same values: of state, of zones, of anything that can be worked out."""
    found: C.Expr = C.Const(0, FINGERPRINT)
    for arg in args:
        value = expressions.check_part(sc, arg)
        mixed = fingerprints.with_value(sc.ruleset, found, value)
        if mixed is None:
            if not isinstance(value.type, BadT):
                sc.ruleset.error(
                    "RW0653", value.span, f"{a(value.type)} has no fingerprint",
                    expected="a number, a member, a truth value, a set, a list, a zone, or a whole variable of the state",
                )  # fmt: skip
            return bad(span)
        found = mixed
        sc.body.secrecy = C.join(sc.body.secrecy, value.secrecy)
    return found


_OWN: dict[str, tuple[int, Callable[[Scope, Args, Span], C.Expr]]] = {
    "size": (1, _size),
    "is_player": (1, _is_player),
    "fingerprint": (1, _fingerprint),
    "distance": (2, board_calls.distance),
    "walks": (2, board_calls.walks),
    "step": (2, board_calls.step),
    "line": (2, board_calls.line),
    "sight": (3, board_calls.sight),
    "region": (2, board_calls.region),
    "turned": (2, board_calls.turned),
    "mirrored": (1, board_calls.mirrored),
    "laid": (2, board_calls.laid),
}
# those that may have more arguments
_MOST = {"distance": 3, "region": 3, "fingerprint": _MOST_PARTS}
