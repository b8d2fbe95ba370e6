"""A board part and a view → a picture made of characters: marks, links, pawns, owners, and the numbers of choices."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from rulewright.play.canvas import Canvas, Point
from rulewright.play.colours import colour_of
from rulewright.play.layout import Board, Layer
from rulewright.play.names import Names
from rulewright.play.templates import fill
from rulewright.play.words import People, plain

Json = dict[str, Any]
Numbers = dict[tuple[str, str], int]
# between blocks: a line with a space on both sides, and a line with room for a text below it
_GAP_ACROSS, _GAP_DOWN = 3, 2


def number_mark(number: int) -> str:
    """How a choice is numbered on the screen."""
    return f"#{number}"


def draw(
    board: Board, names: Names, data: Json, people: People, numbers: Numbers, width: int
) -> Text:
    """The picture, no wider than `width`; `numbers` are the choices that can be made now, by kind and member."""
    paper = _Paper(board, min(board.cells[0], width))
    canvas = Canvas(*paper.extent)
    for layer in board.layers:
        _Drawing(paper, layer, names, data, people, canvas).draw(numbers)
    paper.rule(canvas)
    return canvas.text()


class _Paper:
    """Where a place of the picture comes to lie on the canvas."""

    def __init__(self, board: Board, width: int) -> None:
        self.size, self.blocks = board.size, board.blocks
        self.cells = (width, board.cells[1])
        self.square = max(1, self.cells[0] // self.size[0])

    @property
    def extent(self) -> tuple[int, int]:
        if self.blocks is None:
            return self.cells
        across, down = self.size
        return self._left(across) + self.square, self._top(down) + 1

    def _left(self, x: int) -> int:
        assert self.blocks is not None
        return (x - 1) * self.square + (x - 1) // self.blocks[0] * _GAP_ACROSS

    def _top(self, y: int) -> int:
        assert self.blocks is not None
        return y + (y - 1) // self.blocks[1] * _GAP_DOWN

    def place(self, x: int, y: int, above: bool) -> Point:
        """The middle of a mark. In a grid squares count from 1; what stands above is placed by the corner before a square."""
        if self.blocks is None:
            (w, h), (columns, rows) = self.size, self.cells
            at = min(columns - 1, x * columns // w), min(rows - 1, y * rows // h)
            return (at[0], at[1] - 1) if above else at
        if above:
            return self._left(x + 1), self._top(y + 1) - 1
        return self._left(x) + (self.square - 1) // 2, self._top(y)

    def rule(self, canvas: Canvas) -> None:
        """Lines between the blocks, as far as anything is drawn."""
        if self.blocks is None:
            return
        used = canvas.used_rows()
        across = range(self.blocks[0] + 1, self.size[0] + 1, self.blocks[0])
        down = range(self.blocks[1] + 1, self.size[1] + 1, self.blocks[1])
        columns = [self._left(x) - 2 for x in across]
        rows = [row for row in (self._top(y) - 2 for y in down) if row < used]
        for y in range(used):
            for x in range(canvas.width) if y in rows else columns:
                mark = "┼" if y in rows and x in columns else "─" if y in rows else "│"
                canvas.put(x, y, mark, "dim", only_free=True)


class _Drawing:
    """One layer on the canvas."""

    def __init__(
        self,
        paper: _Paper,
        layer: Layer,
        names: Names,
        data: Json,
        people: People,
        canvas: Canvas,
    ) -> None:
        self.paper, self.layer, self.names = paper, layer, names
        self.state, self.people, self.canvas = data["state"], people, canvas
        self.members = names.kinds[layer.kind]
        self.index = {m: i for i, m in enumerate(self.members)}
        self.places = {m: self._place(i) for i, m in enumerate(self.members)}

    def _place(self, member: int) -> Point | None:
        x = self.names.cell(self.layer.kind, member, self.layer.x)
        y = self.names.cell(self.layer.kind, member, self.layer.y)
        if not isinstance(x, int) or not isinstance(y, int):
            return None
        return self.paper.place(x, y, self.layer.above)

    def draw(self, numbers: Numbers) -> None:
        layer = self.layer
        shown = self.state[layer.only] if layer.only else self.members
        if layer.links:
            self._links(shown, layer.links)
        if layer.ties:
            self._ties(shown, layer.ties)
        for member in shown:
            self._put(member, self._text(layer.mark, member), self._colour(member))
        for name, mark in layer.sets:
            for member in self.state[name]:
                if member in shown:
                    self._put(member, mark, "bold")
        for member, who in self._owned():
            text = self._text(layer.owned, member, self.people.initial(who))
            self._put(member, text, f"bold reverse {self.people.style(who)}".strip())
        for name, mark in layer.pawns:
            if self.state[name] is not None:
                self._put(self.state[name], mark, "bold reverse")
        for (kind, member), number in numbers.items():
            if kind == layer.kind and member in self.places:
                mark = self._text(layer.mark, member)
                self._put(member, number_mark(number).center(len(mark)), "bold underline")
        if layer.titles:
            self._titles(shown, layer.titles)

    def _put(self, member: str, text: str, style: str) -> None:
        place = self.places[member]
        if place is None:
            return
        if self.layer.above and self.paper.blocks is not None:
            self.canvas.put(*place, text, style)
        else:
            self.canvas.centre(*place, text, style)

    def _text(self, template: str, member: str, owner: str = "") -> str:
        def value(name: str) -> str:
            if name == "owner":
                return owner
            found = self.names.tell(self.layer.kind, self.index[member], name, self.state)
            return "–" if found is None else plain(str(found))

        return fill(template, value)

    def _colour(self, member: str) -> str:
        if not self.layer.colour:
            return ""
        cell = self.names.cell(self.layer.kind, self.index[member], self.layer.colour)
        return colour_of(str(cell))

    def _links(self, shown: list[str], column: str) -> None:
        for i, member in enumerate(self.members):
            for other in self.names.cell(self.layer.kind, i, column) or []:
                a, b = self.places[member], self.places[str(other)]
                if a and b and member in shown and other in shown:
                    self.canvas.dots(a, b, "·", "")

    def _groups(self, shown: list[str], column: str) -> dict[str, list[str]]:
        """The members that share a value, by that value."""
        out: dict[str, list[str]] = {}
        for member in shown:
            value = self.names.cell(self.layer.kind, self.index[member], column)
            if value is not None and self.places[member] is not None:
                out.setdefault(str(value), []).append(member)
        return out

    def _ties(self, shown: list[str], column: str) -> None:
        """Thin lines that hold each group together, as short as can be."""
        for group in self._groups(shown, column).values():
            points = [p for p in (self.places[m] for m in group) if p is not None]
            style = f"dim {self._colour(group[0])}".strip()
            tied, free = points[:1], points[1:]
            while free:
                a, b = min(((t, f) for t in tied for f in free), key=lambda pair: _far(*pair))
                self.canvas.stroke(a, b, style)
                tied.append(b)
                free.remove(b)

    def _titles(self, shown: list[str], column: str) -> None:
        """The name of each group in the middle of its members, where there is room."""
        for name, group in self._groups(shown, column).items():
            points = [p for p in (self.places[m] for m in group) if p is not None]
            x = sum(p[0] for p in points) // len(points)
            y = sum(p[1] for p in points) // len(points)
            self.canvas.near(x, y, plain(name).upper(), "bold italic")

    def _owned(self) -> list[tuple[str, int]]:
        if not self.layer.owners:
            return []
        found = self.state[self.layer.owners].values()
        return [(member, who) for who, members in enumerate(found) for member in members]


def _far(a: Point, b: Point) -> int:
    # a character is about twice as high as it is wide
    return (a[0] - b[0]) ** 2 + 4 * (a[1] - b[1]) ** 2
