"""choose and either → single typed decisions; joint choices become steps that can always be completed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from rulewright.compiler.check import choose_some, expressions, statements, texts
from rulewright.compiler.check.fitting import item_type, mates, owner_token
from rulewright.compiler.check.kinds import can_be_none
from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import hidden_part
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import BAD, BOOL, BadT, IntT, KindT, OptT, SetT, count_of
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_expr
from rulewright.compiler.text.diagnostics import Related, quoted
from rulewright.compiler.text.source import Span

MAX_OPTIONS = 2000


def check_choose(sc: Scope, stmt: S.Choose, cites: C.Cites) -> list[C.Stmt]:
    if stmt.count is not None:
        return choose_some.check_some(sc, stmt, cites)
    r = sc.ruleset
    by = expressions.need(sc, stmt.by, r.kinds["Player"].type)
    token = owner_token(by)
    public_question(sc, by, stmt)
    label(sc, stmt.label)
    if stmt.otherwise is not None:
        r.words.add(stmt.otherwise.text)
    steps: list[tuple[C.Local, C.Expr, KindT | IntT]] = []
    inner = sc.child()
    step_says: list[C.Text | None] = []
    for (name, domain), said in zip_longest(stmt.vars, stmt.step_says):
        over, element = expressions.need_domain(inner, domain)
        visible_to(sc, over, token, "the domain")
        optional = stmt.otherwise is not None or stmt.if_any
        asked = can_be_asked(sc, over, element, "a choice", empty=optional)
        if not asked:
            # a member stays one: what is done with it below is not to blame
            element = element if isinstance(element, KindT) else IntT(0, 0)
        elif optional and not can_be_none(element):
            r.error(
                "RW0603",
                over.span,
                "without a choice the variable is none, but these numbers may be below 0",
                expected="a kind or a range from 0 up",
            )
        word_is_new(sc, stmt.otherwise, element)
        fits = asked or isinstance(element, KindT)
        local = inner.declare(name, item_type(over, element) if fits else BAD)
        mates(local, over)
        steps.append((local, over, element))
        # of the steps so far: what is chosen later is not known yet
        heard_by = token if stmt.secret else None
        step_says.append(None if said is None else texts.check_text(inner, said, heard_by))
    conditions = [condition(inner, w, token) for w in stmt.where]
    for local, _, element in steps:
        local.secrecy = token if stmt.secret else None
        if (
            (stmt.otherwise is not None or stmt.if_any)
            and local is steps[0][0]
            and not isinstance(local.type, BadT)
        ):
            local.type = OptT(element)
    if stmt.secret and token == C.NOBODY:
        r.error(
            "RW0707",
            stmt.by.span,
            "a secret choice needs a chooser with a fixed name",
            expected="a parameter or a variable that is never assigned again",
        )
    last = stmt.step_says[-1] if stmt.step_says else None
    if last is not None:
        r.error(
            "RW0216", last.span, "the last step has the text of the whole choice",
            hint="write it after the label: as label say \"…\"",
        )  # fmt: skip
    _lift(sc, inner, steps)
    out = _spell_out(sc, stmt, by, steps, conditions, inner, token, cites)
    told = {local.number: text for (local, _, _), text in zip(steps, step_says, strict=True)}
    for choice in _choices_in(out):
        if choice.var is not steps[-1][0]:
            choice.say, choice.more = told[choice.var.number], True
    return out


def _choices_in(stmts: list[C.Stmt]) -> Iterator[C.SChoose]:
    """The steps that a joint choice was spelt out into."""
    for s in stmts:
        if isinstance(s, C.SChoose):
            yield s
        elif isinstance(s, C.SIf):
            yield from _choices_in(s.arms[0][1])


def can_be_asked(sc: Scope, over: C.Expr, element: KindT | IntT, what: str, *, empty: bool) -> bool:
    """Whether a domain has an end that is known before play, not too far away; reports if not."""
    size = count_of(element)
    if isinstance(over.type, BadT):
        return True
    if size is None:
        sc.ruleset.error(
            "RW0816", over.span, f"{what} needs a domain with an end that is known before play",
            expected="a kind, a set or a range with known bounds", hint="e.g. 1 .. min(4, …)",
        )  # fmt: skip
        return False
    if size > MAX_OPTIONS:
        number = isinstance(element, IntT) and what == "a choice"
        parts = (
            "choose its parts in one choice: a in 0 .. 99, b in 0 .. 99 … where a * 100 + b <= …"
        )
        sc.ruleset.error(
            "RW0817", over.span, f"{what} among {size:,} values is too wide",
            expected=f"at most {MAX_OPTIONS:,}",
            hint=parts if number else None,
        )  # fmt: skip
        return False
    if size == 0 and isinstance(element, KindT):
        # the table without rows has been told of
        return False
    if not empty and (size == 0 or (isinstance(over, C.Const) and over.value in (0, ()))):
        sc.ruleset.error(
            "RW0602", over.span, f"{what} among nothing", expected="at least one value"
        )
        return False
    return True


def word_is_new(sc: Scope, word: S.Name | None, element: KindT | IntT) -> None:
    """The word after `or` must not also name one of the values."""
    if word is None or not isinstance(element, KindT):
        return
    kind = sc.ruleset.kinds.get(element.name)
    if kind is not None and word.text in kind.members:
        sc.ruleset.error(
            "RW0819",
            word.span,
            f"{quoted(word.text)} is also a member of {kind.name}",
            hint="use another word after `or`",
        )


def _lift(sc: Scope, inner: Scope, steps: list[tuple[C.Local, C.Expr, KindT | IntT]]) -> None:
    """The chosen variables go on living after the statement."""
    for local, _, _ in steps:
        sc.names[local.name] = local


def label(sc: Scope, name: S.Name) -> None:
    r = sc.ruleset
    if name.text in r.labels:
        r.error(
            "RW0818", name.span, f"the label {quoted(name.text)} is used twice",
            related=[Related(r.labels[name.text], "first used here")],
            hint="give each choice a label of its own",
        )  # fmt: skip
    r.labels[name.text] = name.span


def public_question(sc: Scope, by: C.Expr, stmt: S.Choose | S.Either) -> None:
    if sc.secrecy is not None or by.secrecy is not None:
        at = by.span if by.secrecy is not None else sc.secret_at
        sc.ruleset.error(
            "RW0708", stmt.span, "whether someone is asked is seen by all, but here it hangs on something hidden",
            hint="ask under a condition that all can see",
            related=() if at is None else [Related(at, "what it hangs on")],
        )  # fmt: skip
    if sc.together is not None and (
        isinstance(stmt, S.Either) or not stmt.secret or owner_token(by) != sc.together
    ):
        sc.ruleset.error(
            "RW0702",
            stmt.span,
            "choices made together are secret and each player's own",
            expected="choose … by the player that `together` goes over, secretly",
        )


def visible_to(sc: Scope, e: C.Expr, token: str, what: str) -> None:
    if not C.sees(token, e.secrecy):
        sc.ruleset.error(
            "RW0709",
            e.span,
            f"{what} would show the chooser {hidden_part(e)}",
            hint="let it depend on what the chooser sees, or reveal(…) it before",
        )


def condition(sc: Scope, where: S.Where, token: str) -> C.Condition:
    r = sc.ruleset
    test = expressions.need_bool(sc, where.test)
    visible_to(sc, test, token, "this condition")
    return C.Condition(test, print_expr(where.test), where.span, r.cite(where.cites))


def _spell_out(
    sc: Scope,
    stmt: S.Choose,
    by: C.Expr,
    steps: list[tuple[C.Local, C.Expr, KindT | IntT]],
    conditions: list[C.Condition],
    inner: Scope,
    token: str,
    cites: C.Cites,
) -> list[C.Stmt]:
    """One decision for each variable; each keeps to values from which the rest can be chosen."""
    out: list[C.Stmt] = []
    numbers = [local.number for local, _, _ in steps]
    last_needed = [_last_step(c.test, numbers) for c in conditions]
    for i, (local, over, element) in enumerate(steps):
        own = [c for c, last in zip(conditions, last_needed, strict=True) if last == i]
        later = [c for c, last in zip(conditions, last_needed, strict=True) if last > i]
        if i + 1 < len(steps):
            exists = _completion(steps[i + 1 :], later, i + 1, numbers, stmt.span)
            own = [*own, C.Condition(exists, "the rest can be chosen", stmt.span, cites)]
        first = i == 0
        name = stmt.label.text if len(steps) == 1 else f"{stmt.label.text}.{local.name}"
        choice = C.SChoose(
            local, over, element, by, name,
            stmt.otherwise.text if stmt.otherwise is not None and first else None,
            stmt.secret, stmt.if_any and first, None, None, own, {}, stmt.span, cites,
        )  # fmt: skip
        if first:
            choice.else_say = _declining(sc, stmt, token)
        if stmt.if_any and first:
            public_options(sc, choice)
        if i == len(steps) - 1:
            _texts(sc, inner, stmt, choice, token)
        out.append(choice)
        if stmt.secret:
            local.chosen_by = choice
            if len(steps) > 1:
                local.chosen_with = [x for x, _, _ in steps]
        if first and len(steps) > 1 and (stmt.otherwise is not None or stmt.if_any):
            rest = _spell_rest(
                sc, stmt, by, steps, conditions, inner, token, cites, last_needed, numbers
            )
            use = C.Use(local, local.type, stmt.span)
            for later_local, _, _ in steps[1:]:
                later_local.type = (
                    OptT(later_local.type)
                    if isinstance(later_local.type, KindT | IntT)
                    else later_local.type
                )
                out.append(C.SLet(later_local, C.Const(-1, later_local.type), stmt.span))
            out.append(
                C.SIf(
                    [
                        (
                            fold.op(
                                "not",
                                (fold.op("is_none", (use,), BOOL, stmt.span),),
                                BOOL,
                                stmt.span,
                            ),
                            rest,
                        )
                    ],
                    [],
                    stmt.span,
                )
            )
            return out
    return out


def _spell_rest(
    sc: Scope,
    stmt: S.Choose,
    by: C.Expr,
    steps: list[tuple[C.Local, C.Expr, KindT | IntT]],
    conditions: list[C.Condition],
    inner: Scope,
    token: str,
    cites: C.Cites,
    last_needed: list[int],
    numbers: list[int],
) -> list[C.Stmt]:
    out: list[C.Stmt] = []
    for i in range(1, len(steps)):
        local, over, element = steps[i]
        own = [c for c, last in zip(conditions, last_needed, strict=True) if last == i]
        later = [c for c, last in zip(conditions, last_needed, strict=True) if last > i]
        if i + 1 < len(steps):
            exists = _completion(steps[i + 1 :], later, i + 1, numbers, stmt.span)
            own = [*own, C.Condition(exists, "the rest can be chosen", stmt.span, cites)]
        choice = C.SChoose(
            local, over, element, by, f"{stmt.label.text}.{local.name}", None, stmt.secret, False,
            None, None, own, {}, stmt.span, cites,
        )  # fmt: skip
        if i == len(steps) - 1:
            _texts(sc, inner, stmt, choice, token)
        out.append(choice)
    return out


def _texts(sc: Scope, inner: Scope, stmt: S.Choose, choice: C.SChoose, token: str) -> None:
    if not isinstance(choice.var.type, BadT):
        inner.narrowed[choice.var.number] = choice.element  # the word after `or` has its own text
    if stmt.say is not None:
        alone = stmt.secret or stmt.others is not None  # else the others hear it too
        choice.say = texts.check_text(inner, stmt.say, token if alone else None)
    if stmt.others is not None:
        choice.others = texts.check_text(inner, stmt.others, None)


def _declining(sc: Scope, stmt: S.Choose | S.Either, token: str) -> C.Text | None:
    """What is told for the word after `or`; of a secret choice only the chooser hears it."""
    if stmt.else_say is None:
        return None
    heard_by = token if isinstance(stmt, S.Choose) and stmt.secret else None
    return texts.check_text(sc, stmt.else_say, heard_by)


def public_options(sc: Scope, choice: C.SChoose) -> None:
    for e in (choice.domain, *(c.test for c in choice.where)):
        if e.secrecy is not None:
            sc.ruleset.error(
                "RW0710",
                e.span,
                f"`if any` would show {hidden_part(e)}: all see whether someone is asked",
                hint="put a condition that all can see around the choice, and offer a word: or done",
            )
            return


def _last_step(e: C.Expr, numbers: list[int]) -> int:
    """The last of the variables that an expression uses: from then on it can be tested."""
    used = free_locals(e)
    return max((i for i, n in enumerate(numbers) if n in used), default=0)


def _completion(
    rest: list[tuple[C.Local, C.Expr, KindT | IntT]],
    conditions: list[C.Condition],
    index: int,
    numbers: list[int],
    span: Span,
) -> C.Expr:
    """any(b in D where …: any(c in E where …: true)): the later variables can be chosen."""
    local, over, _ = rest[0]
    own = [c.test for c in conditions if _last_step(c.test, numbers) == index]
    later = [c for c in conditions if _last_step(c.test, numbers) > index]
    body: C.Expr = fold.truth(True, span)
    if len(rest) > 1:
        body = _completion(rest[1:], later, index + 1, numbers, span)
    for test in reversed(own):
        body = fold.op("and", (test, body), BOOL, span)
    secrecy = C.join(over.secrecy, body.secrecy)
    # the step's own variable is bound here, before it is chosen
    return C.Comp("any", local, over, None, (body,), None, BOOL, span, secrecy)


# ---------------------------------------------------------------- menus


def check_either(sc: Scope, stmt: S.Either, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    by = expressions.need(sc, stmt.by, r.kinds["Player"].type)
    token = owner_token(by)
    public_question(sc, by, stmt)
    label(sc, stmt.label)
    names = [o.name.text for o in stmt.options]
    for i, option in enumerate(stmt.options):
        if option.name.text in names[:i]:
            first = stmt.options[names.index(option.name.text)].name.span
            r.error(
                "RW0819",
                option.name.span,
                f"the option {quoted(option.name.text)} is there twice",
                related=[Related(first, "first here")],
            )
    if stmt.otherwise is not None:
        r.words.add(stmt.otherwise.text)
        if stmt.otherwise.text in names:
            r.error(
                "RW0819",
                stmt.otherwise.span,
                f"{quoted(stmt.otherwise.text)} is also an option",
                hint="use another word after `or`",
            )
    kind = C.Kind(f"{stmt.label.text} menu", names, [n.replace("_", " ") for n in names], {})
    kind.columns = {}
    r.kinds.setdefault(kind.name, kind)
    element = kind.type
    optional = stmt.otherwise is not None or stmt.if_any
    local = r.local(stmt.label.text, OptT(element) if optional else element)
    use = C.Use(local, element, stmt.span)
    conditions: list[C.Condition] = []
    arms: list[tuple[C.Expr, list[C.Stmt]]] = []
    says: dict[int, tuple[C.Text | None, C.Text | None]] = {}
    for i, option in enumerate(stmt.options):
        this = fold.op("==", (use, C.Const(i, element)), BOOL, option.span)
        for where in option.where:
            c = condition(sc, where, token)
            only = fold.op(
                "or",
                (fold.op("!=", (use, C.Const(i, element)), BOOL, where.span), c.test),
                BOOL,
                where.span,
            )
            if isinstance(only, C.Op):
                only.secrecy = c.test.secrecy
            conditions.append(C.Condition(only, c.text, c.span, c.cites))
        own_cites = r.cite(option.cites)
        reader = None if option.others is None else token  # None: all hear it
        say = None if option.say is None else texts.check_text(sc, option.say, reader)
        others = None if option.others is None else texts.check_text(sc, option.others, None)
        says[i] = (say, others)
        body = statements.check_block(sc.child(), option.body)
        for s in body:
            s.cites = s.cites or own_cites
        arms.append((this, body))
    choice = C.SChoose(
        local, C.Const(fold.full_mask(element), SetT(element)), element, by, stmt.label.text,
        stmt.otherwise.text if stmt.otherwise is not None else None, False, stmt.if_any,
        None, None, conditions, says, stmt.span, cites, _declining(sc, stmt, token),
    )  # fmt: skip
    if stmt.if_any:
        public_options(sc, choice)
    return [choice, C.SIf(arms, [], stmt.span, cites)]
