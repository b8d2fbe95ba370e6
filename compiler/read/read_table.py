"""YAML documents into tables whose rows have every cell filled and its code parsed."""

from __future__ import annotations

from rulewright.compiler.read.folder import Cell, Column, Grid, Row, Table
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
    as_int,
    as_map,
    as_name,
    as_text,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span

MAX_MEMBERS = 4096  # of a grid, which a few characters can make as large as they like


def read_table(
    node: YMap, problems: Problems, players: Counts, name: YScalar | None = None
) -> Table | None:
    """A document with `table:`, or what stands under the name of a new table in a variant."""
    fields = Fields(node, problems, "a table")
    called: Node | None = name if name is not None else fields.need("table")
    kind = None if called is None else kind_name(called, problems)
    about_node = fields.take("about")
    about = None if about_node is None else as_text(about_node, problems, "'about'")
    column_node, row_node = fields.take("columns"), fields.take("rows")
    graph_node, grid_node = fields.take("graph"), fields.take("grid")
    property_node = fields.take("properties")
    cites = read_cites(fields, problems)
    fields.finish()
    if kind is None or called is None:
        return None
    table = Table(kind, about or "", {}, {}, None, None, cites, called.span)
    if grid_node is not None:
        given = {
            "columns": column_node,
            "rows": row_node,
            "graph": graph_node,
            "properties": property_node,
        }
        for word, other in given.items():
            if other is not None:
                message = f"a table with a grid cannot have '{word}'"
                problems.error("RW0317", other.span, message, hint="remove one of them")
        return _grid_table(table, grid_node, problems)
    columns = {} if column_node is None else _read_columns(column_node, problems)
    graph = None if graph_node is None else _read_graph(graph_node, kind, columns, problems)
    properties = read_properties(property_node, kind, columns, graph, problems)
    table = Table(kind, about or "", columns, {}, graph, None, cites, called.span, properties)
    if row_node is None:
        problems.error("RW0320", called.span, "a table needs 'rows' or 'grid'")
        return table
    mapping = as_map(row_node, problems, "'rows'")
    if mapping is not None and not mapping.entries:
        problems.error("RW0320", mapping.span, f"the table {kind} has no rows")
    defaults = default_cells(table, problems, players)
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
    spec: Node | None = node
    if isinstance(node, YMap):
        fields = Fields(node, problems, "a column")
        spec, default = fields.need("type"), fields.take("default")
        fields.finish()
    if isinstance(spec, YScalar) and spec.text == "text":
        return Column(key.text, None, default, key.span)
    what = f"the type of the column {quoted(key.text)}"
    parsed = None if spec is None else read_type(spec, problems, "column_type", what)
    if spec is not None and isinstance(parsed, S.MapType):
        hint = "use a column for each key, or a table of its own"
        problems.error("RW0310", spec.span, "a column cannot hold a map", hint=hint)
    elif isinstance(parsed, S.ColumnType):
        return Column(key.text, parsed, default, key.span)
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
        else:
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


def _grid_table(table: Table, node: Node, problems: Problems) -> Table:
    """The table with its grid, or as it was when there is something wrong with that."""
    mapping = as_map(node, problems, "'grid'")
    if mapping is None:
        return table
    fields = Fields(mapping, problems, "a grid")
    wide_node, high_node = fields.need("columns"), fields.need("rows")
    fields.finish()
    wide = None if wide_node is None else as_int(wide_node, problems, "'columns'")
    high = None if high_node is None else as_int(high_node, problems, "'rows'")
    if wide is None or high is None:
        return table
    if wide < 1 or high < 1 or wide * high > MAX_MEMBERS:
        expected = f"at least 1 column and 1 row, and at most {MAX_MEMBERS} members"
        message = f"a grid of {wide} by {high} members cannot be made"
        problems.error("RW0317", mapping.span, message, expected=expected)
        return table
    # The members and columns follow from the size; the checker makes them.
    grid = Grid(wide, high, mapping.span)
    return Table(table.name, table.about, {}, {}, "neighbours", grid, table.cites, table.span)
