"""`board:` of a `view.yaml` → a board of a layout; where a table is a grid, its places and the size need not be said."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.read.yaml_nodes import Node, as_list, as_map
from rulewright.scene import standing
from rulewright.scene.layout import RULERS, SHAPES, Area, Board, Layer, Part, Point
from rulewright.scene.layout_values import MOST_CELLS, MOST_SIZE
from rulewright.scene.read_looks import Looks

# a square of a grid in the terminal is so wide, and a grid is drawn there up to this width
_SQUARE, _HEX, _WIDEST = 5, 4, 110
# so many pieces of a stack are drawn each for itself, at most
_MOST_PILED = 20
# what the names of rows take
_EDGE = 3


class Boards(Looks):
    """Reads boards."""

    def board(self, node: Node) -> Part | None:
        fields = self.fields(node, "a board")
        if fields is None:
            return None
        title, size, cells = fields.take("title"), fields.take("size"), fields.take("cells")
        legend, blocks, hexes = fields.take("legend"), fields.take("blocks"), fields.take("hex")
        areas, layers = fields.take("areas"), fields.need("layers")
        rulers, lines = fields.take("rulers"), fields.take("lines")
        fields.finish()
        found = None if layers is None else as_list(layers, self.problems, "layers")
        behind = None if areas is None else as_list(areas, self.problems, "areas")
        read = [self.layer(item) for item in found.items] if found is not None else []
        drawn = tuple(layer for layer in read if layer is not None)
        grids = [layer.kind for layer in drawn if self.names.grid(layer.kind) is not None]
        board = Board(
            self.text(title, "Board"), self.text(legend, "") or None, (1, 1),
            None if cells is None else self.pair(cells, MOST_CELLS),
            None if blocks is None else self.pair(blocks, MOST_CELLS), self.flag(hexes),
            tuple(self.area(item) for item in ([] if behind is None else behind.items)), drawn,
            self.one_of(rulers, RULERS, "a way to name columns"), self.flag(lines),
        )  # fmt: skip
        if size is not None:
            return replace(board, size=self.pair(size, MOST_SIZE))
        if not grids:
            if drawn:
                self.wrong(node, "a board has a size, unless a layer shows a table with a grid")
            return board
        return self._as_grid(board, grids[0])

    def _as_grid(self, board: Board, kind: str) -> Board:
        """The size of a board as a grid has it."""
        grid = self.names.grid(kind)
        places = self.names.grid_places(kind).values()
        across, down = max(x for x, _ in places), max(y for _, y in places)
        hexes = grid is not None and grid.hexes
        wide = across * (_HEX if hexes else _SQUARE) + (_EDGE if board.rulers and not hexes else 0)
        return replace(
            board, size=(across, down), hex=hexes,
            blocks=board.blocks or (None if hexes else (across, down)),
            cells=board.cells or ((wide, down) if wide <= _WIDEST else None),
        )  # fmt: skip

    def area(self, node: Node) -> Area:
        fields = self.fields(node, "an area")
        if fields is None:
            return Area((0, 0), (1, 1), None, None, None, None)
        at, size, path = fields.take("at"), fields.take("size"), fields.take("path")
        colour, label, icon = fields.take("colour"), fields.take("label"), fields.take("icon")
        fields.finish()
        if path is None and size is None and label is None and icon is None:
            self.wrong(node, "an area has a size, a path, a label or an icon")
        nowhere: Point = (0, 0)
        return Area(
            nowhere if at is None else self.pair(at, MOST_SIZE, 0),
            nowhere if size is None else self.size(size), None if path is None else self.drawn(path),
            self.colour_word(colour), self.text(label, "") or None, self.icon(icon, None),
        )  # fmt: skip

    def layer(self, node: Node) -> Layer | None:
        fields = self.fields(node, "a layer")
        if fields is None:
            return None
        of, at = fields.need("of"), fields.take("at")
        keys = (
            "mark", "owned", "links", "joins", "ties", "titles", "owners", "figures", "facing", "stacks", "piles", "token", "only",
            "above", "pawns", "sets", "pieces", "piece", "also", "holds", "outlines", "chequered", "clicks",
        )  # fmt: skip
        got = {key: fields.take(key) for key in keys}
        kind = self.kind(of)
        own = None if kind is None else self.look(fields, kind)
        fields.finish()
        if kind is None or own is None:
            return None
        look = self.merged(kind, own)
        if at is None and self.names.grid(kind) is None:
            self.wrong(node, f"{kind} is no grid, so 'at' must say where its members lie")
        pieces = self.pieces(got["pieces"], kind)
        return Layer(
            kind,
            self.names.grid_places(kind) if at is None else self.places(at, kind),
            look,
            mark=self.template(got["mark"], kind) or "·",
            owned=self.template(got["owned"], kind, "owner", "figure", "count"),
            colour=look.colour,
            links=self.path(got["links"], kind),
            joins=self.path(got["joins"], kind),
            ties=self.path(got["ties"], kind),
            titles=self.path(got["titles"], kind),
            owners=self._state_on(got["owners"], kind, "owners"),
            figures=self._state_on(got["figures"], kind, "figures"),
            facing=self._state_on(got["facing"], kind, "facing"),
            stacks=self._state_on(got["stacks"], kind, "stacks"),
            piles=self.piles(got["piles"], got["stacks"]),
            token=self.token(got["token"]),
            only=self.member_set(got["only"], kind),
            above=self.flag(got["above"]),
            pawns=self.marks(got["pawns"], kind, False),
            sets=self.marks(got["sets"], kind, True),
            pieces=pieces,
            piece=self.piece(got["piece"], pieces),
            also=self.other_pieces(got["also"], kind),
            holds=self.held(got["holds"], kind),
            chequered=self.chequered(got["chequered"]),
            clicks=self.clicks(got["clicks"], kind),
            outlines={m: self.drawn(v) for m, v in self.by_member(got["outlines"], kind)},
        )

    def _state_on(self, node: Node | None, kind: str, what: str) -> str | None:
        """State that says what is on the members of the kind."""
        fits, wanted = {
            "owners": (
                standing.is_owners,
                f"a map from players to sets of {kind} or to single ones, or a map from {kind} to a player or none",
            ),
            "figures": (
                standing.is_figures,
                f"a map from {kind} to members of a kind or none, or a map from such members to sets of {kind}",
            ),
            "facing": (standing.is_facing, f"a map from {kind} to the directions of a grid"),
            "stacks": (
                standing.is_stacks,
                f"a map from {kind} to a number or to a list, or for each player (or member of a kind) a map from {kind} to a number",
            ),
        }[what]
        return self.state(node, lambda name: fits(self.names, name, kind), wanted)

    def piles(self, node: Node | None, stacks: Node | None) -> int | None:
        """How many of a stack are drawn each for itself."""
        if node is not None and stacks is None:
            self.wrong(node, "piles are of 'stacks', which this layer has not")
        return self.number(node, _MOST_PILED, "a number of pieces")

    def chequered(self, node: Node | None) -> tuple[str, ...]:
        """Two words for colours."""
        found = None if node is None else as_list(node, self.problems, "two colours")
        words = [self.colour_word(item) or "" for item in ([] if found is None else found.items)]
        if node is not None and len(words) != 2:
            self.wrong(node, "two colours take turns: [light, dark]")
            return ()
        return tuple(words)

    def clicks(self, node: Node | None, kind: str) -> tuple[tuple[str, str], ...]:
        """Decisions about numbers, each with the column that says which number a member stands for."""
        found = None if node is None else as_map(node, self.problems, "decisions")
        out = []
        for key, value in [] if found is None else found.entries:
            if key.text not in self.names.decisions:
                self.unknown(key, key.text, sorted(self.names.decisions), "decision")
            out.append((key.text, self.path(value, kind) or ""))
        return tuple(out)

    def token(self, node: Node | None) -> str | None:
        """What an owner's piece looks like: a shape or an icon."""
        return self.one_of(node, (*SHAPES, *self.icons), "a shape or an icon")

    def held(self, node: Node | None, kind: str) -> tuple[str, ...]:
        """Zones by the members of the kind, whose content lies there."""
        found = None if node is None else as_list(node, self.problems, "zones")
        out = []
        for item in [] if found is None else found.items:
            name = self.text(item, "")
            known = [z for z in self.names.zones if self.names.per(z) == kind]
            if name not in known:
                self.unknown(item, name, known, f"zone for each {kind}")
            out.append(name)
        return tuple(out)
