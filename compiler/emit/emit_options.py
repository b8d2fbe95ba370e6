"""A choice → the lines that put its options together as a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, IntT, KindT, ListT, SetT, count_of, low_of
from rulewright.compiler.emit.emit_words import NOT, python_type
from rulewright.compiler.emit.layout import WORD
from rulewright.compiler.emit.set_algebra import mask_of

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_stmt import Statements

_UNROLL = 40


def start(body: Statements, domain: C.Expr, element: KindT | IntT, name: str) -> None:
    """name = the domain as a mask over the static domain."""
    low = low_of(element)
    wide = SetT(element)
    if isinstance(domain, C.Range):
        if isinstance(domain.low, C.Const) and isinstance(domain.high, C.Const):
            assert isinstance(domain.low.value, int) and isinstance(domain.high.value, int)
            n = max(0, domain.high.value - domain.low.value + 1)
            text = hex(((1 << n) - 1) << (domain.low.value - low))
        elif isinstance(domain.low, C.Const) and domain.low.value == low:
            high = body.simple(domain.high, "most")
            text = f"up_to({high})" if low == 1 else f"up_to({high} - {low - 1})"
        else:
            a, b = body.simple(domain.low, "least"), body.simple(domain.high, "most")
            text = f"up_to({b} - {low} + 1) & ~up_to({a} - {low})"
        body.assign(name, text, wide)
    elif isinstance(domain.type, ListT):
        body.assign(name, f"mask_of({body.value(domain)}, {low})", wide)
    else:
        body.assign(name, body.value(domain), wide)


def options(body: Statements, choice: C.SChoose) -> None:
    """m = the options of a choice: the domain cut down by each condition."""
    later: list[C.Expr] = []
    masks: list[str] = []
    for condition in choice.where:
        if isinstance(condition.test, C.Const) and condition.test.value:
            continue
        mask = mask_of(body, choice.var, choice.element, condition.test)
        if mask is None:
            later.append(condition.test)
        else:
            masks.append(mask[0])
    wide = SetT(choice.element)
    domain = choice.domain
    if (
        masks
        and isinstance(domain, C.Const)
        and domain.value == (1 << (count_of(choice.element) or 0)) - 1
    ):
        body.assign("m", masks.pop(0), wide)
    elif later and not masks and _write_out(body, choice, later):
        return
    else:
        start(body, domain, choice.element, "m")
    full = hex((1 << (count_of(choice.element) or 0)) - 1)
    for text in masks:
        body.out.line(f"m &= {text.removeprefix(f'{full} & ') if '|' not in text else text}")
    for test in later:
        narrow_by(body, choice, test)


def _write_out(body: Statements, choice: C.SChoose, tests: list[C.Expr]) -> bool:
    """Few members: m is put together from those that pass."""
    members = body.few(choice.domain)
    if members is None or any(_by_row(t, choice.var) for t in tests):
        return False
    low = low_of(choice.element)
    body.assign("m", "0", SetT(choice.element))
    for k in members:
        test: C.Expr = C.Const(1, BOOL)
        for t in reversed(tests):
            one = substitute(t, {choice.var.number: C.Const(k, choice.element)})
            test = fold.op("and", (one, test), BOOL, choice.span)
        if isinstance(test, C.Const):
            if test.value:
                body.out.line(f"m |= {1 << (k - low)}")
            continue
        with body.out.block(f"if {body.cond(test)}:"):
            body.out.line(f"m |= {1 << (k - low)}")
    return True


def narrow_by(body: Statements, choice: C.SChoose, test: C.Expr) -> None:
    """Test each option that is left; one by one where the test runs code of the table's rows."""
    low = low_of(choice.element)
    if (
        _by_row(test, choice.var)
        and isinstance(choice.element, KindT)
        and choice.element.size <= _UNROLL
    ):
        for k in range(choice.element.size):
            one = substitute(test, {choice.var.number: C.Const(k, choice.element)})
            one = settle(body, one)
            if isinstance(one, C.Const) and one.value:
                continue
            with body.out.block(f"if m & {1 << k}:"):
                head = f"if not {body.cond(one, NOT)}:"
                with body.out.block(head):
                    body.out.line(f"m ^= {1 << k}")
        return
    name = body.local(choice.var)
    if name not in body.annotated:
        body.annotated.add(name)
        body.out.line(f"{name}: {python_type(choice.element)}")
    over = "members(m)" if low == 0 else f"members_from(m, {low})"
    with body.out.block(f"for {name} in {over}:"):
        head = f"if not {body.cond(test, NOT)}:"
        with body.out.block(head):
            place = name if low == 0 else f"{name} - {low}"
            wide = (count_of(choice.element) or 0) + 1 > WORD
            body.out.line(f"m ^= {body.one(place, wide)}")


def settle(body: Statements, e: C.Expr) -> C.Expr:
    """possible(p(...)) where p only runs another procedure is asked of that one; what is always possible is true."""
    if isinstance(e, C.CanRun) and e.procedure is not None:
        f = body.tables.possible(e.procedure)
        if len(f.body) == 1 and isinstance(f.body[0], C.SReturn):
            value = f.body[0].value
            if isinstance(value, C.CanRun):
                return settle(
                    body,
                    substitute(value, {p.number: a for p, a in zip(f.params, e.args, strict=True)}),
                )
            if isinstance(value, C.Const):
                return value
    return e


def _by_row(e: object, var: C.Local) -> bool:
    """Whether the expression runs code of the row that var names."""
    stack: list[object] = [e]
    while stack:
        x = stack.pop()
        match x:
            case C.CanRun(base=C.Use(local)) | C.CodeCall(base=C.Use(local)) if local is var:
                return True
            case C.Op(args=args):
                stack.extend(args)
            case _:
                pass
    return False
