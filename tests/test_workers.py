"""Several processes: none outlives its parent, and one that dies ends the run with a word."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulewright.conformance import mutation, outcomes
from rulewright.conformance.suite import load_suite
from rulewright.engines import SPECS
from rulewright.workers import WorkerDied, answers


def _nothing() -> None:
    pass


def _double(n: int) -> int:
    return 2 * n


def _die(n: int) -> int:
    if n == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def test_answers_come() -> None:
    assert sorted(answers(_double, range(9), 2, _nothing, ())) == list(range(0, 18, 2))


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(WorkerDied, match=r"ended by itself .* --jobs 1"):
        list(answers(_die, range(9), 2, _nothing, ()))


def test_scenarios_and_mutants_in_processes_that_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever shares work out goes through the one way that tells it."""
    suite = load_suite(SPECS / "mykerinos", "mykerinos")

    def killed(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    for module in (outcomes, mutation):
        monkeypatch.setattr(module, "_start", killed)
    with pytest.raises(WorkerDied):
        outcomes.run_suite(suite, jobs=2)
    mutants = mutation.all_mutants(suite.spec)[:3]
    with pytest.raises(WorkerDied):
        mutation.run_mutants(suite, mutants, {}, 2, lambda _: None)


PARENT = """
import os, sys, time
from rulewright.workers import answers

def start():
    print(os.getpid(), flush=True)

def work(n):
    # nobody ever wants what comes of this
    time.sleep(600)

list(answers(work, range(4), 2, start, ()))
"""


def test_no_worker_outlives_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    workers = [int(parent.stdout.readline()) for _ in range(2)]
    parent.kill()
    parent.wait()
    for _ in range(300):
        if not any(_lives(pid) for pid in workers):
            return
        time.sleep(0.1)
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    pytest.fail("workers were left behind")


def _lives(pid: int) -> bool:
    try:
        # what has ended but was not asked for its exit code yet does not count
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
