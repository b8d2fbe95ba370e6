"""Many games of a compiled engine on one thread and on several, in turns → how many times as much several do.

python -m rulewright.bench.threads --threads 2 --rounds 200

The clock is the wall's, since that is what threads are for, so other work on the machine counts as well; therefore every turn is short
(some hundredths of a second), there are many, and their medians are compared. What the machine gives stands beside it: as many processes
as threads, each with the work of one thread on its own.
"""

from __future__ import annotations

import argparse
import os
import time
from array import array
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from rulewright.engines import load, make_native

_GAMES = 1024
# steps of a batch in one turn
_STEPS = 30

Work = Callable[[int], object]


def playouts(game: Any) -> Work:
    """Whole games at random inside the engine."""
    batch = game.module.Batch(_GAMES)
    seeds, x = (array("Q", range(first, first + _GAMES)) for first in (1, 7919))

    def work(threads: int) -> None:
        batch.begin(seeds, threads)
        batch.playouts(x[:], threads)

    return work


def steps(game: Any) -> Work:
    """Steps with observations and masks, as who trains takes them."""
    vectors: dict[int, Any] = {}
    dice = np.random.default_rng(1)

    def work(threads: int) -> None:
        if threads not in vectors:
            vectors[threads] = game.vector(_GAMES, 1, threads=threads)
        games = vectors[threads]
        for _ in range(_STEPS):
            games.step(games.random_actions(dice))

    return work


def on_the_wall(work: Work, threads: int) -> float:
    """The second turn of two: threads that slept are awake."""
    work(threads)
    start = time.perf_counter()
    work(threads)
    return time.perf_counter() - start


def apart(work: Work, processes: int) -> float:
    """So many processes, each with the work of one thread; how long one of them took."""
    ends = []
    for _ in range(processes):
        get, put = os.pipe()
        if not os.fork():
            try:
                os.write(put, repr(on_the_wall(work, 1)).encode())
            finally:
                os._exit(0)
        os.close(put)
        ends.append(get)
    times = [float(os.read(end, 100)) for end in ends]
    for end in ends:
        os.close(end)
        os.wait()
    return max(times)


def measure(work: Work, threads: int, rounds: int) -> tuple[float, float, float]:
    """How many times as much threads do as one, and processes; the seconds of one."""
    alone, shared = [], []
    for _ in range(rounds):
        alone.append(on_the_wall(work, 1))
        shared.append(on_the_wall(work, threads))
    # copies of a process share its memory until it is written to, which would slow the threads down: rounds of their own
    single, copies = [], []
    for _ in range(rounds):
        single.append(on_the_wall(work, 1))
        copies.append(apart(work, threads))
    one = median(alone)
    return one / median(shared), threads * median(single) / median(copies), one


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m rulewright.bench.threads")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--games", default="yspahan,mykerinos,ys")
    given = parser.parse_args()
    print(
        f"{given.threads} threads on {os.cpu_count()} cores against one; medians of {given.rounds} rounds"
    )
    for name in given.games.split(","):
        make_native(name, 4)
        game = load(name, 4, native=True)
        for what, work in (("playouts", playouts(game)), ("steps", steps(game))):
            threads, processes, one = measure(work, given.threads, given.rounds)
            line = f"{name:10} {what:9} threads {threads:.2f}  processes {processes:.2f}"
            print(f"{line}  {1000 * one:.1f} ms alone", flush=True)


if __name__ == "__main__":
    main()
