"""A file of comma-separated values into the rows of a table, as if they were listed.

The first line names the columns; the first column holds the names of the rows. Sets and lists are words with spaces between.
"""

from __future__ import annotations

import csv
from collections.abc import Callable

from rulewright.compiler.read.folder import Table
from rulewright.compiler.read.read_values import once
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, quoted
from rulewright.compiler.text.source import Source, Span

OpenFile = Callable[[YScalar], Source | None]


def read_csv(
    named: YScalar, table: Table, problems: Problems, open_file: OpenFile | None
) -> YMap | None:
    """The rows as a mapping of mappings, each cell with its place in the file; None after a problem."""
    if open_file is None:
        message = "the rows of a table in a variant are not read from a file"
        problems.error("RW0328", named.span, message, hint="list them under 'rows'")
        return None
    if not named.text.endswith(".csv"):
        message = f"{quoted(named.text)} is not a file of comma-separated values"
        problems.error("RW0328", named.span, message, expected="a name that ends in '.csv'")
        return None
    source = open_file(named)
    if source is None:
        return None
    lines = [
        (number, _fields(text, number, source, problems))
        for number, text in enumerate(source.lines, 1)
        if text.strip()
    ]
    if not lines:
        at = Span(source.file, 1, 1, 1, 1)
        problems.error(
            "RW0320", at, f"the table {table.name} has no rows", hint="the file is empty"
        )
        return None
    first, head = lines[0]
    if not _is_head(source, first, head, problems):
        return None
    entries: list[tuple[YScalar, Node]] = []
    seen: set[str] = set()
    for number, cells in lines[1:]:
        line = Span(source.file, number, 1, number, len(source.lines[number - 1]) + 1)
        if len(cells) != len(head):
            many = "1 value" if len(cells) == 1 else f"{len(cells)} values"
            message = f"this line has {many}, the first line {len(head)}"
            hint = "a value that holds a comma stands in double quotes"
            problems.error("RW0328", line, message, hint=hint)
            continue
        if cells[0].text in seen:
            message = f"the row {quoted(cells[0].text)} is defined twice"
            problems.error("RW0306", cells[0].span, message)
            continue
        seen.add(cells[0].text)
        row: list[tuple[YScalar, Node]] = [
            (column, _words(cell) if _is_list(table, column.text) else cell)
            for column, cell in zip(head[1:], cells[1:], strict=True)
            if cell.text  # an empty value is the column's default
        ]
        entries.append((cells[0], YMap(row, line)))
    return YMap(entries, Span(source.file, 1, 1, len(source.lines), 1))


def _is_head(source: Source, number: int, head: list[YScalar], problems: Problems) -> bool:
    """Whether the first line names columns, each once."""
    text = source.lines[number - 1]
    other = next((sign for sign in ";\t|" if sign in text), None)
    if len(head) == 1 and other is not None:
        called = "a tab" if other == "\t" else quoted(other)
        column = text.index(other) + 1
        at = Span(source.file, number, column, number, column + 1)
        message = f"values are separated by commas, not by {called}"
        problems.error("RW0328", at, message, hint="put commas in their place")
        return False
    seen: dict[str, Span] = {}
    new = [once(cell.text, cell.span, seen, problems, "the column") for cell in head]
    return all(new)


def _is_list(table: Table, column: str) -> bool:
    found = table.columns.get(column)
    return found is not None and isinstance(found.type, S.SetType | S.ListType)


def _words(cell: YScalar) -> Node:
    if cell.text == "all":
        return cell
    items: list[Node] = []
    at = 0
    for word in cell.text.split():
        at = cell.text.index(word, at)
        span = cell.span
        column = span.column + at
        place = Span(span.file, span.line, column, span.line, column + len(word))
        items.append(YScalar(word, "plain", place, cell.source))
        at += len(word)
    return YList([] if cell.text == "-" else items, cell.span)


def _fields(text: str, number: int, source: Source, problems: Problems) -> list[YScalar]:
    """The values of a line with their places."""
    found: list[YScalar] = []
    at = 0
    if text.count('"') % 2:
        column = text.rindex('"') + 1
        place = Span(source.file, number, column, number, column + 1)
        hint = 'close it on the same line; a quote in a value is written twice: ""'
        problems.error("RW0205", place, "a quote is not closed", hint=hint)
    for value in next(csv.reader([text], skipinitialspace=True)):
        value = value.strip()
        start = text.find(value.replace('"', '""'), at) if value else at
        start = max(start, at)
        end = start + len(value)
        found.append(
            YScalar(value, "plain", Span(source.file, number, start + 1, number, end + 1), source)
        )
        at = max(at, text.find(",", end) + 1) if "," in text[end:] else end
    return found
