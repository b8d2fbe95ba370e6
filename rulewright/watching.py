"""A spec's folder → its engine, made anew after each change; while the spec is wrong, the last good one stays."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.runtime.game import Game
from rulewright.runtime.hashes import SPEC_ENDINGS

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec
    from rulewright.compiler.text.diagnostics import Problems, SpecError
    from rulewright.trial import Trial


class Watched:
    """`look()` reads the folder again if a file has changed. `game` is the last engine that could be made."""

    def __init__(
        self, folder: Path, display: str, players: int | None, variants: Sequence[str] = ()
    ) -> None:
        self.folder, self.display = folder, display
        self.players, self.variants = players, tuple(variants)
        self.game: Game | None = None
        self.error: SpecError | None = None
        self.warnings: Problems | None = None
        self.spec: Spec | None = None
        self._stamp: dict[str, tuple[int, int]] | None = None

    def has_changed(self) -> bool:
        return self._stamps() != self._stamp

    def look(self) -> list[str] | None:
        """The files that changed, after everything was read anew; None when nothing has changed."""
        stamp = self._stamps()
        if stamp == self._stamp:
            return None
        before = self._stamp or {}
        changed = sorted(f for f in {*before, *stamp} if before.get(f) != stamp.get(f))
        self._stamp = stamp
        self._make()
        return changed

    def _stamps(self) -> dict[str, tuple[int, int]]:
        out: dict[str, tuple[int, int]] = {}
        for file in self.folder.rglob("*"):
            if file.suffix in SPEC_ENDINGS:
                try:
                    found = file.stat()
                except OSError:
                    continue  # it has just been replaced; the next look sees it
                out[file.relative_to(self.folder).as_posix()] = (found.st_mtime_ns, found.st_size)
        return out

    def _make(self) -> None:
        from rulewright.cache import folder as cache_folder
        from rulewright.checking import check_folder
        from rulewright.compiler.build import read_spec
        from rulewright.compiler.text.diagnostics import SpecError
        from rulewright.engines import game_of

        try:
            spec = read_spec(self.folder, self.display)
            problems = check_folder(spec, self.folder, cache_folder("checked"))
            if problems.has_errors:
                raise SpecError(problems, spec.sources)
            players = self.players or max(spec.folder.game.players)
            game: Any = game_of(spec, players, self.variants)
        except SpecError as error:
            self.error = error
            return
        self.error, self.warnings, self.game, self.spec = None, problems, game, spec


class Background(threading.Thread):
    """Games of every ruleset, played while the watcher waits; given up at the next change."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(daemon=True)
        self.spec = spec
        self.trial: Trial | None = None
        self._stopped = threading.Event()

    def run(self) -> None:
        from rulewright.trial import try_out

        trial = try_out(self.spec, go_on=lambda: not self._stopped.is_set())
        if not self._stopped.is_set():
            self.trial = trial

    def give_up(self) -> None:
        self._stopped.set()
        self.join()
