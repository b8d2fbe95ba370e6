"""Runs in a folder: the same rows as one process gives, in every value and type, whoever is killed and whatever was left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest
from run_tools import RACE, begin, kill_all, small, until

from rulewright import cli
from rulewright.runs.backends import Where, start
from rulewright.runs.job import Crew, RunError, make_job, read_job
from rulewright.runs.shared_folder import work
from rulewright.runs.store import Store
from rulewright.simulate.files import FileError
from rulewright.simulate.one import Row
from rulewright.simulate.run import Crowd
from rulewright.simulate.table import TableWriter, read_table
from rulewright.stop import Stop


def rows_of(folder: Path) -> list[Row]:
    return list(read_table(folder / "games")[1])


def finish(folder: Path, games: int = 60, jobs: int = 2, kind: str = "folder") -> list[Row]:
    run, _ = start([small(games)], Where(kind, None, folder, jobs), Stop(), unit=5)
    return [row for sides in run.rounds() for row in sides[0]]


def test_parts_have_the_values_and_types_of_one_file(tmp_path: Path, alone: list[Row]) -> None:
    assert finish(tmp_path / "run") == alone
    parts = sorted((tmp_path / "run" / "games").iterdir())
    assert len(parts) == 12
    crowd = Crowd(small())
    writer = TableWriter(tmp_path / "one.parquet", Crew([crowd.plan]).metas[0])
    for row in crowd.rows():
        writer.add(row)
    writer.finish()
    one = pyarrow.parquet.read_table(tmp_path / "one.parquet")
    many = pyarrow.parquet.read_table(tmp_path / "run" / "games").sort_by("game")
    assert many.schema.equals(one.schema)
    assert many.equals(one)
    # nothing but the result is left
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == ["claims", "drafts", "games", "run.json"]  # fmt: skip
    assert not list((tmp_path / "run" / "claims").iterdir())


def test_a_run_goes_on_after_everybody_was_killed(tmp_path: Path, alone: list[Row]) -> None:
    folder = tmp_path / "run"
    for wanted in (2, 5):
        process = begin(folder, slow=0.02)
        until(lambda n=wanted: len(list(folder.glob("games/*.parquet"))) >= n, process)  # type: ignore[misc]
        kill_all(process)
    # somebody was killed while writing, and somebody else left half a part under its own name
    (folder / "drafts" / "gone-1-x.parquet").write_bytes(b"PAR1")
    there = {p.name: p.stat().st_mtime_ns for p in folder.glob("games/*.parquet")}
    assert 5 <= len(there) < 12
    assert finish(folder) == alone
    # what was done is not done again
    assert there.items() <= {p.name: p.stat().st_mtime_ns for p in folder.glob("games/*")}.items()
    assert not list((folder / "drafts").iterdir())


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path, alone: list[Row]) -> None:
    folder = tmp_path / "run"
    process = begin(folder, slow=0.02)

    def claimed() -> int:
        for claim in folder.glob("claims/*.0"):
            text = claim.read_text(encoding="utf-8")
            return int(json.loads(text)["process"]) if text else 0
        return 0

    os.kill(until(claimed, process), signal.SIGKILL)
    out, _ = process.communicate(timeout=120)
    assert out.split() == ["60", "1"]
    assert rows_of(folder) == alone


def test_when_the_one_who_waits_is_killed_its_workers_end(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = begin(folder, slow=0.02)
    until(lambda: list(folder.glob("games/*.parquet")), process)
    process.kill()
    process.wait()

    def gone() -> bool:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    until(gone)


def test_two_commands_share_one_run(tmp_path: Path, alone: list[Row]) -> None:
    folder = tmp_path / "run"
    first = begin(folder, slow=0.02, jobs=1)
    until(lambda: (folder / "run.json").exists(), first)
    helper = subprocess.run(
        [sys.executable, "-m", "rulewright", "work", str(folder)],
        stdout=subprocess.PIPE, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (helper.returncode, "60 of 60 games" in helper.stdout) == (0, True)
    out, _ = first.communicate(timeout=120)
    assert out.split() == ["60", "0"]
    assert rows_of(folder) == alone


def test_more_games_go_on_where_fewer_ended(tmp_path: Path, alone: list[Row]) -> None:
    folder = tmp_path / "run"
    assert finish(folder, 33) == alone[:33]
    assert finish(folder, 60) == alone
    assert rows_of(folder) == alone
    with pytest.raises(RunError, match="as many or more"):
        finish(folder, 20)


def test_damaged_and_short_parts_are_played_again(tmp_path: Path, alone: list[Row]) -> None:
    folder = tmp_path / "run"
    finish(folder)
    parts = sorted((folder / "games").iterdir())
    parts[1].write_bytes(parts[1].read_bytes()[:100])
    parts[3].unlink()
    parts[5].write_bytes(parts[6].read_bytes())
    assert finish(folder) == alone
    assert rows_of(folder) == alone


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    finish(folder, 5)
    other = small(5)
    for changed, told in (({"seed": 4}, "seed"), ({"bots": ("random", "random")}, "bots")):
        plan = type(other)(**{**{k: getattr(other, k) for k in other.__slots__}, **changed})
        with pytest.raises(RunError, match=told):
            start([plan], Where("folder", None, folder, 1), Stop())
    with pytest.raises(FileError, match="holds no run"):
        Store.open(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("at", "value", "told"),
    [
        (("unit",), 0, "outside"),
        (("unit",), "5", "not a whole number"),
        (("format",), 99, "99"),
        (("plans",), [], "must be 1"),
        (("plans", 0, "bots"), ["random"], "1 bots for 2 seats"),
        (("plans", 0, "block"), 7, "7"),
        (("plans", 0, "games"), 10**12, "outside"),
        (("plans", 0, "players"), 1000, "outside"),
        (("plans", 0, "hashes"), [], "must be 2"),
        (("plans", 0, "surprise"), 1, "nothing called"),
    ],
)
def test_what_a_run_says_of_itself_is_checked(
    at: tuple[str | int, ...], value: object, told: str
) -> None:
    plan = small(5)
    data = make_job([plan], Crew([plan]), 5).to_json()
    assert read_job(json.dumps(data).encode(), "run.json").to_json() == data
    inner = data
    for key in at[:-1]:
        inner = inner[key]  # type: ignore[index]
    inner[at[-1]] = value  # type: ignore[index]
    with pytest.raises(RunError, match=told):
        read_job(json.dumps(data).encode(), "run.json")
    with pytest.raises(RunError, match="not JSON"):
        read_job(b"\xff{", "run.json")


def test_other_rules_and_bots_are_refused(tmp_path: Path) -> None:
    plan = small(5)
    crew = Crew([plan])
    data = make_job([plan], crew, 5).to_json()
    for key, value in (("ruleset", "0" * 24), ("hashes", ["x", "y"])):
        changed = json.loads(json.dumps(data))
        changed["plans"][0][key] = value
        with pytest.raises(RunError, match=r"other rules|another one"):
            crew.check(read_job(json.dumps(changed).encode(), "run.json"))


class Stubborn:
    """Wants what there is not."""

    def choose(self, view: object, seed: int) -> int:
        return -1


def test_a_game_that_fails_stops_all_and_is_told(tmp_path: Path) -> None:
    plan = small(10)
    crew = Crew([plan])
    store = Store.begin(tmp_path / "run", make_job([plan], crew, 5))
    crew.players[0].bots = [Stubborn(), Stubborn()]
    assert work(store, crew) == 0
    assert "game 0" in str(store.failure())
    # another worker does not even begin
    assert work(store, Crew([plan])) == 0


def test_units_are_as_long_as_they_should_be() -> None:
    plan = small(1000)
    job = make_job([plan], Crew([plan]))
    assert job.unit > 20
    covered = [n for u in range(job.units) for n in job.numbers(u)]
    assert covered == list(range(1000))


def test_who_has_heard_enough_ends_the_games(tmp_path: Path, alone: list[Row]) -> None:
    folder = tmp_path / "run"
    run, crew = start([small()], Where("folder", None, folder, 1), Stop(), unit=2)
    rounds = run.rounds()
    assert next(rounds)[0] == alone[:2]
    rounds.close()  # type: ignore[attr-defined]
    there = len(list(folder.glob("games/*")))
    assert there < 30
    # somebody who still works on it hears of it
    assert work(Store.open(folder), crew) == 0
    assert finish(folder) == alone


# ---------------------------------------------------------------- the commands


def called(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    with pytest.raises(SystemExit) as stopped:
        cli.main([str(w) for w in words])
    got = capsys.readouterr()
    assert stopped.value.code == 0, got.err
    return got.out


def test_commands_say_the_same_with_and_without_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, words in enumerate((
        ("simulate", RACE, "-n", 20, "--bots", "greedy,random", "--format", "json"),
        ("compare", "greedy", "random", "--game", RACE, "--against", "random", "-n", 10, "-p", 2, "--format", "json"),
        ("ladder", RACE, "-p", 2, "--bots", "greedy,random", "-n", 1000, "--until", "greedy > random", "--margin", 0.4, "--format", "json"),
    )):  # fmt: skip
        here = called(capsys, *words)
        folder = tmp_path / str(number)
        assert called(capsys, *words, "--backend", "folder", "--run", folder, "--jobs", 2) == here
        # and once more, from what is there
        assert called(capsys, *words, "--run", folder) == here
    page = called(capsys, "report", tmp_path / "0" / "games")
    assert "20 games" in page
