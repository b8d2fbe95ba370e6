"""Specs broken at random never crash or hang the compiler; a longer run is `python -m tests.fuzz`."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from fuzz import FINE, Bench, Files, real_specs, run_case, run_cases, tiny_specs

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
