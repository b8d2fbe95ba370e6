"""Checked code → how much work it may be between two decisions; what could never end in time is a problem.

Only what is written down counts: loops over domains of known size, and calls. Loops that ask for more turns
(`while`, ranges without a known end) are counted when they run.
"""

from __future__ import annotations

from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import callees_first, code_at, may_stop, stopping
from rulewright.compiler.core.loop_bounds import length
from rulewright.compiler.core.walk import children
from rulewright.compiler.text.diagnostics import quoted

MAX_WORK = 4 * 10**9  # far more than any game needs, few enough to end
MAX_CALLED = 3 * 10**6  # where each loop turns once
_UNKNOWN = 4  # turns of a loop of which nothing is known
_ENOUGH = 10**30  # beyond this numbers need not be exact

Code = C.Function | C.Procedure


class Work:
    """Steps of each function and procedure at most; callees are looked up, not followed: chains may be long."""

    def __init__(self, asking: set[str], stops: dict[int, bool], loops: bool) -> None:
        self.known: dict[int, int] = {}
        self.asking = asking
        self.stops = stops  # of each statement by its id: whether it may ask
        self.loops = loops
        # of each loop's variable by its number: how many loops around it it comes after
        self.places: dict[int, int] = {}

    def of(self, code: Code) -> int:
        return self.known.get(id(code), 1)

    def block(self, stmts: list[C.Stmt]) -> int:
        """What asks gives way to others in between: only the longest of those counts."""
        asking, plain = 0, 0
        for s in stmts:
            stops = self.stops.get(id(s))
            if stops is None:
                stops = self.stops[id(s)] = may_stop([s], self.asking, False)
            if stops:
                asking = max(asking, self.stmt(s))
            else:
                plain += self.stmt(s)
        return asking + plain

    def stmt(self, s: C.Stmt) -> int:
        match s:
            case C.SIf(arms, other):
                tests = sum(self.expr(test) for test, _ in arms)
                return tests + max([self.block(b) for _, b in arms] + [self.block(other)])
            case C.SFor(_, domain, where, body):
                each = self.expr(where) + self.block(body)
                asks = may_stop(body, self.asking, False)
                return self.expr(domain) + (each if asks else self.times(domain, each))
            case C.SWhile(test, body):
                each = self.expr(test) + self.block(body)
                again = self.loops and not may_stop(body, self.asking, False)
                return _UNKNOWN * each if again else each
            case C.SRun(procedure, _, column, base, args):
                code = [procedure] if procedure is not None else code_at(column, base)
                called = max((self.of(c) for c in code if c is not None), default=0)
                return self.expr(base) + sum(self.expr(x) for x in args) + called
            case C.SChoose():
                options = sum(self.expr(c.test) for c in s.where)
                return self.expr(s.domain) + self.times(s.domain, options)
            case C.SLet(value=value) | C.SAssign(value=value) | C.SReturn(value=value):
                return 1 + self.expr(value)
            case C.SRequire(test=needed):
                return 1 + self.expr(needed)
            case C.SScore(amount=amount):
                return 1 + self.expr(amount)
            case (
                C.SBreak() | C.SContinue() | C.SRoll() | C.SDraw() | C.SMove() | C.STell() | C.SPut() | C.STake()
                | C.SShow() | C.SReveal() | C.SMark()
            ):  # fmt: skip
                pass
        return 1

    def expr(self, e: C.Expr | None) -> int:
        match e:
            case None | C.Const() | C.Use():
                return 1
            case C.Comp(var=var, domain=domain, where=where, body=body, default=default):
                before = self.place(var, where)
                each = sum(self.expr(x) for x in body)
                tests = self.times(domain, self.expr(where))
                return (
                    self.expr(domain)
                    + self.expr(default)
                    + tests
                    + self.times(domain, each, before)
                )
            case _:  # others: what they call, and their parts, is counted below
                pass
        called = 0
        match e:
            case C.Call(function):
                called = self.of(function)
            case C.CodeCall(column=column, base=base):
                called = max((self.of(c) for c in code_at(column, base)), default=0)
            case C.CanRun(procedure, _, in_column, of_row):
                code = [procedure] if procedure is not None else code_at(in_column, of_row)
                called = max((self.of(c) for c in code if c is not None), default=0)
            case (
                C.Read() | C.ZoneUse() | C.Column() | C.PieceRead() | C.Op() | C.Range() | C.Reveal()
            ):  # fmt: skip
                pass
        return min(_ENOUGH, 1 + called + sum(self.expr(x) for x in children(e)))

    def place(self, var: C.Local, where: C.Expr | None) -> int:
        """How many loops around this one it comes after: where each goes on from where that around it stands."""
        match where:
            case C.Op("and", tests):
                found = max(self.place(var, test) for test in tests)
            case C.Op(">" | ">=", (C.Use(now), C.Use(other))) if now is var:
                found = self.places.get(other.number, 0) + 1
            case _:  # others: they tell nothing of how often
                found = 0
        self.places[var.number] = found
        return found

    def times(self, domain: C.Expr, each: int, before: int = 0) -> int:
        """So many turns of what one takes; all turns of three loops in order are those of one, by half, by a third."""
        if not self.loops:
            return each
        n = length(domain)
        turns = max(1, int(n if n < _ENOUGH else _UNKNOWN))
        return min(_ENOUGH, -(-(turns + before) // (before + 1)) * each)


def measure(r: Ruleset, asking: set[str], stops: dict[int, bool], loops: bool) -> Work:
    work = Work(asking, stops, loops)
    # functions were finished callees first; what possible(…) asks about is known the second time
    codes: list[Code] = [*r.all_functions, *callees_first(r.all_procedures)]
    for code in (*codes, *codes):
        work.known[id(code)] = min(_ENOUGH, work.block(code.body))
    return work


def check_work(r: Ruleset) -> None:
    """Call it when nothing recurses."""
    # most loops are shorter than they might be, so they are given far more room than calls alone
    asking, stops = stopping(r.all_procedures, False), dict[int, bool]()
    # counting the turns of loops never makes it less
    in_all = measure(r, asking, stops, True)
    if all(steps <= MAX_CALLED for steps in in_all.known.values()):
        return
    for work, most in ((measure(r, asking, stops, False), MAX_CALLED), (in_all, MAX_WORK)):
        for code in r.all_code():
            if work.of(code) > most:
                r.error(
                    "RW0835", code.span, f"{quoted(code.name)} may take more than {most:,} steps",
                    hint="loops over loops, and calls of what calls others more than once, multiply",
                )  # fmt: skip
                return
