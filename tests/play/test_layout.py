"""Layouts: what the specs of the package say, the plain one, every part and key, and mistakes with their place."""

import io
import re
import shutil

import pytest
from conftest import GAMES
from rich.console import Console

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import load, spec_path
from rulewright.play.show import Screen
from rulewright.play.words import gathered
from rulewright.scene.names import Names
from rulewright.scene.plain import plain_layout
from rulewright.scene.read_view import read_layout
from rulewright.scene.templates import fill, holes
from rulewright.scene.words import People
from rulewright.simulate.clock import Clock


@pytest.mark.parametrize("name", ["yspahan", "mykerinos", "ys"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_layouts_of_the_package_show_every_position(name, players):
    game = load(name, players)
    folder = spec_path(name)
    names = Names.of(folder, game)
    out = io.StringIO()
    console = Console(width=120, file=out)
    for layout in (read_layout(folder, names), plain_layout(names)):
        screen = Screen(layout, names)
        state = game.random_playout(game.new_initial_state(1), 1)
        for shown in (game.new_initial_state(1), state):
            screen.show(console, shown.view(0).data)
    assert out.getvalue().count("Players") == 4


def test_a_game_without_a_layout_is_shown(auction):
    names = Names.of(GAMES / "auction", auction)
    layout = read_layout(GAMES / "auction", names)
    assert layout == plain_layout(names)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('parts:\n  - line: "x {nothing}"\n', "view.yaml:2:11", "no state 'nothing'"),
        ('parts:\n  - line: "x {place}"\n', "view.yaml:2:11", "is a map"),
        ("parts:\n  - seats: {columns: {a: plaec}}\n", "view.yaml:2:26", "no state or zone 'plaec'"),
        ("parts:\n  - table: {of: Specail, columns: {a: this.at}}\n", "view.yaml:2:17", "no kind 'Specail'"),
        ("parts:\n  - table: {of: Special, columns: {a: this.att}}\n", "view.yaml:2:39", "no column 'att'"),
        ("parts:\n  - table: {of: Special, columns: {a: place}}\n", "view.yaml:2:39", "does not differ by Special"),
        ("parts:\n  - picture: {}\n", "view.yaml:2:5", "one of these"),
        ("parts:\n  - zone: {of: deck}\n", "view.yaml:2:16", "no zone 'deck'"),
        ("parts:\n  - board: {size: [0, 5], cells: [1, 1], layers: []}\n", "view.yaml:2:19", "two numbers"),
        ("parts:\n  - board: {size: [5, 5], cells: [9, 9], layers: [{of: Special, at: at, owners: place}]}\n", "view.yaml:2", "a map from players to sets"),
        ("parts: 3\n", "view.yaml:1:8", "list"),
        ("clock: {period: place}\nparts: []\n", "view.yaml:1:17", "no public counter 'place'"),
        ("clock: {step: gathered}\nparts: []\n", "view.yaml:1", "needs the key 'period'"),
    ],
)  # fmt: skip
def test_mistakes_in_a_layout_have_a_place(tmp_path, text, place, message):
    folder = tmp_path / "race"
    shutil.copytree(GAMES / "race", folder)
    (folder / "view.yaml").write_text(text)
    game = load(str(folder), 2)
    with pytest.raises(SpecError) as error:
        Clock.of(folder, game)
        read_layout(folder, Names.of(folder, game))
    assert place in str(error.value)
    assert message in str(error.value)


# ---------------------------------------------------------------- the parts, on the games of the package


def shown(name, players, layout=None, moves=0, width=120, numbers=None, tmp_path=None):
    """A position of a game after some first options, as text."""
    game = load(name, players)
    names = Names.of(spec_path(name), game)
    state = game.new_initial_state(5)
    for _ in range(moves):
        state.apply_action(state.legal_actions()[0])
    folder = spec_path(name)
    if layout is not None:
        (tmp_path / "view.yaml").write_text(layout)
        folder = tmp_path
    out = io.StringIO()
    screen = Screen(read_layout(folder, names), names)
    screen.show(Console(width=width, file=out), state.view(0).data, numbers)
    return out.getvalue()


def test_a_board_of_blocks_has_lines_and_texts():
    text = shown("mykerinos", 3, moves=9, numbers={("Space", "r1c8"): 7})
    assert text.count("┼") == 3  # two rows of four parcels
    assert "[B]" in text and "^" in text and " #7" in text
    assert any(word in text for word in ("tangerine 2", "lemon 0", "brown 3", "violet 0"))


def test_a_grid_shows_pieces_and_numbers():
    text = shown("ys", 4, moves=20, numbers={("Place", "red_3"): 12})
    assert "#12 " in text
    rows = [line for line in text.splitlines() if line.startswith(("n1", "n2", "n3", "n4"))]
    assert len(rows) == 4
    assert "O?" in text or "B?" in text or "Y?" in text  # face down, and not mine
    assert "palace" in text and "character" in text


def test_a_grid_shows_owners_sets_and_long_names(tmp_path):
    layout = """
parts:
  - grid: {of: Place, down: neighborhood, across: area, pieces: Broker.place, sets: {locked: "(locked)"}}
"""
    text = shown("ys", 4, layout, moves=20, tmp_path=tmp_path)
    assert "Orange ?" in text or "Blue ?" in text or "Yellow ?" in text


def test_a_grid_shows_other_pieces_where_there_are_any():
    assert re.search(r"\bN[\d?]", shown("ys", 2, moves=14))
    assert not re.search(r"\bN[\d?]", shown("ys", 3, moves=14))


def test_a_table_goes_on_beside_itself_and_from_its_last_row(tmp_path):
    layout = "parts:\n  - table: {of: Gem, columns: {worth: quotation}, per_column: 3, from_last: true}\n"
    text = shown("ys", 4, layout, tmp_path=tmp_path)
    (line,) = [line for line in text.splitlines() if "white" in line]
    assert line.index("white") < line.index("yellow")
    assert text.count("worth") == 2


def test_a_wide_board_is_drawn_smaller_where_there_is_less_room():
    for width in (60, 90, 200):
        lines = shown("yspahan", 4, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert sum(line.count("(p") + line.count("(y") for line in lines) > 20


def test_first_letters_tell_people_apart():
    info = {
        "players": 3,
        "seats": ["Blue", "Black", "Red"],
        "participants": ["Blue", "Black", "Red", "Bot"],
    }
    people = People(info)
    assert [people.initial(i) for i in range(4)] == ["Blu", "Bla", "Red", "Bot"]
    assert people.name("Bot") == "Bot" and people.name("1") == "Black"


def test_rolls_and_repeated_lines_are_gathered():
    lines = ["x", "the roll is 3", "the roll is 3", "the roll is 5", "y", "y", "the roll is 1"]
    assert list(gathered(lines)) == ["x", "the rolls are 3, 3, 5", "y (2 times)", "the roll is 1"]


def test_templates():
    assert holes("a {b} {c.d:2} {not this}") == ["b", "c.d"]
    assert fill("{b:1}-{c.d}", {"b": "long", "c.d": "x"}.get) == "l-x"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("grid: {of: Place, down: area}", "needs the key 'across'"),
        ("grid: {of: Place, down: aera, across: part}", "did you mean 'area'"),
        ("grid: {of: Ship, down: copies, across: large}", "must be a column that names members"),
        ("grid: {of: Place, down: area, across: part, pieces: Broker.up}", "no pieces on a Place 'Broker.up'"),
        ("grid: {of: Place, down: area, across: part, pieces: Broker.place, piece: '{value.wroth}'}", "value.worth"),
        ("grid: {of: Place, down: area, across: part, also: {Borker.place: x}}", "did you mean 'Broker.place'"),
        ("grid: {of: Place, down: area, across: part, beside: {a: quotation}}", "does not differ by Area"),
        ("table: {of: Gem, columns: {a: quotation}, per_column: 0}", "from 1 to"),
        ("table: {of: Gem, columns: {a: quotation}, per_column: many}", "number"),
        ("track: {of: Place, owners: quotation}", "a map from players to sets of Place"),
        ("board: {size: [9, 9], cells: [9, 9], blocks: [2], layers: []}", "two numbers"),
        ("board: {size: [9, 9], cells: [9, 9], layers: [{of: Ship, at: [copies, copies], mark: '{copeis}'}]}", "did you mean 'copies'"),
        ("board: {size: [9, 9], cells: [9, 9], layers: [{of: Ship, at: [copies, copies], ties: larg}]}", "did you mean 'large'"),
        ("board: {size: [9, 9], cells: [9, 9], layers: [{of: Ship, at: [copies, copies], sets: {locked: x}}]}", "must be a set of Ship"),
    ],
)  # fmt: skip
def test_mistakes_in_the_parts_are_told(tmp_path, part, message):
    with pytest.raises(SpecError) as error:
        shown("ys", 4, f"parts:\n  - {part}\n", tmp_path=tmp_path)
    assert message in str(error.value)
    assert "view.yaml:2" in str(error.value)
