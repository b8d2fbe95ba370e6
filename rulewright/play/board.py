"""A board part and a view → a picture made of characters: marks, links, pawns, owners, and the numbers of choices."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from rulewright.play.colours import colour_of
from rulewright.play.layout import Board, Layer
from rulewright.play.names import Names

Json = dict[str, Any]


class Canvas:
    """Cells of one character, each with a style; later marks cover earlier ones."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [[" "] * width for _ in range(height)]
        self.styles: list[list[str]] = [[""] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """A word with its middle at a cell, as far as it fits."""
        left = x - (len(text) - 1) // 2
        for i, char in enumerate(text):
            if 0 <= left + i < self.width and 0 <= y < self.height:
                self.cells[y][left + i] = char
                self.styles[y][left + i] = style

    def line(self, a: tuple[int, int], b: tuple[int, int], style: str) -> None:
        """Dots between two cells, without the ends."""
        steps = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
        for i in range(1, steps):
            x = round(a[0] + (b[0] - a[0]) * i / steps)
            y = round(a[1] + (b[1] - a[1]) * i / steps)
            if self.cells[y][x] == " ":
                self.put(x, y, "·", style)

    def text(self) -> Text:
        out = Text()
        for cells, styles in zip(self.cells, self.styles, strict=True):
            last = max((i for i, c in enumerate(cells) if c != " "), default=-1)
            start = 0
            for i in range(1, last + 2):
                if i == last + 1 or styles[i] != styles[start]:
                    out.append("".join(cells[start:i]), styles[start] or None)
                    start = i
            out.append("\n")
        out.rstrip()
        return out


def draw(
    board: Board, names: Names, data: Json, seats: list[str], numbers: dict[tuple[str, str], int]
) -> Text:
    """The picture; `numbers` are the choices that can be made now, by kind and member."""
    width, height = board.cells
    canvas = Canvas(width, height)
    for layer in board.layers:
        _Drawing(board, layer, names, data, seats, canvas).draw(numbers)
    return canvas.text()


class _Drawing:
    """One layer on the canvas."""

    def __init__(
        self, board: Board, layer: Layer, names: Names, data: Json, seats: list[str], canvas: Canvas
    ) -> None:
        self.board, self.layer, self.names = board, layer, names
        self.state, self.seats, self.canvas = data["state"], seats, canvas
        self.members = names.kinds[layer.kind]
        self.index = {m: i for i, m in enumerate(self.members)}
        self.places = {m: self._place(i) for i, m in enumerate(self.members)}

    def _place(self, member: int) -> tuple[int, int] | None:
        x = self.names.cell(self.layer.kind, member, self.layer.x)
        y = self.names.cell(self.layer.kind, member, self.layer.y)
        if not isinstance(x, int) or not isinstance(y, int):
            return None
        (w, h), (columns, rows) = self.board.size, self.board.cells
        return min(columns - 1, x * columns // w), min(rows - 1, y * rows // h)

    def draw(self, numbers: dict[tuple[str, str], int]) -> None:
        layer = self.layer
        shown = self.state[layer.only] if layer.only else self.members
        if layer.links:
            self._links(shown)
        for member in shown:
            self._put(member, *self._mark(member))
        for name, mark in layer.sets:
            for member in self.state[name]:
                if member in shown:
                    self._put(member, mark, "bold")
        for member, who in self._owned():
            self._put(
                member, f"[{self.seats[who][:1]}]" if who >= 0 else "[x]", self._seat_style(who)
            )
        for name, mark in layer.pawns:
            if self.state[name] is not None:
                self._put(self.state[name], mark, "bold reverse")
        for (kind, member), number in numbers.items():
            if kind == layer.kind and member in self.places:
                self._put(member, str(number), "bold underline")

    def _put(self, member: str, text: str, style: str) -> None:
        place = self.places[member]
        if place is not None:
            self.canvas.put(*place, text, style)

    def _mark(self, member: str) -> tuple[str, str]:
        layer, i = self.layer, self.index[member]
        mark = layer.mark
        if layer.initial:
            mark = str(self.names.cell(layer.kind, i, layer.initial) or mark)[:1].lower()
        style = ""
        if layer.colour:
            style = colour_of(str(self.names.cell(layer.kind, i, layer.colour)))
        return mark, style

    def _links(self, shown: list[str]) -> None:
        for i, member in enumerate(self.members):
            for other in self.names.cell(self.layer.kind, i, self.layer.links or "") or []:
                a, b = self.places[member], self.places[str(other)]
                if a and b and member < str(other) and member in shown and other in shown:
                    self.canvas.line(a, b, "dim")

    def _owned(self) -> list[tuple[str, int]]:
        if not self.layer.owners:
            return []
        out = []
        for who, (_, found) in enumerate(self.state[self.layer.owners].items()):
            out += [(member, who if who < len(self.seats) else -1) for member in found]
        return out

    def _seat_style(self, who: int) -> str:
        return f"bold reverse {colour_of(self.seats[who])}".strip() if who >= 0 else "bold reverse"
