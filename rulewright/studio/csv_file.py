"""A file of comma-separated values → its rows with the places of their cells, and the edits that change one and touch nothing else.

The first line names the columns, the first column holds the names of the rows, as the compiler reads them.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.text.source import Source, Span
from rulewright.studio.edits import Edit, EditError
from rulewright.studio.yaml_spelling import Value

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
# a field: spaces, then a text in quotes or anything up to the comma
_FIELD = re.compile(r'[ \t]*(?:"(?:[^"]|"")*"[^,]*|[^,]*)')


@dataclass(frozen=True, slots=True)
class Field:
    """A value, and where it stands in the text: from `start` to `end` without the spaces around it."""

    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line with values; `start` to `end` holds its line break too."""

    number: int
    start: int
    end: int
    fields: tuple[Field, ...]


class CsvFile:
    """A text that could be read."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        lines: list[Line] = []
        at = 0
        for number, found in enumerate(_LINE.finditer(text), 1):
            if found[0].strip():
                lines.append(Line(number, at, found.end(), self._fields(found[0], at, number)))
            at = found.end()
        if not lines:
            raise EditError(f"{name} is empty: its first line names the columns")
        self.head, *self.rows = lines
        self.columns = [field.value for field in self.head.fields[1:]]
        for line in self.rows:
            if len(line.fields) != len(self.head.fields):
                raise EditError(
                    f"{name}, line {line.number}: this line has {len(line.fields)} values, the first line {len(self.head.fields)}"
                )
        found_break = re.search(r"\r\n|\r|\n", text)
        self.newline = found_break[0] if found_break else "\n"

    def _fields(self, line: str, at: int, number: int) -> tuple[Field, ...]:
        bare = line.rstrip("\r\n")
        out: list[Field] = []
        place = 0
        while True:
            found = _FIELD.match(bare, place)
            assert found is not None
            raw = found[0]
            start = place + len(raw) - len(raw.lstrip())
            end = place + len(raw.rstrip()) if raw.strip() else start
            inner = bare[start:end]
            if inner.startswith('"') and inner.endswith('"') and len(inner) > 1:
                inner = inner[1:-1].replace('""', '"')
            out.append(Field(inner.strip(), at + start, at + end))
            place = found.end()
            if place >= len(bare):
                break
            place += 1
        read = [value.strip() for value in next(csv.reader([bare], skipinitialspace=True))]
        if [field.value for field in out] != read:
            raise EditError(
                f"{self.name}, line {number}: the quotes of this line can't be made out"
            )
        return tuple(out)

    # ------------------------------------------------------------ as a table's rows

    def node(self, lists: set[str]) -> YMap:
        """The rows as the compiler sees them; `lists` are the columns that hold several words."""
        source = Source(self.name, self.text, self.text.splitlines())
        entries: list[tuple[YScalar, Node]] = []
        for line in self.rows:
            cells = [self._scalar(line, field, source) for field in line.fields]
            head = [self._scalar(self.head, field, source) for field in self.head.fields]
            row: list[tuple[YScalar, Node]] = [
                (column, _words(cell) if column.text in lists else cell)
                for column, cell in zip(head[1:], cells[1:], strict=True)
                if cell.text
            ]
            width = line.end - line.start
            place = Span(self.name, line.number, 1, line.number, width)
            entries.append((cells[0], YMap(row, place)))
        return YMap(entries, Span(self.name, 1, 1, len(source.lines), 1))

    def _scalar(self, line: Line, field: Field, source: Source) -> YScalar:
        first = field.start - line.start + 1
        last = field.end - line.start + 1
        return YScalar(
            field.value, "plain", Span(self.name, line.number, first, line.number, last), source
        )

    # ------------------------------------------------------------ changing

    def line(self, row: str) -> Line:
        found = next((line for line in self.rows if line.fields[0].value == row), None)
        if found is None:
            raise EditError(f"there is no row {row} in {self.name}")
        return found

    def set_cell(self, row: str, column: str, value: Value | None) -> list[Edit]:
        """Another value in a cell, none for the column's default; spaces behind it hold the columns in line as far as there is room."""
        if column not in self.columns:
            if value is None:
                return []
            raise EditError(
                f"{self.name} has no column {column}: add it to the first line and to every row"
            )
        return self._put(self.line(row).fields[self.columns.index(column) + 1], spell(value))

    def rename_row(self, row: str, name: str) -> list[Edit]:
        self._is_free(name, row)
        return self._put(self.line(row).fields[0], spell(name))

    def add_row(self, name: str, cells: dict[str, Value], after: str | None) -> list[Edit]:
        self._is_free(name)
        left = [column for column in cells if column not in self.columns]
        if left:
            raise EditError(f"{self.name} has no column {left[0]}: add it to the first line")
        values = [spell(name), *(spell(cells.get(column)) for column in self.columns)]
        between = self._between()
        lines = [self.head, *self.rows]
        behind = self.line(after) if after else lines[-1]
        return [self._insert(behind, between.join(values).rstrip())]

    def copy_row(self, row: str, name: str) -> list[Edit]:
        self._is_free(name)
        line = self.line(row)
        first = line.fields[0]
        text = self.text[line.start : line.end].rstrip("\r\n")
        edits = self._put(first, spell(name))
        from rulewright.studio.edits import apply

        moved = [Edit(e.start - line.start, e.end - line.start, e.text) for e in edits]
        return [self._insert(line, apply(text, moved))]

    def remove_row(self, row: str) -> list[Edit]:
        line = self.line(row)
        return [Edit(line.start, line.end, "")]

    def move_row(self, row: str, to: int) -> list[Edit]:
        line = self.line(row)
        number = self.rows.index(line)
        to = max(0, min(to, len(self.rows) - 1))
        if to == number:
            return []
        texts = [self.text[r.start : r.end].rstrip("\r\n") for r in self.rows]
        texts.insert(to, texts.pop(number))
        # rows change places, and whatever breaks the lines stays where it is
        out: list[Edit] = []
        for r, text in zip(self.rows, texts, strict=True):
            old = self.text[r.start : r.end].rstrip("\r\n")
            if old != text:
                out.append(Edit(r.start, r.start + len(old), text))
        return out

    def _is_free(self, name: str, but: str = "") -> None:
        if name != but and any(line.fields[0].value == name for line in self.rows):
            raise EditError(f"there is a {name} already")

    def _put(self, field: Field, text: str) -> list[Edit]:
        out = [Edit(field.start, field.end, text)] if self.text[field.start : field.end] != text else []  # fmt: skip
        longer = len(text) - (field.end - field.start)
        gap = len(self.text[field.end :]) - len(self.text[field.end :].lstrip(" "))
        if gap and self.text[field.end + gap : field.end + gap + 1] == ",":
            # spaces before a comma
            width = max(0, gap - longer)
            out.append(Edit(field.end, field.end + gap, " " * width))
        elif self.text[field.end : field.end + 1] == ",":
            rest = self.text[field.end + 1 :]
            gap = len(rest) - len(rest.lstrip(" "))
            if gap > 1 and rest[gap : gap + 1] not in ("", "\r", "\n"):
                # spaces behind it: one is left
                start = field.end + 1
                out.append(Edit(start, start + gap, " " * max(1, gap - longer)))
        return [edit for edit in out if self.text[edit.start : edit.end] != edit.text]

    def _between(self) -> str:
        """What stands between two values in the first line: a comma, with a space or none."""
        first = self.head.fields
        if len(first) < 2:
            return ", "
        return ", " if " " in self.text[first[0].end : first[1].start] else ","

    def _insert(self, behind: Line, text: str) -> Edit:
        if self.text[behind.start : behind.end].endswith(("\n", "\r")):
            return Edit(behind.end, behind.end, text + self.newline)
        return Edit(behind.end, behind.end, self.newline + text)


def _words(cell: YScalar) -> Node:
    if cell.text == "all":
        return cell
    words = [] if cell.text == "-" else cell.text.split()
    return YList([YScalar(word, "plain", cell.span, cell.source) for word in words], cell.span)


def spell(value: Value | None) -> str:
    """A value as it stands between commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        words = [spell(item) for item in value]
        if any(not w or " " in w or w.startswith('"') for w in words):
            raise EditError("a list of words with spaces can't stand in a line of values")
        return " ".join(words) if words else "-"
    raise EditError("values that differ by player count can't stand in a line of values")


def _text(value: str) -> str:
    if "\n" in value or "\r" in value:
        raise EditError("a text of several lines can't stand in a line of values")
    if value != value.strip():
        value = value.strip()
    if "," in value or value.startswith('"'):
        doubled = value.replace('"', '""')
        return f'"{doubled}"'
    return value
