"""A folder with a spec → its files as text, changes of them that can be undone, and what others changed meanwhile."""

from __future__ import annotations

import hashlib
import os
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from rulewright.runtime.hashes import SPEC_ENDINGS
from rulewright.runtime.plain import UNSAFE
from rulewright.studio.edits import Edit, EditError, apply, difference, inverse
from rulewright.studio.journal import (
    Change,
    FileChange,
    Journal,
    hash_of_text,
    put_file,
    read_exactly,
)

MOST_FILES = 2_000
MOST_CHARACTERS = 1_000_000
OUTSIDE = "changed outside the studio"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}")
Json = dict[str, Any]


class Conflict(EditError):
    """The file is no longer the one that was changed, and the two changes are of the same place."""

    def __init__(self, file: str, text: str) -> None:
        super().__init__(f"{file} was changed elsewhere at the same place")
        self.text = text


def data_folder() -> Path:
    """Where what belongs to the user and to no spec is kept."""
    root = os.environ.get("XDG_DATA_HOME")
    return (Path(root) if root else Path.home() / ".local" / "share") / "rulewright" / "studio"


class Project:
    """Files are read when they are asked for; `look` notices what others did. Every change goes through the journal first."""

    def __init__(self, root: Path, journal: Path | None = None) -> None:
        self.root = root.resolve()
        name = hashlib.sha256(str(self.root).encode()).hexdigest()[:24]
        self.journal = Journal(journal or data_folder() / f"{name}.jsonl")
        self.finished = self.journal.finish(self.root)
        if not self.journal.fits(self.root):
            self.journal.forget()
        self._texts: dict[str, str] = {}
        self._stamps: dict[str, tuple[int, int]] = {}
        # texts that pages may still show, by their hash: for changes that were begun on them
        self._old: OrderedDict[str, str] = OrderedDict()
        self.version = 0
        self.look()

    # ------------------------------------------------------------ reading

    def files(self) -> list[str]:
        return sorted(self._texts)

    def text(self, file: str) -> str:
        if file not in self._texts:
            raise EditError(f"there is no file {file}")
        return self._texts[file]

    def hash(self, file: str) -> str:
        return hash_of_text(self._texts[file]) if file in self._texts else ""

    def look(self) -> list[str]:
        """Files that others changed, made or removed since the last look; each is a change that can be undone."""
        found = self._found()
        changed: list[FileChange] = []
        first = not self._stamps and not self._texts
        for file in sorted({*found, *self._stamps}):
            if found.get(file) == self._stamps.get(file):
                continue
            text = self._read(file) if file in found else None
            if text is None and file in found:
                continue
            before = self._texts.get(file)
            if text != before and not first:
                changed.append(_part(file, before, text))
            if text is None:
                self._texts.pop(file, None)
            else:
                self._texts[file] = text
                self._remember(text)
        self._stamps = found
        if changed:
            self.version += 1
            self.journal.add(Change(OUTSIDE, tuple(changed)))
            self.journal.finished()
        return [part.file for part in changed]

    def _found(self) -> dict[str, tuple[int, int]]:
        out: dict[str, tuple[int, int]] = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
            for name in names:
                path = Path(folder) / name
                if path.suffix not in SPEC_ENDINGS or name.startswith(".") or path.is_symlink():
                    continue
                try:
                    stat = path.stat()
                except OSError:
                    continue  # it has just been replaced; the next look sees it
                if path.suffix == ".csv" and stat.st_size > MOST_CHARACTERS:
                    continue  # games that somebody simulated, and no rows of a table
                out[path.relative_to(self.root).as_posix()] = (stat.st_mtime_ns, stat.st_size)
                if len(out) >= MOST_FILES:
                    return out
        return out

    def _read(self, file: str) -> str | None:
        try:
            return read_exactly(self.root / file)
        except (OSError, ValueError):
            return None

    def _remember(self, text: str) -> None:
        self._old[hash_of_text(text)] = text
        while len(self._old) > 4 * MOST_FILES:
            self._old.popitem(last=False)

    # ------------------------------------------------------------ changing

    def change(
        self, label: str, files: Mapping[str, Sequence[Edit] | str | None], group: str = ""
    ) -> list[str]:
        """Edits of files, whole new texts, or None for a file that is to go. All of them are one step to undo."""
        parts: list[FileChange] = []
        for file, wanted in files.items():
            check_name(file)
            before = self._texts.get(file)
            if wanted is None:
                after = None
            elif isinstance(wanted, str):
                after = wanted
            else:
                after = apply(before or "", wanted)
            if after == before:
                continue
            if after is not None:
                _check_text(file, after)
            edits = wanted if wanted is not None and not isinstance(wanted, str) else None
            parts.append(_part(file, before, after, edits))
        if parts:
            self._do(Change(label, tuple(parts), group))
        return [part.file for part in parts]

    def replace(self, file: str, base: str, text: str, group: str = "") -> str:
        """The text of a file as somebody typed it, begun on the text with the hash `base`; the text that came of it.

        What others changed meanwhile stays, as long as it is not of the same place.
        """
        here = self.text(file)
        if base != hash_of_text(here):
            old = self._old.get(base)
            if old is None:
                raise Conflict(file, here)
            text = _merged(file, old, here, text)
        self.change(f"{file} written", {file: difference(here, text)}, group)
        return text

    def _do(self, change: Change) -> None:
        self.journal.add(change)
        for part in change.files:
            self._put(part, True)
        self.journal.finished()
        self.version += 1

    def _put(self, part: FileChange, forward: bool) -> None:
        put_file(self.root, part, forward)
        path = self.root / part.file
        if not path.exists():
            self._texts.pop(part.file, None)
            self._stamps.pop(part.file, None)
            return
        stat = path.stat()
        self._texts[part.file] = read_exactly(path)
        self._remember(self._texts[part.file])
        self._stamps[part.file] = (stat.st_mtime_ns, stat.st_size)

    # ------------------------------------------------------------ back and forth

    def undo(self) -> list[str]:
        """Take the last change back; the labels of what was undone."""
        self.look()
        changes = self.journal.history.to_undo()
        if changes:
            self.journal.undo(len(changes))
            for change in changes:
                for part in change.files:
                    self._put(part, False)
            self.journal.finished()
            self.version += 1
        return [change.label for change in changes]

    def redo(self) -> list[str]:
        if self.look():
            return []  # what others did stands before what could have been redone
        changes = self.journal.history.to_redo()
        if changes:
            self.journal.redo(len(changes))
            for change in changes:
                for part in change.files:
                    self._put(part, True)
            self.journal.finished()
            self.version += 1
        return [change.label for change in changes]

    def steps(self) -> Json:
        """What can be undone and redone, in words."""
        back, forth = self.journal.history.to_undo(), self.journal.history.to_redo()
        return {
            "undo": back[0].label if back else None,
            "redo": forth[0].label if forth else None,
        }


def _part(
    file: str, before: str | None, after: str | None, edits: Sequence[Edit] | None = None
) -> FileChange:
    old = before or ""
    if edits is None:
        edits = difference(old, after or "")
    return FileChange(
        file,
        "" if before is None else hash_of_text(before),
        "" if after is None else hash_of_text(after),
        tuple(edits),
        tuple(inverse(old, list(edits))),
    )


def _merged(file: str, old: str, here: str, text: str) -> str:
    """A text changed in two ways, each of its own place."""
    mine, theirs = difference(old, text), difference(old, here)
    if not mine or not theirs:
        return here if not mine else text
    a, b = mine[0], theirs[0]
    if text == here:
        return here
    if not (a.end < b.start or b.end < a.start):
        raise Conflict(file, here)
    return apply(old, [a, b])


def check_name(file: str) -> None:
    """The names of files that may be written: inside of the folder, of a spec, and plain."""
    path = PurePosixPath(file)
    plain = all(_NAME.fullmatch(part) for part in path.parts)
    if not plain or path.suffix not in SPEC_ENDINGS or len(path.parts) > 3 or str(path) != file:
        raise EditError(f"{file!r} can't be the name of a file of a spec")


def _check_text(file: str, text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise EditError(f"{file} would become larger than {MOST_CHARACTERS} characters")
    found = UNSAFE.search(text.replace("\r\n", "\n"))
    if found is not None:
        raise EditError(f"the character U+{ord(found[0]):04X} has no place in {file}")
