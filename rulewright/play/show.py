"""A layout and a seat's view → what stands on the screen."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rulewright.play.board import draw
from rulewright.play.colours import colour_of
from rulewright.play.layout import HOLE, Board, Layout, Line, Part, Rows, Seats, Track, Zone
from rulewright.play.names import Names
from rulewright.play.words import show_value

Json = dict[str, Any]
Numbers = dict[tuple[str, str], int]


class Screen:
    """Draws positions of one game."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self.layout, self.names = layout, names
        self.info = names.info
        self.seats: list[str] = names.info["seats"][: names.info["players"]]
        self.participants: list[str] = [
            *self.seats, *names.info["participants"][len(self.seats) :]
        ]  # fmt: skip

    def show(self, console: Console, data: Json, numbers: Numbers | None = None) -> None:
        """Print what a view holds; `numbers` puts the numbers of choices on the board."""
        tables: list[RenderableType] = []
        for part in self.layout.parts:
            shown = self.part(part, data, numbers or {})
            if isinstance(shown, Table):
                # tables that follow each other stand side by side as far as there is room
                tables += [shown] if shown.row_count else []
                continue
            self._side_by_side(console, tables)
            tables = []
            console.print(shown)
        self._side_by_side(console, tables)

    def _side_by_side(self, console: Console, tables: list[RenderableType]) -> None:
        row: list[RenderableType] = []
        used = 0
        for table in tables:
            wide = console.measure(table).maximum + 3
            if row and used + wide > console.width:
                console.print(Columns(row, padding=(0, 3)))
                row, used = [], 0
            row.append(table)
            used += wide
        if row:
            console.print(Columns(row, padding=(0, 3)))

    def part(self, part: Part, data: Json, numbers: Numbers) -> RenderableType:
        match part:
            case Line(text):
                return Text(HOLE.sub(lambda m: self._single(m[1], data), text), style="bold")
            case Seats():
                return self._seats(part, data)
            case Rows():
                return self._rows(part, data)
            case Track():
                return self._track(part, data)
            case Zone(title, zone):
                return Text.assemble((f"{title}: ", "bold"), self._zone(data["zones"][zone]))
            case Board():
                picture = draw(part, self.names, data, self.participants, numbers)
                return Group(Text(part.title, style="bold"), picture)

    def _zone(self, zone: Json) -> str:
        if self.names.info and all(isinstance(v, dict) for v in zone.values()) and zone:
            return "; ".join(f"{k}: {show_value(v, self.info)}" for k, v in zone.items())
        return show_value(zone, self.info)

    def _single(self, name: str, data: Json) -> str:
        t = self.names.state[name]
        value = data["state"][name]
        if t["t"] == "kind" and t["kind"] in ("Player", "Participant"):
            return self.seats[value] if isinstance(value, int) else str(value)
        if t["t"] == "list" and t["of"].get("kind") == "Player":
            return ", ".join(self.seats[v] for v in value)
        return show_value(value, self.info)

    # ------------------------------------------------------------ tables

    def _table(self, title: str, first: str, heads: list[str]) -> Table:
        table = Table(
            title=title,
            box=box.SIMPLE_HEAD,
            title_justify="left",
            title_style="bold",
            pad_edge=False,
        )
        for head in [first, *heads]:
            table.add_column(head, overflow="fold")
        return table

    def _seats(self, part: Seats, data: Json) -> RenderableType:
        table = self._table(part.title, "", [h for h, _ in part.columns])
        for i, name in enumerate(self.participants):
            cells = [
                self._cell(source, "Player", i, str(i) if i < len(self.seats) else name, data)
                for _, source in part.columns
            ]
            marks = (
                ("→ " if data["decides"] == i else "  ")
                + name
                + (" (you)" if data["seat"] == i else "")
            )
            table.add_row(Text(marks, style=colour_of(name)), *cells)
        return table

    def _rows(self, part: Rows, data: Json) -> RenderableType:
        table = self._table(part.title, part.kind, [h for h, _ in part.columns])
        shown = data["state"][part.only] if part.only else self.names.kinds[part.kind]
        for i, member in enumerate(self.names.kinds[part.kind]):
            if member not in shown:
                continue
            cells = [self._cell(source, part.kind, i, member, data) for _, source in part.columns]
            moving = [
                c
                for (_, s), c in zip(part.columns, cells, strict=True)
                if not s.startswith("this.")
            ]
            if part.hide_empty and all(c in ("–", "0") for c in moving):
                continue
            table.add_row(member, *cells)
        return table

    def _cell(self, source: str, kind: str, index: int, key: str, data: Json) -> str:
        if source.startswith("this."):
            return show_value(self.names.cell(kind, index, source[5:]), self.info)
        first, _, field = source.partition(".")
        if field:
            return self._standing(first, field, key, data)
        if source in data["zones"]:
            return show_value(data["zones"][source].get(key, {}), self.info)
        value = data["state"][source]
        if isinstance(value, list):
            return "yes" if key in value else "–"
        per = self.names.per(source)
        if per in ("Player", "Participant") and kind not in ("Player", "Participant"):
            return ", ".join(self._who(k) for k, v in value.items() if key in v) or "–"
        t = self.names.state[source]["value"]
        t = t["of"] if t["t"] == "opt" else t
        return show_value(value.get(key), self.info, t["t"] == "kind" and t["kind"] == "Player")

    def _who(self, key: str) -> str:
        return self.seats[int(key)] if key.isdigit() else key

    def _standing(self, name: str, field: str, key: str, data: Json) -> str:
        """Pieces that stand at a member: their owner and what the viewer knows of their value."""
        out = []
        for piece in data["pieces"][name].values():
            if piece[field] != key:
                continue
            value = piece["value"]
            shown = "?" if isinstance(value, dict) else str(value)
            out.append(f"{self._who(str(piece['owner']))} {shown}" if "owner" in piece else shown)
        return ", ".join(out) or "–"

    def _track(self, part: Track, data: Json) -> RenderableType:
        out = Text(f"{part.title}: ", style="bold")
        owners = data["state"][part.owners]
        before: Any = None
        for i, member in enumerate(self.names.kinds[part.kind]):
            label = self.names.cell(part.kind, i, part.label) if part.label else None
            if label is not None and label != before:
                out.append(f" {label} ", "dim")
            before = label
            who = [k for k, found in owners.items() if member in found]
            if who:
                name = self._who(who[0])
                out.append(f"[{name[:1]}]", f"bold reverse {colour_of(name)}".strip())
            else:
                out.append("[ ]", "dim")
        return out
