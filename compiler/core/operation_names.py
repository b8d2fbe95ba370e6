"""The names of operations, as types: a name that is none of these is a type error wherever it stands."""

from __future__ import annotations

from typing import Literal, TypeAlias

OpName: TypeAlias = Literal[
    # numbers
    "+", "-", "*", "//", "%", "neg", "min", "max", "abs", "clamp",
    # truth and comparison
    "and", "or", "not", "if", "==", "!=", "<", "<=", ">", ">=",
    # sets; first, last and rest are the compiler's own, of a set that is not empty
    "union", "intersect", "minus", "in", "meets", "within", "size_set", "set", "set_of_list", "the_first", "first", "last", "rest",
    # lists; entry counts from 0 and is the compiler's own
    "in_list", "size_list", "list", "at", "entry", "position",
    # zones, standing pieces, options
    "zone_count", "zone_size", "zone_kinds", "standing", "is_none",
    # graphs and seats
    "distance", "walks", "next", "clockwise", "player", "is_player",
    # the compiler's own: the number of a combination of values
    "place",
    # the full flavour's own: a value that may be outside the bounds of its type
    "checked",
]  # fmt: skip

CompName: TypeAlias = Literal[
    "any", "all", "count", "sum", "min", "max", "best", "sort", "groups", "set", "union"
]
