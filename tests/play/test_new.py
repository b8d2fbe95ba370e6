"""Skeletons of games and variants check and play as they are; watching keeps the last good engine."""

import os
import shutil
import sys
import time
from pathlib import Path

import pexpect
import pytest
from common import GAMES

from rulewright.engines import games, load
from rulewright.watching import Watched

ROOT = Path(__file__).parents[2]


def test_a_new_game_checks_passes_its_tests_and_plays(tmp_path, run):
    got = run("new", "game", "market-day", "--in", tmp_path)
    assert got.code == 0 and "rulewright check" in got.out
    folder = tmp_path / "market-day"
    checked = run("check", folder)
    assert checked.code == 0 and "warning" not in checked.out + checked.err
    assert run("test", folder).code == 0
    for players in (2, 3, 4):
        data = run(
            "simulate", folder, "-n", 6, "-p", players, "--bots", "greedy", "--format", "json"
        ).json()
        assert data["games"] == 6
    assert run("simulate", folder, "-n", 3, "--bots", "careful,mcts:20").code == 0
    assert [p.name for p in tmp_path.iterdir()] == ["market-day"]


@pytest.mark.parametrize("name", games())
def test_a_new_variant_checks_and_changes_nothing(tmp_path, run, name):
    folder = Path(shutil.copytree(ROOT / "spec" / name, tmp_path / name))
    got = run("new", "variant", "my-own", "--of", folder)
    assert got.code == 0, got.err
    counts = load(name, 3).num_players()
    assert run("diff", folder, f"{folder}+my-own", "-p", counts, "--exit-code").code == 0
    assert (
        run("simulate", folder, "-n", 2, "-p", 3, "--variant", "my-own", "--bots", "random").code
        == 0
    )


def test_a_copy_is_played_like_the_original(tmp_path, run):
    got = run("new", "copy", "my-race", "--of", GAMES / "race", "--in", tmp_path)
    assert got.code == 0 and "is a copy of" in got.out
    folder = tmp_path / "my-race"
    assert [p.name for p in tmp_path.iterdir()] == ["my-race"]
    assert run("diff", GAMES / "race", folder, "--exit-code").code == 0
    assert run("check", folder).out.startswith("my-race: ")
    again = run("new", "copy", "my-race", "--of", GAMES / "race", "--in", tmp_path)
    assert again.code == 2 and "is there already" in again.err
    inside = run("new", "copy", "own", "--of", folder, "--in", folder)
    assert inside.code == 2 and "lies inside" in inside.err
    assert run("new", "copy", "x", "--of", "quoits", "--in", tmp_path).code == 2
    (tmp_path / "my-race" / "file").write_text("")
    assert run("new", "copy", "x", "--of", "ys", "--in", folder / "file").code in (1, 2)
    assert [p.name for p in tmp_path.iterdir()] == ["my-race"]


def test_the_examples_in_a_new_variant_are_right(tmp_path, run):
    """With the signs # taken away the first examples are read as they stand."""
    folder = Path(shutil.copytree(GAMES / "race", tmp_path / "race"))
    run("new", "variant", "mine", "--of", folder)
    file = folder / "variants" / "mine.yaml"
    lines = file.read_text().splitlines()
    for start in ("# constants:", "# tables:"):
        at = lines.index(start)
        lines[at] = lines[at][2:]
        while at + 1 < len(lines) and lines[at + 1].startswith("#   "):
            at += 1
            if "add:" not in lines[at] and "remove:" not in lines[at]:
                lines[at] = lines[at][2:]
    file.write_text("\n".join(lines) + "\n")
    assert run("check", folder).code == 0
    assert run("diff", folder, f"{folder}+mine", "-p", 2).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["game", "My Game"], "can't be a name"),
        (["game", "../x"], "can't be a name"),
        (["game", "race"], "there already"),
        (["variant", "short", "--of", "race"], "has a variant 'short' already"),
        (["variant", "x", "--of", "quoits"], "no game 'quoits'"),
        (["game", "fine", "--in", "nowhere/at/all/\0"], ""),
    ],
)  # fmt: skip
def test_wrong_use_is_told(tmp_path, run, monkeypatch, words, message):
    shutil.copytree(GAMES / "race", tmp_path / "race")
    monkeypatch.chdir(tmp_path)
    if "\0" in words[-1]:
        (tmp_path / "file").write_text("")
        words = [*words[:-1], "file"]
    got = run("new", *words)
    assert got.code in (1, 2) and message in got.err and "Traceback" not in got.err
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "file") == ["race"]


# ---------------------------------------------------------------- watching


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(GAMES / "race", tmp_path / "race"))


def change(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    stamp = time.time_ns() + 2_000_000_000
    os.utime(file, ns=(stamp, stamp))


def test_the_last_good_engine_is_kept(copy):
    watched = Watched(copy, "race", 2)
    assert watched.look() is not None and watched.error is None
    first = watched.game
    assert watched.look() is None
    change(copy / "race.rules", "if d == 1: return", "if dd == 1: return")
    assert watched.look() == ["race.rules"]
    assert watched.error is not None and "dd" in str(watched.error)
    assert watched.game is first
    assert first.random_playout(first.new_initial_state(1), 1).is_terminal()
    change(copy / "race.rules", "if dd == 1: return", "if d == 2: return")
    watched.look()
    assert watched.error is None
    assert watched.game.info["hash"] != first.info["hash"]


def test_a_folder_that_is_wrong_from_the_start(copy):
    change(copy / "race.rules", "procedure play()", "procedure plya()")
    watched = Watched(copy, "race", 2)
    watched.look()
    assert watched.game is None and watched.error is not None


def test_watching_what_is_not_there(copy, run):
    assert run("watch", "quoits").code == 2
    got = run("watch", copy, "--players", 77)
    assert got.code == 2 and "77" in got.err
    got = run("watch", copy, "--variant", "shrot")
    assert got.code == 2 and "did you mean 'short'" in got.err


def test_watching_in_a_terminal(copy):
    words = ["-m", "rulewright", "watch", str(copy), "--every", "0.1", "--games", "5"]
    child = pexpect.spawn(
        sys.executable, words, encoding="utf-8", timeout=60, env={**os.environ, "NO_COLOR": "1"}
    )
    child.expect("all right; ruleset .*5 random games")
    change(copy / "race.rules", "if d == 1: return", "if dd == 1: return")
    child.expect("changed: race.rules")
    child.expect("unknown name 'dd'")
    child.expect("the last good engine is kept")
    change(copy / "race.rules", "if dd == 1: return", "if d == 1: return")
    child.expect("all right; ruleset")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
