"""YAML documents into tables whose rows have every cell filled and its code parsed."""

from __future__ import annotations

from rulewright.compiler.read.folder import Cell, Column, Row, Table
from rulewright.compiler.read.read_csv import OpenFile, read_csv
from rulewright.compiler.read.read_made import GRID_COLUMNS, read_expression, read_made
from rulewright.compiler.read.read_properties import read_properties
from rulewright.compiler.read.read_values import (
    CITE_KEYS,
    UNKNOWN,
    Counts,
    identifier,
    kind_name,
    member_name,
    read_cell,
    read_cites,
    read_type,
)
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YMap,
    YScalar,
    as_map,
    as_name,
    as_text,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span


def read_table(
    node: YMap,
    problems: Problems,
    players: Counts,
    name: YScalar | None = None,
    open_file: OpenFile | None = None,
) -> Table | None:
    """A document with `table:`, or what stands under the name of a new table in a variant.

    `open_file` gives the text of a file of the folder; without it rows can't be read from one.
    """
    fields = Fields(node, problems, "a table")
    called: Node | None = name if name is not None else fields.need("table")
    kind = None if called is None else kind_name(called, problems)
    about_node = fields.take("about")
    about = None if about_node is None else as_text(about_node, problems, "'about'")
    column_node, row_node = fields.take("columns"), fields.take("rows")
    graph_node, property_node = fields.take("graph"), fields.take("properties")
    made = read_made(fields, problems)
    cites = read_cites(fields, problems)
    fields.finish()
    if kind is None or called is None:
        return None
    columns = {} if column_node is None else _read_columns(column_node, problems)
    graph = None if graph_node is None else _read_graph(graph_node, kind, columns, problems)
    if made.grid_node is not None and graph_node is not None:
        message = "a table with a grid has its 'graph' already: 'neighbours'"
        problems.error("RW0317", graph_node.span, message, hint="remove one of them")
        graph = "neighbours"
    elif made.grid_node is not None:
        graph = "neighbours"
    for taken in (*made.names, *(GRID_COLUMNS if made.grid_node is not None else ())):
        if taken in columns:
            message = f"the column '{taken}' of {kind} is there already: its rows are made from it"
            problems.error("RW0306", columns.pop(taken).span, message, hint="remove it")
    properties = read_properties(property_node, kind, columns, graph, problems)
    table = Table(
        kind, about or "", columns, {}, graph, made.grid, cites, called.span, properties, made.each
    )
    defaults = default_cells(table, problems, players)
    if made.csv is not None:
        if row_node is not None or made.grid_node is not None or made.names:
            message = "the rows of a table come from one place"
            problems.error("RW0328", made.csv.span, message, hint="remove 'csv', or the other rows")
        row_node = read_csv(made.csv, table, problems, open_file)
        if row_node is None:
            return table
    if row_node is None:
        if made.nothing:
            problems.error("RW0320", called.span, "a table needs 'rows', 'each', 'csv' or 'grid'")
        return table
    mapping = as_map(row_node, problems, "'rows'")
    if mapping is not None and not mapping.entries:
        problems.error("RW0320", mapping.span, f"the table {kind} has no rows")
    for key, value in mapping.entries if mapping is not None else []:
        row = read_row(table, key, value, cites, defaults, problems, players)
        if row is not None:
            table.rows[row.name] = row
    return table


def _read_columns(node: Node, problems: Problems) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    mapping = as_map(node, problems, "'columns'")
    for key, value in mapping.entries if mapping is not None else []:
        if key.text in CITE_KEYS:
            message = f"a column cannot be called '{key.text}': rows name their clauses there"
            problems.error("RW0305", key.span, message, hint="choose another name")
            continue
        column = _read_column(key, value, problems)
        if key.text != "text" or column.type is not None:
            # words called `text` are shown and never named in rules, so the language's own word is free for them
            identifier(key, problems, "the name of a column")
        columns[key.text] = column
    return columns


def _read_column(key: YScalar, node: Node, problems: Problems) -> Column:
    default: Node | None = None
    formula: S.Expr | None = None
    spec: Node | None = node
    if isinstance(node, YMap):
        fields = Fields(node, problems, "a column")
        spec, default, is_node = fields.need("type"), fields.take("default"), fields.take("is")
        fields.finish()
        formula = None if is_node is None else read_expression(is_node, problems, "'is'")
        if is_node is not None and default is not None:
            message = f"the column '{key.text}' has both 'is' and 'default'"
            hint = "with 'is' every row has a value; remove 'default'"
            problems.error("RW0328", default.span, message, hint=hint)
            default = None
        if is_node is not None and formula is None:
            return Column(key.text, UNKNOWN, None, key.span)
    if isinstance(spec, YScalar) and spec.text == "text":
        if formula is not None:
            message = "a column of texts cannot be worked out"
            problems.error("RW0328", key.span, message, hint="write the texts in the rows")
        return Column(key.text, None, default, key.span)
    what = f"the type of the column {quoted(key.text)}"
    parsed = None if spec is None else read_type(spec, problems, "column_type", what)
    if spec is not None and isinstance(parsed, S.MapType):
        hint = "use a column for each key, or a table of its own"
        problems.error("RW0310", spec.span, "a column cannot hold a map", hint=hint)
    elif isinstance(parsed, S.ColumnType):
        if formula is not None and isinstance(parsed, S.CodeType | S.HookType):
            message = "a column of code cannot be worked out"
            hint = "write the code under 'default': the rows share it, and 'this' is the row"
            problems.error("RW0328", key.span, message, hint=hint)
            formula = None
        return Column(key.text, parsed, default, key.span, formula)
    return Column(key.text, UNKNOWN, default, key.span)


def default_cells(table: Table, problems: Problems, players: Counts) -> dict[str, Cell]:
    """The cells that rows without one of their own get, parsed once for all of them."""
    return {
        column.name: read_cell(column, column.default, problems, players)
        for column in table.columns.values()
        if column.default is not None
    }


def read_row(
    table: Table,
    key: YScalar,
    node: Node,
    inherited: S.Cites,
    defaults: dict[str, Cell],
    problems: Problems,
    players: Counts,
) -> Row | None:
    """A row with every cell filled, from its own text or from the column's default."""
    name = member_name(key, problems, "the name of a row")
    mapping = as_map(node, problems, f"the row {quoted(key.text)}")
    if name is None or mapping is None:
        return None
    given, cites = read_cells(table, mapping, problems, players)
    cells: dict[str, Cell] = {}
    for column in table.columns.values():
        if column.name in given:
            cells[column.name] = given[column.name]
        elif column.name in defaults:
            cells[column.name] = defaults[column.name]
        elif column.formula is None and table.each is None:
            message = f"the row {quoted(name)} has no cell for the column '{column.name}'"
            related = [Related(column.span, "the column has no default")]
            hint = f"add '{column.name}: …', or give the column a default"
            problems.error("RW0312", key.span, message, hint=hint, related=related)
    return Row(name, cells, cites or inherited, key.span)


def read_cells(
    table: Table, mapping: YMap, problems: Problems, players: Counts
) -> tuple[dict[str, Cell], S.Cites]:
    """The cells and citations written in a row, or in a change to one."""
    cells: dict[str, Cell] = {}
    for key, value in mapping.entries:
        if key.text in CITE_KEYS:
            continue
        column = table.columns.get(key.text)
        if column is None:
            unknown_column(table, key.text, key.span, problems)
            continue
        cells[key.text] = read_cell(column, value, problems, players)
    return cells, read_cites(Fields(mapping, problems), problems)


def unknown_column(table: Table, name: str, at: Span, problems: Problems) -> None:
    """Report a cell for a column that the table does not have."""
    known = [*table.columns, *CITE_KEYS]
    message = f"the table {table.name} has no column {quoted(name)}"
    hint = did_you_mean(name, known)
    problems.error("RW0311", at, message, expected=listed(known), hint=hint)


def _read_graph(
    node: Node, kind: str, columns: dict[str, Column], problems: Problems
) -> str | None:
    name = as_name(node, problems, "'graph'")
    if name is None:
        return None
    column = columns.get(name)
    if column is None:
        message = f"the table {kind} has no column {quoted(name)}"
        problems.error("RW0316", node.span, message, hint=did_you_mean(name, columns))
        return None
    if column.type == UNKNOWN:
        return None
    if column.type != S.SetType(S.NamedType(kind)):
        message = f"the column '{name}' cannot be the graph of {kind}"
        related = [Related(column.span, "the column is defined here")]
        expected = f"a column of type 'set of {kind}'"
        problems.error("RW0316", node.span, message, expected=expected, related=related)
        return None
    return name
