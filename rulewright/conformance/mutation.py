"""Mutants of a spec → which of them the scenarios notice, in several processes, resumable."""

from __future__ import annotations

import json
import linecache
import os
import random
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulewright.compiler.build import Spec, build_game, check_ruleset
from rulewright.compiler.read.folder import Variant
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.conformance.bind import bind
from rulewright.conformance.mutants import Mutant, all_mutants
from rulewright.conformance.run import run
from rulewright.conformance.scenario import Ruleset, Scenario
from rulewright.conformance.suite import Suite, load_suite
from rulewright.engines import module_of
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.workers import answers

# of the processor's time, for one engine or one scenario
SECONDS = 10
# which scenarios ran which lines, or asked whether they could be carried out: (ruleset, scenario) → lines
Coverage = dict[tuple[str, str], set[tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one mutant fared: noticed (by which scenario), survived, or no valid spec at all."""

    id: str
    fate: str  # "noticed", "survived", "invalid"
    by: str
    file: str
    line: int
    words: str
    cites: tuple[str, ...]


# ---------------------------------------------------------------- one mutant


class _TooLong(Exception):
    pass


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Stops what does not end; where there is no such clock the engine's own step limit must do."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise _TooLong

    # the time that this process works: a machine that is busy with other things makes no mutant noticed
    old = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)


def judge(suite: Suite, mutant: Mutant, coverage: Coverage) -> Verdict:
    """Run the scenarios, those that reach the change first, until one of them notices it."""
    fate, by = "survived", ""
    try:
        fate, by = _judge(suite, mutant, coverage)
    except _TooLong:
        fate, by = "noticed", f"no end within {SECONDS} s"
    except RecursionError:
        fate, by = "noticed", "recursion"
    return Verdict(
        mutant.id, fate, by, mutant.span.file, mutant.span.line, mutant.words, mutant.cites
    )


def _judge(suite: Suite, mutant: Mutant, coverage: Coverage) -> tuple[str, str]:
    spec = Spec(mutant.apply(suite.spec.folder), suite.spec.sources, Problems(), suite.spec.label)
    for ruleset, scenarios in _candidates(suite, mutant, coverage):
        facts = {c.name: c.tree for s in scenarios for c in s.conditions.values()}
        try:
            with _limited(SECONDS):
                checked = check_ruleset(
                    spec, ruleset.players, ruleset.variants, dict(ruleset.options), facts
                )
                engine = build_game(spec, checked, full=True, all_entries=True)
        except SpecError as error:
            in_scenarios = all(
                p.span.file in {s.file for s in scenarios} for p in error.problems.errors
            )
            return ("noticed", "a scenario's condition") if in_scenarios else ("invalid", "")
        game = Game(module_of(engine.text, "mutant"), engine.info)
        # nobody looks at its lines, and thousands of them would be kept
        linecache.cache.pop(str(game.module.__file__), None)
        for scenario in scenarios:
            problems = Problems()
            bound = bind(scenario, ruleset, game, problems)
            if bound is None or problems.has_errors:
                return "noticed", scenario.name
            with _limited(SECONDS):
                if not run(bound, game).passed:
                    return "noticed", scenario.name
    return "survived", ""


def _candidates(
    suite: Suite, mutant: Mutant, coverage: Coverage
) -> list[tuple[Ruleset, list[Scenario]]]:
    """Scenarios that ran or asked about the changed statement; then those that did so with its rule; then all others.

    Most mutants are noticed by the first. A change of a cell or of state may show anywhere, so nothing short of all
    scenarios will do before a mutant counts as a survivor.
    """
    out: list[tuple[Ruleset, list[Scenario]]] = []
    left = {
        ruleset: list(scenarios)
        for ruleset, scenarios in suite.rulesets().items()
        if mutant.variant is None or _applies(suite.spec.folder.variants[mutant.variant], ruleset)
    }
    for lines in (set(mutant.lines), _inside(mutant), None):
        found: list[tuple[Ruleset, list[Scenario]]] = []
        for ruleset, scenarios in left.items():
            mine = [
                s
                for s in scenarios
                if lines is None or coverage.get((str(ruleset), s.name), set()) & lines
            ]
            if mine:
                found.append((ruleset, mine))
                taken = {s.name for s in mine}
                left[ruleset] = [s for s in scenarios if s.name not in taken]
        out += sorted(found, key=lambda pair: -len(pair[1]))
    return out


def _applies(variant: Variant, ruleset: Ruleset) -> bool:
    if variant.automatic:
        return ruleset.players in variant.players
    return variant.name in ruleset.variants


def _inside(mutant: Mutant) -> set[tuple[str, int]]:
    span = mutant.within
    if span is None:
        return set()
    return {(span.file, n) for n in range(span.line, span.end_line + 1)}


def cover(suite: Suite) -> Coverage:
    """Run every scenario on the spec as it is; all must pass."""
    found: Coverage = {}
    if suite.problems.has_errors:
        raise SpecError(suite.problems, suite.spec.sources)
    for ruleset, scenarios in suite.rulesets().items():
        bench = suite.bench(ruleset)
        if bench is None:
            raise RulewrightError(
                f"the scenarios for {ruleset} do not fit the spec; run `rulewright test` first"
            )
        for scenario in scenarios:
            result = suite.run(ruleset, scenario)
            if result is None or not result.passed:
                raise RulewrightError(
                    f"the scenario {scenario.name!r} fails on the spec as it is; run `rulewright test` first"
                )
            places = bench.game.info["hits"]
            found[str(ruleset), scenario.name] = {
                (p[0], p[1]) for p, n in zip(places, result.hits, strict=True) if n
            }
    return found


# ---------------------------------------------------------------- many mutants

_WORKER: dict[str, Any] = {}


def _start(path: Path, display: str, coverage: Coverage) -> None:
    suite = load_suite(path, display)
    _WORKER.update(
        suite=suite, coverage=coverage, mutants={m.id: m for m in all_mutants(suite.spec)}
    )


def _work(name: str) -> Verdict:
    return judge(_WORKER["suite"], _WORKER["mutants"][name], _WORKER["coverage"])


def run_mutants(
    suite: Suite,
    chosen: list[Mutant],
    coverage: Coverage,
    jobs: int,
    on_verdict: Callable[[Verdict], None],
) -> None:
    if jobs <= 1:
        for mutant in chosen:
            on_verdict(judge(suite, mutant, coverage))
        return
    args = (suite.path, suite.spec.label, coverage)
    for verdict in answers(_work, [m.id for m in chosen], jobs, _start, args):
        on_verdict(verdict)


def sample(mutants: list[Mutant], count: int | None, seed: int) -> list[Mutant]:
    """A fixed sample, the same for the same seed; all without a count."""
    if count is None or count >= len(mutants):
        return mutants
    picked = random.Random(seed).sample([m.id for m in mutants], count)
    return [m for m in mutants if m.id in set(picked)]


# ---------------------------------------------------------------- the record and the reviewed list


def _for_the_user_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class Record:
    """Verdicts kept in a file as they come, so that a run can be stopped and gone on with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.verdicts: dict[str, Verdict] = {}
        self.cut_off = False
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            self.cut_off = bool(text) and not text.endswith("\n")
            for line in text.splitlines():
                try:
                    data = json.loads(line)
                    self.verdicts[data["id"]] = Verdict(**{**data, "cites": tuple(data["cites"])})
                except (ValueError, KeyError, TypeError):
                    continue  # a line cut off when a run was killed

    def forget(self) -> None:
        self.verdicts.clear()
        self.cut_off = False
        self.path.unlink(missing_ok=True)

    def add(self, verdict: Verdict) -> None:
        self.verdicts[verdict.id] = verdict
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="utf-8", opener=_for_the_user_alone) as file:
            # what a killed run left half written must not spoil the next line
            file.write("\n" * self.cut_off + json.dumps(asdict(verdict)) + "\n")
        self.cut_off = False


def score(verdicts: Iterable[Verdict], reviewed: dict[str, str]) -> tuple[int, int, int, int]:
    """(noticed, survived, reviewed as equivalent, invalid)"""
    noticed = survived = same = invalid = 0
    for v in verdicts:
        if v.fate == "noticed":
            noticed += 1
        elif v.fate == "invalid":
            invalid += 1
        elif v.id in reviewed:
            same += 1
        else:
            survived += 1
    return noticed, survived, same, invalid
