"""Typed expressions that read no state → their values, worked out at build time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import Value, compute
from rulewright.compiler.core.types import KindT, ListT, SetT, low_of

FUEL = 1_000_000


class NotConstant(Exception):
    """The expression needs state, or fails (no best member, a list too short)."""


class _Leave(Exception):
    def __init__(self, value: Value) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class Evaluator:
    """Runs pure code over an environment of locals, with a bound on the work done."""

    def __init__(self, fuel: int = FUEL) -> None:
        self.fuel = fuel

    def expr(self, e: C.Expr, env: dict[int, Value]) -> Value:
        self.fuel -= 1
        if self.fuel < 0:
            raise NotConstant
        # nearly all are one of these, and tables are filled by running them by the ten thousand: a pattern takes longer
        if isinstance(e, C.Op):
            return self.op(e, env)
        if isinstance(e, C.Const):
            return e.value
        if isinstance(e, C.Use):
            value = env.get(e.local.number)
            if value is None:
                raise NotConstant
            return value
        if isinstance(e, C.Column):
            cell = e.column.values[self.number(e.base, env)]
            if isinstance(cell, (int, tuple)):
                return cell
            raise NotConstant
        match e:
            case C.Call(function, args):
                return self.call(function, [self.expr(x, env) for x in args])
            case C.CodeCall(_, column, base, args):
                code = (column.code or [])[self.number(base, env)]
                if not isinstance(code, C.Function):
                    raise NotConstant
                return self.call(code, [self.expr(x, env) for x in args])
            case C.Comp():
                return self.comp(e, env)
            case C.CanRun() | C.PieceRead() | C.Range() | C.Read() | C.Reveal() | C.ZoneUse():
                raise NotConstant
            case _:
                assert_never(e)

    def number(self, e: C.Expr, env: dict[int, Value]) -> int:
        value = self.expr(e, env)
        if not isinstance(value, int) or (value < 0 and isinstance(e.type, KindT)):
            raise NotConstant
        return value

    def items(self, e: C.Expr, env: dict[int, Value]) -> Iterator[int]:
        if isinstance(e, C.Range):
            yield from range(self.number(e.low, env), self.number(e.high, env) + 1)
            return
        value = self.expr(e, env)
        if isinstance(value, tuple):
            yield from value
            return
        low = low_of(e.type.element) if isinstance(e.type, SetT | ListT) else 0
        index = 0
        while value:
            if value & 1:
                yield index + low
            value >>= 1
            index += 1

    def op(self, e: C.Op, env: dict[int, Value]) -> Value:
        name, args = e.op, e.args
        # the three whose arguments are not all worked out
        if name == "and":
            return int(bool(self.expr(args[0], env)) and bool(self.expr(args[1], env)))
        if name == "or":
            return int(bool(self.expr(args[0], env)) or bool(self.expr(args[1], env)))
        if name == "if":
            return self.expr(args[1] if self.expr(args[0], env) else args[2], env)
        values: tuple[Value, ...]
        if len(args) == 2:
            values = (self.expr(args[0], env), self.expr(args[1], env))
        else:
            values = tuple([self.expr(x, env) for x in args])
        value = compute(name, values, e.type, args, e.kind)
        if value is None:
            raise NotConstant
        return value

    def number_any(self, e: C.Expr, env: dict[int, Value]) -> int:
        value = self.expr(e, env)
        if not isinstance(value, int):
            raise NotConstant
        return value

    def comp(self, e: C.Comp, env: dict[int, Value]) -> Value:
        inner = dict(env)
        found: list[tuple[tuple[int, ...], int]] = []
        for item in self.items(e.domain, env):
            inner[e.var.number] = item
            if e.where is not None and not self.expr(e.where, inner):
                continue
            keys = tuple([self.number_any(b, inner) for b in e.body])
            if e.op == "any" and keys[0]:
                return 1
            if e.op == "all" and not keys[0]:
                return 0
            found.append((keys, item))
        match e.op:
            case "any":
                return 0
            case "all":
                return 1
            case "count":
                return sum(1 for k, _ in found if not k or k[0])
            case "sum":
                return sum(k[0] for k, _ in found)
            case "set":
                low = low_of(e.type.element) if isinstance(e.type, SetT) else 0
                return sum({1 << (i - low) for _, i in found})
            case "union":
                joined = 0
                for k, _ in found:
                    joined |= k[0]
                return joined
            case "min" | "max":
                if found:
                    return (min if e.op == "min" else max)(k[0] for k, _ in found)
                if e.default is None:
                    raise NotConstant
                return self.expr(e.default, env)
            case "best":
                return max(found, key=lambda f: f[0])[1] if found else -1
            case "sort":
                return tuple(i for _, i in sorted(found, key=lambda f: f[0], reverse=True))
            case "groups":
                pass
        raise NotConstant

    # ------------------------------------------------------------ functions

    def call(self, f: C.Function, args: list[Value]) -> Value:
        if f.reads_state:
            raise NotConstant
        env = {p.number: a for p, a in zip(f.params, args, strict=True)}
        try:
            self.block(f.body, env)
        except _Leave as leave:
            return leave.value
        raise NotConstant

    def block(self, stmts: list[C.Stmt], env: dict[int, Value]) -> None:
        for s in stmts:
            self.fuel -= 1
            if self.fuel < 0:
                raise NotConstant
            match s:
                case C.SLet(local, value):
                    env[local.number] = self.expr(value, env)
                case C.SReturn(value):
                    if value is None:
                        raise NotConstant
                    raise _Leave(self.expr(value, env))
                case C.SIf(arms, other):
                    for test, body in arms:
                        if self.expr(test, env):
                            self.block(body, env)
                            break
                    else:
                        self.block(other, env)
                case C.SFor(var, domain, where, body):
                    for item in list(self.items(domain, env)):
                        env[var.number] = item
                        if where is not None and not self.expr(where, env):
                            continue
                        try:
                            self.block(body, env)
                        except _Continue:
                            continue
                        except _Break:
                            break
                case C.SWhile(goes_on, body):
                    while goes_on is None or self.expr(goes_on, env):
                        try:
                            self.block(body, env)
                        except _Continue:
                            continue
                        except _Break:
                            break
                case C.SBreak():
                    raise _Break
                case C.SContinue():
                    raise _Continue
                case C.SRequire():
                    pass
                case (
                    C.SAssign() | C.SChoose() | C.SDraw() | C.SMark() | C.SMove() | C.SPut() | C.SReveal() | C.SRoll()
                    | C.SRun() | C.SScore() | C.SShow() | C.STake() | C.STell()
                ):  # fmt: skip
                    raise NotConstant
                case _:
                    assert_never(s)


class Tank(Protocol):
    """Whatever keeps the steps that are left for several evaluations together."""

    fuel: int


def constant(e: C.Expr, tank: Tank | None = None) -> Value | None:
    """The value that a closed expression stands for, None if that needs state or fails."""
    evaluator = Evaluator(FUEL if tank is None else min(FUEL, tank.fuel))
    before = evaluator.fuel
    try:
        return evaluator.expr(e, {})
    except (NotConstant, RecursionError):
        return None
    finally:
        if tank is not None:
            tank.fuel -= before - max(0, evaluator.fuel)


def evaluate(e: C.Expr) -> int | None:
    """The number that a closed expression stands for, None if that needs state."""
    value = constant(e)
    return value if isinstance(value, int) else None
