"""Changes of a folder's files → a list on disk, written before the files are, from which every change can be undone, redone and finished.

A line of the journal is on the disk before a file is touched. So after a crash each file is either as it was before the last
change, which is then finished, or as it is after it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.studio.edits import Edit, EditError, apply

Json = dict[str, Any]
_MOST_BYTES = 8_000_000
_KEPT = 500  # changes that stay when a journal has become too long


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a change. A file that was not there has the hash "", and so has one that is gone afterwards."""

    file: str
    before: str
    after: str
    edits: tuple[Edit, ...]
    back: tuple[Edit, ...]

    def to_json(self) -> Json:
        return {
            "file": self.file, "before": self.before, "after": self.after,
            "edits": [e.to_json() for e in self.edits], "back": [e.to_json() for e in self.back],
        }  # fmt: skip

    @staticmethod
    def from_json(data: Json) -> FileChange:
        return FileChange(
            str(data["file"]), str(data["before"]), str(data["after"]),
            tuple(map(Edit.from_json, data["edits"])), tuple(map(Edit.from_json, data["back"])),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What one click or one stretch of typing did. Changes of one `group` are undone together."""

    label: str
    files: tuple[FileChange, ...]
    group: str = ""

    def to_json(self) -> Json:
        return {
            "label": self.label,
            "group": self.group,
            "files": [f.to_json() for f in self.files],
        }

    @staticmethod
    def from_json(data: Json) -> Change:
        files = tuple(map(FileChange.from_json, data["files"]))
        return Change(str(data["label"]), files, str(data.get("group", "")))


@dataclass(slots=True)
class History:
    """Changes in order, and how many of them are done; those behind can be redone."""

    changes: list[Change] = field(default_factory=list)
    done: int = 0

    def add(self, change: Change) -> None:
        del self.changes[self.done :]
        self.changes.append(change)
        self.done += 1

    def to_undo(self) -> list[Change]:
        """The last change, or all of the last group, newest first."""
        return self._group(list(reversed(self.changes[: self.done])))

    def to_redo(self) -> list[Change]:
        return self._group(self.changes[self.done :])

    @staticmethod
    def _group(changes: Sequence[Change]) -> list[Change]:
        out: list[Change] = []
        for change in changes:
            if out and not (change.group and change.group == out[0].group):
                break
            out.append(change)
        return out


class Journal:
    """The history of one folder in one file. `finish` brings the folder to where the journal says that it is."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.history = History()
        # what the last line does: on opening some of it may not have been done yet
        self.last: list[tuple[Change, bool]] = []
        self._read()

    def _read(self) -> None:
        try:
            lines = self.file.read_bytes().splitlines()
        except OSError:
            return
        history = self.history
        for line in lines:
            try:
                row = json.loads(line)
                match row:
                    case {"undo": int(count)} if 0 < count <= history.done:
                        history.done -= count
                        undone = history.changes[history.done : history.done + count]
                        self.last = [(c, False) for c in reversed(undone)]
                    case {"redo": int(count)} if history.done + count <= len(history.changes):
                        redone = history.changes[history.done : history.done + count]
                        history.done += count
                        self.last = [(c, True) for c in redone]
                    case {"forget": _}:
                        history.changes, history.done, self.last = [], 0, []
                    case {"done": _}:
                        self.last = []
                    case _:
                        change = Change.from_json(row)
                        history.add(change)
                        self.last = [(change, True)]
            except (ValueError, KeyError, TypeError, EditError):
                # a line that was cut off by a crash was never acted on
                continue

    # ------------------------------------------------------------ writing

    def _append(self, row: Json, safely: bool = True) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "ab") as opened:
            start = b"" if self._ends_whole() else b"\n"
            opened.write(start + json.dumps(row, ensure_ascii=False).encode() + b"\n")
            opened.flush()
            if safely:
                os.fsync(opened.fileno())

    def _ends_whole(self) -> bool:
        with self.file.open("rb") as opened:
            if opened.seek(0, os.SEEK_END) == 0:
                return True
            opened.seek(-1, os.SEEK_END)
            return opened.read(1) == b"\n"

    def add(self, change: Change) -> None:
        self._append(change.to_json())
        self.history.add(change)
        with contextlib.suppress(OSError):
            if self.file.stat().st_size > _MOST_BYTES:
                self._shorten()

    def undo(self, count: int) -> None:
        self._append({"undo": count})
        self.history.done -= count

    def redo(self, count: int) -> None:
        self._append({"redo": count})
        self.history.done += count

    def finished(self) -> None:
        """The files are written: whoever finds them otherwise later finds somebody else's change."""
        self._append({"done": True}, safely=False)

    def forget(self) -> None:
        """The folder was changed while nobody looked: what was done before no longer fits it."""
        self._append({"forget": True})
        self.history = History()

    def _shorten(self) -> None:
        kept = self.history.changes[: self.history.done][-_KEPT:]
        text = "".join(json.dumps(c.to_json(), ensure_ascii=False) + "\n" for c in kept)
        write_whole(self.file, text)
        self.history = History(kept, len(kept))

    # ------------------------------------------------------------ after a crash

    def finish(self, root: Path) -> list[str]:
        """Finish the last change where it was cut off; the files that were finished."""
        finished: list[str] = []
        for change, forward in self.last:
            for part in change.files:
                here = text_hash_of(root / part.file)
                start, goal = (part.before, part.after) if forward else (part.after, part.before)
                if here == start and here != goal:
                    put_file(root, part, forward)
                    finished.append(part.file)
        if self.last:
            self.finished()
        self.last = []
        return finished

    def fits(self, root: Path) -> bool:
        """Whether the folder is as the changes left it."""
        expected: dict[str, str] = {}
        for change in self.history.changes[: self.history.done]:
            for part in change.files:
                expected[part.file] = part.after
        for change in reversed(self.history.changes[self.history.done :]):
            for part in change.files:
                expected[part.file] = part.before
        return all(text_hash_of(root / file) == wanted for file, wanted in expected.items())


# ---------------------------------------------------------------- files


def put_file(root: Path, part: FileChange, forward: bool) -> None:
    """Make one file of a change, or take it back."""
    path = root / part.file
    goal = part.after if forward else part.before
    if not goal:
        path.unlink(missing_ok=True)
        return
    before = "" if not path.exists() else read_exactly(path)
    text = apply(before, part.edits if forward else part.back)
    if hash_of_text(text) != goal:
        raise EditError(f"{part.file} is not as the change left it")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)


def write_whole(path: Path, text: str) -> None:
    """A file appears with all of its new text or keeps the old; the mode of an old one is kept."""
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        mode = 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(text.encode())
            opened.flush()
            os.fsync(opened.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def read_exactly(path: Path) -> str:
    """The text of a file with its line breaks as they are."""
    return path.read_bytes().decode()


def hash_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def text_hash_of(path: Path) -> str:
    """The hash of a file, "" when there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:32]
    except OSError:
        return ""
