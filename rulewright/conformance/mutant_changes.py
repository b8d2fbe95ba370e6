"""A syntax tree or a value of a table → all single small changes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rulewright.compiler.read.folder import Column
from rulewright.compiler.read.read_values import read_cell
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_block, print_expr, print_hooks
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Span


@dataclass(frozen=True, slots=True)
class Change:
    """One way to change a tree: the new tree, in words, where, and in which statement."""

    new: Any
    words: str
    span: Span
    statement: Span


_COMPARE = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "in": "not in",
    "not in": "in",
}
_LOGIC = {
    "and": "or",
    "or": "and",
    "+": "-",
    "-": "+",
    "|": "&",
    "&": "|",
    "*": "+",
    "meets": "within",
}
_COMP = {"any": "all", "all": "any", "min": "max", "max": "min"}
_DROP = (
    S.Assign, S.If, S.For, S.While, S.Move, S.Score, S.Run, S.Require, S.Reset, S.Deal, S.Break, S.Continue,
    S.Put, S.Take, S.Show, S.Change, S.Shuffle,
)  # fmt: skip
_STATEMENTS = (*_DROP, S.Let, S.Var, S.Return, S.Choose, S.Either, S.Roll, S.Draw, S.Tell, S.Pass)


# parts of a tree that say nothing about play: texts, names, and the bounds of types, which only check
_NO_RULES = ("span", "cites", "say", "others", "type", "params", "result", "label")

# ---------------------------------------------------------------- trees


def changes(node: Any, statement: Span) -> Iterator[Change]:
    """All single changes of a tree."""
    if isinstance(node, _STATEMENTS):
        statement = node.span
    span = getattr(node, "span", statement)
    for new, words in _own(node):
        yield Change(new, words, span, statement)
    if isinstance(node, tuple):
        yield from _tuple_changes(node, statement)
    elif dataclasses.is_dataclass(node) and not isinstance(
        node, type | Span | S.Cite | S.Name | S.Said
    ):
        for f in dataclasses.fields(node):
            if f.name in _NO_RULES:
                continue
            value = getattr(node, f.name)
            if isinstance(value, str | int | None):
                continue
            for c in changes(value, statement):
                yield Change(
                    dataclasses.replace(node, **{f.name: c.new}), c.words, c.span, c.statement
                )


def _tuple_changes(items: tuple[Any, ...], statement: Span) -> Iterator[Change]:
    for i, item in enumerate(items):
        for c in changes(item, statement):
            yield Change((*items[:i], c.new, *items[i + 1 :]), c.words, c.span, c.statement)
        if isinstance(item, _DROP):
            rest = (*items[:i], *items[i + 1 :]) or (S.Pass(span=item.span),)
            yield Change(rest, f"dropped: {type(item).__name__.lower()}", item.span, item.span)
        elif isinstance(item, S.Where):
            yield Change((*items[:i], *items[i + 1 :]), "dropped: where", item.span, statement)
        elif isinstance(item, S.Hook):
            yield Change(
                (*items[:i], *items[i + 1 :]),
                f"dropped: {item.when} {item.target.text}",
                item.span,
                item.span,
            )


def _own(node: Any) -> Iterator[tuple[Any, str]]:
    """Changes of the node itself."""
    r = dataclasses.replace
    match node:
        case S.Num(n):
            yield r(node, value=n + 1), f"{n} → {n + 1}"
            if n > 0:
                yield r(node, value=n - 1), f"{n} → {n - 1}"
        case S.Truth(value):
            yield r(node, value=not value), f"{str(value).lower()} → {str(not value).lower()}"
        case S.Binary(op, left, right):
            other = _COMPARE.get(op) or _LOGIC.get(op)
            if other is not None:
                yield r(node, op=other), f"{op} → {other}"
            if op == "..":
                less = S.Binary("-", right, S.Num(1), right.span)
                yield r(node, right=less), "range one shorter"
                more = S.Binary("+", left, S.Num(1), left.span)
                yield r(node, left=more), "range begins one later"
        case S.Landing("bottom" | "top" | "shuffled" as where):
            there: Literal["top", "bottom"] = "bottom" if where == "top" else "top"
            yield r(node, where=there), f"{where} → {there}"
        case S.Unary("not", operand):
            yield operand, "not dropped"
        case S.Unary("-", operand):
            yield operand, "- dropped"
        case S.IsNone(negated=negated):
            yield r(node, negated=not negated), "is none ↔ is not none"
        case S.Choice(_, then, otherwise):
            yield r(node, then=otherwise, other=then), "if and else swapped"
        case S.Comp(op) if op in _COMP:
            yield r(node, op=_COMP[op]), f"{op} → {_COMP[op]}"
        case S.Choose(by=by):
            yield r(
                node, by=S.Attr(by, S.Name("next", by.span), by.span)
            ), "chosen by the next player"
            if node.if_any:
                yield r(node, if_any=False), "if any dropped"
            if node.secret:
                yield r(node, secret=False), "secretly dropped"
        case S.Either(by=by):
            yield r(
                node, by=S.Attr(by, S.Name("next", by.span), by.span)
            ), "chosen by the next player"
        case S.Roll(seen=seen) if seen is not None:
            yield r(node, seen=None), "rolled for all to see"
        case S.StateVar(visible=visible, resets=resets):
            if visible != "all":
                yield r(node, visible="all"), "made visible to all"
            if resets is not None:
                yield r(node, resets=None), "no longer reset"
        case S.Zone(visible=visible) if visible != "all":
            yield r(node, visible="all"), "made visible to all"
        case S.Outcome(keys=keys) if len(keys) > 1:
            yield r(node, keys=keys[:-1]), "last key dropped"
        case S.If(arms, last) if last:
            (test, body), *rest = arms
            yield r(node, arms=((test, last), *rest), other=body), "if and else swapped"
        case _:
            pass


# ---------------------------------------------------------------- values


def node_changes(node: Node, others: list[str]) -> Iterator[tuple[Node, str]]:
    """Another number, member or list in the place of a value; `others` stand in the same column."""
    if isinstance(node, YScalar):
        text = node.text
        if text.lstrip("-").isdigit() and node.style == "plain":
            for step in (1, -1):
                yield dataclasses.replace(
                    node, text=str(int(text) + step)
                ), f"{text} → {int(text) + step}"
        elif text in ("true", "false"):
            new = "false" if text == "true" else "true"
            yield dataclasses.replace(node, text=new), f"{text} → {new}"
        else:
            for other in others:
                if other != text:
                    yield dataclasses.replace(node, text=other), f"{text} → {other}"
                    break
    elif isinstance(node, YList):
        for i, item in enumerate(node.items):
            rest = [*node.items[:i], *node.items[i + 1 :]]
            shown = item.text if isinstance(item, YScalar) else "entry"
            yield YList(rest, node.span), f"without {shown}"
            if isinstance(item, YScalar) and item.text.isdigit():
                new_item = dataclasses.replace(item, text=str(int(item.text) + 1))
                yield YList(
                    [*node.items[:i], new_item, *node.items[i + 1 :]], node.span
                ), f"{item.text} → {new_item.text}"
    elif isinstance(node, YMap):
        # a value that differs by player count
        for i, (key, value) in enumerate(node.entries):
            for inner, words in node_changes(value, others):
                entries = [*node.entries[:i], (key, inner), *node.entries[i + 1 :]]
                yield YMap(entries, node.span), f"{key.text}: {words}"


def cell_changes(
    column: Column, node: Node, others: list[str], players: tuple[int, ...]
) -> Iterator[Change]:
    """Changes of a cell as it is written: of its value, or of its code, which is then written anew."""
    code = read_cell(column, node, Problems(), players).code
    if code is None or not isinstance(node, YScalar):
        for new, words in node_changes(node, others):
            yield Change(new, words, node.span, node.span)
        return
    for c in changes(code, node.span):
        text = YScalar(_code_text(column, c.new), "double", node.span, node.source)
        yield Change(text, c.words, c.span, c.statement)


def _code_text(column: Column, code: Any) -> str:
    if isinstance(column.type, S.HookType):
        return print_hooks(code)
    return print_expr(code) if isinstance(code, S.Expr) else print_block(code)
