"""What the user asked for → a checked plan of games: which rules, which bots, which seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulewright.bots import make
from rulewright.bots.base import Bot
from rulewright.engines import load, spec_path
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.seeds import derive
from rulewright.simulate.orders import block_size, order

_MOST_GAMES = 100_000_000
_MOST_BOTS = 50
_JSON_SAFE = (1 << 53) - 1
# 2: seeds of games and bots come one-way from the seed of the run
# 3: seeds make other random numbers, which dice that are rolled in a row share
TABLE_FORMAT = 3


class PlanError(RulewrightError, ValueError):
    """What was asked for can't be played."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Games to be played. `bots` has one entry for each seat; unless `fixed`, they move on by one seat with each game.

    Where games come in blocks of `block`, there may be any number of bots, and all games of a block have the same seed.
    """

    game: str
    players: int
    bots: tuple[str, ...]
    games: int = 100
    seed: int = 0
    variants: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    fixed: bool = False
    block: int = 0

    def game_seed(self, number: int) -> int:
        """The seed of one game; it depends on the plan's seed and the number of the game, or of its block, only."""
        return derive(self.seed, "game", number // (self.block or 1)) & _JSON_SAFE

    def bots_seed(self, number: int) -> int:
        """What the seeds of the bots of one game come from; it tells nothing of the game's own seed."""
        return derive(self.seed, "bots", number)

    def bot_at(self, number: int, seat: int) -> int:
        """Which of the bots sits at a seat in a game."""
        if self.block:
            block, game = divmod(number, self.block)
            return order(len(self.bots), self.players, self.seed, block, game)[seat]
        return seat if self.fixed else (seat - number) % self.players

    @property
    def folder(self) -> Path:
        return spec_path(self.game)

    def load(self) -> Game:
        return load(self.game, self.players, self.variants, self.options)

    def make_bots(self, game: Game) -> list[Bot]:
        made: dict[str, Bot] = {}
        for text in self.bots:
            if text not in made:
                made[text] = make(text, game, self.folder)
        return [made[text] for text in self.bots]


def make_plan(
    game: str,
    bots: Sequence[str],
    players: int | None = None,
    games: int = 100,
    seed: int = 0,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    fixed: bool = False,
) -> Plan:
    """A plan whose numbers fit together; one bot is taken for every seat."""
    names = [b.strip() for b in bots if b.strip()]
    if not names:
        raise PlanError("name at least one bot, such as greedy or mcts:200")
    counts = player_counts(game)
    if players is None:
        players = len(names) if len(names) in counts else max(counts)
    if players not in counts:
        shown = ", ".join(map(str, counts))
        raise PlanError(f"{game} is for {shown} players, not for {players}")
    if len(names) == 1:
        names = names * players
    if len(names) != players:
        raise PlanError(
            f"{len(names)} bots for {players} seats: name one bot for all seats, or {players}"
        )
    if not 1 <= games <= _MOST_GAMES:
        raise PlanError(f"the number of games must be from 1 to {_MOST_GAMES}, not {games}")
    return Plan(
        game, players, tuple(names), games, seed, tuple(variants), dict(options or {}), fixed
    )


def make_ladder(
    game: str,
    bots: Sequence[str],
    players: int | None = None,
    blocks: int = 20,
    seed: int = 0,
    variants: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> Plan:
    """A plan of blocks in which bots meet, from two on; without a player count as many as sit down with one seat each, if the game allows."""
    names = [b.strip() for b in bots if b.strip()]
    if not 2 <= len(names) <= _MOST_BOTS:
        raise PlanError(f"a ladder is for 2 to {_MOST_BOTS} bots, not for {len(names)}")
    twice = [b for b in names if names.count(b) > 1]
    if twice:
        raise PlanError(f"the bot {twice[0]} is named twice")
    counts = player_counts(game)
    if players is None:
        fitting = [n for n in counts if n <= len(names)]
        players = max(fitting) if fitting else min(counts)
    if players < 2:
        raise PlanError("a ladder needs games of two or more players")
    size = block_size(len(names), players)
    if not 1 <= blocks <= _MOST_GAMES // size:
        raise PlanError(
            f"the number of blocks must be from 1 to {_MOST_GAMES // size}, not {blocks}"
        )
    base = make_plan(game, names[:1], players, blocks * size, seed, variants, options)
    return replace(base, bots=tuple(names), block=size)


def player_counts(game: str) -> list[int]:
    """The player counts of a game, read from its game file alone."""
    from rulewright.compiler.build import read_spec

    path = spec_path(game)
    return sorted(read_spec(path, path.name).folder.game.players)


def describe(plan: Plan, game: Game, called: str = "") -> dict[str, Any]:
    """What a table of this plan says about itself; `called` is the game's word for a period."""
    info = game.info
    return {
        "format": TABLE_FORMAT, "game": plan.game, "title": info["title"], "players": plan.players, "variants": list(plan.variants),
        "options": dict(plan.options), "ruleset": info["hash"], "compiler": info["compiler"],
        "bots": list(plan.bots), "games": plan.games, "seed": plan.seed, "fixed": plan.fixed,
        "called": called, "seats": info["seats"][: plan.players], "reasons": info["reasons"],
        "choices": [
            [c["label"], c["offset"], [str(game.option_name(c, i)) for i in range(c["size"])]]
            for c in sorted(info["choices"].values(), key=lambda c: c["offset"])
        ],
        **({"block": plan.block} if plan.block else {}),
    }  # fmt: skip
