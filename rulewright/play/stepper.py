"""A replay → its positions one after another, back and forth, in the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from rulewright.engines import spec_path
from rulewright.play.keyboard import read_line
from rulewright.play.player_words import story_lines
from rulewright.play.several import goes_on
from rulewright.play.show import Screen
from rulewright.replay import Replay, steps
from rulewright.runtime.game import Game
from rulewright.scene.read_view import read_layout
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import seat_name
from rulewright.terminal import console as new_console

HELP = "Enter: next decision · b: back · NUMBER: go to that decision · v: the position · e: to the end · q: stop"


def step_through(
    replay: Replay, game: Game, seat: int | None, console: Console | None = None
) -> None:
    """Walk through the decisions of a recorded game. Without a seat the one who decides is looked over the shoulder."""
    out = console or new_console()
    folder = spec_path(replay.header.game)
    names = Names.of(folder, game)
    screen = Screen(read_layout(folder, names), names)
    stops = _stops(replay, game)
    at, told = 0, 0
    out.print(HELP)
    while True:
        state = stops[at]
        for line in story_lines(state, seat, game.info, told):
            out.print(Text.assemble(("│", "dim"), f" {line}"))
        told = len(state.story)
        out.print(f"{_where(state, at, len(stops), game)}> ", style="bold", end="")
        answer = read_line()
        if answer is None or answer == "q":
            return
        before = at
        at = _next(answer.lower(), at, len(stops))
        if answer == "v":
            viewer = seat if seat is not None else max(0, int(state.current_player()))
            screen.show(out, state.view(viewer).data)
        elif at == before:
            out.print("This is the last position." if not answer else HELP)
        told = len(stops[at].story) if at < before else told


def _stops(replay: Replay, game: Game) -> list[Any]:
    """The positions before each decision and at the end; the steps of a choice of several are one decision."""
    out: list[Any] = []
    before: dict[str, Any] = {}
    for state, row in steps(replay, game):
        same = before.get("by", -1) == row.get("by", -2)
        later = same and goes_on(str(before.get("choice")), str(row.get("choice")))
        if ("choice" in row or not row) and not later:
            out.append(state.clone())
        before = row
    return out


def _next(answer: str, at: int, count: int) -> int:
    if answer == "":
        return min(at + 1, count - 1)
    if answer == "b":
        return max(at - 1, 0)
    if answer == "e":
        return count - 1
    if answer.isascii() and answer.isdigit():
        return min(max(int(answer) - 1, 0), count - 1)
    return at


def _where(state: Any, at: int, count: int, game: Game) -> str:
    if state.is_terminal():
        scores = ", ".join(
            f"{seat_name(game.info, i)} {s}"
            for i, s in enumerate(state.scores()[: game.num_players()])
        )
        return f"{at + 1}/{count} the end: {scores}"
    label = game.full.info["choices"][str(state.pc)]["label"].replace("_", " ")
    return f"{at + 1}/{count} {seat_name(game.info, state.current_player())} decides: {label}"
