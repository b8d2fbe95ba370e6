"""A summary of games → one HTML page that needs nothing else."""

from __future__ import annotations

from collections import Counter
from html import escape

from rulewright.report import svg
from rulewright.simulate.summary import Side, Summary

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:860px;margin:2em auto;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #ddd}
table{border-collapse:collapse;font-size:.92em;width:100%}
td,th{padding:.25em .6em;text-align:right;border-bottom:1px solid #eee}td:first-child,th:first-child{text-align:left}
svg{width:100%;height:auto;font:12px system-ui,sans-serif}svg text{fill:#444}
.axis{stroke:#555}.grid{stroke:#e6e6e6}.even{stroke:#999;stroke-dasharray:4 3}
.key{margin-right:1.2em;white-space:nowrap}.key i{display:inline-block;width:.9em;height:.9em;margin-right:.4em;vertical-align:-.1em}
.note{color:#666;font-size:.9em}.bar{display:inline-block;height:.7em;background:#3566a8;vertical-align:middle;margin-right:.4em}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}svg text{fill:#bbb}.grid{stroke:#333}.axis{stroke:#999}
td,th{border-color:#333}h2{border-color:#444}}
"""


def page(summary: Summary, called: str = "period") -> str:
    """The whole page; `called` is the game's word for a period."""
    meta = summary.meta
    variants = f" with {', '.join(meta['variants'])}" if meta["variants"] else ""
    title = f"{meta['title']}, {meta['players']} players{variants}"
    sections = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{summary.games:,} games of {escape(', '.join(meta['bots']))}; seed {meta['seed']}, ruleset"
        f" <code>{escape(meta['ruleset'])}</code>. Intervals are for 95 %.</p>",
        *_wins(summary), *_scores(summary), *_reasons(summary), *_periods(summary, called), *_course(summary),
        *_choices(summary),
    ]  # fmt: skip
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


def _table(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(h)}</th>" for h in heads)
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(name: str, side: Side) -> list[str]:
    low, high = side.interval
    mean_low, mean_high = side.scores.interval
    return [
        escape(name), f"{side.games:,}", f"{100 * side.share:.1f} %", f"{100 * low:.1f}–{100 * high:.1f}",
        f"{side.scores.mean:.2f}", f"{mean_low:.2f}–{mean_high:.2f}", f"{side.scores.median:g}",
        f"{side.scores.deviation:.1f}",
    ]  # fmt: skip


_HEADS = ["wins", "95 %", "score", "95 %", "median", "spread"]


def _wins(summary: Summary) -> list[str]:
    seats = summary.meta["seats"]
    even = 1 / summary.meta["players"]
    by_seat = [(n, s.share, *s.interval) for n, s in zip(seats, summary.by_seat, strict=True)]
    by_bot = [(n, s.share, *s.interval) for n, s in summary.by_bot.items()]
    out = [
        "<h2>Wins by bot</h2>",
        _table(["bot", "seats", *_HEADS], [_row(n, s) for n, s in summary.by_bot.items()]),
    ]
    if len(by_bot) > 1:
        out.append(svg.shares(by_bot, "Share of wins by bot", even))
    out += [
        "<h2>Wins by seat</h2>",
        _table(
            ["seat", "games", *_HEADS],
            [_row(n, s) for n, s in zip(seats, summary.by_seat, strict=True)],
        ),
    ]
    out.append(svg.shares(by_seat, "Share of wins by seat", even))
    out.append('<p class="note">The dashed line is an even share.</p>')
    return out


def _scores(summary: Summary) -> list[str]:
    series = [(n, dict(s.scores.counts)) for n, s in summary.by_bot.items()]
    length = summary.length
    return [
        "<h2>Scores</h2>", svg.legend([n for n, _ in series]), svg.histogram(series, "Distribution of scores", "score"),
        f"<p>A game takes {length.mean:.1f} decisions (median {length.median:g}, from {min(length.counts, default=0)}"
        f" to {max(length.counts, default=0)}).</p>",
    ]  # fmt: skip


def _reasons(summary: Summary) -> list[str]:
    names = list(summary.meta["reasons"].values())
    rows = [(n, s.reason_means()) for n, s in summary.by_bot.items()]
    return [
        "<h2>Points by reason</h2>",
        svg.legend(names),
        svg.stacked(rows, names, "Mean points by reason"),
    ]


def _periods(summary: Summary, called: str) -> list[str]:
    if len(summary.periods) < 2:
        return []
    names = list(summary.meta["reasons"].values())
    out = [f"<h2>Points by reason and {escape(called)}</h2>", svg.legend(names)]
    for bot in summary.by_bot:
        games = summary.by_bot[bot].games
        rows = [
            (f"{called} {i + 1}", [points / games for points in period.get(bot, [0] * len(names))])
            for i, period in enumerate(summary.periods)
        ]
        out += [f"<h3>{escape(bot)}</h3>", svg.stacked(rows, names, f"Points of {bot} by {called}")]
    return out


def _course(summary: Summary) -> list[str]:
    if len(summary.course) < 2:
        return []
    lead: list[tuple[str, list[float]]] = []
    for bot in summary.by_bot:
        sums = [
            step[bot]
            for step in summary.course
            if bot in step and step[bot][0] * 2 >= summary.by_bot[bot].games
        ]
        lead.append((bot, [s[2] / s[0] for s in sums]))
    return [
        "<h2>Course of the lead</h2>", svg.legend([n for n, _ in lead]),
        svg.lines(lead, "Mean lead over the best other seat", "step", "points ahead"),
    ]  # fmt: skip


def _choices(summary: Summary) -> list[str]:
    """For each choice the share of each value among a bot's answers."""
    bots = list(summary.by_bot)
    rows = summary.choice_table()
    totals: Counter[tuple[str, str]] = Counter()
    for label, _, times in rows:
        for bot, n in times.items():
            totals[label, bot] += n
    out = [
        "<h2>Choices</h2>",
        '<p class="note">The share of a bot\'s answers to the choice, and how often that is in a game.</p>',
    ]
    table: list[list[str]] = []
    before = ""
    for label, value, times in rows:
        cells = [escape(label) if label != before else "", escape(value)]
        for bot in bots:
            n = times.get(bot, 0)
            share = n / totals[label, bot] if n else 0.0
            bar = f'<span class="bar" style="width:{60 * share:.0f}px"></span>'
            cells.append(
                f"{bar}{100 * share:.1f} % · {n / summary.by_bot[bot].games:.2f}" if n else "–"
            )
        table.append(cells)
        before = label
    out.append(_table(["choice", "value", *bots], table))
    return out
