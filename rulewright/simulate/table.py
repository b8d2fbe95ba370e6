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

from rulewright.headers import LONGEST_LINE, cell, counted, json_line, nested, share, table
from rulewright.runtime.given import Given, Reading, shown
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


def from_cells(cells: dict[str, Given], meta: Meta) -> Row:
    """A row, every cell of it checked against what the table says of itself."""
    players, reasons = meta["players"], list(meta["reasons"])
    seats = range(players)
    return Row(
        cell(cells, "game", 0), cell(cells, "seed"),
        [cell(cells, f"seat{i}_bot", 0, len(meta["bots"]) - 1) for i in seats],
        [cell(cells, f"seat{i}_score") for i in seats],
        [cell(cells, f"seat{i}_rank", 0, 1000) for i in seats],
        [share(cells, f"seat{i}_win") for i in seats],
        [[cell(cells, f"seat{i}_{r}") for r in reasons] for i in seats],
        cell(cells, "length", 0), [counted(cells, f"seat{i}_choices") for i in seats],
        nested(cells, "course", (players,)), nested(cells, "periods", (players, len(reasons))),
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
    """What a table is of, and its rows; a folder is one whose parts are files."""
    if path.is_dir():
        return _read_parts(path)
    check_format(path)
    if path.suffix == ".parquet":
        return _read_parquet(path)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            first = file.readline(LONGEST_LINE)
    except UnicodeDecodeError:
        raise FileError(f"{path} is not a table of games: it is not text") from None
    except OSError as error:
        raise FileError(f"{path} can't be read: {reason(error)}") from error
    meta = _meta(path, first)
    return meta, _checked(path, meta, _lines(path))


def _read_parts(folder: Path) -> tuple[Meta, Iterator[Row]]:
    """A data set: parts in the order of their games, all of the same rules, bots and seed."""
    parts = sorted(folder.glob("part-*.parquet"))
    if not parts:
        raise FileError(f"{folder} holds no parts of a table (part-….parquet)")
    read = [(part, *read_table(part)) for part in parts]
    first = {**read[0][1], "games": max(meta["games"] for _, meta, _ in read)}
    for part, meta, _ in read:
        if {**meta, "games": first["games"]} != first:
            raise FileError(f"{part} is of another run than {parts[0].name}")
    return first, (row for _, _, rows in read for row in rows)


def _meta(path: Path, first: str) -> Meta:
    what = f"{path} is not a table of games, by its first line"
    if path.suffix == ".csv":
        if not first.startswith(_MARK):
            raise FileError(f"{what}: it does not say what it is of")
        return table(json_line(first[len(_MARK) :], what, FileError), TABLE_FORMAT)
    return table(
        json_line(first, what, FileError).mapping(["rulewright"])["rulewright"], TABLE_FORMAT
    )


def _lines(path: Path) -> Iterator[Any]:
    """The rows of a file as they stand there."""
    with path.open(encoding="utf-8", newline="") as file:
        file.readline(LONGEST_LINE)
        if path.suffix == ".csv":
            csv.field_size_limit(LONGEST_LINE)
            yield from csv.DictReader(file)
            return
        while line := file.readline(LONGEST_LINE):
            yield json.loads(line)


def _checked(path: Path, meta: Meta, lines: Iterator[Any]) -> Iterator[Row]:
    """Rows that fit to the table's header; a file that breaks off or goes wrong is told with the row."""
    names = columns(meta)
    number = 0
    while True:
        number += 1
        try:
            row = next(lines, None)
        except (ValueError, RecursionError, OSError, csv.Error) as error:
            raise FileError(f"{path} is damaged: row {number} can't be read ({error})") from None
        if row is None:
            return
        found = Given(row, Reading(f"{path} is damaged: row {number} can't be read", FileError))
        yield from_cells(found.mapping(names), meta)


def _read_parquet(path: Path) -> tuple[Meta, Iterator[Row]]:
    pa = _pyarrow()
    what = f"{path} is not a table of games"
    try:
        file = pa.parquet.ParquetFile(path)
        told = (file.schema_arrow.metadata or {}).get(b"rulewright")
    except (pa.ArrowException, ValueError):
        raise FileError(what) from None
    except OSError as error:
        raise FileError(f"{path} can't be read: {reason(error)}") from error
    if told is None:
        raise FileError(f"{what}: it does not say what it is of")
    meta = table(json_line(told, what, FileError), TABLE_FORMAT)
    names = set(file.schema_arrow.names)
    missing = [name for name in columns(meta) if name not in names]
    if missing:
        raise FileError(f"{path} is damaged: there is no column {shown(missing[0])}")

    def rows() -> Iterator[Any]:
        try:
            for batch in file.iter_batches(batch_size=_GROUP):
                yield from batch.to_pylist()
        except pa.ArrowException as error:
            raise ValueError(str(error)) from None

    return meta, _checked(path, meta, rows())
