"""A job → its units played by the workers of a Ray cluster, each engine loaded once in a worker and compiled once on a node.

The driver gives out units in order, a few more than there are processors, and puts their rows back in order. A unit whose worker or node is lost is
given out again. Rows travel back to the driver, which writes the parts of the data set: nodes need no common folder.
"""

from __future__ import annotations

import logging
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rulewright.engines import is_native
from rulewright.runs.job import Crew, Job, RunError
from rulewright.runs.parcel import Parcel, pack, unpack
from rulewright.runs.store import Store
from rulewright.runtime.errors import RulewrightError
from rulewright.simulate.one import Row
from rulewright.simulate.run import Watch
from rulewright.stop import Stop

if TYPE_CHECKING:
    from rulewright.runs.backends import Where

_TRIES = 6
# units under way for each processor, so that none waits for the driver; and how far they may be ahead of the first that is missing
_AHEAD, _FARTHEST = 2, 64
_WAIT = 0.5
# A Ray gives a node up that is silent for five times ten seconds. On one machine nobody else could take over: one that is overloaded, or was asleep,
# would lose all of its Ray. A process that is gone is found by its closed connection, however long the silence may be.
_SILENCE = 180_000
# a cluster: the port where there is none in its address, seconds for somebody to listen there, and how often a connection is tried
_PORT, _PATIENCE, _CONNECTS = 10001, 20.0, 3
_TOKEN = "; many clusters ask for a token, which Ray reads from RAY_AUTH_TOKEN or the file that RAY_AUTH_TOKEN_PATH names"


def ray_module() -> Any:
    """The optional package behind clusters."""
    try:
        return import_module("ray")
    except ImportError:
        raise RunError(
            "the backend ray needs the package ray: pip install 'rulewright[ray]'"
        ) from None


class RayRun:
    """Plays a job on a cluster. `started` is how long it took until the first unit could be given out, in seconds."""

    def __init__(self, job: Job, crew: Crew, store: Store | None, place: Where, stop: Stop) -> None:
        self.job, self.crew, self.store, self.place, self.stop = job, crew, store, place, stop
        self.replaced = 0
        self.started = 0.0
        self.ray = ray_module()

    def rounds(self, watch: Watch | None = None) -> Iterator[list[list[Row]]]:
        """The rows of each unit, plan by plan; who stops listening ends what is under way."""
        begun = time.monotonic()
        mine = self._connect()
        try:
            driver = _Driver(self, watch)
            self.started = time.monotonic() - begun
            yield from driver.rounds()
        finally:
            if mine:
                self.ray.shutdown()

    def _connect(self) -> bool:
        """Whether the connection is this run's own, to be ended with it."""
        ray = self.ray
        if ray.is_initialized():
            return False
        before = signal.getsignal(signal.SIGTERM)
        address = self.place.address
        try:
            if address is None:
                start_local(ray, self.place.jobs)
            else:
                _reach(ray, address)
        except Exception as error:  # Ray raises whatever it has met
            raise RunError(
                f"no Ray could be reached or started at {address or 'this machine'}: {error}{_TOKEN if address else ''}"
            ) from None
        finally:
            # Ray would end the program at once; here a request to end keeps what was played
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, before)
        return True


def start_local(ray: Any, jobs: int) -> None:
    """A Ray on this machine. It gives itself half a minute for its own processes to come up, which a busy machine may need more than once."""
    for more in reversed(range(_CONNECTS)):
        try:
            ray.init(
                address="local", num_cpus=jobs, include_dashboard=False, log_to_driver=False, configure_logging=False,
                _system_config={"health_check_timeout_ms": _SILENCE},
            )  # fmt: skip
            return
        except Exception:  # a start that took too long has no type of its own
            ray.shutdown()
            if not more:
                raise


def _reach(ray: Any, address: str) -> None:
    """Connect to a cluster. Its head starts a server for each who comes, which Ray waits for half a minute: too short on a busy machine."""
    at = urlsplit(address)
    # where nobody listens, that is known at once
    socket.create_connection((at.hostname or "", at.port or _PORT), _PATIENCE).close()
    # it would tell people which arguments go where
    logging.getLogger("ray.client_builder").setLevel(logging.WARNING)
    for more in reversed(range(_CONNECTS)):
        try:
            ray.init(address, log_to_driver=False)
            return
        except ConnectionError:
            if not more:
                raise


class _Driver:
    def __init__(self, run: RayRun, watch: Watch | None) -> None:
        self.run, self.ray, self.job, self.store = run, run.ray, run.job, run.store
        self.tell = watch or (lambda _: None)
        games = [player.game for player in run.crew.players]
        parcel = pack(self.job, [is_native(game) for game in games])
        self.parcel = self.ray.put(parcel)
        # what a node has lost is given out again here and not by Ray, so that it is counted and told
        self.play = self.ray.remote(num_cpus=1, max_retries=0)(_play)
        done = [] if self.store is None else [u for u in range(self.job.units) if self.store.has(u)]
        self.there = set(done)
        self.waiting = deque(u for u in range(self.job.units) if u not in self.there)
        self.tries = [0] * self.job.units
        self.under_way: dict[Any, int] = {}
        self.ready: dict[int, list[list[Row]]] = {}
        self.next = 0

    def rounds(self) -> Iterator[list[list[Row]]]:
        while self.next < self.job.units and not self.run.stop.asked:
            rows = self._kept() if self.next in self.there else self.ready.pop(self.next, None)
            if rows is not None:
                self.next += 1
                yield rows
                continue
            self._give()
            self._listen()
        if self.next == self.job.units and self.store is not None:
            self.store.tidy()

    def _kept(self) -> list[list[Row]] | None:
        """What an earlier run has written; damaged, it is played again."""
        assert self.store is not None
        self.there.discard(self.next)
        rows = self.store.read(self.next)
        if rows is None:
            self.waiting.appendleft(self.next)
        return rows

    def _give(self) -> None:
        processors = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        most = _AHEAD * processors
        while self.waiting and len(self.under_way) < most:
            if self.waiting[0] > self.next + _FARTHEST + most:
                break
            unit = self.waiting.popleft()
            numbers = self.job.numbers(unit)
            self.under_way[self.play.remote(self.parcel, numbers.start, numbers.stop)] = unit

    def _listen(self) -> None:
        lost = (
            self.ray.exceptions.WorkerCrashedError, self.ray.exceptions.NodeDiedError,
            self.ray.exceptions.ObjectLostError, self.ray.exceptions.LocalRayletDiedError,
            self.ray.exceptions.OutOfMemoryError,
        )  # fmt: skip
        ready, _ = self.ray.wait(list(self.under_way), num_returns=1, timeout=_WAIT)
        # what else is there by now comes with it
        ready += self.ray.wait(
            [ref for ref in self.under_way if ref not in ready] or ready,
            num_returns=max(1, len(self.under_way) - len(ready)), timeout=0,
        )[0]  # fmt: skip
        for ref in dict.fromkeys(ready):
            unit = self.under_way.pop(ref)
            try:
                answer = self.ray.get(ref)
            except lost as error:
                self._again(unit, error)
                continue
            except self.ray.exceptions.RayTaskError as error:
                raise RunError(f"a worker failed: {error}") from None
            if isinstance(answer, str):
                raise RunError(answer)
            if self.store is not None:
                self.store.write(unit, self.run.crew, answer)
            self.ready[unit] = answer
            self.tell(sum(map(len, (self.job.numbers(u) for u in self.ready))) + self._before())

    def _before(self) -> int:
        return min(self.next * self.job.unit, self.job.games)

    def _again(self, unit: int, error: Exception) -> None:
        self.run.replaced += 1
        self.tries[unit] += 1
        if self.tries[unit] >= _TRIES:
            numbers = self.job.numbers(unit)
            raise RunError(
                f"a worker died {_TRIES} times in the games {numbers[0]} to {numbers[-1]}: {type(error).__name__}"
            )
        self.waiting.appendleft(unit)


# ---------------------------------------------------------------- in a worker

_crews: dict[str, Crew] = {}


def _play(parcel: Parcel, first: int, after: int) -> list[list[Row]] | str:
    """A unit of a job; what is wrong with a game or a node is told as text."""
    try:
        crew = _crews.get(parcel.name)
        if crew is None:
            job = unpack(parcel)
            crew = Crew(job.plans)
            crew.check(job)
            _crews.clear()
            _crews[parcel.name] = crew
        return crew.play(range(first, after))
    except RulewrightError as error:
        return str(error)
