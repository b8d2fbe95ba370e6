"""A decision of a person who is there → what its options bring, worked out in a patient process and shown when it is known."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from rulewright.web.bots_pool import WorkerError, Workers
from rulewright.web.bots_worker import Preview, Rules
from rulewright.web.course import PERSON, Course
from rulewright.web.face import Faces

# seconds until it is asked again whether the processes have room
_WHEN_FULL = 1.0


class Brings:
    """Of one table. A decision that has been made in the meantime is not looked at any more; without an answer options stand alone."""

    def __init__(self, rules: Rules, course: Course, faces: Faces, workers: Workers | None) -> None:
        self.rules, self.course, self.faces, self.workers = rules, course, faces, workers
        self._asked = -1
        self._task: asyncio.Task[None] | None = None
        self._later: asyncio.TimerHandle | None = None

    def ask(self, seats_here: set[int], seconds: float, known: Callable[[], None]) -> None:
        """Begin with the decision that stands, if somebody who makes it is there; `known` is called when it is done."""
        course = self.course
        if self.workers is None or course.over or course.version == self._asked:
            return
        seat = course.decides
        if seat not in seats_here or course.seats[seat] != PERSON:
            return
        if self.workers.full:
            # nobody is made to wait for what is only nice to know; it is asked for again when there may be room
            if self._later is None:
                loop = asyncio.get_running_loop()
                self._later = loop.call_later(_WHEN_FULL, self._again, seats_here, seconds, known)
            return
        self._asked = course.version
        self._task = asyncio.create_task(self._find(self.workers, seat, seconds, known))

    def _again(self, seats_here: set[int], seconds: float, known: Callable[[], None]) -> None:
        self._later = None
        self.ask(seats_here, seconds, known)

    async def _find(
        self, workers: Workers, seat: int, seconds: float, known: Callable[[], None]
    ) -> None:
        version = self.course.version
        job = Preview(self.rules, self.course.state.to_dict(), seat)
        try:
            found = await workers.ask(job, seconds, lambda: self.course.version == version)
        except WorkerError:
            return
        if found is not None and self.course.version == version:
            self.faces.set_brings(seat, found)
            known()

    async def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
