"""Code → what it calls: the code that a call may mean, an order of callees first, and what may stop for an answer."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.walk import statements
from rulewright.compiler.text.source import Span


def code_at(column: C.KindColumn | None, base: C.Expr | None) -> list[C.Function | C.Procedure]:
    """The code of a column that may be meant: that of one row where the row is known."""
    code = [] if column is None else column.code or []
    if isinstance(base, C.Const) and isinstance(base.value, int):
        code = code[base.value : base.value + 1]
    return [c for c in code if c is not None]


def calls_of(p: C.Procedure) -> list[tuple[C.Procedure, Span]]:
    """The procedures that a procedure runs, with the places where it does."""
    out: list[tuple[C.Procedure, Span]] = []
    for s in statements(p.body):
        if isinstance(s, C.SRun):
            if s.procedure is not None:
                out.append((s.procedure, s.span))
            else:
                code = code_at(s.column, s.base)
                out.extend((c, s.span) for c in code if isinstance(c, C.Procedure))
    return out


def callees_first(procedures: list[C.Procedure]) -> list[C.Procedure]:
    """An order in which each procedure comes after those that it calls."""
    out: list[C.Procedure] = []
    seen: set[int] = set()
    for start in procedures:
        # an explicit stack: a chain of calls may be as long as the spec
        stack = [(start, [p for p, _ in calls_of(start)])] if id(start) not in seen else []
        seen.add(id(start))
        while stack:
            p, rest = stack[-1]
            if not rest:
                out.append(p)
                stack.pop()
                continue
            callee = rest.pop()
            if id(callee) not in seen:
                seen.add(id(callee))
                stack.append((callee, [q for q, _ in calls_of(callee)]))
    return out


def stopping(procedures: list[C.Procedure], chance_stops: bool) -> set[str]:
    """The procedures that may stop, by themselves or through those they run."""
    found = {p.name for p in procedures if may_stop(p.body, set(), chance_stops)}
    callers: dict[str, list[str]] = {}
    for p in procedures:
        for s in statements(p.body):
            if isinstance(s, C.SRun):
                for name in _run_by(s):
                    callers.setdefault(name, []).append(p.name)
    waiting = list(found)
    while waiting:
        new = [name for name in callers.get(waiting.pop(), ()) if name not in found]
        found.update(new)
        waiting += new
    return found


def _run_by(s: C.SRun) -> list[str]:
    """The names of the procedures that a statement may run, whichever row is meant."""
    if s.procedure is not None:
        return [s.procedure.name]
    return [c.name for c in (s.column.code if s.column else None) or () if c is not None]


def may_stop(stmts: list[C.Stmt], asking: set[str], chance_stops: bool) -> bool:
    for s in statements(stmts):
        match s:
            case C.SChoose():
                return True
            case C.SRoll() | C.SDraw() if chance_stops:
                return True
            case C.SRun() if asking and not asking.isdisjoint(_run_by(s)):
                return True
            case (
                C.SAssign() | C.SBreak() | C.SContinue() | C.SDraw() | C.SFor() | C.SIf() | C.SLet() | C.SMark()
                | C.SMove() | C.SPut() | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll() | C.SRun() | C.SScore() | C.SShow()
                | C.STake() | C.STell() | C.SWhile()
            ):  # fmt: skip
                pass
            case _:
                assert_never(s)
    return False
