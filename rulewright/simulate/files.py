"""A file that appears whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rulewright.runtime.errors import RulewrightError


class FileError(RulewrightError, OSError):
    """A file can't be read or written; the message says which and why."""


def reason(error: OSError) -> str:
    return error.strerror or str(error)


class Draft:
    """Writes beside the file and takes its place on `finish`; `drop` leaves no trace.

    What is no ordinary file (a pipe, a device) is written to directly: it can't be replaced.
    """

    def __init__(self, path: Path, binary: bool = False) -> None:
        self.path = path
        self._direct = path.exists() and not path.is_file()
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a file")
        self._part = path if self._direct else path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            self.file: IO[Any] = (
                self._part.open("wb")
                if binary
                else self._part.open("w", encoding="utf-8", newline="")
            )
        except OSError as error:
            raise FileError(f"{path} can't be written: {reason(error)}") from error

    def write(self, data: Any) -> None:
        try:
            self.file.write(data)
        except OSError as error:
            self.drop()
            raise self.failed(error) from error

    def failed(self, error: OSError) -> FileError:
        return FileError(f"{self.path} could not be written: {reason(error)}; nothing was kept")

    def finish(self) -> None:
        try:
            self.file.flush()
            if not self._direct:
                os.fsync(self.file.fileno())
            self.file.close()
            if not self._direct:
                self._part.replace(self.path)
        except OSError as error:
            self.drop()
            raise self.failed(error) from error

    def drop(self) -> None:
        with suppress(OSError):  # what could not be flushed is not wanted any more
            self.file.close()
        if not self._direct:
            self._part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """A whole text file at once."""
    draft = Draft(path)
    draft.write(text)
    draft.finish()
