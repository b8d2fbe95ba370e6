"""Functions about boards against the plain way to work them out."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.compiler.build import check_ruleset, read_spec
from rulewright.compiler.core import boards, grids
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator
from rulewright.compiler.core.types import IntT, Type

SKETCH = Path(__file__).parents[1] / "games" / "sketches" / "boards"


def board(columns: int, rows: int, hexes: bool, radius: int | None, bottom: bool) -> C.Kind:
    places = grids.places(columns, rows, radius)
    kind = C.Kind(
        "K", [f"r{y}c{x}" for y, x in places], [], {}, "neighbours", keys=("row", "column")
    )
    kind.columns["row"] = C.KindColumn("row", IntT(1, rows), [y for y, _ in places])
    kind.columns["column"] = C.KindColumn("column", IntT(1, columns), [x for _, x in places])
    kind.columns["neighbours"] = grids.neighbour_column(kind, hexes, "straight")
    kind.board = C.Board(hexes, radius, columns, rows, bottom, True, "Way")
    return kind


BOARDS = {
    "squares": board(5, 4, False, None, False),
    "from the bottom": board(4, 4, False, None, True),
    "hexagons": board(5, 5, True, 2, False),
    "a rhombus": board(4, 5, True, None, False),
}


def new() -> boards.NewLocal:
    numbers = iter(range(1, 1000))

    def local(name: str, type_: Type) -> C.Local:
        return C.Local(name, type_, next(numbers))

    return local


def bits(mask: object) -> set[int]:
    assert isinstance(mask, int)
    return {i for i in range(mask.bit_length()) if mask >> i & 1}


@pytest.mark.parametrize("name", BOARDS)
def test_a_step_of_all_is_that_of_each(name: str) -> None:
    kind, luck = BOARDS[name], random.Random(name)
    assert kind.board is not None
    ways = grids.directions("Way", kind.board.hexes, kind.board.from_bottom)
    f, lines = boards.step_all(kind, ways, new()), grids.rays(kind, ways)
    count = len(ways.members)
    for way in range(count):
        for _ in range(40):
            cells = luck.getrandbits(len(kind.members))
            found = Evaluator(10_000).call(f, [cells, way])
            rays = (lines[x * count + way] for x in bits(cells))
            assert bits(found) == {ray[0] for ray in rays if ray}


@pytest.mark.parametrize("name", BOARDS)
def test_lines_and_sight(name: str) -> None:
    kind = BOARDS[name]
    assert kind.board is not None
    ways = grids.directions("Way", kind.board.hexes, kind.board.from_bottom)
    sight = boards.sight(kind, ways, new())
    lines = grids.rays(kind, ways)
    at = grids.where_is(kind)
    luck = random.Random(4)
    for cell, (row, column) in enumerate(at):
        for way, (_, dy, dx) in enumerate(grids.ways_of(kind.board.hexes, kind.board.from_bottom)):
            line = lines[cell * len(ways.members) + way]
            assert line == tuple(at[row + i * dy, column + i * dx] for i in range(1, len(line) + 1))
            assert (row + (len(line) + 1) * dy, column + (len(line) + 1) * dx) not in at
            stop = luck.getrandbits(len(at))
            seen: set[int] = set()
            for x in line:
                seen.add(x)
                if stop >> x & 1:
                    break
            assert bits(Evaluator().call(sight, [cell, way, stop])) == seen
    back = [v for v in ways.columns["opposite"].values if isinstance(v, int)]
    for i, j in enumerate(back):
        steps = [grids.numbers(ways, c) for c in ("rows", "columns")]
        assert all(s[i] == -s[j] for s in steps)


@pytest.mark.parametrize("name", BOARDS)
def test_regions_and_ways(name: str) -> None:
    kind = BOARDS[name]
    near = [bits(m) for m in grids.numbers(kind, "neighbours")]
    region, steps = boards.region(kind, new()), boards.region_in_steps(kind, new())
    way = boards.way_length(kind, new())
    luck = random.Random(7)
    for _ in range(60):
        start, inside = luck.randrange(len(near)), luck.getrandbits(len(near))
        ways = {start: 0}
        todo = [start]
        for x in todo:
            for y in sorted(near[x] & bits(inside)):
                if y not in ways:
                    ways[y] = ways[x] + 1
                    todo.append(y)
        assert bits(Evaluator().call(region, [1 << start, inside])) == set(ways)
        for n in (0, 1, 3):
            got = bits(Evaluator().call(steps, [1 << start, inside, n]))
            assert got == {x for x, far in ways.items() if far <= n}
        end = luck.randrange(len(near))
        far = min((ways[x] + 1 for x in near[end] if x in ways), default=-1) if end != start else 0
        assert Evaluator().call(way, [start, end, inside]) == far


def test_turning_and_mirroring() -> None:
    kind = BOARDS["from the bottom"]
    turned, mirrored = boards.turned(kind, new()), boards.mirrored(kind, new())
    ell = 0b0011_0001_0001  # rows of four cells, the first row last
    four = [Evaluator().call(turned, [ell, n]) for n in range(4)]
    assert len(set(four)) == 4 and four[0] == ell
    assert Evaluator().call(turned, [ell, 4]) == Evaluator().call(turned, [ell, -4]) == ell
    other = Evaluator().call(mirrored, [ell])
    assert other not in four and Evaluator().call(mirrored, [other]) == ell
    assert Evaluator().call(turned, [0, 1]) == 0
    hexes = BOARDS["hexagons"]
    turn = boards.turned(hexes, new())
    at = grids.where_is(hexes)
    arm = 1 << at[3, 3] | 1 << at[3, 4]
    ends = [bits(Evaluator().call(turn, [arm, n])) - {at[3, 3]} for n in range(6)]
    assert set().union(*ends) == bits(grids.numbers(hexes, "neighbours")[at[3, 3]])


def test_laying_shapes() -> None:
    small, large = BOARDS["from the bottom"], BOARDS["squares"]
    laid = boards.laid(small, large, new())
    at = grids.where_is(large)
    square = 0b0011_0011
    corner = Evaluator().call(laid, [square, at[1, 1]])
    assert bits(corner) == {at[1, 1], at[1, 2], at[2, 1], at[2, 2]}
    assert bits(Evaluator().call(laid, [square, at[4, 5]])) == {at[4, 5]}


def test_rows_that_are_made() -> None:
    game = check_ruleset(read_spec(SKETCH), 2)
    card, row, spice = game.kinds["Card"], game.kinds["Row"], game.kinds["Spice"]
    assert card.members[:3] == ["clubs1", "hearts1", "clubs2"] and len(card.members) == 9
    worth = dict(zip(card.members, card.columns["worth"].values, strict=True))
    assert worth["clubs1"] == 20 and worth["hearts3"] == 9 and worth["clubs4"] == 8
    assert all(isinstance(v, int) and v.bit_count() == 5 for v in row.columns["cells"].values)
    assert len(row.members) == 9 * 5 * 2 + 5 * 5 * 2
    assert spice.columns["price"].values == [4, 9, 1]
    assert [bits(v) for v in spice.columns["grows"].values][1:] == [set(), set(range(81))]
    point = game.kinds["Point"]
    assert point.members[:2] == ["a1", "b1"] and point.members[-1] == "i9"
