"""A spec → mutants of it: single small changes of its syntax trees, tables and constants."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.compiler import syntax as S
from rulewright.compiler.build import Spec
from rulewright.compiler.folder import Cell, Constant, Folder, Row, Table, Variant
from rulewright.compiler.read_yaml import Node, YList, YScalar
from rulewright.compiler.source import Span


@dataclass(frozen=True, slots=True)
class Change:
    """One way to change a tree: the new tree, in words, where, and in which statement."""

    new: Any
    words: str
    span: Span
    statement: Span


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
    # who must have been met for the change to be seen, when it is a cell of a table
    member: tuple[str, str] | None = None


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
    S.Put, S.Take, S.Show,
)  # fmt: skip
_STATEMENTS = (*_DROP, S.Let, S.Var, S.Return, S.Choose, S.Either, S.Roll, S.Draw, S.Tell, S.Pass)


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
    elif dataclasses.is_dataclass(node) and not isinstance(node, type | Span | S.Cite | S.Name):
        for f in dataclasses.fields(node):
            if f.name in ("span", "cites", "say", "others", "type", "params", "label"):
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
        case S.Unary("not", operand):
            yield operand, "not dropped"
        case S.Unary("-", operand):
            yield operand, "- dropped"
        case S.IsNone(negated=negated):
            yield r(node, negated=not negated), "is none ↔ is not none"
        case S.Choice(_, then, other2):
            yield r(node, then=other2, other=then), "if and else swapped"
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
        case S.StateVar(visible=visible, resets=resets):
            if visible != "all":
                yield r(node, visible="all"), "made visible to all"
            if resets is not None:
                yield r(node, resets=None), "no longer reset"
        case S.Zone(visible=visible) if visible != "all":
            yield r(node, visible="all"), "made visible to all"
        case S.Outcome(keys=keys) if len(keys) > 1:
            yield r(node, keys=keys[:-1]), "last key dropped"
        case S.If(arms, other3) if other3:
            (test, body), *rest = arms
            yield r(node, arms=((test, other3), *rest), other=body), "if and else swapped"


# ---------------------------------------------------------------- specs


def all_mutants(spec: Spec) -> list[Mutant]:
    """Every mutant of a spec, in the order of its files."""
    found: list[Mutant] = []
    folder = spec.folder
    for i, decl in enumerate(folder.decls):
        found += _decl_mutants(spec, decl, _replace_decl(i))
    for table in folder.tables.values():
        found += _table_mutants(spec, table, _names_read(folder))
    for constant in folder.constants.values():
        found += _constant_mutants(spec, constant, _set_constant(None))
    for variant in folder.variants.values():
        for i, decl in enumerate(variant.decls):
            found += _decl_mutants(spec, decl, _replace_variant_decl(variant.name, i))
        for constant in variant.constants.values():
            found += _constant_mutants(spec, constant, _set_constant(variant.name))
        found += _table_change_mutants(spec, variant)
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
    span: Span,
    words: str,
    statement: Span,
    within: Span | None,
    cites: S.Cites,
    apply: Callable[[Folder], Folder],
    member: tuple[str, str] | None = None,
) -> Mutant:
    line = " ".join(spec.sources.line(span.file, span.line).split())
    name = hashlib.sha256(f"{span.file}|{line}|{words}".encode()).hexdigest()[:10]
    clauses = tuple(c.text for c in cites if c.kind == "clause")
    lines = tuple(
        (statement.file, n) for n in range(statement.line, max(statement.line, span.line) + 1)
    )
    return Mutant(name, words, span, lines, within, clauses, apply, member)


def _decl_mutants(
    spec: Spec, decl: S.Decl, put: Callable[[Any], Callable[[Folder], Folder]]
) -> Iterator[Mutant]:
    if isinstance(decl, S.Heuristic | S.Invariant):
        # neither changes play: the one is for bots, the other a check
        return
    for c in changes(decl, decl.span):
        yield _make(spec, c.span, c.words, c.statement, decl.span, decl.cites, put(c.new))
    if isinstance(decl, S.Hook):
        yield _make(
            spec,
            decl.span,
            f"dropped: {decl.when} {decl.target.text}",
            decl.span,
            None,
            decl.cites,
            put(None),
        )


def _replace_decl(i: int) -> Callable[[Any], Callable[[Folder], Folder]]:
    def put(new: Any) -> Callable[[Folder], Folder]:
        def apply(folder: Folder) -> Folder:
            middle = () if new is None else (new,)
            return dataclasses.replace(
                folder, decls=(*folder.decls[:i], *middle, *folder.decls[i + 1 :])
            )

        return apply

    return put


def _replace_variant_decl(name: str, i: int) -> Callable[[Any], Callable[[Folder], Folder]]:
    def put(new: Any) -> Callable[[Folder], Folder]:
        def apply(folder: Folder) -> Folder:
            v = folder.variants[name]
            middle = () if new is None else (new,)
            changed = dataclasses.replace(v, decls=(*v.decls[:i], *middle, *v.decls[i + 1 :]))
            return _with_variant(folder, changed)

        return apply

    return put


def _with_variant(folder: Folder, variant: Variant) -> Folder:
    return dataclasses.replace(folder, variants={**folder.variants, variant.name: variant})


# ---------------------------------------------------------------- cells and constants


def _names_read(folder: Folder) -> set[str]:
    """Column names that some rule reads; the others only serve pictures and texts."""
    found: set[str] = set()
    stack: list[Any] = [folder.decls, [v.decls for v in folder.variants.values()]]
    for table in folder.tables.values():
        stack += [
            c.code for row in table.rows.values() for c in row.cells.values() if c.code is not None
        ]
        stack += [c.type for c in table.columns.values()]
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


def _node_changes(node: Node, others: list[str]) -> Iterator[tuple[Node, str]]:
    """Another number, member or list in the place of a YAML value."""
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


def _table_mutants(spec: Spec, table: Table, read: set[str]) -> Iterator[Mutant]:
    for row in table.rows.values():
        for name, cell in row.cells.items():
            if cell.code is not None:
                for c in changes(cell.code, cell.span):
                    new = dataclasses.replace(cell, code=c.new)
                    yield _make(
                        spec, c.span, c.words, c.statement, cell.span, row.cites,
                        _set_cell(table.name, row.name, name, new), (table.name, row.name),
                    )  # fmt: skip
            elif name in read:
                others = [
                    r.cells[name].node.text  # type: ignore[union-attr]
                    for r in table.rows.values()
                    if name in r.cells and isinstance(r.cells[name].node, YScalar)
                ]
                for node, words in _node_changes(cell.node, others):
                    yield _make(
                        spec, cell.span, f"{row.name}.{name}: {words}", cell.span, None, row.cites,
                        _set_cell(table.name, row.name, name, dataclasses.replace(cell, node=node)),
                        (table.name, row.name),
                    )  # fmt: skip


def _set_cell(table: str, row: str, column: str, cell: Cell) -> Callable[[Folder], Folder]:
    def apply(folder: Folder) -> Folder:
        t = folder.tables[table]
        r: Row = t.rows[row]
        changed = dataclasses.replace(r, cells={**r.cells, column: cell})
        rows = {name: changed if name == row else old for name, old in t.rows.items()}
        return dataclasses.replace(
            folder, tables={**folder.tables, table: dataclasses.replace(t, rows=rows)}
        )

    return apply


def _constant_mutants(
    spec: Spec, constant: Constant, put: Callable[[Constant], Callable[[Folder], Folder]]
) -> Iterator[Mutant]:
    for node, words in _node_changes(constant.node, []):
        new = dataclasses.replace(constant, node=node)
        yield _make(
            spec,
            constant.span,
            f"{constant.name}: {words}",
            constant.span,
            None,
            constant.cites,
            put(new),
        )


def _set_constant(variant: str | None) -> Callable[[Constant], Callable[[Folder], Folder]]:
    def put(new: Constant) -> Callable[[Folder], Folder]:
        def apply(folder: Folder) -> Folder:
            if variant is None:
                return dataclasses.replace(folder, constants={**folder.constants, new.name: new})
            v = folder.variants[variant]
            return _with_variant(
                folder, dataclasses.replace(v, constants={**v.constants, new.name: new})
            )

        return apply

    return put


def _table_change_mutants(spec: Spec, variant: Variant) -> Iterator[Mutant]:
    """Cells that an overlay changes, and rows that it removes."""
    for i, change in enumerate(variant.tables):
        for row, cells in change.change.items():
            for column, node in cells.items():
                for new, words in _node_changes(node, []):
                    changed = dataclasses.replace(
                        change, change={**change.change, row: {**cells, column: new}}
                    )
                    yield _make(
                        spec, node.span, f"{row}.{column}: {words}", node.span, None, variant.cites,
                        _set_change(variant.name, i, changed),
                    )  # fmt: skip
        for k, name in enumerate(change.remove):
            left = (*change.remove[:k], *change.remove[k + 1 :])
            yield _make(
                spec, name.span, f"{name.text} not removed", name.span, None, variant.cites,
                _set_change(variant.name, i, dataclasses.replace(change, remove=left)),
            )  # fmt: skip


def _set_change(variant: str, i: int, changed: Any) -> Callable[[Folder], Folder]:
    def apply(folder: Folder) -> Folder:
        v = folder.variants[variant]
        tables = (*v.tables[:i], changed, *v.tables[i + 1 :])
        return _with_variant(folder, dataclasses.replace(v, tables=tables))

    return apply
