"""An engine of rulewright as who trains uses it: every step with an observation and a mask, by calls or many games at once."""

from __future__ import annotations

import random
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    import rulewright

    players = args["players"]
    game = rulewright.load(args["game"], players, native=args["native"])
    if bool(game.module.COMPILED) != args["native"]:
        raise SystemExit("another engine was loaded than asked for")
    spec = game.observation_spec()
    seen, mask = np.zeros(spec.size, np.float32), np.zeros(spec.actions, np.int8)
    dice = np.random.default_rng(1)
    games = game.vector(args["games"], 1, threads=1) if args["way"] == "batch" else None

    def by_calls(count: int, seed: int) -> tuple[int, int]:
        choice = random.choice
        decisions = 0
        for number in range(seed, seed + count):
            state = game.new_initial_state(number)
            while not state.is_terminal():
                who = state.current_player()
                state.observe_into(seen, who)
                state.action_mask_into(mask, who)
                # drawn as the subjects of others draw, so that only the engines differ
                state.apply_action(choice(state.legal_actions()))
                decisions += 1
        return decisions, decisions

    def at_once(count: int, seed: int) -> tuple[int, int]:
        """So many rounds of one step in every game; how the options are drawn is part of it, as it is for others."""
        assert games is not None
        for _ in range(count):
            games.step(games.random_actions(dice))
        return count * games.n, count * games.n

    return {
        "play": by_calls if games is None else at_once, "options": None,
        "version": f"{rulewright.__version__}, {spec.size} numbers, {spec.actions} actions",
    }  # fmt: skip
