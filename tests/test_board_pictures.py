"""Boards of a view: owners, figures, directions and stacks in every form that state can have, drawn in both faces."""

import io
import re

import pytest
from rich.console import Console

import rulewright
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import load, spec_path
from rulewright.play.show import Screen
from rulewright.scene.read_view import read_layout
from rulewright.scene.tongue import shown_in
from rulewright.scene.view_names import Names
from rulewright.web.board import Board
from rulewright.web.sight import laid_anew, touched

GAME = {
    "game.yaml": "game: forts\ntitle: Forts\nabout: For pictures.\nplayers: [2]\nseats: [Red, Blue]\nreasons: {end: the end}\n",
    "board.yaml": """table: Field
grid: {columns: 3, rows: 2, from: bottom, directions: Way}
name: "{letter}{row}"
---
table: Comb
grid: {radius: 1, cells: hex}
---
table: Man
rows: {tower: {}, wagon: {}}
""",
    "forts.rules": """state:
    holder: map Field to Player or none
    stands: map Field to Man or none
    looks: map Field to Way or none
    heap: map Field to 0..9
    chips: map Player to map Field to 0..9
    tower_of: map Field to list of Player max 4
    spot: map Player to Comb or none
    rolled: list of 1..6 max 3
    own: map Player to 0..6

procedure play():
    for p in Player:
        holder[a1] = p
        own[p] = 4
        spot[p] = Comb.at(2, 2)
        chips[p][c1] = 2
        append p to tower_of[b2]
    rolled = [6, 2]
    stands[a1] = wagon
    looks[a1] = east
    heap[a1] = 3
    for p in Player:
        choose f in Field by p as pick say "picks {f}"
        score 1 to p for end

outcome p in Player by score[p]
""",
}


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spec") / "forts"
    folder.mkdir()
    for name, text in GAME.items():
        (folder / name).write_text(text)
    game = rulewright.compile(folder, players=2)
    return folder, game, Names.of(folder, game)


def drawn(spec, layer, tmp_path):
    """A board with one layer in the browser and in the terminal."""
    folder, game, names = spec
    tmp_path.joinpath("view.yaml").write_text(
        f"parts:\n  - board: {{title: Here, rulers: letters, layers: [{layer}]}}\n"
    )
    layout = read_layout(tmp_path, names)
    data = game.new_initial_state(1).view(0).data
    out = io.StringIO()
    Screen(layout, names).show(Console(file=out, width=100), data)
    board = Board(game, folder, layout)
    return board.picture(board.render(data, 0, {})), out.getvalue()


@pytest.mark.parametrize(
    ("layer", "said", "written"),
    [
        ("{of: Field, owners: holder}", "A1, Blue is there", "[B]"),
        ("{of: Field, owners: holder, figures: stands}", "A1, wagon of Blue", "[Bw]"),
        ("{of: Field, owners: holder, facing: looks}", "rotate(90)", "[B→]"),
        ("{of: Field, owners: holder, stacks: heap}", "A1, 3 of Blue", "[B3]"),
        ("{of: Field, stacks: chips}", "C1, 2 of Red, 2 of Blue", "[B2]"),
        ("{of: Field, stacks: tower_of}", "B2, Red is there, Blue is there", "[B]"),
        ("{of: Comb, owners: spot}", "R2c2, Red is there, Blue is there", "[B]"),
    ],
)
def test_what_stands_on_a_grid_is_shown_in_both_faces(spec, tmp_path, layer, said, written):
    picture, text = drawn(spec, layer, tmp_path)
    assert said in picture
    assert written in text


@pytest.mark.parametrize(("most", "drawn_", "number"), [(5, 3, None), (2, 2, "3")])
def test_a_pile_grows_from_the_edge_inwards(spec, tmp_path, most, drawn_, number):
    """So many pieces each for itself, the last of them with the number of all where there are more."""
    layer = f"{{of: Field, size: [20, 60], owners: holder, stacks: heap, piles: {most}}}"
    picture, _ = drawn(spec, layer, tmp_path)
    assert "A1, 3 of Blue" in picture
    place = picture.partition('data-member="Field/a1"')[2].partition("data-member")[0]
    heights = [
        float(y) for y in re.findall(r'class="piece s1"[^>]*translate\(0 (-?[0-9.]+)\)', place)
    ]
    # the first row lies below the second: its piles grow upwards
    assert len(heights) == drawn_ and heights == sorted(heights, reverse=True) and heights[0] > 0
    letters = re.findall(r"<text[^>]*>([^<]+)</text>", place)
    assert letters[-1] == (number or "B")


def test_numbers_are_dice(spec, tmp_path):
    folder, game, names = spec
    view = "parts:\n  - dice: {title: Rolled, of: rolled}\n  - seats: {columns: {own: own}, looks: {own: pips}}\n"
    tmp_path.joinpath("view.yaml").write_text(view)
    layout = read_layout(tmp_path, names)
    data = game.new_initial_state(1).view(0).data
    out = io.StringIO()
    Screen(layout, names).show(Console(file=out, width=100), data)
    assert "Rolled: 6, 2" in out.getvalue()
    board = Board(game, folder, layout)
    picture = board.picture(board.render(data, 0, {}))
    assert 'aria-label="dice showing 6, 2"' in picture and picture.count('class="pip"') == 8 + 2 * 4
    # a player's own
    assert 'aria-label="dice showing 4"' in picture


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ("dice: {of: holder}", "holder must be a number or a list of numbers"),
        ("dice: {of: own}", "own must be a number or a list of numbers"),
        (
            "seats: {columns: {a: spot}, looks: {a: pips}}",
            "spot holds no numbers, so it has no pips",
        ),
    ],
)
def test_what_is_no_number_is_no_die(spec, tmp_path, part, problem):
    tmp_path.joinpath("view.yaml").write_text(f"parts:\n  - {part}\n")
    with pytest.raises(SpecError) as error:
        read_layout(tmp_path, spec[2])
    assert problem in str(error.value)


def test_a_grid_counted_from_the_bottom_lies_so(spec):
    places = spec[2].grid_places("Field")
    assert places["a1"] == (1, 2) and places["c2"] == (3, 1)
    # a hexagon of hexagons: two, three, two
    rows = [y for _, y in spec[2].grid_places("Comb").values()]
    assert [rows.count(y) for y in (1, 2, 3)] == [2, 3, 2]


@pytest.mark.parametrize(
    ("layer", "problem"),
    [
        ("{of: Field, owners: heap}", "heap must be a map from players to sets of Field"),
        ("{of: Field, figures: holder}", "holder must be a map from Field to members of a kind"),
        (
            "{of: Field, facing: stands}",
            "stands must be a map from Field to the directions of a grid",
        ),
        ("{of: Field, stacks: holder}", "holder must be a map from Field to a number"),
        ("{of: Field, chequered: [sand]}", "two colours take turns"),
        ("{of: Field, owners: holder, piles: 3}", "piles are of 'stacks'"),
        ("{of: Field, stacks: heap, piles: 99}", "a number of pieces is from 1 to 20"),
        ("{of: Field, clicks: {pluck: row}}", "the game has no decision 'pluck'"),
        ("{of: Man}", "Man is no grid"),
    ],
)
def test_a_mistake_is_told(spec, tmp_path, layer, problem):
    with pytest.raises(SpecError) as error:
        drawn(spec, layer, tmp_path)
    assert problem in str(error.value)


def _marked(name, moves):
    """What a picture marks when these moves have been made since the first of them, as seen by who began."""
    engine = load(name, 2)
    state = engine.new_initial_state(1)
    before = None
    for move in moves:
        state.apply_action(state.action_from_dict(move))
        before = before or state.view(0).data
    shown = shown_in(read_layout(spec_path(name), Names.of(spec_path(name), engine)).web)
    return {member for _, member in touched(engine.info, shown, before, state.view(0).data)}


def test_what_is_nowhere_shown_marks_nothing():
    """Chess keeps the men whose moves may lay the king open: that changes with many a move, and no picture shows it."""
    moves = [
        {"choice": "go.a", "value": "e2"}, {"choice": "go.b", "value": "e4"},
        {"choice": "go.a", "value": "e7"}, {"choice": "go.b", "value": "e5"},
    ]  # fmt: skip
    assert _marked("chess", moves) - {"0", "1", "pawn"} == {"e2", "e4", "e7", "e5"}


@pytest.mark.parametrize(
    ("old", "new", "anew"),
    [
        # a new deal of eight, two places stay empty
        ([*"abcdefgh"], [*"ijklmnop"], True),
        # a move: one goes, one comes
        ([*"abcdefgh"], [*"bcdefghi"], False),
        # few things change in every move, even if all of them do
        ([*"ab"], [*"cd"], False),
        ({n: f"old {n}" for n in range(8)}, {n: f"new {n}" for n in range(8)}, True),
        # what has nothing does not count as what has stayed
        (
            {n: n < 8 and f"old {n}" for n in range(90)},
            {n: n < 8 and f"new {n}" for n in range(90)},
            True,
        ),
        (
            {n: f"at {n}" for n in range(12)},
            {n: f"at {n if n > 5 else n + 20}" for n in range(12)},
            False,
        ),
        (3, 90, False),
    ],
)
def test_what_is_laid_anew_as_a_whole_is_nobodys_move(old, new, anew):
    assert laid_anew(old, new) is anew
