"""Shapes, icons, dice and tokens → SVG; what comes in is a number, a checked path or escaped text."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import escape

# where the pips of a die are, in a square of 24
_PIPS = {
    "a": (6.5, 6.5), "b": (17.5, 6.5), "c": (6.5, 12), "d": (12, 12), "e": (17.5, 12), "f": (6.5, 17.5), "g": (17.5, 17.5),
}  # fmt: skip
_FACES = {1: "d", 2: "bf", 3: "bdf", 4: "abfg", 5: "abdfg", 6: "abcefg"}


PATTERN_DEFS = (
    '<svg class="defs" aria-hidden="true" width="0" height="0"><defs>'
    '<pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="ink" width="2" height="6"/></pattern>'
    '<pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><circle class="ink" cx="3" cy="3" r="1.3"/></pattern>'
    '<pattern id="cross" width="7" height="7" patternUnits="userSpaceOnUse">'
    '<rect class="ink" width="1.4" height="7"/><rect class="ink" width="7" height="1.4"/></pattern></defs></svg>'
)


def number(value: float) -> str:
    """A number in as few characters as say it."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=8192)
def esc(text: str) -> str:
    """Text as it may stand in a document; the same words come again and again."""
    return str(escape(text))


def shape(kind: str, width: float, height: float, pattern: str | None = None) -> str:
    """A shape around 0, 0, filled in the colour of where it stands, with a pattern over it."""
    if pattern is not None:
        return _outline(kind, width, height, "f") + _outline(kind, width, height, f"p-{pattern}")
    return _outline(kind, width, height, "f")


def _outline(kind: str, width: float, height: float, name: str) -> str:
    w, h = width / 2, height / 2
    match kind:
        case "none":
            return ""
        case "circle":
            return f'<ellipse class="{name}" rx="{number(w)}" ry="{number(h)}"/>'
        case "diamond":
            points = [(0, -h), (w, 0), (0, h), (-w, 0)]
        case "triangle":
            points = [(0, -h), (w, h), (-w, h)]
        case "hex":
            points = [(0, -h), (w, -h / 2), (w, h / 2), (0, h), (-w, h / 2), (-w, -h / 2)]
        case _:
            round_off = min(width, height) * (0.08 if kind == "card" else 0.16)
            return (
                f'<rect class="{name}" x="{number(-w)}" y="{number(-h)}" width="{number(width)}" height="{number(height)}"'
                f' rx="{number(round_off)}"/>'
            )
    listed = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return f'<polygon class="{name}" points="{listed}"/>'


def text(
    words: str, size: float, x: float = 0, y: float = 0, kind: str = "t", anchor: str = "middle"
) -> str:
    """Words with their middle at a place."""
    at = f' x="{number(x)}"' if x else ""
    return (
        f'<text class="{kind}"{at} y="{number(y + size * 0.35)}" font-size="{number(size)}" text-anchor="{anchor}">'
        f"{esc(words)}</text>"
    )


def words(label: str, size: float, width: float, y: float = 0) -> str:
    """A label on something so wide; where it would be small, its words stand below each other."""
    parts = label.split()
    larger = width * 1.25 / max(map(len, parts), default=1)
    if not 2 <= len(parts) <= 3 or size >= larger or size > width * 0.16:
        return text(label, size, 0, y)
    size = min(larger, width * 0.22)
    top = y - (len(parts) - 1) / 2 * size * 1.05
    return "".join(text(part, size, 0, top + i * size * 1.05) for i, part in enumerate(parts))


def icon(path: str, size: float, x: float = 0, y: float = 0, kind: str = "i") -> str:
    """An icon with its middle at a place."""
    scale = size / 24
    return (
        f'<path class="{kind}" transform="translate({number(x - size / 2)} {number(y - size / 2)})'
        f' scale({scale:.3g})" d="{esc(path)}"/>'
    )


def icon_alone(path: str, kind: str = "icon") -> str:
    return f'<svg class="{kind}" viewBox="0 0 24 24" aria-hidden="true"><path class="i" d="{esc(path)}"/></svg>'


def die(value: int, kind: str) -> str:
    """A die that shows a value: pips up to six, then a number."""
    if value in _FACES:
        inside = "".join(
            f'<circle class="pip" cx="{_PIPS[p][0]}" cy="{_PIPS[p][1]}" r="2.2"/>'
            for p in _FACES[value]
        )
    else:
        inside = f'<g transform="translate(12 12)">{text(str(value), 12)}</g>'
    return (
        f'<svg class="die {kind}" viewBox="0 0 24 24" aria-hidden="true">'
        f'<rect class="f" x="1" y="1" width="22" height="22" rx="4"/>{inside}</svg>'
    )
