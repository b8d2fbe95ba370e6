"""Problems found anywhere in the compiler into messages with a place, an excerpt and a hint."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rulewright.compiler.text.codes import CODES
from rulewright.compiler.text.source import NOWHERE, Sources, Span
from rulewright.runtime.plain import one_line

Severity = Literal["error", "warning"]


MAX_PROBLEMS = 200  # of each severity
_TOO_MANY = "RW0199"
_MAX_NAME = 80  # longer words are not worth a guess, and comparing them is quadratic
_LINE_WIDTH = 100
_TAB = 4


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a problem."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong, where it is, and what would be right."""

    code: str
    severity: Severity
    message: str
    span: Span
    expected: str | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()


class Problems:
    """Collects problems, drops repeated ones, and keeps the number shown bounded."""

    def __init__(self) -> None:
        self._kept: dict[Severity, list[Problem]] = {"error": [], "warning": []}
        self._seen: set[tuple[str, Span, str]] = set()
        self._dropped: Severity | None = None

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        related: Iterable[Related] = (),
    ) -> None:
        self.add(Problem(code, "error", message, span, expected, hint, tuple(related)))

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        expected: str | None = None,
        hint: str | None = None,
        related: Iterable[Related] = (),
    ) -> None:
        self.add(Problem(code, "warning", message, span, expected, hint, tuple(related)))

    def add(self, problem: Problem) -> None:
        CODES[problem.code]  # an unknown code is a mistake of the compiler's: KeyError
        key = (problem.code, problem.span, problem.message)
        if key in self._seen:
            return
        kept = self._kept[problem.severity]
        if len(kept) >= MAX_PROBLEMS:
            if self._dropped != "error":
                self._dropped = problem.severity
            return
        self._seen.add(key)
        kept.append(problem)

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.all() if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.all() if problem.severity == "warning"]

    @property
    def has_errors(self) -> bool:
        return bool(self._kept["error"])

    @property
    def is_full(self) -> bool:
        """Whether further errors would only be counted out: looking for them helps nobody."""
        return len(self._kept["error"]) >= MAX_PROBLEMS

    def all(self) -> list[Problem]:
        """In the order of the files' text; a note that some were left out comes last."""
        found = sorted(self._kept["error"] + self._kept["warning"], key=_order)
        if self._dropped is not None:
            message = "too many problems, the rest are not shown; correct these first"
            found.append(Problem(_TOO_MANY, self._dropped, message, NOWHERE))
        return found

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.all())


class SpecError(Exception):
    """A specification that cannot be used; its text is the rendered problems."""

    def __init__(self, problems: Problems, sources: Sources) -> None:
        super().__init__(problems, sources)
        self.problems = problems
        self.sources = sources

    def render(self, *, colour: bool = False) -> str:
        """The errors alone: nobody should have to look for them among warnings, which `rulewright check` tells."""
        return render_all(self.problems.errors, self.sources, colour=colour)

    def __str__(self) -> str:
        return self.render()


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like the name, or nothing when none is close."""
    if not name or len(name) > _MAX_NAME:
        return None
    best: tuple[float, str] | None = None
    plain = name.casefold()
    matcher = difflib.SequenceMatcher(None, "", plain)  # it prepares its second text, once for all
    for candidate in sorted({c for c in candidates if 0 < len(c) <= _MAX_NAME}):
        if candidate.casefold() == plain:
            return candidate
        # A word of two or three letters differs from another by one letter at most.
        cutoff = 0.5 if min(len(name), len(candidate)) <= 3 else 0.65
        matcher.set_seq1(candidate.casefold())
        if matcher.real_quick_ratio() < cutoff or matcher.quick_ratio() < cutoff:
            continue
        ratio = matcher.ratio()
        alike = ratio * (len(name) + len(candidate)) / 2
        if cutoff == 0.5 and max(len(name), len(candidate)) - alike > 1:
            continue
        if ratio >= cutoff and (best is None or ratio > best[0]):
            best = (ratio, candidate)
    return None if best is None else best[1]


_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty"
).split()


def number_hint(word: str) -> str | None:
    """What to write for a number in letters, fit for a hint; nothing for any other word."""
    plain = word.casefold()
    if plain not in _NUMBERS:
        return None
    return f"numbers are written in digits: {_NUMBERS.index(plain)}"


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest candidate as a question, fit for a hint."""
    found = nearest(name, candidates)
    return None if found is None else f"did you mean {quoted(found)}?"


def quoted(text: str, limit: int = 40) -> str:
    """Text in quotes for a message, cut when it is long."""
    return f"'{text}'" if len(text) <= limit else f"'{text[: limit - 1]}…'"


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Names as 'a, b or c' for an expectation, cut when there are many."""
    words = list(names)
    if len(words) > limit:
        return ", ".join(words[:limit]) + f" … ({len(words)} in all)"
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def render(problem: Problem, sources: Sources, *, colour: bool = False) -> str:
    """One problem as lines of text, with the line of the file that it is about."""
    paint = _COLOURS if colour else {}
    tone = paint.get(problem.severity, "")
    reset = paint.get("reset", "")
    where = _where(problem.span)
    head = f"{paint.get('bold', '')}{where}: {reset}" if where else ""
    lines = [f"{head}{tone}{problem.severity} {problem.code}{reset}: {one_line(problem.message)}"]
    lines += _excerpt(problem.span, sources, tone, reset)
    if problem.expected:
        lines.append(f"   expected: {one_line(problem.expected)}")
    if problem.hint:
        lines.append(f"   hint: {one_line(problem.hint)}")
    for related in problem.related:
        place = _where(related.span)
        lines.append(f"   {place + ': ' if place else ''}{one_line(related.message)} (related)")
    return "\n".join(lines)


def render_all(problems: Iterable[Problem], sources: Sources, *, colour: bool = False) -> str:
    """All problems as text that ends with their number; nothing for no problems."""
    shown = list(problems)
    if not shown:
        return ""
    parts = []
    severities: tuple[Severity, ...] = ("error", "warning")
    for severity in severities:
        count = sum(p.severity == severity and p.code != _TOO_MANY for p in shown)
        if count:
            parts.append(f"{count} {severity}{'' if count == 1 else 's'}")
    blocks = [render(problem, sources, colour=colour) for problem in shown]
    return "\n".join([*blocks, ", ".join(parts)])


def to_json(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """All problems as values that JSON can hold."""
    return [
        {
            "code": problem.code,
            "title": CODES[problem.code],
            "severity": problem.severity,
            "message": problem.message,
            **_span_json(problem.span),
            "expected": problem.expected,
            "hint": problem.hint,
            "related": [
                {"message": related.message, **_span_json(related.span)}
                for related in problem.related
            ],
        }
        for problem in problems
    ]


_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "bold": "\x1b[1m",
    "reset": "\x1b[0m",
}


def _order(problem: Problem) -> tuple[str, int, int, str, str]:
    span = problem.span
    return span.file, span.line, span.column, problem.code, problem.message


def _span_json(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _where(span: Span) -> str:
    if not span.file or span.line < 1:
        return one_line(span.file)
    return f"{one_line(span.file)}:{span.line}:{span.column}"


def _excerpt(span: Span, sources: Sources, tone: str, reset: str) -> list[str]:
    """The line a span begins on and carets under it, aligned as a terminal shows them."""
    source = sources.get(span.file)
    if source is None or not 1 <= span.line <= len(source.lines):
        return []
    line = source.lines[span.line - 1]
    start = max(0, min(span.column - 1, len(line)))
    end = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    cut_start, before, after = 0, "", ""
    if len(line) > _LINE_WIDTH:
        cut_start = max(0, min(start - _LINE_WIDTH // 2, len(line) - _LINE_WIDTH))
        before = "…" if cut_start > 0 else ""
        after = "…" if cut_start + _LINE_WIDTH < len(line) else ""
        line = line[cut_start : cut_start + _LINE_WIDTH]
        start, end = start - cut_start, min(end - cut_start, len(line))
    cells, column, starts = [before], len(before), []
    for char in line:
        starts.append(column)
        shown, width = _cell(char, column)
        cells.append(shown)
        column += width
    starts.append(column)
    carets = max(1, starts[end] - starts[start]) if end > start else 1
    text = ("".join(cells) + after).rstrip()
    gutter = f"{span.line:>5}"
    return [
        f"{gutter} | {text}".rstrip(),
        f"{' ' * len(gutter)} | {' ' * starts[start]}{tone}{'^' * carets}{reset}",
    ]


def _cell(char: str, column: int) -> tuple[str, int]:
    """What a terminal shows for a character at a column, and how many columns it takes."""
    if char == "\t":
        width = _TAB - column % _TAB
        return " " * width, width
    if unicodedata.category(char) in ("Mn", "Me"):
        return char, 0
    if not char.isprintable():
        return "\N{REPLACEMENT CHARACTER}", 1
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
