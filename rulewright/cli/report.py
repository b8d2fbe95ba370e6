"""`rulewright report`: a table of games → an HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    @app.command()
    def report(
        file: Annotated[
            Path, typer.Argument(metavar="FILE", help="A table of `rulewright simulate`.")
        ],
        out: Annotated[
            Path | None,
            typer.Option("--out", help="The page; default: the table's name with .html."),
        ] = None,
    ) -> None:
        """Make a page with plots from a table of games; it needs nothing else to be looked at."""
        from rulewright.report.page import page
        from rulewright.simulate.files import write_text
        from rulewright.simulate.summary import Summary
        from rulewright.simulate.table import read_table

        meta, rows = read_table(file)
        summary = Summary(meta)
        for row in rows:
            summary.add(row)
        target = out or file.with_suffix(".html")
        write_text(target, page(summary, str(meta.get("called") or "period")))
        typer.echo(f"{target}: {summary.games} games")
