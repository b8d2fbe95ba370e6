"""Specs broken at random never crash or hang the compiler; a longer run is `python -m tests.fuzz`."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
from collections import Counter
from pathlib import Path

import pytest
from common import sampled
from fuzz import (
    FINE,
    Bench,
    Files,
    broken,
    real_specs,
    renamed,
    run_case,
    run_cases,
    run_on,
    tiny_specs,
)
from name_sweep import hostile_names

from rulewright.compiler.rules.formatter import format_rules
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.rules.print_syntax import print_rules
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources

SEED = 20
CACHE = Path(os.environ.get("RULEWRIGHT_CACHE") or Path(__file__).parents[1] / ".rulewright-cache")


def check(specs: list[Files], first: int, count: int) -> set[str]:
    """Run some cases; how they ended."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = list(run_cases(specs, SEED, range(first, first + count)))
    wrong = [f"case {c.number}: {c.end}\n{c.trace}" for c in found if c.end not in FINE]
    assert wrong == []
    assert len(found) == count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 * 1024
    return {case.end for case in found}


@pytest.mark.parametrize("first", sampled(range(0, 2000, 100), 4))
def test_tiny_specs(first: int) -> None:
    # some changes each stage minds, and some that nothing does
    assert check(tiny_specs(), first, 100) >= {"read", "checked", "played"}


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 100_000, 5_000))
def test_many_more(first: int) -> None:
    """100,000 cases in all; what is done is kept, so that a run that was stopped goes on."""
    state = CACHE / "fuzz" / f"{first}.jsonl"
    ends: Counter[str] = Counter()
    for batch in run_on("tiny", 701, first, 5_000, state=state):
        assert batch.bad == []
        ends.update(batch.ends)
    assert ends.total() == 5_000 and {*ends} <= {*FINE} and ends["played"] > 500


def _killed(_batch: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_run_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fuzz.BATCH", 5)
    monkeypatch.setattr("fuzz.RENEWED", 1)
    state = tmp_path / "state.jsonl"
    one = list(run_on("tiny", 3, 0, 5, state=state))
    # a case that is done is not done again, the others are
    more = list(run_on("tiny", 3, 0, 15, state=state))
    assert more[0] == one[0] and [b.first for b in more] == [0, 5, 10]
    assert len(state.read_text().splitlines()) == 3
    # another compiler begins anew
    monkeypatch.setattr("fuzz._version", lambda: "another")
    list(run_on("tiny", 3, 0, 5, state=state))
    assert len(state.read_text().splitlines()) == 4


def test_a_process_that_dies_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz._worker", _killed)
    with pytest.raises(RuntimeError, match="a process died in the 250 cases from 0 on"):
        list(run_on("tiny", 3, 0, 500))


def test_names_of_others_are_given() -> None:
    rng = random.Random(SEED)
    given = set()
    for files in tiny_specs() * 5:
        new = renamed(rng, files)
        given |= {w for text in new.values() for w in re.findall(r"\w+", text)} & {*hostile_names()}
    assert len(given) > 60


@pytest.mark.parametrize("first", sampled([0, 20], 2))
def test_real_specs(first: int) -> None:
    assert len(check(real_specs(), first, 20)) > 1


@pytest.mark.wide
def test_specs_are_fine_as_they_are(tmp_path: Path) -> None:
    for number, files in enumerate(tiny_specs()):
        folder = tmp_path / str(number)
        folder.mkdir()
        Bench(folder, [files], SEED).write(files)
        assert run_case(folder, number, SEED).end == "played"


@pytest.mark.wide
def test_formatting_broken_rules() -> None:
    """What still parses is formatted to something that formatting leaves alone, and printed to the same tree."""
    specs, rng, formatted = tiny_specs(), random.Random(SEED), 0
    for _ in range(400):
        files = broken(rng, rng.choice(specs), specs)
        for name in sorted(n for n in files if n.endswith(".rules")):
            problems = Problems()
            once = format_rules(files[name], name, problems)
            assert "RW0222" not in {problem.code for problem in problems}
            if problems.has_errors:
                assert once == files[name]
                continue
            formatted += 1
            assert format_rules(once, name, problems) == once
            tree = parse_rules(Sources().add(name, files[name]), problems)
            assert parse_rules(Sources().add(name, print_rules(tree)), problems) == tree
            assert not problems.has_errors
    assert formatted > 100
