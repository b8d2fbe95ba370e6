"""The modules of the compiler → the figures about them in docs/compiler.md; `python tests/compiler/figures.py` writes them anew.

They are rounded there, and may drift a little before anybody has to write them again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import matches
from rooms import ROOMS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "compiler.md"
# how far a figure in the page may be from what is so
DRIFT = 0.05


def lines_of(room: str) -> int:
    folder = ROOT / "compiler" / room
    return sum(len(f.read_text(encoding="utf-8").splitlines()) for f in folder.rglob("*.py"))


def all_matches() -> list[ast.Match]:
    return [
        node
        for file in sorted((ROOT / "compiler").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Match)
    ]


def closed(node: ast.Match) -> bool:
    return ast.unparse(node.cases[-1].body[-1]).startswith("assert_never(")


@cache
def figures() -> tuple[tuple[str, int, int], ...]:
    """Words of the page with N where a figure stands; what it is; to what it is rounded."""
    return tuple(_figures())


def _figures() -> Iterator[tuple[str, int, int]]:
    found = all_matches()
    few = [s for s in matches.silences() if s.file.startswith("compiler/")]
    shapes = [s for s in few if s.union.endswith(".Expr")]
    yield "Of the N matches of `compiler/`", len(found), 1
    yield "N end with `assert_never`", sum(map(closed, found)), 1
    yield "N say why they look at a few", len(few), 1
    yield "N of these look for shapes of expressions", len(shapes), 1
    yield "has about N of Python now", lines_of(""), 100
    for room in ROOMS:
        if room != "build":
            yield f"{room} N", lines_of(room), 10


def pattern(words: str) -> re.Pattern[str]:
    """The words with their figure, which may have a comma in it, as the second of three parts."""
    before, after = map(re.escape, words.split("N"))
    return re.compile(rf"(\b{before})([0-9]+(?:,[0-9]{{3}})*)({after})(?![0-9])")


def in_page(words: str, page: str) -> int:
    found = pattern(words).search(page)
    assert found is not None, f"the page does not say: {words}"
    return int(found[2].replace(",", ""))


def written_anew(page: str) -> str:
    for words, value, unit in figures():
        page = pattern(words).sub(rf"\g<1>{round(value / unit) * unit:,}\g<3>", page, count=1)
    return page


if __name__ == "__main__":
    PAGE.write_text(written_anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
