"""Lines of rule text into tokens, with indentation made explicit and every place that of the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.compiler.text.diagnostics import Problems, Related, quoted
from rulewright.compiler.text.source import Span

MAX_BRACKETS = 60
MAX_INDENTS = 20
MAX_CHARACTERS = 100_000
MAX_TOKENS = 20_000

# A line of code: the line of the file, the column of its first character, its text.
Line = tuple[int, int, str]

WORD, INT, STRING, QUOTED, CLAUSE, SIGN = "word", "int", "string", "quoted", "clause", "sign"
NEWLINE, INDENT, DEDENT, END = "newline", "indent", "dedent", "end"

CLOSING = {"(": ")", "[": "]", "{": "}"}

_TOKEN = re.compile(
    r"""(?P<space>[ ]+)
    |(?P<comment>\#.*)
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<int>[0-9]+)
    |(?P<string>"[^"]*")
    |(?P<quoted>'[^']+')
    |(?P<clause>@[A-Za-z][A-Za-z0-9_.-]*)
    |(?P<slip>&&|\|\||\+\+|!(?!=)|:=|=>|=<|=[-+](?=\s)|<>|===|\*\*|/(?!/)|;|\?)
    |(?P<sign>->|\.\.|\+=|-=|\|=|&=|==|!=|<=|>=|//|[-=<>+|*%&.,:()\[\]{}])""",
    re.VERBOSE,
)

# What people write from habit, and what to write here.
_SLIPS = {
    "&&": "write 'and'",
    "||": "write 'or'",
    "!": "write 'not', or '!=' to compare",
    "++": "write 'x += 1'",
    ":=": "write '=' to assign, '==' to compare",
    "=>": "write '>=' to compare",
    "=<": "write '<=' to compare",
    "=-": "write '-=' to take away, '= -' to set below nothing",
    "=+": "write '+=' to add, '=' to set",
    "<>": "write '!=' to compare",
    "===": "write '=='",
    "**": "multiply with '*'; there is no power",
    "^": "multiply with '*'; there is no power",
    "/": "write '//' to divide; a comment begins with '#'",
    "?": "write: a if condition else b",
    ";": "write each statement on a line of its own",
    "“": "use straight quotes",
    "”": "use straight quotes",
    "„": "use straight quotes",
    "‘": "use straight quotes",
    "’": "use straight quotes",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write '!='",
    "×": "write '*'",
    "−": "write '-'",
    "–": "write '-'",
    "…": "write '..' for a range",
    "→": "write '->'",
    "∈": "write 'in'",
    "\u00a0": "replace this invisible character with a space",
}


@dataclass(frozen=True, slots=True)
class Tok:
    """A token; `kind` is one of the names above, `first` tells that it begins its line."""

    kind: str
    text: str
    line: int
    column: int
    first: bool = False

    @property
    def end_column(self) -> int:
        return self.column + len(self.text)

    def span(self, file: str) -> Span:
        return Span(file, self.line, self.column, self.line, max(self.end_column, self.column + 1))


class BadText(Exception):
    """The text cannot be read any further; the problem has been reported."""


def tokenise(
    lines: Sequence[Line], file: str, problems: Problems, *, layout: bool = True
) -> list[Tok]:
    """All tokens, with an end token last; without `layout`, line breaks mean nothing."""
    return _Tokeniser(file, problems, layout).run(lines)


class _Tokeniser:
    def __init__(self, file: str, problems: Problems, layout: bool) -> None:
        self.file = file
        self.problems = problems
        self.layout = layout
        self.tokens: list[Tok] = []
        self.open: list[Tok] = []
        self.indents: list[int] = []

    def fail(
        self, code: str, at: Tok, message: str, hint: str | None = None, also: Tok | None = None
    ) -> BadText:
        related = () if also is None else (Related(also.span(self.file), "opened here"),)
        self.problems.error(code, at.span(self.file), message, hint=hint, related=related)
        return BadText(message)

    def run(self, lines: Sequence[Line]) -> list[Tok]:
        if sum(len(text) + 1 for _, _, text in lines) > MAX_CHARACTERS:
            message = f"this is longer than {MAX_CHARACTERS} characters"
            raise self.fail("RW0209", _at_start(lines), message, "split it into several parts")
        for line, column, text in lines:
            code = text.lstrip(" ")
            if code and code[0] != "#":
                self._line(line, column, text, len(text) - len(code))
        if self.open:
            bracket = self.open[-1]
            message = f"this '{bracket.text}' is never closed"
            raise self.fail("RW0206", bracket, message, self._where_to_close(bracket))
        last = self.tokens[-1] if self.tokens else _at_start(lines)
        at = last.line, last.end_column
        self.tokens += [Tok(DEDENT, "", *at) for _ in self.indents[1:]]
        self.tokens.append(Tok(END, "", *at))
        return self.tokens

    def _line(self, line: int, column: int, text: str, indent: int) -> None:
        if self.layout and not self.open:
            self._indentation(Tok("", text[indent], line, column + indent), indent)
        first, offset = True, indent
        while offset < len(text):
            found = _TOKEN.match(text, offset)
            kind = found.lastgroup if found is not None else None
            if found is None or kind is None or kind == "slip":
                raise self._unreadable(text, offset, line, column)
            if kind == "comment":
                break
            offset = found.end()
            if kind != "space":
                self._add(
                    Tok(kind, found.group(), line, column + found.start(), first), text[offset:]
                )
                first = False
        if self.layout and not self.open:
            self.tokens.append(Tok(NEWLINE, "", line, self.tokens[-1].end_column))

    def _indentation(self, at: Tok, indent: int) -> None:
        if at.text == "\t":
            raise self._tab(at)
        if not self.indents:
            self.indents.append(indent)
        elif indent > self.indents[-1]:
            if len(self.indents) > MAX_INDENTS:
                message = f"blocks go more than {MAX_INDENTS} levels deep"
                raise self.fail("RW0208", at, message, "move some of this into a procedure")
            self.indents.append(indent)
            self.tokens.append(Tok(INDENT, "", at.line, at.column))
        elif indent < self.indents[-1]:
            while self.indents and indent < self.indents[-1]:
                self.indents.pop()
                if self.indents:
                    # A block ends with its last line, not where the next thing begins.
                    before = self.tokens[-1]
                    self.tokens.append(Tok(DEDENT, "", before.line, before.column))
            if not self.indents or indent != self.indents[-1]:
                raise self.fail(
                    "RW0207",
                    at,
                    "this indentation fits none of the blocks above",
                    "begin the line in the same column as another line of its block",
                )

    def _add(self, token: Tok, rest: str) -> None:
        if "\t" in token.text:
            offset = token.text.index("\t")
            raise self._tab(Tok("", "\t", token.line, token.column + offset))
        if token.kind == INT and rest and (rest[0].isalpha() or rest[0] == "_"):
            large = rest[0] == "_" and rest[1:2].isdigit()
            hint = "large numbers have only digits: 1000000" if large else None
            raise self.fail("RW0203", token, "a name cannot begin with a digit", hint)
        self.tokens.append(token)
        if len(self.tokens) > MAX_TOKENS:
            message = f"this holds more than {MAX_TOKENS} words and signs"
            raise self.fail("RW0209", token, message, "split it into several parts")
        if token.kind != SIGN:
            return
        if token.text in CLOSING:
            self.open.append(token)
            if len(self.open) > MAX_BRACKETS:
                message = f"brackets go more than {MAX_BRACKETS} levels deep"
                raise self.fail("RW0208", token, message, "name a part of this with 'let'")
        elif token.text in ")]}":
            if not self.open:
                raise self.fail("RW0206", token, f"this '{token.text}' closes nothing")
            opened = self.open.pop()
            if CLOSING[opened.text] != token.text:
                message = f"'{opened.text}' must be closed with '{CLOSING[opened.text]}'"
                raise self.fail("RW0206", token, f"{message}, not with '{token.text}'", also=opened)

    def _where_to_close(self, bracket: Tok) -> str:
        """Brackets may go over several lines, but most are meant to end on their own."""
        closing = CLOSING[bracket.text]
        last = [token for token in self.tokens if token.line == bracket.line][-1]
        if last.text == ":" and last is not self.tokens[-1]:
            return f"write '{closing}' before the ':' at the end of line {bracket.line}"
        if last is self.tokens[-1]:
            return f"write '{closing}' at the end"
        return f"write '{closing}' where it ends, most likely at the end of line {bracket.line}"

    def _tab(self, at: Tok) -> BadText:
        return self.fail("RW0204", at, "there is a tab here", "use spaces, 4 for each level")

    def _unreadable(self, text: str, offset: int, line: int, column: int) -> BadText:
        char = text[offset]
        at = Tok("", char, line, column + offset)
        if char == "\t":
            return self._tab(at)
        if char in "\"'":
            rest = Tok("", text[offset:].rstrip(), line, column + offset)
            if text.startswith("''", offset):
                return self.fail("RW0205", at, "there is nothing between these quotes")
            what = "text" if char == '"' else "name"
            message = f"this {what} has no closing {char} on its line"
            return self.fail("RW0205", rest, message)
        if char == "@":
            advice = 'write @clause.id, @assumed("reason") or @stand-in("reason")'
            return self.fail("RW0203", at, "a citation must name a clause", advice)
        found = _TOKEN.match(text, offset)
        if found is not None:
            at = Tok("", found.group(), line, column + offset)
            return self.fail("RW0203", at, f"there is no '{at.text}'", _SLIPS[at.text])
        hint = _SLIPS.get(char)
        if hint is None and char.isalpha():
            hint = "names are written with the letters a to z, digits and '_'"
        return self.fail("RW0203", at, f"{quoted(char)} cannot stand here", hint)


def _at_start(lines: Sequence[Line]) -> Tok:
    line, column, _ = lines[0] if lines else (1, 1, "")
    return Tok("", "", line, column)
