"""Files on disk into decoded text whose every place has a line and a column."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.runtime.plain import UNSAFE

if TYPE_CHECKING:
    from rulewright.compiler.text.diagnostics import Problems

MAX_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source file; lines and columns count from 1, the end is exclusive.

    Line 0 stands for the file as a whole.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """From the start of this one to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


def whole_file(file: str) -> Span:
    """The span for a message about a file and no place in it."""
    return Span(file, 0, 0, 0, 0)


@dataclass(slots=True)
class Source:
    """One file's text, by the path shown to people; every line break is a newline."""

    file: str
    text: str
    lines: list[str]

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of a character of the text."""
        offset = max(0, min(offset, len(self.text)))
        line_start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, line_start) + 1, offset - line_start + 1

    def span(self, start: int, end: int) -> Span:
        """The span from one character of the text up to another."""
        return Span(self.file, *self.position(start), *self.position(end))


class Sources:
    """All files read, so that a message can show the line it is about."""

    def __init__(self) -> None:
        self._by_file: dict[str, Source] = {}

    def add(self, file: str, text: str) -> Source:
        text = _one_newline(text)
        source = Source(file, text, text.split("\n"))
        self._by_file[file] = source
        return source

    def get(self, file: str) -> Source | None:
        return self._by_file.get(file)

    def line(self, file: str, number: int) -> str:
        """A line's text; empty when the file or the line is not known."""
        source = self._by_file.get(file)
        if source is None or not 1 <= number <= len(source.lines):
            return ""
        return source.lines[number - 1]


def check_characters(source: Source, problems: Problems) -> bool:
    """Report the first character that no source file may hold; true when there is none."""
    found = UNSAFE.search(source.text)
    if found is None:
        return True
    at = source.span(found.start(), found.end())
    char = found.group()
    if char == "\x00":
        problems.error("RW0106", at, "the file holds a NUL byte", hint="save it as plain UTF-8")
    elif char == "\ufeff" and found.start() == 0:
        problems.error(
            "RW0107",
            at,
            "the file begins with a byte order mark",
            hint="save it as UTF-8 without BOM",
        )
    else:
        problems.error(
            "RW0108",
            at,
            f"the character U+{ord(char):04X} is not allowed",
            hint="remove it; it is invisible in most editors",
        )
    return False


def read_text(path: Path, display: str, sources: Sources, problems: Problems) -> Source | None:
    """Read one file; whatever is wrong with it becomes a problem, never an exception."""
    data = _read_bytes(path, display, problems)
    if data is None:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        source = sources.add(display, data.decode("utf-8", "replace"))
        start = len(_one_newline(data[: error.start].decode("utf-8")))
        at = source.span(start, start + 1)
        problems.error(
            "RW0104",
            at,
            f"the file is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
            f" (line {at.line})",
            hint="save it as UTF-8",
        )
        return None
    source = sources.add(display, text)
    return source if check_characters(source, problems) else None


def _read_bytes(path: Path, display: str, problems: Problems) -> bytes | None:
    at = whole_file(display)
    try:
        # A pipe or a device would block or never end, so look before opening.
        if not stat.S_ISREG(path.stat().st_mode):
            problems.error("RW0102", at, "this is not a file", expected="a text file")
            return None
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        problems.error("RW0101", at, "there is no such file")
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        problems.error("RW0103", at, f"the file cannot be read: {reason or error}")
        return None
    if len(data) > MAX_BYTES:
        problems.error(
            "RW0105",
            at,
            f"the file is larger than {MAX_BYTES // (1024 * 1024)} MB",
            hint="split it into several files",
        )
        return None
    return data


def _one_newline(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
