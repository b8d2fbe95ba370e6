"""`rulewright watch`: a spec's folder → its problems after every change, and a few games when it is right."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.cli.common import (
    PlayersOption,
    VariantsOption,
    folder_of,
    has_colour,
    is_wrong_choice,
)
from rulewright.wording import counted

if TYPE_CHECKING:
    from rulewright.watching import Background


def register(app: typer.Typer) -> None:
    @app.command()
    def watch(
        game: Annotated[str, typer.Argument(metavar="GAME|FOLDER")],
        players: PlayersOption = None,
        variant: VariantsOption = None,
        games: Annotated[
            int,
            typer.Option("--games", "-n", min=0, help="Random games to play after each change."),
        ] = 50,
        every: Annotated[
            float, typer.Option("--every", min=0.05, max=60, help="Seconds between two looks.")
        ] = 0.4,
        changes: Annotated[
            int,
            typer.Option(
                "--changes", min=0, help="Stop after so many changes; 0: go on until Ctrl-C."
            ),
        ] = 0,
    ) -> None:
        """Check a spec again whenever one of its files changes. While it is wrong the last good engine is kept.

        What is right is tried out in the background: a few random games of every ruleset, as `check --play` does.
        """
        from rulewright.watching import Background, Watched

        folder, display = folder_of(game)
        watched = Watched(folder, display, players, variant or ())
        seen = -1
        trying: Background | None = None
        in_play = 0
        try:
            while changes == 0 or seen < changes:
                if trying is not None and watched.has_changed():
                    trying.give_up()
                found = watched.look()
                if found is None:
                    if trying is not None and not trying.is_alive():
                        in_play, trying = _tell_trial(trying), None
                    time.sleep(every)
                    continue
                seen += 1
                if seen == 0 and watched.error is not None and is_wrong_choice(watched.error):
                    raise watched.error
                _tell(watched, found if seen else [], games)
                trying, in_play = None, 0
                if watched.error is None and watched.spec is not None:
                    trying = Background(watched.spec)
                    trying.start()
            if trying is not None:
                trying.join()
                in_play = _tell_trial(trying)
        except KeyboardInterrupt:
            typer.echo("")
        raise typer.Exit(0 if watched.error is None and not in_play else 1)


def _tell_trial(trying: Background) -> int:
    """What came of the games in the background; how many errors there were."""
    from rulewright.compiler.text.diagnostics import render_all

    trial = trying.trial
    if trial is None:
        return 0
    clock = time.strftime("%H:%M:%S")
    found = trial.problems.all()
    if found:
        typer.echo(render_all(found, trying.spec.sources, colour=has_colour(sys.stdout)))
    typer.echo(f"[{clock}] {trial.line()}: {'not right in play' if found else 'nothing wrong'}")
    sys.stdout.flush()
    return len(trial.problems.errors)


def _tell(watched: object, changed: list[str], games: int) -> None:
    from rulewright.watching import Watched

    assert isinstance(watched, Watched)
    clock = time.strftime("%H:%M:%S")
    what = f"changed: {', '.join(changed)}" if changed else f"watching {watched.display}"
    typer.echo(f"[{clock}] {what}")
    if watched.error is not None:
        typer.echo(watched.error.render(colour=has_colour(sys.stdout)))
        kept = (
            "the last good engine is kept" if watched.game is not None else "there is no engine yet"
        )
        typer.echo(f"[{clock}] not right; {kept}")
        return
    assert watched.game is not None
    warnings = len(watched.warnings.warnings) if watched.warnings is not None else 0
    note = f", {counted(warnings, 'warning')}" if warnings else ""
    typer.echo(
        f"[{clock}] all right{note}; ruleset {watched.game.info['hash']}{_games(watched.game, games)}"
    )
    sys.stdout.flush()


def _games(game: object, count: int) -> str:
    """A word on some random games: that they end, and what they bring."""
    from rulewright.runtime.game import Game

    assert isinstance(game, Game)
    if not count:
        return ""
    scores: list[int] = []
    for seed in range(count):
        end = game.random_playout(game.new_initial_state(seed), seed)
        scores += end.scores()[: game.num_players()]
    mean = sum(scores) / len(scores)
    return f"; {count} random games, mean score {mean:.1f} ({min(scores)} to {max(scores)})"
