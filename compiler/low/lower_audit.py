"""What a checking engine has beside the fast one: after each decision it looks at everything that must hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import added, size_of
from rulewright.compiler.low.lower_blocks import PC, BlockLowering
from rulewright.compiler.low.lower_chance import NEXT, STATE, among, nth
from rulewright.compiler.low.lower_expressions import entry
from rulewright.compiler.low.state_layout import cells, low_type


@dataclass(slots=True)
class Audit:
    """The functions of a checking engine, and in words what each number that `broken` gives back stands for."""

    functions: list[L.Function] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)


def audit(game: C.Game, lowering: BlockLowering) -> Audit:
    """broken(s): the number of the first check that fails; checked_playout(s, x): a random game with a look after each decision."""
    body = lowering.quiet_body(set())
    layout = lowering.layout
    found = Audit()

    def check(fails: L.Expr, words: str) -> None:
        with body.when(fails):
            body.give(L.number(len(found.checks)))
        found.checks.append(words)

    for invariant in game.invariants:
        with body.place(invariant.test.span):
            check(L.Not(body.test(invariant.test)), f"the invariant {invariant.name}")
    for var in game.state:
        fails = _outside(layout.by_state[var.name], low_type(cells(var.type)[1]))
        if fails is not None:
            check(fails, f"the range of {var.name}")
    for family in game.families:
        held = L.number(sum(map(sum, family.copies)))
        check(L.Compare("!=", _pieces(family, lowering), held), f"the number of {family.name}")
    width = max(1, len(game.reasons))
    breakdown = L.Field("breakdown_", T.Array(T.INT, len(game.participants) * width))
    for who, name in enumerate(game.participants):
        points: L.Expr = L.number(0)
        for place in range(who * width, who * width + width):
            points = added(points, entry(breakdown, L.number(place)))
        score = entry(layout.by_state["score"], L.number(who))
        check(L.Compare("!=", points, score), f"the points of {name} by reason")
    body.give(L.number(-1))
    words = "The number of a check that fails, -1 if there is none."
    found.functions = [
        L.Function("broken", (), T.INT, words, tuple(body.statements)),
        _playout(game, lowering),
    ]
    return found


def _outside(f: L.Field, t: T.Type) -> L.Expr | None:
    """The condition under which a number, member or set is none of its type; nothing for lists."""
    match t:
        case T.Int(low, high):
            pass
        case T.Bool():
            low, high = 0, 1
        case T.Set(size):
            low, high = 0, (1 << size) - 1
        case T.Array() | T.Items() | T.Rows() | T.Text() | T.Zone():
            return None
        case _:
            assert_never(t)
    smallest: L.Expr = f
    largest: L.Expr = f
    if isinstance(f.type, T.Array):
        smallest, largest = L.Help("min", (f,), T.INT), L.Help("max", (f,), T.INT)
    tests: list[L.Expr] = []
    if low is not None:
        tests.append(L.Compare("<", smallest, L.number(low)))
    if high is not None:
        tests.append(L.Compare(">", largest, L.number(high)))
    if len(tests) == 2:
        return L.Logic("or", tests[0], tests[1])
    return tests[0] if tests else None


def _pieces(family: C.Family, lowering: BlockLowering) -> L.Expr:
    """How many pieces of a family there are in all."""
    total: L.Expr = L.number(0)
    for zone in family.zones:
        f = lowering.layout.by_zone[zone.name]
        if isinstance(f.type, T.Array):
            for i in range(f.type.length):
                total = added(total, size_of(entry(f, L.number(i))))
        else:
            total = added(total, size_of(f))
    if family.standing is not None:
        total = added(total, size_of(lowering.layout.by_piece[family.standing.name, "alive"]))
    return total


def _playout(game: C.Game, lowering: BlockLowering) -> L.Function:
    n = L.Local("n", T.Int(0, None))
    most = L.Number(game.most_decisions, T.INT, "MOST")
    wrong = L.Local("wrong", T.INT)
    failed = L.Binary("-", L.number(-1), wrong, T.INT)
    pick = nth(lowering.opts, among(size_of(lowering.opts)))
    step = (
        L.Let(wrong, L.Call("broken", (), T.INT)),
        L.If(L.Compare(">=", wrong, L.number(0)), (L.Return(failed),)),
        L.If(L.Not(PC), (L.Return(n),)),
        L.Let(STATE, NEXT),
        L.Do(L.Call("run", (pick,), T.INT)),
        L.Store(n, L.number(1), "+"),
        L.If(L.Logic("and", L.Compare(">=", n, most), PC), (L.Raise("endless", ()),)),
    )
    words = "Like playout; stops at a check that fails, with minus one minus its number."
    body = (L.Let(n, L.number(0)), L.Loop(step))
    return L.Function("checked_playout", (STATE,), T.INT, words, body)
