"""Rolls → arithmetic on the random state, which is a field, or a local in a loop that rolls one die after another.

x = state.rng
low = 0
for i in 1 ..< 10:
    if ((i - 1) % 4) == 0:               one random number is good for several dice: see core/shared_numbers.py
        x = ((MULTIPLIER * (x & LOW)) + (x >> 30))
        low = (x & LOW)
    part = (low * 6)
    d = ((part >> 30) + 1)
    low = (part & LOW)
    …
state.rng = x
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.shared_numbers import shared_numbers
from rulewright.compiler.core.types import ListT, SetT, low_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import plus, size_of
from rulewright.compiler.text.source import Span
from rulewright.runtime import rng

if TYPE_CHECKING:
    from rulewright.compiler.low.lower_statements import Statements

WORD = T.Int(0, (1 << 63) - 1)
HALF = T.Int(0, rng.LOW)
RANDOM = L.Field("rng", WORD)
STATE = L.Local("x", WORD)
LEFT = L.Local("low", HALF)
MULTIPLIER = L.Number(rng.MULTIPLIER, HALF, "MULTIPLIER")
LOW = L.Number(rng.LOW, HALF, "LOW")
DIGIT = L.number(rng.BITS)
LOW_BITS = L.Binary("&", STATE, LOW, HALF)
# the random state after x
NEXT = L.Binary(
    "+", L.Binary("*", MULTIPLIER, LOW_BITS, WORD), L.Binary(">>", STATE, DIGIT, HALF), WORD
)


def rolled(body: Statements, s: C.SFor) -> bool:
    """A loop that rolls one die after another keeps the random state, and what is left of a number, in locals."""
    found = shared_numbers(s)
    if found is None or body.rolling is not None:
        return False
    body.let(STATE, RANDOM)
    body.let(LEFT, L.number(0, HALF))
    body.rolling = found
    body.for_(s)
    body.rolling = None
    body.store(RANDOM, STATE)
    return True


def next_random(body: Statements) -> None:
    """x = the next random state, kept in the state; or, of dice in a row, where the last number is used up."""
    if body.rolling is not None:
        with body.when(L.Compare("==", body.expr(body.rolling.digit), L.number(0))):
            body.let(STATE, NEXT)
            body.let(LEFT, LOW_BITS)
        return
    body.let(STATE, RANDOM)
    body.let(STATE, NEXT)
    body.store(RANDOM, STATE)


def below(body: Statements, n: L.Expr) -> L.Expr:
    """A number from 0 to n-1 from the random state."""
    high = n.type.high if isinstance(n.type, T.Int) else None
    t = T.Int(0, None if high is None else high - 1)
    if body.rolling is None:
        return L.Binary(">>", L.Binary("*", LOW_BITS, n, WORD), DIGIT, t)
    part = body.let(body.temp("part", WORD), L.Binary("*", LEFT, n, WORD))
    body.let(LEFT, L.Binary("&", part, LOW, HALF))
    return L.Binary(">>", part, DIGIT, t)


def among(n: L.Expr) -> L.Expr:
    """Which of so many options, for who plays at random."""
    return L.Binary("%", LOW_BITS, n, T.Int(0, None))


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
