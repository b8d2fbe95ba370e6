"""What an engine carries beside the rules: nothing in the fast flavour; the story, counters and checks in the full one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulewright.compiler.core import tree as C


@dataclass(frozen=True, slots=True)
class Flavour:
    """`full` adds the story, range checks and chance given from outside; `counts`: statements are counted when they run."""

    game: C.Game
    full: bool
    counts: bool
    # asking whether something is possible does not carry it out; it keeps where it failed, by the number in `fails`
    asking: bool = False
    fails: list[C.SReturn] = field(default_factory=list)

    @property
    def reasons(self) -> dict[str, int]:
        """The place of each reason for points."""
        return {name: i for i, name in enumerate(self.game.reasons)}

    def quiet(self) -> Flavour:
        """Of functions that tell and count nothing."""
        return replace(self, full=False, counts=False)

    def only_asking(self) -> Flavour:
        """Of functions that are asked whether something is possible."""
        return replace(self, full=False, counts=True, asking=True)
