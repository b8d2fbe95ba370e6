"""Rows of games ↔ a table on disk: CSV, JSON lines or Parquet, by the file's ending.

The table says what it is of: in the first line of a CSV file (a comment), in the first line of JSON lines, in the
metadata of a Parquet file.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from rulewright.simulate.files import Draft, FileError, reason
from rulewright.simulate.one import Row
from rulewright.simulate.plan import TABLE_FORMAT

Meta = dict[str, Any]
FORMATS = (".csv", ".jsonl", ".parquet")
_MARK = "# rulewright "
_GROUP = 4000


def check_format(path: Path) -> str:
    if path.suffix not in FORMATS:
        raise FileError(f"{path}: the table's name must end in {', '.join(FORMATS)}")
    if path.suffix == ".parquet":
        _pyarrow()
    return path.suffix


def _pyarrow() -> Any:
    """The optional package behind Parquet."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise FileError(
            "Parquet needs the package pyarrow: pip install 'rulewright[parquet]'"
        ) from None


def columns(meta: Meta) -> list[str]:
    out = ["game", "seed", "length"]
    for i in range(meta["players"]):
        out += [f"seat{i}_bot", f"seat{i}_score", f"seat{i}_rank", f"seat{i}_win"]
        out += [f"seat{i}_{reason}" for reason in meta["reasons"]]
        out.append(f"seat{i}_choices")
    return [*out, "course", "periods"]


def to_cells(row: Row, meta: Meta) -> dict[str, Any]:
    """A row as flat values; choices as `action:times`, the course and the periods as JSON."""
    out: dict[str, Any] = {"game": row.number, "seed": row.seed, "length": row.length}
    for i in range(meta["players"]):
        out[f"seat{i}_bot"] = row.bots[i]
        out[f"seat{i}_score"] = row.scores[i]
        out[f"seat{i}_rank"] = row.ranks[i]
        out[f"seat{i}_win"] = round(row.wins[i], 6)
        for name, points in zip(meta["reasons"], row.reasons[i], strict=True):
            out[f"seat{i}_{name}"] = points
        out[f"seat{i}_choices"] = " ".join(f"{a}:{n}" for a, n in sorted(row.choices[i].items()))
    out["course"] = json.dumps(row.course, separators=(",", ":"))
    out["periods"] = json.dumps(row.periods, separators=(",", ":"))
    return out


def from_cells(cells: dict[str, Any], meta: Meta) -> Row:
    seats = range(meta["players"])
    choices = []
    for i in seats:
        pairs = (pair.split(":") for pair in cells[f"seat{i}_choices"].split())
        choices.append({int(a): int(n) for a, n in pairs})
    return Row(
        int(cells["game"]), int(cells["seed"]),
        [int(cells[f"seat{i}_bot"]) for i in seats],
        [int(cells[f"seat{i}_score"]) for i in seats],
        [int(cells[f"seat{i}_rank"]) for i in seats],
        [float(cells[f"seat{i}_win"]) for i in seats],
        [[int(cells[f"seat{i}_{r}"]) for r in meta["reasons"]] for i in seats],
        int(cells["length"]), choices, json.loads(cells["course"]), json.loads(cells["periods"]),
    )  # fmt: skip


# ---------------------------------------------------------------- writing


class TableWriter:
    """Takes rows one by one; nothing is seen of the file before `finish`."""

    def __init__(self, path: Path, meta: Meta) -> None:
        self.meta = meta
        self.format = check_format(path)
        self.draft = Draft(path, binary=self.format == ".parquet")
        self.rows: list[dict[str, Any]] = []
        self._parquet: Any = None
        text = json.dumps(meta, separators=(",", ":"))
        if self.format == ".csv":
            self.draft.write(f"{_MARK}{text}\n")
            self.draft.write(_line(columns(meta)))
        elif self.format == ".jsonl":
            self.draft.write(json.dumps({"rulewright": meta}, separators=(",", ":")) + "\n")

    def add(self, row: Row) -> None:
        cells = to_cells(row, self.meta)
        if self.format == ".csv":
            self.draft.write(_line(list(cells.values())))
        elif self.format == ".jsonl":
            self.draft.write(json.dumps(cells, separators=(",", ":")) + "\n")
        else:
            self.rows.append(cells)
            if len(self.rows) >= _GROUP:
                self._group()

    def _group(self) -> None:
        """One group of rows into the Parquet file."""
        pa = _pyarrow()
        table = pa.Table.from_pylist(self.rows, schema=self._schema(pa))
        self.rows = []
        try:
            if self._parquet is None:
                self._parquet = pa.parquet.ParquetWriter(self.draft.file, table.schema)
            self._parquet.write_table(table)
        except OSError as error:
            self.drop()
            raise self.draft.failed(error) from error

    def _schema(self, pa: Any) -> Any:
        def kind(name: str) -> Any:
            if name in ("course", "periods") or name.endswith("_choices"):
                return pa.string()
            return pa.float64() if name.endswith("_win") else pa.int64()

        fields = [pa.field(name, kind(name)) for name in columns(self.meta)]
        return pa.schema(fields, metadata={"rulewright": json.dumps(self.meta)})

    def finish(self) -> None:
        if self.format == ".parquet":
            if self.rows or self._parquet is None:
                self._group()
            try:
                self._parquet.close()
            except OSError as error:
                self.drop()
                raise self.draft.failed(error) from error
        self.draft.finish()

    def drop(self) -> None:
        self._parquet = None
        self.draft.drop()


def _line(values: list[Any]) -> str:
    def cell(value: Any) -> str:
        text = str(value)
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text

    return ",".join(map(cell, values)) + "\n"


# ---------------------------------------------------------------- reading


def read_table(path: Path) -> tuple[Meta, Iterator[Row]]:
    """What a table is of, and its rows."""
    check_format(path)
    try:
        if path.suffix == ".parquet":
            return _read_parquet(path)
        with path.open(encoding="utf-8", newline="") as file:
            first = file.readline()
    except UnicodeDecodeError:
        raise FileError(f"{path} is not a table of games: it is not text") from None
    except OSError as error:
        raise FileError(f"{path} can't be read: {reason(error)}") from error
    meta = _meta(path, first)
    _check_version(path, meta)
    return meta, _rows(path, meta)


def _check_version(path: Path, meta: Meta) -> None:
    """A game of a table is played again from seeds, and other versions made them in another way."""
    if meta.get("format") != TABLE_FORMAT:
        raise FileError(
            f"{path} has the table format {meta.get('format', 1)}; this version reads {TABLE_FORMAT}."
            " Its seeds were made in another way: simulate anew"
        )


def _meta(path: Path, first: str) -> Meta:
    try:
        if path.suffix == ".csv" and first.startswith(_MARK):
            found = json.loads(first[len(_MARK) :])
        else:
            found = json.loads(first)["rulewright"]
        found["players"], found["reasons"], found["bots"], found["choices"]
        return dict(found)
    except (ValueError, KeyError, TypeError):
        raise FileError(
            f"{path} is not a table of games: its first line does not say what it is of"
        ) from None


def _rows(path: Path, meta: Meta) -> Iterator[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        file.readline()
        lines: Any = csv.DictReader(file) if path.suffix == ".csv" else map(_json_line, file)
        for number, cells in enumerate(lines, start=1):
            yield _checked(path, cells, meta, number)


def _json_line(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _checked(path: Path, cells: dict[str, Any], meta: Meta, number: int) -> Row:
    try:
        return from_cells(cells, meta)
    except (KeyError, ValueError, TypeError, AttributeError):
        raise FileError(f"{path} is damaged: row {number} can't be read") from None


def _read_parquet(path: Path) -> tuple[Meta, Iterator[Row]]:
    pa = _pyarrow()
    try:
        file = pa.parquet.ParquetFile(path)
        meta = json.loads(file.schema_arrow.metadata[b"rulewright"])
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError):
        raise FileError(f"{path} is not a table of games") from None
    _check_version(path, meta)

    def rows() -> Iterator[Row]:
        number = 0
        for batch in file.iter_batches(batch_size=_GROUP):
            for cells in batch.to_pylist():
                number += 1
                yield _checked(path, cells, meta, number)

    return meta, rows()
