"""What a checking engine has beside the fast one: after each decision it looks at everything that must hold."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BoolT, IntT, KindT, OptT, SetT, Type, count_of
from rulewright.compiler.emit.emit_stmt import Statements
from rulewright.compiler.emit.emit_tables import Tables
from rulewright.compiler.emit.emit_words import NOT
from rulewright.compiler.emit.flavour import Flavour
from rulewright.compiler.emit.layout import Field, Layout, cells
from rulewright.compiler.emit.writer import Writer
from rulewright.compiler.flow.blocks import Program


@dataclass(slots=True)
class Audit:
    """The functions of a checking engine, and in words what each number that `broken` gives back stands for."""

    writers: list[Writer]
    checks: list[str]


def audit(game: C.Game, program: Program, layout: Layout, tables: Tables) -> Audit:
    """broken(s): the number of the first check that fails; checked_playout(s, x): a random game with a look after each decision."""
    body = Statements(layout, tables, program.slots, Flavour(game, False), program.aliases)
    checks: list[str] = []
    with body.out.block("def broken(s: State) -> i64:"):
        body.out.line('"""The number of a check that fails, -1 if there is none."""')

        def check(fails: str, words: str) -> None:
            with body.out.block(f"if {fails}:"):
                body.out.line(f"return {len(checks)}")
            checks.append(words)

        for invariant in game.invariants:
            check(f"not {body.cond(invariant.test, NOT)}", f"the invariant {invariant.name}")
        for var in game.state:
            fails = _outside(layout.by_state[var.name], cells(var.type)[1])
            if fails:
                check(fails, f"the range of {var.name}")
        for family in game.families:
            check(_lost(family, layout), f"the number of {family.name}")
        width = max(1, len(game.reasons))
        for who, name in enumerate(game.participants):
            points = f"sum(s.breakdown_[{who * width} : {who * width + width}])"
            check(f"{points} != s.score[{who}]", f"the points of {name} by reason")
        body.out.line("return -1")
    return Audit([body.out, _playout()], checks)


def _outside(f: Field, t: Type) -> str:
    """The condition under which a number, member or set is none of its type; nothing for lists."""
    low: int | None
    high: int | None
    match t:
        case IntT(low, high):
            pass
        case BoolT():
            low, high = 0, 1
        case KindT(_, size):
            low, high = 0, size - 1
        case OptT(base):
            low = -1 if isinstance(base, KindT) or (base.low or 0) >= 0 else base.low
            high = base.size - 1 if isinstance(base, KindT) else base.high
        case SetT(element):
            low, high = 0, (1 << (count_of(element) or 0)) - 1
        case _:
            return ""
    smallest, largest = (
        (f"s.{f.name}",) * 2 if f.shape == "int" else (f"min(s.{f.name})", f"max(s.{f.name})")
    )
    tests = [f"{smallest} < {low}"] if low is not None else []
    tests += [f"{largest} > {high if high < 1024 else hex(high)}"] if high is not None else []
    return " or ".join(tests)


def _lost(family: C.Family, layout: Layout) -> str:
    """The condition under which a piece was lost or made."""
    parts = []
    for zone in family.zones:
        f = layout.by_zone[zone.name]
        parts += [f"size(s.{f.name}{'' if f.shape == 'int' else f'[{i}]'})" for i in range(f.size)]
    if family.standing is not None:
        parts.append(f"size(s.{layout.by_piece[family.standing.name, 'alive'].name})")
    return f"{' + '.join(parts) or '0'} != {sum(map(sum, family.copies))}"


def _playout() -> Writer:
    out = Writer()
    with out.block("def checked_playout(s: State, x: i64) -> i64:"):
        out.line(
            '"""Like playout; stops at a check that fails, with minus one minus its number."""'
        )
        out.line("n: i64 = 0")
        with out.block("while True:"):
            out.line("wrong = broken(s)")
            with out.block("if wrong >= 0:"):
                out.line("return -1 - wrong")
            with out.block("if not s.pc:"):
                out.line("return n")
            out.line("x = MULTIPLIER * (x & LOW) + (x >> 32)")
            out.line("run(s, nth(s.opts, (x & LOW) * size(s.opts) >> 32))")
            out.line("n += 1")
            with out.block("if n >= MOST and s.pc:"):
                out.line("raise api.endless(GAME, s)")
    return out
