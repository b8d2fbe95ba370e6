"""Every scenario of every game, one test for each ruleset that it runs with."""

from __future__ import annotations

import pytest
from common import suite_of

from rulewright.compiler.text.diagnostics import render_all
from rulewright.conformance.outcomes import outcome
from rulewright.conformance.report import failure_text
from rulewright.conformance.scenario import Ruleset, Scenario
from rulewright.conformance.suite import Suite
from rulewright.engines import games


def _cases() -> list[object]:
    out: list[object] = []
    for game in games():
        for ruleset, scenarios in suite_of(game).rulesets().items():
            for scenario in scenarios:
                name = f"{game}: {scenario.name} ({ruleset})"
                out.append(pytest.param(game, ruleset, scenario.name, id=name))
    return out


def _named(suite: Suite, name: str) -> Scenario:
    return next(s for s in suite.scenarios if s.name == name)


@pytest.mark.parametrize("game", games())
def test_files_can_be_read(game: str) -> None:
    suite = suite_of(game)
    assert not suite.problems.all(), render_all(suite.problems, suite.spec.sources)


@pytest.mark.parametrize(("game", "ruleset", "name"), _cases())
def test_scenario(game: str, ruleset: Ruleset, name: str) -> None:
    suite = suite_of(game)
    scenario = _named(suite, name)
    result = suite.run(ruleset, scenario)
    assert result is not None, render_all(suite.problems, suite.spec.sources)
    assert result.passed, failure_text(outcome(suite, scenario, ruleset, result))
