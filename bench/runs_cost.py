"""A long run, in turns on each backend → what a backend costs beside the games themselves, start-up told apart.

python -m rulewright.bench.runs_cost --seconds 300 --out cost.json

All backends take turns with slices of the same games, so that a slow minute of the machine meets all alike. Each lives in a process of its own,
and its clock is the time of the processor of that process and of all that descend from it, workers and daemons of Ray included; so what a Ray costs
that has nothing to do is nobody's but its own. The time on the wall is noted beside it. A Ray that is lost is started anew, its slice is played again,
and that is counted.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rulewright.runs.backends import Where, start
from rulewright.runs.on_ray import ray_module, start_local
from rulewright.simulate.plan import Plan, make_plan
from rulewright.simulate.run import Crowd
from rulewright.stop import Stop
from rulewright.workers import begin

_TICKS = os.sysconf("SC_CLK_TCK")
# of a unit, as runs have it
_UNIT = 2.0


def processor() -> float:
    """Seconds of the processor, of this process, those that descend from it, and those of them that have ended."""
    stats: dict[int, tuple[int, float]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parts = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(entry.name)] = (int(parts[1]), sum(map(int, parts[11:15])) / _TICKS)
    mine = {os.getpid()}
    while True:
        more = {p for p, (parent, _) in stats.items() if parent in mine} - mine
        if not more:
            return sum(stats[p][1] for p in mine)
        mine |= more


def play(plan: Plan, kind: str, jobs: int, unit: int) -> dict[str, float]:
    """One slice: games, seconds of the processor, seconds on the wall. Ray is up already."""
    stop = Stop()
    wall, before, games = time.monotonic(), processor(), 0
    with tempfile.TemporaryDirectory() as name:
        if kind == "local":
            rows: Iterator[Any] = Crowd(plan, stop).rows(jobs)
            games = sum(1 for _ in rows)
        else:
            folder = Path(name) / "run" if kind == "folder" else None
            # given, as measuring a few games for each slice would be counted with it
            run, _ = start([plan], Where(kind, None, folder, jobs), stop, unit=unit)
            for sides in run.rounds():
                games += len(sides[0])
        # workers of the folder are ended, and counted by then
        return {
            "games": games, "processor": processor() - before, "wall": time.monotonic() - wall,
        }  # fmt: skip


def _serve(kind: str, first: Plan, jobs: int, unit: int, pipe: Connection) -> None:
    """A side: says what its start-up took, then plans in, figures out."""
    begin()
    wall, before = time.monotonic(), processor()
    if kind == "ray":
        start_local(ray_module(), jobs)
    # a game or two on each worker, so that they and the engine are there
    play(first, kind, jobs, 1)
    pipe.send({"processor": processor() - before, "wall": time.monotonic() - wall})
    while True:
        pipe.send(play(pipe.recv(), kind, jobs, unit))


class Side:
    """One backend, in a process of its own."""

    def __init__(self, kind: str, first: Plan, jobs: int, unit: int) -> None:
        self.kind, self.lost = kind, 0
        self.args = (kind, first, jobs, unit)
        self.begin()

    def begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(*self.args, theirs))
        process.start()
        theirs.close()
        self.process = process
        self.startup: dict[str, float] = self.pipe.recv()

    def play(self, plan: Plan) -> dict[str, float]:
        while True:
            try:
                self.pipe.send(plan)
                figures: dict[str, float] = self.pipe.recv()
                return figures
            except (EOFError, OSError):
                self.process.join()
                self.lost += 1
                print(f"{self.kind} was lost ({self.lost}) and is started anew", flush=True)
                self.begin()

    def end(self) -> None:
        self.process.terminate()
        self.process.join()


def measure(sides: Sequence[Side], asked: argparse.Namespace, size: int) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The figures so far, after each slice, until all of what was asked for is spent on each side."""
    slices: list[dict[str, Any]] = []
    bots = asked.bots.split(",")
    while True:
        if asked.by_hand:
            input()
        plan = make_plan(asked.game, bots, len(bots), size, seed=100 + len(slices))
        slices.append({side.kind: side.play(plan) for side in sides})
        sums = {s.kind: {what: sum(one[s.kind][what] for one in slices) for what in ("games", "processor", "wall")} for s in sides}  # fmt: skip
        base = sums[sides[0].kind]["processor"]
        yield {
            "jobs": asked.jobs, "slice": size, "startup": {s.kind: s.startup for s in sides}, "lost": {s.kind: s.lost for s in sides},
            "sums": sums, "ratios": {k: round(v["processor"] / base, 4) for k, v in sums.items()}, "slices": slices,
        }  # fmt: skip
        if min(v["processor"] for v in sums.values()) >= asked.seconds:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="of the processor, for each side")  # fmt: skip
    parser.add_argument("--slice", type=float, default=75.0, help="seconds of the processor for one slice, as far as a few games tell")  # fmt: skip
    parser.add_argument("--by-hand", action="store_true", help="wait for a line before each turn of slices: for a machine that is quiet at times")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--game", default="yspahan")
    parser.add_argument("--bots", default="greedy,random,random,random")
    parser.add_argument("--backends", default="local,ray,folder")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    bots = asked.bots.split(",")
    begun = time.process_time()
    games = sum(1 for _ in Crowd(make_plan(asked.game, bots, len(bots), 10, seed=1)).rows())
    speed = games / (time.process_time() - begun)
    size, unit = max(10, round(speed * asked.slice)), max(1, round(speed * _UNIT))
    first = make_plan(asked.game, bots, len(bots), 2 * asked.jobs, seed=2)
    sides = [Side(kind, first, asked.jobs, unit) for kind in asked.backends.split(",")]
    print("start-up:", {side.kind: side.startup for side in sides}, flush=True)
    try:
        for result in measure(sides, asked, size):
            spent = {k: round(v["processor"]) for k, v in result["sums"].items()}
            print(f"seconds of the processor {spent}, ratios {result['ratios']}", flush=True)
            if asked.out is not None:
                asked.out.write_text(json.dumps(result, indent=1), encoding="utf-8")
    finally:
        for side in sides:
            side.end()


if __name__ == "__main__":
    main()
