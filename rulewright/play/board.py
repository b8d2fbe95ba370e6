"""A board part and a view → a picture made of characters: marks, links, pawns, owners, and the numbers of choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from rulewright.play.canvas import Canvas, Point
from rulewright.play.colours import colour_of
from rulewright.scene.layout import Board, Layer, Look
from rulewright.scene.places import colour_word, groups, links, middle, tied
from rulewright.scene.rulers import rulers
from rulewright.scene.standing import UNKNOWN, Man, Standing
from rulewright.scene.templates import fill
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import People, plain

Json = dict[str, Any]
Numbers = dict[tuple[str, str], int]
# between blocks: a line with a space on both sides, and a line with room for a text below it
_GAP_ACROSS, _GAP_DOWN = 3, 2
# where a piece looks, from the top round
_ARROWS = "↑↗→↘↓↙←↖"


def number_mark(number: int) -> str:
    """How a choice is numbered on the screen."""
    return f"#{number}"


def draw(
    board: Board,
    cells: Point,
    names: Names,
    data: Json,
    people: People,
    numbers: Numbers,
    width: int,
    looks: Mapping[str, Look],
) -> Text:
    """The picture, no wider than `width`; `numbers` are the choices that can be made now, by kind and member."""
    paper = _Paper(board, (min(cells[0], width), cells[1]))
    canvas = Canvas(*paper.extent)
    for layer in board.layers:
        _Drawing(paper, layer, names, data, people, canvas, looks).draw(numbers)
    paper.rule(canvas)
    for words, at, beside in rulers(board, names):
        x, y = paper.place(*at, False)
        if beside == "left":
            canvas.centre(max(1, x - paper.square // 2 - 2), y, words, "dim")
        else:
            canvas.centre(x, y + (1 if beside == "below" else -1), words, "dim")
    return canvas.text()


class _Paper:
    """Where a place of the picture comes to lie on the canvas."""

    def __init__(self, board: Board, cells: Point) -> None:
        self.size, self.blocks, self.hex = board.size, board.blocks, board.hex
        # names at the edges take three columns and a line
        self.edge = 3 if board.rulers else 0
        self.cells = cells
        self.square = max(1, (self.cells[0] - self.edge) // self.size[0])

    @property
    def extent(self) -> tuple[int, int]:
        ruled = self.edge and 1
        if self.blocks is None:
            return self.cells[0] + self.edge, self.cells[1] + ruled
        across, down = self.size
        return self._left(across) + self.square, self._top(down) + 1 + ruled

    def _left(self, x: int) -> int:
        assert self.blocks is not None
        return self.edge + (x - 1) * self.square + (x - 1) // self.blocks[0] * _GAP_ACROSS

    def _top(self, y: int) -> int:
        assert self.blocks is not None
        return y + (y - 1) // self.blocks[1] * _GAP_DOWN

    def place(self, x: int, y: int, above: bool) -> Point:
        """The middle of a mark. In a grid squares count from 1; what stands above is placed by the corner before a square."""
        if self.blocks is None:
            (w, h), (columns, rows) = self.size, self.cells
            # places of a grid of hexes count from 1, and every second row is moved by half a place
            across = (
                (2 * x - 1 + (y + 1) % 2) * columns // (2 * w + 1) if self.hex else x * columns // w
            )
            at = min(columns - 1, across), min(rows - 1, (y - self.hex) * rows // h)
            # above slanting columns their names need a line
            at = at[0] + self.edge, at[1] + (self.edge and 1)
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
        looks: Mapping[str, Look],
    ) -> None:
        self.paper, self.layer, self.names, self.looks = paper, layer, names, looks
        self.state, self.people, self.canvas = data["state"], people, canvas
        self.index = names.index[layer.kind]
        self.places = {m: paper.place(*at, layer.above) for m, at in layer.places.items()}

    def draw(self, numbers: Numbers) -> None:
        layer = self.layer
        shown = self.state[layer.only] if layer.only else list(self.index)
        for a, b in links(layer, self.names):
            if a in shown and b in shown:
                self.canvas.dots(self.places[a], self.places[b], "·", "")
        for group in groups(layer, self.names, layer.ties, shown).values():
            style = f"dim {self._colour(group[0])}".strip()
            for one, other in tied([self.places[m] for m in group], _far):
                self.canvas.stroke(one, other, style)
        for member in shown:
            self._put(member, self._text(layer.mark, member), self._colour(member))
        for name, mark in layer.sets:
            for member in self.state[name]:
                if member in shown:
                    self._put(member, mark, "bold")
        standing = Standing(layer, self.names, self.people).at(self.state)
        for member, man in ((m, one) for m, men in standing.items() for one in men):
            colour = colour_of(self.people.all[man.who]) if man.who is not None else ""
            self._put(member, self._man(man, member), f"bold reverse {colour}".strip())
        for name, mark in layer.pawns:
            if self.state[name] is not None:
                self._put(self.state[name], mark, "bold reverse")
        for (kind, member), number in numbers.items():
            if kind == layer.kind and member in self.places:
                mark = self._text(layer.mark, member)
                self._put(member, number_mark(number).center(len(mark)), "bold underline")
        for title, group in groups(layer, self.names, layer.titles, shown).items():
            x, y = middle([self.places[m] for m in group])
            self.canvas.near(x, y, plain(title).upper(), "bold italic")

    def _put(self, member: str, text: str, style: str) -> None:
        place = self.places.get(member)
        if place is None:
            return
        if self.layer.above and self.paper.blocks is not None:
            self.canvas.put(*place, text, style)
        else:
            self.canvas.centre(*place, text, style)

    def _man(self, man: Man, member: str) -> str:
        """A piece in few letters: its owner, what it is, how many, where it looks."""
        owner = "" if man.who is None else self.people.initial(man.who)
        figure = "" if man.figure is None else self._figure(*man.figure)
        count = str(man.number) if man.number > 1 else ""
        if self.layer.owned is not None:
            told = {"owner": owner, "figure": figure, "count": count}
            return self._text(self.layer.owned, member, told)
        arrow = "" if man.turn is None else _ARROWS[round(man.turn / 45) % 8]
        return f"[{owner}{figure}{count}{arrow}]"

    def _figure(self, kind: str, member: str) -> str:
        look = self.looks.get(kind)
        if member == UNKNOWN or look is None or look.label is None:
            return member[:1]
        index = self.names.index[kind][member]
        return fill(look.label, lambda name: str(self.names.cell(kind, index, name)))

    def _text(self, template: str, member: str, more: Mapping[str, str] | None = None) -> str:
        def value(name: str) -> str:
            if more is not None and name in more:
                return more[name]
            found = self.names.tell(self.layer.kind, self.index[member], name, self.state)
            return "–" if found is None else plain(str(found))

        return fill(template, value)

    def _colour(self, member: str) -> str:
        word = colour_word(self.names, self.layer.kind, member, self.layer.colour, self.state)
        return "" if word is None else colour_of(word)


def _far(a: Point, b: Point) -> int:
    # a character is about twice as high as it is wide
    return (a[0] - b[0]) ** 2 + 4 * (a[1] - b[1]) ** 2
