"""Functions about places of a board → functions of the typed tree, with all that is known before play in columns.

A neighbour, a ray or a row found by its keys is an entry of a column of the compiler's own, over combinations of values
(`place(a, b)` is the number of a combination). What hangs on state is a loop over such entries.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as combinations

from rulewright.compiler.core import fold, grids
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.types import (
    BOOL,
    IntT,
    KindT,
    ListT,
    OptT,
    SetT,
    Type,
    count_of,
    low_of,
)
from rulewright.compiler.text.source import NOWHERE, Span

NewLocal = Callable[[str, Type], C.Local]


def _use(local: C.Local) -> C.Use:
    return C.Use(local, local.type)


def _op(name: OpName, type_: Type, *args: C.Expr) -> C.Expr:
    return fold.op(name, args, type_, NOWHERE)


def placed(pairs: C.Kind, column: C.KindColumn, args: tuple[C.Expr, ...], span: Span) -> C.Expr:
    """The entry of a column over combinations; the types of the arguments say what these are of."""
    assert column.type is not None
    secrecy = fold.secrecy_of(args)
    if all(isinstance(a, C.Const) for a in args):
        place = 0
        for a in args:
            assert isinstance(a, C.Const) and isinstance(a.value, int)
            assert isinstance(a.type, KindT | IntT)
            place = place * (count_of(a.type) or 0) + a.value - low_of(a.type)
        value = column.values[place]
        assert isinstance(value, int | tuple)
        t = column.type
        if isinstance(t, OptT) and isinstance(value, int) and value >= 0:
            t = t.base
        return C.Const(value, t, span)
    at = C.Op("place", args, IntT(0, len(pairs.members) - 1), span, secrecy)
    return C.Column(pairs, column, at, column.type, span, secrecy)


# ---------------------------------------------------------------- rows by their keys


def row_at(kind: C.Kind) -> tuple[C.Kind, C.KindColumn, list[KindT | IntT]]:
    """The column of rows by the values of their keys, and what each key is; numbers have one more on either side."""
    spans: list[KindT | IntT] = []
    for name in kind.keys:
        t = kind.columns[name].type
        assert isinstance(t, KindT | IntT)
        if isinstance(t, IntT):
            assert t.low is not None and t.high is not None
            t = IntT(t.low - 1, t.high + 1)
        spans.append(t)
    values = [grids.numbers(kind, name) for name in kind.keys]
    found = {key: i for i, key in enumerate(zip(*values, strict=True))}
    ranges = [range(low_of(t), low_of(t) + (count_of(t) or 0)) for t in spans]
    rows: list[object] = [found.get(key, -1) for key in combinations(*ranges)]
    pairs = grids.product(f"{kind.name} at", *(len(r) for r in ranges))
    full = -1 not in rows
    column = grids.as_column(pairs, "at", kind.type if full else OptT(kind.type), rows)
    return pairs, column, spans


# ---------------------------------------------------------------- directions


def step_column(kind: C.Kind, ways: C.Kind) -> tuple[C.Kind, C.KindColumn]:
    pairs = grids.product(f"{kind.name} {ways.name}", len(kind.members), len(ways.members))
    values: list[object] = [ray[0] if ray else -1 for ray in grids.rays(kind, ways)]
    return pairs, grids.as_column(pairs, "step", OptT(kind.type), values)


def step_all(kind: C.Kind, ways: C.Kind, new: NewLocal) -> C.Function:
    """A step of all cells of a set at once. On most boards a direction is so many places in the order of the cells."""
    some, count = SetT(kind.type), len(ways.members)
    steps = [ray[0] if ray else -1 for ray in grids.rays(kind, ways)]
    by: list[set[int]] = [set() for _ in range(count)]
    going = [0] * count
    for i, there in enumerate(steps):
        if there >= 0:
            by[i % count].add(there - i // count)
            going[i % count] |= 1 << i // count
    cells, way = new("cells", some), new("way", ways.type)
    result: C.Expr
    if all(len(found) <= 1 for found in by):
        order = grids.product(f"{kind.name} {ways.name} all", count)
        far = [max(found, default=0) for found in by]
        amount = IntT(0, max(map(abs, far)))
        columns = (
            grids.as_column(order, "going", some, list(going)),
            grids.as_column(order, "sooner", amount, [max(0, -n) for n in far]),
            grids.as_column(order, "later", amount, [max(0, n) for n in far]),
        )
        here, sooner, later = (placed(order, c, (_use(way),), NOWHERE) for c in columns)
        result = _op(
            "later",
            some,
            _op("sooner", some, _op("intersect", some, _use(cells), here), sooner),
            later,
        )
    else:
        pairs = grids.product(f"{kind.name} {ways.name}", len(kind.members), count)
        ends: list[object] = [1 << there if there >= 0 else 0 for there in steps]
        column = grids.as_column(pairs, "stepped", some, ends)
        cell = new("cell", kind.type)
        there_is = placed(pairs, column, (_use(cell), _use(way)), NOWHERE)
        result = C.Comp("union", cell, _use(cells), None, (there_is,), None, some)
    return C.Function(f"step_all_{kind.name}", [cells, way], some, [C.SReturn(result)], NOWHERE)


def line_column(kind: C.Kind, ways: C.Kind) -> tuple[C.Kind, C.KindColumn]:
    pairs = grids.product(f"{kind.name} {ways.name}", len(kind.members), len(ways.members))
    lines = grids.rays(kind, ways)
    longest = max(map(len, lines), default=0)
    return pairs, grids.as_column(pairs, "line", ListT(kind.type, longest), list(lines))


def sight(kind: C.Kind, ways: C.Kind, new: NewLocal) -> C.Function:
    """The cells of a line up to the first one that is in a set, and with it."""
    pairs = grids.product(f"{kind.name} {ways.name}", len(kind.members), len(ways.members))
    masks: list[object] = [sum(1 << x for x in ray) for ray in grids.rays(kind, ways)]
    some = SetT(kind.type)
    column = grids.as_column(pairs, "ray", some, masks)
    # whether members further away come later in the order of the kind
    order = grids.product(f"{ways.name} order", len(ways.members))
    later = grids.as_column(order, "later", BOOL, _later(ways))
    cell, way, stop = new("cell", kind.type), new("way", ways.type), new("stop", some)
    ray, hit = new("ray", some), new("hit", some)
    far = placed(order, later, (_use(way),), NOWHERE)
    first, last = (C.Op(op, (_use(hit),), kind.type) for op in ("first", "last"))
    blocker = C.Op("if", (far, first, last), kind.type)
    behind = placed(pairs, column, (blocker, _use(way)), NOWHERE)
    body: list[C.Stmt] = [
        C.SLet(ray, placed(pairs, column, (_use(cell), _use(way)), NOWHERE)),
        C.SLet(hit, _op("intersect", some, _use(ray), _use(stop))),
        C.SIf([(_op("==", BOOL, _use(hit), C.Const(0, some)), [C.SReturn(_use(ray))])], []),
        C.SReturn(_op("minus", some, _use(ray), behind)),
    ]
    return C.Function(f"sight_{kind.name}", [cell, way, stop], some, body, NOWHERE)


def _later(ways: C.Kind) -> list[object]:
    out: list[object] = []
    for dy, dx in zip(grids.numbers(ways, "rows"), grids.numbers(ways, "columns"), strict=True):
        out.append(int((dy, dx) > (0, 0)))
    return out


# ---------------------------------------------------------------- regions and ways


def _neighbours(kind: C.Kind, of: C.Expr) -> C.Expr:
    assert kind.graph is not None
    column = kind.columns[kind.graph]
    return C.Column(kind, column, of, SetT(kind.type))


def _empty(t: SetT) -> C.Const:
    return C.Const(0, t)


def region(kind: C.Kind, new: NewLocal) -> C.Function:
    """Some members, and all that can be reached from them by way of a set."""
    some = SetT(kind.type)
    start, inside = new("start", some), new("inside", some)
    found, todo, fresh = new("found", some), new("todo", some), new("fresh", some)
    first = C.Op("first", (_use(todo),), kind.type)
    near = _op("intersect", some, _neighbours(kind, first), _use(inside))
    loop: list[C.Stmt] = [
        C.SLet(fresh, _op("minus", some, near, _use(found))),
        C.SLet(found, _op("union", some, _use(found), _use(fresh))),
        C.SLet(todo, _op("union", some, C.Op("rest", (_use(todo),), some), _use(fresh))),
    ]
    body: list[C.Stmt] = [
        C.SLet(found, _use(start)),
        C.SLet(todo, _use(start)),
        C.SWhile(_op("!=", BOOL, _use(todo), _empty(some)), loop),
        C.SReturn(_use(found)),
    ]
    return C.Function(f"region_{kind.name}", [start, inside], some, body, NOWHERE)


def region_in_steps(kind: C.Kind, new: NewLocal) -> C.Function:
    """Some members, and all that can be reached from them in so many steps by way of a set."""
    some = SetT(kind.type)
    start, inside, steps = new("start", some), new("inside", some), new("steps", IntT())
    found, edge, done = new("found", some), new("edge", some), new("done", IntT())
    more = _op("<", BOOL, _use(done), _use(steps))
    some_left = _op("!=", BOOL, _use(edge), _empty(some))
    loop: list[C.Stmt] = [
        C.SLet(edge, _spread(kind, edge, _use(inside), found, new)),
        C.SLet(found, _op("union", some, _use(found), _use(edge))),
        C.SLet(done, _op("+", IntT(), _use(done), C.Const(1, IntT(1, 1)))),
    ]
    body: list[C.Stmt] = [
        C.SLet(found, _use(start)),
        C.SLet(edge, _use(start)),
        C.SLet(done, C.Const(0, IntT(0, 0))),
        C.SWhile(_op("and", BOOL, more, some_left), loop),
        C.SReturn(_use(found)),
    ]
    return C.Function(f"region_in_steps_{kind.name}", [start, inside, steps], some, body, NOWHERE)


def _spread(kind: C.Kind, edge: C.Local, inside: C.Expr, found: C.Local, new: NewLocal) -> C.Expr:
    """One step further from the edge of what was found."""
    some = SetT(kind.type)
    x = new("x", kind.type)
    around = C.Comp("union", x, _use(edge), None, (_neighbours(kind, _use(x)),), None, some)
    return _op("minus", some, _op("intersect", some, around, inside), _use(found))


def way_length(kind: C.Kind, new: NewLocal) -> C.Function:
    """Steps of the shortest way between two members whose members in between are in a set; -1 where there is none."""
    some = SetT(kind.type)
    number = IntT(-1, len(kind.members) - 1)
    start, end, inside = new("start", kind.type), new("end", kind.type), new("inside", some)
    found, edge, steps = new("found", some), new("edge", some), new("steps", IntT())
    through = _op("union", some, _use(inside), C.Op("set", (_use(end),), some))
    there = C.Op("in", (_use(end), _use(edge)), BOOL)
    loop: list[C.Stmt] = [
        C.SIf([(there, [C.SReturn(_use(steps))])], []),
        C.SLet(edge, _spread(kind, edge, through, found, new)),
        C.SLet(found, _op("union", some, _use(found), _use(edge))),
        C.SLet(steps, _op("+", IntT(), _use(steps), C.Const(1, IntT(1, 1)))),
    ]
    body: list[C.Stmt] = [
        C.SLet(found, C.Op("set", (_use(start),), some)),
        C.SLet(edge, _use(found)),
        C.SLet(steps, C.Const(0, IntT(0, 0))),
        C.SWhile(_op("!=", BOOL, _use(edge), _empty(some)), loop),
        C.SReturn(C.Const(-1, IntT(-1, -1))),
    ]
    return C.Function(f"way_{kind.name}", [start, end, inside], number, body, NOWHERE)


# ---------------------------------------------------------------- shapes


def turned(kind: C.Kind, new: NewLocal) -> C.Function:
    """A shape on a small board turned clockwise so many times; on squares it then lies in the corner again."""
    board = kind.board
    assert board is not None
    some = SetT(kind.type)
    table = grids.turn_table(kind, board.hexes, board.radius)
    pairs = grids.product(f"{kind.name} turned", len(kind.members), len(table))
    values: list[object] = [
        table[t][i] for i in range(len(kind.members)) for t in range(len(table))
    ]
    column = grids.as_column(pairs, "turned", kind.type, values)
    shape, times = new("shape", some), new("times", IntT())
    count = C.Const(len(table), IntT(len(table), len(table)))
    turn, found, x = new("turn", IntT(0, len(table) - 1)), new("found", some), new("x", kind.type)
    goes_to = placed(pairs, column, (_use(x), _use(turn)), NOWHERE)
    body: list[C.Stmt] = [
        C.SLet(turn, _op("%", turn.type, _use(times), count)),
        *_gather(found, x, shape, goes_to),
        *_cornered(kind, found, new),
    ]
    return C.Function(f"turned_{kind.name}", [shape, times], some, body, NOWHERE)


def mirrored(kind: C.Kind, new: NewLocal) -> C.Function:
    """A shape on a small board as in a mirror; on squares it then lies in the corner again."""
    board = kind.board
    assert board is not None
    some = SetT(kind.type)
    values: list[object] = list(grids.mirror_table(kind, board.hexes, board.radius))
    pairs = grids.product(f"{kind.name} mirrored", len(values))
    column = grids.as_column(pairs, "mirrored", kind.type, values)
    shape, found, x = new("shape", some), new("found", some), new("x", kind.type)
    goes_to = placed(pairs, column, (_use(x),), NOWHERE)
    body = [*_gather(found, x, shape, goes_to), *_cornered(kind, found, new)]
    return C.Function(f"mirrored_{kind.name}", [shape], some, body, NOWHERE)


def _gather(found: C.Local, x: C.Local, shape: C.Local, goes_to: C.Expr) -> list[C.Stmt]:
    """Where each cell of a shape goes, as a set."""
    assert isinstance(found.type, SetT)
    joined = _op("union", found.type, _use(found), C.Op("set", (goes_to,), found.type))
    return [
        C.SLet(found, _empty(found.type)),
        C.SFor(x, _use(shape), None, [C.SLet(found, joined)]),
    ]


def _cornered(kind: C.Kind, found: C.Local, new: NewLocal) -> list[C.Stmt]:
    """A shape of squares moved up and to the left as far as it goes."""
    board = kind.board
    assert board is not None and isinstance(found.type, SetT)
    if board.hexes:
        return [C.SReturn(_use(found))]
    some = found.type
    moves: list[C.Local] = []
    body: list[C.Stmt] = []
    for name in ("row", "column"):
        y = new("y", kind.type)
        column = kind.columns[name]
        assert isinstance(column.type, IntT)
        each = C.Column(kind, column, _use(y), column.type)
        least = C.Comp("min", y, _use(found), None, (each,), C.Const(1, IntT(1, 1)), column.type)
        moves.append(new(f"least_{name}", column.type))
        body.append(C.SLet(moves[-1], least))
    z, result = new("z", kind.type), new("moved", some)
    pairs, at, spans = row_at(kind)
    args: list[C.Expr] = []
    one = C.Const(1, IntT(1, 1))
    for name, by, span in zip(("row", "column"), moves, spans, strict=True):
        column = kind.columns[name]
        assert isinstance(column.type, IntT) and isinstance(span, IntT)
        here = C.Column(kind, column, _use(z), column.type)
        less = _op("-", IntT(), here, _use(by))
        args.append(_op("+", span, less, one))
    goes_to = placed(pairs, at, tuple(args), NOWHERE)
    return [*body, *_gather(result, z, found, _surely(goes_to, kind)), C.SReturn(_use(result))]


def _surely(e: C.Expr, kind: C.Kind) -> C.Expr:
    """A row that is known to be there."""
    e.type = kind.type
    return e


def laid(shape_kind: C.Kind, kind: C.Kind, new: NewLocal) -> C.Function:
    """The cells of a board that a shape covers when its corner, or middle, is put on one; none where it sticks out."""
    board = shape_kind.board
    assert board is not None
    some, shape_type = SetT(kind.type), SetT(shape_kind.type)
    middle = 1 if board.radius is None else board.radius + 1
    shape, at_cell = new("shape", shape_type), new("cell", kind.type)
    x, found, goes = new("x", shape_kind.type), new("found", some), new("goes", OptT(kind.type))
    pairs, at, spans = row_at(kind)
    args: list[C.Expr] = []
    for name, span in zip(("row", "column"), spans, strict=True):
        own, theirs = shape_kind.columns[name], kind.columns[name]
        assert (
            isinstance(own.type, IntT) and isinstance(theirs.type, IntT) and isinstance(span, IntT)
        )
        here = C.Column(kind, theirs, _use(at_cell), theirs.type)
        there = C.Column(shape_kind, own, _use(x), own.type)
        total = _op("+", IntT(), here, there)
        moved = _op("-", IntT(), total, C.Const(middle, IntT(middle, middle)))
        ends = [C.Const(n, IntT(n, n)) for n in (span.low or 0, span.high or 0)]
        args.append(_op("clamp", span, moved, *ends))
    target = placed(pairs, at, tuple(args), NOWHERE)
    is_there = _op("not", BOOL, _op("is_none", BOOL, _use(goes)))
    inside = C.Use(goes, kind.type)
    joined = _op("union", some, _use(found), C.Op("set", (inside,), some))
    loop: list[C.Stmt] = [C.SLet(goes, target), C.SIf([(is_there, [C.SLet(found, joined)])], [])]
    body: list[C.Stmt] = [
        C.SLet(found, _empty(some)),
        C.SFor(x, _use(shape), None, loop),
        C.SReturn(_use(found)),
    ]
    name = f"laid_{shape_kind.name}_{kind.name}"
    return C.Function(name, [shape, at_cell], some, body, NOWHERE)
