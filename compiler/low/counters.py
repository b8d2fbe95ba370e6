"""Marks of the full flavour → counters, numbered in the order in which they stand.

mark 3:5                        hit 0
state.coins[p] += n      →      state.coins[p] += n
mark 4:5                        hit 1

A mark stands where a statement of the rules begins. What is marked in a function that only asks whether something is possible
counts as asked about, and not as carried out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rulewright.compiler.low import program as L
from rulewright.compiler.low.walk_low import map_bodies
from rulewright.compiler.text.source import Span


@dataclass(slots=True)
class Counters:
    """Where each counter stands in the rules, and which of them only count what was asked about."""

    hits: list[Span] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    def counted(self, functions: Iterable[L.Function]) -> list[L.Function]:
        return [replace(f, body=self.block(f.body)) for f in functions]

    def block(self, body: tuple[L.Stmt, ...]) -> tuple[L.Stmt, ...]:
        return tuple(self.stmt(s) for s in body)

    def stmt(self, s: L.Stmt) -> L.Stmt:
        if not isinstance(s, L.Mark):
            return map_bodies(s, self.block)
        number = len(self.hits)
        self.hits.append(s.at.span)
        if s.asked:
            self.asked.append(number)
        return L.Hit(number, s.at)
