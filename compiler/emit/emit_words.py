"""What all emitters share: how tightly Python binds, the Python type of a value, how large an expression is."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    OptT,
    RangeT,
    SetT,
    Type,
)
from rulewright.compiler.emit.layout import is_wide

# how tightly Python binds
TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, UNARY, ATOM = range(13)


def weight(e: object) -> int:
    """How many parts an expression has."""
    n = 0
    stack: list[object] = [e]
    while stack:
        x = stack.pop()
        if x is None or isinstance(x, C.Const | C.Use):
            n += 1
        elif isinstance(x, tuple | list):
            stack.extend(x)
        elif isinstance(x, C.Read):
            n += 1
            stack.append(x.keys)
        elif isinstance(x, C.Op | C.Call):
            n += 1
            stack.append(x.args)
        elif isinstance(x, C.Column):
            n += 1
            stack.append(x.base)
        elif isinstance(x, C.ZoneUse):
            n += 1
            stack.append(x.owner)
        elif isinstance(x, C.Comp):
            n += 4
            stack.extend((x.domain, x.where, x.body, x.default))
        else:
            n += 6
    return n


def bits_of(mask: int, low: int) -> list[int]:
    """The members of a known set."""
    return [i + low for i in range(mask.bit_length()) if mask >> i & 1]


def python_type(t: Type) -> str:
    match t:
        case BoolT():
            return "bool"
        case ListT() | GroupsT():
            return "list[int]"
        case _ if is_wide(t):
            return "int"
        case IntT() | KindT() | OptT() | SetT() | RangeT():
            return "i64"
    return "i64"
