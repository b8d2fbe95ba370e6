"""A typed tree → the same with checks where a value may leave its bounds; for the full flavour.

    var n: 0..9 = f(x)            var n: 0..9 = checked(f(x))
    take(p, n * n)          →     take(p, checked(n * n))         # procedure take(p: Player, k: 0..9)
    return sort(…)                return checked(sort(…))         # -> list of Player max 2

State is left out where its assignments are checked anyway. A value whose type says that it fits needs no check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT, ListT, OptT, Type

_EXPRESSIONS = (
    C.Const, C.Use, C.Read, C.ZoneUse, C.Column, C.PieceRead, C.Op, C.Call, C.CodeCall, C.Comp, C.Range, C.CanRun, C.Reveal,
)  # fmt: skip
_STATEMENTS = (
    C.SLet, C.SAssign, C.SIf, C.SFor, C.SWhile, C.SReturn, C.SChoose, C.SRoll, C.SDraw, C.SMove, C.SScore, C.SRun,
    C.SRequire, C.STell, C.SPut, C.STake, C.SShow,
)  # fmt: skip


def guard(game: C.Game) -> None:
    """Put the checks in; the tree is changed and no longer good for the fast flavour."""
    work = _Guard()
    for function in (*game.functions, *game.facts.values()):
        work.code(function)
    for procedure in game.procedures:
        work.code(procedure)
    for kind in game.kinds.values():
        for column in kind.columns.values():
            for code in column.code or ():
                if code is not None:
                    work.code(code)
    for invariant in game.invariants:
        invariant.test = work.expr(invariant.test)
    game.outcome_domain = work.expr(game.outcome_domain)
    game.outcome_keys = [work.expr(key) for key in game.outcome_keys]
    if game.heuristic is not None:
        game.heuristic = (game.heuristic[0], work.expr(game.heuristic[1]))


class _Guard:
    def __init__(self) -> None:
        self.seen: set[int] = set()
        # what became of each expression: some stand in several places, and must go on being the same
        self.done: dict[int, tuple[C.Expr, C.Expr]] = {}
        self.result: Type | None = None

    def code(self, code: C.Function | C.Procedure) -> None:
        if id(code) in self.seen:
            return
        self.seen.add(id(code))
        self.result = code.result
        self.inside(code.body)

    def inside(self, part: Any) -> Any:
        """What a field of a node holds, with all expressions in it rewritten."""
        if isinstance(part, _EXPRESSIONS):
            return self.expr(part)
        if isinstance(part, _STATEMENTS):
            self.stmt(part)
        elif isinstance(part, C.Text | C.Condition):
            self.fields(part)
        elif isinstance(part, list):
            part[:] = [self.inside(item) for item in part]
        elif isinstance(part, tuple):
            return tuple(self.inside(item) for item in part)
        elif isinstance(part, dict):
            for key, item in part.items():
                part[key] = self.inside(item)
        return part

    def fields(self, node: Any) -> None:
        for field in fields(node):
            old = getattr(node, field.name)
            if isinstance(
                old, (*_EXPRESSIONS, *_STATEMENTS, C.Text, C.Condition, list, tuple, dict)
            ):
                setattr(node, field.name, self.inside(old))

    def stmt(self, s: C.Stmt) -> None:
        self.fields(s)
        match s:
            case C.SLet(local, value):
                s.value = checked(value, local.type)
            case C.SReturn(value2) if value2 is not None and self.result is not None:
                s.value = checked(value2, self.result)
            case C.SAssign(target, "", value) if not isinstance(target.type, IntT):
                s.value = checked(value, target.type)
            case C.SRun(procedure, _, column, _, args):
                s.args = _given(args, procedure, column)
            case C.SPut(_, standing, _, _, given):
                for name, value in given.items():
                    given[name] = checked(value, standing.fields[name])

    def expr(self, e: C.Expr) -> C.Expr:
        if id(e) not in self.done:
            self.fields(e)
            match e:
                case C.Call(function, args):
                    e.args = _given(args, function, None)
                case C.CodeCall(_, column, _, args):
                    e.args = _given(args, None, column)
                case C.CanRun(procedure, _, column2, _, args):
                    e.args = _given(args, procedure, column2)
                case C.Op("list", args, ListT(element)) if not isinstance(element, ListT):
                    e.args = tuple(checked(arg, element) for arg in args)
            self.done[id(e)] = (e, e)
        return self.done[id(e)][1]


def _given(
    args: tuple[C.Expr, ...], code: C.Function | C.Procedure | None, column: C.KindColumn | None
) -> tuple[C.Expr, ...]:
    types: Sequence[Type] = ()
    if code is not None:
        types = [param.type for param in code.params]
    elif column is not None:
        types = column.params
    if len(types) != len(args):
        return args
    return tuple(checked(arg, type_) for arg, type_ in zip(args, types, strict=True))


def checked(value: C.Expr, want: Type) -> C.Expr:
    """The value, with a check around it where it may be outside."""
    got = value.type
    if isinstance(value, C.Const) or _surely(value, got, want):
        return value
    if isinstance(want, OptT) and not isinstance(got, OptT):
        want = want.base
    return C.Op("checked", (value,), want, value.span, value.secrecy)


def _surely(value: C.Expr, got: Type, want: Type) -> bool:
    if isinstance(value, C.Op) and value.op in ("+", "-", "*"):
        # what is added to a variable bears the variable's type
        got = fold.number_type(value.op, value.args)
    match got, want:
        case IntT(), IntT():
            return _within(got, want)
        case (OptT(IntT() as low), OptT(IntT() as high)):
            return _within(low, high)
        case IntT(), OptT(IntT() as base):
            return _within(got, base)
        case ListT(x, limit), ListT(y, most):
            short = most is None or (limit is not None and limit <= most)
            return short and (not isinstance(x, IntT) or not isinstance(y, IntT) or _within(x, y))
    return True


def _within(x: IntT, y: IntT) -> bool:
    low = y.low is None or (x.low is not None and x.low >= y.low)
    return low and (y.high is None or (x.high is not None and x.high <= y.high))
