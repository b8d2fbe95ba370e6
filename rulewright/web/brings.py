"""A decision of a person who is there → what its options bring, worked out in a patient process and shown when it is known."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from rulewright.play.several import Marks
from rulewright.runtime.revive import full_fields
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
        self._wholes: set[asyncio.Task[None]] = set()
        self._later: asyncio.TimerHandle | None = None

    def ask(self, seats_here: set[int], seconds: float, known: Callable[[int], None]) -> None:
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
        if self.faces.sight(seat).several is not None:
            # what is marked is looked at as one choice
            self.ask_whole(seat, (), seconds, known)
            return
        self._task = asyncio.create_task(self._find(self.workers, seat, seconds, known))

    def _again(self, seats_here: set[int], seconds: float, known: Callable[[int], None]) -> None:
        self._later = None
        self.ask(seats_here, seconds, known)

    def ask_whole(
        self, seat: int, marks: Marks, seconds: float, known: Callable[[int], None]
    ) -> None:
        """Begin with what is marked in a choice of several, if it is a whole choice and not known yet."""
        several = self.faces.sight(seat).several
        steps = several.actions(marks) if several is not None else None
        if not steps or self.workers is None or self.workers.full:
            return
        if self.faces.whole_brings(seat, marks) is not None:
            return
        task = asyncio.create_task(
            self._find_whole(self.workers, seat, marks, steps, seconds, known)
        )
        self._wholes.add(task)
        task.add_done_callback(self._wholes.discard)

    async def _find(
        self, workers: Workers, seat: int, seconds: float, known: Callable[[int], None]
    ) -> None:
        found = await self._answer(workers, seat, (), seconds)
        if found is not None:
            self.faces.set_brings(seat, found)
            known(seat)

    async def _find_whole(
        self,
        workers: Workers,
        seat: int,
        marks: Marks,
        steps: tuple[int, ...],
        seconds: float,
        known: Callable[[int], None],
    ) -> None:
        found = await self._answer(workers, seat, steps, seconds)
        if found is not None:
            self.faces.set_whole_brings(seat, marks, found)
            known(seat)

    async def _answer(
        self, workers: Workers, seat: int, steps: tuple[int, ...], seconds: float
    ) -> Any:
        """What a worker says; None when the decision has been made in the meantime."""
        version, state = self.course.version, self.course.state.clone()
        # what happened before makes no difference
        state.story = []
        job = Preview(self.rules, self.course.game.info["hash"], full_fields(state), seat, steps)
        try:
            found = await workers.ask(job, seconds, lambda: self.course.version == version)
        except WorkerError:
            return None
        return found if self.course.version == version else None

    async def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
        for task in [*self._wholes, *([self._task] if self._task is not None else [])]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
