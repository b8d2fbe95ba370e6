"""Jobs → answers, by worker processes: a few of them, each ended and replaced when it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from rulewright.runtime.errors import RulewrightError
from rulewright.web.bots_worker import Answer, Begun, work

# processes that share nothing with the server: a fork would take its sockets along
_SPAWN = get_context("spawn")
# until a process has started and loaded an engine: on a busy machine that takes longer than a decision may
_START_SECONDS = 120.0


class WorkerError(RulewrightError):
    """A job came to nothing; the message says why."""


class TooLong(WorkerError):
    """A job took more time than it was given."""


class _Worker:
    """One process and the pipe to it. It is started with its first job."""

    def __init__(self, target: Callable[[Connection], None]) -> None:
        self.target = target
        self.process: Any = None
        # a worker may be told to end while it is being started
        self._lock = threading.Lock()
        self._closed = False
        self.pipe: Connection

    def ask(self, job: Any, seconds: float) -> Answer:
        """Waits for the answer; called in a thread."""
        with self._lock:
            if self._closed:
                raise WorkerError("the server is closing")
            if self.process is None or not self.process.is_alive():
                self._start()
        try:
            self.pipe.send(job)
            answer = self._heard(max(seconds, _START_SECONDS))
            if isinstance(answer, Begun):
                answer = self._heard(seconds)
        except (EOFError, OSError) as error:
            self.end()
            raise WorkerError("a worker process ended by itself") from error
        assert isinstance(answer, Answer)
        return answer

    def _heard(self, seconds: float) -> Answer | Begun:
        """What the process says next."""
        if not self.pipe.poll(seconds):
            self.end()
            raise TooLong(f"no answer in {seconds:g} seconds")
        found: Answer | Begun = self.pipe.recv()
        return found

    def _start(self) -> None:
        self.pipe, other = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=self.target, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def end(self, for_good: bool = False) -> None:
        with self._lock:
            self._closed = self._closed or for_good
            if self.process is not None:
                with contextlib.suppress(OSError):
                    self.pipe.close()
                self.process.kill()
                self.process.join()
                self.process = None


class Workers:
    """So many jobs at once, the others wait their turn; too many that wait are refused."""

    def __init__(
        self, count: int, most_waiting: int, target: Callable[[Connection], None] = work
    ) -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._workers = [_Worker(target) for _ in range(count)]
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._waiting, self._most = 0, most_waiting

    @property
    def full(self) -> bool:
        """Whether another job would be refused."""
        return self._waiting >= self._most

    async def ask(self, job: Any, seconds: float, wanted: Callable[[], bool] | None = None) -> Any:
        """The value of an answer; jobs are those that the target knows. The time counts from when a worker is free; an answer that is
        not `wanted` any more then is None."""
        if self.full:
            raise WorkerError("too many jobs are waiting")
        self._waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self._waiting -= 1
        if wanted is not None and not wanted():
            self._free.put_nowait(worker)
            return None
        # the worker is free again when it has answered, even if nobody waits for the answer any more
        under_way = asyncio.ensure_future(self._with(worker, job, seconds))
        # what goes wrong when nobody waits any more needs no mention
        under_way.add_done_callback(lambda done: done.cancelled() or done.exception())
        answer = await asyncio.shield(under_way)
        if answer.problem:
            raise WorkerError(answer.problem)
        return answer.value

    async def _with(self, worker: _Worker, job: Any, seconds: float) -> Answer:
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, worker.ask, job, seconds)
        finally:
            self._free.put_nowait(worker)

    def close(self) -> None:
        for worker in self._workers:
            worker.end(for_good=True)
        self._threads.shutdown(wait=False)
