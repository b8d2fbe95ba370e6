"""Types of the low-level program → types of C: how wide a value is in the state, in a table, and while it is worked with.

While it is worked with, a number is a whole word, a set so many words as it needs, a list a struct with room for its entries. In
the state and in tables a number is as narrow as its range.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from rulewright.compiler.low import machine_types as T

SIZES = (8, 16, 32, 64)
WORD_BITS = 64


def words(t: T.Type) -> int:
    """How many words a set or zone needs; one for everything else."""
    if not isinstance(t, T.Set | T.Zone):
        return 1
    return max(1, -(-T.bits(t) // WORD_BITS))


def set_type(n: int) -> str:
    """A set of n words."""
    return "uint64_t" if n == 1 else f"rw_set{n}"


@dataclass(frozen=True, slots=True)
class Cell:
    """How one value is kept in the state or a table: a number (`i`), or a set (`u`), of so many bits, in so many words."""

    sign: str
    bits: int
    words: int = 1

    @property
    def c(self) -> str:
        if self.words > 1:
            return set_type(self.words)
        return f"{'int' if self.sign == 'i' else 'uint'}{self.bits}_t"

    @property
    def name(self) -> str:
        return f"s{self.words}" if self.words > 1 else f"{self.sign}{self.bits}"


def number_cell(low: int | None, high: int | None) -> Cell:
    """The narrowest number with this range."""
    if low is None or high is None:
        return Cell("i", 64)
    for bits in SIZES:
        if -(1 << (bits - 1)) <= low and high < 1 << (bits - 1):
            return Cell("i", bits)
    return Cell("i", 64)


def cell(t: T.Type, also: Iterable[int] = ()) -> Cell:
    """How a value of this type is kept; `also` are values that it must hold beside its range."""
    match t:
        case T.Bool():
            return Cell("i", 8)
        case T.Int() if t == T.PC:
            # what is kept is a number of the dispatcher, never the one that says that a decision is forced
            return Cell("i", 32)
        case T.Int(low, high):
            if low is None or high is None:
                return Cell("i", 64)
            return (
                number_cell(min(low, *also), max(high, *also)) if also else number_cell(low, high)
            )
        case T.Set() | T.Zone():
            n = words(t)
            if n > 1:
                return Cell("u", 64, n)
            return Cell("u", next(b for b in SIZES if T.bits(t) <= b))
        case T.Items() | T.Rows() | T.Array() | T.Text():
            raise AssertionError(f"no cell for {t}")
        case _:
            assert_never(t)


@dataclass(frozen=True, slots=True)
class Items:
    """A list with room for so many entries."""

    cell: Cell
    room: int

    @property
    def c(self) -> str:
        return f"rw_list_{self.cell.name}_{self.room}"

    def declared(self) -> str:
        return f"typedef struct {{ int32_t n; {self.cell.c} a[{max(1, self.room)}]; }} {self.c};"


def items(t: T.Items, longest: int) -> Items:
    """`longest` is what a list can hold whose length nothing limits."""
    return Items(cell(t.element), longest if t.limit is None else t.limit)


def literal(value: int) -> str:
    """A number of C."""
    if value == -(1 << 63):
        return "INT64_MIN"
    if -(1 << 31) < value < 1 << 31:
        return str(value) if value >= 0 else f"({value})"
    return f"INT64_C({value})" if value >= 0 else f"(INT64_C({value}))"


def set_literal(value: int, n: int) -> str:
    """A set of n words."""
    parts = [value >> WORD_BITS * i & (1 << WORD_BITS) - 1 for i in range(n)]
    if n == 1:
        return f"UINT64_C({parts[0]:#x})" if parts[0] > 9 else f"UINT64_C({parts[0]})"
    return f"(({set_type(n)}){{{{{', '.join(f'UINT64_C({p:#x})' for p in parts)}}}}})"
