"""A procedure → the function that tells whether it can be carried out (possible(…)).

It follows the procedure up to the first thing that happens: `require`s must hold, and the first mandatory
choice must have an option. From there on the procedure is taken to be possible.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BOOL
from rulewright.compiler.core.walk import statements


def derive_possible(p: C.Procedure) -> C.Function:
    body, open_end = _follow(p.body)
    if open_end:
        body.append(C.SReturn(fold.truth(True, p.span), p.span))
    if all(
        isinstance(s.value, C.Const) and s.value.value == 1
        for s in statements(body)
        if isinstance(s, C.SReturn)
    ):
        body = [C.SReturn(fold.truth(True, p.span), p.span)]
    while len(body) > 1 and isinstance(body[-2], C.SLet):
        # what is only worked out for the part that is not looked at
        last = body[-1]
        if not isinstance(last, C.SReturn) or not isinstance(last.value, C.Const):
            break
        del body[-2]
    return C.Function(f"possible_{p.name}", list(p.params), BOOL, body, p.span, p.cites, None, True)


def _always(p: C.Procedure) -> bool:
    """Whether nothing in it can make a procedure impossible."""
    first, *_ = derive_possible(p).body
    return isinstance(first, C.SReturn) and isinstance(first.value, C.Const)


def _follow(stmts: list[C.Stmt]) -> tuple[list[C.Stmt], bool]:
    """The pure part of the statements, and whether control may come to its end."""
    out: list[C.Stmt] = []
    for stmt in stmts:
        match stmt:
            case C.SLet():
                out.append(stmt)
            case C.SRequire(test, span):
                no = fold.op("not", (test,), BOOL, span)
                # where it asks whether something else is possible, what fails there says more
                fails = "" if isinstance(test, C.CanRun) else stmt.text
                false = C.SReturn(fold.truth(False, span), span, stmt.cites, fails)
                out.append(C.SIf([(no, [false])], [], span, stmt.cites))
            case C.SIf(arms, other, span):
                new_arms: list[tuple[C.Expr, list[C.Stmt]]] = []
                ends = False
                for test, body in arms:
                    inner, end = _follow(body)
                    ends = ends or end
                    new_arms.append((test, inner))
                inner, end = _follow(other)
                out.append(C.SIf(new_arms, inner, span, stmt.cites))
                if not (ends or end):
                    return out, False
            case C.SChoose(stop_if=stop_if) if not stmt.if_any and (
                stmt.otherwise is None or stop_if is not None
            ):
                fails = f"nothing can be chosen as {stmt.label}"
                test = _has_option(stmt)
                if stop_if is not None:
                    # of several so few may be enough that nothing need be chosen
                    test = fold.op("or", (stop_if, test), BOOL, stmt.span)
                out.append(C.SReturn(test, stmt.span, stmt.cites, fails))
                return out, False
            case C.SRun(procedure) if procedure is not None and _always(procedure):
                out.append(C.SReturn(fold.truth(True, stmt.span), stmt.span, stmt.cites))
                return out, False
            case C.SRun(procedure, kind, column, base, args, _, span):
                out.append(
                    C.SReturn(
                        C.CanRun(procedure, kind, column, base, args, BOOL, span), span, stmt.cites
                    )
                )
                return out, False
            case C.STell():
                pass
            case (
                C.SAssign() | C.SBreak() | C.SChoose() | C.SContinue() | C.SDraw() | C.SFor() | C.SMark() | C.SMove()
                | C.SPut() | C.SReturn() | C.SReveal() | C.SRoll() | C.SScore() | C.SShow() | C.STake() | C.SWhile()
            ):  # fmt: skip
                out.append(C.SReturn(fold.truth(True, stmt.span), stmt.span))
                return out, False
            case _:
                assert_never(stmt)
    return out, True


def _has_option(choice: C.SChoose) -> C.Expr:
    """any(x in D: all conditions), or simply that the domain is not empty."""
    test: C.Expr = fold.truth(True, choice.span)
    for condition in reversed(choice.where):
        test = fold.op("and", (condition.test, test), BOOL, choice.span)
    return C.Comp("any", choice.var, choice.domain, None, (test,), None, BOOL, choice.span)
