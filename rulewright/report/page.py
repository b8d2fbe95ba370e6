"""A summary of games → one HTML page that needs nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rulewright.pages import page as rendered
from rulewright.report import svg
from rulewright.simulate.summary import Side, Summary
from rulewright.wording import ruleset_title


@dataclass(frozen=True, slots=True)
class Answer:
    """How often a bot gave an answer: a bar and its figures."""

    width: int
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a choice, with each bot's answers; the label stands at the first value only."""

    label: str
    value: str
    answers: list[Answer | None]


def page(summary: Summary, called: str = "period") -> str:
    """The whole page; `called` is the game's word for a period."""
    meta = summary.meta
    reasons = list(meta["reasons"].values())
    even = 1 / meta["players"]
    by_bot = list(summary.by_bot.items())
    by_seat = list(zip(meta["seats"], summary.by_seat, strict=True))
    colours = [svg.named_colour(name, i) for i, name in enumerate(meta["seats"])]
    scores = [(n, dict(s.scores.counts)) for n, s in by_bot]
    points = [(n, s.reason_means()) for n, s in by_bot]
    return rendered(
        "games.html.j2",
        title=ruleset_title(meta["title"], meta["players"], meta["variants"]),
        meta=meta,
        games=f"{summary.games:,}",
        called=called,
        colour=svg.colour,
        heads=_HEADS,
        # where one bot plays all seats its share of the wins is fixed
        bot_heads=_HEADS[2:] if summary.one_bot else _HEADS,
        fixed=summary.one_bot,
        bots=[name for name, _ in by_bot],
        reasons=reasons,
        by_bot=[_row(n, s, summary.one_bot) for n, s in by_bot],
        by_seat=[_row(n, s) for n, s in by_seat],
        shares_by_bot=_shares(by_bot, "Share of wins by bot", even) if len(by_bot) > 1 else None,
        shares_by_seat=_shares(by_seat, "Share of wins by seat", even, colours),
        scores=svg.histogram(scores, "Distribution of scores", "score"),
        length=_length(summary),
        points=svg.stacked(points, reasons, "Mean points by reason"),
        periods=_periods(summary, called),
        course=_course(summary),
        choices=_choices(summary),
    )


_HEADS = ["wins", "95 %", "score", "95 %", "median", "spread"]


def _row(name: str, side: Side, fixed: bool = False) -> list[str]:
    low, high = side.interval
    mean_low, mean_high = side.scores.interval
    share = [f"{100 * side.share:.1f} %", f"{100 * low:.1f}–{100 * high:.1f}"]
    return [
        name, f"{side.games:,}", *([] if fixed else share), f"{side.scores.mean:.2f}", f"{mean_low:.2f}–{mean_high:.2f}",
        f"{side.scores.median:g}", f"{side.scores.deviation:.1f}",
    ]  # fmt: skip


def _shares(
    sides: list[tuple[str, Side]], title: str, even: float, colours: list[str] | None = None
) -> svg.Element:
    return svg.shares([(n, s.share, *s.interval) for n, s in sides], title, even, colours)


def _length(summary: Summary) -> str:
    length = summary.length
    return (
        f"A game takes {length.mean:.1f} decisions (median {length.median:g}, from {min(length.counts, default=0)}"
        f" to {max(length.counts, default=0)})."
    )


def _periods(summary: Summary, called: str) -> list[tuple[str, svg.Element]]:
    if len(summary.periods) < 2:
        return []
    names = list(summary.meta["reasons"].values())
    out = []
    for bot in summary.by_bot:
        games = summary.by_bot[bot].games
        rows = [
            (f"{called} {i + 1}", [points / games for points in period.get(bot, [0] * len(names))])
            for i, period in enumerate(summary.periods)
        ]
        out.append((bot, svg.stacked(rows, names, f"Points of {bot} by {called}")))
    return out


def _course(summary: Summary) -> svg.Element | None:
    if len(summary.course) < 2:
        return None
    lead: list[tuple[str, list[float]]] = []
    for bot in summary.by_bot:
        sums = [
            step[bot]
            for step in summary.course
            if bot in step and step[bot][0] * 2 >= summary.by_bot[bot].games
        ]
        lead.append((bot, [s[2] / s[0] for s in sums]))
    return svg.lines(lead, "Mean lead over the best other seat", "step", "points ahead")


def _choices(summary: Summary) -> list[Choice]:
    """For each choice the share of each value among a bot's answers."""
    rows = summary.choice_table()
    totals: Counter[tuple[str, str]] = Counter()
    for label, _, times in rows:
        for bot, n in times.items():
            totals[label, bot] += n
    out = []
    before = ""
    for label, value, times in rows:
        answers: list[Answer | None] = []
        for bot, side in summary.by_bot.items():
            n = times.get(bot, 0)
            share = n / totals[label, bot] if n else 0.0
            text = f"{100 * share:.1f} % · {n / side.games:.2f}"
            answers.append(Answer(round(60 * share), text) if n else None)
        out.append(Choice(label if label != before else "", value, answers))
        before = label
    return out
