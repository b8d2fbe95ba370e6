"""The table of operations: what each takes, what it yields, whether it can go wrong and how it is written.

An operation is added here, name and row, and where it is lowered (`low/lower_expressions.py`, which mypy asks for); nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.graphs import distances, walks
from rulewright.compiler.core.types import (
    BAD,
    LIMIT,
    BoolT,
    IntT,
    KindT,
    ListT,
    SetT,
    Type,
    count_of,
    low_of,
)

# ---------------------------------------------------------------- names, as types: one that is none of these is a type error

# numbers, truth and comparison; checked is the full flavour's own: a value that may be outside the bounds of its type
NumberOp: TypeAlias = Literal[
    "+", "-", "*", "//", "%", "neg", "min", "max", "abs", "sign", "clamp",
    "and", "or", "not", "if", "==", "!=", "<", "<=", ">", ">=", "is_none", "checked",
]  # fmt: skip
# sets, of pieces too; first, last and rest are the compiler's own, of a set that is not empty; so are later and sooner, all members
# by so many places
SetOp: TypeAlias = Literal[
    "union", "intersect", "minus", "in", "meets", "within", "size_set", "set", "the_first", "first", "last", "rest",
    "later", "sooner", "zone_size", "standing",
]  # fmt: skip
# lists, zones, graphs and seats; filled is one value so many times, entry and replaced count from 0, place is the number of a combination of values, mixed a fingerprint with one more
# value in it; these are the compiler's own
OtherOp: TypeAlias = Literal[
    "in_list", "size_list", "list", "at", "entry", "position", "appended", "inserted", "removed", "replaced", "slice", "joined", "filled", "zone_count", "zone_kinds",
    "distance", "walks", "next", "clockwise", "player", "place", "mixed",
]  # fmt: skip
OpName: TypeAlias = NumberOp | SetOp | OtherOp

CompName: TypeAlias = Literal[
    "any", "all", "count", "sum", "min", "max", "best", "sort", "groups", "set", "union"
]

Value: TypeAlias = int | tuple[int, ...]
Bounds: TypeAlias = tuple[int | None, int | None]

# How tightly an expression holds together when it is written: an operand that holds less tightly than its place asks for
# needs brackets.
CHOICE, OR, AND, NOT, COMPARE, RANGE, SUM, TERM, NEGATIVE, POSTFIX, ATOM = range(11)


@dataclass(frozen=True, slots=True)
class Given:
    """Values that an operation is worked out for, and what is known of them."""

    values: tuple[Value, ...]
    type: Type
    args: Sequence[C.Expr]
    kind: C.Kind | None

    def low(self, arg: int) -> int:
        """The number that stands for the first member of a set that is an argument."""
        t = self.args[arg].type
        return low_of(t.element) if isinstance(t, SetT) else 0


# what an argument of a built-in function must be; "element": of the list or set that is the last argument
Wanted: TypeAlias = Literal["number", "player", "participant", "set", "list", "element"]


@dataclass(frozen=True, slots=True)
class Function:
    """How an operation is called in the language, where that is by a name."""

    name: str
    wants: tuple[Wanted, ...]
    gives: Callable[[Sequence[C.Expr], KindT], Type] | None = None
    """the type of the result, from the arguments and the kind of players; None: a number within the bounds"""
    many: bool = False
    """whether the last argument may come again, two by two"""


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table."""

    takes: int | None
    """how many arguments; None: any number"""
    numbers: Callable[..., int] | None = None
    """its value for numbers, members, masks and truth values"""
    value: Callable[[Given], Value | None] | None = None
    """its value where lists or types count; None where there is none"""
    bounds: Callable[[list[Bounds]], Bounds] | None = None
    """between which numbers the result lies, from the bounds of the arguments"""
    may_fail: bool = False
    """whether it has no value for some values of its types"""
    infix: tuple[str, int] | None = None
    """how it is written between two operands, and how tightly that holds"""
    written: str | None = None
    """how it is written as a call, where not by its own name"""
    of_kind: bool = False
    """whether it says which kind it is of"""
    function: Function | None = None
    """the built-in function that it is, if it is called by a name and its arguments tell all of its type"""


# ---------------------------------------------------------------- bounds


def bounds(t: Type) -> Bounds:
    if isinstance(t, IntT):
        return t.low, t.high
    return (0, 1) if isinstance(t, BoolT) else (None, None)


def number_type(name: OpName, args: Sequence[C.Expr]) -> IntT:
    """The bounds of an arithmetic result; those beyond what numbers should reach are not kept."""
    rule = OPERATIONS[name].bounds
    if rule is None:
        return IntT()
    low, high = rule([bounds(a.type) for a in args])
    kept = [None if n is None or abs(n) > LIMIT else n for n in (low, high)]
    return IntT(kept[0], kept[1])


def _add(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _negated(pair: Bounds) -> Bounds:
    low, high = pair
    return None if high is None else -high, None if low is None else -low


def _sign(pairs: list[Bounds]) -> Bounds:
    low, high = pairs[0]
    least = -1 if low is None or low < 0 else 0 if low == 0 else 1
    return least, 1 if high is None or high > 0 else 0 if high == 0 else -1


def _plus(pairs: list[Bounds]) -> Bounds:
    (a, b), (c, d) = pairs
    return _add(a, c), _add(b, d)


def _times(pairs: list[Bounds]) -> Bounds:
    (a, b), (c, d) = pairs
    if a is None or b is None or c is None or d is None:
        return None, None
    corners = [x * y for x in (a, b) for y in (c, d)]
    return min(corners), max(corners)


def _quotient(pairs: list[Bounds]) -> Bounds:
    (a, b), (c, d) = pairs
    if a is None or b is None or c is None or c <= 0:
        return None, None
    return min(a // c, a // (d or a or 1)), max(b // c, b // (d or b or 1), 0)


def _remainder(pairs: list[Bounds]) -> Bounds:
    _, (c, d) = pairs
    return (0, d - 1) if c is not None and d is not None and c > 0 else (None, None)


def _least(pairs: list[Bounds]) -> Bounds:
    lows = [low for low, _ in pairs if low is not None]
    highs = [high for _, high in pairs if high is not None]
    return min(lows) if len(lows) == len(pairs) else None, min(highs, default=None)


def _greatest(pairs: list[Bounds]) -> Bounds:
    return _negated(_least([_negated(pair) for pair in pairs]))


def _absolute(pairs: list[Bounds]) -> Bounds:
    low, high = pairs[0]
    if low is None or high is None:
        return 0, None
    return max(0, low, -high), max(abs(low), abs(high))


# ---------------------------------------------------------------- values


def compute(
    name: OpName,
    values: tuple[Value, ...],
    type_: Type,
    args: Sequence[C.Expr],
    kind: C.Kind | None,
) -> Value | None:
    """The value of an operation for given ones; None where it needs state, has none, or leaves what numbers should reach."""
    operation = OPERATIONS[name]
    if operation.value is not None:
        return operation.value(Given(values, type_, args, kind))
    if operation.numbers is None or tuple in map(type, values):
        return None
    if operation.may_fail and values[1] == 0:
        return None  # of these only what divides
    value = operation.numbers(*values)
    return value if operation.bounds is None or abs(value) <= LIMIT else None


def _set(g: Given) -> Value | None:
    low = low_of(g.type.element) if isinstance(g.type, SetT) else 0
    return sum({1 << (v - low) for v in g.values if isinstance(v, int) and v >= low})


def _in(g: Given) -> Value | None:
    item, mask = g.values
    if not isinstance(item, int) or not isinstance(mask, int):
        return None
    return mask >> (item - g.low(1)) & 1 if item >= g.low(1) else 0


def _first(g: Given) -> Value | None:
    mask = g.values[0]
    if not isinstance(mask, int) or not mask:
        return None
    return (mask & -mask).bit_length() - 1 + g.low(0)


def _last(g: Given) -> Value | None:
    mask = g.values[0]
    return mask.bit_length() - 1 + g.low(0) if isinstance(mask, int) and mask else None


def _rest(g: Given) -> Value | None:
    mask = g.values[0]
    return mask & (mask - 1) if isinstance(mask, int) and mask else None


def _place(g: Given) -> Value | None:
    found = 0
    for i, arg in enumerate(g.args):
        t, value = arg.type, _int(g, i)
        if not isinstance(t, KindT | IntT):
            return None
        size, value = count_of(t) or 0, value - low_of(t)
        if not 0 <= value < size:
            return None
        found = found * size + value
    return found


def _list(g: Given) -> Value | None:
    return tuple(v for v in g.values if isinstance(v, int))


def _at(g: Given) -> Value | None:
    items, place = g.values
    if isinstance(items, tuple) and isinstance(place, int) and 1 <= place <= len(items):
        return items[place - 1]
    return None


def _position(g: Given) -> Value | None:
    item, items = g.values
    if not isinstance(items, tuple) or not isinstance(item, int):
        return None
    return items.index(item) + 1 if item in items else 0


def _changed(g: Given, place: int | None) -> Value | None:
    """A list with an entry more, at its end or before a place counted from 1, or with the one at a place left out."""
    items = g.values[0]
    assert isinstance(items, tuple) and isinstance(g.type, ListT)
    if place == 1:
        at = _int(g, 1)
        return items[: at - 1] + items[at:] if 1 <= at <= len(items) else None
    at = len(items) + 1 if place is None else _int(g, place)
    fits = g.type.limit is None or len(items) < g.type.limit
    return (
        (*items[: at - 1], _int(g, 1), *items[at - 1 :])
        if fits and 1 <= at <= len(items) + 1
        else None
    )


def _replaced(g: Given) -> Value | None:
    """A list with another entry at a place counted from 0."""
    items, at = g.values[0], _int(g, 2)
    assert isinstance(items, tuple)
    return (*items[:at], _int(g, 1), *items[at + 1 :])


def _entry(g: Given) -> Value | None:
    """The entry at a place counted from 0."""
    items, at = g.values[0], _int(g, 1)
    assert isinstance(items, tuple)
    return items[at] if 0 <= at < len(items) else None


def _slice(g: Given) -> Value | None:
    """The entries from one place to another, as far as there are any."""
    items = g.values[0]
    assert isinstance(items, tuple)
    return items[max(0, _int(g, 1) - 1) : max(0, _int(g, 2))]


def _joined(g: Given) -> Value | None:
    a, b = g.values
    assert isinstance(a, tuple) and isinstance(b, tuple)
    return a + b


def _next(g: Given) -> Value | None:
    return (_int(g, 0) + 1) % g.type.size if isinstance(g.type, KindT) else None


def _clockwise(g: Given) -> Value | None:
    seats = g.args[0].type
    return (_int(g, 1) - _int(g, 0)) % seats.size if isinstance(seats, KindT) else None


def _int(g: Given, arg: int) -> int:
    value = g.values[arg]
    assert isinstance(value, int)
    return value


def _distance(g: Given) -> Value | None:
    a, b = _int(g, 0), _int(g, 1)
    return distances(g.kind)[a][b] if g.kind is not None and a >= 0 and b >= 0 else None


def _walks(g: Given) -> Value | None:
    start, steps = _int(g, 0), _int(g, 1)
    return walks(g.kind, start, steps) if g.kind is not None and start >= 0 else None


def _size_list(g: Given) -> Value | None:
    return len(g.values[0]) if isinstance(g.values[0], tuple) else None


# ---------------------------------------------------------------- types of results


def _element(args: Sequence[C.Expr], _: KindT) -> Type:
    t = args[0].type
    return t.element if isinstance(t, SetT) else BAD


def _place_in(args: Sequence[C.Expr], _: KindT) -> Type:
    t = args[1].type
    return IntT(0, t.limit) if isinstance(t, ListT) else BAD


# ---------------------------------------------------------------- the table


def _compared(sign: str, test: Callable[[int, int], bool]) -> Operation:
    return Operation(2, lambda a, b: int(test(a, b)), infix=(sign, COMPARE))


OPERATIONS: dict[OpName, Operation] = {
    "+": Operation(2, lambda a, b: a + b, bounds=_plus, infix=("+", SUM)),
    "-": Operation(
        2, lambda a, b: a - b, bounds=lambda p: _plus([p[0], _negated(p[1])]), infix=("-", SUM)
    ),
    "*": Operation(2, lambda a, b: a * b, bounds=_times, infix=("*", TERM)),
    "//": Operation(2, lambda a, b: a // b, bounds=_quotient, may_fail=True, infix=("//", TERM)),
    "%": Operation(2, lambda a, b: a % b, bounds=_remainder, may_fail=True, infix=("%", TERM)),
    "neg": Operation(1, lambda a: -a, bounds=lambda p: _negated(p[0])),
    "min": Operation(2, min, bounds=_least, function=Function("min", ("number", "number"), many=True)),
    "max": Operation(2, max, bounds=_greatest, function=Function("max", ("number", "number"), many=True)),
    "abs": Operation(1, abs, bounds=_absolute, function=Function("abs", ("number",))),
    "sign": Operation(
        1, lambda a: (a > 0) - (a < 0), bounds=_sign, function=Function("sign", ("number",))
    ),
    "clamp": Operation(
        3, lambda a, low, high: max(low, min(a, high)), bounds=lambda p: (p[1][0], p[2][1]), function=Function("clamp", ("number",) * 3),
    ),
    "and": Operation(2, infix=("and", AND)),
    "or": Operation(2, infix=("or", OR)),
    "not": Operation(1, lambda a: int(not a)),
    "if": Operation(3),
    "==": _compared("==", lambda a, b: a == b),
    "!=": _compared("!=", lambda a, b: a != b),
    "<": _compared("<", lambda a, b: a < b),
    "<=": _compared("<=", lambda a, b: a <= b),
    ">": _compared(">", lambda a, b: a > b),
    ">=": _compared(">=", lambda a, b: a >= b),
    "union": Operation(2, lambda a, b: a | b, infix=("|", SUM)),
    "intersect": Operation(2, lambda a, b: a & b, infix=("&", TERM)),
    "minus": Operation(2, lambda a, b: a & ~b, infix=("-", SUM)),
    "in": Operation(2, value=_in, infix=("in", COMPARE)),
    "meets": _compared("meets", lambda a, b: a & b != 0),
    "within": _compared("within", lambda a, b: a & ~b == 0),
    "size_set": Operation(1, lambda a: a.bit_count(), written="size"),
    "set": Operation(None, value=_set),
    "the_first": Operation(1, value=_first, may_fail=True, function=Function("first_of", ("set",), _element)),
    "first": Operation(1, value=_first, may_fail=True),
    "last": Operation(1, value=_last, may_fail=True),
    "rest": Operation(1, value=_rest, may_fail=True),
    "later": Operation(2, lambda a, n: a << n),
    "sooner": Operation(2, lambda a, n: a >> n),
    "in_list": Operation(
        2, value=lambda g: None if (at := _position(g)) is None else int(at != 0), infix=("in", COMPARE)
    ),
    "size_list": Operation(1, value=_size_list, written="size"),
    "list": Operation(None, value=_list),
    "at": Operation(2, value=_at, may_fail=True),
    "entry": Operation(2, value=_entry, may_fail=True),
    "position": Operation(2, value=_position, function=Function("position", ("element", "list"), _place_in)),
    "appended": Operation(2, value=lambda g: _changed(g, None), may_fail=True),
    "inserted": Operation(3, value=lambda g: _changed(g, 2), may_fail=True),
    "removed": Operation(2, value=lambda g: _changed(g, 1), may_fail=True),
    "replaced": Operation(3, value=_replaced),
    "slice": Operation(3, value=_slice),
    "joined": Operation(2, value=_joined, infix=("+", SUM)),
    "filled": Operation(2, value=lambda g: (_int(g, 0),) * _int(g, 1)),
    "zone_count": Operation(2),
    "zone_size": Operation(1, written="size"),
    "zone_kinds": Operation(1, written="kinds"),
    "standing": Operation(0, of_kind=True),
    "is_none": Operation(1, lambda a: int(a < 0)),
    "distance": Operation(2, value=_distance, of_kind=True),
    "walks": Operation(2, value=_walks, of_kind=True),
    "next": Operation(1, value=_next),
    "clockwise": Operation(2, value=_clockwise, function=Function("clockwise", ("player", "player"), lambda _, seats: IntT(0, seats.size - 1))),
    "player": Operation(1, value=lambda g: g.values[0], may_fail=True, function=Function("player", ("participant",), lambda _, seats: seats)),
    "place": Operation(None, value=_place),
    "mixed": Operation(2),
    "checked": Operation(1, may_fail=True),
}  # fmt: skip

FUNCTIONS: dict[str, tuple[OpName, Function]] = {
    operation.function.name: (name, operation.function)
    for name, operation in OPERATIONS.items()
    if operation.function is not None
}
