"""What a bot is: a function from what one seat sees to one of its legal actions."""

from __future__ import annotations

from typing import Protocol

from rulewright.runtime.view import View


class Bot(Protocol):
    """Chooses for a seat.

    The seed is the only source of randomness that a bot may use: the same view and the same seed give the same
    choice, so that games can be repeated from any point. Nothing of the game's own luck can be found from it. A bot may carry `reproducible = False` to say that it does
    not keep to this, and `blind = True` to say that it looks at `view.legal_actions()` only.
    """

    def choose(self, view: View, seed: int) -> int: ...
