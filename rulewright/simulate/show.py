"""A summary → tables in the terminal; and the bar that shows how far a run is."""

from __future__ import annotations

import sys
from collections import Counter
from types import TracebackType
from typing import Any

from rich import box
from rich import progress as bars
from rich.console import Console
from rich.table import Table

from rulewright.simulate.summary import Side, Summary
from rulewright.terminal import console as new_console
from rulewright.wording import counted, ruleset_title


class Progress:
    """A bar with rate and time left on standard error; nothing where nobody looks."""

    def __init__(self, games: int) -> None:
        console = new_console(stderr=True)
        self._bar = bars.Progress(
            bars.TextColumn("{task.completed:,} of {task.total:,} games"), bars.BarColumn(),
            bars.TextColumn("{task.fields[rate]}"), bars.TimeRemainingColumn(),
            # without a thread of its own: workers are forked beside it
            console=console, auto_refresh=False, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        self._task = self._bar.add_task("games", total=games, rate="")
        self._shown = 0.0

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def show(self, done: int) -> None:
        now = self._bar.get_time()
        if now - self._shown < 0.1:
            return
        self._shown = now
        speed = self._bar.tasks[0].speed
        rate = f"{speed:,.1f} games/s" if speed else ""
        self._bar.update(self._task, completed=done, rate=rate)
        self._bar.refresh()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _percents(low: float, high: float) -> str:
    return f"{100 * low:.1f}–{100 * high:.1f}"


def _side_cells(side: Side, fixed: bool) -> list[str]:
    low, high = side.scores.interval
    share = [] if fixed else [percent(side.share), _percents(*side.interval)]
    return [
        str(side.games), *share, f"{side.scores.mean:.1f}",
        f"{low:.1f}–{high:.1f}", f"{side.scores.median:g}", f"{side.scores.deviation:.1f}",
    ]  # fmt: skip


def _sides(
    out: Console, title: str | None, first: str, many: str, sides: dict[str, Side], reasons: list[str],
    fixed: bool = False,
) -> None:  # fmt: skip
    """The figures of each side in one table, or in two where one is too wide for the terminal."""
    heads = [many, *([] if fixed else ["wins", "95 %"]), "score", "95 %", "median", "spread"]
    points = {n: [f"{p:.1f}" for p in side.reason_means()] for n, side in sides.items()}
    whole = figure_table(title, first, [*heads, *reasons])
    for name, side in sides.items():
        whole.add_row(name, *_side_cells(side, fixed), *points[name])
    if out.measure(whole, options=out.options.update(width=10_000)).maximum <= out.width:
        out.print(whole)
        return
    figures, means = figure_table(title, first, heads), figure_table(None, first, reasons)
    for name, side in sides.items():
        figures.add_row(name, *_side_cells(side, fixed))
        means.add_row(name, *points[name])
    out.print(figures)
    out.print()
    out.print(means)


def figure_table(title: str | None, first: str, heads: list[str], right: bool = True) -> Table:
    """An empty table of figures with these headings."""
    table = Table(
        title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold",
        show_edge=False, pad_edge=False,
    )  # fmt: skip
    table.add_column(first)
    for head in heads:
        table.add_column(head, justify="right" if right else "left")
    return table


def show_summary(
    summary: Summary, *, choices: bool = False, console: Console | None = None
) -> None:
    """All figures of a run. Shares and means come with their 95 % intervals."""
    out = console or new_console(file=sys.stdout, width=None if sys.stdout.isatty() else 160)
    meta = summary.meta
    rules = ruleset_title(meta["title"], meta["players"], meta["variants"])
    title = f"{rules}: {counted(summary.games, 'game')}, seed {meta['seed']}"
    # a bot may sit at several seats of a table
    # the title by itself, so that a long one is not folded to the table's width
    out.print(title, style="bold")
    reasons = list(meta["reasons"])
    _sides(out, None, "bot", "seats", summary.by_bot, reasons, summary.one_bot)
    by_seat = dict(zip(meta["seats"], summary.by_seat, strict=True))
    _sides(out, "\nBy seat", "seat", "games", by_seat, reasons)
    length = summary.length
    out.print(
        f"\nLength: {length.mean:.1f} decisions (median {length.median:g}, spread {length.deviation:.1f},"
        f" {min(length.counts, default=0)}–{max(length.counts, default=0)})"
    )
    if choices:
        out.print(_choices(summary))


def _choices(summary: Summary) -> Table:
    """For each value of each choice: what share of the bot's answers to that choice it was."""
    bots = list(summary.by_bot)
    table = figure_table(
        "\nChoices: share of the answers, and how often in a game", "choice", ["value"], False
    )
    for bot in bots:
        table.add_column(bot, justify="right")
    totals: Counter[tuple[str, str]] = Counter()
    rows = summary.choice_table()
    for label, _, times in rows:
        for bot, n in times.items():
            totals[label, bot] += n
    before = ""
    for label, value, times in rows:
        cells: list[Any] = []
        for bot in bots:
            n = times.get(bot, 0)
            games = summary.by_bot[bot].games
            cells.append(f"{percent(n / totals[label, bot])}  {n / games:.2f}" if n else "–")
        table.add_row(label if label != before else "", value, *cells)
        before = label
    return table
