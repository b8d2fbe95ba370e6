"""Texts with holes, "plays {c}" → literal parts and typed expressions."""

from __future__ import annotations

from rulewright.compiler import core as C
from rulewright.compiler.check_scope import Scope
from rulewright.compiler.diagnostics import Problems
from rulewright.compiler.parse import parse_cell
from rulewright.compiler.source import Span
from rulewright.compiler.types import BadT, BoolT, IntT, KindT, OptT, SetT, show


def check_text(sc: Scope, text: str, span: Span, seen_by: C.Secrecy) -> C.Text:
    """`seen_by` is the one seat that reads it, None for all."""
    from rulewright.compiler.check_expr import check_expr

    parts: list[str | C.Expr] = []
    rest = text
    while rest:
        before, brace, after = rest.partition("{")
        if before:
            parts.append(before)
        if not brace:
            break
        hole, close, rest = after.partition("}")
        if not close:
            sc.ruleset.error("RW0630", span, "a '{' in this text is not closed", hint="write {name} for a value")
            break
        tree = parse_cell("expression", [(span.line, span.column, hole)], span.file, Problems())
        if tree is None:
            sc.ruleset.error("RW0631", span, f"the text has {{{hole}}}, which is not an expression")
            continue
        got = check_expr(sc, tree)  # type: ignore[arg-type]
        if not isinstance(got.type, IntT | KindT | OptT | SetT | BoolT | BadT):
            sc.ruleset.error("RW0632", span, f"{show(got.type)} can't be put into a text")
        if got.secrecy is not None and got.secrecy != seen_by:
            sc.ruleset.error("RW0706", span, f"the text would show {{{hole}}}, which is hidden")
        parts.append(got)
    return C.Text(parts)
