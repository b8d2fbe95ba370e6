"""A full state → how good it looks for each participant, in points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from rulewright.bots.search import margins
from rulewright.runtime.errors import IN_PLAY

Evaluate = Callable[[Any, int], int]

# so many of a later key of the outcome count as one of the key before it
_LATER = 1000


class Judge:
    """Reads the game's own estimate, in the unit of the score; at the end of the game what the outcome ranks by counts.

    A spec may write its estimate in any unit (say, four per point). What one point more changes in it tells the unit,
    so that finished and unfinished games can be compared. A spec without an estimate is judged by its outcome, so where
    low scores win, low scores look good. A neutral participant that the outcome ranks is a rival like the others.
    Partners are judged as one; who plays together against the game has no rivals.
    """

    def __init__(self, game: Any, evaluate: Evaluate | None = None, rivalry: float = 0.5) -> None:
        self._made_of = (game, evaluate, rivalry)
        self.players = int(game.info["players"])
        self.module = game.module
        self._located: Callable[[Exception], Exception] = game.located
        # who plays together against the game has no rivals; what partners have is compared by team, below
        info = game.info
        self.rivalry = 0.0 if "together" in info or "by_team" in info else rivalry
        self._teams: list[int] = info["teams"] if "by_team" in info else []
        self._team_rivalry = rivalry
        start = game.new_initial_state(0)
        # the seats, and the neutral participants that can win
        self.seats = max(self.players, 1 + _last_ranked(game, start))
        self._outcome_unit = 1.0
        self._outcome_unit = _unit(self._outcome, start)
        own = evaluate or (game.module.heuristic if game.info["heuristic"] else None)
        self._own = own
        try:
            self.unit = self._outcome_unit if own is None else _unit(own, start)
        except IN_PLAY as error:
            raise game.located(error) from error
        self.evaluate: Evaluate = self._estimate
        if own is None:
            self.evaluate = self._outcome
        elif self.seats == self.players:
            self.evaluate = own
        # a function in C is part of a module that works out the estimates of all seats in one call
        home = getattr(self.evaluate, "__self__", None)
        self._at_once: Any = home if self.module.COMPILED and isinstance(home, ModuleType) else None

    def estimates(self, state: Any) -> list[int]:
        """The estimates for all participants, in the order of their seats."""
        try:
            if self._at_once is not None:
                found: list[int] = self._at_once.estimates(state, self.seats)
            else:
                found = [self.evaluate(state, who) for who in range(self.seats)]
        except IN_PLAY as error:
            raise self._located(error) from error
        return [round(x) for x in self._by_team(found)] if self._teams else found

    def _by_team(self, each: Sequence[float]) -> list[float]:
        """What partners have on average, less a share of what the other teams have: the same for each of them."""
        teams = self._teams
        means = [
            sum(x for x, t in zip(each, teams, strict=True) if t == team) / teams.count(team)
            for team in range(max(teams) + 1)
        ]
        ahead = margins(means, self._team_rivalry)
        return [ahead[team] for team in teams]

    def __reduce__(self) -> tuple[Any, ...]:
        # in another process it reads the game that is there
        return Judge, self._made_of

    def _estimate(self, state: Any, who: int) -> int:
        """The estimate for a player; the outcome for a neutral participant, of which the estimate knows nothing."""
        if who < self.players and self._own is not None:
            return self._own(state, who)
        return round(self._outcome(state, who) * self.unit / self._outcome_unit)

    def _outcome(self, state: Any, who: int) -> int:
        """What the outcome ranks by, as one number; the score for whom it does not rank."""
        try:
            for row in self.module.rank_keys(state):
                if row[0] == who:
                    total = 0
                    for key in row[1:]:
                        total = total * _LATER + int(key)
                    return total
        except IN_PLAY:
            # what is ranked at the end need not have a meaning before
            pass
        return round(float(state.score[who]) * self._outcome_unit)

    def points(self, state: Any) -> list[float]:
        """What each participant has or can expect."""
        if state.is_terminal():
            reached = [self._outcome(state, p) / self._outcome_unit for p in range(self.seats)]
            # winning is worth something beside the points
            bonus = 0.15 * max(10.0, *(abs(r) for r in reached))
            for p, win in enumerate(state.returns()):
                reached[p] += bonus * win
            return self._by_team(reached) if self._teams else reached
        return [value / self.unit for value in self.estimates(state)]

    def margins(self, state: Any) -> list[float]:
        """What each has, less a share of what the others have: of the best of them and of all of them, half each."""
        if self._at_once is not None and state.pc:
            try:
                found: list[float] = self._at_once.margins(
                    state, self.seats, self.unit, self.rivalry
                )
            except IN_PLAY as error:
                raise self._located(error) from error
            return found
        return margins(self.points(state), self.rivalry)


def _last_ranked(game: Any, start: Any) -> int:
    """The last participant that the outcome ranks; all may be ranked where that has no meaning before the end."""
    try:
        return max((row[0] for row in game.module.rank_keys(start)), default=0)
    except IN_PLAY:
        return len(game.info["participants"]) - 1


def _unit(evaluate: Evaluate, start: Any) -> float:
    """What one point of the score changes in an estimate; 1 where it does not count."""
    state = start.clone()
    before = evaluate(state, 0)
    state.score[0] += 1
    return float(abs(evaluate(state, 0) - before) or 1)
