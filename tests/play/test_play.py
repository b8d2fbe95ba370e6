"""Playing in a real terminal: what is shown, what can be typed, undo, saving and going on."""

import json
import os
import re
import signal
import sys

import pexpect
import pytest
from common import GAMES

from rulewright.engines import load
from rulewright.play.session import Session

RACE, AUCTION = str(GAMES / "race"), str(GAMES / "auction")
SEVERAL = str(GAMES / "sketches" / "several")
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


def leave(child):
    """Give up a game that is not recorded."""
    child.sendline("q")
    child.expect("q once more gives it up")
    child.sendline("q")
    child.expect(pexpect.EOF)


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
    child.expect("Which dice do you take")
    child.expect("Blue> ")
    child.sendline("? vase")
    child.expect("select.empty-square")
    child.sendline("? vsae")
    child.expect("did you mean 'vase'")
    leave(child)
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
    child.expect("Blue: Which dice do you take")
    child.expect("Blue> ")
    child.sendline("u")
    child.expect("can't be taken back: not beyond the last roll")
    child.sendline("2")
    child.expect("Blue: What do you do with the dice")
    child.expect("Blue> ")
    child.sendline("u")
    child.expect("taken back")
    child.expect("Blue: Which dice do you take")
    child.expect("Blue> ")
    leave(child)


def test_the_board_is_drawn_with_streets_shops_and_cubes(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("Blue> ")
    board = plain(child.before)
    child.sendline("1")
    child.expect("Blue> ")
    assert "<S>" in board and "···+" in board
    assert board.count("[ ]") in (9, 12)  # the camels of the caravan
    assert sum(board.count(f"({c}") for c in "pywbo") > 40
    assert all(name in board for name in ("SACK", "BARREL", "CHEST", "VASE"))
    child.sendline("2")
    child.expect("What do you do with the dice")
    child.expect("Blue> ")
    child.sendline("1")
    child.expect("Blue> ")
    assert "Into which shop" in child.before
    # the numbers of the choices stand on the board
    assert re.search(r"\n.*#1 .*\n", plain(child.before).split("Players")[0])
    child.sendline("1")
    child.expect("Blue> ")
    assert re.search(r"\[B\d\]", plain(child.before))


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
    child.kill(signal.SIGKILL)
    child.expect(pexpect.EOF)
    session, notes = Session.resume(file)
    assert session.number == 1 and notes == []


def test_a_game_can_be_recorded_while_it_goes(terminal, tmp_path):
    file = tmp_path / "game.jsonl"
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("Blue> ")
    child.sendline("1")
    child.expect("Blue> ")
    child.sendline("2")
    child.expect("Blue> ")
    child.sendline("u")
    child.expect("Blue> ")
    child.sendline("w")
    child.expect("Name a file")
    child.sendline("w /nowhere/game.jsonl")
    child.expect("can't be written")
    child.sendline(f"w {file}")
    child.expect("The game is recorded in ")
    child.sendline("3")
    child.expect("Blue> ")
    child.sendline("q")
    child.expect("Go on with: rulewright play --resume ")
    child.expect(pexpect.EOF)
    session, _ = Session.resume(file)
    assert session.number == 2
    # what is typed in a resumed game is recorded in the same file
    session.decide(session.state.legal_actions()[0])
    session.close()
    assert Session.resume(file)[0].number == 3


def test_an_interrupt_stops_the_game_in_order(terminal, tmp_path):
    file = tmp_path / "game.jsonl"
    child = terminal(RACE, "--seats", "human,random", "--seed", "3", "--save", file)
    child.expect("> ")
    child.sendintr()
    child.expect("Go on with: rulewright play --resume ")
    child.expect(pexpect.EOF)
    assert Session.resume(file)[0].number == 0


def test_a_value_can_be_asked_for_however_it_is_spelt(terminal):
    child = terminal("ys", "--seats", "human,random,random,random", "--seed", "5")
    child.expect("Purple> ")
    child.sendline("1 2 ok")
    child.expect("Which place in the order|Where does the broker go")
    while True:
        child.expect("Purple> ")
        if "Where does the broker go" in child.before:
            break
        child.sendline("1")
    child.sendline("? Blue 0")
    child.expect("blue_0 is not possible now")
    child.expect("place.no-line-0")
    child.sendline("? N1 Comm")
    child.expect("is allowed; choose it by its number")


def test_options_tell_what_they_bring_and_can_be_named(terminal):
    """Words choose, what was done stays beside the next decision, and what looks the same is not printed again."""
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    child.expect("Blue> ")
    assert "Adds 2 yellow dice  −2 gold; then a roll" in plain(child.before)
    child.sendline("adds")
    child.expect("may mean several options: 1, 2, 3")
    child.sendline("no such thing")
    child.expect("number from 1 to 3")
    child.expect("Blue> ")
    child.sendline("adds 0")
    child.expect("Blue> ")
    shown = plain(child.before)
    assert "Which dice do you take" in shown and "Tower" in shown
    assert "<S>" not in shown and "Players" not in shown
    child.sendline("sack")
    child.expect("Blue> ")
    assert "so far: takes 1 die from the sack square" in plain(child.before)
    child.sendline("carries")
    child.expect("Blue> ")
    # mark and value of what an option stands for
    assert re.search(
        r"7  \(y6\)  Places a cube in shop 1 of the sack's yellow souk", plain(child.before)
    )
    child.sendline("v")
    child.expect("Blue> ")
    assert "Players" in plain(child.before) and "<S>" in plain(child.before)
    leave(child)


def test_several_are_chosen_as_one(terminal, tmp_path):
    """Marked in any order by numbers and words, unmarked, confirmed once; one line in the story, and taken back as a whole."""
    child = terminal(SEVERAL, "--seats", "human,random", "--seed", 6, "--save", tmp_path / "g.jsonl")  # fmt: skip

    def answer(text):
        child.expect("Ada> ")
        shown = plain(child.before)
        child.sendline(text)
        return shown

    assert "Ada: discard\r\n" in (shown := answer("ok")) and "2 more" in shown
    assert "not enough: mark 2 more" in answer("4 1")
    # the last first, the first after it
    shown = answer("u")
    assert (
        "[x] Salt" in shown
        and "[x] Gold" in shown
        and "ok: discards salt, gold (salt: hand → heap, gold: hand → heap)" in shown
    )
    shown = answer("silk")
    assert "[ ] Salt" in shown and "[x] Gold" in shown and "1 more" in shown
    assert "ok: discards silk, gold" in answer("1")
    assert "Salt can't be chosen together with what is marked" in answer("2")
    assert "[ ] Silk" in answer("77")
    assert "Type numbers from 1 to 5" in answer("silk ok")
    shown = answer("u")
    assert shown.count("Ada discards silk, gold") == 1 and "Ada: raise\r\n" in shown
    assert "or 2 more · ok: raises nothing" in shown
    # all of the choice before is taken back, and made anew in one line
    assert "taken back" in (shown := answer("5 4 ok")) and "Ada: discard\r\n" in shown
    assert "Ada discards gold, gold" in answer("q")
    child.expect(pexpect.EOF)
    rows = [json.loads(line) for line in (tmp_path / "g.jsonl").read_text().splitlines()]
    made = [(r["choice"], r["value"]) for r in rows if "choice" in r]
    assert [r["undo"] for r in rows if "undo" in r] == [2]
    assert made == [
        ("discard.1", "silk"), ("discard.2", "gold"), ("discard.1", "gold"), ("discard.2", "gold"),
    ]  # fmt: skip


def test_whatever_has_a_name_is_explained(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "3", "--compact")
    child.expect("Blue> ")
    child.sendline("? 3")
    child.expect("brings: −2 gold; then a roll")
    child.sendline("? hoist")
    child.expect(r"hoist \(Building\):")
    child.expect("here: camels 4; gold 4")
    child.sendline("? power.paddock")
    child.expect("power.paddock: ")
    child.sendline("? supervisor to")
    child.expect(r"supervisor to \(a decision\):")
    child.sendline("? power")
    child.expect("That may be power")
    child.sendline("q")


@pytest.mark.parametrize("game", ["mykerinos", "yspahan", "ys"])
def test_a_low_terminal_gets_a_view_that_fits(terminal, game):
    child = terminal(game, "--seats", "human,random,random", "--seed", "4", width=80, LINES="24")
    child.expect(r"\w\w> ")
    assert "Players" in child.before
    position = plain(child.before).partition("─" * 80)[2]
    assert len(position.splitlines()) <= 24
    child.sendline("q")


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


def test_at_the_end_of_a_hot_seat_game_only_what_is_new_is_told(terminal):
    child = terminal(RACE, "--seats", "human,human", "--seed", "3")
    shown = ""
    for _ in range(400):
        found = child.expect(["at the screen. ", r"\w> ", pexpect.EOF])
        shown = child.before if found < 2 else shown + child.before
        if found == 2:
            break
        child.sendline("" if found == 0 else "1")
    end = plain(child.before)
    assert "The game is over." in end
    assert end.count("│ ") < 25


def test_colour_and_no_colour(terminal):
    child = terminal("yspahan", "--seats", "human,random,random", "--seed", "4", colour=True)
    child.expect("Adds 0 yellow dice")
    assert re.search(r"\x1b\[[0-9;]*3[0-9]m", child.before)
    child.sendline("q")
    bare = terminal("yspahan", "--seats", "human,random,random", "--seed", "4")
    bare.expect("Adds 0 yellow dice")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m|38;5", bare.before)
    bare.sendline("q")


@pytest.mark.parametrize("game", ["mykerinos", "yspahan", "ys"])
@pytest.mark.parametrize("width", [60, 80])
def test_a_narrow_terminal_is_kept_to(terminal, game, width):
    child = terminal(game, "--seats", "human,random,random", "--seed", "4", width=width)
    child.expect(r"\w\w> ")
    lines = plain(child.before).splitlines()
    assert max(map(len, lines)) <= width
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
        (["quoits"], "there is no game 'quoits'"),
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
