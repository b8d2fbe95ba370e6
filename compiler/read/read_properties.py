"""What a table says of its rows under `properties:` → properties to check in every ruleset.

properties:
  connected: true                     # one can get from every row to every other along the graph
  acyclic: true                       # and there is no way round in a circle: with both, one way between any two
  chain: above                        # the column leads from one row through all of them to a last one
  distinct: [line, place]             # no two rows have the same cells there
  rows: {from: 2, to: 6}              # so many rows
"""

from __future__ import annotations

from rulewright.compiler.read.folder import Column, Property
from rulewright.compiler.read.read_values import read_bounds
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    as_bool,
    as_map,
    as_name,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span


def read_properties(
    node: Node | None, kind: str, columns: dict[str, Column], graph: str | None, problems: Problems
) -> tuple[Property, ...]:
    mapping = None if node is None else as_map(node, problems, "'properties'")
    if mapping is None:
        return ()
    fields = Fields(mapping, problems, "'properties'")
    spans = {key.text: key.span for key, _ in mapping.entries}
    found: list[Property] = []
    for word in ("connected", "acyclic"):
        value = fields.take(word)
        if value is not None and _flag(value, word, kind, graph, spans[word], problems):
            found.append(Property(word, (), None, spans[word]))
    chain, distinct, rows = fields.take("chain"), fields.take("distinct"), fields.take("rows")
    fields.finish()
    for name in _columns(chain, kind, columns, problems):
        if columns[name.text].type == S.NamedType(kind):
            found.append(Property("chain", (name,), None, spans["chain"]))
            continue
        message = f"the column '{name.text}' does not lead from row to row"
        problems.error("RW0316", name.span, message, expected=f"a column of type '{kind}'")
    names = _columns(distinct, kind, columns, problems)
    if names:
        found.append(Property("distinct", names, None, spans["distinct"]))
    bounds = None if rows is None else as_map(rows, problems, "'rows'")
    if bounds is not None:
        inner = Fields(bounds, problems, "'rows'")
        limits = read_bounds(inner, problems, spans["rows"], "from", "to")
        inner.finish()
        found.append(Property("rows", (), limits, spans["rows"]))
    return tuple(found)


def _flag(
    node: Node, word: str, kind: str, graph: str | None, at: Span, problems: Problems
) -> bool:
    if not as_bool(node, problems, f"'{word}'"):
        return False
    if graph is None:
        message = f"{kind} has no graph that could be {word}"
        problems.error("RW0316", at, message, hint="say which column is the graph: 'graph: column'")
        return False
    return True


def _columns(
    node: Node | None, kind: str, columns: dict[str, Column], problems: Problems
) -> tuple[S.Name, ...]:
    """One column, or a list of them."""
    if node is None:
        return ()
    found: list[S.Name] = []
    for item in node.items if isinstance(node, YList) else [node]:
        name = as_name(item, problems, "a column")
        if name is None:
            continue
        if name in columns:
            found.append(S.Name(name, item.span))
            continue
        problems.error(
            "RW0311", item.span, f"the table {kind} has no column {quoted(name)}",
            expected=listed(columns) or None, hint=did_you_mean(name, columns),
        )  # fmt: skip
    return tuple(found)
