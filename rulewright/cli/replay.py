"""`rulewright replay`: a replay file, or a game of a table → its story, or its positions one after another."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.common import Usage, tell_engine
from rulewright.runtime.info import Info


def register(app: typer.Typer) -> None:
    @app.command()
    def replay(
        file: Annotated[
            Path, typer.Argument(metavar="FILE", help="A replay, or a table of `simulate`.")
        ],
        game: Annotated[
            int | None,
            typer.Option("--game", "-g", help="Of a table: the number of the game to play again."),
        ] = None,
        story: Annotated[
            bool, typer.Option("--story", help="Print what happened and do not stop.")
        ] = False,
        seat: Annotated[
            int | None,
            typer.Option(
                "--seat", help="Tell it as this seat (0, 1 …) saw it; default: all that happened."
            ),
        ] = None,
        save: Annotated[
            Path | None, typer.Option("--save", help="Of a table: keep the game as a replay.")
        ] = None,
    ) -> None:
        """Go through a recorded game."""
        if _is_table(file):
            if game is None:
                raise Usage(f"{file} is a table of games: say which game by --game N")
            _from_table(file, game, save, seat)
            return
        if game is not None or save is not None:
            raise Usage("--game and --save are for tables of games")
        from rulewright.replay import read_replay

        found = read_replay(file)
        for note in found.notes:
            print(f"note: {note}", file=sys.stderr)
        loaded = found.header.load()
        _check_seat(seat, found.header.players)
        header = found.header
        variants = f" with {', '.join(header.variants)}" if header.variants else ""
        print(f"{loaded.info['title']}, {header.players} players{variants}")
        print(
            f"seats: {', '.join(f'{n} ({s})' for n, s in zip(loaded.info['seats'], header.seats, strict=False))}"
        )
        if story or not (sys.stdin.isatty() and sys.stdout.isatty()):
            _tell(found, loaded, seat)
        else:
            from rulewright.play.stepper import step_through

            step_through(found, loaded, seat)


def _is_table(file: Path) -> bool:
    """Tables go by their ending, or are folders of parts; a file of JSON lines may be either, and its first line tells."""
    if file.is_dir():
        return True
    if file.suffix != ".jsonl":
        return file.suffix in (".csv", ".parquet")
    try:
        with file.open("rb") as opened:
            first = json.loads(opened.readline())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and isinstance(first.get("rulewright"), dict)


def _check_seat(seat: int | None, players: int) -> None:
    if seat is not None and not 0 <= seat < players:
        raise Usage(f"there is no seat {seat}; seats are 0 to {players - 1}")


def _tell(found: Any, loaded: Any, seat: int | None) -> None:
    from rulewright.replay import steps

    told = 0
    state = None
    for state, row in steps(found, loaded):
        if "choice" in row or not row:
            told = _lines(state, told, seat, loaded.info)
    assert state is not None
    _ending(state, loaded)


def _lines(state: Any, told: int, seat: int | None, info: Info) -> int:
    """Print the story from a line on; where seats hear different things, everybody's is told without a seat."""
    from rulewright.play.player_words import story_lines

    for line in story_lines(state, seat, info, told):
        print(line)
    return len(state.story)


def _ending(state: Any, loaded: Any) -> None:
    names = loaded.info["seats"]
    scores = ", ".join(
        f"{names[i]} {s}" for i, s in enumerate(state.scores()[: loaded.num_players()])
    )
    print(("The game is over: " if state.is_terminal() else "So far: ") + scores)


def _from_table(file: Path, number: int, save: Path | None, seat: int | None) -> None:
    """Play one game of a table again, from its seed and its bots."""
    from rulewright.play.session import Session
    from rulewright.simulate.plan import Plan
    from rulewright.simulate.table import read_table

    meta, rows = read_table(file)
    row = next((r for r in rows if r.number == number), None)
    if row is None:
        raise Usage(f"{file} has no game number {number}")
    plan = Plan(
        meta["game"], meta["players"], tuple(meta["bots"]), meta["games"], meta["seed"], tuple(meta["variants"]),
        meta["options"], meta["fixed"], meta.get("block", 0),
    )  # fmt: skip
    _check_seat(seat, plan.players)
    loaded = plan.load()
    if loaded.info["hash"] != meta["ruleset"]:
        raise Usage(
            f"{file} was made under other rules: ruleset {meta['ruleset']}, now it is {loaded.info['hash']}"
        )
    tell_engine(loaded, bots_only=True)
    session = Session.of_plan(plan, number, loaded, save)
    told = 0
    while not session.over:
        session.bot_moves()
        told = _lines(session.state, told, seat, loaded.info)
    session.close()
    _ending(session.state, loaded)
    if session.state.scores()[: plan.players] != row.scores:
        print(
            "note: the game went differently this time; a bot with a time budget can't be repeated",
            file=sys.stderr,
        )
