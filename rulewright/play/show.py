"""A layout and a seat's view → what stands on the screen."""

from __future__ import annotations

from typing import Any, assert_never

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.play.board import Numbers, draw, number_mark
from rulewright.play.colours import colour_of
from rulewright.scene.layout import (
    Board,
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
from rulewright.scene.sheets import Row, Run, Sheet, Sheets, Words
from rulewright.scene.tongue import members_called
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE, content_of, plain

Json = dict[str, Any]
_APART = 3


class Screen:
    """Draws positions of one game."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self.layout, self.names = layout, names
        self.sheets = Sheets(names, members_called(layout, names))
        self.people = self.sheets.people

    def show(self, console: Console, data: Json, numbers: Numbers | None = None) -> None:
        """Print what a view holds; `numbers` puts the numbers of choices where they belong."""
        tables: list[Table] = []
        for part in self.layout.terminal:
            shown = self.part(part, data, numbers or {}, console.width)
            if isinstance(shown, list):
                # tables that follow each other stand side by side as far as there is room
                tables += [table for table in shown if table.row_count]
                continue
            self._side_by_side(console, tables)
            tables = []
            if shown is not None:
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
    ) -> RenderableType | list[Table] | None:
        match part:
            case Line(text):
                return Text(self.sheets.line(text, data), style="bold")
            case Seats():
                return [self._table(self.sheets.seats(part, data), numbers)]
            case Rows():
                return [self._table(s, numbers) for s in self.sheets.rows(part, data)]
            case Grid():
                return [self._table(self.sheets.grid(part, data), numbers)]
            case Cards():
                look = self.layout.looks.get(part.kind)
                sheet = self.sheets.cards(part, data, None if look is None else look.note)
                return [self._table(sheet, numbers)]
            case Track():
                return self._track(part, data, width)
            case Scale():
                return self._scale(part, data)
            case Dice():
                shown = ", ".join(map(str, self.sheets.dice(part.state, None, data))) or "–"
                return Text.assemble((f"{part.title}: ", "bold"), shown)
            case Zone():
                found = self.sheets.zone(part.zone, content_of(data, part.zone))
                return Text.assemble((f"{part.title}: ", "bold"), found)
            case Board():
                if part.cells is None:
                    return None
                picture = draw(
                    part,
                    part.cells,
                    self.names,
                    data,
                    self.people,
                    numbers,
                    width,
                    self.layout.looks,
                )
                title = f"{part.title}: {part.legend}" if part.legend else part.title
                return Group(Text(title, style="bold"), picture)
        assert_never(part)

    # ------------------------------------------------------------ tables

    def _table(self, sheet: Sheet, numbers: Numbers) -> Table:
        table = Table(
            title=sheet.title, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title_justify="left",
            title_style="bold",
        )  # fmt: skip
        for head in ["", *sheet.heads]:
            table.add_column(head, overflow="fold")
        for row in sheet.rows:
            table.add_row(*self._row(row, numbers))
        return table

    def _row(self, row: Row, numbers: Numbers) -> list[Text]:
        head = self._run(row.head)
        cells = [self._words(words) for words in row.cells]
        if not row.members:
            return [_numbered(_number(row.member, numbers), head), *cells]
        for i, member in enumerate(row.members):
            cells[i] = _numbered(_number(member, numbers), cells[i])
        return [head, *cells]

    def _run(self, run: Run) -> Text:
        return Text(run.text, style=self._style(run))

    def _style(self, run: Run) -> str:
        if run.dim:
            return "dim"
        if run.who is not None:
            return colour_of(self.people.all[run.who])
        return colour_of(run.colour) if run.colour else ""

    def _words(self, words: Words) -> Text:
        return Text.assemble(*((run.text, self._style(run)) for run in words))

    def _track(self, part: Track, data: Json, width: int) -> Text:
        """Row after row; one that has no room begins a line of its own, so that places of a row stay together."""
        rows = [Text()]
        for step in self.sheets.track(part, data):
            if step.begins:
                rows.append(Text.assemble("  ", (f"{step.label} ", "dim")))
            if step.who:
                style = f"bold reverse {colour_of(self.people.all[step.who[0]])}".strip()
                rows[-1].append(f"[{self.people.initial(step.who[0])}]", style)
            else:
                rows[-1].append("[ ]", "dim")
        out, used = Text(f"{part.title}:", style="bold"), len(part.title) + 1
        for row in rows:
            if used + row.cell_len > width:
                out.append("\n")
                used = 0
            out.append_text(row)
            used += row.cell_len
        return out

    def _scale(self, part: Scale, data: Json) -> Text:
        """The numbers at which something stands, from the highest to the lowest."""
        out = Text(f"{part.title}:", style="bold")
        for at, members in sorted(self.sheets.scale(part, data).items(), reverse=True):
            out.append(f"  {at} ", "dim" if part.kind else "")
            for i, member in enumerate(members):
                who = part.kind in PEOPLE
                name = self.people.name(member) if who else plain(member)
                out.append(f"{', ' if i else ''}{name}", colour_of(name))
        return out


def _number(member: tuple[str, str] | None, numbers: Numbers) -> int | None:
    return None if member is None else numbers.get(member)


def _numbered(number: int | None, what: Text) -> Text:
    """A name or a cell, with the number of the choice that takes it."""
    if number is None:
        return what
    return Text.assemble((number_mark(number), "bold underline"), " ", what)
