"""A game of OpenSpiel as a subject, through its Python interface; chance is sampled by the caller, as that interface asks."""

from __future__ import annotations

import importlib
import random
from importlib.metadata import version
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    pyspiel: Any = importlib.import_module("pyspiel")
    if args["game"].startswith("python_"):
        importlib.import_module("open_spiel.python.games")
    game = pyspiel.load_game(args["game"], args.get("parameters", {}))

    observe = bool(args.get("observe"))

    def play(count: int, seed: int) -> tuple[int, int]:
        """With `observe` also what who decides sees, and a mask of what is legal."""
        choice, choices = random.choice, random.choices
        decisions = steps = 0
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choices(outcomes, weights)[0])
                else:
                    if observe:
                        tensor_of(state)
                        state.legal_actions_mask()
                    state.apply_action(choice(state.legal_actions()))
                    decisions += 1
                steps += 1
        return decisions, steps

    def tensor() -> Any:
        kind = game.get_type()
        if kind.provides_observation_tensor:
            return lambda state: state.observation_tensor()
        return lambda state: state.information_state_tensor()

    tensor_of = tensor()
    middle, options = _middle(game)
    return {
        "play": play, "clone": middle.clone, "options": options, "version": version("open_spiel"),
    }  # fmt: skip


def _middle(game: Any) -> tuple[Any, float]:
    met: list[int] = []
    for seed in range(5):
        dice = random.Random(seed)
        state, taken = game.new_initial_state(), []
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                met.append(len(legal))
            taken.append(dice.choice(legal))
            state.apply_action(taken[-1])
        if seed == 0:
            middle = game.new_initial_state()
            for action in taken[: len(taken) // 2]:
                middle.apply_action(action)
    return middle, sum(met) / len(met)
