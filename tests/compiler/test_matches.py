"""Matches look at every kind of node, or say why they look at a few: whoever adds a kind follows the errors of mypy.

mypy sees what is left open where a match ends without `case _`, with `assert_never`, or hands on the rest by a name. It does not see a last
case with a condition, nor what falls into `case _`; these are looked for here.
"""

import ast
from pathlib import Path

import matches
import pytest

ROOT = Path(__file__).parents[2]


def test_no_match_ends_with_a_condition() -> None:
    """After a last `case … if …` mypy takes all cases for handled: `case _` must follow."""
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for folder in ("compiler", "runtime", "rulewright/conformance")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Match) and node.cases[-1].guard is not None
    ]
    assert not found, "\n".join(found)


@pytest.fixture(scope="module")
def silences() -> list[matches.Silence]:
    return list(matches.silences())


def test_a_match_that_looks_at_a_few_says_why(silences: list[matches.Silence]) -> None:
    silent = [s for s in silences if s.why is None]
    assert not silent, (
        "name every kind and end with assert_never, or write `case _:  # others: WHY`:\n"
        + "\n".join(f"{s} ({s.union}: {', '.join(s.missing)})" for s in silent)
    )


def test_what_says_why_leaves_something_out(silences: list[matches.Silence]) -> None:
    """Else the words are of a time when there was something."""
    whole = [s for s in silences if not s.missing]
    assert not whole, "\n".join(map(str, whole))


def test_statements_and_ends_are_looked_at_by_name(silences: list[matches.Silence]) -> None:
    """Of a new statement of the typed tree, or end of a block, mypy asks nearly everywhere: these many places choose a few."""
    for union, most in {"rules.syntax.Stmt": 1, "core.tree.Stmt": 3, "flow.blocks.End": 1, "core.tree.Type": 4}.items():  # fmt: skip
        few = [s for s in silences if s.union == union]
        assert len(few) <= most, f"of {union}, {most} at most:\n" + "\n".join(map(str, few))
