"""What somebody does in a grid → edits of the spec's files: cells, rows, constants, the game file, in the base game or in a variant's overlay."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.compiler.read.yaml_nodes import YList, YMap, YScalar
from rulewright.studio.cell_grids import CONSTANTS, Grids, Opened
from rulewright.studio.csv_operations import CSV
from rulewright.studio.edits import Edit, EditError, apply
from rulewright.studio.project import Project
from rulewright.studio.yaml_edits import (
    add_entry,
    copy_row,
    move_row,
    put,
    remove_entry,
    rename_key,
    set_value,
)
from rulewright.studio.yaml_file import YamlFile
from rulewright.studio.yaml_spelling import Value

Json = dict[str, Any]
Edits = dict[str, list[Edit] | str]
# the order of the keys of an overlay
_VARIANT_KEYS = (
    "variant", "about", "players", "automatic", "needs", "excludes", "cite", "assumed", "stand-in", "neutral", "teams", "reasons",
    "options", "constants", "tables", "new tables", "rules", "overrules", "absent",
)  # fmt: skip
_CHANGE_KEYS = ("change", "add", "remove", "after")
_OVERLAY_KEYS = (*_VARIANT_KEYS, *_CHANGE_KEYS)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_VARIANT_NAME = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*")


def perform(project: Project, asked: Mapping[str, Any], group: str = "") -> list[str]:
    """Do what a page asked for; the files that changed."""
    does = _ALL.get(str(asked.get("op")))
    if does is None:
        raise EditError(f"there is no operation {asked.get('op')!r}")
    texts = {file: project.text(file) for file in project.files()}
    grids = Grids(texts)
    label, edits = _in_csv(grids, asked) or does(grids, asked)
    return project.change(label, edits, group)


def _in_csv(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits] | None:
    """What is asked of the rows of the base game in a file of comma-separated values; None for anything else."""
    op = str(asked.get("op"))
    if op not in CSV or asked.get("variant"):
        return None
    table, _, _ = _table(grids, asked)
    found = grids.sheets.table(table)
    if found is None or not isinstance(named := found[1].get("csv"), YScalar):
        return None
    file = grids.sheets.csvs.get(named.text)
    if file is None:
        raise EditError(grids.sheets.broken.get(named.text, f"there is no file {named.text}"))
    row = "" if op == "add" else _word(asked, "row")
    given = dict(asked)
    if op in ("add", "copy", "rename"):
        given["name"] = _new_name(asked)
    if op == "cell":
        given["column"] = _word(asked, "column")
    if op == "move" and not isinstance(asked.get("to"), int):
        raise EditError("a place is needed")
    for key in ("value", "cells", "cite", "assumed"):
        if given.get(key) is not None:
            given[key] = value_in(given[key])
    label, does = CSV[op]
    words = {k: given.get(k, "") for k in ("row", "column", "name")}
    return label.format(table=table, **words), {file.name: does(file, row, given)}


# ---------------------------------------------------------------- what is asked, checked


def _word(asked: Mapping[str, Any], key: str) -> str:
    found = asked.get(key)
    if not isinstance(found, str) or not found or len(found) > 200:
        raise EditError(f"a {key} is needed")
    return found


def _new_name(asked: Mapping[str, Any], key: str = "name") -> str:
    name = _word(asked, key)
    if not _NAME.fullmatch(name) or len(name) > 80:
        raise EditError(f"{name!r} can't be a name: use letters, digits and _, with . or - inside")
    return name


def value_in(value: Any, depth: int = 0) -> Value:
    """A value from outside: numbers, truth values, texts, and lists and mappings of them."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    if isinstance(value, list) and len(value) <= 5000 and depth < 4:
        return [value_in(v, depth + 1) for v in value]
    if isinstance(value, dict) and len(value) <= 500 and depth < 4:
        return {str(k): value_in(v, depth + 1) for k, v in value.items()}
    raise EditError("a value is a whole number, true or false, a text, or a list of these")


def _table(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Opened, int]:
    name = _word(asked, "table")
    found = grids.sheets.table(name)
    if found is None:
        raise EditError(f"there is no table {name}")
    opened, _ = found
    return name, opened, opened.tables[name]


def _variant(grids: Grids, asked: Mapping[str, Any]) -> Opened | None:
    name = asked.get("variant") or ""
    if not name:
        return None
    found = grids.sheets.variants().get(str(name))
    if found is None:
        raise EditError(f"there is no variant {name}")
    return found


def _columns(grids: Grids, table: str) -> list[str]:
    found = grids.sheets.table(table)
    columns = None if found is None else found[1].get("columns")
    return columns.keys() if isinstance(columns, YMap) else []


# ---------------------------------------------------------------- cells


def _cell(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    table, opened, number = _table(grids, asked)
    row, column = _word(asked, "row"), _word(asked, "column")
    order = [*_columns(grids, table), "cite", "assumed", "stand-in"]
    label = f"{table} {row}: {column}"
    variant = _variant(grids, asked)
    if variant is not None:
        path = _in_overlay(grids, variant, table, row, column)
        if asked.get("value") is None:
            return label, {variant.file: _taken_out(variant.yaml, path)}
        edits = put(variant.yaml, path, value_in(asked["value"]), _order_at(path, order))
        return label, {variant.file: edits}
    path = (number, "rows", row, column)
    if asked.get("value") is None:
        return label, {opened.file: remove_entry(opened.yaml, path)}
    opened.yaml.find(path[:-1])
    return label, {opened.file: _put_cell(opened.yaml, path, value_in(asked["value"]), order)}


def _put_cell(
    file: YamlFile, path: tuple[str | int, ...], value: Value, order: list[str]
) -> list[Edit]:
    if file.look(path) is None and isinstance(value, str) and "\n" in value:
        # first a place for it, then the text, which may open the braces around
        first = put(file, path, "x", order)
        text = apply(file.text, first)
        return [Edit(0, len(file.text), apply(text, set_value(YamlFile(text), path, value)))]
    return put(file, path, value, order)


def _in_overlay(
    grids: Grids, variant: Opened, table: str, row: str, column: str
) -> tuple[str | int, ...]:
    """Where a variant keeps a cell: among the rows it adds, or among those it changes."""
    if variant.yaml.look((0, "tables", table, "add", row)) is not None:
        return (0, "tables", table, "add", row, column)
    rows = grids.sheets.rows_of(table)
    if rows is None or rows.get(row) is None:
        raise EditError(f"there is no row {row} in {table}")
    return (0, "tables", table, "change", row, column)


def _order_at(path: tuple[str | int, ...], columns: list[str]) -> tuple[str, ...]:
    """All orders that may matter on the way: keys of different levels do not meet."""
    return (*_VARIANT_KEYS, *_CHANGE_KEYS, *columns)


def _taken_out(file: YamlFile, path: tuple[str | int, ...]) -> list[Edit]:
    """A change is given up; mappings that are empty then, or hold nothing but a reason, go too."""
    text = file.text
    while len(path) > 2:
        now = YamlFile(text)
        if now.look(path) is None:
            return []
        parent = now.find(path[:-1]).node
        assert isinstance(parent, YMap)
        gone = (path[-1], "cite", "assumed", "stand-in")
        left = [key.text for key, _ in parent.entries if key.text not in gone]
        if left:
            text = apply(text, remove_entry(now, path))
            break
        path = path[:-1]
    else:
        text = apply(text, remove_entry(YamlFile(text), path))
    return [Edit(0, len(file.text), text)] if text != file.text else []


def _constant(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    name = _word(asked, "name")
    opened = next((o for o in grids.sheets.files.values() if o.constants is not None and o.yaml.look((o.constants, CONSTANTS, name))), None)  # fmt: skip
    if opened is None or opened.constants is None:
        raise EditError(f"there is no constant {name}")
    variant = _variant(grids, asked)
    label = f"constant {name}"
    if variant is not None:
        path: tuple[str | int, ...] = (0, CONSTANTS, name, "value")
        if asked.get("value") is None:
            return label, {variant.file: _taken_out(variant.yaml, path)}
        return label, {
            variant.file: put(variant.yaml, path, value_in(asked["value"]), _VARIANT_KEYS)
        }
    path = (opened.constants, CONSTANTS, name, "value")
    return label, {opened.file: set_value(opened.yaml, path, value_in(asked.get("value")))}


def _reason(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    """The clauses that a row cites, or the reason for a row of one's own; one takes the place of the other."""
    table, opened, number = _table(grids, asked)
    row = _word(asked, "row")
    path: tuple[str | int, ...] = (number, "rows", row)
    variant = _variant(grids, asked)
    if variant is not None:
        opened = variant
        inside = "add" if variant.yaml.look((0, "tables", table, "add", row)) else "change"
        path = (0, "tables", table, inside, row)
    text = opened.yaml.text
    for key in ("cite", "assumed"):
        value = asked.get(key)
        now = YamlFile(text)
        there = now.look((*path, key)) is not None
        if value:
            text = apply(text, put(now, (*path, key), value_in(value)))
        elif there and key in asked:
            text = apply(text, remove_entry(now, (*path, key)))
    return f"{table} {row}: where it comes from", {opened.file: text}


# ---------------------------------------------------------------- rows


def _add(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    table, opened, number = _table(grids, asked)
    name = _new_name(asked)
    cells = value_in(asked.get("cells") or {})
    if not isinstance(cells, Mapping):
        raise EditError("cells are a mapping")
    order = {column: i for i, column in enumerate(_columns(grids, table))}
    cells = dict(sorted(cells.items(), key=lambda item: order.get(item[0], 999)))
    label = f"{table}: {name} added"
    variant = _variant(grids, asked)
    after = asked.get("after")
    if variant is not None:
        path = (0, "tables", table, "add", name)
        text = apply(variant.yaml.text, put(variant.yaml, path, cells, _OVERLAY_KEYS))
        behind = str(after) if after else None
        return label, {variant.file: _placed(grids, table, asked, text, name, behind)}
    edits = add_entry(
        opened.yaml, (number, "rows"), name, cells, after=str(after) if after else None
    )
    return label, {opened.file: edits}


def _copy(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    table, opened, number = _table(grids, asked)
    row, name = _word(asked, "row"), _new_name(asked)
    label = f"{table}: {name}, a copy of {row}"
    variant = _variant(grids, asked)
    if variant is None:
        return label, {opened.file: copy_row(opened.yaml, (number, "rows", row), name)}
    shown = grids.table(table, str(asked["variant"]))
    found = next((r for r in shown["rows"] if r["name"] == row), None)
    if found is None:
        raise EditError(f"there is no row {row} in {table}")
    cells = {k: c["value"] for k, c in found["cells"].items() if c["given"] or c.get("changed")}
    if found["cites"]:
        cells["cite"] = found["cites"]
    path = (0, "tables", table, "add", name)
    text = apply(variant.yaml.text, put(variant.yaml, path, value_in(cells), _OVERLAY_KEYS))
    return label, {variant.file: _placed(grids, table, asked, text, name, row)}


def _move(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    table, opened, number = _table(grids, asked)
    row, to = _word(asked, "row"), asked.get("to")
    if not isinstance(to, int):
        raise EditError("a place is needed")
    label = f"{table}: {row} moved"
    variant = _variant(grids, asked)
    if variant is not None:
        order = [r["name"] for r in grids.table(table, str(asked["variant"]))["rows"]]
        if row not in order:
            raise EditError(f"there is no row {row} in {table}")
        order.remove(row)
        order.insert(max(0, to), row)
        return label, {variant.file: _with_order(grids, table, asked, variant.yaml.text, order)}
    return label, {opened.file: move_row(opened.yaml, (number, "rows", row), to)}


def _placed(
    grids: Grids, table: str, asked: Mapping[str, Any], text: str, name: str, behind: str | None
) -> str:
    """An overlay's text with a row that it adds behind another one, or at the end."""
    order = [r["name"] for r in grids.table(table, str(asked["variant"]))["rows"]]
    if behind is not None and behind not in order:
        raise EditError(f"there is no row {behind} in {table}")
    order.insert(len(order) if behind is None else order.index(behind) + 1, name)
    return _with_order(grids, table, asked, text, order)


def _with_order(
    grids: Grids, table: str, asked: Mapping[str, Any], text: str, order: list[str]
) -> str:
    """An overlay's text that says no more about places than it must for rows to stand in this order."""
    file = YamlFile(text)
    added = file.look((0, "tables", table, "add"))
    own = added.node.keys() if added is not None and isinstance(added.node, YMap) else []
    gone = {r["name"] for r in grids.table(table, str(asked["variant"]))["rows"] if r["removed"]}
    usual = [row for row in (*grids.kinds[table], *own) if row not in gone]
    wanted = [row for row in order if row not in gone]
    stay = _longest({row: i for i, row in enumerate(usual)}, wanted)
    after: dict[str, Value] = {
        row: wanted[i - 1] if i else "none" for i, row in enumerate(wanted) if row not in stay
    }
    path: tuple[str | int, ...] = (0, "tables", table, "after")
    if after:
        return apply(text, put(file, path, after, _OVERLAY_KEYS))
    return apply(text, _taken_out(file, path))


def _longest(place: Mapping[str, int], wanted: list[str]) -> set[str]:
    """The most rows that already stand in the wanted order."""
    # for each row the length of the longest run that ends with it, and the row before it there
    runs: dict[str, tuple[int, str | None]] = {}
    for row in wanted:
        before = [(n, one) for one, (n, _) in runs.items() if place[one] < place[row]]
        length, last = max(before, default=(0, None))
        runs[row] = (length + 1, last)
    out: set[str] = set()
    at = max(runs, key=lambda one: runs[one][0], default=None)
    while at is not None:
        out.add(at)
        at = runs[at][1]
    return out


def _delete(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    table, opened, number = _table(grids, asked)
    row = _word(asked, "row")
    label = f"{table}: {row} removed"
    variant = _variant(grids, asked)
    if variant is None:
        return label, {opened.file: remove_entry(opened.yaml, (number, "rows", row))}
    added = (0, "tables", table, "add", row)
    if variant.yaml.look(added) is not None:
        left = [r["name"] for r in grids.table(table, str(asked["variant"]))["rows"]]
        left.remove(row)
        text = apply(variant.yaml.text, _taken_out(variant.yaml, added))
        return label, {variant.file: _with_order(grids, table, asked, text, left)}
    gone = _removed(variant, table)
    path = (0, "tables", table, "remove")
    return label, {variant.file: put(variant.yaml, path, [*gone, row], _OVERLAY_KEYS)}


def _restore(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    """A row that a variant removes is there again."""
    table, _, _ = _table(grids, asked)
    row, variant = _word(asked, "row"), _variant(grids, asked)
    if variant is None:
        raise EditError("only a variant removes rows that are there")
    left = [name for name in _removed(variant, table) if name != row]
    path = (0, "tables", table, "remove")
    edits = set_value(variant.yaml, path, left) if left else _taken_out(variant.yaml, path)
    return f"{table}: {row} is there again", {variant.file: edits}


def _removed(variant: Opened, table: str) -> list[str]:
    found = variant.yaml.look((0, "tables", table, "remove"))
    items = found.node.items if found is not None and isinstance(found.node, YList) else []
    return [item.text for item in items if isinstance(item, YScalar)]


def _rename(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    table, opened, number = _table(grids, asked)
    row, name = _word(asked, "row"), _new_name(asked)
    variant = _variant(grids, asked)
    path: tuple[str | int, ...] = (number, "rows", row)
    if variant is not None:
        order = [r["name"] for r in grids.table(table, str(asked["variant"]))["rows"]]
        renamed = rename_key(variant.yaml, (0, "tables", table, "add", row), name)
        text = apply(variant.yaml.text, renamed)
        called = [name if one == row else one for one in order]
        return f"{table}: {row} is called {name}", {
            variant.file: _with_order(grids, table, asked, text, called)
        }
    return f"{table}: {row} is called {name}", {opened.file: rename_key(opened.yaml, path, name)}


# ---------------------------------------------------------------- the game, variants, files


def _game(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    key = _word(asked, "key")
    if key not in ("title", "about", "players", "seats"):
        raise EditError(f"{key} of the game can't be changed here")
    opened = grids.sheets.files.get("game.yaml")
    if opened is None:
        raise EditError("game.yaml can't be read")
    return f"game: {key}", {"game.yaml": put(opened.yaml, (0, key), value_in(asked.get("value")))}


def _new_variant(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    name = _word(asked, "name")
    if not _VARIANT_NAME.fullmatch(name) or len(name) > 60:
        raise EditError(
            f"{name!r} can't be a name: use small letters and digits, with - or _ between words"
        )
    file = f"variants/{name}.yaml"
    if name in grids.sheets.variants() or file in grids.sheets.files:
        raise EditError(f"there is a variant {name} already")
    players = asked.get("players") or grids.index()["game"].get("players") or [2]
    about = str(asked.get("about") or "Say in one line what is different.")
    text = (
        f"variant: {name}\nabout: {_line(about)}\nplayers: [{', '.join(str(int(p)) for p in players)}]\n"
        f'assumed: "the variant {name}, for trying out"\n'
    )
    return f"variant {name}", {file: text}


def _line(text: str) -> str:
    from rulewright.studio.yaml_spelling import spell_text

    return spell_text(" ".join(text.split()), flow=False)


def _new_file(grids: Grids, asked: Mapping[str, Any]) -> tuple[str, Edits]:
    file = _word(asked, "file")
    text = asked.get("text")
    return f"{file} made", {file: text if isinstance(text, str) else ""}


_ALL: dict[str, Callable[[Grids, Mapping[str, Any]], tuple[str, Edits]]] = {
    "cell": _cell,
    "constant": _constant,
    "reason": _reason,
    "add": _add,
    "copy": _copy,
    "move": _move,
    "delete": _delete,
    "restore": _restore,
    "rename": _rename,
    "game": _game,
    "variant": _new_variant,
    "file": _new_file,
}
