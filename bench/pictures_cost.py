"""Pictures of tables in the browser: `python -m rulewright.bench.pictures_cost` → what a seat's picture and page cost after a decision.

Random games at tables of four, by turns, without sockets and a store. A picture is what is drawn from what a seat sees; a page is
everything that it can be sent, looking at the position included.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import dataclass

from rulewright.chance import SeededChance
from rulewright.engines import load, spec_path
from rulewright.simulate.clock import Clock
from rulewright.web.board import Board
from rulewright.web.bots_worker import Rules
from rulewright.web.catalogue import Ruleset, hides, read_offer
from rulewright.web.course import PERSON, Course
from rulewright.web.face import Faces, Looker, Presence

PLAYERS = 4


@dataclass
class Times:
    """CPU seconds, and for how many."""

    picture: float = 0.0
    page: float = 0.0
    count: int = 0
    decisions: int = 0


class Table:
    """One game, and what is kept for those who sit there."""

    def __init__(self, rules: Ruleset, seed: int) -> None:
        self.rules, self.random = rules, random.Random(seed)
        self.begin()

    def begin(self) -> None:
        chance = SeededChance(self.random.getrandbits(60))
        self.course = Course(self.rules.game, [PERSON] * PLAYERS, None, chance)
        beginning = self.course.draft_beginning()
        self.course.accept(beginning.events, beginning)
        self.faces = Faces(self.rules, self.course, "t", (PERSON,) * PLAYERS)
        self.look(Times())

    def decide(self) -> None:
        if self.course.over:
            self.begin()
        draft = self.course.draft(self.random.choice(self.course.state.legal_actions()))
        self.course.accept(draft.events, draft)
        self.faces.renew()

    def look(self, times: Times) -> None:
        """All seats look at the position."""
        here = Presence((True,) * PLAYERS, (False,) * PLAYERS)
        for seat in range(PLAYERS):
            start = time.process_time()
            self.faces.sight(seat)
            seen = time.process_time()
            self.faces.drawn(seat)
            drawn = time.process_time()
            self.faces.face(Looker(seat, frozenset({seat}), -1, None), here)
            times.picture += drawn - seen
            times.page += time.process_time() - start
            times.count += 1


def rules_of(game: str) -> Ruleset:
    loaded = load(game, PLAYERS)
    folder = spec_path(game)
    board = Board(loaded, folder)
    rules = Rules(game, PLAYERS, ())
    clock = Clock.of(folder, loaded)
    return Ruleset(rules, read_offer(game), loaded, board, "", hides(loaded.info), clock)


def measure(game: str, tables: int, decisions: int) -> Times:
    """The second half is measured: by then what never changes has been drawn."""
    rules = rules_of(game)
    there = [Table(rules, seed) for seed in range(tables)]
    times = Times()
    for _half in range(2):
        times = Times()
        for _ in range(decisions // tables // 2):
            for table in there:
                table.decide()
                table.look(times)
                times.decisions += 1
    return times


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("games", nargs="*", default=["yspahan", "mykerinos", "ys"])
    asked.add_argument("--tables", type=int, default=20)
    asked.add_argument("--decisions", type=int, default=1200)
    words = asked.parse_args()
    for game in words.games:
        times = measure(game, words.tables, words.decisions)
        picture, page = (t / times.count * 1e3 for t in (times.picture, times.page))
        print(
            f"{game}: a seat's picture {picture:.2f} ms of CPU, its whole page {page:.2f} ms"
            f" ({times.decisions} decisions, {times.count} pictures)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
