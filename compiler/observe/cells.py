"""A type of the rules, as JSON → how many numbers stand for a value of it, what they mean, and how they are scaled.

Kinds are one-hot, sets are bits, numbers are divided by the largest they can be (or usually are, where the spec says so), what may be none has a mark in front if it is a
number, and a list has a row for each of its places.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from rulewright.runtime.support import FINGERPRINT

Json = dict[str, Any]
# what a number without a bound is divided by
UNBOUNDED = 100


@dataclass(frozen=True, slots=True)
class Cells:
    """The numbers of one value: `axes` names each dimension of the shape, `scale` repeats over them."""

    shape: tuple[int, ...]
    axes: tuple[str, ...]
    low: float | None
    high: float | None
    scale: tuple[float, ...]
    words: str

    @property
    def size(self) -> int:
        return prod(self.shape)


def count(t: Json) -> int:
    """How many values a key or element has."""
    return int(t["high"] - t["low"] + 1 if t["t"] == "int" else t["size"])


def axis(t: Json) -> str:
    """What a dimension goes over."""
    return str(t["kind"]) if t["t"] == "kind" else f"{t['low']}..{t['high']}"


def number(low: int | None, high: int | None, words: str = "", usual: int = 0) -> Cells:
    """A number between two bounds, divided by the larger of them, or by what is usually the largest."""
    if low is None or high is None:
        most = usual or UNBOUNDED
        return Cells((), (), None, None, (1 / most,), words or f"divided by {most}")
    most = usual or max(abs(low), abs(high), 1)
    told = words or (f"{low}..{high}" if most == 1 else f"{low}..{high}, divided by {most}")
    return Cells((), (), min(0, low) / most, max(0, high) / most, (1 / most,), told)


def bits(size: int, name: str, words: str) -> Cells:
    return Cells((size,), (name,), 0, 1, (1.0,), words)


def cells(t: Json, usual: int = 0) -> Cells | None:
    """The numbers of a value; None for what can't be told by a fixed number of them."""
    match t["t"]:
        case "int" if (t["high"] or 0) >= FINGERPRINT:
            # it is the same or another; how great it is tells nothing
            return None
        case "int":
            return number(t["low"], t["high"], usual=usual)
        case "bool":
            return number(0, 1, "1 if so")
        case "kind":
            return bits(t["size"], axis(t), "one-hot")
        case "opt" if t["of"]["t"] == "kind":
            return bits(t["of"]["size"], axis(t["of"]), "one-hot, nothing for none")
        case "opt":
            inner = number(t["of"]["low"], t["of"]["high"], usual=usual)
            low = None if inner.low is None else min(0, inner.low)
            high = None if inner.high is None else max(1, inner.high)
            words = f"whether there is one, and which: {inner.words}"
            return Cells((2,), ("there, value",), low, high, (1.0, *inner.scale), words)
        case "set":
            return bits(count(t["of"]), axis(t["of"]), "a bit for each member")
        case "list" if t["limit"] is not None:
            of = t["of"]
            if cells(of) is None:
                return None
            one = {"t": "opt", "of": of} if of["t"] == "int" else of
            inner = cells(one, usual) or number(None, None)
            shape, axes = (t["limit"], *inner.shape), ("place", *inner.axes)
            words = f"by place in the list: {inner.words}"
            return Cells(shape, axes, inner.low, inner.high, inner.scale, words)
        case _:
            return None


def map_cells(t: Json, usual: int = 0) -> Cells | None:
    """The numbers of a map or of a single value."""
    if t["t"] != "map":
        return cells(t, usual)
    inner = map_cells(t["value"], usual)
    if inner is None:
        return None
    shape, axes = (count(t["key"]), *inner.shape), (axis(t["key"]), *inner.axes)
    return Cells(shape, axes, inner.low, inner.high, inner.scale, inner.words)
