"""What a page asks of a table whose rows are in a file of comma-separated values → edits of that file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.studio.csv_file import CsvFile
from rulewright.studio.edits import Edit, EditError, apply
from rulewright.studio.yaml_spelling import Value

Does = Callable[[CsvFile, str, Mapping[str, Any]], list[Edit]]
_REASONS = ("cite", "assumed", "stand-in")


def _cell(file: CsvFile, row: str, asked: Mapping[str, Any]) -> list[Edit]:
    return file.set_cell(row, str(asked["column"]), asked.get("value"))


def _add(file: CsvFile, row: str, asked: Mapping[str, Any]) -> list[Edit]:
    cells: dict[str, Value] = dict(asked.get("cells") or {})
    # a file without a column for reasons has none
    cells = {k: v for k, v in cells.items() if k not in _REASONS or k in file.columns}
    after = asked.get("after")
    return file.add_row(str(asked["name"]), cells, str(after) if after else None)


def _reason(file: CsvFile, row: str, asked: Mapping[str, Any]) -> list[Edit]:
    text = file.text
    for key in ("cite", "assumed"):
        if key not in asked or (key not in file.columns and not asked[key]):
            continue
        value = asked[key]
        if isinstance(value, list):
            raise EditError("a line of values cites one clause")
        now = CsvFile(text, file.name)
        text = apply(text, now.set_cell(row, key, value or None))
    return [Edit(0, len(file.text), text)] if text != file.text else []


CSV: Mapping[str, tuple[str, Does]] = {
    "cell": ("{table} {row}: {column}", _cell),
    "reason": ("{table} {row}: where it comes from", _reason),
    "add": ("{table}: {name} added", _add),
    "copy": (
        "{table}: {name}, a copy of {row}",
        lambda file, row, asked: file.copy_row(row, str(asked["name"])),
    ),
    "move": ("{table}: {row} moved", lambda file, row, asked: file.move_row(row, int(asked["to"]))),
    "delete": ("{table}: {row} removed", lambda file, row, asked: file.remove_row(row)),
    "rename": (
        "{table}: {row} is called {name}",
        lambda file, row, asked: file.rename_row(row, str(asked["name"])),
    ),
}
