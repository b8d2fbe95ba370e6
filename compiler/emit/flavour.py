"""What an engine carries beside the rules: nothing in the fast flavour; the story, counters and checks in the full one."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.text.source import Span


class Flavour:
    """What an engine carries: `full` adds the story, coverage, range checks and chance given from outside."""

    def __init__(self, game: C.Game, full: bool) -> None:
        self.game = game
        self.full = full
        # whether statements are counted when they run, where they stand, and which of them are only asked about
        self.counts = full
        self.hits: list[Span] = []
        self.asked: list[int] = []
        # asking keeps where it failed: the statements that can be the reason
        self.asking = False
        self.fails: list[C.SReturn] = []
        self.reasons = {name: i for i, name in enumerate(game.reasons)}


class Quiet(Flavour):
    """Functions without a state have nowhere to count."""

    def __init__(self, flavour: Flavour) -> None:
        super().__init__(flavour.game, False)


class Asking(Flavour):
    """Asking whether something is possible does not carry it out: what is counted there counts as asked about."""

    def __init__(self, flavour: Flavour) -> None:
        super().__init__(flavour.game, False)
        self.counts = self.asking = True
        self.hits = flavour.hits
        self.fails = flavour.fails
