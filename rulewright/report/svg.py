"""Numbers → plots: histograms, bars with intervals, stacked bars, lines. They are data here; a template prints them as SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10

from rulewright.runtime.plain import plain
from rulewright.scene.colours import luminance, shade

COLOURS = ("#3566a8", "#d1702e", "#3f8f4f", "#b03a48", "#7b5aa6", "#80725a", "#2f9c9c", "#c7a12f")
_BRIGHT, _PALE = 0.8, "#b8b8b8"
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 14, 40


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def named_colour(name: str, number: int) -> str:
    """The colour that a name is, such as Green; else one by number."""
    found = shade(name.strip())
    if found is None:
        return colour(number)
    # what is nearly as bright as the page could not be seen on it
    return found.light if luminance(found.light) < _BRIGHT else _PALE


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
class Element:
    """A part of a plot: a tag with attributes, text in it, what shows on hovering, and the parts inside."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    hover: str = ""
    parts: list[Element] = field(default_factory=list)


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
    ) -> list[Element]:
        bottom = self.height - _BOTTOM
        out = [_line(_LEFT, bottom, self.width - _RIGHT, bottom, "axis")]
        for t in ticks(*self.y):
            y = self.at_y(t)
            shown = f"{100 * t:.0f} %" if percent else number(t)
            out.append(_line(_LEFT, y, self.width - _RIGHT, y, "grid"))
            out.append(_text(_LEFT - 6, y + 4, shown, "end"))
        for t in ticks(*self.x) if x_ticks else ():
            out.append(_text(self.at_x(t), bottom + 16, number(t), "middle"))
        out.append(_text((self.width + _LEFT) / 2, self.height - 6, x_title, "middle"))
        turned = f"translate(12 {self.height / 2:.0f}) rotate(-90)"
        out.append(Element("text", {"transform": turned, "text-anchor": "middle"}, text=y_title))
        return out

    def svg(self, parts: list[Element], title: str) -> Element:
        box = f"0 0 {self.width} {self.height}"
        told = {"viewBox": box, "role": "img", "aria-label": plain(title)}
        return Element("svg", told, hover=title, parts=parts)


def _at(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Element:
    ends = {"x1": _at(x1), "y1": _at(y1), "x2": _at(x2), "y2": _at(y2)}
    return Element("line", {**ends, "class": class_})


def _text(x: float, y: float, text: str, anchor: str) -> Element:
    return Element("text", {"x": _at(x), "y": _at(y), "text-anchor": anchor}, text=text)


# ---------------------------------------------------------------- plots


def histogram(
    series: Sequence[tuple[str, dict[int, int]]], title: str, x_title: str
) -> Element | None:
    """Whole numbers and how often they came, as shares, one outline for each series."""
    values = [v for _, counts in series for v in counts]
    if not values:
        return None
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
        look = {
            "fill": colour(i),
            "fill-opacity": ".22",
            "stroke": colour(i),
            "stroke-width": "1.5",
        }
        parts.append(Element("polygon", {"points": " ".join(points), **look}))
    return frame.svg(parts, title)


def shares(
    rows: Sequence[tuple[str, float, float, float]],
    title: str,
    even: float | None,
    colours: Sequence[str] | None = None,
) -> Element:
    """A share with its interval for each row, and a line for what would be even."""
    top = min(1.0, max([r[3] for r in rows] + [even or 0.0]) * 1.1 + 0.01)

    def short(share: float) -> str:
        return f"{100 * share:.0f} %"

    def told(share: float, low: float, high: float) -> str:
        return f"{100 * share:.1f} % ({100 * low:.1f}–{100 * high:.1f})"

    return _intervals(rows, title, (0.0, top), even, colours, (short, told))


def ratings(rows: Sequence[tuple[str, float, float, float]], title: str) -> Element:
    """A rating with its interval for each row, and a line at 0; an interval without an end goes to the edge."""
    ends = [x for row in rows for x in row[1:] if abs(x) != float("inf")]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    space = (high - low) * 0.08 or 1.0
    span = (low - space, high + space)
    clipped = [(n, v, max(a, span[0]), min(b, span[1])) for n, v, a, b in rows]

    def short(rating: float) -> str:
        return number(rating)

    def told(rating: float, low: float, high: float) -> str:
        return f"{rating:.0f} ({low:.0f} … {high:.0f})"

    return _intervals(clipped, title, span, 0.0, None, (short, told))


def _intervals(
    rows: Sequence[tuple[str, float, float, float]],
    title: str,
    span: tuple[float, float],
    even: float | None,
    colours: Sequence[str] | None,
    texts: tuple[Callable[[float], str], Callable[[float, float, float], str]],
) -> Element:
    """A point with its interval for each row, and a line for what would be even."""
    height = _TOP + _BOTTOM + 34 * len(rows)
    frame = Frame(720, height, span, (0.0, 1.0))
    left = 150
    short, long = texts
    parts: list[Element] = []

    def at(value: float) -> float:
        return left + (value - span[0]) / (span[1] - span[0]) * (720 - left - 70)

    for t in ticks(*span):
        parts.append(_line(at(t), _TOP, at(t), height - _BOTTOM, "grid"))
        parts.append(_text(at(t), height - _BOTTOM + 16, short(t), "middle"))
    if even is not None:
        parts.append(_line(at(even), _TOP, at(even), height - _BOTTOM, "even"))
    for i, (name, share, low, high) in enumerate(rows):
        drawn = colour(i) if colours is None else colours[i]
        y = _TOP + 34 * i + 17
        told = long(share, low, high)
        parts.append(_text(left - 10, y + 4, name, "end"))
        ends = {"x1": _at(at(low)), "y1": _at(y), "x2": _at(at(high)), "y2": _at(y)}
        bar = Element("line", {**ends, "stroke": drawn, "stroke-width": "3"})
        dot = {"cx": _at(at(share)), "cy": _at(y), "r": "5", "fill": drawn}
        parts.append(Element("g", {}, hover=f"{name}: {told}", parts=[bar, Element("circle", dot)]))
        parts.append(_text(at(high) + 8, y + 4, told.partition(" (")[0], "start"))
    return frame.svg(parts, title)


def stacked(
    rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str], title: str
) -> Element:
    """A bar for each row, made of parts; parts below zero go to the left."""
    left, line = 150, 34
    height = _TOP + _BOTTOM + line * len(rows)
    high = max([sum(v for v in values if v > 0) for _, values in rows] + [1e-9])
    low = min([sum(v for v in values if v < 0) for _, values in rows] + [0.0])
    frame = Frame(720, height, (low, high), (0, 1))
    parts: list[Element] = []

    def at(value: float) -> float:
        return left + (value - low) / (high - low) * (720 - left - 60)

    for t in ticks(low, high):
        parts.append(_line(at(t), _TOP, at(t), height - _BOTTOM, "grid"))
        parts.append(_text(at(t), height - _BOTTOM + 16, number(t), "middle"))
    for i, (name, values) in enumerate(rows):
        y = _TOP + line * i + 5
        parts.append(_text(left - 10, y + 16, name, "end"))
        right, below = 0.0, 0.0
        for k, value in enumerate(values):
            start = right if value >= 0 else below + value
            told = f"{name}, {names[k]}: {value:.2f}"
            if value:
                box = {"x": _at(at(start)), "y": _at(y), "width": _at(abs(at(value) - at(0)))}
                shape = {**box, "height": _at(line - 12), "fill": colour(k)}
                parts.append(Element("rect", shape, hover=told))
            if value >= 0:
                right += value
            else:
                below += value
        parts.append(_text(at(right) + 6, y + 16, f"{sum(values):.1f}", "start"))
    return frame.svg(parts, title)


def lines(
    series: Sequence[tuple[str, Sequence[float]]],
    title: str,
    x_title: str,
    y_title: str,
    marks: Sequence[float] = (),
) -> Element | None:
    """Values step by step, one line for each series; broken lines at the marks."""
    values = [v for _, points in series for v in points]
    if not values:
        return None
    count = max(len(points) for _, points in series)
    low, high = min(0.0, *values, *marks), max(0.0, *values, *marks)
    space = (high - low) * 0.06 or 1.0
    frame = Frame(720, 300, (1, max(2, count)), (low - space, high + space))
    parts = frame.axes(x_title, y_title)
    parts.append(_line(_LEFT, frame.at_y(0), 720 - _RIGHT, frame.at_y(0), "axis"))
    for mark in marks:
        parts.append(_line(_LEFT, frame.at_y(mark), 720 - _RIGHT, frame.at_y(mark), "even"))
    for i, (name, points) in enumerate(series):
        path = " ".join(
            f"{frame.at_x(k + 1):.1f},{frame.at_y(v):.1f}" for k, v in enumerate(points)
        )
        look = {"fill": "none", "stroke": colour(i), "stroke-width": "2"}
        parts.append(Element("polyline", {"points": path, **look}, hover=name))
    return frame.svg(parts, title)


def differences(rows: Sequence[tuple[str, float, float, float]], title: str) -> Element:
    """Differences with their intervals, one below the other, around a line at nought."""
    low = min(0.0, *(row[2] for row in rows))
    high = max(0.0, *(row[3] for row in rows))
    width, left, line = 720, 220, 26
    height = line * len(rows) + 40

    def at(value: float) -> float:
        return left + (value - low) / ((high - low) or 1) * (width - left - 20)

    parts = []
    for t in ticks(low, high):
        parts += [
            _line(at(t), 6, at(t), height - 24, "grid"),
            _text(at(t), height - 8, number(t), "middle"),
        ]
    parts.append(_line(at(0), 4, at(0), height - 24, "axis"))
    for i, (name, value, least, most) in enumerate(rows):
        y = 18 + i * line
        clear = least > 0 or most < 0
        shade_ = colour(0) if clear else "#9a9a9a"
        told = f"{name}: {value:+.2f} ({least:+.2f} to {most:+.2f})"
        parts.append(_text(left - 8, y + 4, plain(name), "end"))
        bar = {"x1": _at(at(least)), "x2": _at(at(most)), "y1": _at(y), "y2": _at(y)}
        parts.append(Element("line", {**bar, "stroke": shade_, "stroke-width": "3"}, hover=told))
        dot = {"cx": _at(at(value)), "cy": _at(y), "r": "5", "fill": shade_}
        parts.append(Element("circle", dot, hover=told))
    frame = {"viewBox": f"0 0 {width} {height}", "role": "img", "aria-label": plain(title)}
    return Element("svg", frame, hover=title, parts=parts)
