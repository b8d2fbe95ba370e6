"""Texts with holes, "plays {c}" → literal parts and typed expressions."""

from __future__ import annotations

from rulewright.compiler.check import expressions
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a, hidden_part
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BadT, BoolT, IntT, KindT, OptT, SetT
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.source import Span


def check_text(sc: Scope, said: S.Said, seen_by: C.Secrecy) -> C.Text:
    """`seen_by` is the one seat that reads it, None for all."""
    r = sc.ruleset
    parts: list[str | C.Expr] = []
    forms: dict[int, tuple[str, str]] = {}
    for part in said.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        here = part.span
        got = expressions.check_expr(sc, part.value)
        if not isinstance(got.type, IntT | KindT | OptT | SetT | BoolT | BadT):
            r.error(
                "RW0632",
                here,
                f"{a(got.type)} can't be put into a text",
                expected="a number, a member, a set or a truth value",
            )
        if not C.sees(seen_by, got.secrecy):
            who = "everyone" if seen_by is None else "its reader"
            r.error(
                "RW0706",
                here,
                f"the text would show {who} {hidden_part(got)}",
                hint="use reveal(…) where the rules make it known, or tell it only to the one who sees it",
            )
        if part.forms is not None:
            if not isinstance(got.type, IntT | BadT):
                r.error(
                    "RW0632", here, f"only a number is counted, and this is {a(got.type)}",
                    expected=f"a number before ': {'/'.join(part.forms)}'",
                )  # fmt: skip
            forms[len(parts)] = part.forms
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
    text = check_text(sc, say, None)
    return [C.STell(text, knows, span, others=knows is not None)]
