"""A game → an environment of Gymnasium: one seat learns, bots sit at the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from rulewright.adapters.episodes import (
    ILLEGAL,
    PENALTY,
    Episode,
    Observation,
    bounds,
    checked,
    rendered,
)
from rulewright.bots.base import Bot
from rulewright.bots.registry import make
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.given import seat_number, shown
from rulewright.simulate.one import ask


class RulewrightEnv(gymnasium.Env[Observation, int]):
    """`seat` is a number, or None for another seat in each episode. `bots` are words ("random", "greedy") or bots, one for all or one for each other seat.

    An action that is not legal ends the episode with a penalty, and `info["illegal"]` says why; with `illegal="raise"` it raises
    IllegalAction and changes nothing. `info["action_mask"]` is the mask of the observation once more, where wrappers look for it.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "html"]}

    def __init__(
        self,
        game: Game,
        seat: int | None = 0,
        bots: str | Bot | Sequence[str | Bot] = "random",
        rewards: str = "wins",
        illegal: str = "penalty",
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.given_seat = None if seat is None else seat_number(seat, game.num_players())
        self.illegal = checked(illegal, ILLEGAL, "illegal")
        self.render_mode = rendered(render_mode)
        self.bots = _others(game, bots)
        low, high = bounds(game)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (game.num_distinct_actions(),), np.int8),
            }
        )
        self.action_space = spaces.Discrete(game.num_distinct_actions())
        self.seat = self.given_seat or 0
        self._episode = Episode(game, rewards)
        self._over = True

    @property
    def position(self) -> Any:
        """The state of the game."""
        return self._episode.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        players = self.game.num_players()
        self.seat = (
            int(self.np_random.integers(players)) if self.given_seat is None else self.given_seat
        )
        # a game may end before this seat has anything to decide; then another one is begun
        for _ in range(100):
            self._episode.begin(int(self.np_random.integers(1 << 62)))
            self._others_play()
            if not self._episode.state.is_terminal():
                self._over = False
                return self._seen()
        raise RulewrightError(f"seat {self.seat} had nothing to decide in 100 games")

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        state = self._episode.begun()
        if self._over:
            raise RulewrightError("this episode is over; begin another one: reset()")
        wrong = self._episode.why_not(action)
        if wrong and self.illegal == "raise":
            raise IllegalAction(wrong)
        if wrong:
            self._over = True
            observation, info = self._seen()
            return observation, PENALTY, True, False, {**info, "illegal": wrong}
        self._episode.apply(int(action))
        self._others_play()
        observation, info = self._seen()
        over, cut = bool(state.is_terminal()), self._episode.too_long
        self._over = over or cut
        reward = self._episode.rewards()[self.seat] if over else 0.0
        if over:
            info["scores"] = list(state.scores())
        return observation, reward, over, cut and not over, info

    def action_masks(self) -> Any:
        """The mask as truth values, under the name that maskable algorithms ask for."""
        return self._episode.observation(self.seat)["action_mask"].astype(bool)

    def _others_play(self) -> None:
        episode = self._episode
        while not episode.state.is_terminal() and episode.who != self.seat and not episode.too_long:
            legal = episode.state.legal_actions()
            bot = self.bots[(episode.who - self.seat) % self.game.num_players() - 1]
            luck = int(self.np_random.integers(1 << 62))
            episode.apply(legal[0] if len(legal) == 1 else ask(bot, episode.state, episode.who, legal, luck))  # fmt: skip

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation = self._episode.observation(self.seat)
        return observation, {"action_mask": observation["action_mask"], "seat": self.seat}

    def render(self) -> Any:
        if self.render_mode == "html":
            return str(self._episode.begun().view(self.seat)._repr_html_())
        if self.render_mode == "ansi":
            return str(self._episode.begun().pending(self.seat))
        return None


def register() -> list[str]:
    """Every ruleset of the package's games for `gymnasium.make`, such as "rulewright/yspahan_p3-v0"; gives the names."""
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.read.overlay import rulesets
    from rulewright.engines import SPECS, engine_name, games

    names = []
    for game in games():
        for players, variants in rulesets(read_spec(SPECS / game, f"spec/{game}").folder):
            name = f"rulewright/{game}_{engine_name(players, variants, {})}-v0"
            given = {"game": game, "players": players, "variants": variants}
            gymnasium.register(name, entry_point=f"{__name__}:env", kwargs=given)
            names.append(name)
    return names


def env(game: str, players: int, variants: Sequence[str] = (), **settings: Any) -> RulewrightEnv:
    """An environment of a ruleset by name; the settings are those of RulewrightEnv."""
    from rulewright.engines import load

    return RulewrightEnv(load(game, players, variants), **settings)


def _others(game: Game, bots: str | Bot | Sequence[str | Bot]) -> list[Bot]:
    """A bot for each other seat, clockwise from the one that learns."""
    others = game.num_players() - 1
    many: list[Any] = list(bots) if isinstance(bots, list | tuple) else [bots] * others
    if len(many) != others:
        raise RulewrightError(f"{others} other seats need {others} bots, not {len(many)}")
    folder = _folder(game)
    found = [make(bot, game, folder) if isinstance(bot, str) else bot for bot in many]
    for bot in found:
        if not callable(getattr(bot, "choose", None)):
            raise RulewrightError(f"a bot has a method 'choose', which {shown(bot)} has not")
    return found


def _folder(game: Game) -> Any:
    from pathlib import Path

    from rulewright.engines import spec_path

    source = game.fast.source
    return None if source is None else Path(spec_path(str(source[1])))
