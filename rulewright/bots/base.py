"""What a bot is: a function from what one seat sees to one of its legal actions."""

from __future__ import annotations

from typing import Protocol

from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.view import View

_MASK = (1 << 62) - 1


class BotError(RulewrightError, ValueError):
    """There is no such bot, or it was given something that it does not understand."""


class Bot(Protocol):
    """Chooses for a seat.

    The seed is the only source of randomness that a bot may use: the same view and the same seed give the same
    choice, so that games can be repeated from any point. A bot may carry `reproducible = False` to say that it does
    not keep to this, and `blind = True` to say that it looks at `view.legal_actions()` only.
    """

    def choose(self, view: View, seed: int) -> int: ...


def decision_seed(game_seed: int, number: int) -> int:
    """The seed for the decision with this number in a game with this seed."""
    x = (game_seed * 0x9E3779B97F4A7C15 + number * 0xBF58476D1CE4E5B9 + 0x94D049BB133111EB) & _MASK
    x ^= x >> 29
    x = x * 0xBF58476D1CE4E5B9 & _MASK
    return x ^ x >> 32


def reproducible(bot: Bot) -> bool:
    return bool(getattr(bot, "reproducible", True))


def blind(bot: Bot) -> bool:
    return bool(getattr(bot, "blind", False))
