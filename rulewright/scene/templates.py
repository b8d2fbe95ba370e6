"""A text with holes → the text with values in them: `{name}`, `{name.column}`, and `{name:2}` for the first two letters."""

from __future__ import annotations

import re
from collections.abc import Callable

_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]*)(?::(\d+))?\}")


def holes(text: str) -> list[str]:
    """The names that a text asks for."""
    return [found[1] for found in _HOLE.finditer(text)]


def stray(text: str) -> bool:
    """Whether braces are left that hold no name."""
    return any(brace in _HOLE.sub("", text) for brace in "{}")


def fill(text: str, value: Callable[[str], str]) -> str:
    """The text with every hole filled; a value may be cut to its first letters."""

    def one(found: re.Match[str]) -> str:
        got = value(found[1])
        return got[: int(found[2])] if found[2] else got

    return _HOLE.sub(one, text)
