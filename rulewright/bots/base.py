"""What a bot is: a function from what one seat sees to one of its legal actions."""

from __future__ import annotations

from rulewright.runtime.bot import Bot as Bot
from rulewright.runtime.errors import RulewrightError


class BotError(RulewrightError, ValueError):
    """There is no such bot, or it was given something that it does not understand."""


def reproducible(bot: Bot) -> bool:
    return bool(getattr(bot, "reproducible", True))


def blind(bot: Bot) -> bool:
    return bool(getattr(bot, "blind", False))
