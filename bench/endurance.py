"""Very many games in one process → whether they stay as fast, and memory as small, as in the beginning."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from rulewright.bench.environments import surroundings
from rulewright.bench.plan import HERE, Case
from rulewright.bench.worker import load_subject, pin, resident

PARTS = 20


@dataclass(frozen=True, slots=True)
class Endured:
    name: str
    games: int
    # games/s and bytes of memory of each part
    rates: list[float]
    memory: list[int]

    @property
    def early(self) -> float:
        return median(self.rates[: PARTS // 4])

    @property
    def late(self) -> float:
        return median(self.rates[-PARTS // 4 :])

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name, "games": self.games, "games_per_second": self.rates, "memory": self.memory,
        }  # fmt: skip


def endure(case: Case, games: int) -> dict[str, Any]:
    """In the process that is measured: the games in parts, with the clock and the memory after each."""
    pin()
    play = load_subject(str(HERE / f"subject_{case.subject}.py")).prepare(case.args)["play"]
    each = max(1, games // PARTS)
    play(max(1, each // 10), 0)
    rates, memory = [], []
    for part in range(PARTS):
        start = time.process_time()
        play(each, 1 + part * each)
        rates.append(each / (time.process_time() - start))
        memory.append(resident() or 0)
    return {"rates": rates, "memory": memory, "games": each * PARTS}


def measure(cases: list[Case], games: int, tell: Callable[[str], None]) -> list[Endured]:
    out = []
    for case in cases:
        name = f"{case.group} {case.name}"
        tell(f"{games:,} games: {name}")
        order = json.dumps({"subject": case.subject, "args": case.args, "games": games})
        done = subprocess.run(
            [sys.executable, "-m", "rulewright.bench.endurance", order],
            env=surroundings(), capture_output=True, text=True, check=True,
        )  # fmt: skip
        found = json.loads(done.stdout.splitlines()[-1])
        out.append(Endured(name, found["games"], found["rates"], found["memory"]))
    return out


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    print(json.dumps(endure(Case("", "", asked["subject"], asked["args"]), asked["games"])))
