"""Text → the terminal: the one way out, on which no text of a spec or a file can steer the screen or pass for markup."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from rulewright.runtime.plain import plain

if TYPE_CHECKING:
    from rich.console import Console

# what we write ourselves: colours anywhere; on a screen also clearing, moving and hiding the cursor, as bars and boards do
_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")
_OWN = re.compile("(\x1b\\[[0-9;?]*[ABCDGHJKlhm]|\r)")


def console(**settings: Any) -> Console:
    """Where tables, boards and coloured lines are printed; square brackets and colons in texts mean nothing to it."""
    from rich.console import Console

    return Console(**{"markup": False, "emoji": False, "highlight": False, **settings})


class _Plain:
    """A stream that spells out every character which would steer a terminal; all else is the stream's own."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if text.isprintable():
            return self._stream.write(text)
        own = _OWN if self._stream.isatty() else _COLOUR
        # what is ours stands at the odd places
        parts = own.split(text)
        shown = (part if i % 2 else plain(part) for i, part in enumerate(parts))
        self._stream.write("".join(shown))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stream)


@contextmanager
def plain_streams() -> Iterator[None]:
    """While it lasts, whatever is printed comes out plain."""
    before = sys.stdout, sys.stderr
    # a stream may be missing: whoever started us has closed it
    out, err = (None if s is None else cast(TextIO, _Plain(s)) for s in before)
    sys.stdout, sys.stderr = cast(TextIO, out), cast(TextIO, err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
