"""Standings → tables in the terminal: ratings, and the matrix of pairs."""

from __future__ import annotations

import sys

from rulewright.ladder.standings import Standings
from rulewright.simulate.show import figure_table, percent
from rulewright.statistics.ratings import Pair, Rating
from rulewright.terminal import console as new_console
from rulewright.wording import counted, ruleset_title


def title_of(standings: Standings) -> str:
    plan = standings.plan
    rules = ruleset_title(standings.title, plan.players, plan.variants)
    blocks, games = counted(len(standings.blocks), "block"), counted(plan.block, "game")
    return f"{rules}: {blocks} of {games}, seed {plan.seed}"


def span(rating: Rating) -> str:
    return f"{rating.low:+.0f} … {rating.high:+.0f}"


def ahead(pair: Pair) -> str:
    """The share of meetings in which the first was ahead, with half the width of its interval."""
    if not pair.meetings:
        return "–"
    low, high = pair.interval
    return f"{100 * pair.share:.0f} ±{50 * (high - low):.0f}"


def show(standings: Standings, hashes: list[str], anchor: int | None) -> None:
    """All figures of a ladder, strongest first."""
    out = new_console(file=sys.stdout, width=None if sys.stdout.isatty() else 160)
    plan, ratings = standings.plan, standings.ratings(anchor)
    ranking = standings.order(ratings)
    out.print(title_of(standings), style="bold", soft_wrap=True)
    table = figure_table(None, "bot", ["rating", "95 %", "games", "wins", "score", "hash"])
    for i in ranking:
        games = max(1, standings.games[i])
        table.add_row(
            plan.bots[i], f"{ratings[i].value:+.0f}", span(ratings[i]), str(standings.games[i]),
            percent(standings.wins[i] / games), f"{standings.points[i] / games:.1f}", hashes[i],
        )  # fmt: skip
    out.print(table)
    out.print("\nAhead of the other, in 100 meetings (ties count half)", style="bold")
    matrix = figure_table(None, "bot", [plan.bots[i] for i in ranking])
    for a in ranking:
        cells = ["" if a == b else ahead(standings.pairs[a, b]) for b in ranking]
        matrix.add_row(plan.bots[a], *cells)
    out.print(matrix)
    if standings.question is not None:
        out.print()
        out.print(standings.question.text(plan.bots), soft_wrap=True)
