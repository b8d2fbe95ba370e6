"""The types of the low-level program: how large every number, set, list and array can be.

They say what a machine needs to know and nothing of the rules: a member of a kind is a number, a truth value in the state is a
number, a set is so many bits, a zone so many bits for each copy. A printer finds here how wide a value is and never guesses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rulewright.compiler.flow.slots import ONE_WORD

# sets and zones up to so many bits fit into one number of the machine, with room for a sign
WORD = ONE_WORD


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number between two bounds, inclusive; None: nothing is known on that side, but what 2**62 allows."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Bool:
    """A truth value. In the state it is kept as a number, 0 or 1."""


@dataclass(frozen=True, slots=True)
class Set:
    """A set of so many possible members: bit 0 stands for the member `base`."""

    size: int
    base: int = 0


@dataclass(frozen=True, slots=True)
class Zone:
    """A multiset of pieces: bit k + kinds * c says that there are more than c pieces of kind k."""

    kinds: int
    copies: int


@dataclass(frozen=True, slots=True)
class Items:
    """A list that grows and is never changed in place, with so many entries at most (None: not known)."""

    element: Int | Set
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Array:
    """So many entries side by side; those of the state are changed in place."""

    element: Int | Bool | Set | Zone | Items | Text | Array
    length: int


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of rows of numbers, each so wide: what is put in order by all entries but the last.

    0 stands for rows of any width, -1 for the lines of the story: a seat and a text. `most`: how many there may be, if that is known.
    """

    width: int
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """Words for people; only the full flavour has them."""


Type: TypeAlias = Int | Bool | Set | Zone | Items | Array | Rows | Text
INT = Int()
BOOL = Bool()
TEXT = Text()
FLAG = Int(0, None)  # zero or not
ANY_ROWS = Rows(0)
NO_SET = Set(0)
PC = Int(-1, 1 << 40)  # a number of the dispatcher, or what says that a decision is forced


def bits(t: Set | Zone) -> int:
    """How many bits a set or zone may need."""
    return t.size if isinstance(t, Set) else t.kinds * (t.copies + 1)


def is_wide(t: Type) -> bool:
    """Whether a value may need more than one number of the machine."""
    return isinstance(t, Set | Zone) and bits(t) > WORD


def show(t: Type) -> str:
    """A type as the printed program has it."""
    if t == PC:
        return "point"
    match t:
        case Int(low, high):
            return f"int {'' if low is None else low}..{'' if high is None else high}"
        case Bool():
            return "bool"
        case Set(size, base):
            return f"set {size}" + (f" from {base}" if base else "")
        case Zone(kinds, copies):
            return f"zone {kinds} x {copies}"
        case Items(element, limit):
            return f"list {'' if limit is None else limit} of {show(element)}".replace("  ", " ")
        case Array(element, length):
            return f"array {length} of {show(element)}"
        case Rows(width, most):
            return f"rows {width}" + ("" if most is None else f" up to {most}")
        case Text():
            return "text"
