"""Claims: one owner for each unit, and a next one when the owner is gone; with a clock that is told."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest

from rulewright.runs.claims import MOST_TRIES, Claims, TooOften, began, host


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def foreign(folder: Path, unit: int, generation: int = 0, **owner: Any) -> Path:
    path = folder / f"{unit:09d}.{generation}"
    path.write_text(json.dumps({"host": "far away", "process": 1, "began": "", **owner}))
    return path


def test_a_unit_has_one_owner_until_it_is_done(tmp_path: Path) -> None:
    a, b = Claims(tmp_path), Claims(tmp_path)
    assert a.take(3, a.active()) is not None
    assert b.active() == {3: 0}
    assert b.take(3, b.active()) is None
    # also for one who has not looked since
    assert b.take(3, {}) is None
    a.release(3)
    assert b.active() == {}


def test_silence_of_another_machine_is_measured_by_the_own_clock(tmp_path: Path) -> None:
    clock = Clock()
    claims = Claims(tmp_path, clock, patience=60)
    path = foreign(tmp_path, 0)
    for now in (0, 59):
        clock.now = now
        assert claims.take(0, claims.active()) is None
    # it beats, by a clock that is an hour off
    os.utime(path, (1, 1))
    for now in (61, 120):
        clock.now = now
        assert claims.take(0, claims.active()) is None
    clock.now = 121
    taken = claims.take(0, claims.active())
    assert taken is not None and taken.name == "000000000.1"
    # and a third one sees the new owner
    assert Claims(tmp_path, clock).take(0, {0: 0}) is None


def test_a_process_of_this_machine_that_is_gone_is_followed_at_once(tmp_path: Path) -> None:
    claims = Claims(tmp_path)
    gone = multiprocessing.get_context("spawn").Process(target=int)
    gone.start()
    gone.join()
    foreign(tmp_path, 0, host=host(), process=gone.pid)
    assert claims.take(0, claims.active()) is not None
    # a number that was given to another process since
    foreign(tmp_path, 1, host=host(), process=os.getpid(), began="7")
    assert claims.take(1, claims.active()) is not None
    foreign(tmp_path, 2, host=host(), process=os.getpid(), began=began(os.getpid()))
    assert claims.take(2, claims.active()) is None


def test_a_claim_that_says_nothing_is_waited_for(tmp_path: Path) -> None:
    """Its owner was killed between making the file and writing into it."""
    clock = Clock()
    claims = Claims(tmp_path, clock)
    for unit, text in enumerate((b"", b"{", b"[]", b"\xff")):
        (tmp_path / f"{unit:09d}.0").write_bytes(text)
        clock.now = 0
        assert claims.take(unit, claims.active()) is None
        clock.now = 1000
        assert claims.take(unit, claims.active()) is not None


def test_a_unit_that_kills_everybody_is_given_up(tmp_path: Path) -> None:
    clock = Clock()
    claims = Claims(tmp_path, clock)
    for generation in range(MOST_TRIES):
        foreign(tmp_path, 0, generation)
    claims.take(0, claims.active())
    clock.now = 1000
    with pytest.raises(TooOften):
        claims.take(0, claims.active())
    claims.release(0)
    assert claims.active() == {}


def grab(folder: Path, units: int, pipe: Any) -> None:
    claims = Claims(folder)
    pipe.recv()
    pipe.send([u for u in range(units) if claims.take(u, {}) is not None])


def test_many_processes_never_take_the_same(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    pipes = []
    for _ in range(6):
        ours, theirs = context.Pipe()
        context.Process(target=grab, args=(tmp_path, 300, theirs), daemon=True).start()
        pipes.append(ours)
    for pipe in pipes:
        pipe.send("now")
    taken = [unit for pipe in pipes for unit in pipe.recv()]
    assert sorted(taken) == list(range(300))
