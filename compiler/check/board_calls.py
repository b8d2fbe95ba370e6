"""Calls about tables that are boards or graphs → typed expressions: rows by their keys, steps, lines, regions, shapes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from rulewright.compiler.check import expressions
from rulewright.compiler.check.fitting import bad, needed
from rulewright.compiler.check.scope import Scope, wrong_count
from rulewright.compiler.check.type_wording import a, none_hint
from rulewright.compiler.core import boards, fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.graphs import walk_table
from rulewright.compiler.core.loop_bounds import longest_walk
from rulewright.compiler.core.operations import bounds
from rulewright.compiler.core.types import BadT, IntT, KindT, OptT, SetT
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

Args = tuple[S.Expr, ...]
MAX_GRAPH = 400


# ---------------------------------------------------------------- rows by their keys


def row_at(sc: Scope, kind: C.Kind, args: Args, span: Span) -> C.Expr:
    """Kind.at(a, b): the row with these keys, none where there is no such row."""
    sc.ruleset.used.add(kind.name)
    sc.ruleset.whole.add(kind.name)
    if len(args) != len(kind.keys):
        for arg in args:
            expressions.check_expr(sc, arg)
        wrong_count(sc, span, f"{kind.name}.at", len(kind.keys), len(args), ", ".join(kind.keys))
        return bad(span)
    if not kind.members:
        return bad(span)
    pairs, column, spans = boards.row_at(kind)
    values: list[C.Expr] = []
    for arg, want in zip(args, spans, strict=True):
        if isinstance(want, KindT):
            values.append(needed(sc, expressions.check_expr(sc, arg, want), want))
            continue
        got = expressions.need_int(sc, arg)
        low, high = bounds(got.type)
        assert want.low is not None and want.high is not None
        ends = [C.Const(n, IntT(n, n)) for n in (want.low, want.high)]
        if low is None or high is None or low < want.low or high > want.high:
            got = fold.op("clamp", (got, *ends), want, span)
        # as wide as the column, so that the place is counted right
        values.append(
            dataclasses.replace(got, type=want if isinstance(got.type, IntT) else got.type)
        )
    if any(isinstance(v.type, BadT) for v in values):
        return bad(span)
    return boards.placed(pairs, column, tuple(values), span)


# ---------------------------------------------------------------- graphs


def _graph(
    sc: Scope, args: Args, span: Span, *, all_ways: bool = True
) -> tuple[C.Kind, C.Expr] | None:
    """The table that a function goes about on, and where it starts; problems are told."""
    first = expressions.check_expr(sc, args[0])
    t = first.type.element if isinstance(first.type, SetT) and not all_ways else first.type
    kind = sc.ruleset.kinds.get(t.name) if isinstance(t, KindT) else None
    if kind is None or kind.graph is None or kind.graph not in kind.columns:
        if not isinstance(first.type, BadT):
            hint = "name its column of neighbours with graph: in the table" if kind else None
            if isinstance(first.type, OptT):
                hint = f"it may be none; {none_hint(first)}"
            what = f"the table {kind.name} is not a graph" if kind else f"this is {a(first.type)}"
            sc.ruleset.error(
                "RW0628",
                first.span,
                what,
                expected="a member of a table with neighbours",
                hint=hint,
            )
        for arg in args[1:]:
            expressions.check_expr(sc, arg)
        return None
    if all_ways and len(kind.members) > MAX_GRAPH:
        sc.ruleset.error(
            "RW0650", span, f"{kind.name} has {len(kind.members):,} members: too many to know all ways",
            expected=f"at most {MAX_GRAPH:,}",
        )  # fmt: skip
        expressions.check_expr(sc, args[1])
        return None
    return kind, first


def distance(sc: Scope, args: Args, span: Span) -> C.Expr:
    through = len(args) == 3
    found = _graph(sc, args, span, all_ways=not through)
    if found is None:
        return bad(span)
    kind, first = found
    if through:
        first = needed(sc, first, kind.type)
    second = needed(sc, expressions.check_expr(sc, args[1], kind.type), kind.type)
    if through:
        inside = _some(sc, args[2], kind)
        return _call(sc, f"way {kind.name}", boards.way_length, kind, (first, second, inside), span)
    return C.Op(
        "distance", (first, second), IntT(-1, len(kind.members) - 1), span,
        C.join(first.secrecy, second.secrecy), kind,
    )  # fmt: skip


def walks(sc: Scope, args: Args, span: Span) -> C.Expr:
    found = _graph(sc, args, span)
    if found is None:
        return bad(span)
    kind, first = found
    steps = expressions.need_int(sc, args[1])
    if walk_table(kind, longest_walk(kind, steps)) is None:
        sc.ruleset.error(
            "RW0650", span, f"there are too many walks in {kind.name} to know where they end",
            hint="let fewer steps be possible: walks(a, min(4, …))",
        )  # fmt: skip
        return bad(span)
    return C.Op(
        "walks", (first, steps), SetT(kind.type), span, C.join(first.secrecy, steps.secrecy), kind
    )


def region(sc: Scope, args: Args, span: Span) -> C.Expr:
    """region(from, inside) and region(from, inside, steps)."""
    found = _graph(sc, args, span, all_ways=False)
    if found is None:
        return bad(span)
    kind, first = found
    if isinstance(first.type, KindT):
        first = fold.op("set", (first,), SetT(kind.type), first.span)
    inside = _some(sc, args[1], kind)
    if len(args) == 3:
        steps = expressions.need_int(sc, args[2])
        return _call(
            sc, f"steps {kind.name}", boards.region_in_steps, kind, (first, inside, steps), span
        )
    return _call(sc, f"region {kind.name}", boards.region, kind, (first, inside), span)


def _some(sc: Scope, arg: S.Expr, kind: C.Kind) -> C.Expr:
    """A set of members of a kind."""
    return expressions.need(sc, arg, SetT(kind.type))


def _call(
    sc: Scope,
    key: str,
    make: Callable[[C.Kind, boards.NewLocal], C.Function],
    kind: C.Kind,
    args: tuple[C.Expr, ...],
    span: Span,
) -> C.Expr:
    """A call of a function of the compiler's own, made when it is first asked for."""
    if any(isinstance(x.type, BadT) for x in args):
        return bad(span)
    r = sc.ruleset
    if key not in r.library:
        r.library[key] = make(kind, r.local)
        r.all_functions.append(r.library[key])
    f = r.library[key]
    return C.Call(f, args, f.result, span, fold.secrecy_of(args))


# ---------------------------------------------------------------- directions


def _from_cell(
    sc: Scope, args: Args, *, sets: bool = False
) -> tuple[C.Kind, C.Kind, C.Expr, C.Expr] | None:
    """A cell of a grid (or, with `sets`, a set of them), and a direction on it."""
    r = sc.ruleset
    cell = expressions.check_expr(sc, args[0])
    of = cell.type.element if sets and isinstance(cell.type, SetT) else cell.type
    kind = r.kinds.get(of.name) if isinstance(of, KindT) else None
    if kind is None or kind.board is None or kind.board.ways is None:
        if not isinstance(cell.type, BadT):
            hint = None
            what = f"this is {a(cell.type)}"
            if isinstance(cell.type, OptT):
                hint = f"it may be none; {none_hint(cell)}"
            elif kind is not None and kind.board is not None:
                what = f"the directions of {kind.name} have no name"
                hint = "give them one in the table: grid: {…, directions: Direction}"
            elif kind is not None:
                what = f"the table {kind.name} is not a grid"
            expected = "a member of a table with a grid that names its directions"
            r.error("RW0628", cell.span, what, expected=expected, hint=hint)
        for arg in args[1:]:
            expressions.check_expr(sc, arg)
        return None
    ways = r.kinds[kind.board.ways]
    way = needed(sc, expressions.check_expr(sc, args[1], ways.type), ways.type)
    if isinstance(way.type, BadT):
        return None
    r.used.add(ways.name)
    return kind, ways, cell, way


MakeColumn = Callable[[C.Kind, C.Kind], tuple[C.Kind, C.KindColumn]]


def _looked_up(sc: Scope, args: Args, span: Span, make: MakeColumn) -> C.Expr:
    """What a column over cells and directions holds for these."""
    found = _from_cell(sc, args)
    if found is None:
        return bad(span)
    kind, ways, cell, way = found
    pairs, column = make(kind, ways)
    return boards.placed(pairs, column, (cell, way), span)


def step(sc: Scope, args: Args, span: Span) -> C.Expr:
    """Of a cell, or of all cells of a set at once."""
    found = _from_cell(sc, args, sets=True)
    if found is None:
        return bad(span)
    kind, ways, cell, way = found
    if not isinstance(cell.type, SetT):
        pairs, column = boards.step_column(kind, ways)
        return boards.placed(pairs, column, (cell, way), span)

    def make(of: C.Kind, new: boards.NewLocal) -> C.Function:
        return boards.step_all(of, ways, new)

    return _call(sc, f"step all {kind.name}", make, kind, (cell, way), span)


def line(sc: Scope, args: Args, span: Span) -> C.Expr:
    return _looked_up(sc, args, span, boards.line_column)


def sight(sc: Scope, args: Args, span: Span) -> C.Expr:
    found = _from_cell(sc, args)
    if found is None:
        return bad(span)
    kind, ways, cell, way = found
    stop = _some(sc, args[2], kind)

    def make(of: C.Kind, new: boards.NewLocal) -> C.Function:
        return boards.sight(of, ways, new)

    return _call(sc, f"sight {kind.name}", make, kind, (cell, way, stop), span)


# ---------------------------------------------------------------- shapes


def _shape(sc: Scope, arg: S.Expr) -> tuple[C.Kind, C.Expr] | None:
    """A set of cells of a board that is as high as wide, so that it can be turned."""
    r = sc.ruleset
    shape = expressions.check_expr(sc, arg)
    t = shape.type.element if isinstance(shape.type, SetT) else None
    kind = r.kinds.get(t.name) if isinstance(t, KindT) else None
    board = None if kind is None else kind.board
    if kind is None or board is None:
        if not isinstance(shape.type, BadT):
            expected = "a set of members of a table with a grid"
            r.error("RW0628", shape.span, f"this is {a(shape.type)}", expected=expected)
        return None
    fits = board.radius is not None if board.hexes else board.rows == board.columns
    if not fits or not board.whole:
        what = "a grid with a radius" if board.hexes else "a grid with as many rows as columns"
        r.error(
            "RW0628", shape.span, f"shapes on {kind.name} can't be turned", expected=f"{what}, and no cell left out"
        )  # fmt: skip
        return None
    return kind, shape


def turned(sc: Scope, args: Args, span: Span) -> C.Expr:
    found = _shape(sc, args[0])
    times = expressions.need_int(sc, args[1])
    if found is None:
        return bad(span)
    kind, shape = found
    return _call(sc, f"turned {kind.name}", boards.turned, kind, (shape, times), span)


def mirrored(sc: Scope, args: Args, span: Span) -> C.Expr:
    found = _shape(sc, args[0])
    if found is None:
        return bad(span)
    kind, shape = found
    return _call(sc, f"mirrored {kind.name}", boards.mirrored, kind, (shape,), span)


def laid(sc: Scope, args: Args, span: Span) -> C.Expr:
    """laid(shape, cell): what a shape of one board covers on another."""
    r = sc.ruleset
    found = _shape(sc, args[0])
    cell = expressions.check_expr(sc, args[1])
    target = r.kinds.get(cell.type.name) if isinstance(cell.type, KindT) else None
    if found is None or isinstance(cell.type, BadT):
        return bad(span)
    kind, shape = found
    if target is None or target.board is None or kind.board is None:
        hint = f"it may be none; {none_hint(cell)}" if isinstance(cell.type, OptT) else None
        expected = "a member of a table with a grid"
        r.error("RW0628", cell.span, f"this is {a(cell.type)}", expected=expected, hint=hint)
        return bad(span)
    if target.board.hexes != kind.board.hexes:
        message = f"shapes of {kind.name} do not fit on {target.name}: squares and hexagons"
        r.error("RW0628", span, message)
        return bad(span)

    def make(of: C.Kind, new: boards.NewLocal) -> C.Function:
        assert target is not None
        return boards.laid(of, target, new)

    return _call(sc, f"laid {quoted(kind.name)} {target.name}", make, kind, (shape, cell), span)
