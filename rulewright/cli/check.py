"""`rulewright check`: specs → every problem in any of their rulesets."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulewright.cache import folder as cache_folder
from rulewright.cli.common import FormatOption, counted, folder_of, has_colour, print_json
from rulewright.engines import games

if TYPE_CHECKING:
    from rulewright.compiler.text.diagnostics import Problem
    from rulewright.compiler.text.source import Sources


@dataclass(slots=True)
class Checked:
    """What was found in one spec."""

    name: str
    shown: str
    sources: Sources
    problems: list[Problem] = field(default_factory=list)
    rulesets: int = 0
    played: str = ""

    def count(self, severity: str) -> int:
        return sum(problem.severity == severity for problem in self.problems)

    def line(self) -> str:
        found = [
            counted(number, severity)
            for severity in ("error", "warning")
            if (number := self.count(severity))
        ]
        rulesets = f" ({counted(self.rulesets, 'ruleset')})" if self.rulesets else ""
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


def check_one(name: str, play: bool = False) -> Checked:
    """All rulesets of one spec; problems of reading it are problems like others. A spec that is right may be tried out."""
    from rulewright.checking import check_folder
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.read.overlay import rulesets
    from rulewright.compiler.text.diagnostics import SpecError

    path, shown = folder_of(name)
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
    return Checked(spec.folder.game.game, shown, spec.sources, problems.all(), count, played)


def register(app: typer.Typer) -> None:
    @app.command()
    def check(
        specs: Annotated[
            list[str] | None,
            typer.Argument(metavar="GAME|FOLDER", help="Which; without, all games there are."),
        ] = None,
        format_: FormatOption = "text",
        warnings_as_errors: Annotated[
            bool, typer.Option("--warnings-as-errors", help="Fail on a warning too.")
        ] = False,
        play: Annotated[
            bool,
            typer.Option(
                "--play",
                help="Play a few random games of each too, with a look at all that must hold.",
            ),
        ] = False,
    ) -> None:
        """Look for mistakes in specs, in every player count and variant."""
        from rulewright.compiler.text.diagnostics import render

        wanted = specs or games()
        for name in wanted:
            folder_of(name)  # a wrong name is told before the work begins
        results = []
        for name in wanted:
            with without_collection():
                result = check_one(name, play)
            results.append(result)
            if format_ == "text":
                # errors stand last, where they are seen
                for problem in sorted(result.problems, key=lambda p: p.severity == "error"):
                    typer.echo(render(problem, result.sources, colour=has_colour(sys.stdout)))
                typer.echo(result.line())
        errors = sum(result.count("error") for result in results)
        warnings = sum(result.count("warning") for result in results)
        failed = bool(errors or (warnings and warnings_as_errors))
        if format_ == "json":
            print_json(
                {
                    "ok": not failed,
                    "errors": errors,
                    "warnings": warnings,
                    "games": [result.to_json() for result in results],
                }
            )
        elif len(results) > 1:
            found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
            typer.echo(f"{counted(len(results), 'game')}: {found}")
        raise typer.Exit(1 if failed else 0)
