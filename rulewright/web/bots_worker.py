"""Jobs from a pipe → answers: what a bot chooses, what a search thinks of the options, what they bring, an engine built for the cache.

This runs in processes of its own, so that the server never waits for it, and can end one that takes too long.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any

from rulewright.bots import Bot, make
from rulewright.engines import load, spec_path
from rulewright.ready import Later
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.preview import Ahead
from rulewright.runtime.preview_tells import Tongue
from rulewright.runtime.revive import revived_state
from rulewright.scene.read_view import read_layout
from rulewright.scene.tongue import tongue_of
from rulewright.scene.view_names import Names

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset by its words; options as sorted pairs, so that it can be a key."""

    game: str
    players: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Build:
    """Make both flavours of an engine, for the cache."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class Choose:
    """Which action a bot takes at a seat."""

    rules: Rules
    bot: str
    state: Json
    seat: int
    seed: int


@dataclass(frozen=True, slots=True)
class Advise:
    """How a search divides its visits among the options of a seat."""

    rules: Rules
    iterations: int
    state: Json
    seat: int
    seed: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What each option of a seat brings, in words; or what steps of one choice bring together.

    The state comes as its fields, from a game of the ruleset with this hash.
    """

    rules: Rules
    ruleset: str
    fields: Json
    seat: int
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    value: Any = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """Sent before each answer, when the worker has started and knows the rules: from here on its time counts."""


Job = Build | Choose | Advise | Preview


def work(pipe: Connection) -> None:
    """Answer jobs about games until the other end is closed."""
    answer_jobs(pipe, _done, _ready)


def work_patiently(pipe: Connection) -> None:
    """The same, but once it has got going, whatever else the machine has to do goes first."""
    begun = False

    def done(job: Job) -> Any:
        nonlocal begun
        found = _done(job)
        if not begun:
            begun = True
            with contextlib.suppress(OSError, AttributeError):
                os.nice(10)
        return found

    answer_jobs(pipe, done, _ready)


def _ready(job: Job) -> None:
    """Load what a job is about; building rules is a job of its own."""
    if not isinstance(job, Build):
        _game(job.rules)


def answer_jobs(
    pipe: Connection, done: Callable[[Any], Any], ready: Callable[[Any], None] | None = None
) -> None:
    """Answer jobs until the other end is closed: `ready` makes ready for one, `done` does it."""
    # Ctrl-C is for the server, which ends its workers in order
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            if ready is not None:
                ready(job)
            pipe.send(Begun())
            answer = Answer(done(job))
        except Exception as error:
            # a bot may be anybody's code: whatever it raises must not end the worker
            answer = Answer(problem=f"{type(error).__name__}: {error}")
        try:
            pipe.send(answer)
        except (OSError, ValueError):
            return


def _done(job: Job) -> Any:
    game = _game(job.rules)
    match job:
        case Build():
            return game.full.name
        case Choose():
            # bots think with the fast engine, and see what their seat sees
            view = game.from_dict(job.state).view(job.seat)
            action = _bot(job.rules, job.bot).choose(view, job.seed)
            if action not in view.legal_actions():
                raise RulewrightError(f"the bot {job.bot} chose {action!r}, which is not legal")
            return int(action)
        case Advise():
            return _advice(game, job)
        case Preview():
            if game.info["hash"] != job.ruleset:
                raise RulewrightError(f"the rules of {job.rules.game} are others here")
            state = revived_state(game.full, False, job.fields)
            if job.steps:
                return str(Ahead(game.full, state, _tongue(job.rules)).together(job.steps)["text"])
            return brought(game, _tongue(job.rules), state, job.seat)


def brought(game: Game, tongue: Tongue, state: Any, seat: int) -> dict[int, str]:
    """What each option brings, from what the seat sees alone; those that bring nothing to tell of are left out."""
    if state.current_player() != seat:
        return {}
    ahead = Ahead(game.full, state, tongue)
    found = {int(a): str(ahead.preview(a)["text"]) for a in state.legal_actions()}
    return {action: text for action, text in found.items() if text}


def _advice(game: Game, job: Advise) -> list[tuple[int, float]]:
    from rulewright.bots.mcts import MctsBot

    bot: Any = _bot(job.rules, f"mcts:{job.iterations}")
    assert isinstance(bot, MctsBot)
    view = game.from_dict(job.state).view(job.seat)
    actions = view.legal_actions()
    if len(actions) == 1:
        return [(actions[0], 1.0)]
    first = bot.search(view, job.seed).first()
    visits = {a: first[a][0] if a in first else 0 for a in actions}
    total = sum(visits.values()) or 1
    return sorted(((a, n / total) for a, n in visits.items()), key=lambda row: -row[1])


@lru_cache(maxsize=32)
def _later(rules: Rules) -> Later:
    asked = (rules.game, rules.players, rules.variants, dict(rules.options))
    later = Later(load(*asked), *asked)
    later.begin()
    return later


def _game(rules: Rules) -> Game:
    """The native engine as soon as there is one: the first jobs do not wait for it."""
    return _later(rules).game


def _bot(rules: Rules, text: str) -> Bot:
    return _bot_of(_game(rules), rules.game, text)


@lru_cache(maxsize=32)
def _tongue(rules: Rules) -> Tongue:
    folder = spec_path(rules.game)
    names = Names.of(folder, _game(rules))
    return tongue_of(read_layout(folder, names), names)


@lru_cache(maxsize=64)
def _bot_of(game: Game, name: str, text: str) -> Bot:
    return make(text, game, spec_path(name))
