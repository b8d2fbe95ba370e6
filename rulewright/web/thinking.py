"""A position in which a bot decides, or somebody asks for advice → what the pool of processes says to it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from rulewright.play.several import goes_on, step_of
from rulewright.runtime.errors import RulewrightError
from rulewright.web.bots_pool import WorkerError, Workers
from rulewright.web.bots_worker import Advise, Choose
from rulewright.web.catalogue import Ruleset
from rulewright.web.page import fragment
from rulewright.web.words import say

_ADVICE_ITERATIONS = 400


class Thinking:
    """Of one table; `seconds` are what a bot may take for a decision."""

    def __init__(self, ruleset: Ruleset, workers: Workers, seconds: float) -> None:
        self.ruleset, self.workers, self.seconds = ruleset, workers, seconds

    async def chosen(self, state: Any, bot: str, failed: Callable[[], None]) -> tuple[int, ...]:
        """What a bot decides; of a choice of several all steps, so that nobody sees a part of it."""
        choices, seat = self.ruleset.game.full.info["choices"], int(state.current_player())
        made: list[int] = []
        while True:
            made.append(await self._step(state, bot, seat, failed))
            label, told = choices[str(state.pc)]["label"], len(state.story)
            if step_of(label) is None:
                return tuple(made)
            state = state.clone()
            state.apply_action(made[-1])
            after = choices.get(str(state.pc))
            ended = after is None or not goes_on(label, after["label"]) or len(state.story) != told
            if ended or state.current_player() != seat:
                return tuple(made)

    async def _step(self, state: Any, bot: str, seat: int, failed: Callable[[], None]) -> int:
        actions = list(state.legal_actions())
        if len(actions) == 1:
            return int(actions[0])
        job = Choose(self.ruleset.rules, bot, state.to_dict(), seat, secrets.randbits(60))
        try:
            return int(await self.workers.ask(job, self.seconds))
        except WorkerError:
            failed()
            return int(secrets.choice(actions))

    async def advice(self, state: Any) -> str:
        """What a search would do, from what the seat saw that decided there."""
        seat = int(state.current_player())
        if seat < 0:
            raise RulewrightError(say("no_advice"))
        rules, seed = self.ruleset.rules, secrets.randbits(60)
        job = Advise(rules, _ADVICE_ITERATIONS, state.to_dict(), seat, seed)
        try:
            found = await self.workers.ask(job, self.seconds)
        except WorkerError as error:
            raise RulewrightError(say("advice_failed")) from error
        name = self.ruleset.game.info["seats"][seat]
        rows = [
            f"{state.action_to_string(action, seat)}: {say('advice', share=round(share * 100))}"
            for action, share in found[:6]
        ]
        return fragment("why", f"{name}: mcts", rows)
