"""Standings → one HTML page that needs nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ladder.show import ahead, span, title_of
from rulewright.ladder.standings import Standings
from rulewright.pages import page as rendered
from rulewright.report import svg
from rulewright.simulate.show import percent


@dataclass(frozen=True, slots=True)
class Cell:
    """A pair in the matrix: what is shown, how strongly it is coloured, and which way."""

    text: str
    hover: str = ""
    strength: int = 0
    good: bool = True


def page(standings: Standings, ruleset: str, hashes: list[str], anchor: int | None) -> str:
    """The whole page."""
    plan, ratings = standings.plan, standings.ratings(anchor)
    ranking = standings.order(ratings)
    rows = []
    for i in ranking:
        games = max(1, standings.games[i])
        rows.append([
            plan.bots[i], f"{ratings[i].value:+.0f}", span(ratings[i]), f"{standings.games[i]:,}",
            percent(standings.wins[i] / games), f"{standings.points[i] / games:.1f}",
        ])  # fmt: skip
    question = standings.question
    course = None
    if question is not None:
        bound = question.test.bound
        course = svg.lines(
            [("ratio", question.course)], "Course of the test", "block", "logarithm of the ratio", (bound, -bound)
        )  # fmt: skip
    return rendered(
        "ladder.html.j2",
        title=title_of(standings),
        rows=rows,
        names=[plan.bots[i] for i in ranking],
        plot_of_ratings=svg.ratings(
            [(plan.bots[i], ratings[i].value, ratings[i].low, ratings[i].high) for i in ranking],
            "Ratings with their intervals",
        ),
        anchor=None if anchor is None else plan.bots[anchor],
        matrix=[(plan.bots[a], [_cell(standings, a, b) for b in ranking]) for a in ranking],
        question=None if question is None else question.text(plan.bots),
        course=course,
        ruleset=ruleset,
        seed=plan.seed,
        options=[f"{name} = {value}" for name, value in plan.options.items()],
        hashes=list(zip(plan.bots, hashes, strict=True)),
    )


def _cell(standings: Standings, a: int, b: int) -> Cell:
    if a == b:
        return Cell("")
    pair, names = standings.pairs[a, b], standings.plan.bots
    low, high = pair.interval
    told = f"{names[a]} ahead of {names[b]} in {100 * pair.share:.1f} % of {pair.meetings} meetings ({100 * low:.1f}–{100 * high:.1f})"
    clear = low > 0.5 or high < 0.5
    strength = round(70 * abs(pair.share - 0.5) * 2) if clear else 0
    return Cell(ahead(pair), told, strength, pair.share > 0.5)
