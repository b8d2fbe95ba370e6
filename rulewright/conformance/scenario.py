"""What a scenario file holds after reading and before it is bound to a ruleset: nodes with their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rulewright.compiler.read.yaml_nodes import Node, YMap, YScalar
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.source import Span


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing expected: the key that says what is looked at, and the node that says what it should be."""

    key: str
    node: Node
    span: Span


@dataclass(frozen=True, slots=True)
class Decide:
    """A decision: the label and the chosen value, or the values of a joint choice in order."""

    label: YScalar
    values: tuple[YScalar, ...]
    by: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Refuse:
    """A value that must not be legal, and the clauses that say why."""

    label: YScalar
    value: YScalar
    because: tuple[YScalar, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Chance:
    """Outcomes for chance points to come."""

    outcomes: tuple[YScalar, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Expect:
    """Facts that must hold at this point; `final` for those of `then`."""

    facts: tuple[Fact, ...]
    span: Span
    final: bool = False


Step: TypeAlias = Decide | Refuse | Chance | Expect


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a `holds`, parsed; `name` is what the engine knows it by."""

    name: str
    text: str
    tree: S.Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario as written."""

    name: str
    covers: tuple[YScalar, ...]
    players: tuple[int, ...]
    variants: tuple[str, ...]
    options: tuple[tuple[str, object], ...]
    given: YMap | None
    call: YScalar | None
    chance: Chance | None
    steps: tuple[Step, ...]
    conditions: dict[Span, Condition]
    span: Span
    # where the players, variants or options are written, for messages about them
    ruleset_span: Span

    @property
    def file(self) -> str:
        return self.span.file


@dataclass(frozen=True, slots=True, order=True)
class Ruleset:
    """What one engine is built for."""

    players: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        parts = [f"{self.players} players", *self.variants]
        parts += [f"{name}={_shown(value)}" for name, value in self.options]
        return ", ".join(parts)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
