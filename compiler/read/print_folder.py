"""A folder, most of all one with its variants laid over it, into text that people can compare.

The text is the same for the same folder: it follows the order of files and rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.compiler.read.folder import MOST_DECISIONS, Bounds, Column, Folder, Table
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_expr
from rulewright.compiler.text.source import Span


def print_folder(folder: Folder) -> str:
    """Game, constants, options, tables with all cells, and the names of declarations."""
    return "\n".join(_lines(folder)) + "\n"


def _lines(folder: Folder) -> Iterator[str]:
    game = folder.game
    yield f"game {game.game}: {game.title}"
    if folder.players:
        yield f"players {folder.players}"
        yield f"variants {', '.join(folder.applied) or 'none'}"
    else:
        yield f"players {', '.join(str(count) for count in game.players)}, not settled"
        yield f"variants {', '.join(folder.variants) or 'none'}, not laid over"
    yield f"seats {', '.join(game.seats)}"
    if game.neutral:
        yield f"neutral {', '.join(game.neutral)}"
    for team, members in game.teams.items():
        yield f"team {team}: {', '.join(members)}"
    if game.most_decisions != MOST_DECISIONS:
        yield f"most decisions {game.most_decisions}"
    for name, (most, _) in game.usual.items():
        yield f"usual {name}: {most}"
    for reason, text in game.reasons.items():
        yield f"reason {reason}: {text}"
    if folder.constants:
        yield ""
    for constant in folder.constants.values():
        typed = "" if constant.type is None else f": {type_text(constant.type)}"
        value = node_text(constant.node)
        kept = "" if constant.bounds is None else f" ({_bounds(constant.bounds)})"
        yield f"constant {constant.name}{typed} = {value}{kept}{_cites(constant.cites)}"
    for option in folder.options.values():
        default = node_text(option.default)
        yield f"option {option.name}: {type_text(option.type)} = {default}{_cites(option.cites)}"
    for table in folder.tables.values():
        yield ""
        yield from _table(table)
    if folder.decls:
        yield ""
    for decl in folder.decls:
        yield f"{_declaration(decl)}{_cites(decl.cites)}{_place(decl.span)}"
    if folder.absent:
        yield ""
    for absent in folder.absent:
        yield f"absent {absent.clause}: {absent.because}"
    for clause in folder.overruled:
        yield f"overruled {clause}"


def _table(table: Table) -> Iterator[str]:
    graph = "" if table.graph is None else f", graph {table.graph}"
    if table.grid is not None:
        size = f"grid of {table.grid.columns} columns and {table.grid.rows} rows"
        if table.grid.hexes:
            size += " of hexagons"
    elif table.each is not None:
        size = f"a row for each {', '.join(name.text for name, _ in table.each.parts)}"
    else:
        size = f"{len(table.rows)} row{'' if len(table.rows) == 1 else 's'}"
    yield f"table {table.name}: {size}{graph}"
    for each in table.properties:
        words = [each.name, *(name.text for name in each.columns)]
        yield f"  is {' '.join(words)}" + (
            "" if each.bounds is None else f" {_bounds(each.bounds)}"
        )
    for column in table.columns.values():
        worked = "" if column.formula is None else f" is {print_expr(column.formula)}"
        yield f"  column {column.name}: {_column_type(column)}{worked}"
    for row in table.rows.values():
        yield f"  {row.name}{_cites(row.cites)}"
        for name, cell in row.cells.items():
            if isinstance(cell.node, YScalar) and "\n" in cell.node.text:
                yield f"    {name}:"
                yield from (f"      {line}".rstrip() for line in cell.node.text.splitlines())
            else:
                yield f"    {name}: {node_text(cell.node)}"


def _bounds(bounds: Bounds) -> str:
    parts = (("from", bounds.least), ("to", bounds.most), ("length", bounds.length))
    return " ".join(f"{word} {_bound(e)}" for word, e in parts if e is not None)


def _cites(cites: S.Cites) -> str:
    words = (f" @{c.text}" if c.kind == "clause" else f' @{c.kind}("{c.text}")' for c in cites)
    return "".join(words)


def _place(span: Span) -> str:
    return f"  # {span.file}:{span.line}" if span.line else ""


def _declaration(decl: S.Decl) -> str:
    match decl:
        case S.StateVar(name, type_):
            return f"state {name.text}: {type_text(type_)}"
        case S.Pieces(name, kind, per):
            owner = "" if per is None else f" per {type_text(per)}"
            zones = ", ".join(zone.name.text for zone in decl.zones)
            return f"pieces {name.text}{owner} of {type_text(kind)}: {zones}"
        case S.Function(name, params, result):
            word = "open function" if decl.is_open else "function"
            return f"{word} {name.text}({_params(params)}) -> {type_text(result)}"
        case S.Procedure(name, params, type_):
            word = "open procedure" if decl.is_open else "procedure"
            gives = "" if type_ is None else f" -> {type_text(type_)}"
            return f"{word} {name.text}({_params(params)}){gives}"
        case S.Hook(when, target, names):
            return f"{when} {target.text}({', '.join(name.text for name in names)})"
        case S.Invariant(name):
            return f"invariant {name.text}"
        case S.Outcome() | S.Together():
            return "outcome"
        case S.Heuristic():
            return "heuristic"


def node_text(node: Node) -> str:
    """A YAML value on one line."""
    match node:
        case YScalar(text, style):
            if style == "plain":
                return text
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case YList(items):
            return f"[{', '.join(node_text(item) for item in items)}]"
        case YMap(entries):
            parts = (f"{node_text(key)}: {node_text(value)}" for key, value in entries)
            return "{" + ", ".join(parts) + "}"


def _column_type(column: Column) -> str:
    match column.type:
        case None:
            return "text"
        case S.CodeType(params, result, is_function):
            word = "function" if is_function else "procedure"
            return f"{word}({_params(params)})" + (f" -> {type_text(result)}" if result else "")
        case S.HookType(params):
            return f"hook({_params(params)}) when …"
        case other:
            return type_text(other)


def _params(params: Iterable[S.Param]) -> str:
    return ", ".join(f"{param.name.text}: {type_text(param.type)}" for param in params)


def type_text(t: S.TypeExpr) -> str:
    """A type as it is written; bounds that are more than a sum are left out."""
    match t:
        case S.NamedType(name):
            return name
        case S.RangeType(low, high):
            return f"{_bound(low)}..{_bound(high)}"
        case S.OptionType(base):
            return f"{type_text(base)} or none"
        case S.SetType(element):
            return f"set of {type_text(element)}"
        case S.MapType(key, value):
            return f"map {type_text(key)} to {type_text(value)}"
        case S.ListType(element, limit):
            most = "" if limit is None else f" max {_bound(limit)}"
            return f"list of {type_text(element)}{most}"


def _bound(e: S.Expr) -> str:
    match e:
        case S.Num(number):
            return str(number)
        case S.Ref(name):
            return name
        case S.Call(S.Ref(name), args):
            return f"{name}({', '.join(_bound(arg) for arg in args)})"
        case S.Unary("-", operand):
            return f"-{_bound(operand)}"
        case S.Binary(op, left, right) if op in ("+", "-", "*"):
            return f"{_bound(left)} {op} {_bound(right)}"
        case _:  # others: too long for a line
            return "…"
