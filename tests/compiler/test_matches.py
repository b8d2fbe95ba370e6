"""Matches look at every case: what mypy does not see, which is one that ends with a condition."""

import ast
from pathlib import Path

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
