"""`choose 1 .. 3 of xs in D` → single decisions one after the other, in the order of the domain, none a dead end.

choose 2 of xs in D by p as take        choose take.1 in D, from which a second one fits
    where c(xs)                    →    choose take.2 in D after the first, where c({first, second})
                                        xs = {first, second}

Each choice of several is asked in one way only. Where fewer are enough, a word ends it; it is offered where the conditions
hold for what is chosen so far.

What is chosen in secret is asked for in as many steps however many are chosen: after the word only the word is left. So the
others can't count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulewright.compiler.check import assign, choices, expressions, texts
from rulewright.compiler.check.fitting import item_type, needed, owner_token
from rulewright.compiler.check.kinds import can_be_none
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.declared import Several
from rulewright.compiler.core.operations import bounds
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import (
    BAD,
    BOOL,
    BadT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    Type,
    count_of,
    low_of,
    show,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

MAX_SOME = 12


@dataclass(slots=True)
class _Some:
    """What is chosen from, how many, and the variables of the steps."""

    stmt: S.Choose
    by: C.Expr
    over: C.Expr
    element: KindT | IntT
    zone: C.ZoneUse | None  # pieces of a zone: the same kind may come again
    low: C.Expr
    high: C.Expr
    least: int
    most: int
    word: str | None
    whole: C.Local
    conditions: list[C.Condition]
    steps: list[C.Local]
    cites: C.Cites
    # the step that is being asked
    at: int = 1
    say: C.Text | None = None
    others: C.Text | None = None
    else_say: C.Text | None = None

    @property
    def span(self) -> Span:
        return self.stmt.span

    def use(self, step: int) -> C.Use:
        """What was chosen in a step that was not declined."""
        return C.Use(self.steps[step - 1], self.element, self.span)

    def used(self, step: int) -> C.Expr:
        """The same in tests of later steps, where it may have been declined: then any value, and nothing comes of the test."""
        if not (self.stmt.secret and step < self.at and self.may_stop(step)):
            return self.use(step)
        whatever = C.Const(low_of(self.element), self.element, self.span)
        return C.Op("if", (self.stopped(step), whatever, self.use(step)), self.element, self.span)

    def may_stop(self, step: int) -> bool:
        return self.word is not None and step > self.least

    def stopped(self, step: int) -> C.Expr:
        """Whether it had been ended by the end of a step."""
        local = self.steps[step - 1]
        return fold.op("is_none", (C.Use(local, local.type, self.span),), BOOL, self.span)

    def goes_on(self, test: C.Expr) -> C.Expr:
        """A test of the step at hand: nothing is left to choose where a secret choice was ended before."""
        before = self.at - 1
        if not self.stmt.secret or before < 1 or not self.may_stop(before):
            return test
        return _and(fold.op("not", (self.stopped(before),), BOOL, self.span), test)

    def chosen(self, count: int) -> C.Expr:
        """What the first steps have chosen, as a set or list."""
        args = tuple(self.used(i) for i in range(1, count + 1))
        if isinstance(self.whole.type, ListT):
            return C.Op("list", args, self.whole.type, self.span)
        if not args:
            return C.Const(0, self.whole.type, self.span)
        return C.Op("set", args, self.whole.type, self.span)

    def enough(self, count: int) -> C.Expr:
        """Whether so many, as they were chosen, are a whole choice."""
        number = C.Const(count, IntT(count, count), self.span)
        test = fold.op("<=", (self.low, number), BOOL, self.span)
        test = _and(test, fold.op("<=", (number, self.high), BOOL, self.span))
        for c in self.conditions:
            told = substitute(c.test, {self.whole.number: self.chosen(count)})
            test = _and(test, told)
        return test

    def in_order(self, step: int) -> C.Expr:
        """Whether a step's value comes after that of the step before: no choice is met twice."""
        if step == 1:
            return fold.truth(True, self.span)
        now, before = self.used(step), self.used(step - 1)
        if self.zone is None:
            return fold.op(">", (now, before), BOOL, self.span)
        # one more of the same kind, if there is one
        other = fold.op("!=", (now, before), BOOL, self.span)
        more = fold.op(">", (self.there(before), self.alike(step - 1)), BOOL, self.span)
        again = fold.op("or", (other, more), BOOL, self.span)
        return _and(fold.op(">=", (now, before), BOOL, self.span), again)

    def there(self, kind: C.Expr) -> C.Expr:
        """How many of a kind lie in the zone."""
        assert self.zone is not None
        copies = max((max(row, default=0) for row in self.zone.zone.family.copies), default=0)
        return C.Op("zone_count", (self.zone, kind), IntT(0, copies), self.span, self.zone.secrecy)

    def alike(self, step: int) -> C.Expr:
        """How many of a step's kind are chosen with it: what was chosen is in order, so it is the last of them."""
        one, none = (C.Const(n, IntT(n, n), self.span) for n in (1, 0))
        count: C.Expr = one
        for i in range(1, step):
            same = fold.op("==", (self.used(i), self.used(step)), BOOL, self.span)
            more = C.Op("if", (same, one, none), IntT(0, 1), self.span)
            count = fold.op("+", (count, more), IntT(1, i + 1), self.span)
        return count

    def left(self, step: int) -> C.Expr:
        """How many come after a step's value, in the order in which they are asked for."""
        now, later = self.used(step), self.steps[step]
        further = C.Use(later, self.element, self.span)
        after = fold.op(">", (further, now), BOOL, self.span)
        secrecy = C.join(self.over.secrecy, after.secrecy)
        if self.zone is None:
            most = count_of(self.element) or 0
            return C.Comp(
                "count", later, self.over, after, (), None, IntT(0, most), self.span, secrecy
            )
        family = self.zone.zone.family
        total = max((sum(row) for row in family.copies), default=0)
        kinds = C.Comp(
            "sum", later, self.over, after, (self.there(further),), None, IntT(0, total), self.span, secrecy
        )  # fmt: skip
        same = fold.op("-", (self.there(now), self.alike(step)), IntT(-self.most, total), self.span)
        return fold.op("+", (kinds, same), IntT(-self.most, 2 * total), self.span)

    def can_end(self, step: int) -> C.Expr:
        """Whether what was chosen up to a step is a whole choice, or can become one."""
        test: C.Expr = fold.truth(False, self.span)
        if step >= self.least:
            test = self.enough(step)
        if step == self.most or (isinstance(test, C.Const) and test.value):
            return test
        order, body = self.in_order(step + 1), self.can_end(step + 1)
        surely = isinstance(body, C.Const) and body.value  # one more is enough
        if not self.conditions and not surely and not isinstance(self.over.type, ListT):
            return fold.op("or", (test, self.goes_round(step)), BOOL, self.span)
        # only what comes next in the order is looked into
        secrecy = C.join(self.over.secrecy, C.join(order.secrecy, body.secrecy))
        where, found = (None, order) if surely else (order, body)
        further = C.Comp(
            "any", self.steps[step], self.over, where, (found,), None, BOOL, self.span, secrecy
        )
        return fold.op("or", (test, further), BOOL, self.span)

    def goes_round(self, step: int) -> C.Expr:
        """Whether more than so many can be chosen and are enough, where only their number counts."""
        now, span = C.Const(step, IntT(step, step), self.span), self.span
        lowest = IntT(*bounds(self.low.type))
        missing = fold.op("-", (self.low, now), _less(lowest, step), span)
        within = fold.op("<", (now, self.high), BOOL, span)
        there = fold.op("<=", (self.low, self.high), BOOL, span)
        one = C.Const(1, IntT(1, 1), span)
        left = self.left(step)
        some = fold.op("<=", (one, left), BOOL, span)
        return _and(_and(within, there), _and(some, fold.op("<=", (missing, left), BOOL, span)))


def _less(t: IntT, by: int) -> IntT:
    low, high = (None if x is None else x - by for x in (t.low, t.high))
    return IntT(low, high)


def _and(a: C.Expr, b: C.Expr) -> C.Expr:
    return fold.op("and", (a, b), BOOL, a.span)


def check_some(sc: Scope, stmt: S.Choose, cites: C.Cites) -> list[C.Stmt]:
    found = _read(sc, stmt, cites)
    if found is None:
        return []
    return _secret_steps(sc, found) if stmt.secret else _steps(sc, found, 1)


def _read(sc: Scope, stmt: S.Choose, cites: C.Cites) -> _Some | None:
    r = sc.ruleset
    assert stmt.count is not None
    by = expressions.need(sc, stmt.by, r.kinds["Player"].type)
    token = owner_token(by)
    choices.public_question(sc, by, stmt)
    choices.label(sc, stmt.label)
    name, domain = stmt.vars[0]
    got = expressions.check_expr(sc, domain)
    zone = got if isinstance(got, C.ZoneUse) else None
    over, element = expressions.need_domain(sc, domain)
    choices.visible_to(sc, over, token, "the domain")
    low, high = _count(sc, stmt, token)
    least, most = bounds(low.type)[0] or 0, bounds(high.type)[1]
    fixed = isinstance(low, C.Const) and isinstance(high, C.Const) and low.value == high.value
    inner = sc.child()
    type_: Type = SetT(element) if zone is None else ListT(element, min(most or 1, MAX_SOME))
    asked = choices.can_be_asked(sc, over, element, "a choice", empty=least == 0 or stmt.if_any)
    whole = inner.declare(name, item_type(over, element) if isinstance(over.type, BadT) else type_)
    sc.names[name.text] = whole
    conditions = [choices.condition(inner, w, token) for w in stmt.where]
    if not asked or isinstance(whole.type, BadT) or isinstance(low.type, BadT):
        whole.type = whole.type if asked else type_
        return None
    if not _sensible(sc, stmt, low, high, most, fixed):
        return None
    assert most is not None
    if not fixed and not can_be_none(element):
        r.error(
            "RW0603", over.span, "where the choice ends early the variable of a step is none, but these numbers may be below 0",
            expected="a kind or a range from 0 up",
        )  # fmt: skip
        return None
    word = None if fixed else "done" if stmt.otherwise is None else stmt.otherwise.text
    if word is not None:
        r.words.add(word)
        at = stmt.label if stmt.otherwise is None else stmt.otherwise
        choices.word_is_new(sc, S.Name(word, at.span), element)
    steps = [r.local(f"{name.text}_{i}", element) for i in range(1, most + 1)]
    for i, local in enumerate(steps, 1):
        if (word is not None and i > least) or (stmt.if_any and (i == 1 or stmt.secret)):
            local.type = OptT(element)
    if stmt.secret:
        whole.steps, whole.as_many = steps, fixed
        whole.several = Several(over, low, high, [c.test for c in conditions])
        for local in (whole, *steps):
            local.secrecy = token
        if token == C.NOBODY:
            r.error(
                "RW0707", stmt.by.span, "a secret choice needs a chooser with a fixed name",
                expected="a parameter or a variable that is never assigned again",
            )  # fmt: skip
    some = _Some(
        stmt, by, over, element, zone, low, high, max(0, least), most, word, whole, conditions, steps, cites
    )  # fmt: skip
    _texts(sc, inner, some, token)
    return some


def _count(sc: Scope, stmt: S.Choose, token: str) -> tuple[C.Expr, C.Expr]:
    count = stmt.count
    assert count is not None
    if isinstance(count, S.Ref) and count.name in ("any", "all"):
        sc.ruleset.error(
            "RW0501", count.span, "how many are chosen is a number",
            hint="write how many at least and at most: choose 0 .. 3 of xs in D",
        )  # fmt: skip
        unknown = C.Const(0, BAD, count.span)
        return unknown, unknown
    if isinstance(count, S.Binary) and count.op == "..":
        low, high = (expressions.need_int(sc, e) for e in (count.left, count.right))
    else:
        low = high = expressions.need_int(sc, count)
    for number in dict.fromkeys((low, high)):
        choices.visible_to(sc, number, token, "how many are chosen")
    return low, high


def _sensible(
    sc: Scope, stmt: S.Choose, low: C.Expr, high: C.Expr, most: int | None, fixed: bool
) -> bool:
    r = sc.ruleset
    assert stmt.count is not None
    at = stmt.count.span
    if most is None:
        r.error(
            "RW0608", at, "at most how many are chosen must be known before play",
            expected="a number with known bounds", hint="e.g. 1 .. min(4, …)",
        )  # fmt: skip
    elif most > MAX_SOME:
        message = f"a choice of up to {most} at once is too wide"
        hint = f"if there are never so many, say so: min(…, {MAX_SOME}); else ask for them one by one in a loop"
        r.error("RW0817", at, message, expected=f"at most {MAX_SOME}", hint=hint)
    elif most < 1 or (bounds(low.type)[0] or 0) > most:
        r.error("RW0602", at, "a choice of none", expected="at least one, the smaller number first")
    elif fixed and stmt.otherwise is not None:
        message = f"{quoted(stmt.otherwise.text)} can't be chosen: there are as many as it says"
        hint = "write how many at least and at most: 0 .. 3 of …"
        r.error("RW0216", stmt.otherwise.span, message, hint=hint)
    elif stmt.step_says:
        r.error("RW0216", stmt.span, "the steps of a choice of several have no words of their own")
    else:
        return True
    return False


def _texts(sc: Scope, inner: Scope, some: _Some, token: str) -> None:
    """The words for the whole; in them what is chosen counts as a set, however often each is there."""
    stmt = some.stmt
    kept = some.whole.type
    some.whole.type = SetT(some.element)
    if stmt.say is not None:
        alone = token if stmt.secret or stmt.others is not None else None
        some.say = texts.check_text(inner, stmt.say, alone)
    if stmt.others is not None:
        some.others = texts.check_text(inner, stmt.others, None)
    if stmt.else_say is not None:
        some.else_say = texts.check_text(sc, stmt.else_say, token if stmt.secret else None)
    some.whole.type = kept


def _told(some: _Some, text: C.Text | None, count: int) -> C.Text:
    """A text about the first steps' values: one after the other where the rules name them all."""
    if text is None:
        text = C.Text(
            [some.stmt.label.text.replace("_", " ") + ": ", C.Use(some.whole, some.whole.type)]
        )
    parts: list[str | C.Expr] = []
    forms: dict[int, tuple[str, str]] = {}
    for i, part in enumerate(text.parts):
        if isinstance(part, C.Use) and part.local is some.whole:
            for step in range(1, count + 1):
                parts += [", ", some.use(step)] if step > 1 else [some.use(step)]
            parts += [] if count else ["nothing"]
            continue
        if i in text.forms:
            forms[len(parts)] = text.forms[i]
        if isinstance(part, str):
            parts.append(part)
        else:
            parts.append(substitute(part, {some.whole.number: some.chosen(count)}))
    return C.Text(parts, forms)


def _choice(some: _Some, step: int) -> C.SChoose:
    """The decision of a step."""
    some.at = step
    stmt, local = some.stmt, some.steps[step - 1]
    may_stop = some.may_stop(step)
    where: list[C.Condition] = []
    order = some.goes_on(some.in_order(step))
    if step > 1:
        where.append(
            C.Condition(order, "it comes after those chosen before", some.span, some.cites)
        )
    text = " and ".join(c.text for c in some.conditions) or "so many can be chosen"
    cites = tuple(dict.fromkeys(x for c in some.conditions for x in c.cites)) or some.cites
    end = some.can_end(step)
    if not (isinstance(end, C.Const) and end.value):
        where.append(C.Condition(some.goes_on(end), text, some.span, cites))
    stop_if = some.enough(step - 1) if may_stop else None
    if stop_if is not None and stmt.secret and step > 1 and some.may_stop(step - 1):
        stop_if = fold.op("or", (some.stopped(step - 1), stop_if), BOOL, some.span)
    if isinstance(stop_if, C.Const) and stop_if.value:
        stop_if = None
    label = stmt.label.text if some.most == 1 else f"{stmt.label.text}.{step}"
    choice = C.SChoose(
        local, some.over, some.element, some.by, label, some.word if may_stop else None, stmt.secret,
        stmt.if_any and step == 1, None, None, where, {}, some.span, some.cites, None, step < some.most, stop_if,
    )  # fmt: skip
    if step == some.most:
        choice.say = _told(some, some.say, step)
        choice.others = None if some.others is None else _told(some, some.others, step)
    if may_stop:
        choice.else_say = _ended(some, step - 1)
    if may_stop and stmt.secret:
        ended = [n for n in range(some.least, step - 1) if some.may_stop(n + 1)]
        choice.else_says = [(some.stopped(n + 1), _ended(some, n)) for n in ended]
    return choice


def _ended(some: _Some, count: int) -> C.Text:
    """What is told where so many were chosen, and no more."""
    if count == 0 and some.else_say is not None:
        return some.else_say
    return _told(some, some.say, count)


def _steps(sc: Scope, some: _Some, step: int) -> list[C.Stmt]:
    """The decision of a step, and all that follows from it."""
    if step > some.most:
        return [_whole(some, some.most)]
    local, choice = some.steps[step - 1], _choice(some, step)
    if choice.if_any:
        choices.public_options(sc, choice)
    rest = _steps(sc, some, step + 1)
    if not isinstance(local.type, OptT):
        return [choice, *rest]
    return [choice, C.SIf([(some.stopped(step), [_whole(some, step - 1)])], rest, some.span)]


def _whole(some: _Some, count: int) -> C.Stmt:
    """The variable of the whole, after so many were chosen."""
    some.at = 0
    return C.SLet(some.whole, some.chosen(count), some.span, some.cites)


def _secret_steps(sc: Scope, some: _Some) -> list[C.Stmt]:
    """All steps are asked, whatever comes of them; what was chosen is put together after the last."""
    made = [_choice(some, step) for step in range(1, some.most + 1)]
    first = made[0]
    for choice in made:
        choice.var.chosen_by = choice
        choice.var.chosen_with = some.steps if len(made) > 1 else []
        choice.var.apart = True
        choice.asks_on = choice.more and choice.otherwise is not None
    ends = [n for n in range(some.least, some.most) if some.may_stop(n + 1)]
    arms = [(some.stopped(n + 1), [_whole(some, n)]) for n in ends]
    put_together = [C.SIf(arms, [_whole(some, some.most)], some.span)]
    steps: list[C.Stmt] = [*made, *(put_together if arms else [_whole(some, some.most)])]
    if not first.if_any:
        return steps
    # all see whether there is something to choose, and nobody is asked where there is not
    choices.public_options(sc, first)
    first.if_any = False
    tests: C.Expr = fold.truth(True, some.span)
    for condition in reversed(first.where):
        tests = _and(condition.test, tests)
    some_fit = C.Comp("any", first.var, some.over, None, (tests,), None, BOOL, some.span)
    none = [C.SLet(x, C.Const(-1, x.type), some.span) for x in some.steps]
    return [C.SIf([(some_fit, steps)], [*none, _whole(some, 0)], some.span)]


def keep(sc: Scope, row: C.Read, chosen: C.Local, stmt: S.Assign, cites: C.Cites) -> list[C.Stmt]:
    """kept[p] = xs: each entry of a map takes what was chosen in one step, the rest are none.

    The first comes last: what holds between them hangs on it, and where it is none they all are.
    """
    r, at, span = sc.ruleset, stmt.value.span, stmt.span
    assert isinstance(row.type, MapT)
    t, room, many = row.type.value, count_of(row.type.key) or 0, len(chosen.steps)
    less = not chosen.as_many or room > many or any(isinstance(x.type, OptT) for x in chosen.steps)
    if room < many:
        message = f"up to {many} are chosen, but there is room for {room}"
        r.error("RW0648", at, message, expected="an entry for each")
        return []
    if less and not isinstance(t, OptT | BadT | MapT):
        r.error(
            "RW0601", at, f"fewer than {room} may be chosen, but each entry of {quoted(row.var.name)} has a value",
            expected=f"a map to {show(OptT(t)) if isinstance(t, KindT | IntT) else 'a kind'}",
        )  # fmt: skip
        return []

    def entry(i: int, value: C.Expr) -> C.SAssign:
        assert isinstance(row.type, MapT)
        key = C.Const(low_of(row.type.key) + i, row.type.key, span)
        return C.SAssign(C.Read(row.var, (*row.keys, key), t, span), "", value, span, cites)

    # what can be said against it is said once, of the whole
    first = chosen.steps[0]
    whole = replace(first, name=chosen.name)
    if isinstance(needed(sc, C.Use(whole, whole.type, at, first.secrecy), t).type, BadT):
        return []
    target = entry(0, first_use := C.Use(whole, whole.type, at, first.secrecy)).target
    assign.give(sc, target, "", first_use, span, cites)
    values: list[C.Expr] = [C.Use(x, x.type, span, x.secrecy) for x in chosen.steps]
    values += [C.Const(-1, t, span)] * (room - many)
    return [entry(i, values[i]) for i in reversed(range(room))]
