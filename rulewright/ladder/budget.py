"""Bots as typed, and one budget for all → the same bots with equal iterations, or equal time of the processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.bots.base import BotError
from rulewright.bots.registry import make


def with_budget(
    bots: Sequence[str], budget: str, game: Any, folder: Any
) -> tuple[list[str], list[str]]:
    """The bots that search get the budget, unless they were given one of their own; and those that have nothing to measure by it."""
    out, others = [], []
    for words in (b.strip() for b in bots):
        name, _, argument = words.partition(":")
        if not hasattr(make(words, game, folder), "iterations"):
            others.append(words)
        elif argument:
            raise BotError(
                f"{words} has a budget of its own; name {name} alone to give it {budget}"
            )
        else:
            words = f"{name}:{budget}"
            try:
                make(words, game, folder)
            except BotError as wrong:
                raise BotError(f"{name} can't be given {budget}: {wrong}") from None
        out.append(words)
    return out, others
