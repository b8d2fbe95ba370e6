"""The command line: what each command prints, its exit code, and how wrong use is told."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright import __version__, cli
from rulewright.engines import SPECS, games

FIRST = games()[0]
HEAVY = ("rulewright.compiler", "lark", "jinja2", "black", "yaml")


class Run:
    """What one run of the command line gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> dict[str, Any]:
        data = json.loads(self.out)
        assert isinstance(data, dict)
        return data


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs the command line in this process, as if the terminal were 200 columns wide."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*words: object) -> Run:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main([str(word) for word in words])
        got = capsys.readouterr()
        return Run(int(stopped.value.code or 0), got.out, got.err)

    return call


@pytest.fixture
def spec(tmp_path) -> Path:
    """A copy of a spec that may be spoilt; small, two players, one variant."""
    folder = tmp_path / "tiny"
    (folder / "variants").mkdir(parents=True)
    (folder / "clauses").mkdir()
    (folder / "game.yaml").write_text("""\
game: tiny
title: Tiny
about: Two players take chips.
players: [2, 3]
clauses: [clauses/tiny.yaml]
seats: [White, Grey, Brown]
reasons: {chips: chips taken}
options:
  most: {type: 1..3, default: 2, about: The most chips at once., cite: take.most}
""")
    (folder / "clauses" / "tiny.yaml").write_text("""\
- {id: take.most, section: Play, rule: "A player takes at most two chips."}
- {id: take.end, section: Play, rule: "The game ends when no chip is left.", note: "READING: the text says nothing."}
""")
    (folder / "constants.yaml").write_text(
        "constants:\n  chips: {value: 9, assumed: nobody counted them}\n"
    )
    (folder / "play.rules").write_text("""\
state:
    left: 0..99 = chips  @take.end
    first: Player  @take.end

procedure play()  @take.end:
    var p: Player = first
    loop:
        if left == 0: break
        choose n in 1 .. 3 by p as take say "takes {n}"  @take.most
            where n <= min(most, left)  @take.most
        left -= n
        score n to p for chips
        p = p.next

outcome p in Player by score[p]  @take.end
""")
    (folder / "variants" / "long.yaml").write_text(
        "variant: long\nabout: More chips.\nplayers: [3]\ncite: take.end\n"
        "constants: {chips: {value: 15, stand-in: a guess}}\n"
    )
    return folder


# ---------------------------------------------------------------- the whole


def test_version_and_help(run):
    assert run("--version").out == f"rulewright {__version__}\n"
    shown = run("--help")
    assert shown.code == 0
    for command in ("check", "build", "fmt", "games"):
        assert f" {command} " in shown.out
        assert run(command, "--help").code == 0


def test_every_module_of_commands_is_known():
    """A module that is not in the list would never be found."""
    folder = Path(cli.__file__).parent
    commands = {p.stem for p in folder.glob("*.py") if "def register(" in p.read_text()}
    assert commands <= set(cli.MODULES) | {"__init__"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["check", "--help"], ["build", "-h"]])
def test_help_does_not_load_the_compiler(words):
    code = (
        "import sys\nfrom rulewright import cli\n"
        f"try:\n    cli.main({words!r})\n"
        "except SystemExit as stop:\n    assert not stop.code\n"
        f"print('loaded', [m for m in {HEAVY!r} if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded []"


def test_the_installed_script_runs():
    script = Path(sys.executable).with_name("rulewright")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"rulewright {__version__}\n"
    again = [sys.executable, "-m", "rulewright", "--version"]
    assert subprocess.run(again, capture_output=True, text=True, check=True).stdout == done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chek"], "Did you mean 'check'?"),
        (["check", "--fromat", "json"], "No such option"),
        (["check", "--format", "xml"], "xml"),
        (["check", f"{FIRST}x"], f"there is no game '{FIRST}x'; did you mean '{FIRST}'?"),
        (["games", f"{FIRST}x"], f"did you mean '{FIRST}'?"),
        (["fmt", "nowhere.rules"], "there is no game 'nowhere.rules'"),
        (["fmt", __file__], "is not a rules file"),
        (["build"], "or --all"),
        (["build", FIRST, "--all"], "not both"),
        (["build", "--all", "--players", "2"], "just one"),
        (["build", FIRST, "--players", "9"], "is not for 9 players (expected: 2, 3 or 4)"),
        (["build", FIRST, "--players", "two"], "'--players'"),
        (["build", FIRST, "--players", "2", "--variant", "nonsense"], "there is no variant 'nonsense'"),
        (["build", FIRST, "--players", "2", "--option", "nonsense=1"], "unknown option 'nonsense'"),
        (["build", FIRST, "--players", "2", "--option", "nonsense"], "NAME=VALUE"),
        (["build", FIRST, "--dump", "cor"], "did you mean 'core'?"),
        (["build", FIRST, "--dump", "core", "--check"], "--dump only prints"),
    ],
)  # fmt: skip
def test_wrong_use_is_told_with_code_2(run, words, told):
    got = run(*words)
    assert got.code == 2
    assert told in " ".join(got.err.split())
    assert "Traceback" not in got.err and got.out == ""


# ---------------------------------------------------------------- check


def test_check_finds_nothing_in_the_games(run):
    got = run("check")
    assert got.code == 0
    assert got.out.splitlines()[-1] == f"{len(games())} games: no errors, no warnings"
    data = run("check", FIRST, "--format", "json").json()
    assert data["ok"] is True and data["games"][0]["game"] == FIRST


def test_check_shows_a_mistake_with_its_place(run, spec):
    assert run("check", spec).out == "tiny: fine (3 rulesets)\n"
    rules = spec / "play.rules"
    rules.write_text(rules.read_text().replace("min(most, left)", "min(most, lefft)"))
    got = run("check", spec)
    assert got.code == 1
    assert f"{spec}/play.rules:10:34: error RW" in got.out
    assert "did you mean 'left'?" in got.out
    assert got.out.splitlines()[-1] == "tiny: 1 error (3 rulesets)"
    data = run("check", spec, FIRST, "--format", "json")
    assert data.code == 1
    told = data.json()
    assert (told["ok"], told["errors"], told["warnings"]) == (False, 1, 0)
    problem = told["games"][0]["problems"][0]
    assert (problem["line"], problem["severity"]) == (10, "error")


def test_check_reads_what_cannot_be_read(run, tmp_path, spec):
    (spec / "game.yaml").write_bytes(b"game: \xff")
    got = run("check", spec)
    assert got.code == 1 and "not UTF-8" in got.out
    (tmp_path / "empty").mkdir()
    assert run("check", tmp_path / "empty").code == 1


def test_warnings_fail_only_when_asked(run, spec):
    constants = spec / "constants.yaml"
    constants.write_text(constants.read_text() + "  spare: {value: 1, assumed: never read}\n")
    got = run("check", spec)
    assert got.code == 0 and got.out.splitlines()[-1] == "tiny: 1 warning (3 rulesets)"
    assert run("check", spec, "--warnings-as-errors").code == 1
    told = run("check", spec, "--warnings-as-errors", "--format", "json").json()
    assert told["ok"] is False and told["warnings"] == 1


# ---------------------------------------------------------------- build


def test_build_writes_checks_and_renews(run, spec, tmp_path):
    out = tmp_path / "engines"
    got = run("build", spec, "--out", out)
    assert got.code == 0
    folder = out / "tiny"
    expected = {
        "__init__.py",
        *(f"p{n}.{end}" for n in ("2", "3", "3_long") for end in ("py", "json")),
    }
    assert {p.name for p in folder.iterdir()} == expected
    assert got.out.splitlines()[-1] == "7 files, 7 changed"
    assert run("build", spec, "--out", out).out == "7 files, 0 changed\n"
    assert run("build", spec, "--out", out, "--check").code == 0

    engine = folder / "p3.py"
    engine.write_text(engine.read_text() + "# by hand\n")
    (folder / "p2.json").unlink()
    shutil.copy(engine, folder / "p9.py")
    (folder / "notes.txt").write_text("not an engine")
    got = run("build", spec, "--out", out, "--check")
    assert got.code == 1
    assert got.out.splitlines() == [
        f"missing: {folder}/p2.json",
        f"differs: {folder}/p3.py",
        f"superfluous: {folder}/p9.py",
        "3 files are not as the specs say; run 'rulewright build'",
    ]
    assert "# by hand" in engine.read_text()
    assert run("build", spec, "--out", out).code == 0
    assert {p.name for p in folder.iterdir()} == {*expected, "notes.txt"}
    assert run("build", spec, "--out", out, "--check").code == 0


def test_a_changed_rule_makes_the_check_fail(run, spec, tmp_path):
    out = tmp_path / "engines"
    run("build", spec, "--out", out)
    rules = spec / "play.rules"
    before = rules.read_text()
    rules.write_text("# a comment\n" + before)
    got = run("build", spec, "--out", out, "--check")
    # A comment moves lines, which only the side table knows.
    assert [line for line in got.out.splitlines() if ".py" in line] == []
    rules.write_text(before.replace("score n to p", "score n + 1 to p"))
    got = run("build", spec, "--out", out, "--check")
    assert f"differs: {out}/tiny/p2.py" in got.out.splitlines()


def test_build_one_ruleset(run, spec, tmp_path):
    got = run("build", spec, "--players", 3, "--option", "most=3", "--out", tmp_path / "o")
    assert got.code == 0
    (info,) = (tmp_path / "o" / "tiny").glob("p3_*.json")
    assert json.loads(info.read_text())["options"] == {"most": 3}
    lines = info.read_text().splitlines()
    keys = [line.split('"')[1] for line in lines[1:-1]]
    assert keys == sorted(keys) and len(keys) > 10
    got = run("build", spec, "--players", 2, "--variant", "long", "--out", tmp_path / "o")
    assert got.code == 2 and "'long' is not for 2 players (expected: 3)" in got.err
    assert run("build", spec, "--players", 2, "--option", "most=7", "--out", tmp_path).code == 2
    assert "--players" in run("build", spec, "--variant", "long", "--out", tmp_path).err
    assert "--out" in run("build", spec).err
    got = run("build", FIRST, "--players", 2, "--option", "nonsense=1")
    assert got.code == 2


def test_build_refuses_a_wrong_spec_and_a_wrong_place(run, spec, tmp_path):
    (tmp_path / "file").write_text("")
    got = run("build", spec, "--out", tmp_path / "file")
    assert got.code == 2 and str(tmp_path / "file") in got.err
    (spec / "play.rules").write_text("procedure play() @take.end:\n    lefft += 1\n")
    got = run("build", spec, "--out", tmp_path / "o")
    assert got.code == 1 and "RW" in got.err and "play.rules:2:5" in got.err
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("folder", "players 2, 3, not settled"),
        ("overlay", "variants long"),
        ("syntax", "procedure play() @take.end:"),
        ("core", "take"),
        ("blocks", "play"),
        ("python", "def playout("),
    ],
)
def test_every_pass_can_be_shown(run, spec, name, part):
    got = run("build", spec, "--dump", name, "--players", 3, "--variant", "long")
    assert got.code == 0 and part in got.out


def test_native_is_built_or_what_is_missing_is_told(run, spec, tmp_path, monkeypatch):
    texts = []
    monkeypatch.setattr("rulewright.native.check_tools", lambda: None)
    monkeypatch.setattr("rulewright.native.build_native", lambda e: texts.append(e.c_text()))
    got = run("build", spec, "--native", "--out", tmp_path)
    assert got.code == 0
    assert got.out.splitlines()[-3:] == [f"compiled: tiny/{n}" for n in ("p2", "p3", "p3_long")]
    assert len(texts) == 3 and all("rw_decide" in text for text in texts)
    monkeypatch.undo()
    monkeypatch.setenv("CC", "no-such-cc")
    got = run("build", spec, "--native", "--out", tmp_path)
    assert got.code == 1 and "'no-such-cc' is not there" in got.err


def test_many_games_build_a_native_engine_once(run, spec, tmp_path, monkeypatch):
    """Before many games one is built, and a line says so; without a compiler it is played interpreted, and that is said once."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RULEWRIGHT_NATIVE", raising=False)
    monkeypatch.setenv("CC", "no-such-cc")
    few = run("simulate", spec, "-n", 20, "-p", 2)
    assert few.code == 0 and few.err == "engine: interpreted\n"
    many = run("simulate", spec, "-n", 500, "-p", 2)
    assert many.code == 0 and many.err.count("C compiler") == 1
    assert many.err.startswith("building a native engine") and "engine: interpreted" in many.err
    without = run("simulate", spec, "-n", 500, "-p", 2, "--interpreted")
    assert without.code == 0 and without.err == "engine: interpreted\n"
    assert without.out == many.out


# ---------------------------------------------------------------- fmt


def test_fmt_checks_shows_and_writes(run, spec):
    rules = spec / "play.rules"
    run("fmt", spec)
    good = rules.read_text()
    assert run("fmt", spec, "--check").code == 0
    rules.write_text(good.replace("left -= n", "left   -=  n"))
    bad = rules.read_text()
    got = run("fmt", rules, "--check")
    assert got.code == 1 and f"would change: {rules}" in got.out
    got = run("fmt", spec, "--diff")
    assert got.code == 0 and "-        left   -=  n\n+        left -= n\n" in got.out
    assert rules.read_text() == bad
    assert run("fmt", spec, "--diff", "--check").code == 1
    assert run("fmt", spec).out.splitlines() == [f"formatted: {rules}", "1 file, 1 changed"]
    assert rules.read_text() == good


def test_fmt_leaves_a_broken_file_alone(run, spec):
    rules = spec / "play.rules"
    rules.write_text("procedure play(:\n")
    got = run("fmt", spec)
    assert got.code == 1 and f"{rules}:1:" in got.err
    assert rules.read_text() == "procedure play(:\n"


# ---------------------------------------------------------------- games


def test_games_lists_what_there_is(run):
    got = run("games")
    assert got.code == 0 and all(name in got.out for name in games())
    told = run("games", "--format", "json").json()["games"]
    assert [game["game"] for game in told] == games()
    assert "assumptions" not in told[0]


def test_games_tells_of_one(run, spec):
    got = run("games", spec)
    assert got.out.splitlines() == [
        "tiny  Tiny, 2 or 3 players",
        "  Two players take chips.",
        "  variants:",
        "    long  (3 players) More chips.",
        "  options:",
        "    most  (1..3, default 2) The most chips at once.",
    ]
    (data,) = run("games", spec, "--format", "json").json()["games"]
    assert data["players"] == [2, 3] and data["variants"][0]["name"] == "long"


def test_games_lists_assumptions(run, spec):
    lines = run("games", spec, "--assumptions").out.splitlines()
    assert "  assumptions:  1 assumed, 1 stand-in, 1 reading" in lines
    assert lines[-3:] == [
        f"    {spec}/clauses/tiny.yaml:2: reading: clause take.end: READING: the text says nothing.",
        f"    {spec}/constants.yaml:2: assumed: constant chips: nobody counted them",
        f"    {spec}/variants/long.yaml:5: stand-in: constant chips: a guess",
    ]
    (data,) = run("games", spec, "--assumptions", "--format", "json").json()["games"]
    assert [each["kind"] for each in data["assumptions"]] == ["reading", "assumed", "stand-in"]
    # Every mark in a spec of the package is listed.
    for game in games():
        listed = run("games", game, "--assumptions").out
        for file in sorted(SPECS.joinpath(game).rglob("*.rules")):
            marks = [n for n, t in enumerate(file.read_text().splitlines(), 1) if "@assumed(" in t]
            place = file.relative_to(SPECS).as_posix()
            assert all(f"spec/{place}:{n}: assumed:" in listed for n in marks)
