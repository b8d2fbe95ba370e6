"""Standard input and output as they are → streams that can be used: closed ones lead nowhere, narrow ones show what they can."""

from __future__ import annotations

import io
import os
import sys


def mend() -> None:
    """To be called before anything else is opened, because a closed number is given to the next file."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if not _is_open(number):
            # the lowest free number, which is this one
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            # stays open as long as the program
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # a sign that can't be written is shown as a question mark: it is no reason to stop
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def shows_all() -> bool:
    """Whether standard output can show every sign."""
    encoding = (
        (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "")
    )
    return encoding in ("utf8", "utf16", "utf32", "utf8sig")
