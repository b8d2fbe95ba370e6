"""A plan → the rows of its games in order, played by one or more processes.

A worker that dies is replaced and its games are played again; nothing changes by that, because every game has a seed
of its own. Interrupted from the keyboard, what has been played is still handed on.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from rulewright.runtime.errors import RulewrightError
from rulewright.simulate.one import Player, Row
from rulewright.simulate.plan import Plan
from rulewright.stop import Stop
from rulewright.workers import begin

_TRIES = 3
_LONGEST_CHUNK = 50
# how many chunks per worker may be under way or waiting for an earlier one
_AHEAD = 8

Watch = Callable[[int], None]


class SimulationError(RulewrightError):
    """A game could not be played to its end."""


class Crowd:
    """Plays the games of a plan. Making one loads the engine and the bots, so that mistakes show before the first game."""

    def __init__(self, plan: Plan, stop: Stop | None = None) -> None:
        self.plan = plan
        self.stop = stop or Stop()
        self.player = Player(plan)
        self.game = self.player.game
        self.bots = self.player.bots
        self.replaced = 0

    @property
    def interrupted(self) -> bool:
        return self.stop.asked

    def rows(
        self, jobs: int = 1, watch: Watch | None = None, numbers: range | None = None
    ) -> Iterator[Row]:
        """The rows in order, of all games or of some; `watch` hears how many games are done."""
        tell = watch or (lambda _: None)
        games = range(self.plan.games) if numbers is None else numbers
        with self.stop:
            if jobs == 1:
                yield from self._alone(games, tell)
            else:
                yield from _Crew(self, games, jobs, tell).rows()

    def _alone(self, games: range, tell: Watch) -> Iterator[Row]:
        for done, number in enumerate(games, start=1):
            if self.interrupted:
                return
            try:
                self.stop.may_raise = True
                row = one(self.player, number)
            except KeyboardInterrupt:
                return
            finally:
                self.stop.may_raise = False
            yield row
            tell(done)


def one(player: Player, number: int) -> Row:
    try:
        return player.play(number)
    except RulewrightError as error:
        seed = player.plan.game_seed(number)
        raise SimulationError(f"game {number} (seed {seed}): {error}") from error


# ---------------------------------------------------------------- several processes


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    chunk: int = -1


def _work(player: Player, pipe: Connection) -> None:
    """A worker: numbers of games in, rows out."""
    begin()
    try:
        while True:
            numbers = pipe.recv()
            try:
                pipe.send([one(player, n) for n in numbers])
            except RulewrightError as error:
                pipe.send(str(error))
    except (EOFError, OSError):
        os._exit(0)


def _work_from_plan(plan: Plan, pipe: Connection) -> None:
    _work(Player(plan), pipe)


class _Crew:
    """The parent of the workers: gives out chunks of games and puts the rows back in order."""

    def __init__(self, crowd: Crowd, games: range, jobs: int, tell: Watch) -> None:
        self.crowd, self.plan, self.tell = crowd, crowd.plan, tell
        # a forked worker has the engine at hand already
        self.forks = "fork" in multiprocessing.get_all_start_methods()
        self.context: Any = multiprocessing.get_context("fork" if self.forks else "spawn")
        size = max(1, min(_LONGEST_CHUNK, len(games) // (jobs * 4)))
        self.chunks = [games[i : i + size] for i in range(0, len(games), size)]
        self.waiting = deque(range(len(self.chunks)))
        self.tries = [0] * len(self.chunks)
        self.ready: dict[int, list[Row]] = {}
        self.next = 0
        self.done = 0
        self.jobs = min(jobs, len(self.chunks))
        self.workers: list[_Worker] = []

    def rows(self) -> Iterator[Row]:
        try:
            for _ in range(self.jobs):
                self.hire()
            while self.next < len(self.chunks) and not self.crowd.interrupted:
                self.listen()
                while self.next in self.ready:
                    yield from self.ready.pop(self.next)
                    self.next += 1
            # after an interruption also what lies behind a gap
            for chunk in sorted(self.ready):
                yield from self.ready.pop(chunk)
        finally:
            self.dismiss()

    def hire(self) -> None:
        ours, theirs = self.context.Pipe()
        target, first = (_work, self.crowd.player) if self.forks else (_work_from_plan, self.plan)
        process = self.context.Process(target=target, args=(first, theirs), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        self.give(worker)

    def give(self, worker: _Worker) -> None:
        """The next chunk to a worker that is free, unless the others lag far behind."""
        worker.chunk = -1
        if self.waiting and self.waiting[0] < self.next + _AHEAD * self.jobs:
            worker.chunk = self.waiting.popleft()
            with suppress(OSError):  # when it has died; listening finds out
                worker.pipe.send(self.chunks[worker.chunk])

    def listen(self) -> None:
        by_pipe: dict[Any, _Worker] = {w.pipe: w for w in self.workers}
        for pipe in wait(list(by_pipe), timeout=0.2):
            worker = by_pipe[pipe]
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                self.replace(worker)
                continue
            if isinstance(answer, str):
                raise SimulationError(answer)
            self.ready[worker.chunk] = answer
            self.done += len(answer)
            self.tell(self.done)
            worker.chunk = -1
        for worker in self.workers:
            if worker.chunk < 0:
                self.give(worker)

    def replace(self, worker: _Worker) -> None:
        worker.pipe.close()
        worker.process.join()
        self.workers.remove(worker)
        if worker.chunk >= 0:
            self.tries[worker.chunk] += 1
            if self.tries[worker.chunk] >= _TRIES:
                numbers = self.chunks[worker.chunk]
                raise SimulationError(
                    f"a worker died {_TRIES} times in the games {numbers[0]} to {numbers[-1]}"
                    f" (exit code {worker.process.exitcode})"
                )
            self.waiting.appendleft(worker.chunk)
        self.crowd.replaced += 1
        self.hire()

    def dismiss(self) -> None:
        for worker in self.workers:
            worker.pipe.close()
            # nothing of it is wanted any more, and a worker that has just begun may not hear a request yet
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()
