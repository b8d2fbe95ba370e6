"""The types of the rules language, after names have been resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class IntT:
    """A whole number between two bounds; None means that nothing is known on that side."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class BoolT:
    pass


@dataclass(frozen=True, slots=True)
class KindT:
    """A member of the kind `name`; `size` members."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class NoneT:
    """The type of `none` alone."""


@dataclass(frozen=True, slots=True)
class OptT:
    base: KindT | IntT


@dataclass(frozen=True, slots=True)
class SetT:
    element: KindT | IntT


@dataclass(frozen=True, slots=True)
class ListT:
    """A list; lists of sets are the compiler's own (what groups(…) gives)."""

    element: KindT | IntT | SetT
    limit: int | None


@dataclass(frozen=True, slots=True)
class RangeT:
    """The numbers from `low` to `high`, only good as a domain."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class GroupsT:
    """Sets of equals in order, what groups(…) gives; only good to go over."""

    element: KindT | IntT


@dataclass(frozen=True, slots=True)
class MapT:
    key: KindT | IntT
    value: Type


@dataclass(frozen=True, slots=True)
class ZoneT:
    """A multiset of the pieces of one family."""

    family: str


@dataclass(frozen=True, slots=True)
class TextT:
    pass


@dataclass(frozen=True, slots=True)
class BadT:
    """Stands where a type could not be found; fits everything, so that one mistake gives one message."""


Type: TypeAlias = (
    IntT | BoolT | KindT | NoneT | OptT | SetT | ListT | RangeT | GroupsT | MapT | ZoneT | TextT
    | BadT
)  # fmt: skip
BOOL = BoolT()
INT = IntT()
BAD = BadT()
NONE = NoneT()
TEXT = TextT()
LIMIT = 2**62


def count_of(element: KindT | IntT) -> int | None:
    """How many values an element type has, None if that is not bounded."""
    if isinstance(element, KindT):
        return element.size
    if element.low is None or element.high is None:
        return None
    return max(0, element.high - element.low + 1)


def low_of(element: KindT | IntT | SetT) -> int:
    """The value that stands at index 0 (bit 0 of a set, place 0 of a map)."""
    return element.low or 0 if isinstance(element, IntT) else 0


def show(t: Type) -> str:
    """A type in the words of the language."""
    match t:
        case IntT(None, None):
            return "int"
        case IntT(low, high):
            return f"{'' if low is None else low}..{'' if high is None else high}"
        case BoolT():
            return "bool"
        case KindT(name, _):
            return name
        case NoneT():
            return "none"
        case OptT(base):
            return f"{show(base)} or none"
        case SetT(element):
            return f"set of {show(element)}"
        case ListT(element, limit):
            return f"list of {show(element)}" + (f" max {limit}" if limit is not None else "")
        case RangeT(low, high):
            return f"range {'' if low is None else low}..{'' if high is None else high}"
        case GroupsT(element):
            return f"groups of {show(element)}"
        case MapT(key, value):
            return f"map {show(key)} to {show(value)}"
        case ZoneT(family):
            return f"zone of {family}"
        case TextT():
            return "text"
        case BadT():
            return "?"


def same(a: Type, b: Type) -> bool:
    """Whether values of a and b may be compared or stand for one another, bounds aside."""
    match a, b:
        case (BadT(), _) | (_, BadT()):
            return True
        case (IntT(), IntT()) | (BoolT(), BoolT()) | (NoneT(), NoneT()) | (TextT(), TextT()):
            return True
        case KindT(x, _), KindT(y, _):
            return x == y or {x, y} == {"Player", "Participant"}
        case (NoneT(), OptT()) | (OptT(), NoneT()):
            return True
        case OptT(x1), OptT(y1):
            return same(x1, y1)
        case SetT(e1), SetT(e2):
            # sets are masks: those of numbers must begin at the same one
            return same(e1, e2) and low_of(e1) == low_of(e2)
        case ListT(l1, _), ListT(l2, _):
            return same(l1, l2)
        case MapT(k1, v1), MapT(k2, v2):
            return same(k1, k2) and same(v1, v2)
        case ZoneT(z1), ZoneT(z2):
            return z1 == z2
        case _:  # others: two sorts of types
            pass
    return False


def fits(value: Type, target: Type) -> bool:
    """Whether a value of one type may go where the other is expected (bounds are checked apart)."""
    if isinstance(target, OptT):
        return isinstance(value, NoneT | BadT) or (
            fits(value.base, target.base) if isinstance(value, OptT) else fits(value, target.base)
        )
    if isinstance(value, KindT) and isinstance(target, KindT):
        # a player is a participant, but not the other way round
        return value.name == target.name or (value.name, target.name) == ("Player", "Participant")
    if isinstance(value, OptT) and not isinstance(target, BadT):
        return False
    if isinstance(value, SetT) and isinstance(target, SetT):
        low, high = value.element, target.element
        if isinstance(low, IntT) and isinstance(high, IntT):
            return low_of(low) == low_of(high) and (low.high or 0) <= (high.high or 0)
        return fits(low, high)
    if isinstance(value, ListT) and isinstance(target, ListT):
        return fits(value.element, target.element)
    return same(value, target)


def joined(a: SetT, b: SetT) -> SetT:
    """The type of what is in one set or the other, where the two fit together."""
    x, y = a.element, b.element
    if isinstance(x, IntT) and isinstance(y, IntT):
        return a if (x.high or 0) >= (y.high or 0) else b
    return a if fits(y, x) else b
