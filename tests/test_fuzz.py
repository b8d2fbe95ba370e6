"""Specs broken at random never crash or hang the compiler; a longer run is `python -m tests.fuzz`."""

from __future__ import annotations

import random
import resource
from pathlib import Path

import pytest
from fuzz import FINE, Bench, Files, broken, real_specs, run_case, run_cases, tiny_specs

from rulewright.compiler.rules.formatter import format_rules
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.rules.print_syntax import print_rules
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources

SEED = 20


def check(specs: list[Files], first: int, count: int) -> set[str]:
    """Run some cases; how they ended."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = list(run_cases(specs, SEED, range(first, first + count)))
    wrong = [f"case {c.number}: {c.end}\n{c.trace}" for c in found if c.end not in FINE]
    assert wrong == []
    assert len(found) == count
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500 * 1024
    return {case.end for case in found}


@pytest.mark.parametrize("first", range(0, 2000, 100))
def test_tiny_specs(first: int) -> None:
    # some changes each stage minds, and some that nothing does
    assert check(tiny_specs(), first, 100) >= {"read", "checked", "played"}


@pytest.mark.parametrize("first", [0, 20])
def test_real_specs(first: int) -> None:
    assert len(check(real_specs(), first, 20)) > 1


def test_specs_are_fine_as_they_are(tmp_path: Path) -> None:
    for number, files in enumerate(tiny_specs()):
        folder = tmp_path / str(number)
        folder.mkdir()
        Bench(folder, [files], SEED).write(files)
        assert run_case(folder, number, SEED).end == "played"


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
