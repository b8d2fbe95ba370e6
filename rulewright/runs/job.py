"""Plans with the same numbers of games → units that can be played anywhere, each a row of games that takes about a second or more."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rulewright.bots.identity import bot_hash
from rulewright.engines import SPECS
from rulewright.headers import MOST_GAMES, ruleset
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.given import given, texts
from rulewright.simulate.one import Player, Row
from rulewright.simulate.orders import block_size
from rulewright.simulate.plan import Plan, describe
from rulewright.simulate.run import one

# 2: seeds of games make other random numbers
FORMAT = 2
# what a unit should take, and the most games in one: a lost unit costs no more than it
_SECONDS = 2.0
_MOST = 20_000
_PROBE_SECONDS = 0.3


class RunError(RulewrightError):
    """A run can't be begun or gone on with."""


@dataclass(frozen=True)
class Job:
    """Plans that are played side by side, number by number; `unit` is how many numbers go together."""

    plans: tuple[Plan, ...]
    unit: int
    # what must be the same wherever a unit is played
    rulesets: tuple[str, ...]
    bots: tuple[tuple[str, ...], ...]

    @property
    def games(self) -> int:
        return self.plans[0].games

    @property
    def units(self) -> int:
        return -(-self.games // self.unit)

    def numbers(self, unit: int) -> range:
        return range(unit * self.unit, min((unit + 1) * self.unit, self.games))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT, "unit": self.unit,
            "plans": [
                {
                    "game": plan.game, "players": plan.players, "variants": list(plan.variants), "options": dict(plan.options),
                    "bots": list(plan.bots), "games": plan.games, "seed": plan.seed, "fixed": plan.fixed, "block": plan.block,
                    "ruleset": self.rulesets[i], "hashes": list(self.bots[i]),
                }
                for i, plan in enumerate(self.plans)
            ],
        }  # fmt: skip


_PLAN = (
    "game", "players", "variants", "options", "bots", "games", "seed", "fixed", "block", "ruleset", "hashes",
)  # fmt: skip


def read_job(text: bytes, what: str) -> Job:
    """A job from a file, every part of it checked."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RunError(f"{what} is no run: it is not JSON") from None
    parts = given(data, f"{what} is no run", RunError).mapping(("format", "unit", "plans"))
    parts["format"].same(FORMAT)
    plans, rulesets, hashes = [], [], []
    for item in parts["plans"].items(2, 1):
        told = item.mapping(_PLAN)
        game, players, variants, options = ruleset(told)
        block = told["block"].whole(0, MOST_GAMES)
        bots = texts(told["bots"].items(1000, 1))
        if block:
            told["block"].same(block_size(len(bots), players))
        elif len(bots) != players:
            told["bots"].fail(f"{len(bots)} bots for {players} seats")
        plans.append(
            Plan(
                game, players, tuple(bots), told["games"].whole(1, MOST_GAMES), told["seed"].whole(),
                tuple(variants), options, told["fixed"].truth(), block,
            )
        )  # fmt: skip
        rulesets.append(told["ruleset"].text())
        hashes.append(tuple(texts(told["hashes"].items(len(bots), len(bots)))))
    if len({plan.games for plan in plans}) > 1:
        parts["plans"].fail("they have different numbers of games")
    unit = parts["unit"].whole(1, MOST_GAMES)
    return Job(tuple(plans), unit, tuple(rulesets), tuple(hashes))


class Crew:
    """Those who play the games of all plans, in this process; loaded once."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.players = [Player(plan) for plan in plans]

    @cached_property
    def rulesets(self) -> tuple[str, ...]:
        return tuple(str(player.game.info["hash"]) for player in self.players)

    @cached_property
    def bots(self) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(bot_hash(b, player.game, player.plan.folder) for b in player.plan.bots)
            for player in self.players
        )

    @cached_property
    def metas(self) -> list[dict[str, Any]]:
        """What the tables of the plans say of themselves."""
        return [describe(p.plan, p.game, p.clock.called) for p in self.players]

    def check(self, job: Job) -> None:
        """Whether rules and bots are here what they are in the job."""
        for i, plan in enumerate(job.plans):
            if self.rulesets[i] != job.rulesets[i]:
                raise RunError(
                    f"{plan.game} has other rules here: ruleset {self.rulesets[i]}, but the run has {job.rulesets[i]}"
                )
            for name, mine, theirs in zip(plan.bots, self.bots[i], job.bots[i], strict=True):
                if mine != theirs:
                    raise RunError(
                        f"the bot {name} is another one here: hash {mine}, but the run has {theirs}"
                    )

    def play(self, numbers: range) -> list[list[Row]]:
        """The rows of these games, plan by plan."""
        return [[one(player, n) for n in numbers] for player in self.players]


def make_job(plans: Sequence[Plan], crew: Crew, unit: int | None = None) -> Job:
    """A job whose units take about as long as they should, by a few games of a start; blocks stay whole."""
    step = plans[0].block or 1
    size = _usual(crew) if unit is None else unit
    size = max(step, -(-size // step) * step)
    return Job(tuple(map(_anywhere, plans)), size, crew.rulesets, crew.bots)


def _usual(crew: Crew) -> int:
    """How many games take as long as a unit should; measured, so it differs, but no row depends on it."""
    start, number = time.process_time(), 0
    while True:
        crew.play(range(number, number + 1))
        number += 1
        spent = time.process_time() - start
        if spent > _PROBE_SECONDS or number >= min(50, crew.players[0].plan.games):
            return max(1, min(_MOST, round(number * _SECONDS / max(spent, 1e-6))))


def _anywhere(plan: Plan) -> Plan:
    """The plan with a game that is found from every folder."""
    inside = plan.folder.resolve().parent == SPECS.resolve()
    return plan if inside else replace(plan, game=str(plan.folder.resolve()))
