"""The entries of a table → its game: the position now and at every earlier step, what may be taken back, who sits where.

An entry is a list of events. The first holds the chance of the beginning; each other one a decision with the chance that follows it,
or one decision taken back, or a seat given to somebody else, or a choice made ahead of its turn.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.chance import Chance, SystemChance, begin
from rulewright.replay import end_event, event_of
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.game import Game
from rulewright.simulate.clock import Clock
from rulewright.web.store import Events

PERSON = "human"
# the key of an entry that begins a game from a position
POSITION = "position"
Json = dict[str, Any]
# a position is kept for every so many steps; those between are played again from the one before
_KEEP_EVERY = 16


class Stale(RulewrightError):
    """The position has changed since; what was asked no longer fits."""


@dataclass(slots=True)
class Step:
    """A decision (or the beginning, by −1) with the chance after it."""

    by: int
    actions: tuple[int, ...]
    # of the position before it
    barriers: int
    told: int
    # after it, of each player
    scores: tuple[int, ...] = ()
    # so many of the actions are decisions: several where several are chosen at once
    decisions: int = 1
    # in which period of the game it ended
    period: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """What an entry decided. `secret`: others have not learnt it from that."""

    by: int
    actions: tuple[int, ...]
    secret: bool


@dataclass(slots=True)
class Draft:
    """What a decision would bring: nothing of it counts until it is written down."""

    events: Events
    step: Step
    state: Any


class Course:
    """One game from its beginning to where it stands."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        clock: Clock | None = None,
        chance: Chance | None = None,
    ) -> None:
        self.game = game
        self.chance = chance or SystemChance()
        self.clock = clock or Clock()
        self.seats = list(seats)
        self.state: Any = begin(game)
        self.steps: list[Step] = []
        # by entry: who decided what, for those that are decisions
        self.log: list[Decided | None] = []
        self.ahead: dict[int, list[int]] = {}
        self._kept: dict[int, Any] = {0: self.state.clone()}

    # ------------------------------------------------------------ where it stands

    @property
    def version(self) -> int:
        """The number of the next entry."""
        return len(self.log)

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def decides(self) -> int:
        """The seat that decides now; below 0 none."""
        return int(self.state.current_player())

    @property
    def bot(self) -> str | None:
        """The words for the bot that decides now, if one does."""
        seat = self.decides
        return self.seats[seat] if seat >= 0 and self.seats[seat] != PERSON else None

    @property
    def secret(self) -> bool:
        """Whether the decision that is asked now is made in secret."""
        choices = self.game.full.info["choices"]
        return self.decides >= 0 and bool(choices[str(self.state.pc)]["secret"])

    def only_in_secret(self, since: int, seat: int) -> bool:
        """Whether all that happened since an entry are secret decisions of other seats, which change nothing for this one."""
        return since >= 0 and all(
            d is not None and d.secret and d.by != seat for d in self.log[since:]
        )

    # ------------------------------------------------------------ going on

    def draft_beginning(self) -> Draft:
        step = Step(-1, (), 0, 0)
        return self._with_chance([], step, self.state.clone())

    def draft_position(self, data: Json) -> Draft:
        """A beginning from a position that somebody set up; it is looked at as a save is, so nothing in it is trusted."""
        state: Any = self.game.full.from_dict(data)
        step = Step(-1, (), state.barriers, len(state.story))
        return self._with_chance([{POSITION: data}], step, state)

    def draft(self, *actions: int) -> Draft:
        """A decision of the seat that is asked, with chance from the operating system after it; or the steps of one choice."""
        state, who = self.state.clone(), self.decides
        step = Step(who, actions, state.barriers, len(state.story), decisions=len(actions))
        events: Events = []
        for action in actions:
            if state.current_player() != who or action not in state.legal_actions():
                raise IllegalAction(f"{action} is not possible now")
            events.append(event_of(state, action))
            state.apply_action(action)
        return self._with_chance(events, step, state)

    def _with_chance(self, events: Events, step: Step, state: Any) -> Draft:
        actions = list(step.actions)
        while state.is_chance_node():
            outcome = self.chance.outcome(state)
            events.append(event_of(state, outcome))
            state.apply_action(outcome)
            actions.append(outcome)
        if state.is_terminal():
            events.append(end_event(state))
        step.actions = tuple(actions)
        return Draft(events, step, state)

    def accept(self, events: Events, draft: Draft | None = None) -> None:
        """An entry that has been written down; `draft` is what came of it, where that is known."""
        first = events[0] if events else {}
        if "undo" in first:
            self._take_back(int(first["undo"]))
            self.log.append(None)
        elif "seat" in first:
            self.seats[int(first["seat"])] = str(first["who"])
            self.log.append(None)
        elif "ahead" in first:
            by, action = int(first["ahead"]), int(first["action"])
            self.ahead.setdefault(by, []).append(action)
            self.log.append(Decided(by, (action,), True))
        else:
            self._play(draft or self._played(events))
            if POSITION in first:
                # no play from the beginning leads there
                self._kept[len(self.steps)] = self.state.clone()

    def _played(self, events: Events) -> Draft:
        """What an entry that was read brings."""
        state = self.state.clone()
        who = -1 if not self.log else self.decides
        step = Step(who, (), state.barriers, len(state.story))
        actions: list[int] = []
        decisions = 0
        for event in events:
            if "end" in event:
                break
            if POSITION in event:
                state = self.game.full.from_dict(event[POSITION])
                continue
            if "by" in event and event["by"] != state.current_player():
                raise RulewrightError(f"seat {event['by']} does not decide at step {len(self.log)}")
            action = state.action_from_dict(event)
            if action not in state.legal_actions():
                raise RulewrightError(f"{event} is not possible at step {len(self.log)}")
            state.apply_action(action)
            actions.append(action)
            decisions += "by" in event
        step.actions, step.decisions = tuple(actions), decisions
        return Draft(events, step, state)

    def _play(self, draft: Draft) -> None:
        step = draft.step
        step.scores = tuple(draft.state.scores()[: self.game.num_players()])
        step.period = self.clock.period(draft.state)
        own = step.actions[: step.decisions]
        self.log.append(None if step.by < 0 else Decided(step.by, own, self.secret))
        self.steps.append(step)
        self.state = draft.state
        ahead = self.ahead.get(step.by)
        if ahead:
            ahead.pop(0)
        if len(self.steps) % _KEEP_EVERY == 0:
            self._kept[len(self.steps)] = self.state.clone()

    # ------------------------------------------------------------ going back

    def undo_problem(self, seats: Collection[int]) -> str | None:
        """Why those at these seats can't take back the last decision; None if they can."""
        if not self.steps or self.steps[-1].by < 0:
            return "nothing"
        last = self.steps[-1]
        if last.by not in seats:
            return "other"
        if last.barriers != self.state.barriers or self.over:
            return "chance"
        return None

    def _take_back(self, count: int) -> None:
        """So many decisions back: of a choice of several all or none."""
        while count > 0:
            count -= self.steps.pop().decisions
        self.state = self.at(len(self.steps))
        self.ahead.clear()
        for kept in [n for n in self._kept if n > len(self.steps)]:
            del self._kept[kept]

    def at(self, step: int) -> Any:
        """The position after so many steps, as a state of its own."""
        if not 0 <= step <= len(self.steps):
            raise Stale(f"there is no step {step}")
        nearest = max(n for n in self._kept if n <= step)
        state = self._kept[nearest].clone()
        for one in self.steps[nearest:step]:
            for action in one.actions:
                state.apply_action(action)
        return state

    def told(self, step: int) -> tuple[int, int]:
        """The lines of the story that belong to a step: from … up to before …"""
        start = self.steps[step].told
        after = step + 1
        stop = self.steps[after].told if after < len(self.steps) else len(self.state.story)
        return start, stop
