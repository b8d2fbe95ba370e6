"""The texts of a spec's files → its tables, constants and variants as grids: cells with types, bounds, values and who changes them.

Files are taken one by one, so that a mistake in one leaves the tables of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never

from rulewright.compiler.read.read_values import BY_PLAYERS, CITE_KEYS
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.parse import parse_cell
from rulewright.compiler.rules.print_syntax import print_type
from rulewright.compiler.text.diagnostics import Problems
from rulewright.studio.csv_file import CsvFile
from rulewright.studio.edits import EditError
from rulewright.studio.yaml_edits import value_of
from rulewright.studio.yaml_file import YamlFile

Json = dict[str, Any]
CONSTANTS = "constants"


@dataclass(slots=True)
class Opened:
    """A file that could be read, and what it declares."""

    file: str
    yaml: YamlFile
    tables: dict[str, int] = field(default_factory=dict)
    constants: int | None = None


@dataclass(slots=True)
class Sheets:
    """All files of a spec that hold tables, constants or an overlay."""

    files: dict[str, Opened] = field(default_factory=dict)
    # rows in files of comma-separated values
    csvs: dict[str, CsvFile] = field(default_factory=dict)
    # files that can't be read, each with the reason
    broken: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(texts: Mapping[str, str]) -> Sheets:
        out = Sheets()
        for file, text in texts.items():
            if file.endswith(".csv"):
                try:
                    out.csvs[file] = CsvFile(text, file)
                except EditError as error:
                    out.broken[file] = str(error)
            if not file.endswith(".yaml") or file.startswith(("scenarios/", "clauses/")):
                continue
            try:
                yaml = YamlFile(text, file)
            except EditError as error:
                out.broken[file] = str(error)
                continue
            opened = Opened(file, yaml)
            if not file.startswith("variants/"):
                for number, node in enumerate(yaml.documents):
                    if isinstance(node, YMap):
                        name = node.get("table")
                        if isinstance(name, YScalar):
                            opened.tables[name.text] = number
                        elif node.get(CONSTANTS) is not None:
                            opened.constants = number
            out.files[file] = opened
        return out

    def table(self, name: str) -> tuple[Opened, YMap] | None:
        for opened in self.files.values():
            if name in opened.tables:
                node = opened.yaml.documents[opened.tables[name]]
                assert isinstance(node, YMap)
                return opened, node
        return None

    def tables(self) -> Iterator[tuple[str, Opened, YMap]]:
        for opened in self.files.values():
            for name, number in opened.tables.items():
                node = opened.yaml.documents[number]
                assert isinstance(node, YMap)
                yield name, opened, node

    def rows_of(self, name: str) -> YMap | None:
        found = self.table(name)
        rows = None if found is None else self.rows_in(found[1])
        return rows if isinstance(rows, YMap) else None

    def rows_in(self, table: YMap) -> Node | None:
        """The rows of a table, also where they are in a file of their own."""
        file = self.csv_of(table)
        if file is None:
            return table.get("rows")
        lists = {
            key.text
            for key, node in _entries(table.get("columns"))
            if column_type(node, {})["t"] in ("set", "list")
        }
        return file.node(lists)

    def csv_of(self, table: YMap) -> CsvFile | None:
        named = table.get("csv")
        return self.csvs.get(named.text) if isinstance(named, YScalar) else None

    def variants(self) -> dict[str, Opened]:
        """The overlays by their names."""
        out: dict[str, Opened] = {}
        for file, opened in self.files.items():
            if file.startswith("variants/") and opened.yaml.documents:
                node = opened.yaml.documents[0]
                name = node.get("variant") if isinstance(node, YMap) else None
                if isinstance(name, YScalar):
                    out[name.text] = opened
        return out


# ---------------------------------------------------------------- types


def column_type(node: Node | None, kinds: Mapping[str, list[str]]) -> Json:
    """What a cell holds, for who draws the input: `t` is int, bool, kind, set, list, text, code or other."""
    if isinstance(node, YMap):
        out = column_type(node.get("type"), kinds)
        default = node.get("default")
        if default is not None:
            out["default"] = value_of(default)
        return out
    if not isinstance(node, YScalar):
        return {"t": "other", "shown": ""}
    if node.text == "text":
        return {"t": "text", "shown": "text"}
    lines = [(i + 1, 1, line) for i, line in enumerate(node.text.split("\n"))]
    found = parse_cell("column_type", lines, "type", Problems())
    return _type(found, kinds) if found is not None else {"t": "other", "shown": node.text}


def _type(found: Any, kinds: Mapping[str, list[str]]) -> Json:
    shown = print_type(found)
    match found:
        case S.RangeType(low, high):
            return {"t": "int", "shown": shown, "low": _number(low), "high": _number(high)}
        case S.NamedType(name) if name in kinds or name in ("Player", "Participant"):
            return {"t": "kind", "shown": shown, "kind": name}
        case S.NamedType("bool"):
            return {"t": "bool", "shown": shown}
        case S.NamedType("int"):
            return {"t": "int", "shown": shown, "low": None, "high": None}
        case S.OptionType(base):
            return {**_type(base, kinds), "shown": shown, "optional": True}
        case S.SetType(base):
            return {"t": "set", "shown": shown, "of": _type(base, kinds)}
        case S.ListType(base):
            return {"t": "list", "shown": shown, "of": _type(base, kinds)}
        case S.HookType():
            return {"t": "code", "shown": shown, "code": "hook"}
        case S.CodeType(is_function=True):
            return {"t": "code", "shown": shown, "code": "function"}
        case S.CodeType():
            return {"t": "code", "shown": shown, "code": "procedure"}
        case S.MapType() | S.NamedType():
            return {"t": "other", "shown": shown}
        case _:
            assert_never(found)


def _number(expr: S.Expr) -> int | None:
    match expr:
        case S.Num(value):
            return value
        case S.Unary("-", S.Num(value)):
            return -value
        case _:  # others: not written as a number
            return None


# ---------------------------------------------------------------- grids


class Grids:
    """Grids of a spec, of its base game or with one variant laid over."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.sheets = Sheets.of(texts)
        self.kinds: dict[str, list[str]] = {}
        for name, _, node in self.sheets.tables():
            self.kinds[name] = _members(node, self.sheets.rows_in(node))
        self.overlays = {
            name: opened.yaml.documents[0] for name, opened in self.sheets.variants().items()
        }

    def index(self) -> Json:
        """What there is to open."""
        tables = [
            {
                "name": name, "file": opened.file, "about": _text(node.get("about")), "rows": len(self.kinds[name]),
                "with": self._counts(name),
            }
            for name, opened, node in self.sheets.tables()
        ]  # fmt: skip
        variants = [
            {
                "name": name, "file": opened.file, "about": _text(_get(self.overlays[name], "about")),
                "players": _plain(_get(self.overlays[name], "players")),
                "automatic": _plain(_get(self.overlays[name], "automatic")) is True,
            }
            for name, opened in self.sheets.variants().items()
        ]  # fmt: skip
        constants = [o.file for o in self.sheets.files.values() if o.constants is not None]
        return {
            "tables": tables,
            "constants": constants,
            "variants": variants,
            "broken": self.sheets.broken,
            "game": self._game(),
        }

    def _counts(self, table: str) -> dict[str, int]:
        """How many rows there are with each variant that adds or removes some."""
        rows = len(self.kinds[table])
        return {
            variant: rows + len(found["add"]) - len(found["remove"])
            for variant, found in self._changes(table).items()
            if found["add"] or found["remove"]
        }

    def _game(self) -> Json:
        opened = self.sheets.files.get("game.yaml")
        node = opened.yaml.documents[0] if opened is not None and opened.yaml.documents else None
        keys = ("game", "title", "about", "players", "seats")
        return {k: _plain(_get(node, k)) for k in keys if _get(node, k) is not None}

    # ------------------------------------------------------------ one table

    def table(self, name: str, variant: str = "") -> Json:
        found = self.sheets.table(name)
        if found is None:
            raise EditError(f"there is no table {name}")
        opened, node = found
        columns = self._columns(node)
        changes = self._changes(name)
        own = changes.get(variant, {})
        rows = [
            self._row(key.span.file, key.text, key, value, columns, changes, variant)
            for key, value in _entries(self.sheets.rows_in(node))
        ]
        for added, value in own.get("add", {}).items():
            file = self.sheets.variants()[variant]
            rows.append(
                {
                    **self._row(file.file, added, None, value, columns, {}, ""),
                    "added": True,
                    "line": value.span.line,
                }
            )
        by_name = {row["name"]: row for row in rows}
        rows = [by_name[one] for one in in_order(list(by_name), own.get("after", {}))]
        grid = node.get("grid")
        return {
            "name": name,
            "file": opened.file,
            "line": node.span.line,
            "about": _text(node.get("about")),
            "cites": _cites(node),
            "graph": _text(node.get("graph")),
            "grid": None if grid is None else _plain(grid),
            "csv": _text(node.get("csv")),
            "variant": variant,
            "columns": columns,
            "rows": rows,
            "members": {kind: self.members(kind, variant) for kind in self._named(columns)},
        }

    def _columns(self, node: YMap) -> list[Json]:
        return [
            {"name": key.text, "type": column_type(value, self.kinds)}
            for key, value in _entries(node.get("columns"))
        ]

    def _named(self, columns: list[Json]) -> list[str]:
        out: list[str] = []
        for column in columns:
            type_ = column["type"]
            while "of" in type_:
                type_ = type_["of"]
            if "kind" in type_:
                out.append(type_["kind"])
        return list(dict.fromkeys(out))

    def members(self, kind: str, variant: str = "") -> list[str]:
        if kind in ("Player", "Participant"):
            return [str(i) for i in range(len(self._game().get("seats", [])))]
        added = self._changes(kind).get(variant, {}).get("add", {})
        return [*self.kinds.get(kind, []), *added]

    def _row(
        self,
        in_file: str,
        name: str,
        key: YScalar | None,
        node: Node,
        columns: list[Json],
        changes: Mapping[str, Json],
        variant: str,
    ) -> Json:
        cells: Json = {}
        for column in columns:
            called = column["name"]
            cell = _cell(_get(node, called), column["type"])
            others = {
                other: _plain(found["change"][name][called])
                for other, found in changes.items()
                if called in found["change"].get(name, {})
            }
            cell["spans"] = _spans(in_file, _get(node, called))
            if variant in others:
                cell["before"] = cell["value"]
                cell["value"] = others.pop(variant)
                cell["changed"] = True
                file = self.sheets.variants()[variant].file
                cell["spans"] = _spans(file, changes[variant]["change"][name][called])
            if others:
                cell["changes"] = others
            cells[called] = cell
        removed = [other for other, found in changes.items() if name in found["remove"]]
        return {
            "name": name,
            "file": in_file,
            "line": (key or node).span.line,
            "cells": cells,
            "cites": _cites(node),
            "assumed": _text(_get(node, "assumed")) or _text(_get(node, "stand-in")),
            "removed": variant in removed,
            "removed_by": [other for other in removed if other != variant],
        }

    def _changes(self, table: str) -> dict[str, Json]:
        """What each variant does to a table: cells of rows, rows added, rows removed."""
        out: dict[str, Json] = {}
        for name, node in self.overlays.items():
            found = _get(_get(node, "tables"), table)
            if found is None:
                continue
            change = {
                key.text: {k.text: v for k, v in _entries(value) if k.text not in CITE_KEYS}
                for key, value in _entries(_get(found, "change"))
            }
            add = {key.text: value for key, value in _entries(_get(found, "add"))}
            gone = _get(found, "remove")
            removed = [i.text for i in gone.items if isinstance(i, YScalar)] if isinstance(gone, YList) else []  # fmt: skip
            after = {key.text: _text(value) for key, value in _entries(_get(found, "after"))}
            out[name] = {"change": change, "add": add, "remove": removed, "after": after}
        return out

    # ------------------------------------------------------------ constants

    def constants(self, file: str, variant: str = "") -> Json:
        """Constants as a table of one column, `value`."""
        opened = self.sheets.files.get(file)
        if opened is None or opened.constants is None:
            raise EditError(f"there are no constants in {file}")
        document = opened.yaml.documents[opened.constants]
        overlays = {
            name: {k.text: _get(v, "value") for k, v in _entries(_get(node, CONSTANTS))}
            for name, node in self.overlays.items()
        }
        rows: list[Json] = []
        for key, node in _entries(_get(document, CONSTANTS)):
            given = _get(node, "value")
            cell = _cell(given, self._constant_type(node, given))
            cell["spans"] = _spans(file, given)
            others = {
                other: _plain(found[key.text])
                for other, found in overlays.items()
                if key.text in found
            }
            if variant in others:
                cell["before"], cell["value"] = cell["value"], others.pop(variant)
                cell["changed"] = True
                cell["spans"] = _spans(
                    self.sheets.variants()[variant].file, overlays[variant][key.text]
                )
            if others:
                cell["changes"] = others
            bounds = " ".join(
                f"{word} {_text(_get(node, word))}"
                for word in ("from", "to", "length")
                if _get(node, word) is not None
            )
            rows.append(
                {
                    "name": key.text, "file": file, "line": key.span.line, "cells": {"value": cell}, "cites": _cites(node),
                    "assumed": _text(_get(node, "assumed")) or _text(_get(node, "stand-in")), "bounds": bounds,
                    "removed": False, "removed_by": [],
                }
            )  # fmt: skip
        types = [row["cells"]["value"]["type"] for row in rows]
        columns = [{"name": "value", "type": {"t": "each", "shown": "as each says"}}]
        named = self._named([{"type": t} for t in types])
        return {
            "name": CONSTANTS, "file": file, "about": "Numbers of the rules that belong to no component.", "cites": [],
            "columns": columns, "rows": rows, "variant": variant, "graph": "", "grid": None, "line": document.span.line,
            "members": {kind: self.members(kind, variant) for kind in named},
        }  # fmt: skip

    def _constant_type(self, node: Node, given: Node | None) -> Json:
        declared = _get(node, "type")
        if declared is not None:
            return column_type(declared, self.kinds)
        value = _plain(given)
        if isinstance(value, bool):
            return {"t": "bool", "shown": "bool"}
        if isinstance(value, list):
            return {
                "t": "list",
                "shown": "list of numbers",
                "of": {"t": "int", "low": None, "high": None},
            }
        low, high = (_plain(_get(node, word)) for word in ("from", "to"))
        return {
            "t": "int",
            "shown": "number",
            "low": low if isinstance(low, int) else None,
            "high": high if isinstance(high, int) else None,
        }

    # ------------------------------------------------------------ where a row is used

    def uses(self, name: str, texts: Mapping[str, str]) -> list[Json]:
        """The lines of other files, and of this one elsewhere, that name a row: rules first, scenarios last."""
        import re

        word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.[\w])")
        out: list[Json] = []
        for file, text in sorted(texts.items(), key=lambda one: _weight(one[0])):
            for number, line in enumerate(text.split("\n"), 1):
                code = line.partition("#")[0] if file.endswith(".rules") else line
                if word.search(code) and not re.match(
                    rf"\s*['\"]?{re.escape(name)}['\"]?\s*:", line
                ):
                    out.append({"file": file, "line": number, "text": line.strip()[:160]})
                    if len(out) >= 200:
                        return out
        return out


def _weight(file: str) -> tuple[int, str]:
    """What matters most to who changes a row comes first."""
    own = not file.startswith(("scenarios/", "clauses/"))
    return (0 if file.endswith(".rules") else 1 if own else 2), file


def in_order(rows: list[str], after: Mapping[str, str]) -> list[str]:
    """Rows at the places that a variant gives them, as the compiler does it."""
    out = list(rows)
    for name, behind in after.items():
        if name in out and (behind == "none" or behind in out) and name != behind:
            out.remove(name)
            out.insert(0 if behind == "none" else out.index(behind) + 1, name)
    return out


def _members(node: YMap, rows: Node | None) -> list[str]:
    grid = node.get("grid")
    if grid is not None:
        wide, high = _plain(_get(grid, "columns")), _plain(_get(grid, "rows"))
        if isinstance(wide, int) and isinstance(high, int) and wide * high <= 4096:
            return [f"r{y}c{x}" for y in range(1, high + 1) for x in range(1, wide + 1)]
        return []
    return [key.text for key, _ in _entries(rows)]


def _entries(node: Node | None) -> list[tuple[YScalar, Node]]:
    return node.entries if isinstance(node, YMap) else []


def _get(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, YMap) else None


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, YScalar) else ""


def _plain(node: Node | None) -> Any:
    return None if node is None else value_of(node)


def _cites(node: Node | None) -> list[str]:
    found = _plain(_get(node, "cite"))
    return [str(found)] if isinstance(found, str) else [str(c) for c in found or []]


def _spans(file: str, node: Node | None) -> list[list[Any]]:
    """Where a cell stands: file, line, column, last line, last column."""
    if node is None:
        return []
    at = node.span
    return [[file, at.line, at.column, at.end_line, at.end_column]]


def _cell(node: Node | None, type_: Json) -> Json:
    """A cell with its value; one that is not written has the column's default, and one that differs by player count all of them."""
    by = _get(node, BY_PLAYERS)
    out: Json = {"value": _plain(node), "type": type_, "given": node is not None}
    if node is None:
        out["value"] = type_.get("default")
    elif by is not None:
        out["by_players"] = _plain(by)
    if isinstance(node, YScalar) and type_["t"] in ("code", "text", "other"):
        out["value"] = node.text.rstrip("\n")
    return out
