"""Typed code → what is wrong with it: values that may be missing, types that do not fit, calls of the wrong shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never, get_args

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OPERATIONS, CompName
from rulewright.compiler.core.types import (
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
    Type,
    ZoneT,
    count_of,
    fits,
    show,
)
from rulewright.compiler.core.walk import landing, outside_loops

# what a function may hold
_PURE = (C.SLet, C.SIf, C.SFor, C.SWhile, C.SBreak, C.SContinue, C.SReturn)

Defined = frozenset[int]


def const_fits(value: object, t: Type | None) -> bool:
    """Whether a number, mask or tuple stands for a value of the type."""
    match t:
        case BoolT():
            return value in (0, 1)
        case NoneT():
            return value == -1
        case IntT(low, high):
            if not isinstance(value, int):
                return False
            return (low is None or low <= value) and (high is None or value <= high)
        case KindT(_, size):
            return isinstance(value, int) and 0 <= value < size
        case OptT(base):
            return value == -1 or const_fits(value, base)
        case SetT(element):
            members = count_of(element)
            return isinstance(value, int) and members is not None and 0 <= value < 1 << members
        case ListT(element, limit):
            if not isinstance(value, tuple) or (limit is not None and len(value) > limit):
                return False
            return all(const_fits(v, element) for v in value)
        case None | BadT() | GroupsT() | MapT() | RangeT() | TextT() | ZoneT():
            pass
        case _:
            assert_never(t)
    return False


class CodeChecker:
    """Goes through code with the locals that have a value on every way to it."""

    def __init__(self, kinds: dict[str, C.Kind] | None) -> None:
        self.kinds = kinds
        self.problems: list[str] = []
        self.where = ""
        self.all_functions: set[int] | None = None
        self.all_procedures: set[int] | None = None
        self.result: Type | None = None
        self.loops = 0
        self.pure = False

    def bad(self, message: str) -> None:
        text = f"{self.where}: {message}"
        if text not in self.problems:
            self.problems.append(text)

    def known(self, code: C.Function | C.Procedure | None) -> None:
        if (
            isinstance(code, C.Function)
            and self.all_functions is not None
            and id(code) not in self.all_functions
        ):
            self.bad(f"the function {code.name} is not part of the game")
        if (
            isinstance(code, C.Procedure)
            and self.all_procedures is not None
            and id(code) not in self.all_procedures
        ):
            self.bad(f"the procedure {code.name} is not part of the game")

    # ------------------------------------------------------------ types

    def type(self, t: Type | None, what: str) -> None:
        match t:
            case None:
                self.bad(f"{what} has no type")
            case BadT():
                self.bad(f"{what} has a type that could not be found")
            case KindT(name, size):
                kind = None if self.kinds is None else self.kinds.get(name)
                if self.kinds is not None and (kind is None or len(kind.members) != size):
                    self.bad(f"{what}: there is no kind {name} of {size} members")
            case OptT(base):
                self.type(base, what)
            case SetT(element) | ListT(element) | GroupsT(element):
                self.type(element, what)
            case MapT(key, value):
                self.type(key, what)
                self.type(value, what)
            case IntT() | BoolT() | NoneT() | RangeT() | ZoneT() | TextT():
                pass

    def local(self, local: C.Local) -> None:
        self.type(local.type, f"local {local.name}")

    def real(self, number: int) -> int:
        """The local that is meant; a subclass may know of several names for one."""
        return number

    # ------------------------------------------------------------ expressions

    def typed(self, e: C.Expr, t: Type | None, defined: Defined) -> None:
        """An expression whose value goes where type t is expected."""
        self.expr(e, defined)
        if t is None or isinstance(e.type, BadT | None) or isinstance(t, BadT):
            return
        groups = isinstance(e.type, GroupsT) and isinstance(t, ListT)
        if not groups and not fits(e.type, t):
            self.bad(f"a {show(e.type)} goes where a {show(t)} is expected")

    def exprs(self, items: Iterable[C.Expr | None], defined: Defined) -> None:
        for e in items:
            if e is not None:
                self.expr(e, defined)

    def expr(self, e: C.Expr, defined: Defined) -> None:
        self.type(e.type, type(e).__name__)
        match e:
            case C.Const(value, t):
                if not isinstance(t, BadT) and not const_fits(value, t):
                    self.bad(f"the constant {value} is no {show(t)}")
            case C.Use(local):
                if self.real(local.number) not in defined:
                    self.bad(f"{local.name} may not have a value where it is used")
            case C.Read(var, keys):
                inner: Type = var.type
                for key in keys:
                    if not isinstance(inner, MapT):
                        self.bad(f"{var.name} has fewer keys")
                        break
                    self.typed(key, inner.key, defined)
                    inner = inner.value
            case C.ZoneUse(zone, keys):
                if len(keys) != len(zone.keys):
                    self.bad(f"{zone.name} is used with {len(keys)} keys, not {len(zone.keys)}")
                for key, kind in zip(keys, zone.keys, strict=False):
                    self.typed(key, kind, defined)
            case C.Column(kind, column, base):
                self._row(kind, column, base, defined)
                if column.type is None:
                    self.bad(f"the code of {kind.name}.{column.name} is read like a value")
            case C.PieceRead(standing, field, piece):
                self.typed(piece, standing.handle, defined)
                if field not in (*standing.fields, "owner", "value", "known"):
                    self.bad(f"{standing.name} has no field {field}")
            case C.Op():
                self._op(e, defined)
            case C.Call(function, args):
                self.known(function)
                self.args(function.name, [p.type for p in function.params], args, defined)
            case C.CodeCall(kind, column, base, args):
                self._row(kind, column, base, defined)
                self.args(f"{kind.name}.{column.name}", column.params, args, defined)
            case C.Comp():
                self._comp(e, defined)
            case C.Range(low, high):
                self.typed(low, IntT(), defined)
                self.typed(high, IntT(), defined)
            case C.CanRun(procedure, of_kind, in_column, of_row, args):
                self._called(procedure, of_kind, in_column, of_row, args, defined)
            case C.Reveal(operand):
                self.expr(operand, defined)

    def _row(self, kind: C.Kind, column: C.KindColumn, base: C.Expr, defined: Defined) -> None:
        if isinstance(base, C.Op) and base.op == "place":
            self.expr(base, defined)  # of combinations, which are no kind of the game
        else:
            self.typed(base, kind.type, defined)
        if kind.columns.get(column.name) is not column:
            self.bad(f"{kind.name} has no column {column.name}")

    def args(
        self, what: str, types: Iterable[Type], args: tuple[C.Expr, ...], defined: Defined
    ) -> None:
        wanted = list(types)
        if len(wanted) != len(args):
            self.bad(f"{what} takes {len(wanted)} arguments, here are {len(args)}")
        for arg, t in zip(args, wanted, strict=False):
            self.typed(arg, t, defined)

    def _called(
        self,
        procedure: C.Procedure | None,
        kind: C.Kind | None,
        column: C.KindColumn | None,
        base: C.Expr | None,
        args: tuple[C.Expr, ...],
        defined: Defined,
    ) -> None:
        if procedure is not None:
            self.known(procedure)
            self.args(procedure.name, [p.type for p in procedure.params], args, defined)
        elif kind is None or column is None or base is None:
            self.bad("neither a procedure nor a column of them is run")
        else:
            self._row(kind, column, base, defined)
            self.args(f"{kind.name}.{column.name}", column.params, args, defined)
            for code in column.code or ():
                self.known(code)

    def _op(self, e: C.Op, defined: Defined) -> None:
        self.exprs(e.args, defined)
        operation = OPERATIONS.get(e.op)
        if operation is None:
            self.bad(f"unknown operation {e.op}")
            return
        if operation.takes is not None and operation.takes != len(e.args):
            self.bad(f"{e.op} has {len(e.args)} arguments")
        if operation.of_kind and e.kind is None:
            self.bad(f"{e.op} does not say of which kind")

    def _comp(self, e: C.Comp, defined: Defined) -> None:
        self.domain(e.domain, e.var, defined)
        inner = defined | {e.var.number}
        if e.where is not None:
            self.typed(e.where, BoolT(), inner)
        self.exprs(e.body, inner)
        if e.default is not None:
            self.expr(e.default, defined)
        if e.op not in get_args(CompName):
            self.bad(f"unknown operation {e.op} over a domain")

    def domain(self, e: C.Expr, var: C.Local, defined: Defined) -> None:
        self.expr(e, defined)
        self.local(var)
        if not isinstance(e.type, SetT | ListT | RangeT | GroupsT | BadT):
            self.bad(f"{var.name} goes over a {show(e.type)}")

    def text(self, text: C.Text | None, defined: Defined) -> None:
        if text is not None:
            self.exprs((p for p in text.parts if not isinstance(p, str)), defined)

    # ------------------------------------------------------------ statements

    def stmts(self, stmts: list[C.Stmt], defined: Defined) -> Defined | None:
        """The locals that have a value after the statements; None when control never gets there."""
        now: Defined | None = defined
        for s in stmts:
            # what is never reached is looked at as if it were
            after = self.stmt(s, defined if now is None else now)
            now = None if now is None else after
            defined = defined if after is None else after
        return now

    def stmt(self, s: C.Stmt, defined: Defined) -> Defined | None:
        if self.pure and not isinstance(s, _PURE):
            self.bad(f"a function holds {type(s).__name__}")
        match s:
            case C.SLet(local, value):
                self.typed(value, local.type, defined)
                return self.gives(local, defined)
            case C.SAssign(target, _, value):
                self.expr(target, defined)
                self.typed(value, target.type, defined)
            case C.SIf(arms, other):
                ends: list[Defined | None] = []
                for test, body in arms:
                    self.typed(test, BoolT(), defined)
                    ends.append(self.stmts(body, defined))
                return meet([*ends, self.stmts(other, defined)])
            case C.SFor(var, domain, where, body):
                self.domain(domain, var, defined)
                inner = defined | {var.number}
                if where is not None:
                    self.typed(where, BoolT(), inner)
                self._loop(body, inner)
            case C.SWhile(goes_on, body):
                if goes_on is not None:
                    self.typed(goes_on, BoolT(), defined)
                self._loop(body, defined)
                return None if goes_on is None and not _breaks(body) else defined
            case C.SBreak() | C.SContinue():
                if self.loops == 0:
                    self.bad("break or continue outside a loop")
                return None
            case C.SReturn(result):
                if result is not None:
                    self.typed(result, self.result, defined)
                if (result is None) != (self.result is None):
                    self.bad("a return does not match the result")
                return None
            case C.SChoose():
                return self.choose(s, defined)
            case C.SRoll(var, domain):
                self.domain(domain, var, defined)
                for e in (s.seen, s.digit):
                    if e is not None:
                        self.expr(e, defined)
                return self.gives(var, defined)
            case action:
                return self._action(action, defined)
        return defined

    def _action(self, s: C.Action, defined: Defined) -> Defined:
        match s:
            case C.SDraw(drawn, source, target):
                self.exprs((source, target, s.at, landing(s.lands), s.look), defined)
                return defined if drawn is None else self.gives(drawn, defined)
            case C.SMove(count, kind, source, target):
                self.exprs((count, kind, source, target, s.at, landing(s.lands)), defined)
            case C.SScore(amount, player):
                self.typed(amount, IntT(), defined)
                self.expr(player, defined)
            case C.SRun(procedure, of_kind, column, base, args, result):
                self._called(procedure, of_kind, column, base, args, defined)
                if result is not None:
                    if procedure is None or procedure.result is None:
                        self.bad(f"{result.name} gets the result of what gives none")
                    return self.gives(result, defined)
            case C.SRequire(test):
                self.typed(test, BoolT(), defined)
            case C.STell(text, to):
                self.text(text, defined)
                self.exprs((to,), defined)
            case C.SPut(var, standing, value, source, fields, seen):
                self.exprs((value, source, *fields.values(), seen), defined)
                if fields.keys() != standing.fields.keys():
                    self.bad(f"not all fields of {standing.name} are given")
                return self.gives(var, defined)
            case C.STake(piece, standing, target):
                self.typed(piece, standing.handle, defined)
                self.expr(target, defined)
            case C.SShow(piece, standing, to):
                self.typed(piece, standing.handle, defined)
                self.exprs((to,), defined)
            case C.SReveal() | C.SMark():
                pass
            case _:
                assert_never(s)
        return defined

    def gives(self, local: C.Local, defined: Defined) -> Defined:
        self.local(local)
        return defined | {local.number}

    def _loop(self, body: list[C.Stmt], defined: Defined) -> None:
        self.loops += 1
        self.stmts(body, defined)
        self.loops -= 1

    def choose(self, s: C.SChoose, defined: Defined) -> Defined:
        """A decision; its conditions and texts are said of the variable that it gives a value to."""
        self.domain(s.domain, s.var, defined)
        self.expr(s.by, defined)
        self.type(s.element, f"the choice {s.label}")
        inner = self.gives(s.var, defined)
        optional = s.otherwise is not None or s.if_any
        if optional and not isinstance(s.var.type, OptT):
            self.bad(f"the choice {s.label} may give none, but {s.var.name} can't hold it")
        if count_of(s.element) is None:
            self.bad(f"the choice {s.label} has no known number of values")
        for c in s.where:
            self.typed(c.test, BoolT(), inner)
        if s.stop_if is not None:
            self.typed(s.stop_if, BoolT(), defined)
            if s.otherwise is None:
                self.bad(f"the choice {s.label} has no word that could be held back")
        for text in (
            s.say,
            s.others,
            s.else_say,
            *(t for pair in s.option_says.values() for t in pair),
            *(told for _, told in s.else_says),
        ):
            self.text(text, inner)
        for test, _ in s.else_says:
            self.typed(test, BoolT(), defined)
        return inner


def meet(ends: list[Defined | None]) -> Defined | None:
    """What has a value whichever way control came; None when it comes from nowhere."""
    open_ends = [e for e in ends if e is not None]
    return frozenset.intersection(*open_ends) if open_ends else None


def _breaks(stmts: list[C.Stmt]) -> bool:
    return any(isinstance(x, C.SBreak) for s in stmts for x in outside_loops(s))
