"""Build operations of the typed tree, working out at once what is constant."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BOOL,
    LIMIT,
    BoolT,
    IntT,
    KindT,
    ListT,
    RangeT,
    SetT,
    Type,
    count_of,
    low_of,
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


_NUMBERS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "neg": lambda a: -a,
    "min": min,
    "max": max,
    "abs": abs,
    "clamp": lambda a, low, high: max(low, min(a, high)),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "not": lambda a: int(not a),
    "union": lambda a, b: a | b,
    "intersect": lambda a, b: a & b,
    "minus": lambda a, b: a & ~b,
    "meets": lambda a, b: int(a & b != 0),
    "within": lambda a, b: int(a & ~b == 0),
    "size_set": lambda a: a.bit_count(),
    "is_none": lambda a: int(a < 0),
}


def op(
    name: str, args: tuple[C.Expr, ...], type_: Type, span: Span, kind: C.Kind | None = None
) -> C.Expr:
    """The operation, or its value where that is known now."""
    folded = _fold(name, args, type_, kind)
    if folded is not None:
        return C.Const(folded, type_, span)
    short = _shorten(name, args, span)
    if short is not None:
        return short
    return C.Op(name, args, type_, span, secrecy_of(args), kind)


def _fold(
    name: str, args: tuple[C.Expr, ...], type_: Type, kind: C.Kind | None
) -> int | tuple[int, ...] | None:
    if not all(isinstance(a, C.Const) for a in args):
        return None
    values = [a.value for a in args if isinstance(a, C.Const)]
    if name == "list":
        return tuple(v for v in values if isinstance(v, int))
    if name == "size_list":
        return len(values[0]) if isinstance(values[0], tuple) else None
    if name == "at":
        items, place = values
        if isinstance(items, tuple) and isinstance(place, int) and 1 <= place <= len(items):
            return items[place - 1]
        return None
    if not all(isinstance(v, int) for v in values):
        return None
    numbers = [v for v in values if isinstance(v, int)]
    if name in ("//", "%") and numbers[1] == 0:
        return None
    if name in _NUMBERS:
        value = _NUMBERS[name](*numbers)
        return value if name not in ("+", "-", "*") or abs(value) <= LIMIT else None
    if name == "set" and isinstance(type_, SetT):
        low = low_of(type_.element)
        return sum({1 << (n - low) for n in numbers if n >= low})
    if name == "in":
        where = args[1].type
        low = low_of(where.element) if isinstance(where, SetT) else 0
        return (numbers[1] >> (numbers[0] - low)) & 1 if numbers[0] >= low else 0
    if name == "next" and isinstance(type_, KindT):
        return (numbers[0] + 1) % type_.size
    return None


def _shorten(name: str, args: tuple[C.Expr, ...], span: Span) -> C.Expr | None:
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


# ---------------------------------------------------------------- bounds


def bounds(t: Type) -> tuple[int | None, int | None]:
    if isinstance(t, IntT):
        return t.low, t.high
    if isinstance(t, BoolT):
        return 0, 1
    return None, None


def number_type(name: str, args: tuple[C.Expr, ...]) -> IntT:
    """The bounds of an arithmetic result; those beyond what numbers should reach are not kept."""
    found = _number_type(name, args)
    low = found.low if found.low is not None and abs(found.low) <= LIMIT else None
    high = found.high if found.high is not None and abs(found.high) <= LIMIT else None
    return IntT(low, high)


def _number_type(name: str, args: tuple[C.Expr, ...]) -> IntT:
    pairs = [bounds(a.type) for a in args]
    if name in ("min", "max"):
        lows = [p[0] for p in pairs]
        highs = [p[1] for p in pairs]
        pick = min if name == "min" else max
        known_lows = [x for x in lows if x is not None]
        known_highs = [x for x in highs if x is not None]
        if name == "min":
            low = pick(known_lows) if len(known_lows) == len(lows) else None
            high = pick(known_highs) if known_highs else None
        else:
            low = pick(known_lows) if known_lows else None
            high = pick(known_highs) if len(known_highs) == len(highs) else None
        return IntT(low, high)
    if name == "clamp":
        return IntT(pairs[1][0], pairs[2][1])
    if name == "abs":
        a_low, a_high = pairs[0]
        if a_low is None or a_high is None:
            return IntT(0, None)
        return IntT(max(0, a_low, -a_high), max(abs(a_low), abs(a_high)))
    if name == "neg":
        a_low, a_high = pairs[0]
        return IntT(None if a_high is None else -a_high, None if a_low is None else -a_low)
    (a, b), (c, d) = pairs
    if name == "+":
        return IntT(_plus(a, c), _plus(b, d))
    if name == "-":
        return IntT(_minus(a, d), _minus(b, c))
    if name == "*" and a is not None and b is not None and c is not None and d is not None:
        corners = [x * y for x in (a, b) for y in (c, d)]
        return IntT(min(corners), max(corners))
    if name == "//" and a is not None and b is not None and c is not None and c > 0:
        return IntT(min(a // c, a // (d or a or 1)), max(b // c, b // (d or b or 1), 0))
    if name == "%" and d is not None and c is not None and c > 0:
        return IntT(0, d - 1)
    return IntT()


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _minus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a - b


def element_of(t: Type) -> KindT | IntT | None:
    """What a domain yields: the members of a set or list, the numbers of a range."""
    if isinstance(t, SetT):
        return t.element
    if isinstance(t, ListT) and not isinstance(t.element, SetT):
        return t.element
    if isinstance(t, RangeT):
        return IntT(t.low, t.high)
    return None
