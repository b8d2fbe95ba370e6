"""A file that appears whole or not at all."""

from __future__ import annotations

import glob
import io
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from rulewright.runtime.errors import RulewrightError


class FileError(RulewrightError, OSError):
    """A file can't be read or written; the message says which and why."""


def reason(error: OSError) -> str:
    return error.strerror or str(error)


class Draft:
    """Writes into a file without a name and takes the place of the named one on `finish`; a killed process leaves no trace.

    What is no ordinary file (a pipe, a device) is written to directly: it can't be replaced.
    """

    def __init__(self, path: Path, binary: bool = False) -> None:
        self.path = path
        self._direct = path.exists() and not path.is_file()
        if path.is_dir():
            raise FileError(f"{path} is a folder; name a file")
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        text: Any = {} if binary else {"encoding": "utf-8", "newline": ""}
        try:
            _remove_old_parts(path)
            if self._direct:
                self.file: IO[Any] = path.open("wb" if binary else "w", **text)
            else:
                # beside the named file, so that there is room for it where it is to be
                mode = "w+b" if binary else "w+"
                self.file = tempfile.TemporaryFile(mode, dir=path.parent, **text)  # noqa: SIM115
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
                self._take_place()
            self.file.close()
        except OSError as error:
            self.drop()
            raise self.failed(error) from error

    def _take_place(self) -> None:
        """The only moment at which there is a second name: the whole content is at hand."""
        raw = self.file.buffer if isinstance(self.file, io.TextIOWrapper) else self.file
        raw.seek(0)
        with self._part.open("wb") as part:
            shutil.copyfileobj(raw, part)
            part.flush()
            os.fsync(part.fileno())
        self._part.replace(self.path)

    def drop(self) -> None:
        with suppress(OSError):  # what could not be flushed is not wanted any more
            self.file.close()
        if not self._direct:
            self._part.unlink(missing_ok=True)


def _remove_old_parts(path: Path) -> None:
    """What a process that was killed while it put a file in place has left."""
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        number = part.name.split(".")[-2]
        if number.isdigit() and not is_alive(int(number)):
            with suppress(OSError):
                part.unlink()


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


def write_text(path: Path, text: str) -> None:
    """A whole text file at once."""
    draft = Draft(path)
    draft.write(text)
    draft.finish()
