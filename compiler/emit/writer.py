"""Lines of Python with their indentation and the place in the spec that each comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.compiler.text.source import NOWHERE, Span


class Writer:
    def __init__(self) -> None:
        self.lines: list[tuple[int, str, Span]] = []
        self.depth = 0
        self.span = NOWHERE

    def line(self, text: str) -> None:
        self.lines.append((self.depth, text, self.span))

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block; `pass` is put into an empty one."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        old = self.span
        self.span = span
        yield
        self.span = old

    def apart(self) -> tuple[list[tuple[int, str, Span]], int]:
        """Start collecting lines aside; give the result to `together`."""
        kept = self.lines
        self.lines = []
        return kept, self.depth

    def together(
        self, kept: tuple[list[tuple[int, str, Span]], int]
    ) -> list[tuple[int, str, Span]]:
        aside = self.lines
        self.lines, self.depth = kept
        return aside

    def text(self) -> str:
        return "".join(
            f"{'    ' * depth}{text}\n" if text else "\n" for depth, text, _ in self.lines
        )
