"""A typed tree → the same with checks where a value may leave its bounds; for the full flavour.

    var n: 0..9 = f(x)            var n: 0..9 = checked(f(x))
    take(p, n * n)          →     take(p, checked(n * n))         # procedure take(p: Player, k: 0..9)
    return sort(…)                return checked(sort(…))         # -> list of Player max 2

State is left out where its assignments are checked anyway. A value whose type says that it fits needs no check.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import number_type
from rulewright.compiler.core.types import IntT, ListT, OptT, Type
from rulewright.compiler.core.walk import map_children, map_statement


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
        if id(code) not in self.seen:
            self.seen.add(id(code))
            self.result = code.result
            code.body = self.block(code.body)

    def block(self, stmts: list[C.Stmt]) -> list[C.Stmt]:
        return [self.stmt(map_statement(s, self.expr, self.block)) for s in stmts]

    def stmt(self, s: C.Stmt) -> C.Stmt:
        match s:
            case C.SLet(local, value):
                s.value = checked(value, local.type)
            case C.SReturn(result) if result is not None and self.result is not None:
                s.value = checked(result, self.result)
            case C.SAssign(target, "", value) if not isinstance(target.type, IntT):
                s.value = checked(value, target.type)
            case C.SRun(procedure, _, column, _, args):
                s.args = _given(args, procedure, column)
            case C.SPut(_, standing, _, _, given):
                for name, value in given.items():
                    given[name] = checked(value, standing.fields[name])
            case (
                C.SAssign() | C.SBreak() | C.SChoose() | C.SContinue() | C.SDraw() | C.SFor() | C.SIf() | C.SMark()
                | C.SMove() | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll() | C.SScore() | C.SShow() | C.STake()
                | C.STell() | C.SWhile()
            ):  # fmt: skip
                pass
            case _:
                assert_never(s)
        return s

    def expr(self, e: C.Expr) -> C.Expr:
        if id(e) not in self.done:
            # the old one is kept, so that its id is not given to another
            self.done[id(e)] = (e, self._new(map_children(e, self.expr)))
        return self.done[id(e)][1]

    def _new(self, e: C.Expr) -> C.Expr:
        match e:
            case C.Call(function, args):
                e.args = _given(args, function, None)
            case C.CodeCall(_, column, _, args):
                e.args = _given(args, None, column)
            case C.CanRun(procedure, _, in_column, _, args):
                e.args = _given(args, procedure, in_column)
            case C.Op("list", args, ListT(element)) if not isinstance(element, ListT):
                e.args = tuple(checked(arg, element) for arg in args)
            case C.Op("appended" | "inserted" | "replaced", (items, item, *at), ListT(element)):
                e.args = (items, checked(item, element), *at)
            case (
                C.Column() | C.Comp() | C.Const() | C.Op() | C.PieceRead() | C.Range() | C.Read() | C.Reveal() | C.Use()
                | C.ZoneUse()
            ):  # fmt: skip
                pass
            case _:
                assert_never(e)
        return e


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
        got = number_type(value.op, value.args)
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
        case _:  # others: no numbers, so no bounds
            pass
    return True


def _within(x: IntT, y: IntT) -> bool:
    low = y.low is None or (x.low is not None and x.low >= y.low)
    return low and (y.high is None or (x.high is not None and x.high <= y.high))
