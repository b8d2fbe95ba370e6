"""A spec → mutants of it: single small changes of its syntax trees, tables and constants."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.compiler.build import Spec
from rulewright.compiler.read.folder import (
    Cell,
    Constant,
    Folder,
    Row,
    Table,
    TableChange,
    Variant,
)
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.source import Span
from rulewright.conformance.mentions import reached
from rulewright.conformance.mutant_changes import Change, cell_changes, changes, node_changes


@dataclass(frozen=True, slots=True)
class Mutant:
    """`apply` gives the changed folder; `lines` are the lines of which one must run for the change to be seen."""

    id: str
    words: str
    span: Span
    lines: tuple[tuple[str, int], ...]
    within: Span | None
    cites: tuple[str, ...]
    apply: Callable[[Folder], Folder]
    # the variant that is changed: rulesets without it are as before
    variant: str | None = None


Put = Callable[[Any], Callable[[Folder], Folder]]


def all_mutants(spec: Spec) -> list[Mutant]:
    """Every mutant of a spec, in the order of its files."""
    found: list[Mutant] = []
    folder = spec.folder
    read = _names_read(folder)
    for_bots = _for_bots(folder)
    for i, decl in enumerate(folder.decls):
        if not (isinstance(decl, S.Function) and decl.name.text in for_bots):
            found += _decl_mutants(spec, decl, _put_decl(i))
    for table in folder.tables.values():
        found += _table_mutants(spec, table, read, _put_table)
    for constant in folder.constants.values():
        found += _constant_mutants(spec, constant, _put_constant)
    for variant in folder.variants.values():
        known = len(found)
        for i, decl in enumerate(variant.decls):
            found += _decl_mutants(spec, decl, _in_variant(variant, "decls", i))
        for table in variant.new_tables.values():
            found += _table_mutants(spec, table, read, _in_variant(variant, "new_tables"))
        for constant in variant.constants.values():
            found += _constant_mutants(spec, constant, _in_variant(variant, "constants"))
        for i, change in enumerate(variant.tables):
            put = _in_variant(variant, "tables", i)
            found += _overlay_mutants(spec, variant, change, read, put)
        found[known:] = [dataclasses.replace(m, variant=variant.name) for m in found[known:]]
    unique: dict[str, Mutant] = {}
    for m in found:
        key, n = m.id, 2
        while key in unique:
            key = f"{m.id}-{n}"
            n += 1
        unique[key] = dataclasses.replace(m, id=key)
    return sorted(unique.values(), key=lambda m: (m.span.file, m.span.line, m.span.column, m.id))


def _make(
    spec: Spec,
    change: Change,
    within: Span | None,
    cites: S.Cites,
    apply: Callable[[Folder], Folder],
    what: str = "",
) -> Mutant:
    """`what` names the cell or constant that is changed; `within` is the rule."""
    span, statement = change.span, change.statement
    words = f"{what}: {change.words}" if what else change.words
    line = " ".join(spec.sources.line(span.file, span.line).split())
    name = _name(f"{_inside_spec(spec, span.file)}|{line}|{words}")
    clauses = tuple(c.text for c in cites if c.kind == "clause")
    lines = tuple(
        (statement.file, n) for n in range(statement.line, max(statement.line, span.line) + 1)
    )
    return Mutant(name, words, span, lines, within, clauses, apply)


def _inside_spec(spec: Spec, file: str) -> str:
    """A file's name that is the same wherever the spec's folder lies."""
    for start in (spec.label, "" if spec.path is None else str(spec.path)):
        file = file.removeprefix(start).lstrip("/")
    return f"spec/{spec.folder.game.game}/{file}"


def _name(text: str) -> str:
    """A short name made from a text; one that YAML could take for a number gets a letter in front."""
    name = hashlib.sha256(text.encode()).hexdigest()[:10]
    return f"x{name}" if re.fullmatch(r"\d+(e\d+)?|0b[01]+", name) else name


# ---------------------------------------------------------------- putting a change into its place


def _placed(items: tuple[Any, ...], i: int, new: Any) -> tuple[Any, ...]:
    """The items with the i-th replaced, or left out."""
    return (*items[:i], *(() if new is None else (new,)), *items[i + 1 :])


def _put_decl(i: int) -> Put:
    return lambda new: lambda folder: dataclasses.replace(
        folder, decls=_placed(folder.decls, i, new)
    )


def _put_table(new: Table) -> Callable[[Folder], Folder]:
    return lambda folder: dataclasses.replace(folder, tables={**folder.tables, new.name: new})


def _put_constant(new: Constant) -> Callable[[Folder], Folder]:
    return lambda folder: dataclasses.replace(folder, constants={**folder.constants, new.name: new})


def _in_variant(variant: Variant, part: str, i: int | None = None) -> Put:
    """Into a part of a variant: in the i-th place, or under the name of what is put there."""

    def put(new: Any) -> Callable[[Folder], Folder]:
        old = getattr(variant, part)
        changed: Any = {**old, new.name: new} if i is None else _placed(old, i, new)
        other = dataclasses.replace(variant, **{part: changed})
        return lambda folder: dataclasses.replace(
            folder, variants={**folder.variants, variant.name: other}
        )

    return put


# ---------------------------------------------------------------- rules


def _decl_mutants(spec: Spec, decl: S.Decl, put: Put) -> Iterator[Mutant]:
    if isinstance(decl, S.Heuristic | S.Invariant):
        # neither changes play: the one is for bots, the other a check
        return
    for c in changes(decl, decl.span):
        yield _make(spec, c, decl.span, decl.cites, put(c.new))
    if isinstance(decl, S.Hook):
        words = f"dropped: {decl.when} {decl.target.text}"
        yield _make(spec, Change(None, words, decl.span, decl.span), None, decl.cites, put(None))


def _for_bots(folder: Folder) -> set[str]:
    """The functions that only the heuristic needs: they do not change play."""
    functions = {d.name.text: d for d in folder.decls if isinstance(d, S.Function)}
    bots = [d for d in folder.decls if isinstance(d, S.Heuristic)]
    rules = [d for d in folder.decls if not isinstance(d, S.Heuristic | S.Function)]
    others = [rules, folder.tables, folder.constants, folder.variants]
    return reached(bots, functions) - reached(others, functions)


# ---------------------------------------------------------------- cells and constants


def _names_read(folder: Folder) -> set[str]:
    """Column names that some rule reads; the others only serve pictures and texts."""
    found: set[str] = set()
    stack: list[Any] = [folder.decls, [v.decls for v in folder.variants.values()]]
    for table in folder.tables.values():
        stack += [
            c.code for row in table.rows.values() for c in row.cells.values() if c.code is not None
        ]
        stack += [part for c in table.columns.values() for part in (c.type, c.formula)]
        stack.append(table.each)
        if table.graph:
            found.add(table.graph)
    while stack:
        x = stack.pop()
        if isinstance(x, S.Attr):
            found.add(x.name.text)
        if isinstance(x, S.Ref):
            found.add(x.name)
        if isinstance(x, tuple | list):
            stack.extend(x)
        elif dataclasses.is_dataclass(x) and not isinstance(x, Span):
            stack.extend(getattr(x, f.name) for f in dataclasses.fields(x))
    return found


def _texts(nodes: Iterable[Node | None]) -> list[str]:
    return [node.text for node in nodes if isinstance(node, YScalar)]


def _made_mutants(spec: Spec, table: Table, read: set[str], put: Put) -> Iterator[Mutant]:
    """Changes of what rows are made from, and of how columns are worked out."""
    for column in table.columns.values():
        if column.formula is None or column.name not in read:
            continue
        for c in changes(column.formula, column.span):
            columns = {**table.columns, column.name: dataclasses.replace(column, formula=c.new)}
            new = dataclasses.replace(table, columns=columns)
            yield _make(spec, c, column.span, table.cites, put(new))
    each = table.each
    if each is None:
        return
    for i, (name, over) in enumerate(each.parts):
        for c in changes(over, each.span):
            parts = (*each.parts[:i], (name, c.new), *each.parts[i + 1 :])
            made = dataclasses.replace(each, parts=parts)
            yield _make(spec, c, each.span, table.cites, put(dataclasses.replace(table, each=made)))
    for c in changes(each.where, each.span) if each.where is not None else ():
        made = dataclasses.replace(each, where=c.new)
        yield _make(spec, c, each.span, table.cites, put(dataclasses.replace(table, each=made)))


def _table_mutants(spec: Spec, table: Table, read: set[str], put: Put) -> Iterator[Mutant]:
    yield from _made_mutants(spec, table, read, put)
    for row in table.rows.values():
        for name, cell in row.cells.items():

            def apply(new: Cell, row: Row = row, name: str = name) -> Callable[[Folder], Folder]:
                changed = dataclasses.replace(row, cells={**row.cells, name: new})
                rows = {**table.rows, row.name: changed}
                return put(dataclasses.replace(table, rows=rows))

            if cell.code is not None:
                for c in changes(cell.code, cell.span):
                    new = dataclasses.replace(cell, code=c.new)
                    yield _make(spec, c, cell.span, row.cites, apply(new))
            elif name == table.graph and isinstance(cell.node, YList):
                yield from _link_mutants(spec, table, row, put)
            elif name in read:
                others = _texts(r.cells[name].node for r in table.rows.values() if name in r.cells)
                for node, words in node_changes(cell.node, others):
                    c = Change(node, words, cell.span, cell.span)
                    new = dataclasses.replace(cell, node=node)
                    yield _make(spec, c, None, row.cites, apply(new), f"{row.name}.{name}")


def _link_mutants(spec: Spec, table: Table, row: Row, put: Put) -> Iterator[Mutant]:
    """Links of a graph go both ways however they are written, so one is cut at both ends."""
    name = table.graph
    assert name is not None
    order = list(table.rows)
    cell = row.cells[name]
    for other in _texts(_items(cell.node)):
        end = table.rows.get(other)
        back = end is not None and row.name in _texts(_items(end.cells[name].node))
        if back and order.index(other) < order.index(row.name):
            continue  # cut from there
        rows = {**table.rows, row.name: _without(row, name, other)}
        if back and end is not None and other != row.name:
            rows[other] = _without(end, name, row.name)
        c = Change(None, f"not linked to {other}", cell.span, cell.span)
        new = dataclasses.replace(table, rows=rows)
        yield _make(spec, c, None, row.cites, put(new), row.name)


def _items(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, YList) else []


def _without(row: Row, name: str, gone: str) -> Row:
    cell = row.cells[name]
    assert isinstance(cell.node, YList)
    left = [x for x in cell.node.items if not (isinstance(x, YScalar) and x.text == gone)]
    new = dataclasses.replace(cell, node=YList(left, cell.node.span))
    return dataclasses.replace(row, cells={**row.cells, name: new})


def _constant_mutants(spec: Spec, constant: Constant, put: Put) -> Iterator[Mutant]:
    for node, words in node_changes(constant.node, []):
        c = Change(node, words, constant.span, constant.span)
        new = dataclasses.replace(constant, node=node)
        yield _make(spec, c, None, constant.cites, put(new), constant.name)


# ---------------------------------------------------------------- what overlays do to tables


def _overlay_mutants(
    spec: Spec, variant: Variant, change: TableChange, read: set[str], put: Put
) -> Iterator[Mutant]:
    """Cells that an overlay changes, rows that it adds, and rows that it removes."""
    folder = spec.folder
    table = folder.tables.get(change.table.text)
    if table is None:
        # the table of another variant
        tables = (v.new_tables.get(change.table.text) for v in folder.variants.values())
        table = next(t for t in tables if t is not None)
    for row, cells in change.change.items():
        cites = change.change_cites[row] or variant.cites
        for name, node in cells.items():
            for c in _written(folder, table, name, node, read):
                rows = {**change.change, row: {**cells, name: c.new}}
                new = dataclasses.replace(change, change=rows)
                yield _make(spec, c, node.span, cites, put(new), f"{row}.{name}")
    for row, wrapped in change.add.items():
        assert isinstance(wrapped, YMap)
        ((key, inner),) = wrapped.entries
        assert isinstance(inner, YMap)
        for i, (column, node) in enumerate(inner.entries):
            for c in _written(folder, table, column.text, node, read):
                entries = [*inner.entries[:i], (column, c.new), *inner.entries[i + 1 :]]
                added = YMap([(key, YMap(entries, inner.span))], wrapped.span)
                new = dataclasses.replace(change, add={**change.add, row: added})
                yield _make(spec, c, node.span, variant.cites, put(new), f"{row}.{column.text}")
    for i, gone in enumerate(change.remove):
        c = Change(None, f"{gone.text} not removed", gone.span, gone.span)
        new = dataclasses.replace(change, remove=_placed(change.remove, i, None))
        yield _make(spec, c, None, variant.cites, put(new))


def _written(
    folder: Folder, table: Table, name: str, node: Node, read: set[str]
) -> Iterator[Change]:
    """Changes of a cell that an overlay writes, if rules read it."""
    column = table.columns.get(name)
    if column is None or not (name in read or isinstance(column.type, S.CodeType | S.HookType)):
        return
    others = _texts(r.cells[name].node for r in table.rows.values() if name in r.cells)
    yield from cell_changes(column, node, others, folder.game.players)
