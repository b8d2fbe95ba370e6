"""A loop over numbers known before play → what it surely comes to: values, places and arguments outside their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, assert_never

from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import wanted
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT, ListT, Type


def check_reach(sc: Scope, loop: C.SFor) -> None:
    """Only what each turn surely does: up to the first statement that may cut the loop short."""
    domain = loop.domain
    if loop.where is not None or not isinstance(domain, C.Range):
        return
    low, high = domain.low, domain.high
    if not isinstance(low, C.Const) or not isinstance(high, C.Const):
        return
    if not isinstance(low.value, int) or not isinstance(high.value, int) or low.value > high.value:
        return
    ends = low.value, high.value
    for s in loop.body:
        if _may_leave(s):
            return
        match s:
            case C.SAssign(target, "", value):
                _into(sc, value, target.type, loop.var, ends)
            case C.SLet(local, value):
                if local is loop.var:
                    return
                _into(sc, value, local.type, loop.var, ends)
            case C.SRun(procedure, args=args) if procedure is not None:
                for arg, param in zip(args, procedure.params, strict=False):
                    _into(sc, arg, param.type, loop.var, ends)
            case _:  # others: what they say of places is looked at below
                pass
        for place in _places(s):
            _at(sc, place, loop.var, ends)


def _may_leave(s: C.Stmt) -> bool:
    match s:
        case C.SBreak() | C.SContinue() | C.SReturn():
            return True
        case C.SIf(arms, other):
            return any(_may_leave(x) for _, body in arms for x in body) or any(
                _may_leave(x) for x in other
            )
        case C.SFor(body=body) | C.SWhile(body=body):
            # what leaves the inner loop alone does no harm, but that is not worth telling apart
            return any(_may_leave(x) for x in body)
        case (
            C.SAssign() | C.SChoose() | C.SDraw() | C.SLet() | C.SMark() | C.SMove() | C.SPut() | C.SRequire()
            | C.SReveal() | C.SRoll() | C.SRun() | C.SScore() | C.SShow() | C.STake() | C.STell()
        ):  # fmt: skip
            pass
        case _:
            assert_never(s)
    return False


def _ends(e: C.Expr, var: C.Local, ends: tuple[int, int]) -> tuple[int, int] | None:
    """The smallest and the greatest value that an expression comes to, where it hangs on the loop alone."""
    match e:
        case C.Use(local) if local is var:
            return ends
        case C.Const(int() as number, IntT()):
            return number, number
        case C.Op("+" | "-" | "*" as op, (left, right)):
            x, y = _ends(left, var, ends), _ends(right, var, ends)
            # two sides that both hang on the loop need not be greatest together
            if x is None or y is None or (x[0] != x[1] and y[0] != y[1]):
                return None
            sums = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
            found = [sums[op](a, b) for a in x for b in y]
            return min(found), max(found)
        case _:  # others: how far they go is not followed
            pass
    return None


def _into(sc: Scope, value: C.Expr, want: Type, var: C.Local, ends: tuple[int, int]) -> None:
    if not isinstance(want, IntT) or isinstance(value, C.Const):
        return
    found = _ends(value, var, ends)
    if found is None:
        return
    for number, beyond in ((found[1], want.high), (found[0], want.low)):
        above = beyond is not None and (number > beyond if beyond == want.high else number < beyond)
        if above:
            sc.ruleset.error(
                "RW0613", value.span, f"this comes to {number} in the loop", expected=wanted(want)
            )
            return


def _at(sc: Scope, e: C.Op, var: C.Local, ends: tuple[int, int]) -> None:
    base, place = e.args
    found = _ends(place, var, ends)
    if found is None or not isinstance(base, C.Const) or not isinstance(base.value, tuple):
        return
    assert isinstance(base.type, ListT)
    length = len(base.value)
    number = found[1] if found[1] > length else found[0]
    if not 1 <= number <= length:
        entries = f"{length} entr{'y' if length == 1 else 'ies'}"
        sc.ruleset.error(
            "RW0613", place.span, f"this comes to {number} in the loop, but the list has {entries}",
            expected=f"from 1 to {length}", hint="give the list more entries, or let the loop end sooner",
        )  # fmt: skip


def _places(part: Any) -> Iterator[C.Op]:
    """Places of lists that a statement surely looks at: not those under a condition."""
    match part:
        case C.SIf() | C.SFor() | C.SWhile() | C.SChoose() | C.Comp() | C.Call():
            return
        case C.Op("and" | "or" | "if"):
            return
        case C.Op("at", args):
            yield part
            for arg in args:
                yield from _places(arg)
        case tuple() | list():
            for item in part:
                yield from _places(item)
        case C.SAssign() | C.SLet() | C.SScore() | C.SRun() | C.Op() | C.SMove():
            for field in fields(part):
                value = getattr(part, field.name)
                if isinstance(value, tuple | list) or is_dataclass(value):
                    yield from _places(value)
        case _:
            pass
