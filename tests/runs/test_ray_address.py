"""A real Ray cluster of two workers, reached by `ray://`: the same rows as one process; engines are fetched, or compiled once on its node."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from run_tools import RACE, Head, small

from rulewright.engines import is_native
from rulewright.runs import parcel
from rulewright.runs.backends import Where, start, where
from rulewright.runs.job import Crew, RunError
from rulewright.runs.on_ray import _reach, ray_module
from rulewright.simulate.one import Row
from rulewright.simulate.plan import make_plan
from rulewright.simulate.table import read_table
from rulewright.stop import Stop

pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Head]:
    """A head with two workers in a world of its own: another cache, and a compiler that writes down when it is called."""
    with Head(tmp_path_factory.mktemp("head") / "node") as made:
        yield made


def test_a_cluster_by_its_address(
    head: Head, alone: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One cluster, several runs: interpreted, with an engine that is fetched, with one that is built there."""
    place = where(head.address, tmp_path / "run", 2)
    assert place == Where("ray", head.address, tmp_path / "run", 2)
    run, _ = start([small()], place, Stop(), unit=5)
    assert [row for sides in run.rounds() for row in sides[0]] == alone
    assert run.replaced == 0
    assert list(read_table(tmp_path / "run" / "games")[1]) == alone
    assert head.compiled() == head.engines() == 0

    monkeypatch.delenv("RULEWRIGHT_NATIVE")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "driver"))
    # machines are alike: engines are called after their compiler, too
    monkeypatch.setenv("CC", head.compiler)
    # workers belong to who is connected: they are looked at over the connection that they played for
    ray = ray_module()
    _reach(ray, head.address)
    try:
        # one of the package goes there as machine code; an own one is compiled there, by one of the two workers
        for game, compiled in (("mykerinos", 0), (RACE, 1)):
            plan = make_plan(game, ["random"], 2, 200, seed=3)
            expected = Crew([plan]).play(range(200))[0]
            parcel._make_native(game, 2, (), {}, {})
            there = head.engines()
            run, crew = start([plan], where(head.address, None, 2), Stop(), unit=10)
            assert is_native(crew.players[0].game)
            assert [row for sides in run.rounds() for row in sides[0]] == expected
            assert head.compiled() == compiled
            assert head.engines() == there + 1
            played = engines_of_workers(ray)
            assert played and all(played), "workers played interpreted"
    finally:
        ray.shutdown()


def engines_of_workers(ray: Any) -> list[bool]:
    """Of the engines that workers have played with last, whether they were machine code."""

    def look(number: int) -> tuple[int, list[bool]]:
        time.sleep(0.1)  # so that both workers get some
        from rulewright.runs.on_ray import _crews

        return os.getpid(), [is_native(p.game) for c in _crews.values() for p in c.players]

    task = ray.remote(look)
    found = dict(ray.get([task.remote(n) for n in range(8)]))
    return [one for each in found.values() for one in each]


def test_the_command_takes_the_address(head: Head, tmp_path: Path) -> None:
    outcomes = []
    for backend in ("local", head.address):
        out = tmp_path / f"{len(outcomes)}.csv"
        words = ["simulate", RACE, "--games", "40", "--seed", "3", "--bots", "greedy,random"]
        done = subprocess.run(
            [sys.executable, "-m", "rulewright", *words, "--backend", backend, "--out", str(out)],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outcomes.append(out.read_text())
    assert outcomes[0] == outcomes[1]


def test_nobody_at_an_address_is_told() -> None:
    run, _ = start([small(10)], Where("ray", "ray://127.0.0.1:9", None, 2), Stop(), unit=5)
    with pytest.raises(
        RunError, match=r"no Ray could be reached or started at ray://127\.0\.0\.1:9: .* token"
    ):
        list(run.rounds())
