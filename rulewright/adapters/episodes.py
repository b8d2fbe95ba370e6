"""What environments share: a game in play, what the seat that decides sees, and what an action that is not legal means."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.given import shown, whole_number

# what happens when an action is not legal: the episode ends with a penalty for who chose it, or an error is raised
ILLEGAL = ("penalty", "raise")
PENALTY = -1.0
REWARDS = ("wins", "scores")
RENDERS = ("ansi", "html")

Observation = dict[str, npt.NDArray[Any]]


def checked(value: str, allowed: tuple[str, ...], what: str) -> str:
    if value not in allowed:
        raise RulewrightError(f"{what} is one of {', '.join(allowed)}, not {shown(value)}")
    return value


def rendered(mode: str | None) -> str | None:
    """A way to show a game; None for none."""
    return None if mode is None else checked(mode, RENDERS, "render_mode")


class Episode:
    """One game from its first decision to its end."""

    def __init__(self, game: Game, rewards: str = "wins") -> None:
        self.game = game
        self.rewards_by = checked(rewards, REWARDS, "rewards")
        self.spec = game.observation_spec()
        self.state: Any = None
        self.length = 0

    def begin(self, seed: int) -> None:
        self.state = self.game.new_initial_state(seed)
        self.length = 0

    def begun(self) -> Any:
        """The state, which there is only once an episode was begun."""
        if self.state is None:
            raise RulewrightError("begin an episode first: reset()")
        return self.state

    @property
    def who(self) -> int:
        return int(self.state.current_player())

    @property
    def too_long(self) -> bool:
        return self.length >= self.game.most_decisions

    def apply(self, action: int) -> None:
        """Raises IllegalAction, with the reason, and leaves everything as it was."""
        self.state.apply_action(action)
        self.length += 1

    def why_not(self, action: Any) -> str:
        """The reason why an action can't be taken now; nothing if it can."""
        number = whole_number(action)
        if number is None:
            return f"an action is a whole number, not {shown(action)}"
        if number in self.state.legal_actions():
            return ""
        try:
            self.state.clone().apply_action(number)
        except IllegalAction as error:
            return str(error)
        return ""

    def observation(self, seat: int) -> Observation:
        """New arrays each time: environments of others keep them."""
        state = self.begun()
        row = np.zeros(self.spec.size, np.float32)
        mask = np.zeros(self.spec.actions, np.int8)
        state.observe_into(row, seat)
        state.action_mask_into(mask, seat)
        return {"observation": row, "action_mask": mask}

    def rewards(self) -> list[float]:
        """At the end: shares of a win, or points."""
        players = self.game.num_players()
        if self.rewards_by == "wins":
            return [float(x) for x in self.state.returns()]
        return [float(x) for x in self.state.scores()[:players]]


def bounds(game: Game) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The least and the greatest number in each place of an observation."""
    spec = game.observation_spec()
    low = np.full(spec.size, -np.inf, np.float32)
    high = np.full(spec.size, np.inf, np.float32)
    for p in spec.pieces:
        if p.low is not None:
            low[p.start : p.start + p.size] = p.low
        if p.high is not None:
            high[p.start : p.start + p.size] = p.high
    return low, high
