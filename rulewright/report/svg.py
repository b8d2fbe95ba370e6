"""Numbers → plots as SVG text: histograms, bars with intervals, stacked bars, lines. No library, nothing loaded from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

COLOURS = ("#3566a8", "#d1702e", "#3f8f4f", "#b03a48", "#7b5aa6", "#80725a", "#2f9c9c", "#c7a12f")
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 14, 40


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high."""
    if high <= low:
        high = low + 1
    rough = (high - low) / most
    size = 10.0 ** floor(log10(rough))
    step = next(m * size for m in (1, 2, 5, 10) if m * size >= rough)
    first = ceil(low / step)
    return [i * step for i in range(first, floor(high / step + 1e-9) + 1)]


def number(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.4g}"


@dataclass(slots=True)
class Frame:
    """A plot's area with its scales."""

    width: int
    height: int
    x: tuple[float, float]
    y: tuple[float, float]

    def at_x(self, value: float) -> float:
        low, high = self.x
        return _LEFT + (value - low) / ((high - low) or 1) * (self.width - _LEFT - _RIGHT)

    def at_y(self, value: float) -> float:
        low, high = self.y
        return (
            self.height
            - _BOTTOM
            - (value - low) / ((high - low) or 1) * (self.height - _TOP - _BOTTOM)
        )

    def axes(
        self, x_title: str, y_title: str, *, x_ticks: bool = True, percent: bool = False
    ) -> list[str]:
        bottom = self.height - _BOTTOM
        out = [
            f'<line x1="{_LEFT}" y1="{bottom}" x2="{self.width - _RIGHT}" y2="{bottom}" class="axis"/>'
        ]
        for t in ticks(*self.y):
            y = self.at_y(t)
            shown = f"{100 * t:.0f} %" if percent else number(t)
            out.append(
                f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{self.width - _RIGHT}" y2="{y:.1f}" class="grid"/>'
            )
            out.append(_text(_LEFT - 6, y + 4, shown, "end"))
        for t in ticks(*self.x) if x_ticks else ():
            out.append(_text(self.at_x(t), bottom + 16, number(t), "middle"))
        out.append(_text((self.width + _LEFT) / 2, self.height - 6, x_title, "middle"))
        out.append(
            f'<text transform="translate(12 {self.height / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(y_title)}</text>'
        )
        return out

    def svg(self, parts: list[str], title: str) -> str:
        return (
            f'<svg viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(title, quote=True)}">'
            f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
        )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _hover(text: str) -> str:
    return f"<title>{escape(text)}</title>"


# ---------------------------------------------------------------- plots


def histogram(series: Sequence[tuple[str, dict[int, int]]], title: str, x_title: str) -> str:
    """Whole numbers and how often they came, as shares, one outline for each series."""
    values = [v for _, counts in series for v in counts]
    if not values:
        return ""
    low, high = min(values), max(values)
    step = max(1, ceil((high - low + 1) / 40))
    bins: list[dict[int, float]] = []
    for _, counts in series:
        total = sum(counts.values())
        own: dict[int, float] = {}
        for value, n in counts.items():
            own[(value - low) // step] = own.get((value - low) // step, 0.0) + n / total
        bins.append(own)
    top = max(max(b.values()) for b in bins)
    last = (high - low) // step
    frame = Frame(720, 300, (low, low + (last + 1) * step), (0.0, top * 1.08))
    parts = frame.axes(x_title, "share of games", percent=True)
    for i, own in enumerate(bins):
        points = [f"{frame.at_x(low):.1f},{frame.at_y(0):.1f}"]
        for b in range(last + 1):
            y = frame.at_y(own.get(b, 0.0))
            points += [
                f"{frame.at_x(low + b * step):.1f},{y:.1f}",
                f"{frame.at_x(low + (b + 1) * step):.1f},{y:.1f}",
            ]
        points.append(f"{frame.at_x(low + (last + 1) * step):.1f},{frame.at_y(0):.1f}")
        parts.append(
            f'<polygon points="{" ".join(points)}" fill="{colour(i)}" fill-opacity=".22" stroke="{colour(i)}" stroke-width="1.5"/>'
        )
    return frame.svg(parts, title)


def shares(rows: Sequence[tuple[str, float, float, float]], title: str, even: float | None) -> str:
    """A point with its interval for each row, and a line for what would be even."""
    height = _TOP + _BOTTOM + 34 * len(rows)
    top = min(1.0, max([r[3] for r in rows] + [even or 0.0]) * 1.1 + 0.01)
    frame = Frame(720, height, (0.0, top), (0.0, 1.0))
    left = 150
    parts: list[str] = []

    def at(value: float) -> float:
        return left + value / top * (720 - left - 70)

    for t in ticks(0, top):
        parts.append(
            f'<line x1="{at(t):.1f}" y1="{_TOP}" x2="{at(t):.1f}" y2="{height - _BOTTOM}" class="grid"/>'
        )
        parts.append(_text(at(t), height - _BOTTOM + 16, f"{100 * t:.0f} %", "middle"))
    if even is not None:
        parts.append(
            f'<line x1="{at(even):.1f}" y1="{_TOP}" x2="{at(even):.1f}" y2="{height - _BOTTOM}" class="even"/>'
        )
    for i, (name, share, low, high) in enumerate(rows):
        y = _TOP + 34 * i + 17
        told = f"{name}: {100 * share:.1f} % ({100 * low:.1f}–{100 * high:.1f})"
        parts.append(_text(left - 10, y + 4, name, "end"))
        parts.append(
            f'<g>{_hover(told)}<line x1="{at(low):.1f}" y1="{y}" x2="{at(high):.1f}" y2="{y}" stroke="{colour(i)}" stroke-width="3"/>'
            f'<circle cx="{at(share):.1f}" cy="{y}" r="5" fill="{colour(i)}"/></g>'
        )
        parts.append(_text(at(high) + 8, y + 4, f"{100 * share:.1f} %", "start"))
    return frame.svg(parts, title)


def stacked(rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str], title: str) -> str:
    """A bar for each row, made of parts; parts below zero go to the left."""
    left, line = 150, 34
    height = _TOP + _BOTTOM + line * len(rows)
    high = max([sum(v for v in values if v > 0) for _, values in rows] + [1e-9])
    low = min([sum(v for v in values if v < 0) for _, values in rows] + [0.0])
    frame = Frame(720, height, (low, high), (0, 1))
    parts: list[str] = []

    def at(value: float) -> float:
        return left + (value - low) / (high - low) * (720 - left - 60)

    for t in ticks(low, high):
        parts.append(
            f'<line x1="{at(t):.1f}" y1="{_TOP}" x2="{at(t):.1f}" y2="{height - _BOTTOM}" class="grid"/>'
        )
        parts.append(_text(at(t), height - _BOTTOM + 16, number(t), "middle"))
    for i, (name, values) in enumerate(rows):
        y = _TOP + line * i + 5
        parts.append(_text(left - 10, y + 16, name, "end"))
        right, below = 0.0, 0.0
        for k, value in enumerate(values):
            start = right if value >= 0 else below + value
            told = f"{name}, {names[k]}: {value:.2f}"
            if value:
                parts.append(
                    f'<rect x="{at(start):.1f}" y="{y}" width="{abs(at(value) - at(0)):.1f}" height="{line - 12}" fill="{colour(k)}">{_hover(told)}</rect>'
                )
            if value >= 0:
                right += value
            else:
                below += value
        parts.append(_text(at(right) + 6, y + 16, f"{sum(values):.1f}", "start"))
    return frame.svg(parts, title)


def lines(
    series: Sequence[tuple[str, Sequence[float]]], title: str, x_title: str, y_title: str
) -> str:
    """Values step by step, one line for each series."""
    values = [v for _, points in series for v in points]
    if not values:
        return ""
    count = max(len(points) for _, points in series)
    low, high = min(0.0, *values), max(0.0, *values)
    space = (high - low) * 0.06 or 1.0
    frame = Frame(720, 300, (1, max(2, count)), (low - space, high + space))
    parts = frame.axes(x_title, y_title)
    parts.append(
        f'<line x1="{_LEFT}" y1="{frame.at_y(0):.1f}" x2="{720 - _RIGHT}" y2="{frame.at_y(0):.1f}" class="axis"/>'
    )
    for i, (name, points) in enumerate(series):
        path = " ".join(
            f"{frame.at_x(k + 1):.1f},{frame.at_y(v):.1f}" for k, v in enumerate(points)
        )
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour(i)}" stroke-width="2">{_hover(name)}</polyline>'
        )
    return frame.svg(parts, title)


def legend(names: Sequence[str]) -> str:
    items = (
        f'<span class="key"><i style="background:{colour(i)}"></i>{escape(n)}</span>'
        for i, n in enumerate(names)
    )
    return f'<p class="legend">{"".join(items)}</p>'
