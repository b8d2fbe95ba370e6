"""A job on one machine → all that another one needs for it: the specs of own games, and engines compiled to machine code.

A package of the same version must be there; what it has is not sent. The compiled engine of a game of the package is fetched where the machines are alike; else it is
built on the node, once: the first process there does it and the others wait. Where neither works, the engine is interpreted; it gives the same games.
"""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright import cache, native
from rulewright.compiler.build import build, read_spec
from rulewright.engines import SPECS, load, spec_path
from rulewright.runs.job import Job
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.hashes import SPEC_ENDINGS, hash_of


@dataclass(frozen=True, slots=True)
class Parcel:
    """`specs` are the files of each plan's spec, none where the package has it; `engines` the plans that are wanted native; `compiled` folders by their names."""

    name: str
    job: Job
    specs: tuple[dict[str, bytes], ...]
    engines: tuple[bool, ...]
    compiled: dict[str, bytes]


def pack(job: Job, engines: Sequence[bool]) -> Parcel:
    """What is sent once, to all nodes."""
    specs = []
    for plan in job.plans:
        files: dict[str, bytes] = {}
        if plan.folder.resolve().parent != SPECS.resolve():
            for path in sorted(plan.folder.rglob("*")):
                if path.is_file() and path.suffix in SPEC_ENDINGS:
                    files[path.relative_to(plan.folder).as_posix()] = path.read_bytes()
        specs.append(files)
    compiled = {}
    for plan, wanted, files in zip(job.plans, engines, specs, strict=True):
        # in machine code stand the places of rules, so that of an own game fits to the folder it was read from alone
        if wanted and not files:
            name = native.module_name(plan.load().info)
            folder = native.native_dir() / name
            if (folder / "done").is_file():
                compiled[name] = _zipped(folder)
    parts = [repr(job.to_json()), *(repr(s) for s in specs), *compiled]
    return Parcel(hash_of(parts), job, tuple(specs), tuple(engines), compiled)


def unpack(parcel: Parcel) -> Job:
    """The job as it can be played here: own specs written down, native engines made ready."""
    plans = []
    for plan, files, wanted in zip(parcel.job.plans, parcel.specs, parcel.engines, strict=True):
        if files:
            folder = cache.folder("specs", hash_of([n for item in files.items() for n in item]))
            home = folder / Path(plan.game).name
            for name, content in files.items():
                path = home / name
                if not path.resolve().is_relative_to(home.resolve()):
                    raise RulewrightError(f"{name} leads out of the spec's folder")
                path.parent.mkdir(parents=True, exist_ok=True)
                cache.write(path, content)
            plan = replace(plan, game=str(home))
        if wanted:
            _make_native(
                plan.game, plan.players, plan.variants, dict(plan.options), parcel.compiled
            )
        plans.append(plan)
    return replace(parcel.job, plans=tuple(plans))


def _make_native(
    game: str, players: int, variants: tuple[str, ...], options: dict[str, object], compiled: dict[str, bytes]
) -> None:  # fmt: skip
    """The compiled engine into this node's cache, fetched or built, by one process."""
    info = load(game, players, variants, options, native=False).info
    # it bears a name after everything it depends on: of an unlike machine there is none of the name that is wanted here
    name = native.module_name(info)
    with _alone():
        if name in compiled:
            _unzipped(native.native_dir() / name, compiled[name])
        if native.find_native(info) is None:
            path = spec_path(game)
            # as `load` calls it: the places of rules are in the engine's name
            shown = f"spec/{path.name}" if path.parent == SPECS else str(path)
            engine = build(read_spec(path, shown), players, variants, options)
            with contextlib.suppress(native.NativeUnavailable):
                native.build_native(engine)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """One process of this node at a time."""
    try:
        import fcntl
    except ImportError:  # not every system has it; then work may be done twice
        yield
        return
    with (native.native_dir() / ".lock").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _zipped(folder: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return out.getvalue()


def _unzipped(folder: Path, content: bytes) -> None:
    """A folder of the cache from what was sent, whole or not at all."""
    if folder.exists():
        return
    draft = folder.with_name(f".{folder.name}.{os.getpid()}")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for item in archive.namelist():
            path = draft / item
            if not path.resolve().is_relative_to(draft.resolve()):
                raise RulewrightError(f"{item} leads out of the engine's folder")
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_bytes(archive.read(item))
    draft.rename(folder)
