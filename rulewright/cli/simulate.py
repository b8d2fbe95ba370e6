"""`rulewright simulate`: a game and bots → many games, a summary, and a table to keep."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.common import (
    BackendOption,
    FormatOption,
    InterpretedOption,
    OptionsOption,
    PlayersOption,
    RunOption,
    Usage,
    VariantsOption,
    make_engine,
    options_of,
    print_json,
    tell_engine,
)


def register(app: typer.Typer) -> None:
    @app.command()
    def simulate(
        ctx: typer.Context,
        game: Annotated[str, typer.Argument(metavar="GAME|FOLDER")],
        games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 100,
        players: PlayersOption = None,
        bots: Annotated[
            str,
            typer.Option(
                "--bots",
                "-b",
                help="A bot for each seat, or one for all: mcts:200,greedy,random,random.",
            ),
        ] = "random",
        variant: VariantsOption = None,
        option: OptionsOption = None,
        jobs: Annotated[
            int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes to play in.")
        ] = 1,
        seed: Annotated[
            int, typer.Option("--seed", "-s", help="The same seed gives the same table.")
        ] = 0,
        out: Annotated[
            Path | None, typer.Option("--out", help="Keep the table: FILE.csv, .jsonl or .parquet.")
        ] = None,
        fixed_seats: Annotated[
            bool,
            typer.Option(
                "--fixed-seats", help="Bots keep their seats instead of moving on with each game."
            ),
        ] = False,
        backend: BackendOption = "local",
        run: RunOption = None,
        choices: Annotated[
            bool, typer.Option("--choices", help="Show how often each value was chosen.")
        ] = False,
        interpreted: InterpretedOption = False,
        format_: FormatOption = "text",
    ) -> None:
        """Let bots play many games and tell what came of them."""
        from rulewright.bots.base import BotError, reproducible
        from rulewright.runs.backends import start, where
        from rulewright.runs.job import RunError
        from rulewright.simulate.keep import play_all
        from rulewright.simulate.plan import PlanError, make_plan
        from rulewright.simulate.run import Crowd
        from rulewright.simulate.show import show_summary
        from rulewright.simulate.table import check_format
        from rulewright.stop import Stop

        if out is not None:
            check_format(out)
        # from here on who asks to stop gets a table of what was played, be it nothing
        stop = ctx.with_resource(ctx.obj if isinstance(ctx.obj, Stop) else Stop())
        try:
            plan = make_plan(
                game,
                bots.split(","),
                players,
                games,
                seed,
                variant or (),
                options_of(option),
                fixed_seats,
            )
            make_engine(plan, interpreted)
            crowd = Crowd(plan, stop)
            place = where(backend, run, jobs)
        except (BotError, PlanError, RunError) as error:
            raise Usage(str(error)) from error
        for name in sorted(
            {b for b, bot in zip(plan.bots, crowd.bots, strict=True) if not reproducible(bot)}
        ):
            print(
                f"note: {name} has a time budget, so these games can't be repeated exactly",
                file=sys.stderr,
            )
        tell_engine(crowd.game)
        if place.here:
            summary = play_all(crowd, jobs, out)
        else:
            under_way, _ = start([plan], place, stop)
            with stop:
                summary = play_all(
                    crowd,
                    jobs,
                    out,
                    lambda w: (r for sides in under_way.rounds(w) for r in sides[0]),
                )
            crowd.replaced = under_way.replaced
        if format_ == "json":
            print_json(summary.to_json())
        else:
            show_summary(summary, choices=choices)
            if out is not None:
                print(f"\nThe table is in {out}. Its page: rulewright report {out}")
            if run is not None:
                print(
                    f"\nThe games are in {run / 'games'}. Their page: rulewright report {run / 'games'}"
                )
        if crowd.replaced:
            print(
                f"note: {crowd.replaced} workers died and were replaced; their games were played again",
                file=sys.stderr,
            )
        if crowd.interrupted:
            kept = f"; {out} holds them" if out is not None else ""
            kept += f"; the same command goes on with {run}" if run is not None else ""
            print(f"interrupted after {summary.games} of {plan.games} games{kept}", file=sys.stderr)
            raise typer.Exit(130)
