"""Decisions → the numbers of their actions, which never change in play."""

from __future__ import annotations

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import calls_of
from rulewright.compiler.core.types import count_of
from rulewright.compiler.flow.blocks import Program


def action_numbers(game: C.Game, blocks: Program) -> tuple[list[int], list[int]]:
    """The first action of each decision and how many values it has; numbers of actions never change in play."""
    most = max(blocks.points, default=0)
    offsets, sizes = [0] * (most + 1), [0] * (most + 1)
    at = 0
    played = reached(game)
    # decisions that play never comes to, which only scenarios call, have their numbers after all others
    for ask in sorted(blocks.asks, key=lambda a: (a.resume.owner not in played, a.pc)):
        n = (count_of(ask.choice.element) or 0) + (1 if ask.choice.otherwise is not None else 0)
        offsets[ask.pc], sizes[ask.pc] = at, n
        at += n
    for chance in blocks.chances:
        event = chance.event
        kind = event.element if isinstance(event, C.SRoll) else event.source.zone.family.kind
        offsets[chance.pc], sizes[chance.pc] = 0, count_of(kind) or 0
    return offsets, sizes


def reached(game: C.Game) -> set[str]:
    """The procedures that play may run."""
    found: set[str] = set()
    stack = [game.play]
    while stack:
        p = stack.pop()
        if p.name not in found:
            found.add(p.name)
            stack.extend(callee for callee, _ in calls_of(p))
    return found
