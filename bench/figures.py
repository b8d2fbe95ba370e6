"""What was measured in several rounds → one figure with its spread; and how figures are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """The median of several rounds, and the smallest and the largest of them."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        return {"median": self.value, "min": self.low, "max": self.high}


def figure(values: Sequence[float]) -> Figure:
    return Figure(median(values), min(values), max(values))


def number(value: float) -> str:
    """Three digits that count: 2.31 M, 231 k, 23.1, 0.231."""
    for limit, unit in ((1e6, " M"), (1e4, " k")):
        if value >= limit:
            return _digits(value / (1e6 if limit == 1e6 else 1e3)) + unit
    return f"{value:,.0f}" if value >= 1000 else _digits(value)


def _digits(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def duration(seconds: float) -> str:
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{_digits(seconds * factor)} {unit}"
    return f"{_digits(seconds)} s"


def size(count: float) -> str:
    """Bytes."""
    return f"{count:,.0f} B" if count < 10_000 else f"{count / 1024:,.0f} KiB"


def spread(found: Figure) -> str:
    """How far the rounds lie apart, in percent of the median."""
    if not found.value:
        return ""
    return f"-{1 - found.low / found.value:.0%} +{found.high / found.value - 1:.0%}"
