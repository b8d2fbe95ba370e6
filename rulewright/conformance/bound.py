"""A scenario bound to one ruleset: every name resolved, every value as the engine keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rulewright.compiler.read.yaml_nodes import YScalar
from rulewright.compiler.text.source import Span
from rulewright.conformance.scenario import Chance, Ruleset, Scenario
from rulewright.runtime.info import ChoiceRow, StateRow

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of the state: a variable, one cell of a map (`index`), with its type."""

    path: str
    var: StateRow
    index: int | None
    type: Json
    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Content:
    """The whole content of one zone, as counts by kind; of one that keeps its order also what lies where, from the top on (-1: not known)."""

    path: str
    family: Json
    zone: Json
    owner: int
    copies: tuple[int, ...]
    span: Span
    order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A standing piece as far as it is named; values by field, as the engine keeps them."""

    fields: dict[str, Any]
    known: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Pieces:
    """Standing pieces: all of them in any order, or those with the handles named (None: there is none)."""

    path: str
    family: Json
    all: tuple[Piece, ...] | None
    named: dict[int, Piece | None]
    span: Span


Part: TypeAlias = Cell | Content | Pieces


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to compare; which fields count depends on `key` (see check)."""

    key: str
    span: Span
    parts: tuple[Part, ...] = ()
    # seats or participants with a number, or with numbers by reason
    numbers: dict[int, int] = field(default_factory=dict)
    reasons: dict[int, dict[str, int]] = field(default_factory=dict)
    # for sees and hidden
    seats: dict[int, tuple[Part, ...]] = field(default_factory=dict)
    hidden: dict[int, tuple[tuple[str, str | None, Span], ...]] = field(default_factory=dict)
    options: tuple[YScalar, ...] = ()
    # of an outcome of chance: in how many ways it can come
    ways: tuple[int, ...] = ()
    facts: tuple[tuple[str, str, Span], ...] = ()
    value: Any = None


@dataclass(frozen=True, slots=True)
class BoundDecide:
    """Values by label: one for a plain decision, several for the steps of a joint one."""

    picks: tuple[tuple[ChoiceRow, int], ...]
    by: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class BoundRefuse:
    choice: ChoiceRow
    index: int
    because: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class BoundExpect:
    checks: tuple[Check, ...]
    span: Span
    final: bool


BoundStep: TypeAlias = BoundDecide | BoundRefuse | BoundExpect | Chance


@dataclass(frozen=True, slots=True)
class Bound:
    scenario: Scenario
    ruleset: Ruleset
    given: tuple[Part, ...]
    call: tuple[str, tuple[Any, ...]] | None
    steps: tuple[BoundStep, ...]
    # members of kinds that the scenario names, as (kind, number)
    named: frozenset[tuple[str, int]]

    @property
    def id(self) -> str:
        return f"{self.scenario.name} ({self.ruleset})"
