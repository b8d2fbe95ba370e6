"""A YAML index of clauses into the clauses that a spec has to cover."""

from __future__ import annotations

from rulewright.compiler.read.folder import Clause
from rulewright.compiler.read.read_values import once
from rulewright.compiler.read.yaml_nodes import (
    Fields,
    Node,
    YList,
    YMap,
    YScalar,
    as_bool,
    as_int,
    as_list,
    as_name,
    as_text,
    describe,
)
from rulewright.compiler.text.diagnostics import Problems, listed, quoted
from rulewright.compiler.text.source import Span

DECISIONS = ("adopt", "adopt-with-reading", "reject")


def read_clauses(
    document: Node, clauses: dict[str, Clause], seen: dict[str, Span], problems: Problems
) -> None:
    """Add an index's clauses: a list of them, or a mapping of lists by topic.

    In a mapping, lists of bare ids point at clauses of other indexes and add nothing.
    """
    if isinstance(document, YMap):
        lists = [
            found
            for key, value in document.entries
            if (found := as_list(value, problems, quoted(key.text))) is not None
        ]
    elif isinstance(document, YList):
        lists = [document]
    else:
        message = f"an index of clauses must be a list, not {describe(document)}"
        problems.error("RW0319", document.span, message, expected="a list of clauses")
        return
    for each in lists:
        for item in each.items:
            if isinstance(item, YMap):
                _read_clause(item, clauses, seen, problems)
            elif isinstance(item, YScalar) and isinstance(document, YMap):
                as_name(item, problems, "the id of a clause")
            else:
                message = f"a clause must be a mapping, not {describe(item)}"
                problems.error(
                    "RW0319", item.span, message, expected="{id: …, section: …, rule: …}"
                )


def _read_clause(
    node: YMap, clauses: dict[str, Clause], seen: dict[str, Span], problems: Problems
) -> None:
    fields = Fields(node, problems, "a clause")
    id_node = fields.need("id")
    name = None if id_node is None else as_name(id_node, problems, "the id of a clause")
    section = _text(fields.need("section"), problems, "'section'")
    rule = _text(fields.need("rule"), problems, "'rule'")
    note = _text(fields.take("note"), problems, "'note'")
    players = _counts(fields.take("players"), problems)
    variant_node, example_node = fields.take("variant"), fields.take("example")
    variant = None if variant_node is None else as_name(variant_node, problems, "'variant'")
    example = None if example_node is None else as_bool(example_node, problems, "'example'")
    differs = fields.take("differs_from")
    if differs is not None:
        others = as_list(differs, problems, "'differs_from'")
        for item in others.items if others is not None else []:
            as_name(item, problems, "the id of a clause")
    decision_node = fields.take("decision")
    decision = None if decision_node is None else as_name(decision_node, problems, "'decision'")
    if decision_node is not None and decision is not None and decision not in DECISIONS:
        message = f"there is no decision {quoted(decision)}"
        expected = listed(DECISIONS)
        problems.error("RW0319", decision_node.span, message, expected=expected)
    fields.finish()
    if name is None or id_node is None or decision == "reject":
        return
    if once(name, id_node.span, seen, problems, "the clause"):
        clauses[name] = Clause(
            name, section, rule, players, variant, bool(example), note, id_node.span
        )


def _text(node: Node | None, problems: Problems, what: str) -> str:
    return "" if node is None else as_text(node, problems, what) or ""


def _counts(node: Node | None, problems: Problems) -> tuple[int, ...] | None:
    found = None if node is None else as_list(node, problems, "'players'")
    if found is None:
        return None
    numbers = [as_int(item, problems, "a player count") for item in found.items]
    return tuple(number for number in numbers if number is not None)
