"""`rulewright diff`: two rulesets → what differs between them, in a player's words."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from rulewright.cli.common import PlayersOption, print_json

_RULESET = "GAME, GAME+variant, GAME+variant@3, or a folder"


def register(app: typer.Typer) -> None:
    @app.command()
    def diff(
        a: Annotated[str, typer.Argument(metavar="A", help=_RULESET)],
        b: Annotated[str, typer.Argument(metavar="B", help=_RULESET)],
        players: PlayersOption = None,
        format_: Annotated[
            Literal["text", "markdown", "json"],
            typer.Option("--format", help="How to print the result."),
        ] = "text",
        quiet: Annotated[
            bool,
            typer.Option("--exit-code", help="Leave with 1 when the two are not played alike."),
        ] = False,
    ) -> None:
        """Compare two rulesets by meaning: cells, rows, procedures and clauses that differ."""
        from rulewright.report.diff_text import to_text
        from rulewright.report.ruleset_differences import compare_rulesets
        from rulewright.report.rulesets import parse, settle

        found = compare_rulesets(*settle(parse(a), parse(b), players))
        if format_ == "json":
            print_json(found.to_json())
        else:
            typer.echo(to_text(found, markdown=format_ == "markdown"), nl=False)
        if quiet and not found.alike:
            raise typer.Exit(1)
