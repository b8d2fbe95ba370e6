"""The folder of a run ↔ its units: which are done, their rows as parts of a Parquet data set, and what the run is.

RUN/run.json            what is played
RUN/games/part-N.parquet   the rows from game N on; of two plans RUN/a/ and RUN/b/
RUN/claims/             who plays what now (see claims.py)
RUN/drafts/             parts that are being written

A part is written under a name of its own and renamed: it is there as a whole or not at all, whoever is killed. Two who played
the same unit wrote the same rows, so the later one does no harm.
"""

from __future__ import annotations

import json
import os
import socket
import uuid
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright.runs.job import Crew, Job, RunError, read_job
from rulewright.simulate.files import FileError, reason
from rulewright.simulate.one import Row
from rulewright.simulate.table import TableWriter, check_format, read_table


class Store:
    """A run in a folder."""

    def __init__(self, folder: Path, job: Job) -> None:
        self.folder = folder
        self.job = job
        names = ("games",) if len(job.plans) == 1 else ("a", "b")
        self.sides = [folder / name for name in names]
        self.drafts = folder / "drafts"
        self.claims = folder / "claims"
        self.failed = folder / "failed"
        self.enough = folder / "enough"
        try:
            for path in (*self.sides, self.drafts, self.claims):
                path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{folder} can't hold a run: {reason(error)}") from error

    # ------------------------------------------------------------ beginning, going on

    @staticmethod
    def begin(folder: Path, job: Job) -> Store:
        """A new run, or the one that is there if it is the same; it may have had fewer games."""
        check_format(folder / "games.parquet")
        store = Store(folder, job)
        found = store._written()
        if found is None:
            store._write("run.json", job, once=True)
            found = store._written()
            assert found is not None
        same = replace(found, plans=tuple(replace(p, games=job.games) for p in found.plans))
        told = _difference(same, job)
        if told:
            raise RunError(f"{folder} is a run of something else: {told}")
        if found.games > job.games:
            raise RunError(
                f"{folder} is a run of {found.games} games; ask for as many or more, not {job.games}"
            )
        store = Store(folder, same)
        if found.games < job.games:
            # the last unit may have been a part of one
            if found.games % found.unit:
                store.drop(found.units - 1)
            store._write("run.json", same, once=False)
        return store

    @staticmethod
    def open(folder: Path) -> Store:
        """The run that is in a folder."""
        try:
            text = (folder / "run.json").read_bytes()
        except OSError as error:
            raise FileError(f"{folder} holds no run: run.json: {reason(error)}") from error
        check_format(folder / "games.parquet")
        return Store(folder, read_job(text, str(folder / "run.json")))

    def _written(self) -> Job | None:
        file = self.folder / "run.json"
        try:
            return read_job(file.read_bytes(), str(file))
        except FileNotFoundError:
            return None

    def _write(self, name: str, job: Job, once: bool) -> None:
        """A file that appears whole; `once` leaves the one that another process was first with."""
        draft = self.drafts / f"{_unique()}.json"
        draft.write_text(json.dumps(job.to_json(), indent=1) + "\n", encoding="utf-8")
        if once:
            with suppress(FileExistsError):
                os.link(draft, self.folder / name)
            draft.unlink()
        else:
            draft.replace(self.folder / name)

    # ------------------------------------------------------------ units

    def part(self, side: int, unit: int) -> Path:
        return self.sides[side] / f"part-{unit * self.job.unit:09d}.parquet"

    def has(self, unit: int) -> bool:
        return all(self.part(side, unit).exists() for side in range(len(self.sides)))

    def write(self, unit: int, crew: Crew, rows: list[list[Row]]) -> None:
        for side, own in enumerate(rows):
            write_part(self.part(side, unit), self.drafts, crew.metas[side], own)

    def read(self, unit: int) -> list[list[Row]] | None:
        """The rows of a unit; None, and played again, where a part of it is too short or damaged."""
        out = []
        wanted = list(self.job.numbers(unit))
        for side in range(len(self.sides)):
            try:
                _, rows = read_table(self.part(side, unit))
                own = list(rows)
            except FileError:
                own = []
            if [row.number for row in own] != wanted:
                self.drop(unit)
                return None
            out.append(own)
        return out

    def drop(self, unit: int) -> None:
        for side in range(len(self.sides)):
            self.part(side, unit).unlink(missing_ok=True)
        for claim in self.claims.glob(f"{unit:09d}.*"):
            claim.unlink(missing_ok=True)

    # ------------------------------------------------------------ words to all who work

    def fail(self, message: str) -> None:
        draft = self.drafts / f"{_unique()}.txt"
        draft.write_text(message, encoding="utf-8")
        draft.replace(self.failed)

    def failure(self) -> str | None:
        try:
            return self.failed.read_text(encoding="utf-8", errors="replace")[:2000]
        except OSError:
            return None

    def stop_here(self) -> None:
        """No more units are wanted, because the question is answered."""
        self.enough.touch()

    def go_on(self) -> None:
        """What an earlier attempt has said does not count any more."""
        self.failed.unlink(missing_ok=True)
        self.enough.unlink(missing_ok=True)

    def tidy(self) -> None:
        """After the last unit: what killed processes have left. Who is still writing has lost nothing, since the part is there."""
        for path in (*self.drafts.glob("*"), *self.claims.glob("*")):
            path.unlink(missing_ok=True)


def write_part(path: Path, drafts: Path, meta: dict[str, Any], rows: list[Row]) -> None:
    """One part of a data set, whole or not at all."""
    draft = drafts / f"{_unique()}.parquet"
    writer = TableWriter(draft, meta)
    for row in rows:
        writer.add(row)
    writer.finish()
    try:
        os.replace(draft, path)
    except FileNotFoundError:
        if not path.exists():  # else another has written the same, and has tidied up
            raise


def _unique() -> str:
    return f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:12]}"


def _difference(there: Job, asked: Job) -> str:
    """The first thing in which two jobs differ, in words; units may, since no row depends on them."""
    left, right = there.to_json()["plans"], asked.to_json()["plans"]
    if len(left) != len(right):
        return f"it has {len(left)} plans, not {len(right)}"
    for a, b in zip(left, right, strict=True):
        for key in a:
            if a[key] != b[key]:
                return f"{key} is {a[key]!r} there and {b[key]!r} here"
    return ""
