"""A board of a layout → where its places lie in the picture, and what is drawn once: lines between places, names at the edges."""

from __future__ import annotations

from rulewright.scene.layout import Board, Layer, Point
from rulewright.scene.rulers import rulers
from rulewright.scene.view_names import Names
from rulewright.web import shapes
from rulewright.web.shapes import number

# a place of a grid, the lines between blocks, room for words above each of them, and for names at the edges
UNIT, GAP, STRIP, EDGE = 40, 10, 18, 20
# how high a row of hexes is, of a place
_HEX_HIGH = 1.15


class Paper:
    """Where a place of a board lies in its picture."""

    def __init__(self, board: Board) -> None:
        self.board = board
        (w, h), blocks = board.size, board.blocks
        self.across, self.down = blocks or (w, h)
        # room for the words of what lies above a block
        self.strip = STRIP if any(layer.above for layer in board.layers) else 0
        self.edge = EDGE if board.rulers else 0
        if blocks is not None:
            gaps = (w - 1) // self.across, (h - 1) // self.down
            self.size = (
                w * UNIT + (gaps[0] + 2) * GAP + self.edge,
                h * UNIT + (gaps[1] + 2) * GAP + (gaps[1] + 1) * self.strip + self.edge,
            )
        elif board.hex:
            self.size = (
                int((w + 0.5) * UNIT) + 2 * GAP + self.edge,
                int((h * 0.75 + 0.25) * UNIT * _HEX_HIGH) + 2 * GAP + self.edge,
            )
        else:
            self.size = w, h

    def place(self, at: Point, above: bool = False) -> tuple[float, float]:
        """The middle of a member."""
        x, y = at
        if self.board.blocks is not None:
            if above:
                left, top = self._corner(x + 1, y + 1)
                w, h = self.block
                return left + w / 2, top - self.strip + h / 2
            left, top = self._corner(x, y)
            return left + UNIT / 2, top + UNIT / 2
        if self.board.hex:
            return (
                self.edge + GAP + (x - 0.5 + (0.5 if y % 2 == 0 else 0)) * UNIT,
                self.edge + GAP + ((y - 1) * 0.75 + 0.5) * UNIT * _HEX_HIGH,
            )
        return x, y

    def _corner(self, x: int, y: int) -> tuple[float, float]:
        band = (y - 1) // self.down
        return (
            self.edge + GAP + (x - 1) * UNIT + (x - 1) // self.across * GAP,
            GAP + (y - 1) * UNIT + band * GAP + (band + 1) * self.strip,
        )

    @property
    def block(self) -> Point:
        return self.across * UNIT, self.down * UNIT + self.strip

    def extent(self, layer: Layer) -> tuple[float, float]:
        """How large the members of a layer are."""
        if layer.look.size is not None:
            return layer.look.size
        if self.board.blocks is not None:
            side = UNIT * 0.9
            return self.block if layer.above else (side, side)
        if self.board.hex:
            return UNIT * 0.96, UNIT * 1.1
        side = max(self.size) / 20
        return side, side

    # ------------------------------------------------------------ what never changes

    def drawn(self, names: Names) -> str:
        """The lines on whose crossings pieces stand, and the names of rows and columns."""
        out = ""
        if self.board.lines:
            w, h = self.board.size
            ends = [((x, 1), (x, h)) for x in range(1, w + 1)]
            ends += [((1, y), (w, y)) for y in range(1, h + 1)]
            for a, b in ends:
                (x1, y1), (x2, y2) = self.place(a), self.place(b)
                out += f'<line class="rule" x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"/>'
        for words, at, beside in rulers(self.board, names):
            x, y = self.place(at)
            if beside == "left":
                x -= UNIT / 2 + EDGE / 2
            elif beside == "below":
                y += UNIT / 2 + EDGE / 2
            else:
                x, y = x - UNIT * 0.25, y - UNIT * 0.5 - EDGE / 2 + 2
            out += shapes.text(words, 12, x, y, "title")
        return f'<g aria-hidden="true">{out}</g>' if out else ""
