"""Playing in a real terminal: what is shown, what can be typed, undo, saving and going on."""

import io
import json
import os
import re
import sys

import pexpect
import pytest
from conftest import GAMES

from rulewright.compiler.diagnostics import SpecError
from rulewright.engines import load, spec_path
from rulewright.play.layout import plain_layout, read_layout
from rulewright.play.names import Names
from rulewright.play.session import Session

RACE, AUCTION = str(GAMES / "race"), str(GAMES / "auction")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def terminal(monkeypatch):
    """Starts `rulewright play …` in a terminal of its own."""
    started = []

    def start(*words, width=120, colour=False, **env):
        more = {"TERM": "xterm-256color", "COLUMNS": str(width), "LINES": "60", **env}
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        if not colour:
            more["NO_COLOR"] = "1"
        child = pexpect.spawn(
            sys.executable, ["-m", "rulewright", "play", *map(str, words)], env={**environment, **more},
            dimensions=(60, width), encoding="utf-8", timeout=60,
        )  # fmt: skip
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def plain(text):
    return ESCAPES.sub("", text)


def first_option(child, prompt, most=400):
    """Answer 1 to everything; what was shown in all."""
    shown = ""
    for _ in range(most):
        found = child.expect([prompt, pexpect.EOF])
        shown += child.before
        if found == 1:
            return shown
        child.sendline("1")
    raise AssertionError("the game does not end")


def test_a_whole_game_against_a_bot(terminal):
    child = terminal(RACE, "--seats", "human,random", "--seed", "3")
    shown = plain(first_option(child, "> "))
    child.wait()
    assert child.exitstatus == 0
    assert "The game is over." in shown
    assert re.search(r"1\. \w+: \d+ points", shown)
    assert "Rolls again" in shown and "rolls again" in shown


def test_help_rules_and_reasons(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("yellow dice")
    child.expect("Blue> ")
    child.sendline("h")
    child.expect("take back the last decision")
    child.sendline("?")
    child.expect("supply.yellow-limit: ")
    child.sendline("? 3")
    child.expect("Adds 2 yellow dice")
    child.sendline("? 3 ")
    child.sendline("99")
    child.expect("number from 1 to 3")
    child.sendline("1")
    child.expect("take group")
    child.expect("Blue> ")
    child.sendline("? vase")
    child.expect("select.empty-square")
    child.sendline("? vsae")
    child.expect("did you mean 'vase'")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


def test_what_is_not_allowed_is_explained_with_its_clause(terminal):
    """The third yellow die costs more gold than there is."""
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("Blue> ")
    child.sendline("? 9")
    child.expect("is outside 0..3")
    child.sendline("q")


def test_undo_goes_back_to_the_last_chance_and_no_further(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("Blue> ")
    child.sendline("u")
    child.expect("nothing to take back")
    child.sendline("1")
    child.expect("Blue: take group")
    child.expect("Blue> ")
    child.sendline("u")
    child.expect("can't be taken back: not beyond the last roll")
    child.sendline("2")
    child.expect("Blue: dice action")
    child.expect("Blue> ")
    child.sendline("u")
    child.expect("taken back")
    child.expect("Blue: take group")
    child.expect("Blue> ")
    child.sendline("q")
    child.expect(pexpect.EOF)


def test_the_board_is_drawn_with_streets_shops_and_cubes(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("Blue> ")
    child.sendline("1")
    child.expect("Blue> ")
    board = plain(child.before)
    assert "<S>" in board and "···+" in board
    assert board.count("[ ]") in (9, 12)  # the camels of the caravan
    assert sum(board.count(f" {c} ") for c in "pywbo") > 30
    child.sendline("2")
    child.expect("dice action")
    child.expect("Blue> ")
    child.sendline("1")
    child.expect("place cube")
    child.expect("Blue> ")
    # the numbers of the choices stand on the board
    assert re.search(r"\n.* 1 .*\n", plain(child.before).split("Players")[0])
    child.sendline("1")
    child.expect("Blue> ")
    assert "[B]" in plain(child.before)
    child.sendline("q")


def test_a_saved_game_can_be_gone_on_with(terminal, tmp_path):
    file = tmp_path / "game.jsonl"
    child = terminal(RACE, "--seats", "human,random", "--seed", "3", "--save", file)
    child.expect("> ")
    child.sendline("1")
    child.expect("> ")
    child.sendline("q")
    child.expect("Go on with: rulewright play --resume ")
    child.expect(pexpect.EOF)
    lines = file.read_text().splitlines()
    assert json.loads(lines[0])["seats"] == ["human", "random"]
    again = terminal("--resume", file)
    shown = plain(first_option(again, "> "))
    assert "The game is over." in shown
    assert "end" in json.loads(file.read_text().splitlines()[-1])
    third = terminal("--resume", file)
    third.expect("is over; see it with")
    third.expect(pexpect.EOF)
    third.wait()
    assert third.exitstatus == 1


def test_a_killed_game_loses_nothing_that_was_decided(terminal, tmp_path):
    file = tmp_path / "game.jsonl"
    child = terminal(RACE, "--seats", "human,human", "--seed", "3", "--save", file)
    child.expect("at the screen")
    child.sendline("")
    child.expect("> ")
    child.sendline("1")
    child.expect("> ")
    child.close(force=True)
    session, notes = Session.resume(file)
    assert session.number == 1 and notes == []


def test_hot_seat_hides_what_the_other_sees(terminal):
    child = terminal(AUCTION, "--seats", "human,human", "--seed", "1")
    child.expect("Ada decides. Press Enter")
    child.sendline("")
    child.expect("Ada> ")
    child.sendline("4")
    child.expect("Bo decides. Press Enter")
    child.sendline("")
    child.expect("Bo> ")
    shown = plain(child.before)
    assert "Ada has bid" in shown
    assert "bids 3" not in shown


def test_colour_and_no_colour(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4", colour=True)
    child.expect("Adds 0 yellow dice")
    assert re.search(r"\x1b\[[0-9;]*3[0-9]m", child.before)
    child.sendline("q")
    bare = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    bare.expect("Adds 0 yellow dice")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m|38;5", bare.before)
    bare.sendline("q")


def test_a_narrow_terminal_is_kept_to(terminal):
    child = terminal("mykerinos", "--seats", "human,random,random", "--seed", "4", width=70)
    child.expect("> ")
    lines = plain(child.before).splitlines()
    assert max(map(len, lines)) <= 70
    child.sendline("q")


def test_the_end_of_input_stops_the_game(terminal):
    child = terminal(RACE, "--seats", "human,random", "--seed", "3")
    child.expect("> ")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a game"),
        (["chess"], "there is no game 'chess'"),
        ([RACE, "--seats", "human,deepblue"], "no bot 'deepblue'"),
        ([RACE, "--seats", "human,human,human,human,human,human,human,human,human"], "bots for"),
        ([RACE, "--variant", "x"], "no variant"),
        ([RACE, "--resume", "x.jsonl"], "alone"),
        (["--resume", "/nowhere/x.jsonl"], "can't be read"),
        ([RACE, "--save", "/nowhere/x.jsonl", "--seats", "human,random"], "can't be written"),
    ],
)  # fmt: skip
def test_wrong_use_is_told(run, words, message):
    got = run("play", *words)
    assert got.code in (1, 2)
    assert message in got.err and "Traceback" not in got.err


def test_undo_in_a_session_is_recorded(tmp_path):
    file = tmp_path / "r.jsonl"
    name = "yspahan"
    session = Session.new(name, load(name, 3), (), {}, 4, ["human", "random", "random"], file)
    session.decide(session.state.legal_actions()[0])
    before = session.state.to_dict()
    session.decide(session.state.legal_actions()[1])
    session.decide(session.state.legal_actions()[0])
    assert session.undo() is None
    assert session.undo() is None
    assert session.state.to_dict() == before
    again, _ = Session.resume(file)
    assert again.state.to_dict() == before
    assert again.number == session.number


# ---------------------------------------------------------------- layouts


@pytest.mark.parametrize("name", ["yspahan", "mykerinos", "ys"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_layouts_of_the_package_show_every_position(name, players):
    from rich.console import Console

    from rulewright.play.show import Screen

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
    import shutil

    from rulewright.simulate.clock import Clock

    folder = tmp_path / "race"
    shutil.copytree(GAMES / "race", folder)
    (folder / "view.yaml").write_text(text)
    game = load(str(folder), 2)
    with pytest.raises(SpecError) as error:
        Clock.of(folder, game)
        read_layout(folder, Names.of(folder, game))
    assert place in str(error.value)
    assert message in str(error.value)
