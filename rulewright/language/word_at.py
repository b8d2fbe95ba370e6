"""A place in a text → the word there and what stands around it: enough to guess what somebody is about to write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_CLAUSE = re.compile(r"@[A-Za-z][A-Za-z0-9_.-]*")
_BINDING = re.compile(
    r"(?:\b(?:for|together|choose|roll)\s+|,\s*|\()(\w+)\s+in\s+([A-Za-z_]\w*)|\b(\w+)\s*:\s*([A-Z]\w*)"
    r"|\blet\s+(\w+)\s*=|\bvar\s+(\w+)\s*:\s*([^=@#\n]+)"
)
_HEAD = re.compile(
    r"(?:replace\s+)?(?:open\s+)?(?:procedure|function|on|instead|before|after|state|pieces|invariant|outcome)\b"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word, where it begins and ends in its line (counted from 1), and the dot or sign before it."""

    text: str
    column: int
    end_column: int
    before: str = ""


def word_at(text: str, line: int, column: int) -> Word | None:
    """The word under the cursor: a clause with its sign, or a name; of `a.b` the part that the cursor is on."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return None
    row, at = lines[line - 1], column - 1
    for found in _CLAUSE.finditer(row):
        if found.start() <= at <= found.end():
            return Word(found[0], found.start() + 1, found.end() + 1)
    for found in _WORD.finditer(row):
        if found.start() <= at <= found.end():
            return Word(found[0], found.start() + 1, found.end() + 1)
    return None


def parts_of(word: Word, column: int) -> list[Word]:
    """The readings of a word with dots: all of it (the name of a row), then the part under the cursor."""
    out = [word]
    start = 0
    for piece in re.split(r"([.-])", word.text):
        begins = word.column + start
        if (
            piece not in (".", "-")
            and begins <= column <= begins + len(piece)
            and piece != word.text
        ):
            out.append(Word(piece, begins, begins + len(piece), word.text[:start].rstrip(".")))
        start += len(piece)
    return out


def before_cursor(text: str, line: int, column: int) -> str:
    lines = text.split("\n")
    return lines[line - 1][: column - 1] if 1 <= line <= len(lines) else ""


def locals_near(text: str, line: int) -> dict[str, str]:
    """The names that the declaration around a line gives, each with the kind it is of where that is written."""
    return {name: kind for name, kind, _, _ in _bound(text, line)}


def local_at(text: str, line: int, word: Word, column: int) -> tuple[int, int, int] | None:
    """Where the local under the cursor gets its name: line, column, end; nothing when it is no local."""
    part = parts_of(word, column)[-1]
    rows = text.split("\n")
    if rows[line - 1][: part.column - 1].endswith((".", "@")):
        return None
    for name, _, number, start in _bound(text, line):
        if name == part.text:
            return number, start + 1, start + 1 + len(name)
    return None


def _bound(text: str, line: int) -> Iterator[tuple[str, str, int, int]]:
    """Names given by the declaration around a line: name, kind, line, and the characters before it."""
    lines = text.split("\n")
    first = min(line, len(lines)) - 1
    while first > 0 and not _HEAD.match(lines[first].lstrip(" '\"")):
        first -= 1
    if lines and re.match(r"\s*(state|pieces)\b", lines[first]):
        return
    for number, row in enumerate(lines[first:line], first + 1):
        for found in _BINDING.finditer(row):
            group = next(g for g in (1, 3, 5, 6) if found[g])
            kind = found[{1: 2, 3: 4, 5: 5, 6: 7}[group]] if group != 5 else ""
            yield found[group], kind.strip(), number, found.start(group)
