"""Seats that play by themselves: a view of the position in, an action out.

`make("mcts:200", game)` gives a bot; a bot has `choose(view, seed)` and nothing else that others call.
"""

from __future__ import annotations

from rulewright.bots.base import Bot, BotError
from rulewright.bots.registry import known, make

__all__ = ["Bot", "BotError", "known", "make"]
