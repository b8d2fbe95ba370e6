"""Ctrl-C and requests to end → a word to stop: asked once, games stop and what was played is kept; asked twice, the program stops."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Holds while it is entered, however often. `may_raise` is set where being interrupted does no harm: there it raises."""

    def __init__(self) -> None:
        self.asked = False
        self.may_raise = False
        self._depth = 0
        self._before: list[tuple[signal.Signals, Any]] = []

    def __enter__(self) -> Stop:
        self._depth += 1
        # only the main thread hears of signals
        if self._depth == 1 and threading.current_thread() is threading.main_thread():
            self._before = [(number, signal.signal(number, self._stop)) for number in _SIGNALS]
        return self

    def __exit__(self, *error: object) -> None:
        if self._depth == 0:
            return  # released before
        self._depth -= 1
        if self._depth == 0:
            for number, handler in self._before:
                signal.signal(number, handler)
            self._before = []

    def release(self) -> None:
        """For what keeps nothing of a broken-off run: from here on a request ends the program, and one made before does now."""
        while self._depth:
            self.__exit__()
        if self.asked:
            raise KeyboardInterrupt

    def _stop(self, number: int, frame: FrameType | None) -> None:
        again = self.asked
        self.asked = True
        if self.may_raise or again:
            raise KeyboardInterrupt
