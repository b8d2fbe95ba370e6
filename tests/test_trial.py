"""`check --play`: mistakes that no check can see and random games find, with the line of the rules that makes them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pexpect
import pytest
from common import copy_of

from rulewright.checking import check_folder
from rulewright.cli import main
from rulewright.compiler.build import Spec, read_spec
from rulewright.compiler.text.diagnostics import Problem
from rulewright.trial import try_out
from rulewright.watching import Background

GAME = (
    "game: tiny\ntitle: Tiny\nplayers: [2, 3]\nseats: [Blue, Green, Red]\nreasons: {coins: coins}\n"
)
CARDS = "table: Card\nrows: {ace: {}, king: {}}\n"
RULES = """\
state:
    coins: map Player to 0..9
    round: 1..9 = 1
pieces cards of Card by 2:
    deck hidden = all
    row
procedure play():
    while round < rounds:
        for p in Player: turn(p)
        round += 1
procedure turn(p: Player):
    choose n in 1 .. 3 by p as take_some
    coins[p] = n
    {line}
    score n to p for coins
outcome p in Player by score[p] + size(row)
"""
# a line of the rules, the code of what goes wrong with it in play, and the words of the message
WRONG = {
    "a counter that grows": ("coins[p] += n + n + n + 1", "RW1003", "outside 0..9"),
    "a deck that runs out": ("draw c from deck to row", "RW1004", "nothing is left in 'deck'"),
    "a piece that is not there": ("move ace from row to deck", "RW1004", "there is no ace left in 'row'"),
    "nothing to choose": (
        "choose k in 1 .. 3 by p as more\n        where k > 3 * n\n    coins[p] = k", "RW1001", "nothing to choose from",
    ),
    "division by zero": ("coins[p] = 6 // (n - 1)", "RW1007", "division by zero"),
    "a loop that does not end": ("while n > 0: coins[p] = 1", "RW1002", "does not end"),
}  # fmt: skip


def tiny(folder: Path, line: str, more: str = "") -> Spec:
    (folder / "tiny").mkdir()
    files = {
        "game.yaml": GAME,
        "cards.yaml": CARDS,
        "numbers.yaml": "constants:\n  rounds: {value: 4}\n",
        "play.rules": RULES.replace("{line}", line) + more,
    }
    for name, text in files.items():
        (folder / "tiny" / name).write_text(text, encoding="utf-8")
    spec = read_spec(folder / "tiny", "tiny")
    assert check_folder(spec, folder / "tiny").errors == []
    return spec


def found(spec: Spec) -> list[Problem]:
    return try_out(spec).problems.all()


def test_a_game_that_is_right(tmp_path: Path) -> None:
    trial = try_out(tiny(tmp_path, "pass"))
    assert trial.problems.all() == []
    assert (trial.rulesets, trial.games) == (2, 10)
    assert trial.line() == "10 games of 2 rulesets played"


@pytest.mark.parametrize("name", WRONG)
def test_what_only_shows_in_play(name: str, tmp_path: Path) -> None:
    line, code, words = WRONG[name]
    (problem,) = found(tiny(tmp_path, line))
    assert (problem.severity, problem.code) == ("error", code)
    assert words in problem.message and "of a game with 2 players" in problem.message
    assert problem.span.file == "tiny/play.rules"
    assert problem.span.line == 14 and problem.hint is not None


# the words of the rules that change, and where the mistake is then
ASKED = {
    "a rank": ("by score[p]", "by worth(p) + score[p]"),
    "an estimate": ("outcome", "heuristic p: worth(p)\noutcome"),
    "a text": ("as take_some", 'as take_some say "takes {n} of {worth(p)}"'),
}


@pytest.mark.parametrize("name", ASKED)
def test_ranks_estimates_and_texts_are_worked_out_too(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = ASKED[name]
    rules = RULES.replace(old, new)
    monkeypatch.setitem(globals(), "RULES", rules)
    more = "function worth(p: Player) -> int = 6 // (coins[p] // 9)\n"
    (problem,) = found(tiny(tmp_path, "pass", more))
    assert problem.code == "RW1007"
    assert "worth(p" in (rules + more).splitlines()[problem.span.line - 1]


def test_a_broken_invariant(tmp_path: Path) -> None:
    (problem,) = found(tiny(tmp_path, "pass", "invariant poor: all(p in Player: coins[p] < 3)\n"))
    assert (problem.code, problem.span.line) == ("RW1005", 17)
    assert "poor" in problem.message


def test_a_game_without_an_end(tmp_path: Path) -> None:
    spec = tiny(tmp_path, "pass")
    rules = (tmp_path / "tiny" / "play.rules").read_text(encoding="utf-8")
    rules = rules.replace("        round += 1\n", "        round = 1\n")
    (tmp_path / "tiny" / "play.rules").write_text(rules, encoding="utf-8")
    spec = read_spec(tmp_path / "tiny", "tiny")
    problems = try_out(spec, decisions=500).problems.all()
    assert [(p.code, p.severity) for p in problems] == [("RW1020", "warning")]
    assert "after 500 decisions" in problems[0].message


def test_one_mistake_is_told_once_and_the_work_is_bounded(tmp_path: Path) -> None:
    asked = 0

    def go_on() -> bool:
        nonlocal asked
        asked += 1
        return asked < 4

    trial = try_out(tiny(tmp_path, "pass"), go_on=go_on)
    assert (trial.rulesets, trial.games) == (1, 2)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny(tmp_path, "coins[p] += 3 * n + 1")
    for words, code in ((["check"], 0), (["check", "--play"], 1)):
        with pytest.raises(SystemExit) as end:
            main([*words, str(tmp_path / "tiny")])
        assert end.value.code == code
    shown = capsys.readouterr().out
    assert "play.rules:14:5: error RW1003: " in shown
    assert "tiny: 1 error (2 rulesets); 2 games of 2 rulesets played" in shown


def test_watch_plays_by_itself(tmp_path: Path) -> None:
    tiny(tmp_path, "coins[p] += 1")
    words = ["-m", "rulewright", "watch", str(tmp_path / "tiny"), "--every", "0.1", "--games", "0"]
    child = pexpect.spawn(
        sys.executable, [*words, "--changes", "1"], encoding="utf-8", timeout=60,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    child.expect("10 games of 2 rulesets played: nothing wrong")
    rules = tmp_path / "tiny" / "play.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("coins[p] += 1", "coins[p] += 3 * n + 1"), encoding="utf-8")
    child.expect("all right; ruleset")
    child.expect("play.rules:14:5: error RW1003")
    child.expect("2 games of 2 rulesets played: not right in play")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 1


def test_games_in_the_background_are_given_up(tmp_path: Path) -> None:
    trying = Background(tiny(tmp_path, "pass"))
    trying.start()
    trying.give_up()
    assert not trying.is_alive()
    trying = Background(trying.spec)
    trying.run()
    assert trying.trial is not None and trying.trial.games == 10


def test_a_real_game_out_of_bounds(tmp_path: Path) -> None:
    """Bounds taken away, a week of two hundred days is found where the marker leaves its range."""
    folder = copy_of("yspahan", tmp_path)
    numbers = (folder / "constants.yaml").read_text(encoding="utf-8")
    changed = numbers.replace(
        "days_per_week: {value: 7, from: 1, to: 100,", "days_per_week: {value: 200,"
    )
    assert changed != numbers
    (folder / "constants.yaml").write_text(changed, encoding="utf-8")
    shutil.rmtree(folder / "variants")
    spec = read_spec(folder, "yspahan")
    (problem,) = try_out(spec, games=1, decisions=30_000).problems.errors
    assert problem.code == "RW1003" and "101 is outside 1..100" in problem.message
    assert problem.span.file == "yspahan/day.rules"


THEFT = """\
pieces cards of Card by 1:
    deck hidden = all
    hand per Player visible to owner
    table
procedure play():
    for p in Player: deal 2 from deck to hand[p]
    for p in Player: lose(p)
procedure lose(p: Player):
    choose d in hand[p] by p as shows
    move d from hand[p] to table
    move d from table to hand[p]
    deal 1 from hand[p] to hand[p.next]
    choose n in 0 .. {most} by p as smile
    score n to p for coins
    if reveal(d in hand[p]): move d from hand[p] to table
    else: move d from hand[p.next] to table
outcome p in Player by score[p]
"""


WHO_HAS_IT = """\
pieces cards of Card by 1:
    deck hidden = all
    hand per Player visible to owner
    table
procedure play():
    for p in Player: deal 2 from deck to hand[p]
    for p in Player: lose(p)
procedure lose(p: Player):
    choose d in hand[p] by p as shows
    move d from hand[p] to deck
    deal 1 from deck to hand[p.next]
    let q = reveal(holder(d))
    choose n in 0 .. {most} by p as smile
    score n to p for coins
    if q is none: move d from deck to table
    else: move d from hand[q] to table
function holder(c: Card) -> Player or none = best(x in Player where c in hand[x]: 0)
outcome p in Player by score[p]
"""
MANY = CARDS.replace("ace", "two: {}, six: {}, nine: {}, jack: {}, queen: {}, ace")


def tried(folder: Path, rules: str) -> list[Problem]:
    folder.mkdir()
    for name, text in {"game.yaml": GAME, "cards.yaml": MANY, "play.rules": rules}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return found(read_spec(folder, "tiny"))


def test_a_card_that_all_saw_is_dealt_where_it_may_have_gone(tmp_path: Path) -> None:
    assert tried(tmp_path / "theft", THEFT.format(most=1)) == []


def test_what_bots_that_think_ahead_would_stop_at_is_told(tmp_path: Path) -> None:
    """Only the rules know what a function of hidden things has told; where nobody decides meanwhile nothing is wrong."""
    for most, codes in ((1, [("RW1021", "warning")]), (0, [])):
        problems = tried(tmp_path / str(most), WHO_HAS_IT.format(most=most))
        assert [(p.code, p.severity) for p in problems] == codes
        if problems:
            assert "there is no" in problems[0].message and problems[0].span.line in (15, 16)
            assert "state an invariant" in (problems[0].hint or "")
