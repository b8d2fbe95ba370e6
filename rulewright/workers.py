"""Work for several processes → its answers, as they come; none outlives its parent, and one that dies is an error and no wait for ever."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Any, TypeVar

from rulewright.runtime.errors import RulewrightError

Work = TypeVar("Work")
Answer = TypeVar("Answer")


class WorkerDied(RulewrightError):
    """A process ended before its work was done."""


def begin() -> None:
    """For a worker, before its first work: the keyboard is the parent's business, and without a parent nobody wants the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """However the parent was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _begin(start: Callable[..., None], args: tuple[Any, ...]) -> None:
    begin()
    start(*args)


def answers(
    work: Callable[[Work], Answer],
    todo: Iterable[Work],
    jobs: int,
    start: Callable[..., None],
    args: tuple[Any, ...],
) -> Iterator[Answer]:
    """What `work` makes of each, in the order in which it is done, by `jobs` processes; each calls `start(*args)` first."""
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(start, args)) as pool:
        futures: list[Future[Answer]] = []
        try:
            # a worker may be dead before all of its work was handed over
            for one in todo:
                futures.append(pool.submit(work, one))
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool as error:
            raise WorkerDied(
                "a worker process ended by itself (killed, or out of memory); what was not done yet is lost."
                " With --jobs 1 it is done here"
            ) from error
        finally:
            for future in futures:
                future.cancel()
