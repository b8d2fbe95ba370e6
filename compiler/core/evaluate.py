"""Typed expressions that read no state → their values, worked out at build time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.fold import _NUMBERS
from rulewright.compiler.core.types import LIMIT, KindT, ListT, SetT, low_of

Value = int | tuple[int, ...]
FUEL = 1_000_000
MAX_WALKS = 1_000_000


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
        match e:
            case C.Const(value):
                return value
            case C.Use(local):
                if local.number not in env:
                    raise NotConstant
                return env[local.number]
            case C.Column(_, column, base):
                cell = column.values[self.number(base, env)]
                if not isinstance(cell, int | tuple):
                    raise NotConstant
                return cell
            case C.Op():
                return self.op(e, env)
            case C.Call(function, args):
                return self.call(function, [self.expr(x, env) for x in args])
            case C.CodeCall(_, column, base, args):
                code = (column.code or [])[self.number(base, env)]
                if not isinstance(code, C.Function):
                    raise NotConstant
                return self.call(code, [self.expr(x, env) for x in args])
            case C.Comp():
                return self.comp(e, env)
            case _:
                raise NotConstant

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
        if name == "and":
            return int(bool(self.expr(args[0], env)) and bool(self.expr(args[1], env)))
        if name == "or":
            return int(bool(self.expr(args[0], env)) or bool(self.expr(args[1], env)))
        if name == "if":
            return self.expr(args[1] if self.expr(args[0], env) else args[2], env)
        if name in ("size_list", "at", "in_list", "position", "list"):
            return self.list_op(name, args, env)
        if name in ("distance", "walks"):
            return self.graph(e, env)
        if name == "checked":
            raise NotConstant  # in play, where it can be told
        values = [self.number_any(x, env) for x in args]
        if name in _NUMBERS:
            if name in ("//", "%") and values[1] == 0:
                raise NotConstant
            value = _NUMBERS[name](*values)
            if name in ("+", "-", "*") and abs(value) > LIMIT:
                raise NotConstant
            return value
        if name == "set" and isinstance(e.type, SetT):
            return sum({1 << (v - low_of(e.type.element)) for v in values})
        if name == "in":
            t = args[1].type
            low = low_of(t.element) if isinstance(t, SetT) else 0
            return values[1] >> (values[0] - low) & 1 if values[0] >= low else 0
        if name == "the_first":
            if not values[0]:
                raise NotConstant
            base = args[0].type
            low = low_of(base.element) if isinstance(base, SetT) else 0
            return (values[0] & -values[0]).bit_length() - 1 + low
        if name == "next" and isinstance(e.type, KindT):
            return (values[0] + 1) % e.type.size
        if name == "clockwise" and isinstance(args[0].type, KindT):
            return (values[1] - values[0]) % args[0].type.size
        if name == "player":
            return values[0]
        raise NotConstant

    def number_any(self, e: C.Expr, env: dict[int, Value]) -> int:
        value = self.expr(e, env)
        if not isinstance(value, int):
            raise NotConstant
        return value

    def list_op(self, name: str, args: tuple[C.Expr, ...], env: dict[int, Value]) -> Value:
        if name == "list":
            return tuple(self.number_any(x, env) for x in args)
        values = [self.expr(x, env) for x in args]
        if name == "size_list":
            return len(values[0]) if isinstance(values[0], tuple) else 0
        if name == "at":
            items, place = values
            if isinstance(items, tuple) and isinstance(place, int) and 1 <= place <= len(items):
                return items[place - 1]
            raise NotConstant
        item, items = values
        assert isinstance(items, tuple)
        if name == "in_list":
            return int(item in items)
        return items.index(item) + 1 if isinstance(item, int) and item in items else 0

    def graph(self, e: C.Op, env: dict[int, Value]) -> Value:
        assert e.kind is not None
        a = self.number(e.args[0], env)
        if e.op == "distance":
            return distances(e.kind)[a][self.number(e.args[1], env)]
        return walks(e.kind, a, self.number_any(e.args[1], env))

    def comp(self, e: C.Comp, env: dict[int, Value]) -> Value:
        inner = dict(env)
        found: list[tuple[tuple[int, ...], int]] = []
        for item in self.items(e.domain, env):
            inner[e.var.number] = item
            if e.where is not None and not self.expr(e.where, inner):
                continue
            keys = tuple(self.number_any(b, inner) for b in e.body)
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
                case C.SWhile(test2, body):
                    while test2 is None or self.expr(test2, env):
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
                case _:
                    raise NotConstant


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


# ---------------------------------------------------------------- graphs


@lru_cache(maxsize=64)
def distances(kind: C.Kind) -> list[list[int]]:
    """Steps of the shortest way between any two members, -1 where there is none."""
    masks = _links(kind)
    out: list[list[int]] = []
    for start in range(len(masks)):
        row = [-1] * len(masks)
        frontier, seen, steps = 1 << start, 1 << start, 0
        while frontier:
            reached = 0
            while frontier:
                bit = frontier & -frontier
                frontier ^= bit
                x = bit.bit_length() - 1
                row[x] = steps
                reached |= masks[x]
            frontier = reached & ~seen
            seen |= frontier
            steps += 1
        out.append(row)
    return out


def walks(kind: C.Kind, start: int, steps: int, limit: int = MAX_WALKS) -> int:
    """Where a walk of exactly `steps` steps that uses no member twice can end, as a mask."""
    masks = _links(kind)
    if steps < 0:
        return 0
    result = 0
    stack = [(start, 1 << start, steps)]
    while stack:
        limit -= 1
        if limit < 0:
            raise NotConstant
        at, seen, left = stack.pop()
        if left == 0:
            result |= 1 << at
            continue
        free = masks[at] & ~seen
        while free:
            bit = free & -free
            free ^= bit
            stack.append((bit.bit_length() - 1, seen | bit, left - 1))
    return result


@lru_cache(maxsize=64)
def walk_table(kind: C.Kind, most: int) -> list[list[int]] | None:
    """walks() from each member for 0 .. most steps; None where there are too many walks to work them out."""
    masks = _links(kind)
    left = MAX_WALKS
    out: list[list[int]] = []
    for start in range(len(masks)):
        row = [0] * (most + 1)
        stack = [(start, 1 << start, 0)]
        while stack:
            left -= 1
            if left < 0:
                return None
            at, seen, steps = stack.pop()
            row[steps] |= 1 << at
            free = masks[at] & ~seen if steps < most else 0
            while free:
                bit = free & -free
                free ^= bit
                stack.append((bit.bit_length() - 1, seen | bit, steps + 1))
        out.append(row)
    return out


def _links(kind: C.Kind) -> list[int]:
    assert kind.graph is not None
    return [v if isinstance(v, int) else 0 for v in kind.columns[kind.graph].values]
