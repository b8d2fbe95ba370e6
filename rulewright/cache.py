"""What was worked out before → kept for the next run, in folders and files that nobody else can have written.

Engines, parser tables and compiled modules are run when they are found again. So a folder counts only if it is the user's own
and nobody else may write there, and so does each file in it; what does not fit is left alone, with a word, and everything is
built anew in a folder of this process alone. This is the one place that knows where the cache is.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

# nothing can be kept below it, nor found
_NOWHERE = Path(os.devnull) / "cache"
_told: set[str] = set()
_own: dict[int, Path] = {}


def root() -> Path | None:
    """Where the cache should be; nowhere for a user without a home."""
    if chosen := os.environ.get("RULEWRIGHT_CACHE"):
        return Path(chosen)
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return Path(chosen) / "rulewright"
    try:
        return Path.home() / ".cache" / "rulewright"
    except RuntimeError:
        return None


def folder(*parts: str) -> Path:
    """A folder of the cache, made if need be; in a place of this process alone where the cache can't be trusted."""
    start = root()
    if start is None:
        return _private(*parts)
    path = start
    for part in ("", *parts):
        path = path / part
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            wrong = _wrong(os.lstat(path), stat.S_ISDIR)
        except OSError:
            # it can't be made, or is no folder: then nothing is kept
            return _NOWHERE.joinpath(*parts)
        if wrong:
            _tell(path, wrong)
            return _private(*parts)
    return path


def exists(*parts: str) -> bool:
    """Whether the cache has such a folder, or what stands in for it in this process; none is made."""
    places = (root(), _own.get(os.getpid()))
    return any(place is not None and place.joinpath(*parts).is_dir() for place in places)


def read(file: Path) -> bytes | None:
    """The content of a file of the cache, if it is there and the user's own."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(file, flags | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        if file.is_symlink():
            _tell(file, "it is a link to something else")
        return None
    with os.fdopen(handle, "rb") as opened:
        wrong = _wrong(os.fstat(handle), stat.S_ISREG)
        if wrong:
            _tell(file, wrong)
            return None
        try:
            return opened.read()
        except OSError:
            return None


def write(file: Path, content: bytes) -> None:
    """Keep a file for next time, whole or not at all; a cache that can't be written does no harm."""
    with contextlib.suppress(OSError):
        # made by mkstemp for the user alone; another process may be reading or writing the same file
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(content)
            os.replace(name, file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise


def is_own(tree: Path) -> bool:
    """Whether a folder and all that is in it can be run: nothing there is a stranger's."""
    try:
        for path in (tree, *tree.rglob("*")):
            found = os.lstat(path)
            wrong = _wrong(found, stat.S_ISDIR if stat.S_ISDIR(found.st_mode) else stat.S_ISREG)
            if wrong:
                _tell(path, wrong)
                return False
    except OSError:
        return False
    return True


def _wrong(found: os.stat_result, expected: object) -> str:
    """Why a file or folder can't be trusted; nothing if it can."""
    kind = {stat.S_ISDIR: "folder", stat.S_ISREG: "file"}
    for test, name in kind.items():
        if test is expected and not test(found.st_mode):
            return f"it is no ordinary {name}"
    me = _me()
    if me is None:
        return ""
    if found.st_uid != me:
        return "it belongs to somebody else"
    if found.st_mode & 0o022:
        return "others may write there (chmod go-w, if nobody has)"
    return ""


def _me() -> int | None:
    """The user's number, where there is such a thing."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def _tell(path: Path, wrong: str) -> None:
    if str(path) not in _told:
        _told.add(str(path))
        print(
            f"rulewright: {path} of the cache is not used: {wrong}; what it may hold is built anew",
            file=sys.stderr,
        )


def _private(*parts: str) -> Path:
    """A folder for as long as this process lives."""
    mine = _own.get(os.getpid())
    if mine is None:
        try:
            mine = Path(tempfile.mkdtemp(prefix="rulewright-"))
        except OSError:
            return _NOWHERE.joinpath(*parts)
        _own[os.getpid()] = mine
        atexit.register(_remove, os.getpid(), mine)
    path = mine
    for part in parts:
        path = path / part
        path.mkdir(mode=0o700, exist_ok=True)
    return path


def _remove(process: int, path: Path) -> None:
    # a forked process inherits the list of what is to be done at the end
    if os.getpid() == process:
        shutil.rmtree(path, ignore_errors=True)
