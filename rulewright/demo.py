"""A game by name → a table of bots, what came of it, a page with plots, and what to try next: `python -m rulewright.demo [GAME]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rulewright import games, load
from rulewright.bots.registry import book_of
from rulewright.play.player_words import story_lines
from rulewright.play.session import Session
from rulewright.report.page import page
from rulewright.simulate import Crowd, Summary, make_plan
from rulewright.simulate.files import FileError, write_text
from rulewright.simulate.keep import play_all
from rulewright.simulate.show import show_summary

GAME = "yspahan"
SEATS = 4
GAMES = 50
STORY = 8
FOLDER = Path("out")


def show(name: str) -> bool:
    """Check a game, let bots play it, tell of it and write it down; whether all was well."""
    from rulewright.cli.check import check_one

    checked = check_one(name)
    print(f"The rules of {checked.line()}\n")
    if checked.count("error"):
        return False
    bots = characters(name)
    plan = make_plan(name, bots, len(bots), games=GAMES)
    table, picture = FOLDER / f"{name}.csv", FOLDER / f"{name}.html"
    FOLDER.mkdir(exist_ok=True)
    summary = play_all(Crowd(plan), min(4, os.cpu_count() or 1), table)
    show_summary(summary)
    print(f"\n{says(summary)}")
    write_text(picture, page(summary, str(summary.meta["called"] or "period")))
    print("\nHow the first of these games ended:\n")
    first = Session.of_plan(plan, 0, plan.load())
    while not first.over:
        first.bot_moves()
    for line in story_lines(first.state, None, first.game.info)[-STORY:]:
        print(f"  {line}")
    command = _command()
    print(f"\nThe games are in {table}, a page with plots is {picture}. What to try next:\n")
    for words, meaning in (
        ("serve", "play in the browser, with others or against bots"),
        (f"play {name} --seats human,greedy,random", "play in the terminal"),
        (f"replay {table} --game 0 --story", "the whole story of the first game"),
        (
            f"new variant mine --of {name}",
            "change a rule, then compare; docs/tutorial.md shows how",
        ),
    ):
        print(f"  {f'{command} {words}':64} # {meaning}")
    return True


def characters(name: str) -> list[str]:
    """Bots that think alike and want different things: greedy, and the game's own strategies that play like it."""
    own = book_of(load(name, SEATS), None).strategies.items()
    found = ["greedy", *[n for n, strategy in own if strategy.plays == "greedy"]]
    return [found[i % len(found)] for i in range(SEATS)]


def says(summary: Summary) -> str:
    """What the figures of a run say, in one sentence."""
    sides = summary.by_bot
    first, second = sorted(sides, key=lambda n: -sides[n].share)[:2]
    (low, high), (_, other) = sides[first].interval, sides[second].interval
    ahead = "clearly ahead of" if low > other else "not clearly ahead of"
    means = {n: side.reason_means() for n, side in sides.items()}
    reasons = list(summary.meta["reasons"].values())
    gaps = [a - b for a, b in zip(means[first], means[second], strict=True)]
    most, least = gaps.index(max(gaps)), gaps.index(min(gaps))
    return (
        f"{first} wins {100 * sides[first].share:.0f} % of its games ({100 * low:.0f}–{100 * high:.0f}), {ahead} {second}:"
        f" it scores {gaps[most]:.1f} points more for {reasons[most]} and {-gaps[least]:.1f} fewer for {reasons[least]}."
    )


def _command() -> str:
    """How to call the command line from here."""
    beside = Path(sys.executable).parent / "rulewright"
    if beside.is_relative_to(Path.cwd()) and beside.exists():
        return str(beside.relative_to(Path.cwd()))
    return "rulewright"


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else GAME
    if wanted not in games():
        print(f"there is no game {wanted!r} (there are {', '.join(games())})", file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(0 if show(wanted) else 1)
    except (FileError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
