"""`rulewright check`: specs → every problem in any of their rulesets."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.cli.common import FormatOption, folder_of, has_colour, print_json
from rulewright.engines import games
from rulewright.wording import counted

if TYPE_CHECKING:
    from rulewright.language.checked import Checked


def check_one(name: str, play: bool = False) -> Checked:
    """All rulesets of a spec by its name or folder."""
    from rulewright.language.checked import check_path

    return check_path(*folder_of(name), play)


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
        from rulewright.language.checked import without_collection

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
