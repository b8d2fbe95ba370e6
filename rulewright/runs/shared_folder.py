"""A run in a folder → its units played by the processes of this machine, beside those of any other that sees the folder.

Nobody hands out work: each process takes the first unit that nobody has (claims.py), plays it and puts its part in place (store.py). Any of them
may be killed at any moment, the one that waits for the result too; who begins the same run again goes on with it.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from rulewright.runs.claims import MOST_TRIES, Beat, Claims, TooOften
from rulewright.runs.job import Crew, RunError
from rulewright.runs.store import Store
from rulewright.runtime.errors import RulewrightError
from rulewright.simulate.one import Row
from rulewright.simulate.run import Watch
from rulewright.stop import Stop
from rulewright.workers import begin

_SHORTEST_WAIT, _LONGEST_WAIT = 0.02, 0.5
# so many deaths of workers without a new unit are no accident any more
_MOST_DEATHS = 24


def work(store: Store, crew: Crew, claims: Claims | None = None) -> int:
    """Play units until all are done, enough, or one has failed; how many were played here."""
    job = store.job
    claims = claims or Claims(store.claims)
    beat = Beat()
    first, played, waited = 0, 0, _SHORTEST_WAIT
    try:
        while True:
            while first < job.units and store.has(first):
                first += 1
            if first == job.units or store.enough.exists() or store.failed.exists():
                return played
            unit = _take(store, claims, beat, first)
            if unit is None:
                # all that is left is being played by others; one of them may be lost
                time.sleep(waited)
                waited = min(_LONGEST_WAIT, 2 * waited)
                continue
            waited = _SHORTEST_WAIT
            try:
                store.write(unit, crew, crew.play(job.numbers(unit)))
            except RulewrightError as error:
                store.fail(str(error))
                return played
            beat.path = None
            claims.release(unit)
            played += 1
    finally:
        beat.stop()


def _take(store: Store, claims: Claims, beat: Beat, first: int) -> int | None:
    """The first unit that nobody plays, now claimed by this process."""
    active = claims.active()
    for unit in range(first, store.job.units):
        if store.has(unit):
            continue
        try:
            path = claims.take(unit, active)
        except TooOften:
            numbers = store.job.numbers(unit)
            store.fail(
                f"the games {numbers[0]} to {numbers[-1]} were begun {MOST_TRIES} times and never done; whoever plays them dies"
            )
            return None
        if path is None:
            continue
        if store.has(unit):  # done since it was looked at
            claims.release(unit)
            continue
        beat.path = path
        return unit
    return None


class FolderRun:
    """Waits for the units of a run in order, with workers of its own beside whoever else works on it."""

    def __init__(self, store: Store, crew: Crew, jobs: int, stop: Stop) -> None:
        self.store, self.crew, self.jobs, self.stop = store, crew, jobs, stop
        self.replaced = 0
        self._deaths = 0
        self._workers: list[Any] = []
        forks = "fork" in multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self._first = (store, crew) if forks else (store, None)

    def rounds(self, watch: Watch | None = None) -> Iterator[list[list[Row]]]:
        """The rows of each unit, plan by plan; `watch` hears how many games are done. Who stops listening stops the workers."""
        store, job = self.store, self.store.job
        tell: Callable[[int], None] = watch or (lambda _: None)
        store.go_on()
        unit, waited = 0, _SHORTEST_WAIT
        ended = False
        try:
            while unit < job.units and not self.stop.asked:
                rows = store.read(unit) if store.has(unit) else None
                if rows is not None:
                    tell(job.numbers(unit)[-1] + 1)
                    yield rows
                    unit, waited, self._deaths = unit + 1, _SHORTEST_WAIT, 0
                    continue
                told = store.failure()
                if told is not None:
                    raise RunError(told)
                self._supervise()
                time.sleep(waited)
                waited = min(_LONGEST_WAIT, 1.5 * waited)
            ended = unit == job.units
        except GeneratorExit:
            store.stop_here()
            raise
        finally:
            self._dismiss()
            if ended:
                store.tidy()

    def _supervise(self) -> None:
        """As many workers as asked for; one that has died is replaced."""
        for process in [p for p in self._workers if not p.is_alive()]:
            self._workers.remove(process)
            process.join()
            if process.exitcode:
                self.replaced += 1
                self._deaths += 1
                if self._deaths > _MOST_DEATHS:
                    raise RunError(
                        f"workers die again and again (the last one with exit code {process.exitcode})"
                    )
        while len(self._workers) < self.jobs:
            process = self._context.Process(target=_worker, args=self._first, daemon=True)
            process.start()
            self._workers.append(process)

    def _dismiss(self) -> None:
        for process in self._workers:
            process.kill()
        for process in self._workers:
            process.join()
        self._workers = []


def _worker(store: Store, crew: Crew | None) -> None:
    """A process that works on a run and ends with its parent; the keyboard is the parent's business."""
    begin()
    work(store, crew or Crew(store.job.plans))
    os._exit(0)


def help_with(store: Store, jobs: int, stop: Stop, watch: Watch | None = None) -> int:
    """Work on a run that another process has begun, until it is done; how many units were there at the end."""
    crew = Crew(store.job.plans)
    crew.check(store.job)
    run = FolderRun(store, crew, jobs, stop)
    unit = 0
    try:
        while not stop.asked and not store.enough.exists():
            while unit < store.job.units and store.has(unit):
                unit += 1
            if watch is not None:
                watch(min(unit * store.job.unit, store.job.games))
            told = store.failure()
            if told is not None:
                raise RunError(told)
            if unit == store.job.units:
                break
            run._supervise()
            time.sleep(_LONGEST_WAIT)
    finally:
        run._dismiss()
    return unit
