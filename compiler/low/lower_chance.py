"""Rolls → arithmetic on the random state, which is a field, or a local in a loop that rolls and does little else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import ListT, SetT, low_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import plus, size_of
from rulewright.compiler.text.source import Span
from rulewright.runtime import rng

if TYPE_CHECKING:
    from rulewright.compiler.low.lower_statements import Statements

WORD = T.Int(0, (1 << 63) - 1)
HALF = T.Int(0, (1 << 32) - 1)
RANDOM = L.Field("rng", WORD)
STATE = L.Local("x", WORD)
MULTIPLIER = L.Number(rng.MULTIPLIER, HALF, "MULTIPLIER")
LOW_BITS = L.Binary("&", STATE, L.Number(rng.LOW, HALF, "LOW"), HALF)
HALF_WORD = L.number(32)
CARRY = L.Binary(">>", STATE, HALF_WORD, HALF)


def rolled(body: Statements, s: C.SFor) -> bool:
    """A loop that rolls dice and does little else keeps the random state in a local."""
    if body.rolling is not None or not any(isinstance(x, C.SRoll) for x in s.body):
        return False
    if not all(isinstance(x, C.SRoll | C.SAssign | C.SLet | C.STell) for x in s.body):
        return False
    body.let(STATE, RANDOM)
    body.rolling = body.let(L.Local("low", HALF), LOW_BITS)
    body.stmt(s)
    body.rolling = None
    body.store(RANDOM, STATE)
    return True


def next_random(body: Statements) -> None:
    """x = the next random state, kept in the state."""
    if body.rolling is not None:
        body.let(STATE, next_state(body.rolling))
        body.let(body.rolling, LOW_BITS)
        return
    body.let(STATE, RANDOM)
    body.let(STATE, next_state(LOW_BITS))
    body.store(RANDOM, STATE)


def next_state(low: L.Expr = LOW_BITS) -> L.Expr:
    """The random state after x."""
    return L.Binary("+", L.Binary("*", MULTIPLIER, low, WORD), CARRY, WORD)


def below(body: Statements, n: L.Expr) -> L.Expr:
    """A number from 0 to n-1 from the random state."""
    low = LOW_BITS if body.rolling is None else body.rolling
    high = n.type.high if isinstance(n.type, T.Int) else None
    t = T.Int(0, None if high is None else high - 1)
    return L.Binary(">>", L.Binary("*", low, n, WORD), HALF_WORD, t)


def roll(body: Statements, var: C.Local, domain: C.Expr, span: Span) -> None:
    next_random(body)
    where = body.tables.place
    if isinstance(domain, C.Range):
        match domain:
            case C.Range(C.Const(int() as low), C.Const(int() as high)):
                body.define(var, plus(below(body, L.number(high - low + 1)), low))
            case _:  # others: bounds that play decides
                least = body.expr(domain.low)
                span_of = L.Binary("-", body.expr(domain.high), body.expr(domain.low), T.INT)
                sides = body.let(body.temp("sides", T.INT), plus(span_of, 1))
                too_few = L.Compare("<", sides, L.number(1))
                body.fail_if(too_few, "nothing_to_roll", where(span))
                found = below(body, sides)
                if not isinstance(least, L.Number):
                    found = L.Binary("+", found, least, T.INT)
                else:
                    found = plus(found, least.value)
                body.define(var, found)
        return
    t = domain.type
    assert isinstance(t, SetT | ListT)
    if isinstance(t, SetT) and isinstance(domain, C.Const) and isinstance(domain.value, int):
        count = domain.value.bit_count()
        if domain.value == (1 << count) - 1:
            body.define(var, plus(below(body, L.number(count)), low_of(t.element)))
            return
    some = body.simple(body.expr(domain), "items" if isinstance(t, ListT) else "some")
    body.fail_if(L.Not(some), "nothing_to_roll", where(span))
    if isinstance(t, ListT):
        place = below(body, L.Help("len", (some,), T.Int(0, None)))
        body.define(var, L.Item(some, place, T.INT))
    else:
        body.define(var, plus(nth(some, below(body, size_of(some))), low_of(t.element)))


def nth(some: L.Expr, n: L.Expr) -> L.Expr:
    """The member of a set with n smaller ones."""
    size = T.bits(some.type) - 1 if isinstance(some.type, T.Set | T.Zone) else None
    return L.Help("nth", (some, n), T.Int(0, size))
