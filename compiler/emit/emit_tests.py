"""Conditions → Python, where it only looks at whether a value is zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT
from rulewright.compiler.emit.emit_words import AND, BIT_AND, NOT, OR, TERNARY

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_expr import Body

# comparisons with a number that tell whether something is more than zero, or (False) that it is not
_NONZERO = {(">", 0): True, ("!=", 0): True, (">=", 1): True, ("==", 0): False, ("<", 1): False}


def never_negative(e: C.Expr) -> bool:
    """By the type of state and of constants, which is checked when it is written."""
    match e:
        case C.Op("+", args):
            return all(map(never_negative, args))
        case C.Read(_, _, IntT(low)):
            return low is not None and low >= 0
    return False


def cond(body: Body, e: C.Expr, need: int = TERNARY) -> str:
    """Like `at`, where Python only looks at whether the value is zero."""
    text, has = body.test(e)
    return text if has >= need else f"({text})"


def test(body: Body, e: C.Expr) -> tuple[str, int]:
    if isinstance(e, C.Comp):
        mask = body.mask_of_comp(e) if e.op == "any" else None
        if mask is not None:
            return mask
        written = body.unrolled(e)
        if written is not None:
            return body.test(written)
    if isinstance(e, C.Call) and body.tables.tabulated(e.function) is None:
        laid_in = body.inlined(e.function, e.args)
        if laid_in is not None:
            return body.test(laid_in)
    if isinstance(e, C.Op):
        match e.op, e.args:
            case "in", (item, domain):
                return body.contains(item, domain)
            case "meets", (a, b):
                if a is b:
                    return body.expr(a)
                return f"{body.at(a, BIT_AND)} & {body.at(b, BIT_AND)}", BIT_AND
            case "not", (a,):
                inner = body.cond(a, NOT)
                return (inner[4:] if inner.startswith("not ") else f"not {inner}"), NOT
            case ("and" | "or"), _:
                return body.logic(e, body.cond)
            case (">" | "!=" | "==" | "<" | ">="), (
                C.Op("size_set", (inner,)),
                C.Const(int() as n),
            ):
                return body.size_test(e.op, inner, n, e)
            case (">" | "!=" | "==" | "<" | ">="), (
                C.Op("zone_size", (inner,)),
                C.Const(int() as n),
            ):
                return body.size_test(e.op, inner, n, e)
            case (">" | "!=" | ">="), (
                C.Op("zone_count", (zone, kind)),
                C.Const(int() as n),
            ) if n == (1 if e.op == ">=" else 0):
                return body.bit(body.expr(zone), kind, 0, body.wide_zone(zone))
            case (">" | "!=" | "==" | ">=" | "<"), (a, C.Const(int() as n)) if (
                e.op,
                n,
            ) in _NONZERO:
                if isinstance(a, C.Call) and body.tables.tabulated(a.function) is None:
                    a = body.inlined(a.function, a.args) or a
                if not never_negative(a):
                    return body.expr(C.Op(e.op, (a, e.args[1]), e.type, e.span, e.secrecy))
                text, level = body.some_of(a)
                if _NONZERO[e.op, n]:
                    return text, level
                return f"not {text if level >= NOT else f'({text})'}", NOT
    return body.expr(e)


def some_of(body: Body, e: C.Expr) -> tuple[str, int]:
    """Whether a number that is never negative is more than zero, where Python only looks at that."""
    if isinstance(e, C.Op) and e.op == "+" and all(map(never_negative, e.args)):
        (left, has), (right, has_2) = map(body.some_of, e.args)
        left = left if has >= OR else f"({left})"
        return f"{left} or {right if has_2 >= AND else f'({right})'}", OR
    return body.expr(e)


def size_test(body: Body, op: str, inner: C.Expr, n: int, e: C.Op) -> tuple[str, int]:
    """size(x) > 0 and its like, without counting."""
    if (op, n) in ((">", 0), ("!=", 0), (">=", 1)):
        return body.expr(inner)
    if (op, n) in (("==", 0), ("<", 1)):
        return f"not {body.at(inner, NOT)}", NOT
    if (op, n) in ((">", 1), (">=", 2)):
        name = body.simple(inner, "some")
        return f"{name} & ({name} - 1)", BIT_AND
    return body.compare(e)
