"""A long run, in turns on each backend → what a backend costs beside the games themselves, start-up told apart.

python -m rulewright.bench.runs_cost --seconds 300 --out cost.json

All backends take turns with slices of the same games, so that a slow minute of the machine meets all alike. The clock is the time of the
processor of this process and of all that descend from it, workers and daemons of Ray included; the time on the wall is noted beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.runs.backends import Where, start
from rulewright.runs.on_ray import ray_module, start_local
from rulewright.simulate.plan import Plan, make_plan
from rulewright.simulate.run import Crowd
from rulewright.stop import Stop

_TICKS = os.sysconf("SC_CLK_TCK")
# of one slice, in seconds of the processor as far as a few games tell
_SLICE = 30.0


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


def play(plan: Plan, kind: str, jobs: int) -> tuple[int, float, float]:
    """One slice: games, seconds of the processor, seconds on the wall. Ray is up already."""
    stop = Stop()
    wall, before, games = time.monotonic(), processor(), 0
    if kind == "local":
        rows: Iterator[Any] = Crowd(plan, stop).rows(jobs)
        games = sum(1 for _ in rows)
        return games, processor() - before, time.monotonic() - wall
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run" if kind == "folder" else None
        # the units that a run of this length has; measuring a few games for each slice would be counted with it
        size = max(1, round(2 * plan.games / _SLICE))
        run, _ = start([plan], Where(kind, None, folder, jobs), stop, unit=size)
        for sides in run.rounds():
            games += len(sides[0])
        # workers of the folder are ended, and counted by then
        return games, processor() - before, time.monotonic() - wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--game", default="yspahan")
    parser.add_argument("--bots", default="greedy,random,random,random")
    parser.add_argument("--backends", default="local,ray,folder")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    bots = asked.bots.split(",")
    probe = make_plan(asked.game, bots, len(bots), 3, seed=1)
    begun = time.process_time()
    games = sum(1 for _ in Crowd(probe).rows())
    size = max(10, round(games * _SLICE / (time.process_time() - begun)))
    kinds = asked.backends.split(",")
    result: dict[str, Any] = {"jobs": asked.jobs, "slice": size, "startup": {}, "slices": []}
    if "ray" in kinds:
        wall, before = time.monotonic(), processor()
        start_local(ray_module(), asked.jobs)
        # one game on each worker, so that they and the engine are there
        play(make_plan(asked.game, bots, len(bots), 2 * asked.jobs, seed=2), "ray", asked.jobs)
        result["startup"] = {"wall": time.monotonic() - wall, "processor": processor() - before}
        print("start-up of Ray:", result["startup"], flush=True)
    spent = 0.0
    while spent < asked.seconds:
        plan = make_plan(asked.game, bots, len(bots), size, seed=100 + len(result["slices"]))
        one: dict[str, Any] = {}
        for kind in kinds:
            done, cpu, wall = play(plan, kind, asked.jobs)
            one[kind] = {"games": done, "processor": cpu, "wall": wall}
        spent += one[kinds[0]]["processor"]
        result["slices"].append(one)
        sums = {k: sum(s[k]["processor"] for s in result["slices"]) for k in kinds}
        ratios = {k: round(sums[k] / sums[kinds[0]], 4) for k in kinds}
        print(f"{spent:.0f} s of {kinds[0]}; by processor {ratios}", flush=True)
        if asked.out is not None:
            asked.out.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
