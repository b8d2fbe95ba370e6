"""A suite → the outcome of every scenario under every ruleset, here or in several processes, and what ran."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.compiler.text.diagnostics import Problem
from rulewright.compiler.text.source import Span
from rulewright.conformance.compare_facts import Mismatch
from rulewright.conformance.run import Result
from rulewright.conformance.scenario import Ruleset, Scenario
from rulewright.conformance.suite import Suite, load_suite
from rulewright.runtime.game import Game
from rulewright.workers import answers

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one scenario went under one ruleset, as plain data."""

    name: str
    ruleset: str
    span: Span
    covers: tuple[str, ...]
    mismatches: tuple[Mismatch, ...]
    last: Place | None
    last_text: str

    @property
    def passed(self) -> bool:
        return not self.mismatches


@dataclass(slots=True)
class Trace:
    """What scenarios reached under one ruleset."""

    hits: dict[Place, int] = field(default_factory=dict)
    # members of kinds that were named, chosen or drawn
    met: set[tuple[str, str]] = field(default_factory=set)

    def add(self, other: Trace) -> None:
        self.met |= other.met
        for place, n in other.hits.items():
            self.hits[place] = self.hits.get(place, 0) + n


@dataclass(slots=True)
class Run:
    """All that came of running scenarios: outcomes in the order of the files, problems, and what ran how often."""

    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    # scenarios that could not be run because of problems in them, by name
    unfit: set[str] = field(default_factory=set)
    traces: dict[Ruleset, Trace] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def failed(self) -> list[Outcome]:
        return [o for o in self.outcomes if not o.passed]

    def add(self, other: Run) -> None:
        self.outcomes += other.outcomes
        known = set(self.problems)
        self.problems += [p for p in other.problems if p not in known]
        self.unfit |= other.unfit
        for ruleset, trace in other.traces.items():
            self.traces.setdefault(ruleset, Trace()).add(trace)


def run_suite(
    suite: Suite,
    text: str = "",
    jobs: int = 1,
    stop_at_failure: bool = False,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> Run:
    """Run the scenarios that match the text."""
    began = time.perf_counter()
    total = Run(problems=suite.problems.all())
    rulesets = list(suite.rulesets(text))
    runs: Iterator[Run]
    if jobs <= 1 or len(rulesets) < 2:
        runs = (run_ruleset(suite, ruleset, text, stop_at_failure) for ruleset in rulesets)
    else:
        runs = _in_processes(suite, rulesets, text, jobs, stop_at_failure)
    for part in runs:
        total.add(part)
        if on_outcome is not None:
            for outcome in part.outcomes:
                on_outcome(outcome)
        if stop_at_failure and part.failed:
            break
    order = {ruleset: i for i, ruleset in enumerate(map(str, rulesets))}
    total.outcomes.sort(key=lambda o: (o.span.file, o.span.line, order[o.ruleset]))
    if stop_at_failure and total.failed:
        last = total.outcomes.index(total.failed[0])
        total.outcomes = total.outcomes[: last + 1]
    total.problems.sort(key=lambda p: (p.span.file, p.span.line, p.span.column, p.message))
    total.seconds = time.perf_counter() - began
    return total


def run_ruleset(suite: Suite, ruleset: Ruleset, text: str, stop_at_failure: bool) -> Run:
    out = Run()
    before = set(suite.problems.all())
    for scenario in suite.rulesets(text).get(ruleset, []):
        result = suite.run(ruleset, scenario)
        if result is None:
            out.unfit.add(scenario.name)
            continue
        out.outcomes.append(outcome(suite, scenario, ruleset, result))
        bench = suite.bench(ruleset)
        assert bench is not None
        out.traces.setdefault(ruleset, Trace()).add(trace_of(result, bench.game))
        if stop_at_failure and not result.passed:
            break
    out.problems = [p for p in suite.problems.all() if p not in before]
    return out


def outcome(suite: Suite, scenario: Scenario, ruleset: Ruleset, result: Result) -> Outcome:
    last: Place | None = None
    text = ""
    if result.last is not None:
        file, line, column = result.last[:3]
        last = (file, line, column)
        text = suite.spec.sources.line(file, line).strip()
    covers = tuple(c.text for c in scenario.covers)
    return Outcome(
        scenario.name, str(ruleset), scenario.span, covers, tuple(result.mismatches), last, text
    )


def trace_of(result: Result, game: Game) -> Trace:
    info = game.info
    trace = Trace()
    asked = set(info["asked"])
    for number, (place, n) in enumerate(zip(info["hits"], result.hits, strict=True)):
        if n and number not in asked:
            key = (place[0], place[1], place[2])
            trace.hits[key] = trace.hits.get(key, 0) + n
    trace.met = {(kind, info["kinds"][kind]["members"][index]) for kind, index in result.met}
    return trace


# ---------------------------------------------------------------- several processes

_SUITE: list[Suite] = []


def _in_processes(
    suite: Suite, rulesets: list[Ruleset], text: str, jobs: int, stop_at_failure: bool
) -> Iterator[Run]:
    # the largest first, so that none is left for last
    sizes = {r: len(s) for r, s in suite.rulesets(text).items()}
    todo = [(r, text, stop_at_failure) for r in sorted(rulesets, key=lambda r: -sizes[r])]
    yield from answers(_work, todo, min(jobs, len(todo)), _start, (suite.path, suite.spec.label))


def _start(path: Path, display: str) -> None:
    _SUITE[:] = [load_suite(path, display)]


def _work(asked: tuple[Ruleset, str, bool]) -> Run:
    return run_ruleset(_SUITE[0], *asked)
