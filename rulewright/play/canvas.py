"""Words and lines put at cells → a text with styles."""

from __future__ import annotations

from rich.text import Text

Point = tuple[int, int]


class Canvas:
    """Cells of one character, each with a style; later marks cover earlier ones."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [[" "] * width for _ in range(height)]
        self.styles: list[list[str]] = [[""] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "", only_free: bool = False) -> None:
        """A word that begins at a cell, as far as it fits."""
        for i, char in enumerate(text):
            inside = 0 <= x + i < self.width and 0 <= y < self.height
            if inside and not (only_free and self.cells[y][x + i] != " "):
                self.cells[y][x + i] = char
                self.styles[y][x + i] = style

    def centre(self, x: int, y: int, text: str, style: str = "") -> None:
        """A word with its middle at a cell, moved so that all of it can be seen."""
        left = x - (len(text) - 1) // 2
        self.put(max(0, min(left, self.width - len(text))), y, text, style)

    def dots(self, a: Point, b: Point, mark: str, style: str) -> None:
        """Marks between two cells, without the ends."""
        for x, y in _between(a, b):
            self.put(x, y, mark, style, only_free=True)

    def stroke(self, a: Point, b: Point, style: str) -> None:
        """A thin line between two cells."""
        cells = _between(a, b)
        for i, (x, y) in enumerate(cells):
            before = cells[i - 1] if i else a
            mark = "-" if y == before[1] else "|" if x == before[0] else "\\"
            if mark == "\\" and (x > before[0]) != (y > before[1]):
                mark = "/"
            self.put(x, y, mark, style, only_free=True)

    def near(self, x: int, y: int, text: str, style: str) -> None:
        """A word as near to a cell as there is room for it; none where there is no room."""
        spots = [
            (left, row)
            for row in range(max(0, y - 4), min(self.height, y + 5))
            for left in range(max(0, x - 16), min(self.width - len(text), x + 16))
            if all(c == " " for c in self.cells[row][max(0, left - 1) : left + len(text) + 1])
        ]
        if spots:
            middle = x - len(text) // 2
            left, row = min(spots, key=lambda s: abs(s[0] - middle) + 3 * abs(s[1] - y))
            self.put(left, row, text, style)

    def used_rows(self) -> int:
        """How many rows there are down to the last that has anything in it."""
        return max(
            (y + 1 for y, row in enumerate(self.cells) if any(c != " " for c in row)), default=0
        )

    def text(self) -> Text:
        """All rows from the first to the last that has anything in it."""
        out = Text(no_wrap=True)
        used = self.used_rows()
        first = next((y for y, row in enumerate(self.cells) if any(c != " " for c in row)), used)
        for cells, styles in zip(self.cells[first:used], self.styles[first:used], strict=True):
            last = max((i for i, c in enumerate(cells) if c != " "), default=-1)
            start = 0
            for i in range(1, last + 2):
                if i == last + 1 or styles[i] != styles[start]:
                    out.append("".join(cells[start:i]), styles[start] or None)
                    start = i
            out.append("\n")
        out.rstrip()
        return out


def _between(a: Point, b: Point) -> list[Point]:
    steps = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
    return [
        (round(a[0] + (b[0] - a[0]) * i / steps), round(a[1] + (b[1] - a[1]) * i / steps))
        for i in range(1, steps)
    ]
