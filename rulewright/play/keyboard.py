"""What is typed → a line."""

from __future__ import annotations

import os
import select
import sys

_LOOK = 0.3


def read_line() -> str | None:
    """A line without its end; None at the end of input.

    In a terminal this looks every now and then whether something is there instead of waiting for it: a Ctrl-C just
    before the waiting begins would be noticed after the next line only.
    """
    sys.stdout.flush()
    if os.name == "posix" and sys.stdin.isatty():
        while not select.select([sys.stdin], [], [], _LOOK)[0]:
            pass
    line = sys.stdin.readline()
    return line.strip() if line else None
