"""An environment of PettingZoo as a subject: the loop over agents of its documentation, with a random legal action."""

from __future__ import annotations

import importlib
import random
from importlib.metadata import version
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    module: Any = importlib.import_module(f"pettingzoo.classic.{args['game']}")
    env = module.env(**args.get("parameters", {}))
    met = [0, 0]

    def play(count: int, seed: int) -> tuple[int, int]:
        choice = random.choice
        decisions = 0
        for number in range(seed, seed + count):
            env.reset(seed=number)
            for _agent in env.agent_iter():
                observation, _reward, terminated, truncated, _info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0].tolist()
                met[0] += len(legal)
                met[1] += 1
                env.step(choice(legal))
                decisions += 1
        return decisions, decisions

    play(5, 0)
    return {"play": play, "options": met[0] / met[1], "version": version("pettingzoo")}
