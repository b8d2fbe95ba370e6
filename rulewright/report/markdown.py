"""Text → Markdown in which it reads as it is: nothing in it becomes a heading, a link, a tag or the end of a block."""

from __future__ import annotations

import re

from rulewright.runtime.plain import one_line

_SIGNS = re.compile(r"([\\`*_\[\]<>&|#~])")


def words(text: str) -> str:
    """Text in a line of its own or in a list."""
    shown = _SIGNS.sub(r"\\\1", one_line(" ".join(text.split())))
    # at the beginning of a line these would begin a list
    return re.sub(r"^([-+]|\d+(?=[.)]))", r"\\\1", shown)


def code(text: str) -> str:
    """Text between backticks, as many as it takes."""
    shown = one_line(" ".join(text.split()))
    fence = "`" * (_longest_run(shown) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown else ""
    return f"{fence}{space}{shown}{space}{fence}"


def block(lines: list[str], language: str) -> list[str]:
    """Lines between fences that are longer than any inside."""
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return [f"{fence}{language}", *map(one_line, lines), fence]


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
