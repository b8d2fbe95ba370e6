"""What building yields: the text of one engine and what the runtime must know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.runtime.info import Info

if TYPE_CHECKING:
    from rulewright.compiler.emit.module import Module


@dataclass(slots=True)
class Engine:
    """The text of one engine and what the runtime must know of it."""

    text: str
    info: Info
    module: Module
    game: C.Game

    def c_text(self) -> str:
        """The same engine in C, for its fast flavour."""
        # only who compiles to machine code needs these
        from rulewright.compiler.emit.c_program import Ends, print_c
        from rulewright.compiler.observe.with_observations import with_observations

        lowered = self.module.lowered
        program, scales = with_observations(lowered.program, self.info)
        game = self.game
        ends = Ends(game.teams if game.by_team else tuple(range(game.players)), game.together or 0)
        return print_c(program, game.most_decisions, lowered.fits, scales, ends)

    def judge_c_text(self) -> str:
        """The estimate alone in C, to judge the states of another engine of the same rules."""
        # only who compiles to machine code needs it
        from rulewright.compiler.emit.c_program import print_judge

        return print_judge(self.module.lowered.program)
