"""Arrays of numbers with a fixed length, for state and tables: plain lists."""

from __future__ import annotations

from typing import TypeAlias

Ints: TypeAlias = list[int]


def ints(values: list[int]) -> Ints:
    """An array of these numbers."""
    return values


def int_rows(values: list[list[int]]) -> list[Ints]:
    """A list of arrays."""
    return values
