"""What a bot is: a function from what one seat sees to one of its legal actions."""

from __future__ import annotations

from typing import Any, Protocol

from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.view import View


class BotError(RulewrightError, ValueError):
    """There is no such bot, or it was given something that it does not understand."""


class Bot(Protocol):
    """Chooses for a seat.

    The seed is the only source of randomness that a bot may use: the same view and the same seed give the same
    choice, so that games can be repeated from any point. Nothing of the game's own luck can be found from it. A bot may carry `reproducible = False` to say that it does
    not keep to this, and `blind = True` to say that it looks at `view.legal_actions()` only.
    """

    def choose(self, view: View, seed: int) -> int: ...


class Made:
    """A bot that was made from words, and is made from them again in another process."""

    words: tuple[Any, ...] | None = None

    def __reduce__(self) -> Any:
        if self.words is None:
            return object.__reduce_ex__(self, 2)
        # the registry knows the bots, which are built on this module
        from rulewright.bots.registry import make

        return make, self.words


def reproducible(bot: Bot) -> bool:
    return bool(getattr(bot, "reproducible", True))


def blind(bot: Bot) -> bool:
    return bool(getattr(bot, "blind", False))
