"""if, for, while and loop → typed statements: what holds inside them, and what they give away."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rulewright.compiler.check import expressions, operators, statements
from rulewright.compiler.check.fitting import item_type, mates, not_too_long
from rulewright.compiler.check.reach import check_reach
from rulewright.compiler.check.scope import LoopFacts, Scope
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import GroupsT, IntT, SetT, Type, same
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

# of checking a loop's body: each but the last hides more variables than the one before
MAX_TURNS = 5


def leaves(stmt: S.Stmt) -> bool:
    """Whether control never goes past the statement."""
    match stmt:
        case S.Return() | S.Break() | S.Continue():
            return True
        case S.If(arms, other):
            return bool(other) and all(block_leaves(b) for _, b in arms) and block_leaves(other)
        case S.While(None, body):
            return not any(breaks(s) for s in body)
        case (
            S.Assign() | S.Change() | S.Choose() | S.Deal() | S.Draw() | S.Either() | S.For() | S.Let() | S.Move()
            | S.Pass() | S.Put() | S.Require() | S.Reset() | S.Roll() | S.Run() | S.Score() | S.Show() | S.Shuffle() | S.Take()
            | S.Tell() | S.Var() | S.While()
        ):  # fmt: skip
            pass
        case _:
            assert_never(stmt)
    return False


def block_leaves(block: S.Block) -> bool:
    return any(leaves(stmt) for stmt in block)


def breaks(stmt: S.Stmt) -> bool:
    match stmt:
        case S.Break():
            return True
        case S.If(arms, other):
            return any(breaks(s) for _, b in arms for s in b) or any(breaks(s) for s in other)
        case S.Either(options=options):
            return any(breaks(s) for o in options for s in o.body)
        case (
            S.Assign() | S.Change() | S.Choose() | S.Continue() | S.Deal() | S.Draw() | S.For() | S.Let() | S.Move()
            | S.Pass() | S.Put() | S.Require() | S.Reset() | S.Return() | S.Roll() | S.Run() | S.Score() | S.Show() | S.Shuffle()
            | S.Take() | S.Tell() | S.Var() | S.While()
        ):  # fmt: skip
            pass
        case _:
            assert_never(stmt)
    return False


def check_if(sc: Scope, stmt: S.If, cites: C.Cites) -> C.Stmt:
    arms: list[tuple[C.Expr, list[C.Stmt]]] = []
    rest = sc.child()
    for test, body in stmt.arms:
        t = expressions.need_bool(rest, test)
        rest.under(t.secrecy, test.span)
        inner = rest.child()
        operators.narrow(inner, test, True)
        arms.append((t, statements.check_block(inner, body)))
        operators.narrow(rest, test, False)
    other = statements.check_block(rest.child(), stmt.other)
    return C.SIf(arms, other, stmt.span, cites)


def check_for(sc: Scope, stmt: S.For, cites: C.Cites) -> C.Stmt:
    r = sc.ruleset
    over = expressions.check_expr(sc, stmt.domain) if isinstance(stmt.domain, S.Comp) else None
    element: Type
    if over is not None and isinstance(over.type, GroupsT):
        element = SetT(over.type.element)
    else:
        over, inside = expressions.need_domain(sc, stmt.domain)
        element = item_type(over, inside)
    not_too_long(sc, over)
    _warn_of_nothing(sc, stmt.domain, over)
    if stmt.together and not same(element, r.kinds["Player"].type):
        r.error(
            "RW0705",
            over.span,
            "together goes over players",
            expected="players, e.g. together p in Player",
        )
    where: C.Expr | None = None
    local: C.Local | None = None

    def begin(inner: Scope) -> None:
        nonlocal where, local
        local = inner.declare(stmt.var, element)
        local.secrecy = over.secrecy
        mates(local, over)
        if not _shows_how_many(sc, over):
            inner.under(over.secrecy, over.span)
        if stmt.where is not None:
            where = expressions.need_bool(inner, stmt.where)
            operators.narrow(inner, stmt.where, True)
            inner.under(where.secrecy, where.span)
        if stmt.together:
            inner.together = f"v{local.number}"

    body = _loop(sc, stmt.body, begin)
    assert local is not None
    loop = C.SFor(local, over, where, body, stmt.span, cites)
    check_reach(sc, loop)
    return loop


def _warn_of_nothing(sc: Scope, written: S.Expr | S.Comp, over: C.Expr) -> None:
    """A range that ends at a number written out, below where it begins: it is empty whatever constants are."""
    ends = written.right if isinstance(written, S.Binary) and written.op == ".." else None
    if not isinstance(ends, S.Num) or not isinstance(over, C.Range):
        return
    low = over.low.type
    if isinstance(low, IntT) and low.low is not None and low.low > ends.value:
        sc.ruleset.problems.warning(
            "RW0804", over.span, f"the loop never runs: its range begins at {low.low}",
            hint="a range goes up, with the smaller number first; to go down, use sort(n in …: n)",
        )  # fmt: skip


def _shows_how_many(sc: Scope, over: C.Expr) -> bool:
    """Whether it is gone through what was chosen at once in secret: all then see how many those are, and not what."""
    if not isinstance(over, C.Use) or not over.local.steps:
        return False
    if not over.local.as_many and sc.together is not None:
        sc.ruleset.error(
            "RW0702", over.span, f"going through {quoted(over.local.name)} shows all how many were chosen, but choices made together are secret",
            hint=f"choose a known number, or keep them where only their chooser looks: kept[p] = {over.local.name}",
        )  # fmt: skip
    return True


def check_while(
    sc: Scope, test: S.Expr | None, body: S.Block, span: Span, cites: C.Cites
) -> C.Stmt:
    t: C.Expr | None = None

    def begin(inner: Scope) -> None:
        nonlocal t
        if test is not None:
            t = expressions.need_bool(inner, test)
            inner.under(t.secrecy, test.span)
            operators.narrow(inner, test, True)

    inside = _loop(sc, body, begin)
    return C.SWhile(t, inside, span, cites)


def _loop(sc: Scope, body: S.Block, begin: Callable[[Scope], None]) -> list[C.Stmt]:
    """The body of a loop, checked again while its end changes what holds at its beginning."""
    for name in assigned(body):
        known = sc.find(name)
        if known is not None:
            sc.forget(known)  # it may be none again at the next turn
    labels = dict(sc.ruleset.labels)
    facts = LoopFacts(sc.loop)
    for turn in range(MAX_TURNS):
        outer = [x for x in (sc.find(name) for name in assigned(body)) if x is not None]
        before = [x.secrecy for x in outer]
        stopped = facts.stopped
        inner = sc.child()
        facts = LoopFacts(sc.loop, None, stopped, facts.hidden_at)
        inner.loop = facts
        sc.ruleset.labels = dict(labels)
        begin(inner)
        out = statements.check_block(inner, body)
        if before == [x.secrecy for x in outer] and stopped == facts.stopped:
            return out
        if turn == MAX_TURNS - 2:
            for x in outer:
                x.secrecy = C.NOBODY
    return out


def assigned(block: S.Block) -> set[str]:
    """Names that a block assigns anywhere in it."""
    out: set[str] = set()
    stack: list[S.Stmt] = list(block)
    while stack:
        stmt = stack.pop()
        match stmt:
            case S.Assign(target) | S.Change(target=target):
                if isinstance(target, S.Ref):
                    out.add(target.name)
            case S.If(arms, other):
                stack.extend(s for _, b in arms for s in b)
                stack.extend(other)
            case S.For(body=body) | S.While(body=body):
                stack.extend(body)
            case S.Either(options=options):
                stack.extend(s for o in options for s in o.body)
            case S.Let() | S.Var() | S.Break() | S.Continue() | S.Return() | S.Run() | S.Pass():
                pass
            case S.Choose() | S.Roll() | S.Draw() | S.Deal() | S.Move() | S.Score():
                pass
            case S.Require() | S.Reset() | S.Tell() | S.Put() | S.Take() | S.Show() | S.Shuffle():
                pass
            case _:
                assert_never(stmt)
    return out
