"""A game being played: people and bots at its seats, a file that records it, and steps that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from rulewright.bots import make
from rulewright.bots.base import Bot, blind
from rulewright.chance import Chance, SeededChance, SystemChance, begin
from rulewright.engines import spec_path
from rulewright.play.several import step_of
from rulewright.ready import Later
from rulewright.replay import (
    Header,
    Recorder,
    end_event,
    event_of,
    header_of,
    read_replay,
    steps,
)
from rulewright.runtime.errors import RulewrightError, too_many_steps
from rulewright.runtime.game import Game
from rulewright.runtime.support import STEPS
from rulewright.simulate.plan import Plan

Json = dict[str, Any]
HUMAN = "human"


class SessionError(RulewrightError):
    """A game can't be begun or gone on with like this."""


def _chance_of(seed: int | None) -> Chance:
    return SystemChance() if seed is None else SeededChance(seed)


@dataclass(slots=True)
class _Before:
    """The game before a decision."""

    state: Any
    number: int
    seat: int


class Session:
    """The state is in the full flavour and takes chance from outside, so that everything can be told and recorded.

    Chance comes from the operating system unless somebody gave a seed; then the same seed gives the same luck again.
    """

    def __init__(self, header: Header, game: Game, chance: Chance) -> None:
        self.header, self.game, self.chance = header, game, chance
        self.state: Any = begin(game)
        self.recorder: Recorder | None = None
        # bots think with the native engine as soon as there is one
        self.later = Later(game, header.game, header.players, header.variants, header.options)
        self._thinks = game
        self.bots = self._made_bots()
        if any(bot is not None and not blind(bot) for bot in self.bots):
            self.later.begin()
        # everything that a file needs to hold, so that a recording can begin at any time
        self.events: list[Json] = []
        self.number = 0
        self.past: list[_Before] = []

    @staticmethod
    def new(
        name: str,
        game: Game,
        variants: Sequence[str],
        options: Mapping[str, object],
        seed: int | None,
        seats: Sequence[str],
        save: Path | None = None,
        chance: Chance | None = None,
    ) -> Session:
        header = header_of(name, game, variants, options, seats)
        session = Session(header, game, chance or _chance_of(seed))
        # the file appears only when everything else is in order
        session.recorder = None if save is None else Recorder(save, header)
        session._chance()
        return session

    @staticmethod
    def resume(path: Path, seed: int | None = None) -> tuple[Session, list[str]]:
        """Go on with a recorded game; also what is to be said about the file. The file holds no seed: whoever played with one gives it again."""
        replay = read_replay(path)
        game = replay.header.load()
        chance = _chance_of(seed)
        session = Session(replay.header, game, chance)
        for state, row in steps(replay, game):
            with_seed = seed is not None and "chance" in row
            if with_seed and chance.outcome(state) != state.action_from_dict(row):
                raise SessionError(f"the game in {path} was not played with the seed {seed}")
            session.state = state
            session.events += [row] if row else []
            if "choice" in row:
                session.past.append(_Before(state.clone(), session.number, state.current_player()))
                session.number += 1
        if session.over:
            raise SessionError(f"the game in {path} is over; see it with: rulewright replay {path}")
        session.recorder = Recorder(path, None)
        session._chance()
        return session, replay.notes

    @staticmethod
    def of_plan(plan: Plan, number: int, game: Game, save: Path | None = None) -> Session:
        """A game of a simulation again, from its seed and with its bots at their seats."""
        names = [plan.bots[plan.bot_at(number, seat)] for seat in range(plan.players)]
        chance = SeededChance(plan.game_seed(number), plan.bots_seed(number))
        return Session.new(plan.game, game, plan.variants, plan.options, None, names, save, chance)

    # ------------------------------------------------------------ where the game stands

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def seat(self) -> int:
        return int(self.state.current_player())

    @property
    def human_decides(self) -> bool:
        return not self.over and self.bots[self.seat] is None

    # ------------------------------------------------------------ going on

    def decide(self, action: int) -> None:
        """Carry out a decision and the chance that follows."""
        if self.number >= self.game.most_decisions:
            raise self.game.endless(self.state)
        event = event_of(self.state, action)
        before = _Before(self.state.clone(), self.number, self.seat)
        self.state.apply_action(action)
        self.past.append(before)
        self.number += 1
        self._record(event)
        self._chance()

    def _made_bots(self) -> list[Bot | None]:
        folder = spec_path(self.header.game)
        made: dict[str, Bot] = {}
        for text in self.header.seats:
            if text != HUMAN and text not in made:
                made[text] = make(text, self._thinks, folder)
        return [made.get(text) for text in self.header.seats]

    def bot_moves(self) -> None:
        """One decision of the bot whose turn it is."""
        if self.later.game is not self._thinks:
            self._thinks = self.later.game
            self.bots = self._made_bots()
        bot = self.bots[self.seat]
        assert bot is not None
        actions = self.state.legal_actions()
        if len(actions) == 1:
            self.decide(actions[0])
            return
        # bots think with the fast engine, and see what their seat sees
        fast = self._thinks.fast_state(self.state)
        action = bot.choose(fast.view(self.seat), self.chance.bot_seed(self.seat, self.number))
        if action not in actions:
            raise SessionError(
                f"the bot {self.header.seats[self.seat]} chose {action!r}, which is not legal"
            )
        self.decide(action)

    def _chance(self) -> None:
        for step in count():
            if not self.state.is_chance_node():
                break
            if step >= STEPS:
                raise self.game.located(too_many_steps(-1 - self.state.pc))
            outcome = self.chance.outcome(self.state)
            event = event_of(self.state, outcome)
            self.state.apply_action(outcome)
            self._record(event)
        if self.over:
            self._record(end_event(self.state))

    def _record(self, event: Json) -> None:
        self.events.append(event)
        if self.recorder is not None:
            self.recorder.write(event)

    def save(self, path: Path) -> None:
        """Record the game in a new file from here on, with all that has happened so far."""
        recorder = Recorder(path, self.header)
        for event in self.events:
            recorder.write(event)
        self.close()
        self.recorder = recorder

    # ------------------------------------------------------------ taking back

    def undo(self) -> str | None:
        """Take back the last decision of a person; a text says why that can't be done."""
        for steps_back, before in enumerate(reversed(self.past), start=1):
            if before.state.barriers != self.state.barriers:
                return "not beyond the last roll, draw or reveal: what was learnt can't be unlearnt"
            # of a choice of several all steps go back
            if self.bots[before.seat] is None and self._begins(before):
                self.state, self.number = before.state.clone(), before.number
                del self.past[-steps_back:]
                self._record({"undo": steps_back})
                return None
        return "there is nothing to take back"

    def _begins(self, before: _Before) -> bool:
        """Whether a decision is none of the later steps of a choice of several."""
        step = step_of(self.game.full.info["choices"][str(before.state.pc)]["label"])
        return step is None or step[1] == 1

    def close(self) -> None:
        if self.recorder is not None:
            self.recorder.close()
