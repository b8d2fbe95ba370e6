"""Arrays of numbers for compiled engines: the functions of arrays.py, with machine words side by side.

A native build puts this file in the place of arrays.py. Seen from Python such an array is a sequence that can be changed in
place, but not a list, and it can't be cut or extended.
"""

from __future__ import annotations

from typing import TypeAlias

from librt.vecs import vec
from mypy_extensions import i64

Ints: TypeAlias = "vec[i64]"


def ints(values: list[int]) -> Ints:
    """An array of these numbers."""
    return vec[i64](values)


def int_rows(values: list[list[int]]) -> list[Ints]:
    """A list of arrays."""
    return [ints(row) for row in values]


def repeated(value: i64, length: i64) -> Ints:
    """An array with one number in all places."""
    return vec[i64]([value] * length)
