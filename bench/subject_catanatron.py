"""catanatron as a subject: games of random players, one tick after another."""

from __future__ import annotations

import importlib
import random
from importlib.metadata import version
from typing import Any

_TURNS = 1000  # the package's own limit


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    package: Any = importlib.import_module("catanatron")
    colors = list(package.Color)[: args["players"]]

    def new_game(seed: int) -> Any:
        return package.Game([package.RandomPlayer(color) for color in colors], seed=seed)

    def ticks(game: Any, most: int) -> tuple[int, int]:
        """Decisions taken and options met."""
        decisions = options = 0
        while decisions < most and game.winning_color() is None and game.state.num_turns < _TURNS:
            options += len(game.state.playable_actions)
            game.play_tick()
            decisions += 1
        return decisions, options

    def play(count: int, seed: int) -> tuple[int, int]:
        decisions = 0
        for number in range(seed, seed + count):
            game = new_game(number)
            while game.winning_color() is None and game.state.num_turns < _TURNS:
                game.play_tick()
                decisions += 1
        return decisions, decisions

    random.seed(1)
    length, options = ticks(new_game(0), 1_000_000)
    middle = new_game(0)
    random.seed(1)
    ticks(middle, length // 2)
    return {
        "play": play, "clone": middle.copy, "options": options / length, "version": version("catanatron"),
    }  # fmt: skip
