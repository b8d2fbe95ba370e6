"""`rulewright bench`: engines, a hand-written yardstick and packages of others → how fast they are, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import Usage


def register(app: typer.Typer) -> None:
    @app.command()
    def bench(
        yardstick: Annotated[
            Path | None,
            typer.Option(
                "--yardstick", metavar="FILE.py", help="A hand-written engine to compare with."
            ),
        ] = None,
        limit: Annotated[
            Path | None,
            typer.Option(
                "--limit",
                metavar="FILE.c",
                help="A hand-written engine in C: what could be reached.",
            ),
        ] = None,
        only: Annotated[
            list[str] | None,
            typer.Option(
                "--only",
                metavar="WORD",
                help="Only what has this word in its group or name (inside, calls, ours, open_spiel …); may be given several times.",
            ),
        ] = None,
        rounds: Annotated[
            int, typer.Option("--rounds", min=1, help="How often each case is measured.")
        ] = 5,
        seconds: Annotated[
            float, typer.Option("--seconds", min=0.01, help="CPU time of one measurement.")
        ] = 1.0,
        quick: Annotated[
            bool, typer.Option("--quick", help="Two rounds of a fifth of a second.")
        ] = False,
        endurance: Annotated[
            int | None,
            typer.Option(
                "--endurance",
                min=20,
                metavar="GAMES",
                help="Instead: so many games in one process for each engine asked for.",
            ),
        ] = None,
        out: Annotated[
            Path | None, typer.Option("--out", metavar="FILE.json", help="Keep all figures.")
        ] = None,
        markdown: Annotated[
            Path | None, typer.Option("--markdown", metavar="FILE.md", help="Keep the tables.")
        ] = None,
    ) -> None:
        """Measure engines, and what people would use instead, side by side."""
        from rulewright.bench.measurements import Asked, session

        for given in (yardstick, limit):
            if given is not None and not given.is_file():
                raise Usage(f"there is no file {given.as_posix()} to measure against")
        for file in (out, markdown):
            if file is not None and not file.absolute().parent.is_dir():
                raise Usage(f"there is no folder {file.parent.as_posix()} to write to")
        if quick:
            rounds, seconds = 2, 0.2
        asked = Asked(
            None if yardstick is None else yardstick.resolve(),
            None if limit is None else limit.resolve(),
            tuple(only or ()),
            rounds,
            seconds,
            endurance,
            out,
            markdown,
        )
        raise typer.Exit(session(asked))
