"""`rulewright compare`: two rulesets, or two bots → how their games differ, over the same seeds."""

from __future__ import annotations

import sys
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
    is_own,
    make_engine,
    options_of,
    print_json,
    tell_engine,
)

if TYPE_CHECKING:
    from rulewright.report.paired import Pairing
    from rulewright.simulate.plan import Plan


def register(app: typer.Typer) -> None:
    @app.command()
    def compare(
        ctx: typer.Context,
        a: Annotated[
            str,
            typer.Argument(
                metavar="A", help="A ruleset (GAME+variant@3, a folder); with --game a bot."
            ),
        ],
        b: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
        game: Annotated[
            str | None, typer.Option("--game", help="Compare two bots in this game.")
        ] = None,
        bots: Annotated[
            str | None,
            typer.Option(
                "--bots",
                "-b",
                help="Who plays the rulesets: one bot for all seats, or one for each; without it the judge of the game's bots.yaml.",
            ),
        ] = None,
        against: Annotated[
            str,
            typer.Option("--against", help="Who sits at the other seats when bots are compared."),
        ] = "greedy",
        games: Annotated[int, typer.Option("--games", "-n", help="How many pairs of games.")] = 200,
        players: PlayersOption = None,
        variant: VariantsOption = None,
        option: OptionsOption = None,
        jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256)] = 1,
        seed: Annotated[int, typer.Option("--seed", "-s")] = 0,
        out: Annotated[
            Path | None, typer.Option("--out", help="Write a page to share (HTML) as well.")
        ] = None,
        early: Annotated[
            bool,
            typer.Option(
                "--early",
                help="Stop as soon as scores and length are known; intervals then hold at any time.",
            ),
        ] = False,
        interpreted: InterpretedOption = False,
        backend: BackendOption = "local",
        run: RunOption = None,
        format_: FormatOption = "text",
    ) -> None:
        """What a changed rule, or another bot, does: pairs of games with the same seeds, differences with intervals."""
        from rulewright.bots.base import BotError
        from rulewright.report.effects import effects, enough
        from rulewright.report.paired import Pairing
        from rulewright.runs.backends import start, where
        from rulewright.runs.job import RunError
        from rulewright.simulate.plan import PlanError, make_plan
        from rulewright.simulate.show import Progress
        from rulewright.stop import Stop

        options = options_of(option)
        stop = ctx.with_resource(ctx.obj if isinstance(ctx.obj, Stop) else Stop())
        try:
            if game is not None:
                plans: list[Plan] = []
                for one in (a, b):
                    probe = make_plan(game, [one], players, games, seed, variant or (), options)
                    names = [one, *[against] * (probe.players - 1)]
                    plans.append(
                        make_plan(game, names, probe.players, games, seed, variant or (), options)
                    )
                side = 0
            else:
                if variant:
                    raise Usage("name variants with the rulesets: GAME+variant")
                plans = _rulesets(a, b, players, bots or judge_of(a), games, seed, options)
                side = None
            for plan in plans:
                make_engine(plan, interpreted)
            pairing = Pairing(plans[0], plans[1], side, stop)
            place = where(backend, run, jobs)
        except (BotError, PlanError, RunError) as error:
            raise Usage(str(error)) from error
        tell_engine(*(crowd.game for crowd in pairing.crowds))
        progress = Progress(2 * games)
        replaced = 0
        with stop, progress:
            if place.here:
                pairs = pairing.rows(jobs, progress.show)
            else:
                under_way, _ = start(plans, place, stop)
                pairs = (
                    pair
                    for left, right in under_way.rounds(lambda done: progress.show(2 * done))
                    for pair in zip(left, right, strict=True)
                )
            for left, right in pairs:
                pairing.add(left, right)
                if early and enough(pairing, games):
                    break
        if not place.here:
            replaced = under_way.replaced
        if format_ == "json":
            print_json(
                {
                    "a": a,
                    "b": b,
                    "measures": [
                        {**m.to_json(), **e.to_json()}
                        for m, e in zip(
                            pairing.measures.values(), effects(pairing, games, early), strict=True
                        )
                    ],
                }
            )
        else:
            _show(a, b, plans, pairing, early)
        if out is not None:
            _write(out, a, b, plans, pairing, early, with_rules=game is None)
        if replaced:
            print(
                f"note: {replaced} workers died and were replaced; their games were played again",
                file=sys.stderr,
            )
        if pairing.interrupted:
            print("interrupted; these are the pairs so far", file=sys.stderr)
            raise typer.Exit(130)


def _rulesets(
    a: str,
    b: str,
    players: int | None,
    bots: str,
    games: int,
    seed: int,
    options: dict[str, object],
) -> list[Plan]:
    from rulewright.report.rulesets import parse, settle
    from rulewright.simulate.plan import make_plan

    one, other = parse(a), parse(b)
    if one.game != other.game and is_own(one.game) and is_own(other.game):
        raise Usage(
            f"{one.game} and {other.game} are different games; compare rulesets of one, "
            f"as in {one.game} and {one.game}+VARIANT"
        )
    return [
        make_plan(r.game, bots.split(","), r.players, games, seed, r.variants, options)
        for r in settle(one, other, players)
    ]


def judge_of(ruleset: str) -> str:
    """The bot that judges a game's rules unless another is named: as its bots.yaml says, else greedy."""
    from rulewright.bots.registry import book_of
    from rulewright.engines import spec_path
    from rulewright.report.rulesets import parse
    from rulewright.simulate.plan import make_plan

    found = parse(ruleset)
    game = make_plan(found.game, ["greedy"], found.players, 1, 0, found.variants, {}).load()
    return book_of(game, spec_path(found.game)).judge


def _write(
    out: Path, a: str, b: str, plans: list[Plan], pairing: Pairing, early: bool, with_rules: bool
) -> None:
    from rulewright.report.compare_page import compared, page
    from rulewright.report.ruleset_differences import compare_rulesets
    from rulewright.report.rulesets import parse, settle
    from rulewright.simulate.files import write_text

    plan = plans[0]
    found = compare_rulesets(*settle(parse(a), parse(b), plan.players)) if with_rules else None
    bots = ", ".join(dict.fromkeys(plan.bots))
    whole = compared(a, b, pairing, plan.games, bots, plan.seed, early, found)
    write_text(out, page(whole))
    print(f"The page is {out}.", file=sys.stderr)


def _show(a: str, b: str, plans: list[Plan], pairing: Pairing, early: bool) -> None:
    from rulewright.report.effects import effects, sentence
    from rulewright.simulate.show import figure_table
    from rulewright.terminal import console as new_console

    console = new_console(file=sys.stdout, width=None if sys.stdout.isatty() else 140)
    games = max((m.n for m in pairing.measures.values()), default=0)
    title = (
        f"{a} → {b}: {games} pairs of games, seed {plans[0].seed}, bots {', '.join(plans[0].bots)}"
    )
    # the title by itself and in one line: a long one is folded by the terminal only
    console.print(title, style="bold", soft_wrap=True)
    table = figure_table(None, "", ["A", "B", "B - A", "95 %", ""])
    found = effects(pairing, plans[0].games, early)
    for e in found:
        table.add_row(
            e.name,
            f"{e.a:.3f}",
            f"{e.b:.3f}",
            f"{e.difference:+.3f}",
            f"{e.low:+.3f} … {e.high:+.3f}",
            "clear" if e.clear else "",
        )
    console.print(table)
    console.print("A difference is clear when its 95 % interval leaves out 0.")
    for e in found:
        if e.clear:
            console.print(f"  {sentence(e)}", soft_wrap=True)
    seldom = pairing.seldom()
    if seldom:
        text = f"These bots hardly ever do this, so the figures say little about it: {', '.join(seldom)}."
        console.print(text, soft_wrap=True)
