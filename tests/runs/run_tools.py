"""What the tests of runs share: small plans, rows to compare them with, and a run in a process of its own that can be killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
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


class Head:
    """A Ray of its own in other processes, with two workers; it has its own cache, as another machine would, and notes each call of the C compiler."""

    def __init__(self, node: Path) -> None:
        self.cache, self.calls = node / "cache", node / "calls"
        # sockets of Ray lie in it, and their names must be short
        self.folder = Path(tempfile.mkdtemp(prefix="rw"))
        node.mkdir()
        self.calls.touch()
        ports = _free(3)
        self.address = f"ray://127.0.0.1:{ports[0]}"
        # here it notes nothing: only there is it told where
        shim = node / "bin" / "gcc"
        shim.parent.mkdir()
        shim.write_text(
            f'#!/bin/sh\n[ -z "$NOTES" ] || echo "$@" >> "$NOTES"\nexec {shutil.which("gcc")} "$@"\n'
        )
        shim.chmod(0o755)
        self.compiler = str(shim)
        words = {
            "port": ports[1], "ray-client-server-port": ports[0], "dashboard-agent-listen-port": ports[2], "num-cpus": 2,
            "temp-dir": self.folder, "include-dashboard": "false", "node-ip-address": "127.0.0.1",
        }  # fmt: skip
        kept = {k: v for k, v in os.environ.items() if not k.startswith("RULEWRIGHT")}
        self.process = subprocess.Popen(
            [str(Path(sys.executable).parent / "ray"), "start", "--head", "--block", "--disable-usage-stats",
             *(f"--{name}={value}" for name, value in words.items())],
            env={**kept, "RULEWRIGHT_CACHE": str(self.cache), "CC": self.compiler, "NOTES": str(self.calls)}, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def __enter__(self) -> Head:
        until(self._answers, self.process)
        return self

    def __exit__(self, *_: object) -> None:
        # its daemons are in a session of their own each, or in this one
        for process in descendants(self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self) -> bool:
        port = int(self.address.rpartition(":")[2])
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", port)) == 0

    def compiled(self) -> int:
        """How often the C compiler was called there."""
        return len(self.calls.read_text().splitlines())

    def engines(self) -> int:
        """Compiled engines in the cache there."""
        return len(list(self.cache.glob("native/*/done")))


def _free(many: int) -> list[int]:
    """Ports that nobody listens at."""
    lines = [socket.create_server(("127.0.0.1", 0)) for _ in range(many)]
    ports = [line.getsockname()[1] for line in lines]
    for line in lines:
        line.close()
    return ports


def descendants(process: int) -> list[int]:
    """A process and all that it has started, and they."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found = [process]
    for one in found:
        found += parents.get(one, [])
    return found
