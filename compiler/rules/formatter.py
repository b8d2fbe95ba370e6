"""The text of a rules file into the same rules, evenly spaced and indented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.compiler.rules.parse import classify, parse_rules, split_rules
from rulewright.compiler.rules.tokenise import CLOSING, DEDENT, END, INDENT, NEWLINE, SIGN, Tok
from rulewright.compiler.text.diagnostics import Problems
from rulewright.compiler.text.source import Sources, whole_file

STEP = 4
MAX_BLANK = 2
CITED = 60  # citations that end a line stand in the column after this, or two spaces after a longer line

_COMMENT = re.compile(r"""(?:"[^"]*"|'[^']*'|[^#"'])*(#.*)""")
_LAYOUT = (NEWLINE, INDENT, DEDENT, END)
_VALUES = frozenset(("NAME", "INT", "QUOTED", "TRUE", "FALSE", "NONE"))
_NEGATIVE = "negative"  # for a minus that does not subtract

Piece = tuple[Tok, str]  # a token and its terminal


@dataclass(slots=True)
class _CodeLine:
    """A line of code as it will be, with the blocks around it as they were and will be."""

    text: str
    indent: int
    blocks: list[tuple[int, int]] = field(default_factory=list)
    goes_on: bool = False  # inside a bracket opened above
    closes: bool = False  # begins by closing it


def format_rules(text: str, file: str, problems: Problems | None = None) -> str:
    """The formatted text; unchanged when it has errors, which are reported."""
    problems = Problems() if problems is None else problems
    found = Problems()
    source = Sources().add(file, text)
    before = parse_rules(source, found)
    code: dict[int, _CodeLine] = {}
    if not found.has_errors:
        for chunk in split_rules(source.lines):
            pieces = classify(chunk, file, found) or []
            code |= _Chunk(source.lines, pieces).lines()
    if found.has_errors:
        for problem in found:
            problems.add(problem)
        return text
    result = _assemble(source.lines, code)
    again = Sources().add(file, result)
    same = parse_rules(again, found) == before and not found.has_errors
    if not same or _comments(source.lines) != _comments(again.lines):
        problems.error(
            "RW0222",
            whole_file(file),
            "this file cannot be formatted without changing what it says; it is left as it is",
            hint="this is a mistake of the formatter: please report it",
        )
        return text
    return result


class _Chunk:
    """Formats the code lines of one declaration."""

    def __init__(self, source: Sequence[str], pieces: Sequence[Piece]) -> None:
        self.source = source
        self.blocks: list[tuple[int, int]] = [(0, 0)]  # columns as they were, as they will be
        self.brackets: list[int] = []  # the indentation of the lines that opened them
        self.rows: list[list[Piece]] = []
        self.pieces = pieces

    def lines(self) -> dict[int, _CodeLine]:
        found: dict[int, _CodeLine] = {}
        row: list[Piece] = []
        operand = False  # whether what came last may end an operand
        for token, terminal in self.pieces:
            if (token.first or token.kind in _LAYOUT) and row:
                found[row[0][0].line] = self._line(row)
                row = []
            if token.kind == INDENT:
                self.blocks = [*self.blocks, (token.column - 1, len(self.blocks) * STEP)]
            elif token.kind == DEDENT:
                self.blocks = self.blocks[:-1]
            elif token.kind not in _LAYOUT:
                is_sign = token.text == "-" and not operand
                row.append((token, _NEGATIVE if is_sign else terminal))
                operand = _is_value(row[-1])
        return found

    def _line(self, row: list[Piece]) -> _CodeLine:
        first = row[0][0]
        goes_on = bool(self.brackets)
        closes = goes_on and first.kind == SIGN and first.text in CLOSING.values()
        indent = self.blocks[-1][1]
        if goes_on:
            indent = self.brackets[-1] + (0 if closes else STEP)
        for token, _ in row:
            if token.kind == SIGN and token.text in CLOSING:
                self.brackets.append(indent)
            elif token.kind == SIGN and token.text in CLOSING.values():
                self.brackets.pop()
        cited = _first_trailing_cite(row)
        text = _spaced(row[:cited])
        if cited < len(row):
            width = max(CITED - indent, len(text) + 2)
            text = f"{text:<{width}}{_spaced(row[cited:])}"
        if comment := _comment(self.source[first.line - 1]):
            text = f"{text}  {comment}"
        return _CodeLine(text, indent, self.blocks, goes_on, closes)


def _spaced(row: Sequence[Piece]) -> str:
    """A line's tokens with the right space between them."""
    parts: list[str] = []
    for number, (token, _) in enumerate(row):
        if number and _is_apart(row, number):
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts)


def _first_trailing_cite(row: Sequence[Piece]) -> int:
    """Where the citations that end a line begin; its length when there are none, or nothing else."""
    start = len(row)
    while start > 0:
        if row[start - 1][1] == "CLAUSE":
            start -= 1
        elif start > 3 and row[start - 4][1] == "MARK":
            start -= 4
        else:
            break
    return start or len(row)


def _is_apart(row: Sequence[Piece], number: int) -> bool:
    """Whether a space goes before a token of a line that is not the first."""
    before, kind = row[number - 1]
    token = row[number][0]
    if before.text in ("(", "[", "{", ".") and before.kind == SIGN:
        return False
    if token.kind == SIGN:
        if token.text in (")", "]", "}", ",", ":", "."):
            return False
        if token.text == "..":
            return _is_loose(row, number)
        if token.text in ("(", "[") and (_is_value(row[number - 1]) or kind == "MARK"):
            return False
    if before.kind == SIGN and before.text == "..":
        return _is_loose(row, number - 1)
    return kind != _NEGATIVE


def _is_value(piece: Piece) -> bool:
    """Whether an operand may end here, so that a bracket after it belongs to it."""
    token, terminal = piece
    return terminal in _VALUES or (token.kind == SIGN and token.text in CLOSING.values())


def _is_loose(row: Sequence[Piece], number: int) -> bool:
    """Whether the writer put space around a '..': 0..9 in types, 1 .. n where it reads better."""
    token = row[number][0]
    left = number > 0 and row[number - 1][0].end_column < token.column
    right = number + 1 < len(row) and token.end_column < row[number + 1][0].column
    return left or right


# ---------------------------------------------------------------- comments and blank lines


def _assemble(source: Sequence[str], code: dict[int, _CodeLine]) -> str:
    """All lines in order: the code as formatted, comments beside it, few blank lines."""
    above: _CodeLine | None = None
    below = _lines_below(len(source), code)
    result: list[str] = []
    for number, text in enumerate(source, 1):
        comment = _comment(text)
        if number in code:
            above = code[number]
            result.append(" " * above.indent + above.text)
        elif comment:
            column = len(text) - len(text.lstrip(" "))
            indent = _comment_indent(column, above, below[number])
            result.append(" " * indent + comment)
        elif result and any(result[-MAX_BLANK:]):
            result.append("")
    while result and not result[-1]:
        result.pop()
    return "".join(f"{line}\n" for line in result)


def _lines_below(count: int, code: dict[int, _CodeLine]) -> dict[int, _CodeLine | None]:
    """For each line, the next line of code."""
    found: dict[int, _CodeLine | None] = {}
    following: _CodeLine | None = None
    for number in range(count, 0, -1):
        found[number] = following
        following = code.get(number, following)
    return found


def _comment_indent(column: int, above: _CodeLine | None, below: _CodeLine | None) -> int:
    """A comment goes with the line below it, or stays in the block above if it stood in it."""
    if below is not None and below.goes_on:
        return below.indent + (STEP if below.closes else 0)
    least = 0 if below is None else below.indent
    around = [new for old, new in (above.blocks if above is not None else []) if old <= column]
    return max([least, *around[-1:]]) if above is not None and above.indent > least else least


def _comment(line: str) -> str:
    """The comment of a line, if it has one, with a space after the #."""
    found = _COMMENT.match(line)
    return re.sub(r"^#(?=\w)", "# ", found.group(1).rstrip()) if found is not None else ""


def _comments(lines: Sequence[str]) -> list[str]:
    return [comment for line in lines if (comment := _comment(line))]
