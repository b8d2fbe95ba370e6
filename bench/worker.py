"""One measurement, in a process of its own: a subject and how long → speed, time of a copy, memory of a state, as JSON.

A script for any Python 3.11 or newer, also in environments without rulewright; so it uses the standard library only. A subject is
a file with a function `prepare(args)` that gives a dictionary:
    play      (count, seed) -> (decisions, steps): play so many games at random; steps counts outcomes of chance too
    clone     () -> a copy of a position in the middle of a game (or None)
    options   how many options there are at a decision, on average
    version   of what is measured
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable
from itertools import repeat
from typing import Any

_BATCH = 0.03  # seconds between two looks at the clock
_CLONING = 0.15
_MOST_STATES = 20_000
_MOST_GAMES = 1_000_000  # in one batch


def load_subject(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("subject", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pin() -> None:
    """Stay on one core, the last one there is."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def speed(play: Callable[[int, int], tuple[int, int]], seconds: float) -> dict[str, Any]:
    """Games one after another for so many seconds of CPU time, after a short warming up."""
    count = 1
    while True:
        start = time.process_time()
        play(count, 0)
        took = time.process_time() - start
        if took >= _BATCH or count > _MOST_GAMES:
            break
        count = count * 2 if took < _BATCH / 4 else max(count + 1, int(count * _BATCH / took))
    games = decisions = steps = 0
    start = time.process_time()
    while True:
        more, moved = play(count, 1 + games)
        games, decisions, steps = games + count, decisions + more, steps + moved
        took = time.process_time() - start
        if took >= seconds:
            return {"games": games, "decisions": decisions, "steps": steps, "seconds": took}


def clone_time(clone: Callable[[], Any]) -> float:
    """Seconds of CPU time for one copy."""
    count = 1
    while True:
        start = time.process_time()
        for _ in repeat(None, count):
            clone()
        took = time.process_time() - start
        if took >= _CLONING:
            return took / count
        count = count * 4 if took < _CLONING / 8 else int(count * 1.3 * _CLONING / took) + 1


def resident() -> int | None:
    """The memory of this process in bytes, where the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def state_memory(clone: Callable[[], Any], each: float) -> int | None:
    """By how much the process grows for each copy that is kept."""
    count = max(50, min(_MOST_STATES, int(1.0 / each)))
    kept: list[Any] = [None] * count
    before = resident()
    for i in range(count):
        kept[i] = clone()
    after = resident()
    return None if before is None or after is None else (after - before) // count


def measure(order: dict[str, Any]) -> dict[str, Any]:
    pin()
    start = time.process_time()
    subject = load_subject(order["subject"]).prepare(order["args"])
    found: dict[str, Any] = {"load": time.process_time() - start}
    found.update(speed(subject["play"], order["seconds"]))
    clone = subject.get("clone")
    if clone is not None:
        found["clone"] = clone_time(clone)
        found["memory"] = state_memory(clone, found["clone"])
    found.update({key: subject.get(key) for key in ("options", "version")})
    return found


if __name__ == "__main__":
    print(json.dumps(measure(json.loads(sys.argv[1]))))
