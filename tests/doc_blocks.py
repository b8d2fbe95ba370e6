"""Markdown pages into their fenced blocks, and the comparison of what is shown with what came out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^( *)(`{3,})\s*(\S*)\s*(.*?)\s*$")
_HEADING = re.compile(r"^(#{1,6}) +(.*)$")
_FILE = re.compile(r"^# (file|add to): (\S+)\s*$")


@dataclass(frozen=True)
class Block:
    """A fenced block: ```lang words. `section` is the last heading above it."""

    page: str
    line: int
    lang: str
    words: tuple[str, ...]
    text: str
    section: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def target(self) -> tuple[str, str] | None:
        """("file" or "add to", path) where the block's first line names a file."""
        found = _FILE.match(self.text.split("\n", 1)[0])
        return None if found is None else (found[1], found[2])


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a page, in order; a fence that is never closed is an error."""
    out: list[Block] = []
    section = ""
    lines = path.read_text(encoding="utf-8").splitlines()
    i = 0
    while i < len(lines):
        heading = _HEADING.match(lines[i])
        if heading:
            section = heading[2]
        opening = _FENCE.match(lines[i])
        if not opening:
            i += 1
            continue
        indent, fence = len(opening[1]), opening[2]
        start = i
        body: list[str] = []
        i += 1
        while i < len(lines) and lines[i].strip() != fence:
            body.append(lines[i][indent:])
            i += 1
        if i == len(lines):
            raise AssertionError(f"{path.name}:{start + 1}: the block is not closed")
        text = "".join(f"{line}\n" for line in body)
        words = tuple(opening[4].split())
        out.append(Block(path.name, start + 1, opening[3], words, text, section))
        i += 1
    return out


def commands(block: Block) -> list[tuple[str, str]]:
    """The `$ command` lines of a console block, each with the output shown below it."""
    out: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif not out:
            raise AssertionError(f"{block.where}: a console block begins with '$ command'")
        elif out[-1][0].endswith("\\"):
            out[-1] = (out[-1][0][:-1] + line.strip(), [])
        else:
            out[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in out]


def agrees(shown: str, got: str) -> bool:
    """Whether output is as shown: `…` stands for any text in a line, on a line of its own for any lines."""
    pattern = ""
    for line in shown.strip("\n").split("\n"):
        if line.strip() == "…":
            pattern += r"(?:.*\n)*"
            continue
        pattern += "[^\n]*".join(re.escape(part.rstrip()) for part in line.split("…")) + r"[ ]*\n"
    lines = "".join(f"{line.rstrip()}\n" for line in got.strip("\n").split("\n"))
    return re.fullmatch(pattern, lines) is not None
