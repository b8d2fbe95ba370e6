"""Layouts: what the specs of the package say, the plain one, every part and key, and mistakes with their place."""

import io
import re
import shutil
from functools import cache

import pytest
from common import GAMES
from rich.console import Console

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import load, spec_path
from rulewright.play.player_words import gathered
from rulewright.play.show import Screen
from rulewright.scene.default_layout import plain_layout
from rulewright.scene.layout import Board, Cards, Line
from rulewright.scene.places import groups, joins, links, tied
from rulewright.scene.read_view import read_layout
from rulewright.scene.templates import fill, holes
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import People
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


@pytest.mark.parametrize(("width", "lines"), [(120, 1), (80, 2), (40, 3)])
def test_rows_of_a_track_stay_whole(width, lines):
    game = load("yspahan", 4)
    names = Names.of(spec_path("yspahan"), game)
    out = io.StringIO()
    screen = Screen(read_layout(spec_path("yspahan"), names), names)
    screen.show(Console(width=width, file=out), game.new_initial_state(1).view(0).data)
    found = [line for line in out.getvalue().splitlines() if "[ ]" in line]
    assert len(found) == lines and all(len(line) <= width for line in found)
    assert (
        sum(len(re.findall(r"line \d \(\+\d\) (?:\[ \]){4}(?: |$)", line)) for line in found) == 3
    )


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
    text = shown("mykerinos", 3, moves=9, numbers={("Space", "h1"): 7})
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
        "kinds": {"Participant": {"members": ["0", "1", "2", "bot"]}},
    }
    people = People(info)
    assert [people.initial(i) for i in range(4)] == ["Blu", "Bla", "Red", "Bot"]
    assert people.name("bot") == "Bot" and people.name("1") == "Black"


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


# ---------------------------------------------------------------- what the browser's picture needs


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("colours: {red: '#12'}\nparts: []\n", "view.yaml:1:16", 'written as "#rrggbb"'),
        ("colours: {red: {dark: '#123456'}}\nparts: []\n", "view.yaml:1", "needs the key 'light'"),
        ("colours: {red: {light: '#123456', pattern: dost}}\nparts: []\n", "view.yaml:1:44", "did you mean 'dots'"),
        ("colours: {red: {light: '#123456', letter: red}}\nparts: []\n", "view.yaml:1:43", "one character or two"),
        ("icons: {x: 'L1 1'}\nparts: []\n", "view.yaml:1:12", "begins with M"),
        ("icons: {x: 'M1 1 <script>'}\nparts: []\n", "view.yaml:1:12", "begins with M and is made of"),
        ("icons: {x: 'M1 1 url(#y)'}\nparts: []\n", "view.yaml:1:12", "made of the letters"),
        ("icons: {'x y': 'M1 1'}\nparts: []\n", "view.yaml:1:9", "the name of an icon"),
        ("kinds: {Gme: {shape: circle}}\nparts: []\n", "view.yaml:1:9", "did you mean 'Gem'"),
        ("kinds: {Gem: {shap: circle}}\nparts: []\n", "view.yaml:1:15", "did you mean 'shape'"),
        ("kinds: {Gem: {shape: circel}}\nparts: []\n", "view.yaml:1:22", "did you mean 'circle'"),
        ("kinds: {Gem: {size: 0}}\nparts: []\n", "view.yaml:1:21", "from 1 to"),
        ("kinds: {Gem: {colour: rde}}\nparts: []\n", "view.yaml:1:23", "'rde' is not a colour"),
        ("kinds: {Gem: {label: '{suply}'}}\nparts: []\n", "view.yaml:1:22", "did you mean 'supply'"),
        ("kinds: {Gem: {icon: coin}}\nparts: []\n", "view.yaml:1:21", "'coin' is not an icon"),
        ("kinds: {Gem: {title: '{quotation}'}}\nparts: []\n", "view.yaml:1:22", "the same in every position"),
        ("kinds: {Gem: {texts: {bule: x}}}\nparts: []\n", "view.yaml:1:23", "did you mean 'blue'"),
        ("kinds: {Gem: {texts: {blue@expres: x}}}\nparts: []\n", "view.yaml:1:23", "did you mean 'express'"),
        ("kinds: {Ship: {shows: [copies]}}\nparts: []\n", "view.yaml:1:24", "names members of a kind"),
        ("parts:\n  - for: paper\n    line: x\n", "view.yaml:2:10", "'paper' is not a face"),
        ("parts:\n  - {line: x, zone: {of: bank}}\n", "view.yaml:2:6", "one of these"),
        ("parts:\n  - seats: {columns: {score: score}, looks: {gold: cards}}\n", "view.yaml:2:46", "no column 'gold'"),
        ("parts:\n  - seats: {columns: {score: score}, looks: {score: cards}}\n", "view.yaml:2:53", "no members of a kind"),
        ("parts:\n  - seats: {columns: {score: score}, looks: {score: card}}\n", "view.yaml:2:53", "did you mean 'cards'"),
        ("parts:\n  - table: {of: Gem, columns: {a: quotation}, looks: {a: {dice: order_card}}}\n", "view.yaml:2", "for each Gem"),
        ("parts:\n  - scale: {of: locked}\n", "view.yaml:2:17", "a number, or a number for each"),
        ("parts:\n  - scale: {of: quotation, from: 1, to: 900}\n", "view.yaml:2", "from 1 to 60 numbers"),
        ("parts:\n  - scale: {of: quotation, only: [bleu]}\n", "view.yaml:2:35", "did you mean 'blue'"),
        ("parts:\n  - board: {size: [9, 9], layers: [{of: Gem, at: {blue: [1]}}]}\n", "view.yaml:2", "two numbers from 0"),
        ("parts:\n  - board: {size: [9, 9], layers: [], areas: [{colour: red}]}\n", "view.yaml:2", "a size, a path, a label or an icon"),
        ("parts:\n  - board: {size: [9, 9], layers: [{of: Line, at: {line0: [1, 1]}, holds: [stal]}]}\n", "view.yaml:2", "did you mean 'stall'"),
        ("parts:\n  - board: {size: [9, 9], layers: [{of: Line, at: {line0: [1, 1]}, token: sqare}]}\n", "view.yaml:2", "did you mean 'square'"),
    ],
)  # fmt: skip
def test_mistakes_in_what_the_picture_needs_have_a_place(tmp_path, text, place, message):
    folder = tmp_path / "ys"
    shutil.copytree(spec_path("ys"), folder)
    (folder / "view.yaml").write_text(text)
    with pytest.raises(SpecError) as error:
        read_layout(folder, _names_of_ys())
    assert place in str(error.value)
    assert message in str(error.value)


@cache
def _names_of_ys():
    return Names.of(spec_path("ys"), load("ys", 4))


def test_links_joins_ties_and_places():
    names = Names.of(spec_path("yspahan"), load("yspahan", 4))
    board = next(p for p in read_layout(spec_path("yspahan"), names).web if isinstance(p, Board))
    road, shops = board.layers
    assert road.places["centre"] == (418, 187)
    assert len(links(road, names)) == 28  # 29 squares of two streets that cross
    assert len(joins(board, road, names)) == 30  # 28 of them face a shop, two face two
    found = groups(shops, names, shops.ties, shops.places)
    assert len(found) == 14 and sum(map(len, found.values())) == 47
    assert tied([(0, 0), (9, 0), (1, 0)], lambda a, b: abs(a[0] - b[0])) == [
        ((0, 0), (1, 0)),
        ((1, 0), (9, 0)),
    ]


def test_what_one_face_shows_alone(tmp_path):
    layout = 'parts:\n  - for: terminal\n    line: "words"\n  - for: web\n    line: "pictures"\n'
    text = shown("ys", 4, layout, tmp_path=tmp_path)
    assert "words" in text and "pictures" not in text


def test_scales_and_cards_in_the_terminal(tmp_path):
    layout = """
kinds: {Character: {note: "{window}"}}
parts:
  - scale: {title: Quotations, of: quotation, only: [blue, green]}
  - scale: {title: Turn, of: turn_number}
  - cards: {title: Characters, of: Character}
  - board: {title: Only for the web, size: [9, 9], layers: []}
"""
    text = shown("ys", 4, layout, tmp_path=tmp_path)
    assert "Quotations:  8 blue, green" in text and "Turn:  1" in text
    assert "Only for the web" not in text
    (line,) = [line for line in text.splitlines() if line.startswith("alchemist")]
    assert "counting end" in line


def test_a_hex_grid_moves_every_second_row(tmp_path):
    layout = """
parts:
  - board: {title: Hexes, size: [8, 9], cells: [51, 9], hex: true, layers: [{of: Space, at: [column, row], mark: "o"}]}
"""
    rows = shown("mykerinos", 3, layout, tmp_path=tmp_path).splitlines()[1:]
    assert len(rows) == 9 and all(row.count("o") == 8 for row in rows)
    assert rows[1].index("o") == rows[3].index("o") == rows[0].index("o") + 3


def test_types_alone_give_boards_for_grids_and_cards_for_what_players_have():
    names = Names.of(spec_path("mykerinos"), load("mykerinos", 3))
    layout = plain_layout(names)
    (board,) = [part for part in layout.web if isinstance(part, Board)]
    (layer,) = board.layers
    assert (layer.kind, layer.owners, board.size) == ("Space", "cubes", (8, 9))
    assert [name for name, _ in layer.sets] == ["in_play", "pyramids"]
    line = next(part for part in layout.web if isinstance(part, Line))
    assert "season" in line.text and "in_play" not in line.text
    cards = {part.kind: part.owners for part in layout.web if isinstance(part, Cards)}
    assert cards == {"Room": "museum", "Parcel": "claimed"}
    assert not any(isinstance(part, Board | Cards) for part in layout.terminal)
