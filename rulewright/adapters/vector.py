"""A game → a vector environment of Gymnasium: many games at once, in each of them whoever decides is asked."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rulewright.adapters.episodes import bounds
from rulewright.runtime.api import seed_number
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.seeds import derive


class RulewrightVectorEnv(VectorEnv[Any, Any, Any]):
    """All seats learn: each step is a decision of the seat `info["seat"]` in every game, and rewards go to whoever decided.

    A seed stands for all games, and so does a list with one for each; resetting without one goes on to other games.

    Games that have ended begin again in the same step; `info["rewards"]` has the shares of the win of all seats then, and
    `info["scores"]` their points. Arrays are written in place, as `game.vector` does; with `copy=True` they are handed out as copies.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: Game, num_envs: int, seed: int = 0, copy: bool = True) -> None:
        self.game = game
        self.num_envs = num_envs
        self.copy = copy
        self.vector = game.vector(num_envs, seed)
        self._reset = False
        low, high = bounds(game)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (game.num_distinct_actions(),), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(game.num_distinct_actions())
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        if options and "reset_mask" in options:
            raise RulewrightError(
                "games begin again by themselves, or all at once: reset_mask is not known"
            )
        if seed is not None:
            self.vector.seed = derive(0, "reset", *self._seeds(seed))
        elif self._reset:
            self.vector.seed = derive(self.vector.seed, "reset")
        self._reset = True
        self.vector.reset()
        return self._seen(), self._info()

    def _seeds(self, seed: Any) -> list[int]:
        many = list(seed) if isinstance(seed, list | tuple) else [seed]
        if len(many) not in (1, self.num_envs):
            raise RulewrightError(
                f"{self.num_envs} games have one seed or {self.num_envs}, not {len(many)}"
            )
        return [seed_number(one) for one in many]

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        decided = self.vector.seat.copy()
        self.vector.step(actions)
        rewards = self.vector.rewards[np.arange(self.num_envs), decided].astype(np.float64)
        done = self.vector.done.copy()
        return self._seen(), rewards, done, np.zeros(self.num_envs, np.bool_), self._info()

    def _seen(self) -> Any:
        seen, masks = self.vector.observations, self.vector.masks
        if self.copy:
            seen, masks = seen.copy(), masks.copy()
        return {"observation": seen, "action_mask": masks}

    def _info(self) -> dict[str, Any]:
        v = self.vector
        return {"seat": v.seat.copy(), "rewards": v.rewards.copy(), "scores": v.scores.copy()}
