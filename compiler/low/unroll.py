"""Loops and operations over a few known members → the same written out, member by member.

any(p in Player: coins[p] > 3)                    →   coins[0] > 3 or coins[1] > 3
for p in Player: coins[p] = 0                     →   coins = [0, 0]
for k in 1 .. 2: score k to p for points         →   score 1 to p for points; score 2 to p for points
any(x in 1 .. n: true)                           →   1 <= n
"""

from __future__ import annotations

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName
from rulewright.compiler.core.substitute import substitute, substitute_stmts
from rulewright.compiler.core.types import BOOL, IntT, ListT, MapT, count_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import Body
from rulewright.compiler.low.measure import few_of, weight

MAX_WEIGHT = 160  # of what an operation becomes
MAX_STATEMENTS = 12  # of what a loop becomes
_JOINS: dict[str, OpName] = {"any": "or", "all": "and", "sum": "+", "count": "+", "union": "union"}


def few(body: Body, domain: C.Expr) -> list[int] | None:
    """The members of a domain that is known and small, where loops are written out at all."""
    return few_of(domain) if body.inline else None


def unrolled(body: Body, e: C.Comp) -> C.Expr | None:
    """any, all, count, sum and union over a few known members, written out."""
    short = _some(e) if body.inline else None
    if short is not None:
        return short
    members = few(body, e.domain)
    if members is None or e.op not in _JOINS:
        return None
    if weight(e) * len(members) > MAX_WEIGHT:
        return None
    parts = [_part(e, k) for k in members]
    result: C.Expr = parts[0] if parts else _nothing(e)
    for more in parts[1:]:
        result = fold.op(_JOINS[e.op], (result, more), e.type, e.span)
    return result


def _nothing(e: C.Comp) -> C.Const:
    """What no member at all gives."""
    match e.op:
        case "any" | "all":
            return C.Const(int(e.op == "all"), BOOL)
        case "union":
            return C.Const(0, e.type)
        case _:
            return C.Const(0, IntT(0, 0))


def _part(e: C.Comp, k: int) -> C.Expr:
    """What one member gives."""
    env: dict[int, C.Expr] = {e.var.number: C.Const(k, e.var.type)}
    part: C.Expr = substitute(e.body[0], env) if e.body else C.Const(1, BOOL)
    nothing = _nothing(e)
    if e.where is not None:
        where = substitute(e.where, env)
        match e.op:
            case "sum" | "union":
                return fold.op("if", (where, part, nothing), e.type, e.span)
            case "all":
                return fold.op("or", (fold.op("not", (where,), BOOL, e.span), part), BOOL, e.span)
            case _:
                part = fold.op("and", (where, part), BOOL, e.span)
    if e.op == "count":
        return fold.op("if", (part, C.Const(1, IntT(1, 1)), nothing), e.type, e.span)
    return part


def _some(e: C.Comp) -> C.Expr | None:
    """Whether a range holds anything at all, without a look at its members."""
    if e.op != "any" or e.where is not None or not isinstance(e.domain, C.Range):
        return None
    if e.body and not (isinstance(e.body[0], C.Const) and e.body[0].value):
        return None
    return fold.op("<=", (e.domain.low, e.domain.high), BOOL, e.span)


# ---------------------------------------------------------------- loops


def _short(s: C.Stmt) -> bool:
    return isinstance(s, C.SAssign | C.SScore | C.SLet) or (
        isinstance(s, C.SIf)
        and len(s.arms) == 1
        and not s.other
        and all(_short(x) for x in s.arms[0][1])
    )


def written_out(body: Body, s: C.SFor) -> bool:
    """A loop over a few known members with a short plain body, member by member."""
    members = few(body, s.domain)
    if members is None or body.slot(s.var) is not None or not all(map(_short, s.body)):
        return False
    if len(s.body) * len(members) > MAX_STATEMENTS:
        return False
    if _fill(body, s, members):
        return True
    for k in members:
        env: dict[int, C.Expr] = {s.var.number: C.Const(k, s.var.type)}
        where = None if s.where is None else substitute(s.where, env)
        if isinstance(where, C.Const):
            if not where.value:
                continue
            where = None
        inner = substitute_stmts(s.body, env)
        if where is None:
            body.stmts(inner)
        else:
            with body.when(body.test(where)):
                body.stmts(inner)
    return True


def _fill(body: Body, s: C.SFor, members: list[int]) -> bool:
    """All entries of a map get one known value: a new array."""
    only = s.body[0] if len(s.body) == 1 and s.where is None else None
    if not isinstance(only, C.SAssign) or only.op or not isinstance(only.target, C.Read):
        return False
    t = only.target.var.type
    if not isinstance(t, MapT) or isinstance(t.value, MapT | ListT):
        return False
    key, value = only.target.keys[0], only.value
    if not isinstance(key, C.Use) or key.local is not s.var or not isinstance(value, C.Const):
        return False
    if count_of(t.key) != len(members):
        return False
    f = body.layout.by_state[only.target.var.name]
    assert isinstance(value.value, int) and isinstance(f.type, T.Array)
    same = (value.value,) * len(members)
    wish = f"ALL_{value.value}".replace("-", "MINUS_")
    table = body.tables.add(wish, same, f.type)
    body.store(f, L.Help("copy", (table,), f.type))
    return True
