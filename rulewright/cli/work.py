"""`rulewright work`: the folder of a run → more units of it played, on this machine too."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command()
    def work(
        ctx: typer.Context,
        folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of `--run`.")],
        jobs: Annotated[
            int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes to play in.")
        ] = 1,
    ) -> None:
        """Help with a run that `simulate`, `compare` or `ladder` has begun with --run, from any machine that sees its folder."""
        from rulewright.runs.shared_folder import help_with
        from rulewright.runs.store import Store
        from rulewright.simulate.show import Progress
        from rulewright.stop import Stop

        stop = ctx.with_resource(ctx.obj if isinstance(ctx.obj, Stop) else Stop())
        store = Store.open(folder)
        progress = Progress(store.job.games)
        with stop, progress:
            units = help_with(store, jobs, stop, progress.show)
        if stop.asked:
            print("interrupted; what was done is kept", file=sys.stderr)
            raise typer.Exit(130)
        games = min(units * store.job.unit, store.job.games)
        print(f"{folder}: {games} of {store.job.games} games are there")
