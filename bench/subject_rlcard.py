"""An environment of RLCard as a subject: reset and step, with a random legal action."""

from __future__ import annotations

import importlib
import random
from importlib.metadata import version
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    rlcard: Any = importlib.import_module("rlcard")
    env = rlcard.make(args["game"], config={"seed": 1, **args.get("config", {})})
    met = [0, 0]

    def play(count: int, seed: int) -> tuple[int, int]:
        choice = random.choice
        decisions = 0
        for _ in range(count):
            state, _player = env.reset()
            while not env.is_over():
                state, _player = env.step(choice(list(state["legal_actions"])))
                decisions += 1
        return decisions, decisions

    for _ in range(5):
        state, _player = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            met = [met[0] + len(legal), met[1] + 1]
            state, _player = env.step(random.choice(legal))
    return {"play": play, "options": met[0] / met[1], "version": version("rlcard")}
