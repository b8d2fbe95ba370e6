"""A spec's `view.yaml` → how a position is laid out for a player; checked against the names of the game.

clock: {period: week_marker, step: day_marker, called: week}
parts:
  - line: "Week {week_marker}, day {day_marker}"
  - seats: {title: Players, columns: {score: score, gold: gold, cards: hand}}
  - table: {title: Tower, of: TowerSquare, columns: {dice: white_on}, hide_empty: true}
  - track: {title: Caravan, of: CaravanCamel, owners: caravan, label: line}
  - zone: {title: Discard, of: discard}
  - board: {title: City, size: [668, 456], cells: [100, 30], layers: [{of: Shop, at: at, owners: cubes}]}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.play.names import Names

if TYPE_CHECKING:
    from rulewright.compiler.diagnostics import Problems
    from rulewright.compiler.yaml_nodes import Node

FILE = "view.yaml"
HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Line:
    """A text with the values of public state in braces."""

    text: str


@dataclass(frozen=True, slots=True)
class Seats:
    """A table with a row for each participant: (heading, what is shown)."""

    title: str
    columns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table with a row for each member of a kind, or for those in a set."""

    title: str
    kind: str
    columns: tuple[tuple[str, str], ...]
    only: str | None
    hide_empty: bool


@dataclass(frozen=True, slots=True)
class Track:
    """The members of a kind in order, each with the one who has a piece on it."""

    title: str
    kind: str
    owners: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Zone:
    title: str
    zone: str


@dataclass(frozen=True, slots=True)
class Layer:
    """What is drawn of one kind: where its members lie, what links them, who or what is on them."""

    kind: str
    x: str
    y: str
    mark: str
    initial: str | None
    colour: str | None
    links: str | None
    owners: str | None
    only: str | None
    pawns: tuple[tuple[str, str], ...]
    sets: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of `size` drawn into `cells` of characters; a later layer covers an earlier one."""

    title: str
    size: tuple[int, int]
    cells: tuple[int, int]
    layers: tuple[Layer, ...]


Part = Line | Seats | Rows | Track | Zone | Board


@dataclass(frozen=True, slots=True)
class Layout:
    parts: tuple[Part, ...]


def read_layout(folder: Path, names: Names) -> Layout:
    """The layout of a game; a plain one where the spec has none. What is wrong raises SpecError."""
    if not (folder / FILE).is_file():
        return plain_layout(names)
    return _Reader(folder, names).layout()


def plain_layout(names: Names) -> Layout:
    """All public state in tables, for a spec that says nothing about it."""
    parts: list[Part] = []
    words = [f"{n.replace('_', ' ')} {{{n}}}" for n in names.state if names.is_single(n)]
    if words:
        parts.append(Line(", ".join(words)))
    columns = [("score", "score")]
    columns += [
        (n, n)
        for n in [*names.state, *names.zones]
        if names.per(n) in ("Player", "Participant") and n != "score"
    ]
    parts.append(Seats("Players", tuple(columns)))
    for kind in names.kinds:
        found = [
            (n, n)
            for n in [*names.state, *names.zones]
            if names.per(n) == kind and kind not in ("Player", "Participant")
        ]
        found += [(f"{s}.{f}", f"{s}.{f}") for s, f in names.standing_on(kind)]
        if found:
            parts.append(Rows(kind, kind, tuple(found), None, True))
    parts += [Zone(z, z) for z in names.zones if names.per(z) is None]
    return Layout(tuple(parts))


class _Reader:
    def __init__(self, folder: Path, names: Names) -> None:
        from rulewright.compiler.diagnostics import Problems
        from rulewright.compiler.source import Sources

        self.folder, self.names = folder, names
        self.problems: Problems = Problems()
        self.sources = Sources()

    def layout(self) -> Layout:
        from rulewright.compiler.diagnostics import SpecError
        from rulewright.compiler.read_yaml import read_yaml
        from rulewright.compiler.source import read_text
        from rulewright.compiler.yaml_nodes import Fields, as_list, as_map

        parts: list[Part | None] = []
        source = read_text(
            self.folder / FILE, f"{self.folder.name}/{FILE}", self.sources, self.problems
        )
        documents = [] if source is None else read_yaml(source, self.problems)
        top = as_map(documents[0], self.problems, "the view") if documents else None
        if top is not None:
            fields = Fields(top, self.problems, "the view")
            fields.take("clock")  # simulations read it
            node = fields.need("parts")
            fields.finish()
            found = None if node is None else as_list(node, self.problems, "parts")
            parts = [self.part(item) for item in found.items] if found is not None else []
        if self.problems.has_errors:
            raise SpecError(self.problems, self.sources)
        return Layout(tuple(p for p in parts if p is not None))

    # ------------------------------------------------------------ parts

    def part(self, node: Node) -> Part | None:
        from rulewright.compiler.yaml_nodes import as_map

        found = as_map(node, self.problems, "a part of the view")
        readers = {
            "line": self.line, "seats": self.seats, "table": self.rows, "track": self.track,
            "zone": self.zone, "board": self.board,
        }  # fmt: skip
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
        from rulewright.compiler.yaml_nodes import as_text

        text = as_text(node, self.problems, "a line")
        if text is None:
            return None
        for name in HOLE.findall(text):
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
        return Seats(self.text(title, "Players"), self.columns(columns, ("Player", "Participant")))

    def rows(self, node: Node) -> Part | None:
        fields = self.fields(node, "a table")
        if fields is None:
            return None
        title, of, columns = fields.take("title"), fields.need("of"), fields.need("columns")
        only, hide = fields.take("only"), fields.take("hide_empty")
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        return Rows(
            self.text(title, kind), kind, self.columns(columns, (kind,)), self.member_set(only, kind),
            self.flag(hide),
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
        return Track(self.text(title, kind), kind, found or "", self.path(label, kind))

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
        from rulewright.compiler.yaml_nodes import as_list

        fields = self.fields(node, "a board")
        if fields is None:
            return None
        title, size, cells = fields.take("title"), fields.need("size"), fields.need("cells")
        layers = fields.need("layers")
        fields.finish()
        found = None if layers is None else as_list(layers, self.problems, "layers")
        drawn = [self.layer(item) for item in found.items] if found is not None else []
        return Board(
            self.text(title, "Board"), self.pair(size, 100_000), self.pair(cells, 300),
            tuple(layer for layer in drawn if layer is not None),
        )  # fmt: skip

    def layer(self, node: Node) -> Layer | None:
        fields = self.fields(node, "a layer")
        if fields is None:
            return None
        of, at = fields.need("of"), fields.need("at")
        keys = ("mark", "initial", "colour", "links", "owners", "only", "pawns", "sets")
        got = {key: fields.take(key) for key in keys}
        fields.finish()
        kind = self.kind(of)
        if kind is None or at is None:
            return None
        x, y = self.place(at, kind)
        return Layer(
            kind, x, y, self.text(got["mark"], "·"), self.path(got["initial"], kind),
            self.path(got["colour"], kind), self.path(got["links"], kind), self.owners(got["owners"], kind),
            self.member_set(got["only"], kind), self.marks(got["pawns"], kind, False), self.marks(got["sets"], kind, True),
        )  # fmt: skip

    # ------------------------------------------------------------ values

    def fields(self, node: Node, what: str) -> Any:
        from rulewright.compiler.yaml_nodes import Fields, as_map

        found = as_map(node, self.problems, what)
        return None if found is None else Fields(found, self.problems, what)

    def text(self, node: Node | None, default: str) -> str:
        from rulewright.compiler.yaml_nodes import as_text

        return default if node is None else as_text(node, self.problems, "this") or default

    def flag(self, node: Node | None) -> bool:
        from rulewright.compiler.yaml_nodes import as_bool

        return False if node is None else bool(as_bool(node, self.problems, "this"))

    def pair(self, node: Node | None, most: int) -> tuple[int, int]:
        from rulewright.compiler.yaml_nodes import YList, as_int

        if node is None:
            return 1, 1
        numbers = (
            [as_int(i, self.problems, "a size") or 0 for i in node.items]
            if isinstance(node, YList)
            else []
        )
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

    def columns(self, node: Node | None, per: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Headings, each with a name of state or of a zone by these members, `this.column`, or `Pieces.field`."""
        from rulewright.compiler.yaml_nodes import as_map

        found = None if node is None else as_map(node, self.problems, "columns")
        out = []
        for key, value in [] if found is None else found.entries:
            name = self.text(value, "")
            problem = self.names.why_no_column(name, per)
            if problem is not None:
                from rulewright.compiler.diagnostics import did_you_mean

                hint = did_you_mean(name, [*self.names.state, *self.names.zones])
                self.problems.error("RW0501", value.span, problem, hint=hint)
            out.append((key.text, name))
        return tuple(out)

    def path(self, node: Node | None, kind: str) -> str | None:
        """A column of the kind, or a column of what a column names: `souk.colour`."""
        if node is None:
            return None
        text = self.text(node, "")
        if not self.names.has_path(kind, text):
            self.unknown(node, text, self.names.columns(kind), f"column of {kind}")
        return text

    def place(self, node: Node, kind: str) -> tuple[str, str]:
        """`at` (a column with a list of two numbers) or [column, row] (two columns)."""
        from rulewright.compiler.yaml_nodes import YList

        if not isinstance(node, YList):
            name = self.path(node, kind) or ""
            return f"{name}.1", f"{name}.2"
        if len(node.items) != 2:
            self.wrong(node, "a place is one column with two numbers, or a list of two columns")
            return "", ""
        return self.path(node.items[0], kind) or "", self.path(node.items[1], kind) or ""

    def owners(self, node: Node | None, kind: str) -> str | None:
        if node is None:
            return None
        name = self.text(node, "")
        if name not in self.names.state:
            self.unknown(node, name, self.names.state, "state")
        elif not self.names.is_owners(name, kind):
            self.wrong(node, f"{name} must be a map from players to sets of {kind}")
        return name

    def member_set(self, node: Node | None, kind: str) -> str | None:
        if node is None:
            return None
        name = self.text(node, "")
        if name not in self.names.state:
            self.unknown(node, name, self.names.state, "state")
        elif not self.names.is_set(name, kind):
            self.wrong(node, f"{name} must be a set of {kind}")
        return name

    def marks(self, node: Node | None, kind: str, sets: bool) -> tuple[tuple[str, str], ...]:
        """Names of state with what is drawn for them: where a pawn stands, or all members of a set."""
        from rulewright.compiler.yaml_nodes import as_map

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

    def unknown(self, node: Node, name: str, known: Any, what: str) -> None:
        from rulewright.compiler.diagnostics import did_you_mean, listed

        self.problems.error(
            "RW0501", node.span, f"the game has no {what} {name!r}", expected=listed(known), hint=did_you_mean(name, known)
        )  # fmt: skip

    def wrong(self, node: Node, message: str) -> None:
        self.problems.error("RW0313", node.span, message)
