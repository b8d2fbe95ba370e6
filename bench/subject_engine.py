"""An engine of rulewright as a subject: played through its public interface, or inside itself."""

from __future__ import annotations

import random
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    import rulewright

    chosen = args.get("options", {})
    game = rulewright.load(args["game"], args["players"], options=chosen, native=args["native"])
    if bool(game.module.COMPILED) != args["native"]:
        raise SystemExit("another engine was loaded than asked for")

    def by_calls(count: int, seed: int) -> tuple[int, int]:
        """As a user would: ask for the legal actions, choose one, apply it."""
        choice = random.choice
        decisions = 0
        for number in range(seed, seed + count):
            state = game.new_initial_state(number)
            while not state.is_terminal():
                state.apply_action(choice(state.legal_actions()))
                decisions += 1
        return decisions, decisions

    def inside(count: int, seed: int) -> tuple[int, int]:
        """Whole games inside the engine."""
        decisions = game.module.playouts(count, seed)
        return decisions, decisions

    def playouts(count: int, seed: int) -> tuple[int, int]:
        """As a search would: a batch from one position; its decisions are not counted."""
        game.random_playouts(start, range(seed, seed + count))
        return 0, 0

    start = game.new_initial_state(1)
    middle, options = _middle(game)
    ways = {"calls": by_calls, "inside": inside, "playouts": playouts}
    return {
        "play": ways[args["way"]], "clone": middle.clone, "options": options, "version": rulewright.__version__,
    }  # fmt: skip


def _middle(game: Any) -> tuple[Any, float]:
    """The position half-way through a random game, and how many options there are on average in ten games."""
    met: list[int] = []
    for seed in range(10):
        dice = random.Random(seed)
        state, half, before = game.new_initial_state(seed), game.new_initial_state(seed), len(met)
        taken = []
        while not state.is_terminal():
            legal = state.legal_actions()
            met.append(len(legal))
            taken.append(dice.choice(legal))
            state.apply_action(taken[-1])
        if seed == 0:
            for action in taken[: (len(met) - before) // 2]:
                half.apply_action(action)
            middle = half
    return middle, sum(met) / len(met)
