"""What the tests of runs share: small plans, rows to compare them with, and a run in a process of its own that can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.simulate.plan import Plan, make_plan

RACE = str(Path(__file__).parents[1] / "games" / "race")

# a run in a process of its own; told slow, each game takes a little while
_SCRIPT = """
import sys, time
from pathlib import Path
from rulewright.runs.backends import Where, start
from rulewright.simulate.one import Player
from rulewright.simulate.plan import make_plan
from rulewright.stop import Stop

game, games, folder, jobs, slow, kind = sys.argv[1:]
play = Player.play
def slowly(self, number):
    time.sleep(float(slow))
    return play(self, number)
Player.play = slowly
plan = make_plan(game, ["greedy", "random"], 2, int(games), seed=3)
stop = Stop()
with stop:
    run, _ = start([plan], Where(kind, None, Path(folder), int(jobs)), stop, unit=5)
    rows = [row for sides in run.rounds() for row in sides[0]]
print(len(rows), run.replaced)
"""


def small(games: int = 60) -> Plan:
    return make_plan(RACE, ["greedy", "random"], 2, games, seed=3)


def begin(folder: Path, games: int = 60, jobs: int = 2, slow: float = 0.0, kind: str = "folder") -> subprocess.Popen[str]:  # fmt: skip
    words = [sys.executable, "-c", _SCRIPT, RACE, games, folder, jobs, slow, kind]
    return subprocess.Popen(
        [str(w) for w in words], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def until(what: Callable[[], Any], process: subprocess.Popen[str] | None = None) -> Any:
    """Wait for something to become true; a process that ends before that is an error."""
    for _ in range(3000):
        found = what()
        if found:
            return found
        assert process is None or process.poll() is None, "it ended too early"
        time.sleep(0.02)
    raise AssertionError("it never came")


def kill_all(process: subprocess.Popen[str]) -> None:
    """Kill a process and all that it has started, at once and without a word."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
