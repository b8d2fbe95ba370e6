"""Conditions on one variable → set algebra: the members that meet them, without a loop where that can be.

x in S            →  S
x.column <= e     →  a table of sets, looked up at e
f(x, a) == e      →  a table of sets, looked up at a and e (f constant)
not c, c and d    →  complement, intersection
c without x       →  all members if c, else none
"""

from __future__ import annotations

import operator
from functools import lru_cache
from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.types import BoolT, IntT, KindT, ListT, SetT, count_of, low_of
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.emit.layout import WORD

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_expr import Body

BIT_OR, BIT_AND, UNARY, ATOM = 5, 7, 11, 12
_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
MAX_CELLS = 8192
Mask = tuple[str, int]


def as_mask(body: Body, var: C.Local, domain: C.Expr, tests: list[C.Expr]) -> Mask | None:
    """The set {var in domain where all tests} as a Python expression, None if it needs a loop."""
    t = domain.type
    if not isinstance(t, SetT):
        return None
    masks: list[Mask] = []
    for number, test in enumerate(tests):
        # one that can go wrong is only looked at for members that meet those before it
        if (number or not isinstance(domain, C.Const)) and may_fail(test):
            return None
        m = mask_of(body, var, t.element, test)
        if m is None:
            return None
        masks.append(m)
    first = body.expr(domain)
    if isinstance(domain, C.Const) and domain.value == _full(t.element) and masks:
        first = masks.pop(0)
    return _all(first, masks)


def _all(first: Mask, rest: list[Mask]) -> Mask:
    text, has = first
    for m, level in rest:
        text = f"{_at(text, has, BIT_AND)} & {_at(m, level, BIT_AND + 1)}"
        has = BIT_AND
    return text, has


def _at(text: str, has: int, need: int) -> str:
    return text if has >= need else f"({text})"


def _full(element: KindT | IntT) -> int:
    return (1 << (count_of(element) or 0)) - 1


def mask_of(body: Body, var: C.Local, element: KindT | IntT, test: C.Expr) -> Mask | None:
    """The members of the element type that meet a test."""
    if count_of(element) is None:
        return None
    kept = body.out.apart()
    result = _mask(body, var, element, test)
    aside = body.out.together(kept)
    if result is not None:
        body.out.lines.extend(aside)
    return result


def _mask(body: Body, var: C.Local, element: KindT | IntT, test: C.Expr) -> Mask | None:
    full = _full(element)
    if var.number not in free_locals(test):
        if isinstance(test, C.Const):
            return (str(full) if test.value else "0"), ATOM
        return f"{hex(full)} if {body.cond(test, 1)} else 0", 0
    match test:
        case C.Op("in", (C.Use(local), where)) if local is var and var.number not in free_locals(
            where
        ):
            if low_of(where.type.element if isinstance(where.type, SetT) else element) != low_of(
                element
            ):
                return None
            return body.expr(where)
        case C.Op("not", (inner,)):
            m = _mask(body, var, element, inner)
            if m is None:
                return None
            if m[0].isdigit():
                return str(full & ~int(m[0])), ATOM
            return f"{hex(full)} & ~{_at(*m, UNARY)}", BIT_AND
        case C.Op(("and" | "or") as op, (a, b)) if may_fail(b):
            return _guarded(body, var, element, op, a, b)
        case C.Op(("and" | "or") as op, (a, b)):
            m1 = _mask(body, var, element, a)
            m2 = _mask(body, var, element, b) if m1 is not None else None
            if m1 is None or m2 is None:
                return None
            if op == "and":
                return _all(m1, [m2])
            return f"{_at(*m1, BIT_OR)} | {_at(*m2, BIT_OR + 1)}", BIT_OR
        case C.Op(op, (a, b)) if op in _COMPARE:
            return _comparison(body, var, element, op, a, b)
    if isinstance(test.type, BoolT):
        return _comparison(body, var, element, "==", test, C.Const(1, IntT(1, 1)))
    return None


def _guarded(
    body: Body, var: C.Local, element: KindT | IntT, op: str, a: C.Expr, b: C.Expr
) -> Mask | None:
    """a and b, a or b, where b can go wrong: only where a says the same for all members, and b is looked at after it."""
    if var.number in free_locals(a):
        return None
    test = body.cond(a, 1)
    written = len(body.out.lines)
    m = _mask(body, var, element, b)
    if m is None or len(body.out.lines) > written:
        return None
    if op == "and":
        return f"{_at(*m, 1)} if {test} else 0", 0
    return f"{hex(_full(element))} if {test} else {_at(*m, 0)}", 0


def _comparison(
    body: Body, var: C.Local, element: KindT | IntT, op: str, a: C.Expr, b: C.Expr
) -> Mask | None:
    """f(x, …) op e with f constant and e without x, either way round."""
    if var.number in free_locals(b):
        a, b, op = b, a, _FLIP[op]
    if var.number in free_locals(b):
        return None
    holes: list[tuple[C.Local, C.Expr]] = []
    pattern = _pattern(a, var, holes)
    if pattern is None or len(holes) > 1:
        return None
    return _table(body, var, element, op, pattern, b, holes)


def _pattern(e: C.Expr, var: C.Local, holes: list[tuple[C.Local, C.Expr]]) -> C.Expr | None:
    """e with the parts that do not hold var replaced by fresh locals; None where e is not constant but for those."""
    if isinstance(e, C.Const) or (isinstance(e, C.Use) and e.local is var):
        return e
    if var.number not in free_locals(e):
        if not isinstance(e.type, KindT):
            return None
        local = C.Local("hole", e.type, -1 - len(holes))
        holes.append((local, e))
        return C.Use(local, e.type, e.span)
    match e:
        case C.Column(kind, column, base) if not isinstance(column.type, ListT):
            inner = _pattern(base, var, holes)
            return None if inner is None else C.Column(kind, column, inner, e.type, e.span)
        case C.Op(op, args) if op in ("distance", "+", "-", "*", "abs", "min", "max", "next"):
            parts = [_pattern(x, var, holes) for x in args]
            if any(x is None for x in parts):
                return None
            return C.Op(op, tuple(x for x in parts if x is not None), e.type, e.span, None, e.kind)
        case C.Call(function, args) if not function.reads_state:
            parts = [_pattern(x, var, holes) for x in args]
            if any(x is None for x in parts):
                return None
            return C.Call(function, tuple(x for x in parts if x is not None), e.type, e.span)
    return None


def _table(
    body: Body,
    var: C.Local,
    element: KindT | IntT,
    op: str,
    pattern: C.Expr,
    b: C.Expr,
    holes: list[tuple[C.Local, C.Expr]],
) -> Mask | None:
    low = low_of(element)
    n = count_of(element) or 0
    evaluator = Evaluator()
    rows: list[list[int]] = []
    width = holes[0][0].type.size if holes and isinstance(holes[0][0].type, KindT) else 1
    try:
        for h in range(width):
            env: dict[int, int | tuple[int, ...]] = {holes[0][0].number: h} if holes else {}
            row = [evaluator.expr(pattern, {**env, var.number: low + i}) for i in range(n)]
            rows.append([v for v in row if isinstance(v, int)])
    except (NotConstant, IndexError):
        return None
    if any(len(row) != n for row in rows):
        return None
    hole = holes[0][1] if holes else None
    if isinstance(b, C.Const) and isinstance(b.value, int):
        masks = _masks(op, tuple(map(tuple, rows)), b.value, b.value)
        if hole is None:
            return str(masks[0]) if masks[0] < 1024 else hex(masks[0]), ATOM
        name = body.tables.numbers(_table_name(pattern, op), masks, n > WORD)
        return f"{name}[{body.value(hole)}]", ATOM
    return _by_bound(body, op, rows, b, pattern, hole)


_HOLDS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@lru_cache(maxsize=256)
def _masks(op: str, rows: tuple[tuple[int, ...], ...], low: int, high: int) -> list[int]:
    """For each row and each bound the set of places whose number holds against the bound; not to be changed."""
    holds = _HOLDS[op]
    return [
        sum(1 << i for i, v in enumerate(row) if holds(v, y))
        for row in rows
        for y in range(low, high + 1)
    ]


def _by_bound(
    body: Body, op: str, rows: list[list[int]], b: C.Expr, pattern: C.Expr, hole: C.Expr | None
) -> Mask | None:
    """A table of sets over the values that the other side may take, cut off where nothing changes any more."""
    values = [v for row in rows for v in row]
    low, high = min(values) - 1, max(values) + 1
    if isinstance(b.type, KindT):
        low, high = 0, b.type.size - 1
    elif isinstance(b.type, IntT):
        low = max(low, b.type.low) if b.type.low is not None else low
        high = min(high, b.type.high) if b.type.high is not None else high
    else:
        return None
    width = high - low + 1
    if width < 1 or width * len(rows) > MAX_CELLS:
        return None
    masks = _masks(op, tuple(map(tuple, rows)), low, high)
    name = body.tables.numbers(_table_name(pattern, op), masks, len(rows[0]) > WORD)
    index = _clamped(body, b, low, high)
    if hole is not None:
        index = f"{body.at(hole, 10)} * {width} + {index if index.isalnum() else f'({index})'}"
    return f"{name}[{index}]", ATOM


def _table_name(a: C.Expr, op: str) -> str:
    from rulewright.compiler.emit.names import constant_name

    words = {"==": "EQUAL", "!=": "OTHER", "<": "BELOW", "<=": "UP_TO", ">": "ABOVE", ">=": "FROM"}
    base = "ITEM"
    match a:
        case C.Column(kind, column, C.Column(kind2, column2)):
            base = f"{kind2.name}_{column2.name}_{column.name}"
        case C.Column(kind, column):
            base = f"{kind.name}_{column.name}"
        case C.Op("distance", _) if a.kind is not None:
            base = f"{a.kind.name}_distance"
        case C.Use(local):
            base = local.name
    return f"{constant_name(base)}_{words[op]}"


def _clamped(body: Body, b: C.Expr, low: int, high: int) -> str:
    known_low = b.type.low if isinstance(b.type, IntT) else 0 if isinstance(b.type, KindT) else None
    known_high = (
        b.type.high
        if isinstance(b.type, IntT)
        else b.type.size - 1 if isinstance(b.type, KindT) else None
    )
    fits_low = known_low is not None and known_low >= low
    fits_high = known_high is not None and known_high <= high
    if fits_low and fits_high:
        return body.index(b, low)
    name = body.simple(b, "n")
    parts = name
    if not fits_high:
        parts = f"{name} if {name} < {high} else {high}"
    if not fits_low:
        parts = f"{low} if {name} < {low} else {parts}"
    return parts if low == 0 else f"({parts}) - {low}" if low > 0 else f"({parts}) + {-low}"
