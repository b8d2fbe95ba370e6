"""Commands where things are not as usual: killed, asked to stop at once, with closed or narrow streams, without a home."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from common import sampled

from rulewright.engines import SPECS
from rulewright.simulate.files import Draft, write_text
from rulewright.simulate.table import read_table

COMMAND = [sys.executable, "-m", "rulewright"]
# the games of this size never end within a test
ENDLESS = ["simulate", "mykerinos", "-p", "2", "-n", "1000000", "--bots", "random"]


def start(words: list[str], **how: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)  # fmt: skip


def until(done: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:
        time.sleep(0.02)
    return done()


def children(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def lives(process: int) -> bool:
    """Whether a process runs; one that has ended and was not yet asked after does not."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in ("Z", "X")


@pytest.mark.parametrize("bots", ["random", "mcts:100000"])
def test_workers_end_with_their_parent_and_leave_nothing(tmp_path: Path, bots: str) -> None:
    """Also in the middle of a game that takes very long."""
    words = [*ENDLESS[:-1], bots, "--jobs", "2", "--out", str(tmp_path / "t.csv")]
    parent = start(words)
    assert until(lambda: len(children(parent.pid)) == 2)
    workers = children(parent.pid)
    time.sleep(0.3)
    parent.send_signal(signal.SIGKILL)
    parent.communicate(timeout=60)
    assert until(lambda: not any(map(lives, workers)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_asked_to_end_at_once_there_is_a_table(tmp_path: Path, jobs: str) -> None:
    """The moment at which the program listens is its first; what was played until then is in the table, be it nothing."""
    out = tmp_path / "t.csv"
    process = start([*ENDLESS, "--jobs", jobs, "--out", str(out)])
    assert until(lambda: hears(process.pid))
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted after" in said and "Traceback" not in said
    assert len(list(read_table(out)[1])) < 1_000_000
    assert list(tmp_path.iterdir()) == [out]


def hears(process: int) -> bool:
    """Whether a process has a handler of its own for a request to end."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def test_commands_that_keep_nothing_end_when_they_are_asked() -> None:
    process = start(["play", "mykerinos", "--seats", "mcts:100000,mcts:100000"], stdin=subprocess.DEVNULL)  # fmt: skip
    assert until(lambda: hears(process.pid))
    assert until(lambda: not hears(process.pid))
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM


SOME = (
    ["games"],
    ["check", "mykerinos"],
    ["simulate", "mykerinos", "-p", "2", "-n", "2"],
    ["play", "mykerinos", "--seats", "random,random"],
    ["diff", "mykerinos@2", "mykerinos@3"],
)


CLOSED = [
    (SOME[2], "<&-"),
    (SOME[2], ">&-"),
    (SOME[2], "2>&-"),
    *((w, "<&- >&- 2>&-") for w in SOME),
]


@pytest.mark.parametrize("case", sampled(CLOSED, 2), ids=lambda case: f"{case[0][0]} {case[1]}")
def test_closed_streams_are_no_reason_to_break(case: tuple[list[str], str]) -> None:
    words, closed = case
    line = " ".join([*COMMAND, *words, closed])
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("words", SOME[1:], ids=lambda w: w[0])
def test_a_stream_that_cannot_show_all_signs_shows_what_it_can(words: list[str]) -> None:
    around = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, *words], capture_output=True, env=around, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr and done.stdout


def test_json_stays_whole_in_a_narrow_stream() -> None:
    words = ["simulate", "mykerinos", "-p", "2", "-n", "1", "--format", "json"]
    around = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, *words], capture_output=True, env=around, check=True)
    assert json.loads(done.stdout)["games"] == 1


def test_without_a_home_and_unknown_to_the_system(tmp_path: Path) -> None:
    """A user without a home and an entry; what stands for that is a home that can't be found."""
    folder = shutil.copytree(SPECS / "mykerinos", tmp_path / "mykerinos")
    script = (
        "import pwd, sys\n"
        "def nobody(*_): raise KeyError('getpwuid(): uid not found')\n"
        "pwd.getpwuid = pwd.getpwnam = nobody\n"
        "from rulewright.__main__ import main\n"
        f"sys.argv = ['rulewright', 'simulate', {str(folder)!r}, '-p', '2', '-n', '1']\n"
        "main()\n"
    )
    kept = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME", "RULEWRIGHT_CACHE")}  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=kept, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_parts_of_processes_that_are_gone_are_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for name in (
        f".t.csv.{gone.pid}.part",
        f".t.csv.{os.getpid()}.part",
        ".t.csv.x.part",
        ".u.csv.1.part",
    ):
        (tmp_path / name).write_text("", encoding="utf-8")
    draft = Draft(tmp_path / "t.csv")
    assert not (tmp_path / f".t.csv.{gone.pid}.part").exists()
    assert len(list(tmp_path.iterdir())) == 3  # and the draft has no name
    draft.drop()
    write_text(tmp_path / "t.csv", "x")
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == "x"
