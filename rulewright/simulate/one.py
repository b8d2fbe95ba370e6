"""One game between bots → its row: scores, reasons, how long it took, what was chosen, how the lead went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulewright.bots.base import Bot, blind
from rulewright.chance import decision_seed
from rulewright.runtime.errors import RulewrightError
from rulewright.simulate.clock import Clock
from rulewright.simulate.plan import Plan


class BadMove(RulewrightError):
    """A bot gave an action that is not legal."""


@dataclass(slots=True)
class Row:
    """What is kept of one game; lists go by seat."""

    number: int
    seed: int
    bots: list[int]
    scores: list[int]
    ranks: list[int]
    wins: list[float]
    reasons: list[list[int]]
    length: int
    choices: list[dict[int, int]]
    course: list[list[int]]
    periods: list[list[list[int]]]


class Player:
    """Plays the games of a plan one by one."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game = plan.load()
        self.bots = plan.make_bots(self.game)
        self.reasons = list(self.game.info["reasons"])
        self.clock = Clock.of(plan.folder, self.game)

    def play(self, number: int) -> Row:
        plan = self.plan
        seed, luck = plan.game_seed(number), plan.bots_seed(number)
        sitting = [plan.bot_at(number, seat) for seat in range(plan.players)]
        bots = [self.bots[i] for i in sitting]
        state: Any = self.game.new_initial_state(seed)
        choices: list[dict[int, int]] = [{} for _ in bots]
        course: list[list[int]] = []
        periods: list[list[list[int]]] = []
        clock = self.clock
        step = clock.step(state, 0)
        period = clock.period(state)
        length = noted = ended = 0
        while not state.is_terminal():
            who = state.current_player()
            actions = state.legal_actions()
            if len(actions) == 1:
                action = actions[0]
            else:
                action = ask(bots[who], state, who, actions, decision_seed(luck, who, length))
                taken = choices[who]
                taken[action] = taken.get(action, 0) + 1
            if length >= self.game.most_decisions:
                raise self.game.endless(state)
            state.apply_action(action)
            length += 1
            now = clock.step(state, length)
            if now != step:
                step, noted = now, length
                course.append(list(state.score[: plan.players]))
                if clock.period(state) != period:
                    period, ended = clock.period(state), length
                    periods.append(self._reasons(state))
        # a game may end with a step of its clock; what was noted then is the end already. One without a decision has its end alone
        if noted < length or not course:
            course.append(list(state.score[: plan.players]))
        if ended < length or not periods:
            periods.append(self._reasons(state))
        return Row(
            number, seed, sitting, list(state.scores()[: plan.players]), state.ranking()[: plan.players],
            state.returns(), periods[-1], length, choices, course, periods,
        )  # fmt: skip

    def _reasons(self, state: Any) -> list[list[int]]:
        rows = state.score_breakdown()[: self.plan.players]
        return [[row[r] for r in self.reasons] for row in rows]


def ask(bot: Bot, state: Any, seat: int, actions: tuple[int, ...], seed: int) -> int:
    """What a bot chooses, checked. A blind one is spared the whole view."""
    view: Any = Options(actions) if blind(bot) else state.view(seat)
    action = bot.choose(view, seed)
    if action not in actions:
        raise BadMove(
            f"the bot {type(bot).__name__} chose {action!r}, which is not one of its legal actions"
        )
    return action


class Options:
    """The part of a view that a blind bot looks at."""

    __slots__ = ("_actions",)

    def __init__(self, actions: tuple[int, ...]) -> None:
        self._actions = actions

    def legal_actions(self) -> tuple[int, ...]:
        return self._actions
