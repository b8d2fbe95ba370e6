"""An opened folder → a workbench: its project, checks after every change, and news for the pages that show it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from rulewright.runtime.errors import RulewrightError
from rulewright.studio.cell_grids import Grids
from rulewright.studio.comparing import Comparison
from rulewright.studio.desk import Ask
from rulewright.studio.edits import EditError
from rulewright.studio.journal import write_whole
from rulewright.studio.project import Project
from rulewright.web.bots_pool import WorkerError, Workers

Json = dict[str, Any]
LOOK_EVERY = 0.3
# so long nothing changes before all rulesets are looked at
QUIET = 0.6
CHECK_SECONDS = 60.0
LONG_SECONDS = 1_800.0
MOST_LISTENERS = 32


class Bench:
    """One folder. `near` checks the ruleset in sight and answers the editor, `far` checks all the others behind it."""

    def __init__(self, project: Project, near: Workers, far: Workers, long: Workers) -> None:
        self.project, self.near, self.far, self.long = project, near, far, long
        self.id = bench_id(project.root)
        self.lock = asyncio.Lock()
        self.players: int | None = None
        self.variants: list[str] = []
        self.in_sight: Json = {"problems": [], "errors": 0, "warnings": 0, "spec": {}}
        self.all: Json | None = None
        # the version of the files that the last check was about
        self.checked = -1
        # the last files that were right in sight, for tables and the board while there is a mistake
        self.good_files: dict[str, str] | None = None
        self.known_spec: Json = {}
        self.comparison: Comparison | None = None
        self.listeners: set[asyncio.Queue[Json]] = set()
        self._wake = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._watch()),
            asyncio.create_task(self._check()),
        ]
        self._far_task: asyncio.Task[None] | None = None
        self._wake.set()

    async def close(self) -> None:
        if self.comparison is not None:
            await self.comparison.end()
        for task in (*self._tasks, *([self._far_task] if self._far_task else [])):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    # ------------------------------------------------------------ news

    def tell(self, message: Json) -> None:
        for queue in self.listeners:
            if queue.qsize() < 100:
                queue.put_nowait(message)

    def state(self) -> Json:
        project = self.project
        return {
            "type": "state",
            "version": project.version,
            "checked": self.checked,
            "files": {file: project.hash(file) for file in project.files()},
            "steps": project.steps(),
            "players": self.players,
            "variants": self.variants,
            "spec": self.known_spec,
            "finished": project.finished,
        }

    def problems(self) -> Json:
        """What is wrong now: of the ruleset in sight, and of all others once they are known for this version."""
        found = list(self.in_sight["problems"])
        known = {(p["code"], p["file"], p["line"], p["column"], p["message"]) for p in found}
        if self.all is not None:
            for p in self.all["problems"]:
                if (p["code"], p["file"], p["line"], p["column"], p["message"]) not in known:
                    found.append(p)
        found.sort(key=lambda p: p["severity"] != "error")
        return {
            "type": "problems",
            "version": self.checked,
            "whole": self.all is not None,
            "problems": found,
            "errors": sum(p["severity"] == "error" for p in found),
            "warnings": sum(p["severity"] == "warning" for p in found),
            "seconds": self.in_sight.get("seconds"),
            "rulesets": 0 if self.all is None else self.all.get("rulesets", 0),
        }

    # ------------------------------------------------------------ checking

    def changed(self) -> None:
        """Files are different now: pages hear of it at once, and the check begins."""
        self.tell(self.state())
        self._wake.set()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            async with self.lock:
                found = await asyncio.to_thread(self.project.look)
            if found:
                self.changed()

    async def _check(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            version, files = self.project.version, self.texts()
            try:
                answer = await self.ask(
                    "check", {"players": self.players, "variants": self.variants}
                )
            except WorkerError as error:
                self.tell({"type": "trouble", "text": str(error)})
                continue
            if self.project.version != version:
                self._wake.set()
            self.in_sight = {**answer["answer"], "seconds": round(answer["seconds"], 3)}
            self.all, self.checked = None, version
            if self.in_sight["spec"]:
                self.known_spec = self.in_sight["spec"]
                counts = self.known_spec["players"]
                if self.players not in counts:
                    self.players = max(counts)
            if not self.in_sight["errors"] and self.project.version == version:
                self.good_files = files
            self.tell(self.problems())
            self.tell(self.state())
            if self._far_task is not None:
                self._far_task.cancel()
            self._far_task = asyncio.create_task(self._others(version))

    async def _others(self, version: int) -> None:
        """All rulesets, with warnings, when the one in sight is known and nobody has changed anything for a moment."""
        await asyncio.sleep(QUIET)
        with contextlib.suppress(WorkerError):
            job = Ask(str(self.project.root), "check_all")
            answer = await self.far.ask(job, CHECK_SECONDS)
            if self.project.version == version:
                self.all = answer["answer"]
                self.tell(self.problems())

    async def ask(self, what: str, values: Json) -> Json:
        """The language service's answer, with the time of the processor that it took."""
        found: Json = await self.near.ask(Ask(str(self.project.root), what, values), CHECK_SECONDS)
        return found

    async def ask_far(self, what: str, values: Json) -> Any:
        """What makes an engine and is waited for."""
        found = await self.far.ask(Ask(str(self.project.root), what, values), CHECK_SECONDS)
        return found["answer"]

    async def ask_long(self, what: str, values: Json) -> Any:
        """What runs scenarios: behind everything else, and as long as it takes."""
        found = await self.long.ask(Ask(str(self.project.root), what, values), LONG_SECONDS)
        return found["answer"]

    def look_at(self, players: int | None, variants: list[str]) -> None:
        """Another ruleset is in sight."""
        self.players, self.variants = players, variants
        self.tell(self.state())
        self._wake.set()

    def texts(self) -> dict[str, str]:
        return {file: self.project.text(file) for file in self.project.files()}

    def playable(self) -> dict[str, str] | None:
        """The last files that were right in sight, while those of the folder are not; None: the folder as it is."""
        if not self.in_sight["errors"]:
            return None
        if self.good_files is None:
            raise EditError("there are mistakes in the rules, and no earlier ones that were right")
        return self.good_files

    def grids(self) -> Grids:
        return Grids(self.texts())


class Benches:
    """All folders that were opened, also by earlier servers; each gets its workbench when somebody comes."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self._file = data / "projects.json"
        self.paths: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(self._file.read_text(encoding="utf-8"))
            self.paths = {str(k): str(v) for k, v in found.items()}
        self._open: dict[str, Bench] = {}
        self._near: Workers | None = None
        self._far: Workers | None = None
        self._long: Workers | None = None

    def start(self) -> None:
        from rulewright.studio.desk import work

        self._near = Workers(1, 1_000, work)
        self._far = Workers(1, 1_000, work)
        self._long = Workers(1, 100, work)

    async def close(self) -> None:
        for bench in self._open.values():
            await bench.close()
        for workers in (self._near, self._far, self._long):
            if workers is not None:
                workers.close()

    def remember(self, root: Path) -> str:
        """A folder by a short name for its address; it is known to later servers too."""
        root = root.resolve()
        if not (root / "game.yaml").is_file():
            raise RulewrightError(f"{root} is no folder of a game: it has no game.yaml")
        id_ = bench_id(root)
        if self.paths.get(id_) != str(root):
            self.paths[id_] = str(root)
            self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._file, json.dumps(self.paths, indent=1))
        original = self.original(id_, root.name)
        if not original.is_dir():
            # what a change is compared with, however long ago it began
            part = original.with_name(f".{original.name}.part")
            part.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(root, part, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            part.rename(original)
        return id_

    def original(self, id_: str, name: str) -> Path:
        """The folder as it was when it was first opened."""
        return self.data / "originals" / id_ / name

    async def get(self, id_: str) -> Bench | None:
        bench = self._open.get(id_)
        if bench is not None:
            return bench
        path = self.paths.get(id_)
        if path is None or not Path(path).is_dir():
            return None
        assert self._near and self._far and self._long
        project = await asyncio.to_thread(Project, Path(path))
        if id_ not in self._open:
            self._open[id_] = Bench(project, self._near, self._far, self._long)
        return self._open[id_]

    def recent(self) -> list[tuple[str, str]]:
        return [(id_, p) for id_, p in self.paths.items() if Path(p, "game.yaml").is_file()]


def bench_id(root: Path) -> str:
    return hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:12]
