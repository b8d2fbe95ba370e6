"""How long it takes to begin: importing, the help, loading an engine, each against Python doing nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.bench.environments import PEERS, environment, is_ready, surroundings
from rulewright.bench.figures import Figure, figure

_LOAD = "import rulewright; rulewright.load({game!r}, {players}, native={native})"


@dataclass(frozen=True, slots=True)
class Start:
    name: str
    seconds: Figure
    # how many times the start of Python itself
    ratio: float


def starts(game: str, players: int, native: bool) -> dict[str, list[str]]:
    """What is started, by the words for it."""
    python = sys.executable
    out = {
        "python -c pass": [python, "-c", "pass"],
        "import rulewright": [python, "-c", "import rulewright"],
        "rulewright --help": [python, "-m", "rulewright", "--help"],
        f"load {game} {players}": [
            python, "-c", _LOAD.format(game=game, players=players, native=False),
        ],
    }  # fmt: skip
    if native:
        load = _LOAD.format(game=game, players=players, native=True)
        out[f"load {game} {players} native"] = [python, "-c", load]
    modules = {"open_spiel": "pyspiel"}
    for peer in PEERS:
        if is_ready(peer):
            module = modules.get(peer, peer)
            out[f"import {module}"] = [str(environment(peer)), "-c", f"import {module}"]
    return out


def cpu_time(command: Sequence[str]) -> float:
    """The CPU time of a process from its start to its end."""
    with subprocess.Popen(
        command, env=surroundings(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def measure(
    commands: dict[str, list[str]], rounds: int, tell: Callable[[str], None]
) -> list[Start]:
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds):
        tell(f"start-up, round {turn + 1} of {rounds}")
        for name, command in commands.items():
            times[name].append(cpu_time(command))
    found = {name: figure(values) for name, values in times.items()}
    base = found[next(iter(commands))].value
    return [Start(name, seconds, seconds.value / base) for name, seconds in found.items()]
