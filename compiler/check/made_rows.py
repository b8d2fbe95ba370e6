"""Tables whose rows are made (`each`, `grid`) and columns that are worked out (`is`) → their rows and values.

Nothing here may hang on the state of a game: all of it is known before play.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.check import expressions, tables_to_kinds
from rulewright.compiler.check.fitting import item_type
from rulewright.compiler.check.scope import Ruleset, Scope
from rulewright.compiler.check.type_wording import wanted
from rulewright.compiler.core import grids
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant
from rulewright.compiler.core.operations import Value
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    Type,
    ZoneT,
)
from rulewright.compiler.read.folder import Column, Each, Row, Table
from rulewright.compiler.read.read_table import default_cells
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problems, Related, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span

MAX_MEMBERS = 4096
STEPS = 1_000_000  # of the evaluator, for one table or column
_NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_HOLE = re.compile(r"\{([^{}]*)\}")


def make_rows(r: Ruleset) -> None:
    """The members of all tables; r.folder then lists every row."""
    order = list(r.folder.tables)
    for table in r.folder.tables.values():
        if table.grid is not None:
            _name_ways(r, table)
    for name, table in r.folder.tables.items():
        if table.each is None:
            _add_kind(r, table, list(table.rows))
        elif table.grid is not None and table.each.where is None:
            _members_ready(r, name)
    for name in order:
        _members_ready(r, name)
    first = {k: v for k, v in r.kinds.items() if k in ("Player", "Participant")}
    sorted_kinds = {name: r.kinds[name] for name in order if name in r.kinds}
    r.kinds = {**first, **sorted_kinds, **r.kinds}


def _add_kind(r: Ruleset, table: Table, members: list[str]) -> C.Kind:
    if not members:
        r.error("RW0320", table.span, f"table {quoted(table.name)} has no rows")
    if len(members) > MAX_MEMBERS:
        r.error(
            "RW0321", table.span, f"table {quoted(table.name)} has more than {MAX_MEMBERS} rows"
        )
        members = members[:MAX_MEMBERS]
    spans = [row.span for row in table.rows.values()][: len(members)]
    texts = [m.replace("_", " ").replace(".", " ") for m in members]
    kind = C.Kind(table.name, members, texts, {}, table.graph, spans)
    r.kinds[table.name] = kind
    for i, member in enumerate(members):
        r.members.setdefault(member, []).append((kind, i))
    return kind


def _name_ways(r: Ruleset, table: Table) -> None:
    """The kind of a grid's directions; several grids of the same sort may share one."""
    assert table.grid is not None
    name = table.grid.directions
    if name is None:
        return
    made = grids.directions(name.text, table.grid.hexes, table.grid.from_bottom)
    old = r.kinds.get(name.text)
    other = r.folder.tables.get(name.text)
    if other is not None:
        message = f"{quoted(name.text)} is already the name of a table"
        r.error("RW0306", name.span, message, related=[Related(other.span, "the table")])
    elif old is None:
        r.kinds[name.text] = made
        for i, member in enumerate(made.members):
            r.members.setdefault(member, []).append((made, i))
    elif [c.values for c in old.columns.values()] != [c.values for c in made.columns.values()]:
        message = f"{quoted(name.text)} can't hold the directions of two different sorts of grids"
        r.error("RW0317", name.span, message, hint="give each sort a name of its own")


# ---------------------------------------------------------------- what is needed first


def names_in(node: object) -> Iterator[str]:
    """The names that an expression or type uses."""
    if isinstance(node, S.Ref | S.NamedType):
        yield node.name
    elif isinstance(node, tuple | list):
        for part in node:
            yield from names_in(part)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type | Span):
        for f in dataclasses.fields(node):
            yield from names_in(getattr(node, f.name))


def kinds_ready(r: Ruleset, *parts: object) -> None:
    """The tables that types and expressions speak of have their members."""
    for name in names_in(parts):
        if name in r.folder.tables:
            _members_ready(r, name)


def _members_ready(r: Ruleset, name: str) -> None:
    if name in r.kinds:
        return
    table = r.folder.tables[name]
    assert table.each is not None
    if name in r.making:
        circle = " → ".join([*r.making[r.making.index(name) :], name])
        message = f"the rows of {name} depend on themselves: {circle}"
        r.error("RW0327", table.each.span, message)
        _finish(r, table, {}, [])
        return
    r.making.append(name)
    parts = (*(e for _, e in table.each.parts), table.each.where)
    if _known_before_play(r, parts, functions=False):
        _columns_ready(r, parts)
        _make(r, table, table.each)
    else:
        _finish(r, table, {}, [])
    r.making.pop()


def _columns_ready(r: Ruleset, *parts: object) -> None:
    for name in names_in(parts):
        if name in r.folder.tables:
            _members_ready(r, name)
            if name not in r.making:
                tables_to_kinds.columns_of(r, r.folder.tables[name])


def _known_before_play(r: Ruleset, parts: object, *, functions: bool) -> bool:
    """Whether expressions speak of nothing that is known in play only; reports if they do."""
    declared: dict[str, str] = {}
    for decl in r.folder.decls:
        match decl:
            case S.StateVar(name):
                declared[name.text] = "state, which is known in play only"
            case S.Pieces():
                declared.update(
                    {z.name.text: "a zone, which is known in play only" for z in decl.zones}
                )
            case S.Function(name) if not functions:
                declared[name.text] = "a function, and those are known after the rows of all tables"
            case S.Procedure(name):
                declared[name.text] = "a procedure"
            case (
                S.Function() | S.Heuristic() | S.Hook() | S.Invariant() | S.Outcome() | S.Together()
            ):
                pass
            case _:
                assert_never(decl)
    for node in _refs(parts):
        if node.name in declared:
            message = f"{quoted(node.name)} is {declared[node.name]}"
            expected = "what is known when rows are made: tables, constants, options"
            r.error("RW0327", node.span, message, expected=expected)
            return False
    return True


def _refs(node: object) -> Iterator[S.Ref]:
    if isinstance(node, S.Ref):
        yield node
    elif isinstance(node, tuple | list):
        for part in node:
            yield from _refs(part)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type | Span):
        for f in dataclasses.fields(node):
            yield from _refs(getattr(node, f.name))


# ---------------------------------------------------------------- rows


def _make(r: Ruleset, table: Table, each: Each) -> None:
    sc = Scope(r, pure=True, owner=table.name)
    combinations: Iterator[dict[int, Value]]
    evaluator = Evaluator(STEPS)
    locals_: list[C.Local] = []
    overs: list[C.Expr] = []
    if table.grid is not None:
        names = [S.Name("row", each.span), S.Name("column", each.span)]
        found = grids.places(table.grid.columns, table.grid.rows, table.grid.radius)
        size = IntT(1, table.grid.rows), IntT(1, table.grid.columns)
        if each.where is None:
            # nobody uses them: those of the rules keep their numbers, which saves know
            locals_ = [
                C.Local(n.text, t, -1 - i) for i, (n, t) in enumerate(zip(names, size, strict=True))
            ]
        else:
            locals_ = [sc.declare(n, t) for n, t in zip(names, size, strict=True)]
        combinations = ({locals_[0].number: y, locals_[1].number: x} for y, x in found)
    else:
        for name, domain in each.parts:
            over, element = expressions.need_domain(sc, domain)
            locals_.append(sc.declare(name, item_type(over, element)))
            overs.append(over)
        combinations = _combinations(evaluator, locals_, overs, {})
    where = None if each.where is None else expressions.need_bool(sc, each.where)
    if any(isinstance(x.type, BadT) for x in (*locals_, *([] if where is None else [where]))):
        _finish(r, table, {}, [])
        return
    kept: dict[str, dict[int, Value]] = {}
    told = sum(1 for _ in r.problems)
    try:
        for env in combinations:
            if where is not None and not evaluator.expr(where, env):
                continue
            row_name = _row_name(r, table, each, locals_, env)
            if row_name is None:
                break
            if row_name in kept:
                message = f"two rows of {table.name} are called {quoted(row_name)}"
                at = each.span if each.name is None else each.name.span
                r.error("RW0327", at, message, hint="let 'name' hold all that they differ in")
                break
            kept[row_name] = env
            if len(kept) > MAX_MEMBERS:
                message = f"table {quoted(table.name)} has more than {MAX_MEMBERS} rows"
                r.error("RW0321", table.span, message)
                break
    except (NotConstant, RecursionError):
        if evaluator.fuel < 0:
            message = f"to make the rows of {table.name} takes too long"
            r.error("RW0327", each.span, message, hint="go over fewer combinations")
        else:
            message = f"a row of {table.name} has no value here: the greatest or first of nothing, or a division by zero"
            r.error("RW0327", each.span, message)
    _finish(r, table, kept, locals_, told=sum(1 for _ in r.problems) > told)


def _combinations(
    evaluator: Evaluator, locals_: list[C.Local], overs: list[C.Expr], env: dict[int, Value]
) -> Iterator[dict[int, Value]]:
    if not overs:
        yield env
        return
    local = locals_[len(locals_) - len(overs)]
    for value in list(evaluator.items(overs[0], env)):
        yield from _combinations(evaluator, locals_, overs[1:], {**env, local.number: value})


def _finish(
    r: Ruleset,
    table: Table,
    made: dict[str, dict[int, Value]],
    locals_: list[C.Local],
    told: bool = True,
) -> None:
    """The kind, with the columns that name its rows; the folder lists its rows from now on."""
    defaults = default_cells(
        table, Problems(), None
    )  # what is wrong with them was told when they were read
    rows: dict[str, Row] = {}
    for name in made:
        given = table.rows.get(name)
        own = {} if given is None else given.cells
        cites = table.cites if given is None else given.cites
        span = table.span if given is None else given.span
        rows[name] = Row(name, {**defaults, **own}, cites, span)
    for name, row in table.rows.items():
        if made and name not in made:
            message = f"the table {table.name} has no row {quoted(name)}"
            r.error("RW0407", row.span, message, hint=did_you_mean(name, made))
    filled = replace(table, rows=rows)
    r.folder = replace(r.folder, tables={**r.folder.tables, table.name: filled})
    kind = _add_kind(r, filled, list(made)) if made or not told else _empty(r, table)
    kind.keys = tuple(x.name for x in locals_)
    for local in locals_:
        values: list[object] = [env[local.number] for env in made.values()]
        type_ = tables_to_kinds.tightened(local.type, values)
        kind.columns[local.name] = C.KindColumn(local.name, type_, values)
    if table.grid is not None and made:
        grid = table.grid
        kind.columns["neighbours"] = grids.neighbour_column(kind, grid.hexes, grid.beside)
        whole = len(made) == len(grids.places(grid.columns, grid.rows, grid.radius))
        ways = None if grid.directions is None else grid.directions.text
        kind.board = C.Board(
            grid.hexes, grid.radius, grid.columns, grid.rows, grid.from_bottom, whole, ways
        )


def _empty(r: Ruleset, table: Table) -> C.Kind:
    """A kind without members, after a problem: what uses it is not to blame."""
    kind = C.Kind(table.name, [], [], {}, table.graph)
    r.kinds[table.name] = kind
    return kind


def _row_name(
    r: Ruleset, table: Table, each: Each, locals_: list[C.Local], env: dict[int, Value]
) -> str | None:
    """What a row is called; None after a problem."""
    words: dict[str, str] = {}
    default: list[str] = []
    for local in locals_:
        value = env[local.number]
        assert isinstance(value, int)
        if isinstance(local.type, KindT):
            words[local.name] = r.kinds[local.type.name].members[value]
            default.append(words[local.name])
        else:
            words[local.name] = str(value)
            default.append(f"{local.name[:1] if table.grid is not None else local.name}{value}")
    if table.grid is not None:
        column = env[locals_[1].number]
        assert isinstance(column, int)
        words["letter"] = _letters(column)
    if each.name is None:
        name = ("" if table.grid is not None else "_").join(default)
    else:
        unknown = [hole for hole in _HOLE.findall(each.name.text) if hole not in words]
        if unknown:
            message = f"there is no {{{unknown[0]}}} to put into the name of a row"
            r.error("RW0327", each.name.span, message, expected=listed(f"{{{w}}}" for w in words))
            return None
        name = _HOLE.sub(lambda hole: words[hole.group(1)], each.name.text)
    if not _NAME.fullmatch(name):
        at = each.span if each.name is None else each.name.span
        message = f"a row of {table.name} cannot be called {quoted(name)}"
        r.error("RW0327", at, message, expected="a name that begins with a letter")
        return None
    return name


def _letters(number: int) -> str:
    """a … z, aa, ab …"""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


# ---------------------------------------------------------------- columns that are worked out


def lacks_cells(r: Ruleset, table: Table, column: Column, index: int) -> None:
    row = list(table.rows.values())[index]
    message = f"the row {quoted(row.name)} has no cell for the column '{column.name}'"
    hint = "give the column a default, or work it out with 'is'"
    related = [Related(column.span, "the column has neither")]
    r.error("RW0312", row.span, message, hint=hint, related=related)


def work_out(
    r: Ruleset, kind: C.Kind, column: Column, made: C.KindColumn, given: dict[int, object]
) -> None:
    """Fill a column; one whose formula calls functions of the rules waits until these are known."""
    assert column.formula is not None
    functions = {d.name.text for d in r.folder.decls if isinstance(d, S.Function)}

    def now() -> None:
        r.unmade.pop((kind.name, column.name), None)
        kind.columns[column.name] = made
        _fill(r, kind, column, made, given)

    if not _known_before_play(r, column.formula, functions=True):
        made.type = BadT()
        kind.columns[column.name] = made
    elif functions & set(names_in(column.formula)):
        r.unmade[kind.name, column.name] = now
    else:
        _columns_ready(r, column.formula)
        now()


def _fill(
    r: Ruleset, kind: C.Kind, column: Column, made: C.KindColumn, given: dict[int, object]
) -> None:
    assert column.formula is not None and made.type is not None
    # while it is worked out it is not there
    del kind.columns[column.name]
    sc = Scope(r, pure=True, owner=f"{kind.name}.{column.name}")
    this = r.local("this", kind.type)
    sc.consts["this"] = C.Use(this, kind.type, column.span)
    value = expressions.need(sc, column.formula, made.type)
    kind.columns[column.name] = made
    if isinstance(value.type, BadT) or isinstance(made.type, BadT):
        made.type = BadT()
        return
    if sc.body.reads_state:
        message = f"the column '{column.name}' can't be worked out before play: this reads state"
        r.error("RW0327", value.span, message)
        return
    evaluator = Evaluator(STEPS)
    for i, member in enumerate(kind.members):
        if i in given:
            made.values[i] = given[i]
            continue
        try:
            found = evaluator.expr(value, {this.number: i})
        except (NotConstant, RecursionError):
            why = "takes too long to work out" if evaluator.fuel < 0 else "has no value"
            message = f"'{column.name}' {why} for the row {quoted(member)}"
            r.error("RW0327", value.span, message)
            return
        made.values[i] = found
        if not _inside(found, made.type):
            message = f"this is {_shown(found)} for the row {quoted(member)}"
            r.error("RW0323", value.span, message, expected=wanted(made.type))
            return
    made.type = tables_to_kinds.tightened(made.type, made.values)


def _inside(value: Value, type_: Type) -> bool:
    match type_:
        case IntT(low, high):
            assert isinstance(value, int)
            return (low is None or value >= low) and (high is None or value <= high)
        case ListT(_, limit):
            return not isinstance(value, tuple) or limit is None or len(value) <= limit
        case (
            BadT() | BoolT() | GroupsT() | KindT() | MapT() | NoneT() | OptT() | RangeT() | SetT() | TextT() | ZoneT()
        ):  # fmt: skip
            return True
        case _:
            assert_never(type_)


def _shown(value: Value) -> str:
    return f"a list of {len(value)}" if isinstance(value, tuple) else str(value)
