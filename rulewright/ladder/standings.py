"""Rows of a ladder's games, in order → blocks, and what they say: ratings, pairs, the answer to a question."""

from __future__ import annotations

from typing import Any

from rulewright.ladder.question import Question
from rulewright.simulate.one import Row
from rulewright.simulate.plan import Plan
from rulewright.statistics.ratings import (
    Pair,
    Placings,
    Rating,
    add_block,
    pairs_of,
    preference,
    rate,
)


class Standings:
    """Grows block by block; only whole blocks count, and none after the question was answered."""

    def __init__(self, plan: Plan, question: Question | None = None, title: str = "") -> None:
        self.plan = plan
        self.title = title or plan.game
        self.question = question
        self.blocks: list[Placings] = []
        self.pairs: dict[tuple[int, int], Pair] = pairs_of(len(plan.bots))
        self.games = [0] * len(plan.bots)
        self.wins = [0.0] * len(plan.bots)
        self.points = [0] * len(plan.bots)
        self._block: list[Row] = []

    @property
    def done(self) -> bool:
        """Whether the question is answered; without one a ladder goes to its end."""
        return self.question is not None and self.question.answered

    def add(self, row: Row) -> None:
        """The next game. What lies behind a gap, after an interruption, is left out, and so is what comes after the answer."""
        if self.done or row.number != len(self.blocks) * self.plan.block + len(self._block):
            return
        self._block.append(row)
        if len(self._block) == self.plan.block:
            self._close()

    def _close(self) -> None:
        rows, self._block = self._block, []
        games = [(row.bots, row.ranks) for row in rows]
        placings = Placings()
        for who, ranks in games:
            placings.add(who, ranks)
        self.blocks.append(placings)
        add_block(self.pairs, games)
        for row in rows:
            for bot, win, score in zip(row.bots, row.wins, row.scores, strict=True):
                self.games[bot] += 1
                self.wins[bot] += win
                self.points[bot] += score
        if self.question is not None:
            a, b = self.question.a, self.question.b
            found = [x for who, r in games if (x := preference(who, r, a, b)) is not None]
            self.question.add(sum(found) / len(found) if found else None)

    def ratings(self, anchor: int | None = None) -> list[Rating]:
        return rate(self.blocks, len(self.plan.bots), anchor, seed=self.plan.seed)

    def order(self, ratings: list[Rating]) -> list[int]:
        """The bots, strongest first."""
        return sorted(range(len(ratings)), key=lambda i: (-ratings[i].value, i))


def to_json(
    standings: Standings, ruleset: str, hashes: list[str], anchor: int | None
) -> dict[str, Any]:
    """All of it as plain data, with what is needed to repeat it."""
    plan, ratings = standings.plan, standings.ratings(anchor)
    names = plan.bots
    return {
        "game": plan.game, "players": plan.players, "variants": list(plan.variants), "options": dict(plan.options),
        "ruleset": ruleset, "seed": plan.seed, "blocks": len(standings.blocks), "block": plan.block,
        "bots": [
            {
                "bot": names[i], "hash": hashes[i], "rating": ratings[i].value,
                "interval": [ratings[i].low, ratings[i].high], "games": standings.games[i],
                "wins": round(standings.wins[i], 6), "points": standings.points[i],
            }
            for i in standings.order(ratings)
        ],
        "pairs": [
            {
                "a": names[a], "b": names[b], "meetings": pair.meetings, "ahead": pair.share,
                "interval": list(pair.interval),
            }
            for (a, b), pair in standings.pairs.items()
        ],
        "until": None if standings.question is None else standings.question.to_json(names),
    }  # fmt: skip
