"""A real local Ray of two workers: the same rows as one process, also when a worker is killed or the driver is; engines compiled once."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from run_tools import RACE, begin, kill_all, small, until

from rulewright import native
from rulewright.engines import is_native
from rulewright.runs import parcel
from rulewright.runs.backends import Where, start
from rulewright.runs.job import Crew, RunError, make_job
from rulewright.runs.on_ray import ray_module, start_local
from rulewright.runs.store import Store
from rulewright.simulate.one import Row
from rulewright.simulate.plan import make_plan
from rulewright.simulate.table import read_table
from rulewright.stop import Stop

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def cluster() -> Any:
    """Ray, as `--backend ray` starts it."""
    ray = ray_module()
    start_local(ray, 2)
    yield ray
    ray.shutdown()


def on_ray(games: int = 60, folder: Path | None = None, unit: int = 5) -> tuple[list[Row], int]:
    run, _ = start([small(games)], Where("ray", None, folder, 2), Stop(), unit=unit)
    rows = [row for sides in run.rounds() for row in sides[0]]
    return rows, run.replaced


def test_the_same_rows_and_parts(cluster: Any, alone: list[Row], tmp_path: Path) -> None:
    heard: list[int] = []
    run, _ = start([small()], Where("ray", None, tmp_path / "run", 2), Stop(), unit=5)
    rows = [row for sides in run.rounds(heard.append) for row in sides[0]]
    assert (rows, run.replaced) == (alone, 0)
    assert heard and max(heard) == 60
    assert list(read_table(tmp_path / "run" / "games")[1]) == alone
    # what is there is not played again
    parts = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "run" / "games").iterdir()}
    assert on_ray(folder=tmp_path / "run") == (alone, 0)
    assert parts == {p.name: p.stat().st_mtime_ns for p in (tmp_path / "run" / "games").iterdir()}


def test_a_killed_worker_loses_nothing(cluster: Any, tmp_path: Path) -> None:
    """One of the two workers is killed in the middle, by the system and without a word."""
    from rulewright.simulate.run import Crowd

    games = 1200
    expected = list(Crowd(small(games)).rows())
    run, _ = start([small(games)], Where("ray", None, None, 2), Stop(), unit=40)
    rows: list[Row] = []
    killed = 0
    for number, sides in enumerate(run.rounds()):
        rows += sides[0]
        if number == 2:
            killed = until(playing)
            os.kill(killed, signal.SIGKILL)
    assert rows == expected
    assert killed and run.replaced >= 1


def playing() -> int:
    """A process of this Ray that plays right now."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                title = (entry / "cmdline").read_bytes()
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if title.startswith(b"ray::_play") and ours(int(parent)):
                return int(entry.name)
    return 0


def ours(process: int) -> bool:
    """Whether a process descends from this one."""
    while process > 1:
        if process == os.getpid():
            return True
        try:
            text = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return False
        process = int(text.rpartition(")")[2].split()[1])
    return False


def test_a_unit_that_kills_its_workers_is_given_up(cluster: Any, monkeypatch: Any) -> None:
    from rulewright.runs import on_ray as module

    # made here, it goes to the workers as it is
    def deadly(parcel: Any, first: int, after: int) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(module, "_play", deadly)
    # one unit: others would die in turns with it
    with pytest.raises(RunError, match="died 6 times"):
        on_ray(5)


def test_other_rules_on_a_node_are_refused(cluster: Any) -> None:
    plan = small(10)
    crew = Crew([plan])
    job = make_job([plan], crew, 5)
    wrong = type(job)(job.plans, job.unit, ("0" * 24,), job.bots)
    from rulewright.runs.on_ray import RayRun

    with pytest.raises(RunError, match="other rules"):
        list(RayRun(wrong, crew, None, Where("ray", None, None, 2), Stop()).rounds())


def test_a_killed_driver_goes_on(alone: list[Row], tmp_path: Path) -> None:
    """The driver is killed with its Ray; the same command, without Ray, goes on with what is there."""
    folder = tmp_path / "run"
    process = begin(folder, games=1500, kind="ray")
    until(lambda: len(list(folder.glob("games/*.parquet"))) >= 2, process)
    kill_all(process)
    there = len(list(folder.glob("games/*.parquet")))
    assert 2 <= there < 300
    run, _ = start([small(1500)], Where("folder", None, folder, 2), Stop())
    rows = [row for sides in run.rounds() for row in sides[0]]
    assert rows[:60] == alone
    assert len(rows) == 1500 == sum(1 for _ in read_table(folder / "games")[1])
    assert not list(Store.open(folder).claims.iterdir())


@pytest.mark.parametrize(("game", "fetches"), [("mykerinos", True), (RACE, False)])
def test_a_native_engine_is_fetched_or_built_once_on_a_node(
    game: str, fetches: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another cache stands for another machine: it gets the compiled engine, or compiles it, and plays the same."""
    monkeypatch.delenv("RULEWRIGHT_NATIVE")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "driver"))
    plan = make_plan(game, ["random"], 2, 20, seed=3)
    expected = Crew([plan]).play(range(20))
    parcel._make_native(game, 2, (), {}, {})
    crew = Crew([plan])
    assert is_native(crew.players[0].game)
    packed = parcel.pack(make_job([plan], crew, 5), [True])
    assert bool(packed.compiled) == fetches

    built: list[str] = []
    real = native._build

    def counted(name: str, source: str, level: str) -> None:
        built.append(name)
        real(name, source, level)

    monkeypatch.setattr(native, "_build", counted)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "node"))
    for _ in range(2):
        job = parcel.unpack(packed)
    assert len(built) == (0 if fetches else 1)
    there = Crew(job.plans)
    there.check(packed.job)
    assert is_native(there.players[0].game)
    assert there.play(range(20)) == expected
