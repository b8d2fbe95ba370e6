"""`rulewright play`: a game and who sits where → a game in the terminal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.cli.common import (
    OptionsOption,
    PlayersOption,
    Usage,
    VariantsOption,
    options_of,
    tell_engine,
)

if TYPE_CHECKING:
    from rulewright.play.session import Session


def register(app: typer.Typer) -> None:
    @app.command()
    def play(
        game: Annotated[str | None, typer.Argument(metavar="[GAME|FOLDER]")] = None,
        players: PlayersOption = None,
        seats: Annotated[
            str | None,
            typer.Option(
                "--seats",
                help="Who sits where: human,mcts:200,greedy. Default: you against mcts:200.",
            ),
        ] = None,
        variant: VariantsOption = None,
        option: OptionsOption = None,
        seed: Annotated[
            int | None,
            typer.Option(
                "--seed",
                "-s",
                help="The same seed gives the same luck. Default: luck from the operating system, which nobody can foresee.",
            ),
        ] = None,
        save: Annotated[
            Path | None, typer.Option("--save", help="Record the game in this file as it goes.")
        ] = None,
        resume: Annotated[
            Path | None, typer.Option("--resume", help="Go on with a recorded game.")
        ] = None,
        compact: Annotated[
            bool | None,
            typer.Option(
                "--compact/--whole",
                help="Show lines and players only, so that 80×24 is enough. Default: by the height of the terminal.",
            ),
        ] = None,
    ) -> None:
        """Play in the terminal, against bots or with others at the same screen."""
        from rulewright.bots.base import BotError
        from rulewright.play.conversation import Terminal
        from rulewright.play.session import Session
        from rulewright.simulate.plan import PlanError

        try:
            if resume is not None:
                if [game, players, seats, save] != [None] * 4 or variant or option:
                    raise Usage(
                        "a recorded game knows its rules and seats: give --resume FILE alone, or with the --seed it was begun with"
                    )
                session, notes = Session.resume(resume, seed)
                for note in notes:
                    print(f"note: {note}", file=sys.stderr)
            else:
                if game is None:
                    raise Usage("name a game, or a recorded one by --resume FILE")
                session = _begin(
                    game, players, seats, variant or [], options_of(option), seed, save
                )
        except (BotError, PlanError) as error:
            raise Usage(str(error)) from error
        tell_engine(session.game, bots_only=True)
        lucky = "" if seed is None else f", seed {seed}"
        print(f"{session.game.info['title']}{lucky}. Type h for help.")
        over = Terminal(session, compact=compact).run()
        session.close()
        if not over and session.recorder is not None:
            again = "" if seed is None else f" --seed {seed}"
            file = shlex.quote(str(session.recorder.path))
            print(f"Go on with: rulewright play --resume {file}{again}")


def _begin(
    game: str,
    players: int | None,
    seats: str | None,
    variants: list[str],
    options: dict[str, object],
    seed: int | None,
    save: Path | None,
) -> Session:
    """A new game. The numbers of seats and players must agree."""
    from rulewright.play.session import HUMAN, Session
    from rulewright.simulate.plan import make_plan, player_counts

    names = [n.strip() for n in seats.split(",")] if seats else []
    if not names:
        names = [HUMAN] + ["mcts:200"] * ((players or max(player_counts(game))) - 1)
    plan = make_plan(game, names, players, variants=variants, options=options)
    return Session.new(game, plan.load(), variants, options, seed, plan.bots, save)
