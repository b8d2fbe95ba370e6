"""A spec → a few random games of every ruleset in the checking flavour: what only shows in play, as problems with their place.

After each decision all invariants, ranges, pieces and points are looked at. What goes wrong is played again in the full
flavour, which knows the line of the rules that did it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.compiler.build import Spec, build
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.text.diagnostics import Problem, Problems, SpecError
from rulewright.compiler.text.source import Span
from rulewright.engines import module_of
from rulewright.runtime import rng
from rulewright.runtime.bits import nth, size
from rulewright.runtime.errors import IN_PLAY, EngineError, RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.view import View

GAMES = 5
# of each ruleset in all its games together, so that a trial ends whatever the rules say
DECISIONS = 20_000
# from what seats see in each game, each played to the end
DEALS = 2


@dataclass(slots=True)
class Trial:
    """What was played, and what went wrong."""

    problems: Problems
    rulesets: int = 0
    games: int = 0

    def line(self) -> str:
        played = f"{self.games} game{'' if self.games == 1 else 's'}"
        where = f"{self.rulesets} ruleset{'' if self.rulesets == 1 else 's'}"
        return f"{played} of {where} played"


def try_out(
    spec: Spec,
    games: int = GAMES,
    decisions: int = DECISIONS,
    go_on: Callable[[], bool] = lambda: True,
) -> Trial:
    """Play every ruleset; `go_on` is asked before each game."""
    trial = Trial(Problems())
    told: set[tuple[str, Span]] = set()
    for players, variants in rulesets(spec.folder):
        if not go_on():
            break
        try:
            ruleset = _Ruleset(spec, players, variants)
        except SpecError as error:
            # what checking did not find and building did
            for problem in error.problems:
                trial.problems.add(problem)
            continue
        trial.rulesets += 1
        for problem in ruleset.play(trial, games, decisions, go_on):
            # one mistake shows in many rulesets; the first is enough to find it
            if (problem.code, problem.span) not in told:
                told.add((problem.code, problem.span))
                trial.problems.add(problem)
    return trial


class _Ruleset:
    def __init__(self, spec: Spec, players: int, variants: tuple[str, ...]) -> None:
        self.spec, self.players, self.variants = spec, players, variants
        engine = build(spec, players, variants, checking=True)
        self.game = Game(module_of(engine.text, "checking"), engine.info, self._make_full)
        # bots may ask at any decision what a position is worth
        self._judged = range(players) if engine.info["heuristic"] else ()

    def _make_full(self) -> Game:
        full = build(self.spec, self.players, self.variants, full=True)
        return Game(module_of(full.text, "full"), full.info)

    def play(
        self, trial: Trial, games: int, decisions: int, go_on: Callable[[], bool]
    ) -> Iterator[Problem]:
        left = decisions
        for seed in range(games):
            if not go_on() or left <= 0:
                return
            actions: list[int] = []
            wrong = self._one(seed, left, actions)
            left -= len(actions)
            trial.games += 1
            if isinstance(wrong, EngineError):
                yield self._problem(self._again(seed, actions) or wrong, len(actions))
                return
            if wrong:
                yield self._endless(len(actions))
                return
            # one of them is told as people read it, since texts may speak of what is not there
            untold = self._again(seed, actions) if seed == 0 else None
            if untold is not None:
                yield self._problem(untold, len(actions))
                return
            if self._hides and (problem := self._dealt(seed, actions)) is not None:
                yield problem
                return

    def _one(self, seed: int, most: int, actions: list[int]) -> EngineError | bool:
        """One random game: what went wrong, or whether it was still going on after the most decisions."""
        module, info = self.game.module, self.game.info
        state: Any = module.new_state(seed)
        x = rng.from_seed(seed + 7919)
        try:
            module.begin(state)
            while True:
                number = module.broken(state)
                if number >= 0:
                    return EngineError("RW1005", -1, f"{info['checks'][number]} is not kept")
                if not state.pc:
                    module.rank_keys(state)
                    return False
                for seat in self._judged:
                    module.heuristic(state, seat)
                if len(actions) >= most:
                    return True
                x = rng.step(x)
                option = nth(state.opts, rng.below(x, size(state.opts)))
                actions.append(info["choices"][str(state.pc)]["offset"] + option)
                module.run(state, option)
        except IN_PLAY as error:
            return self.game.located(error)

    @property
    def _hides(self) -> bool:
        info = self.game.info
        zones = [z["visible"] for f in info["families"] for z in f["zones"]]
        return any(v != "all" for v in (*zones, *(v["visible"] for v in info["state"])))

    def _dealt(self, seed: int, actions: list[int]) -> Problem | None:
        """What a seat can't see is dealt anew somewhere in a game, as bots do that think ahead, and that is played to the end."""
        module = self.game.module
        x = rng.from_seed(seed + 104_729)
        for seat in range(min(DEALS, self.players)):
            x = rng.step(x)
            done = rng.below(x, len(actions)) if actions else 0
            state: Any = module.new_state(seed)
            module.begin(state)
            for action in actions[:done]:
                offset = self.game.info["choices"][str(state.pc)]["offset"]
                module.run(state, action - offset)
            if not state.pc:
                continue
            try:
                other: Any = View(self.game, state, (seat + seed) % self.players).determinize(seed)
                # as long as a game may be, so that it ends
                for _ in range(DECISIONS):
                    if not other.pc:
                        break
                    x = rng.step(x)
                    module.run(other, nth(other.opts, rng.below(x, size(other.opts))))
            except IN_PLAY as error:
                return self._not_dealt(self.game.located(error), done)
            except RulewrightError as error:
                return self._not_dealt(error, done)
        return None

    def _not_dealt(self, error: RulewrightError, decisions: int) -> Problem:
        located = error if isinstance(error, EngineError) else None
        at = _span(self.spec, None if located is None else located.at)
        words = str(error) if located is None else located.message
        message = f"what a seat can't see was dealt anew {self._when(decisions)}, and that can't be played on: {words}"
        hint = "the rules rely here on something hidden that follows from nothing all know; state an invariant that says it, else bots that think ahead stop here"
        return Problem("RW1021", "warning", message, at or self.spec.folder.game.span, None, hint)

    def _again(self, seed: int, actions: list[int]) -> EngineError | None:
        """The same game in the full flavour, which tells it and stops at the statement that is wrong."""
        try:
            state = self.game.full.new_initial_state(seed)
            for action in actions:
                state.apply_action(action)
        except EngineError as error:
            return error
        return None

    def _problem(self, error: EngineError, decisions: int) -> Problem:
        at = _span(self.spec, error.at) or self.spec.folder.game.span
        message = f"{error.message}, {self._when(decisions)}"
        hint = "a random game came to this; it is a mistake of the rules, whoever plays"
        return Problem(error.code, "error", message, at, None, hint)

    def _endless(self, decisions: int) -> Problem:
        at = self.spec.folder.game.span
        message = f"the game is not over, {self._when(decisions)}"
        hint = "if it never ends at random, a loop has no end; if it is only long, nothing is wrong"
        return Problem("RW1020", "warning", message, at, None, hint)

    def _when(self, decisions: int) -> str:
        words = [f"{self.players} players", *self.variants]
        after = f"{decisions} decision{'' if decisions == 1 else 's'}"
        return f"after {after} of a game with {', '.join(words)}"


def _span(spec: Spec, at: list[Any] | None) -> Span | None:
    """The place of an error in play, up to the end of its line."""
    if at is None:
        return None
    file, line = str(at[0]), int(at[1])
    source = spec.sources.get(file)
    if source is None or not 1 <= line <= len(source.lines):
        return None
    text = source.lines[line - 1].split("#")[0].rstrip()
    column = int(at[2]) if len(at) > 2 else len(text) - len(text.lstrip()) + 1
    return Span(file, line, column, line, max(column + 1, len(text) + 1))
