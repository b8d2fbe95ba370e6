"""One connection: what it may do, what it has been sent, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from rulewright.web.now import Parts
from rulewright.web.tokens import Pass

Json = dict[str, Any]
# answers that a client does not fetch; it is cut off then, and begins anew when it comes back
_MOST_WAITING = 64


class Client:
    """Whoever changes the game only says here that something changed; what to send is worked out when the line is free.

    So a slow or vanished client holds up nobody, and nobody's moves heap up for it.
    """

    def __init__(self, passed: Pass) -> None:
        self.passed = passed
        # of those at one screen the one who sits before it now
        self.shown: int | None = next(iter(passed.seats)) if len(passed.seats) == 1 else None
        self.step = -1
        self.eyes = -2
        # in a choice of several what is marked, and in which entry
        self.marks: tuple[int, ...] = ()
        self.marked_at = -1
        self.sent: Parts = ()
        # the steps of the story that were sent: how many, and for whom
        self.told = 0
        self.told_to: int | str | None = "nobody"
        self.sent_state: tuple[Any, ...] = ()
        self.closed = False
        self._changed = False
        self._answers: deque[Json] = deque()
        self._wake = asyncio.Event()

    def refresh(self) -> None:
        self._changed = True
        self._wake.set()

    def say(self, message: Json) -> None:
        self._answers.append(message)
        if len(self._answers) > _MOST_WAITING:
            self.close()
        self._wake.set()

    def close(self) -> None:
        self.closed = True
        self._wake.set()

    async def next(self) -> tuple[list[Json], bool]:
        """Waits for something to send: answers, and whether the game changed."""
        await self._wake.wait()
        self._wake.clear()
        answers, self._answers = list(self._answers), deque()
        changed, self._changed = self._changed, False
        return answers, changed
