"""Scenarios of a spec → one full engine for each ruleset that they use, with their conditions compiled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from rulewright.compiler.build import Spec, build_game, check_ruleset
from rulewright.compiler.emit.engine import Engine
from rulewright.compiler.read.overlay import resolve
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Problem, Problems, SpecError
from rulewright.compiler.text.source import Span
from rulewright.conformance.scenario import Condition, Ruleset, Scenario
from rulewright.engines import module_of
from rulewright.runtime.game import Game

Made = TypeVar("Made")
_OPTION_CODES = ("RW0420", "RW0421")


@dataclass(slots=True)
class Bench:
    """The engine of one ruleset and the scenarios that run on it."""

    ruleset: Ruleset
    game: Game
    scenarios: list[Scenario]


def by_ruleset(scenarios: Iterable[Scenario]) -> dict[Ruleset, list[Scenario]]:
    found: dict[Ruleset, list[Scenario]] = {}
    for scenario in scenarios:
        for players in scenario.players:
            ruleset = Ruleset(players, scenario.variants, scenario.options)
            found.setdefault(ruleset, []).append(scenario)
    return found


def make_bench(
    spec: Spec, ruleset: Ruleset, scenarios: list[Scenario], problems: Problems
) -> Bench | None:
    """The engine, without the scenarios whose conditions can't be compiled; None when the ruleset itself is wrong."""
    made = with_conditions(
        spec, ruleset, scenarios, problems, lambda facts: counting_engine(spec, ruleset, facts)
    )
    if made is None:
        return None
    engine, left = made
    name = f"{spec.folder.game.game} {ruleset}"
    return Bench(ruleset, Game(module_of(engine.text, name), engine.info), left)


def with_conditions(
    spec: Spec,
    ruleset: Ruleset,
    scenarios: list[Scenario],
    problems: Problems,
    make: Callable[[dict[str, S.Expr]], Made],
) -> tuple[Made, list[Scenario]] | None:
    """What is made with the conditions of all scenarios that fit, and those scenarios."""
    if not _fits(spec, ruleset, scenarios, problems):
        return None
    left = list(scenarios)
    while True:
        conditions: dict[str, Condition] = {c.name: c for s in left for c in s.conditions.values()}
        facts = {name: c.tree for name, c in conditions.items()}
        try:
            return make(facts), left
        except SpecError as error:
            wrong = [p for p in error.problems if p.severity == "error"]
            if all(p.code in _OPTION_CODES for p in wrong):
                _tell(wrong, left, problems)
                return None
            files = {s.file for s in left}
            if any(p.span.file not in files for p in wrong):
                raise
            for problem in wrong:
                problems.add(problem)
            left = [s for s in left if not _concerns(s, wrong)]


def counting_engine(
    spec: Spec, ruleset: Ruleset, facts: Mapping[str, S.Expr] | None = None
) -> Engine:
    """A full engine in which every statement is counted when it runs."""
    game = check_ruleset(spec, ruleset.players, ruleset.variants, dict(ruleset.options), facts)
    for function in game.functions:
        # one that is worked out beforehand, or turned into a table, would never be seen to run
        function.reads_state = True
    return build_game(spec, game, full=True, all_entries=True)


def _concerns(scenario: Scenario, wrong: list[Problem]) -> bool:
    return any(_inside(p.span, c.span) for p in wrong for c in scenario.conditions.values())


def _inside(inner: Span, outer: Span) -> bool:
    if inner.file != outer.file:
        return False
    start = (outer.line, outer.column) <= (inner.line, inner.column)
    return start and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def _fits(spec: Spec, ruleset: Ruleset, scenarios: list[Scenario], problems: Problems) -> bool:
    """Whether the variants exist and go together; told at the scenarios that ask for them."""
    own = Problems()
    resolve(spec.folder, ruleset.players, ruleset.variants, own)
    _tell(own.errors, scenarios, problems)
    return not own.has_errors


def _tell(wrong: list[Problem], scenarios: list[Scenario], problems: Problems) -> None:
    for problem in wrong:
        for scenario in scenarios:
            problems.error(
                problem.code, scenario.ruleset_span, problem.message,
                expected=problem.expected, hint=problem.hint,
            )  # fmt: skip
