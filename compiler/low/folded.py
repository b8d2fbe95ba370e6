"""Small expressions whose parts became known → what they come to.

(1 <= (if 10 < n then 10 else n))     →   (1 <= n)
((d + 1) - 1)                         →   d
(63 & ~ built)                        →   (63 ^ built)
((shops & ~ a) & ~ b)                 →   (shops & ~ (a | b))
"""

from __future__ import annotations

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L

_COMPARED = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def folded(e: L.Expr) -> L.Expr:
    """The expression itself, where nothing is known; its parts have been looked at."""
    match e:
        case L.Compare(op, L.Number(a), L.Number(b)) if op in _COMPARED:
            return L.TRUE if _COMPARED[op](a, b) else L.FALSE
        case L.Compare("<=", L.Number(a), L.Pick(L.Compare("<", L.Number(b), n), L.Number(c), m)):
            if b == c and n == m and a <= b:
                return L.Compare("<=", L.Number(a, e.left.type), n, e.type)
        case L.Compare(">", L.Number(a), L.Pick(L.Compare("<", L.Number(b), n), L.Number(c), m)):
            if b == c and n == m and a <= b:
                return L.Compare(">", L.Number(a, e.left.type), n, e.type)
        case L.Compare("<", L.Local(_, T.Int(int() as least, _)), L.Number(0)) if least >= 0:
            return L.FALSE
        case L.Not(L.Number(value)):
            return L.FALSE if value else L.TRUE
        case L.Logic("and", L.Number(0)) | L.Logic(
            "and", L.Compare(_, L.Local(), L.Number()), L.Number(0)
        ):
            return L.FALSE
        case L.Logic("or", L.Number(1)):
            return L.TRUE
        case L.Logic("and", L.Number(value), right) if isinstance(right.type, T.Bool):
            return right if value else L.FALSE
        case L.Logic("or", L.Number(value), right) if isinstance(right.type, T.Bool):
            return L.TRUE if value else right
        case L.Unary("rest", L.Number(value)):
            return L.Number(value & (value - 1), e.type)
        case L.Binary("|", L.Number(a), L.Pick(test, L.Number(b), L.Number(c), t)):
            return L.Pick(test, L.Number(a | b, t), L.Number(a | c, t), e.type)
        case L.Pick(L.Number(value), yes, no):
            return yes if value else no
        case L.Pick(_, yes, no) if yes == no and isinstance(yes, L.Number):
            return yes
        case L.Binary("+" | "-" as op, L.Number(a), L.Number(b), T.Int()):
            value = a + b if op == "+" else a - b
            return L.Number(value, T.Int(value, value))
        case L.Binary("+" | "-" as op, L.Binary("+" | "-" as inner, x, L.Number(a)), L.Number(b)):
            value = (a if inner == "+" else -a) + (b if op == "+" else -b)
            if value == 0:
                return x
        case L.Binary("&", L.Number(value), L.Unary("~", inside), T.Set(size)):
            if _within(inside.type, value) and size:
                return L.Binary("^", e.left, inside, e.type)
        case L.Binary("&", L.Binary("&", left, L.Unary("~", a)), L.Unary("~", b), t):
            both = L.Binary("|", a, b, a.type)
            return L.Binary("&", left, L.Unary("~", both, a.type), t)
        case _:  # others: they stay
            pass
    return e


def _within(t: T.Type, value: int) -> bool:
    """Whether a set of that type can have no member that a known one lacks."""
    return isinstance(t, T.Set) and value & ((1 << t.size) - 1) == (1 << t.size) - 1
