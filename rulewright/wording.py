"""Numbers and rulesets → the words that commands and pages use for them."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, one: str, many: str | None = None) -> str:
    """3 games, 1 game, no games."""
    return f"{number or 'no'} {one if number == 1 else many or one + 's'}"


def ruleset_title(title: str, players: int, variants: Sequence[str]) -> str:
    """The ruleset as a heading: the game, for how many, with what."""
    with_ = f" with {', '.join(variants)}" if variants else ""
    return f"{title}, {counted(players, 'player')}{with_}"
