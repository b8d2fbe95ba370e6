"""A spec's folder → its scenarios, ready to run: read, checked against each ruleset, with their engines."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rulewright.compiler.build import Spec, read_spec
from rulewright.compiler.text.diagnostics import Problems
from rulewright.conformance.bind import bind
from rulewright.conformance.bound import Bound
from rulewright.conformance.read import read_scenarios
from rulewright.conformance.run import Result, run
from rulewright.conformance.scenario import Ruleset, Scenario
from rulewright.conformance.scenario_engines import Bench, by_ruleset, make_bench


@dataclass(slots=True)
class Suite:
    """All scenarios of one game. Engines are built when first needed and kept."""

    name: str
    path: Path
    spec: Spec
    scenarios: list[Scenario]
    problems: Problems
    benches: dict[Ruleset, Bench | None] = field(default_factory=dict)

    def rulesets(self, text: str = "") -> dict[Ruleset, list[Scenario]]:
        """The scenarios whose name, file or clauses hold the text, by ruleset."""
        return by_ruleset(s for s in self.scenarios if matches(s, text))

    def bench(self, ruleset: Ruleset) -> Bench | None:
        if ruleset not in self.benches:
            mine = by_ruleset(self.scenarios)[ruleset]
            self.benches[ruleset] = make_bench(self.spec, ruleset, mine, self.problems)
        return self.benches[ruleset]

    def bound(self, ruleset: Ruleset, scenario: Scenario) -> tuple[Bound, Bench] | None:
        """The scenario bound to a ruleset; None with problems when it does not fit."""
        bench = self.bench(ruleset)
        if bench is None or scenario not in bench.scenarios:
            return None
        found = bind(scenario, ruleset, bench.game, self.problems)
        return None if found is None else (found, bench)

    def run(self, ruleset: Ruleset, scenario: Scenario) -> Result | None:
        found = self.bound(ruleset, scenario)
        return None if found is None else run(found[0], found[1].game)


def matches(scenario: Scenario, text: str) -> bool:
    """Whether every word of the text is in the scenario's name, file or clauses."""
    hay = " ".join([scenario.name, scenario.file, *(c.text for c in scenario.covers)]).casefold()
    return all(word in hay for word in text.casefold().split())


def load_suite(path: Path, display: str) -> Suite:
    """The scenarios of a spec's folder; raises SpecError when the spec itself is wrong."""
    spec = read_spec(path, display)
    problems = Problems()
    scenarios = read_scenarios(path, spec, problems)
    return Suite(spec.folder.game.game, path, spec, scenarios, problems)
