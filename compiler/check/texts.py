"""Texts with holes, "plays {c}" → literal parts and typed expressions."""

from __future__ import annotations

import re

from rulewright.compiler.check import expressions
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.wording import a, hidden_part
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BadT, BoolT, IntT, KindT, OptT, SetT
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.parse import parse_cell
from rulewright.compiler.text.diagnostics import Problems, quoted
from rulewright.compiler.text.source import Span

# {n: word/words}: a number with its word, for one and for any other number
_FORMS = re.compile(r"(.*):\s*([A-Za-z][A-Za-z ]*)/([A-Za-z][A-Za-z ]*)")


def check_text(sc: Scope, text: str, span: Span, seen_by: C.Secrecy) -> C.Text:
    """`span` is that of the text with its quotes, `seen_by` the one seat that reads it, None for all."""
    r = sc.ruleset
    parts: list[str | C.Expr] = []
    forms: dict[int, tuple[str, str]] = {}
    at = 0
    while at < len(text):
        opened = text.find("{", at)
        if opened != at:
            parts.append(text[at:] if opened < 0 else text[at:opened])
        if opened < 0:
            break
        closed = text.find("}", opened)
        if closed < 0:
            r.error(
                "RW0630",
                _inside(span, opened, opened + 1),
                "this '{' is not closed",
                hint="write {name} for a value",
            )
            break
        hole, here = text[opened + 1 : closed], _inside(span, opened, closed + 1)
        at = closed + 1
        counted = _FORMS.fullmatch(hole)
        if counted is not None:
            hole = counted[1]
        start = (span.line, span.column + 2 + opened, hole)
        tree = parse_cell("expression", [start], span.file, Problems())
        if tree is None:
            r.error(
                "RW0631",
                here,
                (
                    f"{quoted(hole)} is not an expression"
                    if hole.strip()
                    else "nothing stands between '{' and '}'"
                ),
                expected="{name}, or another value in braces",
            )
            continue
        got = expressions.check_expr(sc, tree)
        if not isinstance(got.type, IntT | KindT | OptT | SetT | BoolT | BadT):
            r.error(
                "RW0632",
                here,
                f"{a(got.type)} can't be put into a text",
                expected="a number, a member, a set or a truth value",
            )
        if got.secrecy is not None and (got.secrecy != seen_by or seen_by == C.NOBODY):
            who = "everyone" if seen_by is None else "its reader"
            r.error(
                "RW0706",
                here,
                f"the text would show {who} {hidden_part(got)}",
                hint="use reveal(…) where the rules make it known, or tell it only to the one who sees it",
            )
        if counted is not None:
            if not isinstance(got.type, IntT | BadT):
                r.error(
                    "RW0632", here, f"only a number is counted, and this is {a(got.type)}",
                    expected=f"a number before ': {counted[2]}/{counted[3]}'",
                )  # fmt: skip
            forms[len(parts)] = (counted[2], counted[3])
        parts.append(got)
    return C.Text(parts, forms)


def chance_told(
    sc: Scope, say: S.Said | None, span: Span, knows: C.Expr | None = None
) -> list[C.Stmt]:
    """The line that chance tells in words of its own; an empty text tells nothing.

    `knows` is who sees the piece and is told which it is; the others hear the line.
    """
    if say is None or not say.text:
        return []
    text = check_text(sc, say.text, say.span, None)
    return [C.STell(text, knows, span, others=knows is not None)]


def _inside(span: Span, start: int, end: int) -> Span:
    """The part of a text from one character to another."""
    first = span.column + 1
    return Span(span.file, span.line, first + start, span.line, first + end)
