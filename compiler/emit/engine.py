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
        # only who wants C needs its printer
        from rulewright.compiler.emit.c_program import print_c

        lowered = self.module.lowered
        return print_c(lowered.program, self.game.most_decisions, lowered.fits)
