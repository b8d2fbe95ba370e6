"""Operators between expressions: arithmetic, comparison, sets, `in`, `is none`, `if … else`."""

from __future__ import annotations

from rulewright.compiler.check import expressions
from rulewright.compiler.check.fitting import bad, item_type, needed, set_hint
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a, none_hint
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operations import OpName, bounds, number_type
from rulewright.compiler.core.types import (
    BOOL,
    LIMIT,
    BadT,
    BoolT,
    IntT,
    KindT,
    ListT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    Type,
    fits,
    joined,
    same,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

# how what is written is called in the typed tree
_ORDER: dict[str, OpName] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
_COMPARED: dict[str, OpName] = {"==": "==", "!=": "!=", **_ORDER}
_TRUTH: dict[str, OpName] = {"and": "and", "or": "or"}
SETS: dict[str, OpName] = {"|": "union", "&": "intersect", "-": "minus"}
_RELATIONS: dict[str, OpName] = {"meets": "meets", "within": "within"}
NUMBERS: dict[str, OpName] = {"+": "+", "-": "-", "*": "*", "//": "//", "%": "%"}


def _is_member_name(sc: Scope, e: S.Expr) -> bool:
    return isinstance(e, S.Quoted | S.NoneLit) or (
        isinstance(e, S.Ref)
        and sc.find(e.name) is None
        and e.name not in sc.consts
        and e.name in sc.ruleset.members
        and e.name not in sc.ruleset.state
    )


def binary(sc: Scope, e: S.Binary, want: Type | None) -> C.Expr:
    op, span = e.op, e.span
    if op in _TRUTH:
        left = expressions.need_bool(sc, e.left)
        # the right side counts only where the left one is true (and) or false (or)
        inner = sc.child()
        narrow(inner, e.left, op == "and")
        right = expressions.need_bool(inner, e.right)
        return fold.op(_TRUTH[op], (left, right), BOOL, span)
    if op == "..":
        low, high = expressions.need_int(sc, e.left), expressions.need_int(sc, e.right)
        if isinstance(low.type, BadT) or isinstance(high.type, BadT):
            return bad(span)
        return C.Range(
            low, high, RangeT(bounds(low.type)[0], bounds(high.type)[1]), span,
            C.join(low.secrecy, high.secrecy),
        )  # fmt: skip
    if op in ("in", "not in"):
        return _contains(sc, e)
    if (isinstance(e.left, S.SetLit) and not isinstance(e.right, S.SetLit)) or (
        _is_member_name(sc, e.left) and not _is_member_name(sc, e.right)
    ):
        right = expressions.check_expr(sc, e.right)
        left = expressions.check_expr(sc, e.left, right.type)
    else:
        left = expressions.check_expr(sc, e.left, want if op in "|&-" else None)
        right = expressions.check_expr(sc, e.right, left.type)
    if op in _COMPARED:
        return _compare(sc, op, left, right, span)
    return _arithmetic(sc, op, left, right, span)


def _contains(sc: Scope, e: S.Binary) -> C.Expr:
    known: C.Expr | None = None
    want: Type | None = None
    if isinstance(e.right, S.SetLit) and not _is_member_name(sc, e.left):
        # what is looked for tells which kind the names in braces are of
        known = expressions.check_expr(sc, e.left)
        kind = known.type.base if isinstance(known.type, OptT) else known.type
        want = SetT(kind) if isinstance(kind, KindT) else None
    domain, element = expressions.need_domain(sc, e.right, want)
    item = known or expressions.check_expr(sc, e.left, item_type(domain, element))
    r = sc.ruleset
    if isinstance(domain.type, BadT):
        return bad(e.span)
    if not same(item.type, element) and not isinstance(item.type, BadT):
        if isinstance(item.type, OptT) and same(item.type.base, element):
            r.error(
                "RW0609", item.span, f"this may be none: it is {a(item.type)}", hint=none_hint(item)
            )
        else:
            r.error("RW0601", item.span, f"this is {a(item.type)}", expected=a(element))
        return bad(e.span)
    if isinstance(domain, C.Range):
        inside = fold.op(
            "and",
            (fold.op(">=", (item, domain.low), BOOL, e.span), fold.op("<=", (item, domain.high), BOOL, e.span)),
            BOOL, e.span,
        )  # fmt: skip
    elif isinstance(domain.type, ListT):
        inside = fold.op("in_list", (item, domain), BOOL, e.span)
    else:
        inside = fold.op("in", (item, domain), BOOL, e.span)
        if isinstance(element, IntT) and isinstance(item.type, IntT):
            # a set has no place for numbers outside its bounds: they are not in it
            low, high = item.type.low, item.type.high
            if high is None or element.high is None or high > element.high:
                inside = fold.op(
                    "and", (_is(item, "<=", element.high, e.span), inside), BOOL, e.span
                )
            if low is None or element.low is None or low < element.low:
                inside = fold.op(
                    "and", (_is(item, ">=", element.low, e.span), inside), BOOL, e.span
                )
    return fold.op("not", (inside,), BOOL, e.span) if e.op == "not in" else inside


def _is(item: C.Expr, op: OpName, bound: int | None, span: Span) -> C.Expr:
    number = bound or 0
    return fold.op(op, (item, C.Const(number, IntT(number, number), span)), BOOL, span)


def _compare(sc: Scope, op: str, left: C.Expr, right: C.Expr, span: Span) -> C.Expr:
    lt, rt = left.type, right.type
    if isinstance(lt, BadT) or isinstance(rt, BadT):
        return bad(span)
    plain_l = lt.base if isinstance(lt, OptT) else lt
    plain_r = rt.base if isinstance(rt, OptT) else rt
    ok = same(plain_l, plain_r) or (isinstance(lt, NoneT) and isinstance(rt, OptT))
    ok = ok or (isinstance(rt, NoneT) and isinstance(lt, OptT))
    if op in _ORDER and not isinstance(plain_l, IntT | KindT):
        ok = False
    if op in _ORDER and (isinstance(lt, OptT) or isinstance(rt, OptT)):
        side = left if isinstance(lt, OptT) else right
        sc.ruleset.error(
            "RW0609", side.span, f"this may be none: it is {a(side.type)}", hint=none_hint(side)
        )
        return bad(span)
    if not ok:
        hint = None
        if isinstance(lt, SetT) and isinstance(rt, SetT):
            hint = set_hint(lt, rt) or "sets are compared with == and !=, `within` and `meets`"
        elif isinstance(lt, NoneT) or isinstance(rt, NoneT):
            hint = "a value that is never none has nothing to do with none"
        sc.ruleset.error(
            "RW0615", span, f"{a(lt)} and {a(rt)} can't be compared with {op}", hint=hint
        )
        return bad(span)
    _decided(sc, op, left, right, span)
    return fold.op(_COMPARED[op], (left, right), BOOL, span)


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _decided(sc: Scope, op: str, left: C.Expr, right: C.Expr, span: Span) -> None:
    """Warn where the bounds of a state variable decide a comparison with a number before play."""
    if isinstance(left, C.Const):
        left, right, op = right, left, _MIRRORED[op]
    if sc.ruleset.asserting or not (isinstance(left, C.Read) and isinstance(right, C.Const)):
        return
    t, number = left.type, right.value
    if not isinstance(t, IntT) or not isinstance(number, int) or t.low is None or t.high is None:
        return
    low, high = t.low, t.high
    always, never = {
        "==": (low == high == number, not low <= number <= high),
        "!=": (not low <= number <= high, low == high == number),
        "<": (high < number, low >= number),
        "<=": (high <= number, low > number),
        ">": (low > number, high <= number),
        ">=": (low >= number, high < number),
    }[op]
    if not (always or never) or sc.ruleset.problems.has_errors:
        # a number that is wrong decides nothing
        return
    sc.ruleset.problems.warning(
        "RW0652", span,
        f"this is {'always' if always else 'never'} true: {quoted(left.var.name)} is declared from {low} to {high}, and the other side is {number}",
        hint="change the bounds, the number, or leave the comparison out",
    )  # fmt: skip


def _both(a: ListT, b: ListT) -> ListT:
    """The type of two lists put together."""
    room = None if a.limit is None or b.limit is None else a.limit + b.limit
    element = a.element
    if isinstance(a.element, IntT) and isinstance(b.element, IntT):
        (low, high), (other_low, other_high) = bounds(a.element), bounds(b.element)
        least = None if low is None or other_low is None else min(low, other_low)
        element = IntT(least, None if high is None or other_high is None else max(high, other_high))
    return ListT(element, room)


def _arithmetic(sc: Scope, op: str, left: C.Expr, right: C.Expr, span: Span) -> C.Expr:
    r = sc.ruleset
    if isinstance(left, C.ZoneUse):
        left = needed(sc, left, SetT(left.zone.family.kind))
    if isinstance(right, C.ZoneUse):
        right = needed(sc, right, SetT(right.zone.family.kind))
    lt, rt = left.type, right.type
    if isinstance(lt, BadT) or isinstance(rt, BadT):
        return bad(span)
    if isinstance(lt, SetT) and isinstance(rt, SetT) and same(lt, rt):
        if op in SETS:
            type_ = joined(lt, rt) if op == "|" else lt
            return fold.op(SETS[op], (left, right), type_, span)
        if op in _RELATIONS:
            return fold.op(_RELATIONS[op], (left, right), BOOL, span)
    if isinstance(lt, ListT) and isinstance(rt, ListT) and same(lt, rt) and op == "+":
        return fold.op("joined", (left, right), _both(lt, rt), span)
    if isinstance(lt, IntT) and isinstance(rt, IntT) and op in NUMBERS:
        name, pair = NUMBERS[op], (left, right)
        if op in ("//", "%") and isinstance(right, C.Const) and right.value == 0:
            r.error("RW0616", span, "division by zero")
            return bad(span)
        result = fold.op(name, pair, number_type(name, pair), span)
        if (
            isinstance(left, C.Const)
            and isinstance(right, C.Const)
            and not isinstance(result, C.Const)
        ):
            r.error("RW0613", span, "this number is too large", expected=f"at most {LIMIT:,}")
            return bad(span)
        return result
    hint = None
    if isinstance(lt, BoolT) or isinstance(rt, BoolT):
        hint = "a truth value is not a number; write: 1 if … else 0"
    elif isinstance(lt, OptT) or isinstance(rt, OptT):
        hint = none_hint(left if isinstance(lt, OptT) else right)
    elif isinstance(lt, SetT) and isinstance(rt, SetT):
        hint = "sets are joined with |" if op == "+" else set_hint(lt, rt)
    sets = op in ("|", "&", "-", "meets", "within")
    expected = "two sets of one kind" if op in ("|", "&", "meets", "within") else "two numbers"
    if op == "-":
        expected = "two numbers, or two sets of one kind"
    if sets and isinstance(lt, SetT) and isinstance(rt, KindT) and same(lt.element, rt):
        hint = f"put it in braces: … {op} {{…}}"
    r.error("RW0617", span, f"{a(lt)} {op} {a(rt)} has no meaning", expected=expected, hint=hint)
    return bad(span)


def is_none(sc: Scope, operand: S.Expr, negated: bool, span: Span) -> C.Expr:
    got = expressions.check_expr(sc, operand)
    if not isinstance(got.type, OptT | BadT | NoneT):
        sc.ruleset.error(
            "RW0618",
            got.span,
            f"this is never none: it is {a(got.type)}",
            hint=(
                "where it is empty, it is == {}"
                if isinstance(got.type, SetT)
                else (
                    "where it is empty, it is == []"
                    if isinstance(got.type, ListT)
                    else "leave the test out"
                )
            ),
        )
        return bad(span)
    test = fold.op("is_none", (got,), BOOL, span)
    return fold.op("not", (test,), BOOL, span) if negated else test


def choice(
    sc: Scope, test: S.Expr, then: S.Expr, other: S.Expr, span: Span, want: Type | None
) -> C.Expr:
    t = expressions.need_bool(sc, test)
    yes, no = sc.child(), sc.child()
    narrow(yes, test, True)
    narrow(no, test, False)
    x = expressions.check_expr(yes, then, want)
    y = expressions.check_expr(no, other, want or x.type)
    if isinstance(x.type, NoneT) and not isinstance(y.type, NoneT):
        x = C.Const(-1, OptT(y.type), x.span) if isinstance(y.type, KindT | IntT) else x
    if isinstance(x.type, BadT) or isinstance(y.type, BadT):
        return bad(span)
    if isinstance(y.type, NoneT) and isinstance(x.type, KindT | IntT):
        y = C.Const(-1, OptT(x.type), y.span)
    result: Type = x.type
    if isinstance(x.type, IntT) and isinstance(y.type, IntT):
        result = hull(x.type, y.type)
    elif isinstance(x.type, SetT) and isinstance(y.type, SetT) and same(x.type, y.type):
        result = joined(x.type, y.type)
    elif isinstance(y.type, OptT) or fits(x.type, y.type):
        result = y.type
    if isinstance(x.type, ListT) and isinstance(y.type, ListT) and isinstance(result, ListT):
        longest = (
            None
            if None in (x.type.limit, y.type.limit)
            else max(x.type.limit or 0, y.type.limit or 0)
        )
        result = ListT(result.element, longest)
    if not fits(y.type, result) or not fits(x.type, result):
        sc.ruleset.error("RW0619", span, f"the two sides differ: {a(x.type)} and {a(y.type)}")
        return bad(span)
    return fold.op("if", (t, x, y), result, span)


def hull(x: IntT, y: IntT) -> IntT:
    low = None if x.low is None or y.low is None else min(x.low, y.low)
    high = None if x.high is None or y.high is None else max(x.high, y.high)
    return IntT(low, high)


def narrow(sc: Scope, test: S.Expr, outcome: bool) -> None:
    """Learn from a condition that went one way: x is not none."""
    match test:
        case S.IsNone(S.Ref(name), negated) if negated == outcome:
            local = sc.find(name)
            if local is not None and isinstance(sc.type_of(local), OptT):
                t = sc.type_of(local)
                assert isinstance(t, OptT)
                sc.narrowed[local.number] = t.base
        case S.Unary("not", operand):
            narrow(sc, operand, not outcome)
        case S.Reveal(operand):
            narrow(sc, operand, outcome)
        case S.Binary("and", left, right) if outcome:
            narrow(sc, left, True)
            narrow(sc, right, True)
        case S.Binary("or", left, right) if not outcome:
            narrow(sc, left, False)
            narrow(sc, right, False)
        case _:  # others: they say nothing of a local that may be none
            pass
