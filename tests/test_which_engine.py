"""Which spec and which engine a command means: folders and games of one name, native engines, and errors that stand alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulewright import cli
from rulewright.compiler.emit.engine import Engine
from rulewright.engines import SPECS, is_native, load, module_of
from rulewright.native import module_name
from rulewright.runtime.hashes import files_hash, hash_of, text_hash

RACE = Path(__file__).parent / "games" / "race"
Run = Callable[..., Any]


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line in an empty folder, with an empty cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rulewright.engines._noticed", set())

    def call(*words: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.main([str(word) for word in words])
        got = capsys.readouterr()
        return Ran(int(stopped.value.code or 0), got.out, got.err)

    return call


# ---------------------------------------------------------------- native engines


def test_a_native_engine_of_ones_own_spec_is_found(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `build --native` compiles is what `load` looks for, though one text is formatted and the other is not."""
    made: dict[str, str] = {}

    def compiled(engine: Engine, level: str = "2") -> None:
        made[module_name(engine.info)] = engine.text

    def found(info: Mapping[str, Any], level: str = "2") -> ModuleType | None:
        if module_name(info) not in made:
            return None
        module = module_of(made[module_name(info)], "x")
        module.COMPILED = True  # type: ignore[attr-defined]
        return module

    monkeypatch.delenv("RULEWRIGHT_NATIVE", raising=False)
    monkeypatch.setattr("rulewright.native.check_tools", lambda: None)
    monkeypatch.setattr("rulewright.native.build_native", compiled)
    monkeypatch.setattr("rulewright.native.find_native", found)
    shutil.copytree(RACE, tmp_path / "race")
    assert run("build", "race", "--out", "made", "--native").code == 0
    assert len(made) == 4  # three player counts and a variant
    (tmp_path / "cache" / "native").mkdir(parents=True)
    # built now, and from the cache
    for _ in range(2):
        assert is_native(load("race", 3))
        assert is_native(load("race", 2, ["short"]))
    assert not is_native(load("race", 3, ["short"]))
    got = run("simulate", "race", "-n", 1, "-p", 3)
    assert (got.code, got.err) == (0, "engine: native\n")
    got = run("compare", "race", "race+short", "-n", 1, "-p", 3, "--bots", "random")
    assert (got.code, got.err) == (0, "engine: native and interpreted\n")
    got = run("play", "race", "-p", 3, "--seats", "random")
    assert got.code == 0 and got.err == "engine: interpreted, native for the bots\n"
    # another rule is another engine
    rules = tmp_path / "race" / "race.rules"
    rules.write_text(rules.read_text().replace("1 .. 6", "1 .. 5"))
    assert not is_native(load("race", 3))


def test_every_command_that_plays_says_which_engine(run: Run, tmp_path: Path) -> None:
    for words in (
        ["simulate", RACE, "-n", 1, "-p", 2, "--out", "t.csv"],
        ["compare", RACE, RACE, "-n", 1, "-p", 2, "--bots", "random"],
        ["play", RACE, "-p", 2, "--seats", "random"],
        ["replay", "t.csv", "--game", 0],
    ):
        got = run(*words)
        assert got.code == 0 and got.err.splitlines() == ["engine: interpreted"], words
        assert "engine:" not in got.out


def test_hashes(tmp_path: Path) -> None:
    assert hash_of(["ab", "c"]) != hash_of(["a", "bc"]) != hash_of(["abc"])
    assert text_hash("x") == hash_of(["x"])
    # a folder that lies in one called scenarios is a spec like others
    one, other = tmp_path / "race", tmp_path / "scenarios" / "race"
    for folder in (one, other):
        shutil.copytree(RACE, folder)
    first = files_hash(one)
    assert files_hash(other) == first
    (one / "view.yaml").write_text("parts: []\n")
    assert files_hash(one) == first
    (other / "race.rules").write_text("")
    assert files_hash(other) != first


# ---------------------------------------------------------------- errors stand alone


@pytest.mark.parametrize("words", [["play"], ["simulate", "-n", "1"], ["test"], ["coverage", "--rules"], ["build", "--out", "x"], ["diff", "ys"]])  # fmt: skip
def test_an_error_stands_alone(words: list[str], run: Run, tmp_path: Path) -> None:
    shutil.copytree(SPECS / "ys", tmp_path / "mine")
    rules = tmp_path / "mine" / "turn.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("turn_number", "turn_nummer", 1), encoding="utf-8")
    command, *more = words
    got = run(command, *(["ys", "mine"] if command == "diff" else ["mine", *more]))
    assert got.code == 1
    assert "error RW" in got.err + got.out and "warning" not in got.err + got.out
    last = (got.err or got.out).rstrip().splitlines()[-1]
    assert last.endswith(("error", "errors")), last


def test_check_tells_errors_last(run: Run, tmp_path: Path) -> None:
    shutil.copytree(RACE, tmp_path / "mine")
    # by place the error would come first
    with (tmp_path / "mine" / "race.rules").open("a") as file:
        file.write("\ninvariant fine: true\n")
    with (tmp_path / "mine" / "track.yaml").open("a") as file:
        file.write("  spare: {value: 1, cite: race.length}\n")
    told = [line for line in run("check", "mine").out.splitlines() if ": error RW" in line or ": warning RW" in line]  # fmt: skip
    kinds = ["error" if ": error RW" in line else "warning" for line in told]
    assert {"error", "warning"} == set(kinds) and kinds == sorted(kinds, reverse=True)


# ---------------------------------------------------------------- one name for a folder and for a game


def test_a_folder_in_sight_is_meant(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    got = run("new", "copy", "ys", "--of", "ys")
    assert got.code == 2 and "my-ys" in got.err and not (tmp_path / "ys").exists()
    assert run("new", "game", "ys").code == 2
    assert run("new", "copy", "ys", "--of", "ys", "--in", "elsewhere").code == 0
    assert (tmp_path / "elsewhere" / "ys" / "game.yaml").is_file()
    # whoever makes such a folder by hand means it, in every command
    shutil.copytree(RACE, tmp_path / "ys")
    note = f"note: ys is the folder {tmp_path / 'ys'} here, not the game of the package\n"
    for words, part in (
        (["check", "ys"], "race: fine"),
        (["games", "ys"], "Dice Race"),
        (["simulate", "ys", "-n", 1, "-p", 2], "Dice Race"),
        (["play", "ys", "-p", 2, "--seats", "random"], "Dice Race"),
        (["compare", "ys", "ys+short", "-n", 1, "-p", 2, "--bots", "random"], "pairs of games"),
        (["diff", "ys", "ys+short"], "Special"),
        (["build", "ys", "-p", 2, "--dump", "folder"], "Dice Race"),
    ):
        monkeypatch.setattr("rulewright.engines._noticed", set())
        got = run(*words)
        assert part in got.out, (words, got.out, got.err)
        assert got.err.count(note) == 1, (words, got.err)


def test_the_packages_own_folder_is_the_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SPECS.resolve())
    got = run("check", "ys")
    assert got.code == 0 and got.err == ""


def test_rows_in_a_file_of_values_belong_to_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed cell gives another engine, also where one was kept; and a run on other machines takes the file along."""
    from rulewright.replay import spec_hash
    from rulewright.runs.job import Crew, make_job
    from rulewright.runs.parcel import pack
    from rulewright.simulate.plan import make_plan

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    mine = shutil.copytree(RACE.parent / "sketches" / "boards", tmp_path / "boards")
    before = load(str(mine), 2).info["hash"], spec_hash(mine)
    plan = make_plan(str(mine), ["random"], 2, 2)
    assert "spice.csv" in pack(make_job([plan], Crew([plan]), 1), [False]).specs[0]
    cells = mine / "spice.csv"
    cells.write_text(cells.read_text().replace("pepper, 4", "pepper, 5"))
    after = load(str(mine), 2).info["hash"], spec_hash(mine)
    assert before[0] != after[0]
    assert before[1] != after[1]
