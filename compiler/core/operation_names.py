"""The names of operations, as types: a name that is none of these is a type error wherever it stands."""

from __future__ import annotations

from typing import Literal, TypeAlias

# numbers, truth and comparison; checked is the full flavour's own: a value that may be outside the bounds of its type
NumberOp: TypeAlias = Literal[
    "+", "-", "*", "//", "%", "neg", "min", "max", "abs", "clamp",
    "and", "or", "not", "if", "==", "!=", "<", "<=", ">", ">=", "is_none", "checked",
]  # fmt: skip
# sets, of pieces too; first and rest are the compiler's own, of a set that is not empty
SetOp: TypeAlias = Literal[
    "union", "intersect", "minus", "in", "meets", "within", "size_set", "set", "the_first", "first", "rest",
    "zone_size", "standing",
]  # fmt: skip
# lists, zones, graphs and seats; entry counts from 0 and is the compiler's own
OtherOp: TypeAlias = Literal[
    "in_list", "size_list", "list", "at", "entry", "position", "appended", "inserted", "removed", "zone_count", "zone_kinds",
    "distance", "walks", "next", "clockwise", "player",
]  # fmt: skip
OpName: TypeAlias = NumberOp | SetOp | OtherOp

CompName: TypeAlias = Literal[
    "any", "all", "count", "sum", "min", "max", "best", "sort", "groups", "set"
]
