"""A layout and a seat's view → what stands on the screen."""

from __future__ import annotations

from functools import partial
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.play.board import Numbers, draw, number_mark
from rulewright.play.colours import colour_of
from rulewright.play.layout import Board, Grid, Layout, Line, Part, Rows, Seats, Track, Zone
from rulewright.play.names import PEOPLE, Names
from rulewright.play.templates import fill, holes
from rulewright.play.words import People, plain, show_value

Json = dict[str, Any]
_APART = 3


class Screen:
    """Draws positions of one game."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self.layout, self.names = layout, names
        self.info = names.info
        self.people = People(names.info)

    def show(self, console: Console, data: Json, numbers: Numbers | None = None) -> None:
        """Print what a view holds; `numbers` puts the numbers of choices where they belong."""
        tables: list[Table] = []
        for part in self.layout.parts:
            shown = self.part(part, data, numbers or {}, console.width)
            if isinstance(shown, list):
                # tables that follow each other stand side by side as far as there is room
                tables += [table for table in shown if table.row_count]
                continue
            self._side_by_side(console, tables)
            tables = []
            console.print(shown)
        self._side_by_side(console, tables)

    def _side_by_side(self, console: Console, tables: list[Table]) -> None:
        row: list[RenderableType] = []
        used = 0
        for table in tables:
            wide = max(console.measure(table).maximum, len(str(table.title))) + _APART
            if row and used + wide - _APART > console.width:
                console.print(Columns(row, padding=(0, _APART)))
                row, used = [], 0
            row.append(table)
            used += wide
        if row:
            console.print(Columns(row, padding=(0, _APART)))

    def part(
        self, part: Part, data: Json, numbers: Numbers, width: int
    ) -> RenderableType | list[Table]:
        match part:
            case Line(text):
                return Text(fill(text, lambda name: self._single(name, data)), style="bold")
            case Seats():
                return [self._seats(part, data)]
            case Rows():
                return self._rows(part, data, numbers)
            case Grid():
                return [self._grid(part, data, numbers)]
            case Track():
                return self._track(part, data)
            case Zone(title, zone):
                return Text.assemble((f"{title}: ", "bold"), self._zone(data["zones"][zone]))
            case Board():
                picture = draw(part, self.names, data, self.people, numbers, width)
                return Group(Text(part.title, style="bold"), picture)

    def _zone(self, zone: Json) -> str:
        if zone and all(isinstance(v, dict) for v in zone.values()):
            return "; ".join(f"{plain(k)}: {show_value(v, self.info)}" for k, v in zone.items())
        return show_value(zone, self.info)

    def _single(self, name: str, data: Json) -> str:
        t = self.names.state[name]
        value = data["state"][name]
        if t["t"] == "kind" and t["kind"] in PEOPLE:
            return self.people.name(str(value))
        if t["t"] == "list" and t["of"].get("kind") in PEOPLE:
            return ", ".join(self.people.name(str(v)) for v in value) or "–"
        return show_value(value, self.info)

    # ------------------------------------------------------------ tables

    def _table(self, title: str, first: str, heads: list[str]) -> Table:
        table = Table(
            title=title, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title_justify="left",
            title_style="bold",
        )  # fmt: skip
        for head in [first, *heads]:
            table.add_column(head, overflow="fold")
        return table

    def _seats(self, part: Seats, data: Json) -> Table:
        table = self._table(part.title, "", [h for h, _ in part.columns])
        for i, name in enumerate(self.people.all):
            key = str(i) if i < len(self.people.seats) else name
            cells = [self._cell(source, PEOPLE[0], i, key, data) for _, source in part.columns]
            turn = "→ " if data["decides"] == i else "  "
            you = " (you)" if data["seat"] == i else ""
            table.add_row(Text(f"{turn}{name}{you}", style=self.people.style(i)), *cells)
        return table

    def _rows(self, part: Rows, data: Json, numbers: Numbers) -> list[Table]:
        heads = [h for h, _ in part.columns]
        out = [self._table(part.title, "", heads)]
        members = self.names.kinds[part.kind]
        shown = data["state"][part.only] if part.only else members
        moving = [n for n, (_, source) in enumerate(part.columns) if not source.startswith("this.")]
        order = range(len(members))
        for i in reversed(order) if part.from_last else order:
            if members[i] not in shown:
                continue
            cells = [
                self._cell(source, part.kind, i, members[i], data) for _, source in part.columns
            ]
            if part.hide_empty and all(cells[n] in ("–", "0") for n in moving):
                continue
            name = Text(plain(members[i]), style=colour_of(members[i]))
            if part.per_column and out[-1].row_count == part.per_column:
                out.append(self._table(" ", "", heads))
            out[-1].add_row(_numbered(numbers.get((part.kind, members[i])), name), *cells)
        return out

    def _grid(self, part: Grid, data: Json, numbers: Numbers) -> Table:
        """A table with the members of one column down and those of another across."""
        down = self.names.kind_of(part.kind, part.down) or ""
        across = self.names.kind_of(part.kind, part.across) or ""
        cells: dict[tuple[str, str], Text] = {}
        for i, member in enumerate(self.names.kinds[part.kind]):
            row = self.names.cell(part.kind, i, part.down)
            column = self.names.cell(part.kind, i, part.across)
            if row is not None and column is not None:
                found = self._on(part, member, data)
                cells[row, column] = _numbered(numbers.get((part.kind, member)), found)
        columns = [m for m in self.names.kinds[across] if any(c == m for _, c in cells)]
        table = self._table(part.title, "", [*map(plain, columns), *(h for h, _ in part.beside)])
        for i, member in enumerate(self.names.kinds[down]):
            if any(row == member for row, _ in cells):
                beside = [self._cell(source, down, i, member, data) for _, source in part.beside]
                inside = [cells.get((member, c), Text()) for c in columns]
                table.add_row(plain(member), *inside, *beside)
        return table

    def _on(self, part: Grid, member: str, data: Json) -> Text:
        """What is on one member of a grid."""
        out: list[Text] = []
        if part.pieces:
            out += self._standing(part.pieces, part.piece, member, data)
        for pieces, text in part.also:
            out += self._standing(pieces, text, member, data)
        if part.owners:
            for who, found in enumerate(data["state"][part.owners].values()):
                if member in found:
                    out.append(Text(self.people.all[who], style=self.people.style(who)))
        out += [Text(mark) for name, mark in part.sets if member in data["state"][name]]
        return Text(" ").join(out) if out else Text("·", style="dim")

    def _cell(self, source: str, kind: str, index: int, key: str, data: Json) -> str | Text:
        if source.startswith("this."):
            return show_value(self.names.cell(kind, index, source[5:]), self.info)
        if "." in source:
            return Text(", ").join(self._standing(source, "{owner} {value}", key, data)) or "–"
        if source in data["zones"]:
            return show_value(data["zones"][source].get(key, {}), self.info)
        value = data["state"][source]
        if isinstance(value, list):
            return "yes" if key in value else "–"
        per = self.names.per(source)
        if per in PEOPLE and kind not in PEOPLE:
            return ", ".join(self.people.name(k) for k, v in value.items() if key in v) or "–"
        t = self.names.state[source]["value"]
        t = t["of"] if t["t"] == "opt" else t
        return show_value(value.get(key), self.info, t["t"] == "kind" and t["kind"] in PEOPLE)

    def _standing(self, source: str, template: str, key: str, data: Json) -> list[Text]:
        """Pieces that stand at a member: their owner and what the viewer knows of their value."""
        name, _, field = source.partition(".")
        kind = self.names.value_kind(name) or ""
        out = []
        for piece in data["pieces"][name].values():
            if piece[field] != key:
                continue
            text = fill(template, partial(self._of_piece, piece, kind))
            style = ""
            if "owner" in piece and "owner" in holes(template):
                style = self.people.style(self.people.index(str(piece["owner"])))
            out.append(Text(text.strip(), style=style))
        return out

    def _of_piece(self, piece: Json, kind: str, hole: str) -> str:
        if hole == "owner":
            return self.people.name(str(piece["owner"])) if "owner" in piece else ""
        value = piece["value"]
        if isinstance(value, dict):
            return "?"
        _, _, path = hole.partition(".")
        if not path:
            return plain(str(value))
        return str(self.names.cell(kind, self.names.kinds[kind].index(value), path))

    def _track(self, part: Track, data: Json) -> Text:
        out = Text(f"{part.title}:", style="bold")
        owners = data["state"][part.owners]
        before: Any = None
        for i, member in enumerate(self.names.kinds[part.kind]):
            label = self._label(part, i, data)
            if label != before:
                out.append(f"  {label} ", "dim")
            before = label
            who = [k for k, found in owners.items() if member in found]
            if who:
                at = self.people.index(who[0])
                style = f"bold reverse {self.people.style(at)}".strip()
                out.append(f"[{self.people.initial(at)}]", style)
            else:
                out.append("[ ]", "dim")
        return out

    def _label(self, part: Track, index: int, data: Json) -> str:
        def value(name: str) -> str:
            return show_value(self.names.tell(part.kind, index, name, data["state"]), self.info)

        return fill(part.label, value) if part.label else ""


def _numbered(number: int | None, what: Text) -> Text:
    """A name or a cell, with the number of the choice that takes it."""
    if number is None:
        return what
    return Text.assemble((number_mark(number), "bold underline"), " ", what)
