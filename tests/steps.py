"""Work counted in calls instead of seconds, so that a busy machine changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class TooMuch(BaseException):
    """More was done than may be; nothing that is tested may catch it."""


class Steps:
    """Calls and returns of functions, Python's own included."""

    def __init__(self, most: int) -> None:
        self.done = 0
        self.most = most

    def __call__(self, _frame: FrameType, _event: str, _what: Any) -> None:
        self.done += 1
        if self.done > self.most:
            sys.setprofile(None)
            raise TooMuch(f"more than {self.most:,} steps")


@contextmanager
def at_most(steps: int) -> Iterator[Steps]:
    """Ends what is done inside by an error when it takes more."""
    count = Steps(steps)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield count
    finally:
        sys.setprofile(before)
