"""A spec's `view.yaml` → the layout of a position, checked against the names of the game; mistakes raise SpecError.

clock: {period: year, step: month, called: year}
parts:
  - line: "Year {year}, month {month}"
  - seats: {title: Players, columns: {score: score, coins: coins, cards: hand}}
  - table: {title: Prices, of: Ware, columns: {price: price_of}, hide_empty: true}
  - grid: {title: Harbour, of: Quay, down: side, across: depth, pieces: Boat.quay}
  - track: {title: Road, of: Milestone, owners: passed, label: "{country}"}
  - zone: {title: Discard, of: discard}
  - board: {title: Town, size: [600, 400], cells: [100, 30], layers: [{of: House, at: at, owners: lived_in}]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    as_bool,
    as_int,
    as_list,
    as_map,
    as_text,
)
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problems, SpecError, did_you_mean, listed
from rulewright.compiler.text.source import Sources, read_text
from rulewright.play.layout import (
    Board,
    Columns,
    Grid,
    Layer,
    Layout,
    Line,
    Part,
    Rows,
    Seats,
    Track,
    Zone,
    plain_layout,
)
from rulewright.play.names import PEOPLE, Names
from rulewright.play.templates import holes

FILE = "view.yaml"
_MOST_CELLS = 300
_MOST_SIZE = 100_000


def read_layout(folder: Path, names: Names) -> Layout:
    """The layout of a game; a plain one where the spec has none. What is wrong raises SpecError."""
    if not (folder / FILE).is_file():
        return plain_layout(names)
    return _Reader(folder, names).layout()


def check_layout(documents: list[Node], names: Names, problems: Problems) -> None:
    """What is wrong with the documents of a view for one ruleset."""
    reader = _Reader(Path(), names)
    reader.problems = problems
    reader.parts(documents)


class _Reader:
    def __init__(self, folder: Path, names: Names) -> None:
        self.folder, self.names = folder, names
        self.problems = Problems()
        self.sources = Sources()

    def layout(self) -> Layout:
        display = f"{self.folder.name}/{FILE}"
        source = read_text(self.folder / FILE, display, self.sources, self.problems)
        documents = [] if source is None else read_yaml(source, self.problems)
        parts = self.parts(documents)
        if self.problems.has_errors:
            raise SpecError(self.problems, self.sources)
        return Layout(tuple(p for p in parts if p is not None))

    def parts(self, documents: list[Node]) -> list[Part | None]:
        top = as_map(documents[0], self.problems, "the view") if documents else None
        if len(documents) > 1:
            self.problems.error("RW0304", documents[1].span, "the view is one document")
        if top is not None:
            fields = Fields(top, self.problems, "the view")
            fields.take("clock")  # simulations read it
            node = fields.need("parts")
            fields.finish()
            found = None if node is None else as_list(node, self.problems, "parts")
            return [self.part(item) for item in found.items] if found is not None else []
        return []

    # ------------------------------------------------------------ parts

    def part(self, node: Node) -> Part | None:
        readers: dict[str, Callable[[Node], Part | None]] = {
            "line": self.line, "seats": self.seats, "table": self.rows, "grid": self.grid, "track": self.track,
            "zone": self.zone, "board": self.board,
        }  # fmt: skip
        found = as_map(node, self.problems, "a part of the view")
        if found is None:
            return None
        if len(found.entries) != 1 or found.entries[0][0].text not in readers:
            at = found.entries[0][0].span if found.entries else found.span
            self.problems.error(
                "RW0137", at, "a part of the view is one of these", expected=", ".join(readers)
            )
            return None
        key, value = found.entries[0]
        return readers[key.text](value)

    def line(self, node: Node) -> Part | None:
        text = as_text(node, self.problems, "a line")
        if text is None:
            return None
        for name in holes(text):
            if name not in self.names.state:
                self.unknown(node, name, self.names.state, "state")
            elif not self.names.is_single(name):
                self.wrong(node, f"{name} is a map; a line shows single values")
        return Line(text)

    def seats(self, node: Node) -> Part | None:
        fields = self.fields(node, "the table of seats")
        if fields is None:
            return None
        title, columns = fields.take("title"), fields.need("columns")
        fields.finish()
        return Seats(self.text(title, "Players"), self.columns(columns, PEOPLE))

    def rows(self, node: Node) -> Part | None:
        fields = self.fields(node, "a table")
        if fields is None:
            return None
        title, of, columns = fields.take("title"), fields.need("of"), fields.need("columns")
        keys = ("only", "hide_empty", "from_last", "per_column")
        only, hide, last, most = (fields.take(key) for key in keys)
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        return Rows(
            self.text(title, kind), kind, self.columns(columns, (kind,)), self.member_set(only, kind),
            self.flag(hide), self.flag(last), self.number(most),
        )  # fmt: skip

    def grid(self, node: Node) -> Part | None:
        fields = self.fields(node, "a grid")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        down, across = fields.need("down"), fields.need("across")
        keys = ("pieces", "piece", "also", "owners", "sets", "beside")
        got = {key: fields.take(key) for key in keys}
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        rows, columns = self.kind_column(down, kind), self.kind_column(across, kind)
        pieces = self.pieces(got["pieces"], kind)
        return Grid(
            self.text(title, kind), kind, rows, columns, pieces, self.piece(got["piece"], pieces),
            self.other_pieces(got["also"], kind),
            self.owners(got["owners"], kind), self.marks(got["sets"], kind, True),
            self.columns(got["beside"], (self.names.kind_of(kind, rows) or "",)),
        )  # fmt: skip

    def track(self, node: Node) -> Part | None:
        fields = self.fields(node, "a track")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        owners, label = fields.need("owners"), fields.take("label")
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        found = self.owners(owners, kind)
        return Track(self.text(title, kind), kind, found or "", self.template(label, kind))

    def zone(self, node: Node) -> Part | None:
        fields = self.fields(node, "a zone")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        fields.finish()
        name = self.text(of, "")
        if of is not None and name not in self.names.zones:
            self.unknown(of, name, self.names.zones, "zone")
        return Zone(self.text(title, name), name)

    def board(self, node: Node) -> Part | None:
        fields = self.fields(node, "a board")
        if fields is None:
            return None
        title, size, cells = fields.take("title"), fields.need("size"), fields.need("cells")
        blocks, layers = fields.take("blocks"), fields.need("layers")
        fields.finish()
        found = None if layers is None else as_list(layers, self.problems, "layers")
        drawn = [self.layer(item) for item in found.items] if found is not None else []
        return Board(
            self.text(title, "Board"), self.pair(size, _MOST_SIZE), self.pair(cells, _MOST_CELLS),
            None if blocks is None else self.pair(blocks, _MOST_CELLS),
            tuple(layer for layer in drawn if layer is not None),
        )  # fmt: skip

    def layer(self, node: Node) -> Layer | None:
        fields = self.fields(node, "a layer")
        if fields is None:
            return None
        of, at = fields.need("of"), fields.need("at")
        keys = (
            "mark", "owned", "colour", "links", "ties", "titles", "owners", "only", "above", "pawns", "sets"
        )  # fmt: skip
        got = {key: fields.take(key) for key in keys}
        fields.finish()
        kind = self.kind(of)
        if kind is None or at is None:
            return None
        x, y = self.place(at, kind)
        return Layer(
            kind, x, y, self.template(got["mark"], kind) or "·",
            self.template(got["owned"], kind, "owner") or "[{owner}]", self.path(got["colour"], kind),
            self.path(got["links"], kind), self.path(got["ties"], kind), self.path(got["titles"], kind),
            self.owners(got["owners"], kind), self.member_set(got["only"], kind), self.flag(got["above"]),
            self.marks(got["pawns"], kind, False), self.marks(got["sets"], kind, True),
        )  # fmt: skip

    # ------------------------------------------------------------ values

    def fields(self, node: Node, what: str) -> Fields | None:
        found = as_map(node, self.problems, what)
        return None if found is None else Fields(found, self.problems, what)

    def text(self, node: Node | None, default: str) -> str:
        return default if node is None else as_text(node, self.problems, "this") or default

    def flag(self, node: Node | None) -> bool:
        return False if node is None else bool(as_bool(node, self.problems, "this"))

    def number(self, node: Node | None) -> int | None:
        if node is None:
            return None
        found = as_int(node, self.problems, "a number of rows")
        if found is not None and not 1 <= found <= _MOST_CELLS:
            self.wrong(node, f"a number of rows is from 1 to {_MOST_CELLS}")
        return found

    def pair(self, node: Node | None, most: int) -> tuple[int, int]:
        if node is None:
            return 1, 1
        items = node.items if isinstance(node, YList) else []
        numbers = [as_int(i, self.problems, "a size") or 0 for i in items]
        if len(numbers) != 2 or not all(1 <= n <= most for n in numbers):
            self.wrong(node, f"a size is two numbers from 1 to {most}, [width, height]")
            return 1, 1
        return numbers[0], numbers[1]

    def kind(self, node: Node | None) -> str | None:
        if node is None:
            return None
        name = self.text(node, "")
        if name not in self.names.kinds:
            self.unknown(node, name, self.names.kinds, "kind")
            return None
        return name

    def columns(self, node: Node | None, per: tuple[str, ...]) -> Columns:
        """Headings, each with a name of state or of a zone by these members, `this.column`, or `Pieces.field`."""
        found = None if node is None else as_map(node, self.problems, "columns")
        out = []
        for key, value in [] if found is None else found.entries:
            name = self.text(value, "")
            problem = self.names.why_no_column(name, per)
            if problem is not None:
                hint = did_you_mean(name, [*self.names.state, *self.names.zones])
                self.problems.error("RW0501", value.span, problem, hint=hint)
            out.append((key.text, name))
        return tuple(out)

    def path(self, node: Node | None, kind: str) -> str | None:
        """A column of the kind, or a column of what a column names: `house.colour`."""
        if node is None:
            return None
        text = self.text(node, "")
        if not self.names.has_path(kind, text):
            self.unknown(node, text, self.names.columns(kind), f"column of {kind}")
        return text

    def kind_column(self, node: Node | None, kind: str) -> str:
        """A column that names members of another kind."""
        text = self.path(node, kind) or ""
        known = node is not None and self.names.has_path(kind, text)
        if node is not None and known and self.names.kind_of(kind, text) is None:
            self.wrong(node, f"{text} must be a column that names members of a kind")
        return text

    def template(self, node: Node | None, kind: str, *more: str) -> str | None:
        """A text with columns of a member, or what state says about it, in braces; `more` are other names it may use."""
        if node is None:
            return None
        text = self.text(node, "")
        for name in holes(text):
            if name not in more and not self.names.can_tell(kind, name):
                known = ["name", *more, *self.names.columns(kind), *self.names.told_of(kind)]
                self.unknown(node, name, known, f"column of {kind}")
        return text

    def pieces(self, node: Node | None, kind: str) -> str | None:
        """`Pieces.field`, where the field says on which member a piece stands."""
        if node is None:
            return None
        known = [f"{name}.{field}" for name, field in self.names.standing_on(kind)]
        name = self.text(node, "")
        if name not in known:
            self.unknown(node, name, known, f"pieces on a {kind}")
        return name

    def piece(self, node: Node | None, pieces: str | None) -> str:
        """How a piece is told: its owner, and columns of its value."""
        text = self.text(node, "{owner} {value}")
        if node is None:
            return text
        value = self.names.value_kind(pieces.partition(".")[0]) if pieces else None
        for name in holes(text):
            first, _, rest = name.partition(".")
            if name in ("owner", "value"):
                continue
            if first != "value" or value is None or not self.names.has_path(value, rest):
                known = ["owner", "value", *(f"value.{c}" for c in self.names.columns(value or ""))]
                self.unknown(node, name, known, "part of a piece")
        return text

    def other_pieces(self, node: Node | None, kind: str) -> Columns:
        """Pieces with the text that each is told by; those with a ? are left out of rulesets that do not have them."""
        found = None if node is None else as_map(node, self.problems, "other pieces")
        known = [f"{name}.{field}" for name, field in self.names.standing_on(kind)]
        out = []
        for key, value in [] if found is None else found.entries:
            name = key.text.removesuffix("?")
            if name in known:
                out.append((name, self.piece(value, name)))
            elif name == key.text:
                self.unknown(key, name, known, f"pieces on a {kind}")
        return tuple(out)

    def place(self, node: Node, kind: str) -> tuple[str, str]:
        """`at` (a column with a list of two numbers) or [column, row] (two columns)."""
        if not isinstance(node, YList):
            name = self.path(node, kind) or ""
            return f"{name}.1", f"{name}.2"
        if len(node.items) != 2:
            self.wrong(node, "a place is one column with two numbers, or a list of two columns")
            return "", ""
        return self.path(node.items[0], kind) or "", self.path(node.items[1], kind) or ""

    def state(self, node: Node | None, fits: Callable[[str], bool], what: str) -> str | None:
        """A name of state that is what it must be."""
        if node is None:
            return None
        name = self.text(node, "")
        if name not in self.names.state:
            self.unknown(node, name, self.names.state, "state")
        elif not fits(name):
            self.wrong(node, f"{name} must be {what}")
        return name

    def owners(self, node: Node | None, kind: str) -> str | None:
        what = f"a map from players to sets of {kind}"
        return self.state(node, lambda name: self.names.is_owners(name, kind), what)

    def member_set(self, node: Node | None, kind: str) -> str | None:
        return self.state(node, lambda name: self.names.is_set(name, kind), f"a set of {kind}")

    def marks(self, node: Node | None, kind: str, sets: bool) -> Columns:
        """Names of state with what is drawn for them: where a pawn stands, or all members of a set."""
        found = None if node is None else as_map(node, self.problems, "marks")
        out = []
        for key, value in [] if found is None else found.entries:
            name = key.text
            fits = self.names.is_set if sets else self.names.is_member
            if name not in self.names.state:
                self.unknown(key, name, self.names.state, "state")
            elif not fits(name, kind):
                self.wrong(key, f"{name} must be a {'set of' if sets else 'member of'} {kind}")
            out.append((name, self.text(value, "?")))
        return tuple(out)

    def unknown(self, node: Node, name: str, known: Iterable[str], what: str) -> None:
        names = list(known)
        self.problems.error(
            "RW0501", node.span, f"the game has no {what} {name!r}", expected=listed(names), hint=did_you_mean(name, names)
        )  # fmt: skip

    def wrong(self, node: Node, message: str) -> None:
        self.problems.error("RW0313", node.span, message)
