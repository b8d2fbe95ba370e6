"""Tables and constants of a resolved folder → kinds with typed columns, and constant values."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.check import made_rows
from rulewright.compiler.check.kinds import check_type, node_value
from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.check.type_wording import wanted
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BAD, BOOL, BoolT, IntT, KindT, ListT, SetT, TextT, Type
from rulewright.compiler.read.folder import Cell, Column, Constant, OptionDecl, Table
from rulewright.compiler.read.yaml_nodes import Node, YList, YMap, YScalar, as_text
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span


def check_kinds(r: Ruleset, options: Mapping[str, object]) -> None:
    """Fill kinds, members and constants; code cells come later, when functions can be checked."""
    _players(r)
    # what rows may be made from is known before them
    plain = [c for c in r.folder.constants.values() if c.type is None]
    for constant in plain:
        _named_constant(r, constant)
    for option in r.folder.options.values():
        if not isinstance(option.type, S.NamedType) or option.type.name == "bool":
            _option(r, option)
    early = [name for name in r.folder.options if name in r.constants]
    _set_options(r, {name: value for name, value in options.items() if name in early})
    made_rows.make_rows(r)
    for option in r.folder.options.values():
        if option.name not in r.constants:
            _option(r, option)
    _set_options(r, {name: value for name, value in options.items() if name not in early})
    for constant in r.folder.constants.values():
        if constant not in plain:
            _named_constant(r, constant)
    order = ["players", *r.folder.options, *r.folder.constants]
    r.constants = {name: r.constants[name] for name in order if name in r.constants}
    for table in r.folder.tables.values():
        columns_of(r, table)


def _option(r: Ruleset, option: OptionDecl) -> None:
    value = _constant(r, option.default, check_type(r, option.type), option.span)
    r.constants[option.name] = value or C.Const(0, BAD, option.span)
    r.cite(option.cites)


def _named_constant(r: Ruleset, constant: Constant) -> None:
    r.cite(constant.cites)
    if constant.type is not None:
        type_ = check_type(r, constant.type)
    else:
        type_ = _type_of_node(r, constant.node)
    value = _constant(r, constant.node, type_, constant.span)
    r.constants[constant.name] = value or C.Const(0, BAD, constant.span)


def _set_options(r: Ruleset, options: Mapping[str, object]) -> None:
    """What was chosen takes the place of the default."""
    for name, value in options.items():
        decl = r.folder.options.get(name)
        if decl is None:
            r.error(
                "RW0420",
                r.folder.game.span,
                f"unknown option {quoted(name)}",
                expected=listed(r.folder.options) or None,
                hint=did_you_mean(name, r.folder.options),
            )
            continue
        type_ = check_type(r, decl.type)
        number = _option_value(r, type_, value)
        if number is None:
            r.error(
                "RW0421",
                decl.span,
                f"{value!r} is no value for the option {quoted(name)}",
                expected=wanted(type_),
            )
            continue
        exact: Type = IntT(number, number) if isinstance(type_, IntT) else type_
        r.constants[name] = C.Const(number, exact, decl.span)


def _option_value(r: Ruleset, type_: Type, value: object) -> int | None:
    match type_:
        case BoolT() if isinstance(value, bool):
            return int(value)
        case IntT(low, high) if isinstance(value, int) and not isinstance(value, bool):
            return (
                value if (low is None or value >= low) and (high is None or value <= high) else None
            )
        case KindT(name, _):
            kind = r.kinds[name]
            for names in (kind.members, kind.texts):
                if str(value) in names:
                    return names.index(str(value))
            return None
        case _:  # others: no option is of them
            pass
    return None


def _players(r: Ruleset) -> None:
    n = r.folder.players
    names = [str(i) for i in range(n)]
    seats = list(r.folder.game.seats[:n]) + [
        f"Seat {i}" for i in range(len(r.folder.game.seats), n)
    ]
    r.kinds["Player"] = C.Kind("Player", names, seats, {})
    neutral = list(r.folder.game.neutral)
    r.kinds["Participant"] = C.Kind(
        "Participant", names + neutral, seats + [x.capitalize() for x in neutral], {}
    )
    _teams(r, seats)
    for i, name in enumerate(neutral):
        r.members.setdefault(name, []).append((r.kinds["Participant"], n + i))
    r.constants["players"] = C.Const(n, IntT(n, n))


def _teams(r: Ruleset, seats: list[str]) -> None:
    """The kind of the teams that have seats in this game, and each player's own."""
    player = r.kinds["Player"]
    there = {
        name: sum(1 << seats.index(s) for s in members if s in seats)
        for name, members in r.folder.game.teams.items()
    }
    there = {name: mask for name, mask in there.items() if mask}
    if not there:
        return
    table = r.folder.tables.get("Team")
    if table is not None:
        r.error(
            "RW0306", table.span, "a game with teams has a kind 'Team' already",
            hint="give the table another name",
        )  # fmt: skip
        return
    members = C.KindColumn("members", SetT(player.type), list(there.values()))
    team = C.Kind(
        "Team", list(there), [name.replace("_", " ") for name in there], {"members": members}
    )
    r.kinds["Team"] = team
    own = [
        next(t for t, mask in enumerate(there.values()) if mask >> i & 1) for i in range(len(seats))
    ]
    player.columns["team"] = C.KindColumn("team", team.type, list(own))
    for i, name in enumerate(there):
        r.members.setdefault(name, []).append((team, i))


def columns_of(r: Ruleset, table: Table) -> None:
    """The columns of values of a table, once; those of code come later, and those that call functions."""
    kind = r.kinds.get(table.name)
    if kind is None or table.name in r.with_columns:
        return
    r.with_columns.add(table.name)
    table = r.folder.tables[table.name]
    kind.cites = [r.cite(row.cites) for row in table.rows.values()]
    for column in table.columns.values():
        match column.type:
            case None:
                kind.columns[column.name] = C.KindColumn(
                    column.name, TextT(), [_cell_text(r, row.cells.get(column.name)) for row in table.rows.values()]
                )  # fmt: skip
                if column.name == "text":
                    texts = [str(v) for v in kind.columns["text"].values]
                    kind.texts = [t or old for t, old in zip(texts, kind.texts, strict=True)]
            case S.CodeType() | S.HookType():
                pass
            case type_expr:
                made_rows.kinds_ready(r, type_expr)
                _value_column(r, kind, table, column, check_type(r, type_expr))
    if kind.graph is not None and kind.graph in kind.columns and table.grid is None:
        _make_symmetric(kind.columns[kind.graph])


def _value_column(r: Ruleset, kind: C.Kind, table: Table, column: Column, type_: Type) -> None:
    given: dict[int, object] = {}
    for i, row in enumerate(table.rows.values()):
        cell = row.cells.get(column.name)
        if cell is not None:
            value = node_value(r, cell.node, type_)
            given[i] = 0 if value is None else value
    if column.formula is not None:
        made = C.KindColumn(column.name, type_, [0] * len(table.rows))
        made_rows.work_out(r, kind, column, made, given)
        return
    values = [given.get(i, 0) for i in range(len(table.rows))]
    if len(given) < len(table.rows) and table.each is not None:
        made_rows.lacks_cells(
            r, table, column, next(i for i in range(len(table.rows)) if i not in given)
        )
    kind.columns[column.name] = C.KindColumn(column.name, tightened(type_, values), values)


def tightened(type_: Type, values: list[object]) -> Type:
    """Numbers within the least and the greatest that a column holds."""
    numbers = [v for v in values if isinstance(v, int)]
    return IntT(min(numbers), max(numbers)) if isinstance(type_, IntT) and numbers else type_


def _make_symmetric(column: C.KindColumn) -> None:
    masks = [v if isinstance(v, int) else 0 for v in column.values]
    for i, mask in enumerate(list(masks)):
        for j in range(len(masks)):
            if mask >> j & 1:
                masks[j] |= 1 << i
    column.values = list(masks)


def _cell_text(r: Ruleset, cell: Cell | None) -> str:
    if cell is None:
        return ""
    return as_text(cell.node, r.problems, "this text") or ""


def _type_of_node(r: Ruleset, node: Node) -> Type:
    match node:
        case YScalar(text) if text in ("true", "false"):
            return BOOL
        case YScalar():
            return IntT()
        case YList():
            return ListT(IntT(), None)
        case YMap(_, span):
            r.error(
                "RW0313",
                span,
                "this can't be a constant",
                expected="an integer, true, false or a list",
            )
            return BAD


def _constant(r: Ruleset, node: Node, type_: Type, span: Span) -> C.Const | None:
    value = node_value(r, node, type_)
    if value is None or not isinstance(value, int | tuple):
        return None
    if isinstance(type_, IntT) and isinstance(value, int):
        type_ = IntT(value, value)
    if isinstance(type_, ListT) and isinstance(type_.element, IntT) and isinstance(value, tuple):
        low, high = (min(value), max(value)) if value else (0, 0)
        type_ = ListT(IntT(low, high), len(value))
    return C.Const(value, type_, span)
