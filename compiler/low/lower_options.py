"""A choice → the statements that put its options together as a set."""

from __future__ import annotations

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, IntT, KindT, ListT, count_of, low_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import full, minus, negated, plus, set_of
from rulewright.compiler.low.lower_statements import Statements
from rulewright.compiler.low.set_algebra import mask_of
from rulewright.compiler.low.unroll import few

_UNROLL = 40


def start(body: Statements, domain: C.Expr, element: KindT | IntT) -> L.Expr:
    """The domain as a set over the static domain."""
    low = low_of(element)
    t = T.Set(count_of(element) or 0, low)
    match domain:
        case C.Range(C.Const(int() as least), C.Const(int() as most)):
            n = max(0, most - least + 1)
            return set_of(((1 << n) - 1) << (least - low), t)
        case C.Range(C.Const(value), most_) if value == low:
            high = body.simple(body.expr(most_), "most")
            return _up_to(minus(high, low - 1), t)
        case C.Range(least_, most_):
            a, b = (body.simple(body.expr(x), w) for x, w in ((least_, "least"), (most_, "most")))
            before = _up_to(minus(a, low), t)
            inside = _up_to(plus(minus(b, low), 1), t)
            return L.Binary("&", inside, L.Unary("~", before, t), t)
        case _:  # others: by their type, below
            pass
    if isinstance(domain.type, ListT):
        return L.Help("mask_of", (body.expr(domain), L.number(low)), t)
    return body.expr(domain)


def _up_to(n: L.Expr, t: T.Set) -> L.Expr:
    return L.Help("up_to", (n,), t)


def options(body: Statements, choice: C.SChoose) -> None:
    """m = the options of a choice: the domain cut down by each condition."""
    later: list[C.Expr] = []
    masks: list[L.Expr] = []
    body.ask(choice.element)
    for condition in choice.where:
        if isinstance(condition.test, C.Const) and condition.test.value:
            continue
        mask = mask_of(body, choice.var, choice.element, condition.test)
        if mask is None:
            later.append(condition.test)
        else:
            masks.append(mask)
    domain = choice.domain
    whole = T.Set(count_of(choice.element) or 0)
    if masks and isinstance(domain, C.Const) and domain.value == full(whole):
        body.let(body.options, masks.pop(0))
    elif later and not masks and _write_out(body, choice, later):
        return
    else:
        body.let(body.options, start(body, domain, choice.element))
    for mask in masks:
        body.store(body.options, _without_all(mask, full(whole)), "&")
    for test in later:
        narrow_by(body, choice, test)


def _without_all(mask: L.Expr, every: int) -> L.Expr:
    """all & a & … → a & …: what is cut down is part of all."""
    match mask:
        case L.Binary("&", L.Number(value), right) if value == every:
            return right
        case L.Binary("&", left, right):
            return L.Binary("&", _without_all(left, every), right, mask.type)
        case _:  # others: as it was
            return mask


def _write_out(body: Statements, choice: C.SChoose, tests: list[C.Expr]) -> bool:
    """Few members: m is put together from those that pass."""
    members = few(body, choice.domain)
    if members is None or any(_by_row(t, choice.var) for t in tests):
        return False
    low = low_of(choice.element)
    t = body.options.type
    body.let(body.options, set_of(0, t))
    for k in members:
        test: C.Expr = C.Const(1, BOOL)
        for condition in reversed(tests):
            one = substitute(condition, {choice.var.number: C.Const(k, choice.element)})
            test = fold.op("and", (one, test), BOOL, choice.span)
        bit = set_of(1 << (k - low), t)
        if isinstance(test, C.Const):
            if test.value:
                body.store(body.options, bit, "|")
            continue
        with body.when(body.test(test)):
            body.store(body.options, bit, "|")
    return True


def narrow_by(body: Statements, choice: C.SChoose, test: C.Expr) -> None:
    """Test each option that is left; one by one where the test runs code of the table's rows."""
    low = low_of(choice.element)
    options, t = body.options, body.options.type
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
            with body.aside() as taken, body.when(negated(body.test(one))):
                body.store(options, set_of(1 << k, t), "^")
            if taken:
                with body.when(L.Has(options, L.number(k))):
                    body.statements.extend(taken)
        return
    item = body.local(choice.var)
    whole = T.Set((count_of(choice.element) or 0) + 1)
    with body.over(item, L.Members(options, low)), body.when(negated(body.test(test))):
        body.store(options, L.One(minus(item, low), whole), "^")


def settle(body: Statements, e: C.Expr) -> C.Expr:
    """possible(p(...)) where p only runs another procedure is asked of that one; what is always possible is true."""
    if isinstance(e, C.CanRun) and e.procedure is not None:
        f = body.tables.possible(e.procedure)
        if len(f.body) == 1 and isinstance(f.body[0], C.SReturn):
            value = f.body[0].value
            if isinstance(value, C.CanRun):
                env = {p.number: a for p, a in zip(f.params, e.args, strict=True)}
                return settle(body, substitute(value, env))
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
            case _:  # others: no code of a row
                pass
    return False
