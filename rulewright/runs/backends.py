"""Where to play, as it is typed → rows: in this process, in others of this machine, on a Ray cluster, or by whoever sees a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rulewright.runs.job import Crew, RunError, make_job
from rulewright.runs.shared_folder import FolderRun
from rulewright.runs.store import Store
from rulewright.simulate.one import Row
from rulewright.simulate.plan import Plan
from rulewright.simulate.run import Watch
from rulewright.stop import Stop

KINDS = "local, ray, ray://HOST:PORT or folder"


@dataclass(frozen=True, slots=True)
class Where:
    """`folder` is where the run is kept; `address` is that of a cluster, or nothing for one of this machine."""

    kind: str = "local"
    address: str | None = None
    folder: Path | None = None
    jobs: int = 1

    @property
    def here(self) -> bool:
        """Whether nothing but this command needs to know of the games: no folder, no cluster."""
        return self.kind == "local" and self.folder is None


def where(backend: str, folder: Path | None, jobs: int) -> Where:
    """The backend that is meant; raises RunError for what is none."""
    if backend == "folder" and folder is None:
        raise RunError(
            "the backend folder needs --run FOLDER, which all machines that play can see"
        )
    if backend in ("local", "folder"):
        return Where(backend, None, folder, jobs)
    if backend == "ray" or backend.startswith("ray://"):
        return Where("ray", None if backend == "ray" else backend, folder, jobs)
    raise RunError(f"there is no backend {backend!r} (there are {KINDS})")


class Run(Protocol):
    """A run under way. `replaced` counts who died and was replaced."""

    replaced: int

    def rounds(self, watch: Watch | None = None) -> Iterator[list[list[Row]]]: ...


def start(
    plans: Sequence[Plan], place: Where, stop: Stop, unit: int | None = None
) -> tuple[Run, Crew]:
    """A run of these plans, new or gone on with, and who would play it here."""
    crew = Crew(plans)
    store = None
    job = None
    if place.folder is not None:
        # what is there says how large its units are
        known = Store.open(place.folder).job.unit if (place.folder / "run.json").exists() else unit
        job = make_job(plans, crew, known)
        store = Store.begin(place.folder, job)
        job = store.job
    if place.kind == "ray":
        from rulewright.runs.on_ray import RayRun

        return RayRun(job or make_job(plans, crew, unit), crew, store, place, stop), crew
    assert store is not None
    return FolderRun(store, crew, place.jobs, stop), crew
