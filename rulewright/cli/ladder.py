"""`rulewright ladder`: bots → how strong each of them is, by blocks of games from every seat."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from rulewright.ladder.standings import Standings
    from rulewright.runs.backends import Where
    from rulewright.simulate.one import Row
    from rulewright.simulate.plan import Plan
    from rulewright.stop import Stop


def register(app: typer.Typer) -> None:
    @app.command()
    def ladder(
        ctx: typer.Context,
        game: Annotated[str, typer.Argument(metavar="GAME|FOLDER")],
        bots: Annotated[
            str, typer.Option("--bots", "-b", help="Two or more bots: mcts:200,greedy,random.")
        ],
        blocks: Annotated[
            int,
            typer.Option("--blocks", "-n", help="How many blocks: one seed with all seat orders."),
        ] = 20,
        until: Annotated[
            str | None,
            typer.Option("--until", metavar="'A > B'", help="Stop as soon as this is answered."),
        ] = None,
        margin: Annotated[
            float,
            typer.Option(
                "--margin", help="What counts as more: meetings won less lost, as a share."
            ),
        ] = 0.1,
        error: Annotated[
            float, typer.Option("--error", help="How often an answer may be wrong.")
        ] = 0.05,
        iterations: Annotated[
            int | None,
            typer.Option("--iterations", help="So many iterations for every bot that searches."),
        ] = None,
        cpu: Annotated[
            float | None,
            typer.Option("--cpu", help="So many seconds of the processor for every decision."),
        ] = None,
        anchor: Annotated[
            str | None, typer.Option("--anchor", help="The bot whose rating is 0.")
        ] = None,
        players: PlayersOption = None,
        variant: VariantsOption = None,
        option: OptionsOption = None,
        jobs: Annotated[
            int, typer.Option("--jobs", "-j", min=1, max=256, help="Processes to play in.")
        ] = 1,
        seed: Annotated[
            int, typer.Option("--seed", "-s", help="The same seed, the same games.")
        ] = 0,
        backend: BackendOption = "local",
        run: RunOption = None,
        page: Annotated[
            Path | None, typer.Option("--page", help="Write a page with plots: FILE.html.")
        ] = None,
        interpreted: InterpretedOption = False,
        format_: FormatOption = "text",
    ) -> None:
        """Let bots meet in blocks of games and rate them: every bot has every seat under the same luck."""
        from rulewright.bots.base import BotError, reproducible
        from rulewright.bots.identity import bot_hash
        from rulewright.ladder.budget import with_budget
        from rulewright.ladder.page import page as page_of
        from rulewright.ladder.question import QuestionError, ask
        from rulewright.ladder.show import show
        from rulewright.ladder.standings import Standings, to_json
        from rulewright.runs.backends import where
        from rulewright.runs.job import RunError
        from rulewright.simulate.files import write_text
        from rulewright.simulate.plan import PlanError, make_ladder
        from rulewright.stop import Stop

        stop = ctx.with_resource(ctx.obj if isinstance(ctx.obj, Stop) else Stop())
        if iterations is not None and cpu is not None:
            raise Usage("give --iterations or --cpu, not both")
        try:
            place = where(backend, run, jobs)
            plan = make_ladder(
                game, bots.split(","), players, blocks, seed, variant or (), options_of(option)
            )
            make_engine(plan, interpreted)
            loaded = plan.load()
            if iterations is not None or cpu is not None:
                budget = f"{cpu:g}cpu" if cpu is not None else str(iterations)
                names, others = with_budget(plan.bots, budget, loaded, plan.folder)
                plan = replace(plan, bots=tuple(names))
                for name in others:
                    print(f"note: {name} does not search; no budget", file=sys.stderr)
            made = plan.make_bots(loaded)
            question = None if until is None else ask(until, plan.bots, margin, error)
            at = None if anchor is None else list(plan.bots).index(anchor)
        except (BotError, PlanError, QuestionError, RunError) as wrong:
            raise Usage(str(wrong)) from wrong
        except ValueError:
            raise Usage(f"{anchor!r} is no bot of this ladder ({', '.join(plan.bots)})") from None
        for name, bot in zip(plan.bots, made, strict=True):
            if not reproducible(bot):
                print(
                    f"note: {name} has a time budget, so these games can't be repeated exactly",
                    file=sys.stderr,
                )
        tell_engine(loaded)
        standings = Standings(plan, question, str(loaded.info["title"]))
        replaced = _play(plan, standings, place, stop)
        hashes = [bot_hash(b, loaded, plan.folder) for b in plan.bots]
        ruleset = str(loaded.info["hash"])
        if not standings.blocks:
            print("interrupted before the first block was done", file=sys.stderr)
            raise typer.Exit(130)
        if format_ == "json":
            print_json(to_json(standings, ruleset, hashes, at))
        else:
            show(standings, hashes, at)
        if page is not None:
            write_text(page, page_of(standings, ruleset, hashes, at))
            if format_ == "text":
                print(f"\nThe page is {page}.")
        if replaced:
            print(
                f"note: {replaced} workers died and were replaced; their games were played again",
                file=sys.stderr,
            )
        if stop.asked:
            told = f"; the same command goes on with {run}" if run is not None else ""
            print(f"interrupted after {len(standings.blocks)} blocks{told}", file=sys.stderr)
            raise typer.Exit(130)


def _play(plan: Plan, standings: Standings, place: Where, stop: Stop) -> int:
    """All blocks, or as many as the question needs; how many workers were replaced."""
    from rulewright.runs.backends import start
    from rulewright.simulate.run import Crowd
    from rulewright.simulate.show import Progress

    progress = Progress(plan.games)
    with stop, progress:
        if place.here:
            crowd = Crowd(plan, stop)
            _fill(standings, crowd.rows(place.jobs, progress.show))
            return crowd.replaced
        run, _ = start([plan], place, stop)
        rounds = run.rounds(progress.show)
        _fill(standings, (row for sides in rounds for row in sides[0]))
        return run.replaced


def _fill(standings: Standings, rows: Iterator[Row]) -> None:
    for row in rows:
        standings.add(row)
        if standings.done:
            break
    # ends whoever plays on
    close = getattr(rows, "close", None)
    if close is not None:
        close()
