"""A spec's folder → every problem in any of its rulesets, with the files that messages show."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.cache import folder as cache_folder

if TYPE_CHECKING:
    from rulewright.compiler.build import Spec
    from rulewright.compiler.core.tree import Game
    from rulewright.compiler.text.diagnostics import Problem
    from rulewright.compiler.text.source import Sources


@dataclass(slots=True)
class Checked:
    """What was found in one spec. `spec` and `game` are there as far as it could be read and checked."""

    name: str
    shown: str
    sources: Sources
    problems: list[Problem] = field(default_factory=list)
    rulesets: int = 0
    played: str = ""
    spec: Spec | None = None
    game: Game | None = None

    def count(self, severity: str) -> int:
        return sum(problem.severity == severity for problem in self.problems)

    def line(self) -> str:
        found = [
            _counted(number, severity)
            for severity in ("error", "warning")
            if (number := self.count(severity))
        ]
        rulesets = f" ({_counted(self.rulesets, 'ruleset')})" if self.rulesets else ""
        played = f"; {self.played}" if self.played else ""
        return f"{self.name}: {', '.join(found) or 'fine'}{rulesets}{played}"

    def to_json(self) -> dict[str, Any]:
        from rulewright.compiler.text.diagnostics import to_json

        return {
            "game": self.name,
            "folder": self.shown,
            "rulesets": self.rulesets,
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "played": self.played or None,
            "problems": to_json(self.problems),
        }


def _counted(number: int, one: str) -> str:
    return f"{number} {one if number == 1 else one + 's'}"


@contextmanager
def without_collection() -> Iterator[None]:
    """A check makes many objects that all stay: looking for garbage among them again and again costs a tenth of its time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def check_path(path: Path, shown: str, play: bool = False) -> Checked:
    """All rulesets of one spec; problems of reading it are problems like others. A spec that is right may be tried out."""
    from rulewright.checking import check_folder
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.read.overlay import rulesets
    from rulewright.compiler.text.diagnostics import SpecError

    try:
        spec = read_spec(path, shown)
    except SpecError as error:
        return Checked(path.resolve().name, shown, error.sources, error.problems.all())
    problems = check_folder(spec, path, cache_folder("checked"))
    count = len(rulesets(spec.folder))
    played = ""
    if play and not problems.has_errors:
        from rulewright.trial import try_out

        trial = try_out(spec)
        played = trial.line()
        for problem in trial.problems:
            problems.add(problem)
    name = spec.folder.game.game
    return Checked(name, shown, spec.sources, problems.all(), count, played, spec)


def check_one_ruleset(
    path: Path, shown: str, players: int | None, variants: Sequence[str] = ()
) -> Checked:
    """One ruleset alone: its errors, as soon as possible. Warnings follow from all rulesets, so they are not among them.

    Variants and counts that the spec does not have (any more) are left out.
    """
    from rulewright.checking import check_ruleset_in_folder
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.text.diagnostics import SpecError

    try:
        spec = read_spec(path, shown)
    except SpecError as error:
        return Checked(path.resolve().name, shown, error.sources, error.problems.all())
    counts = spec.folder.game.players
    count = players if players in counts else max(counts)
    known = spec.folder.variants
    fitting = [v for v in variants if v in known and count in known[v].players]
    problems, game = check_ruleset_in_folder(spec, path, count, fitting)
    name = spec.folder.game.game
    return Checked(name, shown, spec.sources, problems.all(), 1, "", spec, game)
