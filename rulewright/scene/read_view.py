"""A spec's `view.yaml` → the layout of a position, checked against the names of the game; mistakes raise SpecError.

clock: {period: year, step: month, called: year}
colours: {teal: {light: "#1c7c7d", dark: "#48b3b4", letter: T, pattern: dots}}
icons: {coin: "M12 2 a10 10 0 1 0 .1 0 Z"}
kinds: {House: {shape: square, size: 30, colour: quarter.colour, label: "{rent}", says: "the house {name}, rent {rent}"}}
tells: {coins: coin|coins, lived_in: {gained: "the house {it}"}, year: nothing}
parts:
  - line: "Year {year}, month {month}"
  - seats: {title: Players, columns: {score: score, coins: coins, cards: hand}}
  - table: {title: Prices, of: Ware, columns: {price: price_of}, hide_empty: true}
  - grid: {title: Harbour, of: Quay, down: side, across: depth, pieces: Boat.quay}
  - track: {title: Road, of: Milestone, owners: passed, label: "{country}"}
  - scale: {title: Year, of: year, from: 1, to: 9}
  - zone: {title: Discard, of: discard}
  - cards: {title: Crafts, of: Craft, owners: learnt}
  - board: {title: Town, size: [600, 400], cells: [100, 30], layers: [{of: House, at: at, owners: lived_in}]}
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rulewright.compiler.read.yaml_nodes import Fields, Node, as_int, as_list, as_map, as_text
from rulewright.compiler.read.yaml_text import read_yaml
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.compiler.text.source import read_text
from rulewright.scene.default_layout import plain_layout
from rulewright.scene.layout import (
    Cards,
    Dice,
    Grid,
    Layout,
    Line,
    Part,
    Rows,
    Scale,
    Seats,
    Track,
    Zone,
)
from rulewright.scene.read_boards import Boards
from rulewright.scene.read_looks import holds_numbers
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE

FILE = "view.yaml"
FACES = ("terminal", "web")
MOST_SCALE = 60


def read_layout(folder: Path, names: Names) -> Layout:
    """The layout of a game; a plain one where the spec has none. What is wrong raises SpecError."""
    if not (folder / FILE).is_file():
        return plain_layout(names)
    return _Reader(folder, names).layout()


def check_layout(documents: list[Node], folder: Path, names: Names, problems: Problems) -> None:
    """What is wrong with the documents of a view for one ruleset."""
    reader = _Reader(folder, names)
    reader.problems = problems
    reader.parts(documents)


class _Reader(Boards):
    def layout(self) -> Layout:
        display = f"{self.folder.name}/{FILE}"
        source = read_text(self.folder / FILE, display, self.sources, self.problems)
        documents = [] if source is None else read_yaml(source, self.problems)
        parts = self.parts(documents)
        if self.problems.has_errors:
            raise SpecError(self.problems, self.sources)
        terminal, web = (tuple(p for f, p in parts if f in (None, face)) for face in FACES)
        return Layout(
            terminal, web, self.looks, self.icons, self.known_colours, self.tells, self.asks
        )

    def parts(self, documents: list[Node]) -> list[tuple[str | None, Part]]:
        """What is shown, each part with the only face that shows it, if there is one."""
        self.known_colours, self.icons, self.looks, self.tells = {}, {}, {}, {}
        self.asks: dict[str, str] = {}
        if len(documents) > 1:
            self.problems.error("RW0304", documents[1].span, "the view is one document")
        top = as_map(documents[0], self.problems, "the view") if documents else None
        if top is None:
            return []
        fields = Fields(top, self.problems, "the view")
        fields.take("clock")  # simulations read it
        self.known_colours = self.read_colours(fields.take("colours"))
        self.icons = self.read_icons(fields.take("icons"))
        self.looks = self.read_kinds(fields.take("kinds"))
        self.tells = self.read_tells(fields.take("tells"))
        self.asks = self.read_asks(fields.take("asks"))
        node = fields.need("parts")
        fields.finish()
        found = None if node is None else as_list(node, self.problems, "parts")
        read = [self.part(item) for item in found.items] if found is not None else []
        return [part for part in read if part is not None]

    # ------------------------------------------------------------ parts

    def part(self, node: Node) -> tuple[str | None, Part] | None:
        """A part, and the only face that shows it, if `for:` says so."""
        readers: dict[str, Callable[[Node], Part | None]] = {
            "line": self.line, "seats": self.seats, "table": self.rows, "grid": self.grid, "track": self.track,
            "scale": self.scale, "dice": self.dice, "zone": self.zone, "cards": self.cards, "board": self.board,
        }  # fmt: skip
        found = as_map(node, self.problems, "a part of the view")
        if found is None:
            return None
        face = self.one_of(found.get("for"), FACES, "a face")
        entries = [entry for entry in found.entries if entry[0].text != "for"]
        if len(entries) != 1 or entries[0][0].text not in readers:
            at = entries[0][0].span if entries else found.span
            self.problems.error(
                "RW0137", at, "a part of the view is one of these", expected=", ".join(readers)
            )
            return None
        key, value = entries[0]
        part = readers[key.text](value)
        return None if part is None else (face, part)

    def line(self, node: Node) -> Part | None:
        text = as_text(node, self.problems, "a line")
        if text is None:
            return None
        for name in self.holes(node, text):
            if name not in self.names.state:
                self.unknown(node, name, self.names.state, "state")
            elif not self.names.is_single(name):
                self.wrong(node, f"{name} is a map; a line shows single values")
        return Line(text)

    def seats(self, node: Node) -> Part | None:
        fields = self.fields(node, "the table of seats")
        if fields is None:
            return None
        title, columns, looks = fields.take("title"), fields.need("columns"), fields.take("looks")
        fields.finish()
        found = self.columns(columns, PEOPLE)
        return Seats(self.text(title, "Players"), found, self.cells(looks, found, None))

    def rows(self, node: Node) -> Part | None:
        fields = self.fields(node, "a table")
        if fields is None:
            return None
        title, of, columns = fields.take("title"), fields.need("of"), fields.need("columns")
        keys = ("only", "hide_empty", "from_last", "per_column", "looks")
        only, hide, last, most, looks = (fields.take(key) for key in keys)
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        found = self.columns(columns, (kind,))
        return Rows(
            self.text(title, kind), kind, found, self.member_set(only, kind),
            self.flag(hide), self.flag(last), self.number(most), self.cells(looks, found, kind),
        )  # fmt: skip

    def grid(self, node: Node) -> Part | None:
        fields = self.fields(node, "a grid")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        down, across = fields.need("down"), fields.need("across")
        keys = ("pieces", "piece", "also", "owners", "sets", "beside", "looks")
        got = {key: fields.take(key) for key in keys}
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        rows, columns = self.kind_column(down, kind), self.kind_column(across, kind)
        pieces = self.pieces(got["pieces"], kind)
        of_rows = self.names.kind_of(kind, rows) or ""
        beside = self.columns(got["beside"], (of_rows,))
        return Grid(
            self.text(title, kind), kind, rows, columns, pieces, self.piece(got["piece"], pieces),
            self.other_pieces(got["also"], kind),
            self.owners(got["owners"], kind), self.marks(got["sets"], kind, True),
            beside, self.cells(got["looks"], beside, of_rows),
        )  # fmt: skip

    def track(self, node: Node) -> Part | None:
        fields = self.fields(node, "a track")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        owners, label = fields.need("owners"), fields.take("label")
        rows, winding = fields.take("rows"), fields.take("winding")
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        found = self.owners(owners, kind)
        return Track(
            self.text(title, kind), kind, found or "", self.template(label, kind),
            self.path(rows, kind), self.flag(winding),
        )  # fmt: skip

    def scale(self, node: Node) -> Part | None:
        fields = self.fields(node, "a scale")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        low, high, only = fields.take("from"), fields.take("to"), fields.take("only")
        fields.finish()
        name = self.state(
            of,
            lambda n: self.names.counted(n) is not None,
            "a number, or a number for each member of a kind",
        )
        counted = self.names.counted(name) if name in self.names.state else None
        if name is None or counted is None:
            return None
        first, last = counted
        first = first if low is None else as_int(low, self.problems, "the first number") or 0
        last = last if high is None else as_int(high, self.problems, "the last number") or 0
        if not 0 <= last - first < MOST_SCALE:
            at = high or low or of
            if at is not None:
                self.wrong(
                    at,
                    f"a scale has from 1 to {MOST_SCALE} numbers, not those from {first} to {last}",
                )
        kind = self.names.per(name)
        members = self.members_of(only, kind) if kind else ()
        return Scale(self.text(title, name), name, kind, first, last, members)

    def dice(self, node: Node) -> Part | None:
        fields = self.fields(node, "dice")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        fields.finish()
        found = self.state(of, self._is_shown_by_dice, "a number or a list of numbers")
        return None if found is None else Dice(self.text(title, found), found)

    def _is_shown_by_dice(self, name: str) -> bool:
        return self.names.per(name) is None and holds_numbers(self.names.state[name])

    def zone(self, node: Node) -> Part | None:
        fields = self.fields(node, "a zone")
        if fields is None:
            return None
        title, of, look = fields.take("title"), fields.need("of"), fields.take("look")
        fields.finish()
        name = self.text(of, "")
        if of is not None and name not in self.names.zones:
            self.unknown(of, name, self.names.zones, "zone")
            return None
        return Zone(
            self.text(title, name), name, None if look is None else self.cell(look, name, None)
        )

    def cards(self, node: Node) -> Part | None:
        fields = self.fields(node, "cards")
        if fields is None:
            return None
        title, of = fields.take("title"), fields.need("of")
        only, owners = fields.take("only"), fields.take("owners")
        fields.finish()
        kind = self.kind(of)
        if kind is None:
            return None
        return Cards(
            self.text(title, kind), kind, self.member_set(only, kind), self.owners(owners, kind)
        )
