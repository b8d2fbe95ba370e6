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

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.types import BoolT, IntT, KindT, ListT, SetT, count_of, low_of
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body, added, common, full, minus, scaled, set_of
from rulewright.compiler.low.measure import FEW
from rulewright.compiler.low.names import constant_name
from rulewright.compiler.low.state_layout import low_type
from rulewright.compiler.low.unroll import few

_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
MAX_CELLS = 8192
# entries that a table may have below the first that makes a difference
_BELOW = 16


def mask_of_any(body: Body, e: C.Comp) -> L.Expr | None:
    """any(…) as the set that must not be empty."""
    if e.op != "any" or not body.inline or len(few(body, e.domain) or [0] * FEW) < 4:
        return None
    tests = [e.where] if e.where is not None else []
    return mask_of_domain(body, e.var, e.domain, [*tests, *e.body])


def mask_of_domain(body: Body, var: C.Local, domain: C.Expr, tests: list[C.Expr]) -> L.Expr | None:
    """The set {var in domain where all tests} as one expression, None if it needs a loop."""
    with body.aside() as before:
        mask = _of_domain(body, var, domain, tests)
    if mask is not None:
        body.statements.extend(before)
    return mask


def _of_domain(body: Body, var: C.Local, domain: C.Expr, tests: list[C.Expr]) -> L.Expr | None:
    if not isinstance(domain.type, SetT):
        return None
    masks: list[L.Expr] = []
    for number, test in enumerate(tests):
        # one that can go wrong is only looked at for members that meet those before it
        if (number or not isinstance(domain, C.Const)) and may_fail(test):
            return None
        m = mask_of(body, var, domain.type.element, test)
        if m is None:
            return None
        masks.append(m)
    t = low_type(domain.type)
    assert isinstance(t, T.Set)
    whole = isinstance(domain, C.Const) and domain.value == full(t) and masks
    found = masks.pop(0) if whole else body.expr(domain)
    for m in masks:
        found = common(found, m, t)
    return found


def mask_of(body: Body, var: C.Local, element: KindT | IntT, test: C.Expr) -> L.Expr | None:
    """The members of the element type that meet a test."""
    n = count_of(element)
    if n is None:
        return None
    with body.aside() as before:
        found = _Mask(body, var, element, T.Set(n, low_of(element))).mask(test)
    if found is not None:
        body.statements.extend(before)
    return found


class _Mask:
    """The sets of one variable."""

    def __init__(self, body: Body, var: C.Local, element: KindT | IntT, t: T.Set) -> None:
        self.body = body
        self.var = var
        self.element = element
        self.type = t
        self.all = set_of(full(t), t)
        self.none = set_of(0, t)

    def mask(self, test: C.Expr) -> L.Expr | None:
        var = self.var
        if var.number not in free_locals(test):
            if isinstance(test, C.Const):
                return self.all if test.value else self.none
            return L.Pick(self.body.test(test), self.all, self.none, self.type)
        match test:
            case C.Op(
                "in", (C.Use(local), where)
            ) if local is var and var.number not in free_locals(where):
                inner = where.type.element if isinstance(where.type, SetT) else self.element
                return self.body.expr(where) if low_of(inner) == self.type.base else None
            case C.Op("not", (a,)):
                m = self.mask(a)
                if isinstance(m, L.Number):
                    return set_of(full(self.type) & ~m.value, self.type)
                return m and L.Binary("&", self.all, L.Unary("~", m, self.type), self.type)
            case C.Op(("and" | "or") as op, (a, b)) if may_fail(b):
                return self.guarded(op, a, b)
            case C.Op(("and" | "or") as op, (a, b)):
                m1 = self.mask(a)
                m2 = self.mask(b) if m1 is not None else None
                if m1 is None or m2 is None:
                    return None
                if op == "and":
                    return common(m1, m2, self.type)
                return L.Binary("|", m1, m2, self.type)
            case C.Op(op, (a, b)) if op in _COMPARE:
                return self.comparison(op, a, b)
            case _:  # others: no set of their own
                pass
        if isinstance(test.type, BoolT):
            return self.comparison("==", test, C.Const(1, IntT(1, 1)))
        return None

    def guarded(self, op: str, a: C.Expr, b: C.Expr) -> L.Expr | None:
        """a and b, a or b, where b can go wrong: only where a says the same for all members, and b is looked at after it."""
        if self.var.number in free_locals(a):
            return None
        test = self.body.test(a)
        written = len(self.body.statements)
        m = self.mask(b)
        if m is None or len(self.body.statements) > written:
            return None
        if op == "and":
            return L.Pick(test, m, self.none, self.type)
        return L.Pick(test, self.all, m, self.type)

    def comparison(self, op: str, a: C.Expr, b: C.Expr) -> L.Expr | None:
        """f(x, …) op e with f constant and e without x, either way round."""
        if self.var.number in free_locals(b):
            a, b, op = b, a, _FLIP[op]
        if self.var.number in free_locals(b):
            return None
        holes: list[tuple[C.Local, C.Expr]] = []
        pattern = _pattern(a, self.var, holes)
        if pattern is None or len(holes) > 1:
            return None
        return self.table(op, pattern, b, holes)

    def table(
        self, op: str, pattern: C.Expr, b: C.Expr, holes: list[tuple[C.Local, C.Expr]]
    ) -> L.Expr | None:
        n = self.type.size
        evaluator = Evaluator()
        rows: list[tuple[int, ...]] = []
        width = holes[0][0].type.size if holes and isinstance(holes[0][0].type, KindT) else 1
        try:
            for h in range(width):
                env: dict[int, int | tuple[int, ...]] = {holes[0][0].number: h} if holes else {}
                found = (
                    evaluator.expr(pattern, {**env, self.var.number: self.type.base + i})
                    for i in range(n)
                )
                rows.append(tuple(v for v in found if isinstance(v, int)))
        except (NotConstant, IndexError):
            return None
        if any(len(row) != n for row in rows):
            return None
        hole = holes[0][1] if holes else None
        if isinstance(b, C.Const) and isinstance(b.value, int):
            masks = _masks(op, tuple(rows), b.value, b.value)
            if hole is None:
                return set_of(masks[0], self.type)
            table = self.body.tables.array(_table_name(pattern, op), masks, self.type)
            return L.Item(table, self.body.expr(hole), self.type)
        return self.by_bound(op, rows, b, pattern, hole)

    def by_bound(
        self, op: str, rows: list[tuple[int, ...]], b: C.Expr, pattern: C.Expr, hole: C.Expr | None
    ) -> L.Expr | None:
        """A table of sets over the values that the other side may take, cut off where nothing changes any more."""
        values = [v for row in rows for v in row]
        low, high = min(values) - 1, max(values) + 1
        if isinstance(b.type, KindT):
            low, high = 0, b.type.size - 1
        elif isinstance(b.type, IntT):
            if b.type.low is not None and low - b.type.low < _BELOW:
                # a few entries more, and nothing to cut off
                low = b.type.low
            high = min(high, b.type.high) if b.type.high is not None else high
        else:
            return None
        width = high - low + 1
        if width < 1 or width * len(rows) > MAX_CELLS:
            return None
        masks = _masks(op, tuple(rows), low, high)
        table = self.body.tables.array(_table_name(pattern, op), masks, self.type)
        index = minus(_clamped(self.body, b, low, high), low)
        if hole is not None:
            index = added(scaled(self.body.expr(hole), width), index)
        return L.Item(table, index, self.type)


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
        case _:  # others: not known before play
            pass
    return None


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


def _table_name(a: C.Expr, op: str) -> str:
    words = {"==": "EQUAL", "!=": "OTHER", "<": "BELOW", "<=": "UP_TO", ">": "ABOVE", ">=": "FROM"}
    base = "ITEM"
    match a:
        case C.Column(kind, column, C.Column(of_kind, in_column)):
            base = f"{of_kind.name}_{in_column.name}_{column.name}"
        case C.Column(kind, column):
            base = f"{kind.name}_{column.name}"
        case C.Op("distance", _) if a.kind is not None:
            base = f"{a.kind.name}_distance"
        case C.Use(local):
            base = local.name
        case _:  # others: named by what is compared
            pass
    return f"{constant_name(base)}_{words[op]}"


def _clamped(body: Body, b: C.Expr, low: int, high: int) -> L.Expr:
    """A number that is never outside the bounds of a table."""
    t = low_type(b.type)
    value = body.expr(b)
    fits_low = isinstance(t, T.Int) and t.low is not None and t.low >= low
    fits_high = isinstance(t, T.Int) and t.high is not None and t.high <= high
    if fits_low and fits_high:
        return value
    name = body.simple(value, "n")
    inside = T.Int(low, high)
    found: L.Expr = name
    if not fits_high:
        found = L.Pick(L.Compare("<", name, L.number(high)), name, L.number(high), inside)
    if not fits_low:
        found = L.Pick(L.Compare("<", name, L.number(low)), L.number(low), found, inside)
    return found
