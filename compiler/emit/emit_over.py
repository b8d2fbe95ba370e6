"""Operations over domains → Python loops, written before the expression that uses their result."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.may_fail import may_fail
from rulewright.compiler.core.operation_names import OpName
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, BoolT, GroupsT, IntT, ListT, SetT, count_of, low_of
from rulewright.compiler.emit.emit_words import (
    ATOM,
    BIT_AND,
    COMPARE,
    NOT,
    SUM,
    bits_of,
    python_type,
    weight,
)
from rulewright.compiler.emit.layout import is_wide
from rulewright.compiler.emit.shorten import some

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_expr import Body

UNROLL = 8


def unrolled(body: Body, e: C.Comp) -> C.Expr | None:
    """any, all, count and sum over a few known members, written out."""
    short = some(e) if body.inline else None
    if short is not None:
        return short
    members = body.few(e.domain)
    if (
        members is None
        or e.op not in ("any", "all", "sum", "count")
        or weight(e) * len(members) > 160
    ):
        return None
    element = e.var.type
    parts: list[C.Expr] = []
    for k in members:
        env: dict[int, C.Expr] = {e.var.number: C.Const(k, element)}
        where = None if e.where is None else substitute(e.where, env)
        part: C.Expr = substitute(e.body[0], env) if e.body else C.Const(1, BOOL)
        if where is not None:
            if e.op in ("sum", "count"):
                if e.op == "sum":
                    part = fold.op("if", (where, part, C.Const(0, IntT(0, 0))), e.type, e.span)
                else:
                    part = fold.op("and", (where, part), BOOL, e.span)
            elif e.op == "any":
                part = fold.op("and", (where, part), BOOL, e.span)
            else:
                part = fold.op("or", (fold.op("not", (where,), BOOL, e.span), part), BOOL, e.span)
        if e.op == "count":
            part = fold.op(
                "if", (part, C.Const(1, IntT(1, 1)), C.Const(0, IntT(0, 0))), e.type, e.span
            )
        parts.append(part)
    joins: dict[str, OpName] = {"any": "or", "all": "and", "sum": "+", "count": "+"}
    joined = joins[e.op]
    first = {"any": C.Const(0, BOOL), "all": C.Const(1, BOOL)}.get(e.op, C.Const(0, IntT(0, 0)))
    result: C.Expr = parts[0] if parts else first
    for more in parts[1:]:
        result = fold.op(joined, (result, more), e.type, e.span)
    return result


def few(body: Body, domain: C.Expr) -> list[int] | None:
    """The members of a domain that is known and small."""
    if not body.inline:
        return None
    if (
        isinstance(domain, C.Const)
        and isinstance(domain.type, SetT)
        and isinstance(domain.value, int)
    ):
        members = bits_of(domain.value, low_of(domain.type.element))
    elif (
        isinstance(domain, C.Range)
        and isinstance(domain.low, C.Const)
        and isinstance(domain.high, C.Const)
    ):
        assert isinstance(domain.low.value, int) and isinstance(domain.high.value, int)
        if domain.high.value - domain.low.value > UNROLL:
            return None
        members = list(range(domain.low.value, domain.high.value + 1))
    else:
        return None
    return members if len(members) <= UNROLL else None


# ------------------------------------------------------------ over domains


def loop(body: Body, var: C.Local, domain: C.Expr) -> str:
    """The head of a loop over a domain; for sets that are worked out, the members are listed first."""
    name = _loop_name(body, var)
    if isinstance(domain, C.Range):
        return f"for {name} in range({body.value(domain.low)}, {body.at(domain.high, SUM)} + 1):"
    t = domain.type
    if isinstance(t, ListT | GroupsT):
        return f"for {name} in {body.value(domain)}:"
    assert isinstance(t, SetT)
    if isinstance(domain, C.Const) and isinstance(domain.value, int):
        items = bits_of(domain.value, low_of(t.element))
        if items and items == list(range(items[0], items[0] + len(items))):
            start = "" if items[0] == 0 else f"{items[0]}, "
            return f"for {name} in range({start}{items[-1] + 1}):"
        return f"for {name} in {body.tables.constant_list(tuple(items))}:"
    listed = body.tables.listed(body, domain)
    if listed is not None:
        return f"for {name} in {listed}:"
    low = low_of(t.element)
    members = f"members({body.value(domain)})"
    return (
        f"for {name} in {members}:"
        if low == 0
        else f"for {name} in members_from({body.value(domain)}, {low}):"
    )


def loop_over(body: Body, var: C.Local, items: str) -> str:
    """The head of a loop over a list that is there."""
    return f"for {_loop_name(body, var)} in {items}:"


def _loop_name(body: Body, var: C.Local) -> str:
    name = body.local(var)
    if name not in body.annotated:
        body.annotated.add(name)
        body.out.line(f"{name}: {python_type(var.type)}")
    return name


def comp(body: Body, e: C.Comp) -> tuple[str, int]:
    mask = mask_of_comp(body, e)
    if mask is not None:
        text, level = mask
        return (
            mask if e.op == "set" else (f"{text if level > COMPARE else f'({text})'} != 0", COMPARE)
        )
    short = body.unrolled(e)
    if short is not None:
        return body.expr(short)
    if e.op in ("best", "sort", "groups"):
        return body.ordered(e)
    wish = {
        "any": "found",
        "all": "holds",
        "count": "number",
        "sum": "total",
        "set": "those",
    }.get(e.op, e.op + "_")
    name = body.temp(wish)
    first = {"any": "False", "all": "True"}.get(e.op, "0")
    if e.op in ("min", "max"):
        return body.extreme(e, name)
    body.assign(name, first, e.type)
    cut = cut_down(body, e)
    if cut is not None:
        head, e = cut
    with body.out.block(body.loop(e.var, e.domain) if cut is None else head):
        body.filter(e)
        item = body.local(e.var)
        match e.op:
            case "any":
                with body.out.block(f"if {body.cond(e.body[0])}:"):
                    body.out.line(f"{name} = True")
                    body.out.line("break")
            case "all":
                with body.out.block(f"if not {body.cond(e.body[0], NOT)}:"):
                    body.out.line(f"{name} = False")
                    body.out.line("break")
            case "count":
                if e.body:
                    with body.out.block(f"if {body.cond(e.body[0])}:"):
                        body.out.line(f"{name} += 1")
                else:
                    body.out.line(f"{name} += 1")
            case "sum":
                body.out.line(f"{name} += {body.value(e.body[0])}")
            case "set":
                assert isinstance(e.type, SetT)
                low = low_of(e.type.element)
                place = item if low == 0 else f"{item} - {low}"
                body.out.line(f"{name} |= {body.one(place, is_wide(e.type))}")
    return name, ATOM


def mask_of_comp(body: Body, e: C.Comp) -> tuple[str, int] | None:
    """The members that meet all conditions as one expression; of `any` too, as what must not be empty."""
    from rulewright.compiler.emit.set_algebra import as_mask

    if e.op != "set" and not (e.op == "any" and body.inline):
        return None
    if e.op == "any" and len(body.few(e.domain) or [0] * UNROLL) < 4:
        return None
    tests = [e.where] if e.where is not None else []
    kept = body.out.apart()
    mask = as_mask(body, e.var, e.domain, [*tests, *(e.body if e.op == "any" else ())])
    aside = body.out.together(kept)
    if mask is not None:
        body.out.lines.extend(aside)
    return mask


# a loop over a kind with fewer members is not worth cutting down
LARGE = 16


def cut_down(body: Body, e: C.Comp) -> tuple[str, C.Comp] | None:
    """The head of a loop over those members only that meet the first conditions, and what is left to look at."""
    from rulewright.compiler.emit.set_algebra import mask_of

    t = e.domain.type
    if not body.inline or not isinstance(t, SetT) or not isinstance(e.domain, C.Const):
        return None
    if int(str(e.domain.value)).bit_count() < LARGE or low_of(t.element):
        return None
    tests = _conjuncts(e.where) if e.op != "any" else [*_conjuncts(e.where), *_conjuncts(e.body[0])]
    masks: list[str] = []
    for test in tests:
        mask = None if masks and may_fail(test) else mask_of(body, e.var, t.element, test)
        if mask is None:
            break
        masks.append(mask[0] if mask[1] > BIT_AND else f"({mask[0]})")
    if len(masks) < (1 if is_wide(t) else 2):
        return None
    rest: C.Expr | None = None
    for test in reversed(tests[len(masks) :]):
        rest = test if rest is None else fold.op("and", (test, rest), BOOL, e.span)
    if e.op == "any":
        left = dataclasses.replace(e, where=None, body=(rest or fold.truth(True, e.span),))
    else:
        left = dataclasses.replace(e, where=rest)
    if e.domain.value != (1 << (count_of(t.element) or 0)) - 1:
        masks.insert(0, str(e.domain.value))
    return loop_over(body, e.var, f"members({' & '.join(masks)})"), left


def _conjuncts(e: C.Expr | None) -> list[C.Expr]:
    match e:
        case None:
            return []
        case C.Op("and", (a, b)):
            return [*_conjuncts(a), *_conjuncts(b)]
    return [e]


def filter(body: Body, e: C.Comp) -> None:
    if e.where is not None:
        with body.out.block(f"if not {body.cond(e.where, NOT)}:"):
            body.out.line("continue")


def _first_from(body: Body, e: C.Comp) -> str | None:
    """For the least or greatest member of a known range: the loop that meets it first."""
    if not (body.inline and e.body and isinstance(e.body[0], C.Use) and e.body[0].local is e.var):
        return None
    domain = e.domain
    if not isinstance(domain, C.Range) or e.where is None:
        return None
    low, high = domain.low, domain.high
    if not (isinstance(low, C.Const) and isinstance(high, C.Const)):
        return None
    if e.op == "min":
        return loop(body, e.var, domain)
    return loop_over(body, e.var, f"range({high.value}, {int(str(low.value)) - 1}, -1)")


def extreme(body: Body, e: C.Comp, name: str) -> tuple[str, int]:
    ordered_loop = _first_from(body, e)
    if ordered_loop is not None and e.where is not None:
        first = "-1" if e.default is None else body.value(e.default)
        body.assign(name, first, e.type)
        with body.out.block(ordered_loop), body.out.block(f"if {body.cond(e.where)}:"):
            body.out.line(f"{name} = {body.local(e.var)}")
            body.out.line("break")
        if e.default is None:
            with body.out.block("else:"):
                body.out.line(f"raise no_extreme({body.tables.place(e.span)})")
        return name, ATOM
    none = body.temp("none")
    body.assign(none, "True", BoolT())
    body.assign(name, "0", e.type)
    sign = "<" if e.op == "min" else ">"
    with body.out.block(body.loop(e.var, e.domain)):
        body.filter(e)
        value = body.simple(e.body[0], "n")
        with body.out.block(f"if {none} or {value} {sign} {name}:"):
            body.out.line(f"{name} = {value}")
            body.out.line(f"{none} = False")
    with body.out.block(f"if {none}:"):
        if e.default is not None:
            body.out.line(f"{name} = {body.value(e.default)}")
        else:
            body.out.line(f"raise no_extreme({body.tables.place(e.span)})")
    return name, ATOM


def ordered(body: Body, e: C.Comp) -> tuple[str, int]:
    """best, sort and groups: collect (keys, member), then order; equals stay in the order of the domain."""
    rows = body.temp("rows")
    body.annotated.add(rows)
    width = max(1, len(e.body))
    shape = ", ".join(["int"] * (width + 1))
    body.out.line(f"{rows}: list[tuple[{shape}]] = []")
    with body.out.block(body.loop(e.var, e.domain)):
        body.filter(e)
        keys = [body.value(b) for b in e.body] or ["0"]
        body.out.line(f"{rows}.append(({', '.join(keys)}, {body.local(e.var)}))")
    picked = body.temp({"best": "best", "sort": "order", "groups": "groups"}[e.op])
    helper = {"best": "best_of", "sort": "sorted_by", "groups": "grouped_by"}[e.op]
    body.annotated.add(picked)
    if e.op == "best":
        body.out.line(f"{picked}: i64 = {helper}({rows})")
    elif e.op == "sort":
        body.out.line(f"{picked}: list[int] = {helper}({rows})")
    else:
        low = low_of(e.type.element) if isinstance(e.type, GroupsT) else 0
        body.out.line(f"{picked}: list[int] = {helper}({rows}, {low})")
    return picked, ATOM
