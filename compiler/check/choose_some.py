"""`choose 1 .. 3 of xs in D` → single decisions one after the other, in the order of the domain, none a dead end.

choose 2 of xs in D by p as take        choose take.1 in D, from which a second one fits
    where c(xs)                    →    choose take.2 in D after the first, where c({first, second})
                                        xs = {first, second}

Each choice of several is asked in one way only. Where fewer are enough, a word ends it; it is offered where the conditions
hold for what is chosen so far.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.compiler.check import choices, expressions, texts
from rulewright.compiler.check.fitting import item_type, owner_token
from rulewright.compiler.check.kinds import can_be_none
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.operators import bounds
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, BadT, IntT, KindT, ListT, OptT, SetT, Type
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
    say: C.Text | None = None
    others: C.Text | None = None
    else_say: C.Text | None = None

    @property
    def span(self) -> Span:
        return self.stmt.span

    def use(self, step: int) -> C.Use:
        """What was chosen in a step that was not declined."""
        return C.Use(self.steps[step - 1], self.element, self.span)

    def chosen(self, count: int) -> C.Expr:
        """What the first steps have chosen, as a set or list."""
        args = tuple(self.use(i) for i in range(1, count + 1))
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
        now, before = self.use(step), self.use(step - 1)
        if self.zone is None:
            return fold.op(">", (now, before), BOOL, self.span)
        test = fold.op(">=", (now, before), BOOL, self.span)
        copies = max((max(row, default=0) for row in self.zone.zone.family.copies), default=0)
        there = C.Op("zone_count", (self.zone, now), IntT(0, copies), self.span, self.zone.secrecy)
        used: C.Expr = C.Const(0, IntT(0, 0), self.span)
        one, none = (C.Const(n, IntT(n, n), self.span) for n in (1, 0))
        for i in range(1, step):
            same = fold.op("==", (self.use(i), now), BOOL, self.span)
            more = C.Op("if", (same, one, none), IntT(0, 1), self.span)
            used = fold.op("+", (used, more), IntT(0, i), self.span)
        return _and(test, fold.op(">", (there, used), BOOL, self.span))

    def can_end(self, step: int) -> C.Expr:
        """Whether what was chosen up to a step is a whole choice, or can become one."""
        test: C.Expr = fold.truth(False, self.span)
        if step >= self.least:
            test = self.enough(step)
        if step < self.most and not (isinstance(test, C.Const) and test.value):
            body = _and(self.in_order(step + 1), self.can_end(step + 1))
            secrecy = C.join(self.over.secrecy, body.secrecy)
            further = C.Comp(
                "any", self.steps[step], self.over, None, (body,), None, BOOL, self.span, secrecy
            )
            test = fold.op("or", (test, further), BOOL, self.span)
        return test


def _and(a: C.Expr, b: C.Expr) -> C.Expr:
    return fold.op("and", (a, b), BOOL, a.span)


def check_some(sc: Scope, stmt: S.Choose, cites: C.Cites) -> list[C.Stmt]:
    found = _read(sc, stmt, cites)
    return [] if found is None else _steps(sc, found, 1)


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
    low, high = _count(sc, stmt.count)
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
        if (word is not None and i > least) or (stmt.if_any and i == 1):
            local.type = OptT(element)
    some = _Some(
        stmt, by, over, element, zone, low, high, max(0, least), most, word, whole, conditions, steps, cites
    )  # fmt: skip
    _texts(sc, inner, some, token)
    return some


def _count(sc: Scope, count: S.Expr) -> tuple[C.Expr, C.Expr]:
    if isinstance(count, S.Binary) and count.op == "..":
        return expressions.need_int(sc, count.left), expressions.need_int(sc, count.right)
    number = expressions.need_int(sc, count)
    return number, number


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
        hint = "ask for them one by one in a loop"
        r.error("RW0817", at, message, expected=f"at most {MAX_SOME}", hint=hint)
    elif most < 1 or (bounds(low.type)[0] or 0) > most:
        r.error("RW0602", at, "a choice of none", expected="at least one, the smaller number first")
    elif stmt.secret:
        r.error(
            "RW0216", at, "several at once can't be chosen in secret",
            hint="name each of them: choose a in …, b in … by p as … secretly, where a < b",
        )  # fmt: skip
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
        alone = None if stmt.others is None else token
        some.say = texts.check_text(inner, stmt.say, alone)
    if stmt.others is not None:
        some.others = texts.check_text(inner, stmt.others, None)
    if stmt.else_say is not None:
        some.else_say = texts.check_text(sc, stmt.else_say, None)
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


def _steps(sc: Scope, some: _Some, step: int) -> list[C.Stmt]:
    """The decision of a step, and all that follows from it."""
    if step > some.most:
        return [C.SLet(some.whole, some.chosen(some.most), some.span, some.cites)]
    stmt, local = some.stmt, some.steps[step - 1]
    may_stop = some.word is not None and step > some.least
    where: list[C.Condition] = []
    order = some.in_order(step)
    if step > 1:
        where.append(
            C.Condition(order, "it comes after those chosen before", some.span, some.cites)
        )
    text = " and ".join(c.text for c in some.conditions) or "so many can be chosen"
    cites = tuple(dict.fromkeys(x for c in some.conditions for x in c.cites)) or some.cites
    end = some.can_end(step)
    if not (isinstance(end, C.Const) and end.value):
        where.append(C.Condition(end, text, some.span, cites))
    stop_if = some.enough(step - 1) if may_stop else None
    if isinstance(stop_if, C.Const) and stop_if.value:
        stop_if = None
    label = stmt.label.text if some.most == 1 else f"{stmt.label.text}.{step}"
    choice = C.SChoose(
        local, some.over, some.element, some.by, label, some.word if may_stop else None, False,
        stmt.if_any and step == 1, None, None, where, {}, some.span, some.cites, None, step < some.most, stop_if,
    )  # fmt: skip
    if step == some.most:
        choice.say = _told(some, some.say, step)
        choice.others = None if some.others is None else _told(some, some.others, step)
    if may_stop:
        choice.else_say = _told(some, some.say, step - 1)
        if step == 1 and some.else_say is not None:
            choice.else_say = some.else_say
    if choice.if_any:
        choices.public_options(sc, choice)
    rest = _steps(sc, some, step + 1)
    if not isinstance(local.type, OptT):
        return [choice, *rest]
    stopped = fold.op("is_none", (C.Use(local, local.type, some.span),), BOOL, some.span)
    so_far = C.SLet(some.whole, some.chosen(step - 1), some.span, some.cites)
    return [choice, C.SIf([(stopped, [so_far])], rest, some.span)]
