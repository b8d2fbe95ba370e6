"""Many processes and one folder → who plays which unit, without anybody who hands them out.

A claim is a file that can be made once only (O_EXCL). While its owner works it touches the file now and then. Where the owner is gone, the next
one makes the claim of the next generation: again only one can. Claims save work and no more: were one wrong, a unit would be played
twice, with the same rows. So clocks of machines need not agree: each looks with its own clock whether a file changes.
"""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from rulewright.simulate.files import is_alive

# touched so often, and given up for lost after so long without a change
BEAT, PATIENCE = 10.0, 60.0
# a unit that was begun so often and never done kills who plays it
MOST_TRIES = 12


class TooOften(Exception):
    """A unit was begun again and again and never done."""


class Claims:
    """The claims of a run, as one process sees them."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        self.folder = folder
        self.clock = clock
        self.patience = patience
        self.me = {"host": host(), "process": os.getpid(), "began": began(os.getpid())}
        # what others' claims looked like, and since when
        self._seen: dict[str, tuple[int, float]] = {}

    def active(self) -> dict[int, int]:
        """The latest generation of the claim of each unit."""
        out: dict[int, int] = {}
        for entry in os.scandir(self.folder):
            unit, _, generation = entry.name.partition(".")
            if unit.isdigit() and generation.isdigit():
                out[int(unit)] = max(out.get(int(unit), -1), int(generation))
        return out

    def take(self, unit: int, active: dict[int, int]) -> Path | None:
        """The claim of a unit, if nobody has it or its owner is gone."""
        generation = active.get(unit, -1)
        if generation >= 0 and not self._is_lost(self._path(unit, generation)):
            return None
        if generation + 1 >= MOST_TRIES:
            raise TooOften
        path = self._path(unit, generation + 1)
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            return None
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(self.me, file)
        return path

    def release(self, unit: int) -> None:
        """The unit is done: its claims, of all generations, are of no use."""
        for generation in range(MOST_TRIES):
            try:
                self._path(unit, generation).unlink()
            except FileNotFoundError:
                if generation:
                    break

    def _path(self, unit: int, generation: int) -> Path:
        return self.folder / f"{unit:09d}.{generation}"

    def _is_lost(self, path: Path) -> bool:
        """Whether its owner is gone: by the process on this machine, by silence on another."""
        try:
            changed = path.stat().st_mtime_ns
            owner = json.loads(path.read_bytes() or b"{}")
        except FileNotFoundError:
            return False  # just done
        except (OSError, ValueError):
            owner, changed = {}, 0
        if isinstance(owner, dict) and owner.get("host") == self.me["host"]:
            process = owner.get("process")
            if type(process) is int and process > 0:
                return not is_alive(process) or began(process) != owner.get("began")
        now = self.clock()
        before, since = self._seen.get(path.name, (-1, now))
        if before != changed:
            since = now
        self._seen[path.name] = (changed, since)
        return now - since >= self.patience


class Beat:
    """Touches a claim while it is held, from a thread of its own."""

    def __init__(self, every: float = BEAT) -> None:
        self.every = every
        self.path: Path | None = None
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._end.wait(self.every):
            path = self.path
            if path is not None:
                try:
                    os.utime(path)
                except OSError:
                    self.path = None  # taken away: the unit is done

    def stop(self) -> None:
        self._end.set()
        self._thread.join()


def host() -> str:
    """This machine since it was started; processes of another have numbers that say nothing here."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        boot = ""
    return f"{socket.gethostname()} {boot}"


def began(process: int) -> str:
    """When a process began, as the system tells it: its number may be given to another later."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]
