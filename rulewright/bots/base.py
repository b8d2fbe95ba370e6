"""What a bot is: a function from what one seat sees to one of its legal actions."""

from __future__ import annotations

from typing import Any

from rulewright.runtime.bot import Bot as Bot
from rulewright.runtime.errors import RulewrightError


class BotError(RulewrightError, ValueError):
    """There is no such bot, or it was given something that it does not understand."""


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
