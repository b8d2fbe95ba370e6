"""Build operations of the typed tree, working out at once what is constant."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName, Value, compute
from rulewright.compiler.core.types import (
    BOOL,
    IntT,
    KindT,
    ListT,
    RangeT,
    SetT,
    Type,
    count_of,
)
from rulewright.compiler.text.source import Span


def full_mask(element: KindT | IntT) -> int:
    """The set of all values of an element type."""
    return (1 << (count_of(element) or 0)) - 1


def truth(value: bool, span: Span) -> C.Const:
    return C.Const(int(value), BOOL, span)


def secrecy_of(args: tuple[C.Expr, ...]) -> C.Secrecy:
    level: C.Secrecy = None
    for arg in args:
        level = C.join(level, arg.secrecy)
    return level


def op(
    name: OpName, args: tuple[C.Expr, ...], type_: Type, span: Span, kind: C.Kind | None = None
) -> C.Expr:
    """The operation, or its value where that is known now."""
    folded = _fold(name, args, type_, kind)
    if folded is not None:
        return C.Const(folded, type_, span)
    short = _shorten(name, args, span)
    if short is not None:
        return short
    return C.Op(name, args, type_, span, secrecy_of(args), kind)


def _fold(name: OpName, args: tuple[C.Expr, ...], type_: Type, kind: C.Kind | None) -> Value | None:
    values = tuple(a.value for a in args if isinstance(a, C.Const))
    return compute(name, values, type_, args, kind) if len(values) == len(args) else None


def _shorten(name: OpName, args: tuple[C.Expr, ...], span: Span) -> C.Expr | None:
    """Cases where one constant argument decides: true and x, x + 0, a if true else b."""
    first = args[0].value if args and isinstance(args[0], C.Const) else None
    last = args[-1].value if args and isinstance(args[-1], C.Const) else None
    if name == "and":
        if first == 0 or (last == 0 and _harmless(args[0])):
            return truth(False, span)
        if first == 1:
            return args[1]
        if last == 1:
            return args[0]
    if name == "or":
        if first == 1 or (last == 1 and _harmless(args[0])):
            return truth(True, span)
        if first == 0:
            return args[1]
        if last == 0:
            return args[0]
    if name == "if" and first is not None:
        return args[1] if first else args[2]
    if name in ("+", "-", "minus", "union") and last == 0:
        return args[0]
    if name in ("+", "union") and first == 0:
        return args[1]
    if name == "//" and last == 1:
        return args[0]
    if name == "*" and (last == 1 or first == 1):
        return args[0] if last == 1 else args[1]
    return None


def _harmless(e: C.Expr) -> bool:
    """Whether leaving the expression out changes nothing: it cannot fail when it runs."""
    return isinstance(e, C.Const | C.Use | C.Read)


def element_of(t: Type) -> KindT | IntT | None:
    """What a domain yields: the members of a set or list, the numbers of a range."""
    if isinstance(t, SetT):
        return t.element
    if isinstance(t, ListT) and not isinstance(t.element, SetT):
        return t.element
    if isinstance(t, RangeT):
        return IntT(t.low, t.high)
    return None
