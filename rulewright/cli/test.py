"""`rulewright test`: the scenarios of specs → which hold, and for the others what came instead."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from rulewright.cli.common import FormatOption, Usage, folder_of, has_colour, print_json
from rulewright.engines import games
from rulewright.wording import counted


def register(app: typer.Typer) -> None:
    @app.command()
    def test(
        specs: Annotated[
            list[str] | None,
            typer.Argument(metavar="[GAME|FOLDER]...", help="Which; without, all games there are."),
        ] = None,
        text: Annotated[
            str,
            typer.Option(
                "-k",
                metavar="TEXT",
                help="Only scenarios with these words in name, file or clauses.",
            ),
        ] = "",
        jobs: Annotated[
            int, typer.Option("--jobs", "-j", min=1, max=256, help="How many processes to use.")
        ] = 1,
        format_: FormatOption = "text",
        original: Annotated[
            str | None,
            typer.Option(
                "--original",
                metavar="GAME|FOLDER",
                help="What the folder was before it was edited: failures are sorted into those that tell of the change, and surprises.",
            ),
        ] = None,
        stop: Annotated[bool, typer.Option("-x", help="Stop at the first failure.")] = False,
    ) -> None:
        """Run the scenarios of a game: positions, decisions and what must come of them."""
        from rulewright.compiler.text.diagnostics import render
        from rulewright.conformance.outcomes import run_suite
        from rulewright.conformance.report import failure_text, is_fine, run_json, summary
        from rulewright.conformance.sorting import sorted_failures
        from rulewright.conformance.suite import load_suite

        wanted = [folder_of(name) for name in specs or games()]
        if original is not None and len(wanted) != 1:
            raise Usage("--original goes with one folder")
        before = None if original is None else folder_of(original)[0]
        fine, ran = True, 0
        shown: list[dict[str, Any]] = []
        for path, display in wanted:
            suite = load_suite(path, display)
            run = run_suite(suite, text, jobs, stop)
            fine = fine and is_fine(run)
            ran += len(run.outcomes) + len(run.problems)
            if format_ == "json":
                shown.append(run_json(suite.name, run))
                continue
            for problem in run.problems:
                typer.echo(render(problem, suite.spec.sources, colour=has_colour(sys.stdout)))
            heaps = (
                [("", run.failed)]
                if before is None
                else sorted_failures(path, display, run, before)
            )
            for heap, outcomes in heaps:
                if heap:
                    typer.echo(f"{heap}: {counted(len(outcomes), 'failure')}")
                for outcome in outcomes:
                    typer.echo(failure_text(outcome))
            count = counted(len(suite.scenarios), "scenario") if not text else "those that match"
            typer.echo(f"{suite.name}: {summary(run)} ({count}, {run.seconds:.1f} s)")
            if stop and not fine:
                break
        if format_ == "json":
            print_json({"ok": fine, "games": shown})
        if text and not ran:
            raise Usage(f"no scenario matches {text!r}")
        raise typer.Exit(0 if fine else 1)
