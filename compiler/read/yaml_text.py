"""YAML text into nodes that know their place, from a strict subset that reads as written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from rulewright.compiler.read.yaml_nodes import Node, Style, YList, YMap, YScalar
from rulewright.compiler.text.diagnostics import Problems, Related, quoted
from rulewright.compiler.text.source import Source, Span, check_characters
from rulewright.runtime.plain import UNSAFE

MAX_DEPTH = 40
MAX_NODES = 200_000
_MAX_REPORTS = 100  # in one file; after that, reading on helps nobody


def read_yaml(source: Source, problems: Problems) -> list[Node]:
    """One node for each document of a file; none when anything is wrong with the file."""
    if not check_characters(source, problems):
        return []
    builder = _Builder(source, problems)
    try:
        for event in _events(source.text):
            builder.take(event)
        builder.check_tabs()
    except _Stop:
        pass
    except yaml.YAMLError as error:
        _report_syntax(error, builder)
    return [] if builder.reports else builder.documents


# --- building nodes from events ---------------------------------------------------------------


class _Stop(Exception):
    """Reading on would only repeat the problem or take too long."""


@dataclass(slots=True)
class _Frame:
    """A list or mapping whose end has not been read yet."""

    is_map: bool
    flow: bool
    start: Span
    items: list[Node] = field(default_factory=list)
    entries: list[tuple[YScalar, Node]] = field(default_factory=list)
    key: YScalar | None = None
    seen: dict[str, Span] = field(default_factory=dict)


def _events(text: str) -> Iterator[Any]:
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return iter(yaml.parse(text, Loader=loader))


class _Builder:
    """Nodes from parser events, with a stack of its own: depth of input costs no recursion."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.documents: list[Node] = []
        self.reports = 0
        self._problems = problems
        self._stack: list[_Frame] = []
        self._nodes = 0
        self._literal_lines: list[tuple[int, int]] = []
        self._document = Span(source.file, 1, 1, 1, 2)

    def report(self, code: str, span: Span, message: str, **more: Any) -> None:
        self._problems.error(code, span, message, **more)
        self.reports += 1
        if self.reports >= _MAX_REPORTS:
            raise _Stop

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._properties(event)
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._properties(event)
            self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)
        elif isinstance(event, yaml.AliasEvent):
            at = self.span(event)
            name = quoted("*" + str(event.anchor))
            hint = "write the value out again, or put text in quotes"
            self.report("RW0114", at, f"the YAML alias {name} is not allowed", hint=hint)
            self._place(YScalar("*" + str(event.anchor), "double", at, self.source))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document = self.line_span(event.start_mark)
            if event.version or event.tags:
                hint = "remove the line"
                self.report("RW0117", self._document, "YAML directives are not allowed", hint=hint)

    def span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        line, column = end.line + 1, end.column + 1
        # Block text ends, for the parser, where the next thing begins.
        while column == 1 and line > start.line + 1:
            line -= 1
            text = self.source.lines[line - 1].rstrip()
            column = len(text) + 1
        return Span(self.source.file, start.line + 1, start.column + 1, line, column)

    def line_span(self, mark: Any) -> Span:
        """From a mark to the end of its line; the last character for a mark past the end."""
        lines = self.source.lines
        line, column = mark.line + 1, mark.column + 1
        while line > 1 and (line > len(lines) or (line == len(lines) and not lines[line - 1])):
            line -= 1
            column = len(lines[line - 1]) + 1
        end = max(column + 1, len(lines[line - 1].rstrip()) + 1)
        return Span(self.source.file, line, column, line, end)

    def character(self, mark: Any) -> str:
        lines = self.source.lines
        line = lines[mark.line] if mark.line < len(lines) else ""
        return line[mark.column : mark.column + 1]

    def check_tabs(self) -> None:
        """Report tabs that indent a line; inside literal text they are the text's own."""
        inside = {n for first, end in self._literal_lines for n in range(first, end + 1)}
        for number, line in enumerate(self.source.lines, 1):
            if number not in inside and (found := _TAB_INDENT.match(line)):
                self.tab(number, found.end())

    def tab(self, line: int, column: int) -> None:
        at = Span(self.source.file, line, column, line, column + 1)
        self.report("RW0111", at, "a tab is used for indentation", hint="indent with spaces")

    def _properties(self, event: Any) -> None:
        if event.anchor is not None:
            name = "&" + str(event.anchor)
            at = self._find(event.start_mark, name)
            hint = "write the value out where it is used, or put text in quotes"
            self.report("RW0113", at, f"the YAML anchor {quoted(name)} is not allowed", hint=hint)
        if event.tag is not None:
            at = self._find(event.start_mark, "!")
            hint = "remove it, or put text that begins with '!' in quotes"
            self.report("RW0116", at, "YAML tags are not allowed", hint=hint)

    def _find(self, mark: Any, text: str) -> Span:
        """Where the parser says only that a text comes somewhere after a mark."""
        line = self.source.lines[mark.line]
        column = max(line.find(text, mark.column), mark.column) + 1
        end = column + len(text)
        while text == "!" and end <= len(line) and not line[end - 1].isspace():
            end += 1
        return Span(self.source.file, mark.line + 1, column, mark.line + 1, end)

    def _scalar(self, event: Any) -> None:
        at = self.span(event)
        style = event.style or ""
        if style == ">":
            at = Span(at.file, at.line, at.column, at.line, at.column + 1)
            self.report(
                "RW0120", at, "folded text '>' is not allowed", hint="write '|' to keep lines"
            )
            style = "|"
        elif style == "|":
            end = event.end_mark
            self._literal_lines.append((at.line + 1, end.line + (1 if end.column else 0)))
        node = YScalar(str(event.value), _STYLES[style], at, self.source)
        self._check_escapes(node)
        if node.style == "plain" and event.tag is None:
            self._check_plain(node)
        self._place(node)

    def _check_escapes(self, node: YScalar) -> None:
        """Escapes may stand only for characters that the file could hold as they are."""
        found = UNSAFE.search(node.text)
        if found is not None:
            self.report(
                "RW0108",
                node.span,
                f"an escape in this text stands for the character U+{ord(found[0]):04X}, which is not allowed",
                hint="remove the escape; in single quotes a backslash is a backslash",
            )

    def _check_plain(self, node: YScalar) -> None:
        if node.text == "":
            self._empty(node)
            return
        frame = self._stack[-1] if self._stack else None
        if node.text == "<<" and frame is not None and frame.is_map and frame.key is None:
            self.report(
                "RW0115",
                node.span,
                "YAML merge keys are not allowed",
                hint="write the keys out, or put '<<' in quotes",
            )
            return
        if node.text[0] not in _SUSPECT_STARTS or len(node.text) > 60:
            return
        if node.text in ("n", "y") and frame is not None and frame.is_map and frame.key is None:
            return  # a key is a name in any case, and these are names of numbers and places
        for pattern, code, message, hint in _UNCLEAR:
            if pattern.fullmatch(node.text):
                self.report(code, node.span, message.format(quoted(node.text)), hint=hint)
                return

    def _empty(self, node: YScalar) -> None:
        frame = self._stack[-1] if self._stack else None
        at = self._document if frame is None else node.span
        message, hint = "this document is empty", "remove the '---', or write something after it"
        if frame is not None and frame.is_map and frame.key is None:
            message, hint = _NO_KEY, "write 'key: value'"
        elif frame is not None and frame.is_map and frame.key is not None:
            message = f"the key {quoted(frame.key.text)} has no value"
            hint = "write '' for an empty text, [] for an empty list, {} for an empty mapping"
            at = frame.key.span
        elif frame is not None:
            message, hint = "this list item is empty", "write '' for an empty text, or remove it"
        self.report("RW0127", at, message, hint=hint)

    def _open(self, event: Any) -> None:
        mark = event.start_mark
        at = Span(self.source.file, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)
        if self._stack and self._stack[-1].is_map and self._stack[-1].key is None:
            self.report(
                "RW0126",
                at,
                "a list or mapping cannot be a key",
                expected="a word or text before the ':'",
                hint="put text that begins with '[', '{' or '-' in quotes",
            )
            raise _Stop
        if len(self._stack) >= MAX_DEPTH:
            self.report("RW0118", at, f"lists and mappings go more than {MAX_DEPTH} levels deep")
            raise _Stop
        self._count(at)
        is_map = isinstance(event, yaml.MappingStartEvent)
        self._stack.append(_Frame(is_map, bool(event.flow_style), at))

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        end = self.span(event)
        if not frame.flow:
            # The parser ends a block where the next one begins; its last part ends it here.
            end = frame.entries[-1][1].span if frame.is_map else frame.items[-1].span
        span = frame.start.to(end)
        self._place(YMap(frame.entries, span) if frame.is_map else YList(frame.items, span))

    def _place(self, node: Node) -> None:
        if isinstance(node, YScalar):
            self._count(node.span)
        if not self._stack:
            self.documents.append(node)
            return
        frame = self._stack[-1]
        if not frame.is_map:
            frame.items.append(node)
        elif frame.key is not None:
            frame.entries.append((frame.key, node))
            frame.key = None
        elif isinstance(node, YScalar):
            frame.key = node
            first = frame.seen.setdefault(node.text, node.span)
            if first is not node.span:
                self.report(
                    "RW0112",
                    node.span,
                    f"the key {quoted(node.text)} is written twice",
                    hint="remove one of them",
                    related=[Related(first, "first written here")],
                )

    def _count(self, at: Span) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self.report(
                "RW0119",
                at,
                f"the file holds more than {MAX_NODES} values",
                hint="split it into several files",
            )
            raise _Stop


_STYLES: dict[str, Style] = {"": "plain", "'": "single", '"': "double", "|": "literal"}
_NO_KEY = "this ':' has no key before it"
_TAB_INDENT = re.compile(r" *\t(?=\s*\S)")
_SUSPECT_STARTS = frozenset("0123456789+-.~yYnNtTfFoO")

# What YAML readers turn into something else than the characters written; first match counts.
_QUOTE = "put it in quotes if text is meant"
_UNCLEAR: tuple[tuple[re.Pattern[str], str, str, str], ...] = (
    (
        re.compile(r"(?!true$|false$)(?i:y|n|yes|no|on|off|true|false)"),
        "RW0121",
        "{} is read as true or false by some and as text by others",
        f"write true or false, or {_QUOTE}",
    ),
    (
        re.compile(r"~|(?i:null)"),
        "RW0122",
        "{} stands for nothing at all in YAML",
        f"leave the key out, or {_QUOTE}",
    ),
    (
        re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?"),
        "RW0124",
        "{} is a date in YAML",
        _QUOTE,
    ),
    (
        re.compile(
            r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?"
            r"|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.(?i:inf|nan)"
        ),
        "RW0125",
        "{} is a decimal number in YAML",
        f"write a plain integer, or {_QUOTE}",
    ),
    (
        # Every number that is not a plain integer: signs, leading zeros, bases, underscores, 1:30.
        re.compile(
            r"(?!(?:0|-?[1-9][0-9]*)$)[-+]?"
            r"(?:0[bB][01_]+|0[oO][0-7_]+|0[xX][0-9a-fA-F_]+"
            r"|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?)"
        ),
        "RW0123",
        "{} is a number that YAML readers do not agree on",
        f"write a plain integer such as 12, or {_QUOTE}",
    ),
)


# --- syntax errors ----------------------------------------------------------------------------

# Words of the parser's complaint, what to say instead, and what to do about it.
_SYNTAX: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a ':' cannot come here",
        "check the indentation, and put text that holds ': ' in quotes",
    ),
    (
        "sequence entries are not allowed",
        "a list cannot begin here",
        "begin it on a line of its own, or write [a, b]",
    ),
    (
        "could not find expected ':'",
        "there is no ':' after this key",
        "write 'key: value', or '- value' with a space; text of several lines needs '|'",
    ),
    ("',' or ']'", "a ',' or ']' is missing", "close the list with ']'"),
    ("',' or '}'", "a ',' or '}' is missing", "close the mapping with '}'"),
    (
        "'-' indicator",
        "this does not fit the list it stands in",
        "check the indentation; a list item begins with '- '",
    ),
    (
        "expected key",
        "this does not fit the mapping it stands in",
        "check the indentation; text after a closing quote must be inside the quotes",
    ),
    (
        "<block end>",
        "this does not fit the block it stands in",
        "check the indentation; text after a closing quote must be inside the quotes",
    ),
    ("end of stream", "this quote is never closed", "close it, or remove it"),
    ("document indicator", "this quote is never closed", "close it, or remove it"),
    (
        "unknown escape",
        "there is no such escape in double quotes",
        "write '\\\\' for a backslash, or use single quotes",
    ),
    (
        "node content",
        "a value is missing here",
        "close the list or mapping, or put a sign that stands alone in quotes",
    ),
    ("line break", "text cannot begin right after '|'", "begin it on the next line"),
    ("chomping", "text cannot begin right after '|'", "begin it on the next line"),
    ("document start>", "there is more text after the end of the value", "remove it"),
    (
        "alphabetic or numeric",
        "a value cannot begin with '*' or '&'",
        "put it in quotes",
    ),
)


def _report_syntax(error: yaml.YAMLError, builder: _Builder) -> None:
    """Say in plain words what the parser could not read."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        builder.report("RW0110", Span(builder.source.file, 1, 1, 1, 2), "this is not valid YAML")
        return
    mark, opened = error.problem_mark, error.context_mark
    problem = error.problem or "it cannot be read"
    at = builder.line_span(mark)
    char = builder.character(mark)
    line = builder.source.lines[at.line - 1]
    if (char == "\t" and "token" in problem) or "tab character" in problem:
        builder.tab(at.line, at.column)
        return
    if found := _TAB_INDENT.match(line):
        builder.tab(at.line, found.end())
        return
    if "directive" in problem or "incompatible YAML" in problem:
        at = builder.line_span(opened or mark)
        builder.report("RW0117", at, "YAML directives are not allowed", hint="remove the line")
        return
    if "cannot start any token" in problem:
        at = Span(at.file, at.line, at.column, at.line, at.column + 1)
        message = f"a value cannot begin with {quoted(char)}"
        builder.report("RW0110", at, message, hint="put it in quotes")
        return
    if char == ":" and "expected key" in problem:
        at = Span(at.file, at.line, at.column, at.line, at.column + 1)
        builder.report("RW0110", at, _NO_KEY, hint="write 'key: value'")
        return
    if (quote := _open_quote(builder.source.lines, mark.line)) is not None:
        at = Span(at.file, *quote)
        message = "this quote is not closed on its line"
        hint = f"close it there; it is read on to line {mark.line + 1}, where nothing fits any more"
        builder.report("RW0110", at, message, hint=hint)
        return
    message, hint = f"this is not valid YAML: {problem}", "put text with special signs in quotes"
    for words, said, advice in _SYNTAX:
        if words in problem:
            message, hint = said, advice
            break
    related: list[Related] = []
    if opened is not None:
        start = builder.line_span(opened)
        past_end = mark.line >= len(builder.source.lines) or char == ""
        if (
            "':'" in problem
            or "scalar" in (error.context or "")
            or ("or '" in problem and past_end)
        ):
            at = start
        elif start != at:
            related.append(Related(start, "it began here"))
    builder.report("RW0110", at, message, hint=hint, related=related)


_VALUE_QUOTE = re.compile(r"""(?:^\s*(?:-\s+)*|[:,]\s+|[\[{]\s*)(?P<quote>["'])""")
_REST = {
    '"': re.compile(r"""(?:[^"\\]|\\.)*?(?P<end>")"""),
    "'": re.compile(r"(?:[^']|'')*?(?P<end>')(?!')"),
}


def _open_quote(lines: Sequence[str], wrong: int) -> tuple[int, int, int, int] | None:
    """The place of a quoted text that goes over several lines and after which, on a line counted from 0, nothing fits.

    Somebody forgot to close it, and the next quote of the file was taken for its end.
    """
    number, column = 0, 0
    while number <= min(wrong, len(lines) - 1):
        found = _VALUE_QUOTE.search(lines[number], column)
        if found is None:
            number, column = number + 1, 0
            continue
        first, start, rest = number, found.start("quote"), _REST[found["quote"]]
        column = found.end()
        while number < len(lines) and (ended := rest.match(lines[number], column)) is None:
            number, column = number + 1, 0
        if number >= len(lines):
            return None  # never closed at all: that is told at its beginning anyway
        column = ended.end() if ended is not None else 0
        if number == wrong and first < number:
            return first + 1, start + 1, first + 1, len(lines[first].rstrip()) + 1
    return None
