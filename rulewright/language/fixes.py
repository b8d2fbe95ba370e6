"""A problem with its hint → edits that do what the hint says, one click each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.compiler.text.diagnostics import Problem
from rulewright.compiler.text.source import Source, Span

_NEAREST = re.compile(r"did you mean '([^'…]+)'\?")
_DIGITS = re.compile(r"numbers are written in digits: (\d+)")
_WRITE = re.compile(r"write '([^'…]+)'(?:$|[,;]| to | for )")
_WRITE_NAME = re.compile(r"write ([A-Z]\w*\.\w+)$")
_CLOSE = re.compile(r"close it with '(.)'$")


@dataclass(frozen=True, slots=True)
class Fix:
    """What a click does, in words, and the stretch of the file that gives way to other text."""

    label: str
    span: Span
    text: str


def fixes(problem: Problem, source: Source | None) -> list[Fix]:
    """What can be done about a problem without asking anybody."""
    span, hint = problem.span, problem.hint or ""
    if source is None or span.line < 1 or span.line > len(source.lines):
        return []
    here = text_at(source, span)
    if found := _NEAREST.search(hint):
        return [_nearest(problem, here, found[1])]
    if found := _DIGITS.search(hint):
        return [Fix(f"write {found[1]}", span, found[1])]
    if hint.startswith("write it without quotes") and here[:1] in "'\"":
        return [Fix("take the quotes away", span, here[1:-1])]
    if hint.startswith("indent with spaces") and here == "\t":
        return [Fix("spaces for the tab", span, "    ")]
    if found := _WRITE_NAME.search(hint):
        return [Fix(f"write {found[1]}", span, found[1])]
    if problem.code.startswith("RW02") and _is_sign(here) and (found := _WRITE.search(hint)):
        return [Fix(f"write {found[1]}", span, found[1])]
    if hint in ("remove it", "remove the line", "remove it; it is invisible in most editors"):
        return [_removed(problem, source)]
    if (found := _CLOSE.search(hint)) and (at := _end_of_code(source, span)):
        return [Fix(f"close it with {found[1]}", at, found[1])]
    if "put it in quotes" in hint and here and not any(c in here for c in "'\"\n"):
        return [Fix("put it in quotes", span, f'"{here}"')]
    return []


def _nearest(problem: Problem, here: str, name: str) -> Fix:
    """The suggested word, with the marks around the wrong one kept."""
    text = name
    if here[:1] in ("'", '"') and here[-1:] == here[:1] and len(here) > 1:
        text = f"{here[0]}{name}{here[0]}"
    elif here.startswith("@") and not name.startswith("@"):
        text = f"@{name}"
    return Fix(f"{name} in place of {here.strip(chr(39) + chr(34))}", problem.span, text)


def _removed(problem: Problem, source: Source) -> Fix:
    span = problem.span
    line = source.lines[span.line - 1]
    if (
        span.line == span.end_line
        and not (line[: span.column - 1] + line[span.end_column - 1 :]).strip()
    ):
        end = span.line + 1
        return Fix("remove the line", Span(span.file, span.line, 1, end, 1), "")
    return Fix("remove it", span, "")


def _is_sign(text: str) -> bool:
    return 0 < len(text) <= 3 and not any(c.isalnum() or c.isspace() for c in text)


def _end_of_code(source: Source, span: Span) -> Span | None:
    """Behind the last character of code in a line, where a bracket that was forgotten belongs."""
    line = source.lines[span.line - 1]
    code = re.split(r"\s+[#@]|:\s*$", line, maxsplit=1)[0].rstrip()
    if len(code) < span.column:
        return None
    return Span(span.file, span.line, len(code) + 1, span.line, len(code) + 1)


def text_at(source: Source, span: Span) -> str:
    lines = source.lines[span.line - 1 : span.end_line]
    if span.line == span.end_line:
        return lines[0][span.column - 1 : span.end_column - 1]
    first, *middle = lines
    last = middle.pop() if middle else ""
    return "\n".join([first[span.column - 1 :], *middle, last[: span.end_column - 1]])
