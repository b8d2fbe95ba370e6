"""A game → an environment of PettingZoo, in which agents decide one after another (AEC), with action masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rulewright.adapters.episodes import (
    ILLEGAL,
    PENALTY,
    Episode,
    Observation,
    bounds,
    checked,
    rendered,
)
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.seeds import derive


class RulewrightAEC(AECEnv):
    """Agents are player_0, player_1, … by seat. Rewards come at the end: shares of a win, or points.

    An action that is not legal ends the episode with a penalty for who chose it, and `infos[agent]["illegal"]` says why; with
    `illegal="raise"` it raises IllegalAction and changes nothing.
    """

    def __init__(
        self,
        game: Game,
        rewards: str = "wins",
        illegal: str = "penalty",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"rulewright_{game.name}_v0", "is_parallelizable": False, "render_modes": ["ansi", "html"],
        }  # fmt: skip
        self.game = game
        self.illegal = checked(illegal, ILLEGAL, "illegal")
        self.render_mode = rendered(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players())]
        self.agents: list[str] = []
        # nobody decides before an episode has begun
        self.agent_selection = self.possible_agents[0]
        low, high = bounds(game)
        shape = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (game.num_distinct_actions(),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, shape)
        self.action_spaces = {
            agent: spaces.Discrete(game.num_distinct_actions()) for agent in self.possible_agents
        }
        self._episode = Episode(game, rewards)
        self._dice = np.random.default_rng()
        self._seats = {agent: i for i, agent in enumerate(self.possible_agents)}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def position(self) -> Any:
        """The state of the game."""
        return self._episode.state

    def observe(self, agent: str) -> Observation:
        return self._episode.observation(self._seats[agent])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._dice = np.random.default_rng(derive(seed, "pettingzoo"))
        self._episode.begin(int(self._dice.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decides()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        self._episode.begun()
        if not self.agents:
            raise RulewrightError("this episode is over; begin another one: reset()")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        wrong = self._episode.why_not(action)
        if wrong and self.illegal == "raise":
            raise IllegalAction(wrong)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if wrong:
            self.infos[agent]["illegal"] = wrong
            self.rewards[agent] = PENALTY
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._episode.apply(int(action))
            self._settle()
        self._accumulate_rewards()
        self._decides()

    def _settle(self) -> None:
        state = self._episode.state
        if state.is_terminal():
            for agent, reward in zip(self.possible_agents, self._episode.rewards(), strict=True):
                self.rewards[agent] = reward
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._episode.too_long:
            self.truncations = dict.fromkeys(self.agents, True)

    def _decides(self) -> None:
        who = self._episode.who
        self.agent_selection = self.possible_agents[who] if who >= 0 else self.agents[0]

    def render(self) -> str | None:
        if self.render_mode == "html":
            return str(self._episode.begun()._repr_html_())
        if self.render_mode == "ansi":
            return str(self._episode.begun().pending(self._episode.who))
        return None

    def close(self) -> None:
        pass


def env(game: Game, **settings: Any) -> RulewrightAEC:
    """An environment of a game made by `rulewright.load` or `rulewright.compile`."""
    return RulewrightAEC(game, **settings)
