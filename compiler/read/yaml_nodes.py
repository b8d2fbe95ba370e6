"""YAML values that know their place, and what is read from one: a text, a number, the keys of a mapping."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, number_hint, quoted
from rulewright.compiler.text.source import Source, Span

MAX_INT = 2**53 - 1  # the largest that every reader of JSON keeps exact

Style = Literal["plain", "single", "double", "literal"]


@dataclass(frozen=True, slots=True)
class YScalar:
    """A word, number or text."""

    text: str
    style: Style
    span: Span
    source: Source = field(compare=False, repr=False)

    def code_lines(self) -> list[tuple[int, int, str]] | None:
        """Each line of the text with the file line and column where it begins.

        None when the text is not in the file character for character.
        """
        span, lines = self.span, self.source.lines
        if self.style == "literal":
            return self._literal_lines()
        if span.line != span.end_line or not 1 <= span.line <= len(lines):
            return None
        inset = 0 if self.style == "plain" else 1
        start, end = span.column - 1 + inset, span.end_column - 1 - inset
        if lines[span.line - 1][start:end] != self.text:
            return None
        return [(span.line, start + 1, self.text)]

    def _literal_lines(self) -> list[tuple[int, int, str]] | None:
        texts = self.text.split("\n")
        if texts[-1] == "":
            texts.pop()
        first = self.span.line + 1
        found = self.source.lines[first - 1 : first - 1 + len(texts)]
        # The parser says where the '|' is, not how far the text is indented.
        indent = next(
            (len(line) - len(text) for line, text in zip(found, texts, strict=False) if text), 0
        )
        if len(found) < len(texts) or indent < 0:
            return None
        for line, text in zip(found, texts, strict=True):
            if (line[indent:] if text else line.strip(" ")) != text:
                return None
        return [(first + i, indent + 1, text) for i, text in enumerate(texts)]

    def place(self, offset: int) -> tuple[int, int]:
        """The file line and column of a character of the text, or of the start if unknown."""
        rest = max(0, offset)
        last: tuple[int, int] | None = None
        for line, column, text in self.code_lines() or ():
            if rest <= len(text):
                return line, column + rest
            rest -= len(text) + 1
            last = line, column + len(text)
        return last or (self.span.line, self.span.column)

    def part(self, start: int, end: int) -> Span:
        """The span of a piece of the text, or of all of it where places are not known."""
        if self.code_lines() is None:
            return self.span
        return Span(self.span.file, *self.place(start), *self.place(end))


@dataclass(frozen=True, slots=True)
class YList:
    """A sequence."""

    items: list[Node]
    span: Span


@dataclass(frozen=True, slots=True)
class YMap:
    """A mapping, in the order written; no key comes twice."""

    entries: list[tuple[YScalar, Node]]
    span: Span

    def get(self, name: str) -> Node | None:
        return next((value for key, value in self.entries if key.text == name), None)

    def keys(self) -> list[str]:
        return [key.text for key, _ in self.entries]


Node = YScalar | YList | YMap


# --- reading values ---------------------------------------------------------------------------

_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SPAN = re.compile(r"([0-9]{1,4})\s*(?:\.\.|-)\s*([0-9]{1,4})")


def describe(node: Node) -> str:
    """What a node is, for a message that says it should be something else."""
    if isinstance(node, YList):
        return "a list"
    if isinstance(node, YMap):
        return "a mapping"
    if node.style == "plain":
        return quoted(node.text)
    return f"the text {quoted(node.text)}"


def _wrong(node: Node, problems: Problems, code: str, what: str, expected: str) -> None:
    hint = None
    if isinstance(node, YScalar) and node.style != "plain":
        unquoted_fits = (code == "RW0132" and _INTEGER.fullmatch(node.text)) or (
            code == "RW0133" and node.text in ("true", "false")
        )
        hint = "write it without quotes" if unquoted_fits else None
    if isinstance(node, YScalar) and code == "RW0132":
        hint = hint or number_hint(node.text)
    if isinstance(node, YScalar) and code in ("RW0131", "RW0134"):
        hint = _as_list(node.text, alone=code == "RW0134")
    message = f"{what} must be {expected}, not {describe(node)}"
    problems.error(code, node.span, message, expected=expected, hint=hint)


def _as_list(text: str, alone: bool) -> str | None:
    """How to write a list, where something else was written that reads like one."""
    span = _SPAN.fullmatch(text)
    if span is not None and 0 < int(span[2]) - int(span[1]) < 12:
        return f"write: [{', '.join(str(n) for n in range(int(span[1]), int(span[2]) + 1))}]"
    parts = [part.strip() for part in text.split(",")]
    if all(len(part) <= 40 and _NAME.fullmatch(part) for part in parts) and (
        alone or len(parts) > 1
    ):
        return f"write: [{', '.join(parts[:8])}{', …' * (len(parts) > 8)}]"
    return None


def as_text(node: Node, problems: Problems, what: str) -> str | None:
    """The characters written, whatever they look like."""
    if isinstance(node, YScalar):
        return node.text
    _wrong(node, problems, "RW0130", what, "text")
    return None


def as_name(node: Node, problems: Problems, what: str) -> str | None:
    """A name: letters, digits and '_', with '-' and '.' inside."""
    if isinstance(node, YScalar) and len(node.text) <= 80 and _NAME.fullmatch(node.text):
        return node.text
    _wrong(node, problems, "RW0131", what, "a name of letters, digits, '_', '-' and '.'")
    return None


def as_int(node: Node, problems: Problems, what: str) -> int | None:
    """An integer written without quotes."""
    if isinstance(node, YScalar) and node.style == "plain" and _INTEGER.fullmatch(node.text):
        # Length first: turning a very long numeral into a number is slow or refused.
        if len(node.text) <= 17 and abs(int(node.text)) <= MAX_INT:
            return int(node.text)
        _wrong(node, problems, "RW0132", what, f"an integer of at most {MAX_INT}")
        return None
    _wrong(node, problems, "RW0132", what, "an integer")
    return None


def as_bool(node: Node, problems: Problems, what: str) -> bool | None:
    """The word true or false written without quotes."""
    if isinstance(node, YScalar) and node.style == "plain" and node.text in ("true", "false"):
        return node.text == "true"
    _wrong(node, problems, "RW0133", what, "true or false")
    return None


def as_list(node: Node, problems: Problems, what: str) -> YList | None:
    if isinstance(node, YList):
        return node
    _wrong(node, problems, "RW0134", what, "a list")
    return None


def as_map(node: Node, problems: Problems, what: str) -> YMap | None:
    if isinstance(node, YMap):
        return node
    _wrong(node, problems, "RW0135", what, "a mapping")
    return None


class Fields:
    """Reads a mapping of known keys; whatever nobody asked for is reported at the end."""

    def __init__(self, node: YMap, problems: Problems, what: str = "this mapping") -> None:
        self.node = node
        self._problems = problems
        self._what = what
        self._values = {key.text: value for key, value in node.entries}
        self._asked: dict[str, None] = {}

    def take(self, key: str) -> Node | None:
        """The value of a key that may be there."""
        self._asked[key] = None
        return self._values.get(key)

    def need(self, key: str) -> Node | None:
        """The value of a key that must be there."""
        value = self.take(key)
        if value is None:
            found = self.node.entries
            # The first key stands for the mapping: all of it would be too much to underline.
            at = found[0][0].span if found else self.node.span
            self._problems.error(
                "RW0136", at, f"{self._what} needs the key '{key}'", expected=f"'{key}: …'"
            )
        return value

    def finish(self) -> None:
        """Report every key that was never asked for."""
        free = [key for key in self._asked if key not in self._values]
        for key, _ in self.node.entries:
            if key.text not in self._asked:
                self._problems.error(
                    "RW0137",
                    key.span,
                    f"{self._what} has no key {quoted(key.text)}",
                    expected=listed(self._asked) or None,
                    hint=did_you_mean(key.text, free) or did_you_mean(key.text, self._asked),
                )
