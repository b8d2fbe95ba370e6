"""`rulewright check`: specs → every problem in any of their rulesets."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

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

    def count(self, severity: str) -> int:
        return sum(problem.severity == severity for problem in self.problems)

    def line(self) -> str:
        found = [
            counted(number, severity)
            for severity in ("error", "warning")
            if (number := self.count(severity))
        ]
        rulesets = f" ({counted(self.rulesets, 'ruleset')})" if self.rulesets else ""
        return f"{self.name}: {', '.join(found) or 'fine'}{rulesets}"

    def to_json(self) -> dict[str, Any]:
        from rulewright.compiler.text.diagnostics import to_json

        return {
            "game": self.name,
            "folder": self.shown,
            "rulesets": self.rulesets,
            "errors": self.count("error"),
            "warnings": self.count("warning"),
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


def check_one(name: str) -> Checked:
    """All rulesets of one spec; problems of reading it are problems like others."""
    from rulewright.compiler.build import check_spec, read_spec
    from rulewright.compiler.read.overlay import rulesets
    from rulewright.compiler.text.diagnostics import SpecError

    path, shown = folder_of(name)
    try:
        spec = read_spec(path, shown)
    except SpecError as error:
        return Checked(path.resolve().name, shown, error.sources, error.problems.all())
    problems = check_spec(spec)
    for problem in spec.problems:
        problems.add(problem)
    count = len(rulesets(spec.folder))
    return Checked(spec.folder.game.game, shown, spec.sources, problems.all(), count)


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
    ) -> None:
        """Look for mistakes in specs, in every player count and variant."""
        from rulewright.compiler.text.diagnostics import render

        wanted = specs or games()
        for name in wanted:
            folder_of(name)  # a wrong name is told before the work begins
        results = []
        for name in wanted:
            with without_collection():
                result = check_one(name)
            results.append(result)
            if format_ == "text":
                for problem in result.problems:
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
