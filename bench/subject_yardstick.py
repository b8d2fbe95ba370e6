"""A hand-written engine as a subject: a module with new_game, legal, apply, games, and states with clone."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    path = Path(args["path"])
    sys.path.insert(0, str(path.parent))
    engine: Any = importlib.import_module(path.name.partition(".")[0])
    if str(engine.__file__).endswith(".py") == args["native"]:
        raise SystemExit("another module was loaded than asked for")
    players = args["players"]

    def by_calls(count: int, seed: int) -> tuple[int, int]:
        choice, legal, apply = random.choice, engine.legal, engine.apply
        decisions = 0
        for number in range(seed, seed + count):
            state = engine.new_game(players, number)
            options = legal(state)
            while options:
                apply(state, choice(options))
                decisions += 1
                options = legal(state)
        return decisions, decisions

    def inside(count: int, seed: int) -> tuple[int, int]:
        decisions = engine.games(players, count, seed)
        return decisions, decisions

    middle, options = _middle(engine, players)
    ways = {"calls": by_calls, "inside": inside}
    return {"play": ways[args["way"]], "clone": middle.clone, "options": options, "version": ""}


def _middle(engine: Any, players: int) -> tuple[Any, float]:
    met: list[int] = []
    for seed in range(10):
        dice = random.Random(seed)
        state, half, before = (
            engine.new_game(players, seed),
            engine.new_game(players, seed),
            len(met),
        )
        taken = []
        while engine.legal(state):
            met.append(len(engine.legal(state)))
            taken.append(dice.choice(engine.legal(state)))
            engine.apply(state, taken[-1])
        if seed == 0:
            for action in taken[: (len(met) - before) // 2]:
                engine.apply(half, action)
            middle = half
    return middle, sum(met) / len(met)
