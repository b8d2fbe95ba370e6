"""Texts with holes, "plays {c}" → their parts in the syntax tree."""

from __future__ import annotations

import re

from rulewright.compiler.rules import syntax as s
from rulewright.compiler.rules.build_expressions import ExpressionBuilder
from rulewright.compiler.rules.tokenise import Tok
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

# {n: word/words}: a number with its word, for one and for any other number
_FORMS = re.compile(r"(.*):\s*([A-Za-z][A-Za-z ]*)/([A-Za-z][A-Za-z ]*)")


class TextBuilder(ExpressionBuilder):
    """Builds texts; what is wrong is reported and left out."""

    def text(self, token: Tok) -> s.Said:
        """The text of a token, which has its quotes."""
        text, span = token.text[1:-1], self.span(token)
        parts: list[str | s.Hole] = []
        at = 0
        while at < len(text):
            opened = text.find("{", at)
            if opened != at:
                parts.append(text[at:] if opened < 0 else text[at:opened])
            if opened < 0:
                break
            closed = text.find("}", opened)
            if closed < 0:
                self.problems.error(
                    "RW0630",
                    _inside(span, opened, opened + 1),
                    "this '{' is not closed",
                    hint="write {name} for a value",
                )
                break
            at = closed + 1
            hole = self._hole(text[opened + 1 : closed], _inside(span, opened, closed + 1))
            if hole is not None:
                parts.append(hole)
        return s.Said(text, span, tuple(parts))

    def _hole(self, text: str, here: Span) -> s.Hole | None:
        counted = _FORMS.fullmatch(text)
        inside = text if counted is None else counted[1]
        value = self.parse_hole((here.line, here.column + 1, inside), self.file)
        if value is None:
            self.problems.error(
                "RW0631",
                here,
                (
                    f"{quoted(inside)} is not an expression"
                    if inside.strip()
                    else "nothing stands between '{' and '}'"
                ),
                expected="{name}, or another value in braces",
            )
            return None
        return s.Hole(value, None if counted is None else (counted[2], counted[3]), here)


def _inside(span: Span, start: int, end: int) -> Span:
    """The part of a text from one character to another."""
    first = span.column + 1
    return Span(span.file, span.line, first + start, span.line, first + end)
