"""Statements of the syntax tree → typed statements: scoping, purity, visibility, reachability."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check import (
    assign,
    calls,
    choices,
    control,
    demand,
    expressions,
    lists,
    operators,
    pieces,
    texts,
)
from rulewright.compiler.check.fitting import bad, item_type, needed, owner_token
from rulewright.compiler.check.kinds import plain_type
from rulewright.compiler.check.scope import BUILTINS, Scope
from rulewright.compiler.check.secrecy import must_be_public, public_args, public_run
from rulewright.compiler.check.type_wording import a, wanted
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BAD,
    BadT,
    GroupsT,
    IntT,
    KindT,
    MapT,
    NoneT,
    OptT,
    SetT,
    TextT,
    Type,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.print_syntax import print_expr
from rulewright.compiler.text.diagnostics import Related, nearest, quoted
from rulewright.compiler.text.source import Span


def check_block(sc: Scope, block: S.Block) -> list[C.Stmt]:
    """Typed statements; what follows a statement that always leaves is reported."""
    out: list[C.Stmt] = []
    left: S.Stmt | None = None
    reported = False
    for stmt in block:
        if left is not None and not reported:
            reported = True  # what else is wrong with the rest is told all the same
            sc.ruleset.error(
                "RW0804", stmt.span, "this is never reached", hint="remove it, or what leaves before it",
                related=[Related(left.span, "nothing goes on after this")],
            )  # fmt: skip
        out.extend(check_stmt(sc, stmt))
        if left is None and control.leaves(stmt):
            left = stmt
        _narrow_after(sc, stmt)
    return out


def _narrow_after(sc: Scope, stmt: S.Stmt) -> None:
    """What a statement that control has passed tells: after `if x is none: return` x is not none."""
    match stmt:
        case S.If(arms, other):
            for test, body in arms:
                if not control.block_leaves(body):
                    # a local that the body assigns may be none again
                    kept = all(sc.find(name) is None for name in control.assigned(body))
                    if len(arms) == 1 and control.block_leaves(other) and kept:
                        operators.narrow(sc, test, True)
                    return
                operators.narrow(sc, test, False)
        case S.While(test, body) if test is not None and not any(control.breaks(s) for s in body):
            operators.narrow(sc, test, False)
        case _:  # others: after them no more is known of a local than before
            pass


def check_stmt(sc: Scope, stmt: S.Stmt) -> list[C.Stmt]:
    r = sc.ruleset
    cites = r.cite(stmt.cites)
    match stmt:
        case S.Let(name, value, _, span):
            return _let(sc, name, value, span, cites)
        case S.Var(name, S.MapType(), value, _, span):
            return assign.check_map_var(sc, stmt, cites)
        case S.Var(name, type_, value, _, span):
            t = plain_type(r, type_, "a variable")
            first = None if value is None else expressions.need(sc, value, t)
            local = sc.declare(name, t, mutable=True)
            local.secrecy = C.join(None if first is None else first.secrecy, sc.secrecy)
            if (
                isinstance(t, OptT)
                and first is not None
                and not isinstance(first.type, OptT | NoneT)
            ):
                sc.narrowed[local.number] = t.base
            return [C.SLet(local, first or assign.zero_of(t, span), span, cites)]
        case S.Assign():
            return assign.check_assign(sc, stmt, cites)
        case S.Change():
            return lists.check_change(sc, stmt, cites)
        case S.If():
            return [control.check_if(sc, stmt, cites)]
        case S.For():
            return [control.check_for(sc, stmt, cites)]
        case S.While(test, body, _, span):
            return [control.check_while(sc, test, body, span, cites)]
        case S.Break(_, span) | S.Continue(_, span):
            word = "break" if isinstance(stmt, S.Break) else "continue"
            if sc.loop is None:
                r.error(
                    "RW0805",
                    span,
                    f"{word} outside a loop",
                    expected="for, while or loop around it",
                )
            sc.leave(word)
            return [C.SBreak(span) if isinstance(stmt, S.Break) else C.SContinue(span)]
        case S.Return(value, _, span):
            return [_return(sc, value, span, cites)]
        case S.Pass():
            return []
        case S.Run(call, _, span):
            return _run(sc, call, None, span, cites)
        case action:
            return _action(sc, action, cites)


def _action(sc: Scope, stmt: S.Action, cites: C.Cites) -> list[C.Stmt]:
    """Statements that a function may not hold."""
    r = sc.ruleset
    if sc.pure:
        # checked all the same: it declares names, and there may be more to tell
        r.error(
            "RW0801", stmt.span, f"a function can't {_verb(stmt)}",
            hint="functions only work things out; make this a procedure",
        )  # fmt: skip
    match stmt:
        case S.Require(test, _, span):
            return [C.SRequire(expressions.need_bool(sc, test), span, cites, print_expr(test))]
        case S.Choose():
            return choices.check_choose(sc, stmt, cites)
        case S.Either():
            return choices.check_either(sc, stmt, cites)
        case S.Roll(var, domain, _, span):
            over, element = expressions.need_domain(sc, domain)
            asked = choices.can_be_asked(sc, over, element, "chance", empty=False)
            must_be_public(sc, over, span, "rolling")
            fits = asked or isinstance(element, KindT)
            local = sc.declare(var, item_type(over, element) if fits else BAD)
            roll = C.SRoll(local, over, element, span, cites, stmt.say is not None)
            if stmt.seen is not None:
                _in_secret(sc, roll, stmt.seen)
            return [roll, *texts.chance_told(sc, stmt.say, span, roll.seen)]
        case S.Draw():
            return pieces.check_draw(sc, stmt, cites)
        case S.Deal():
            return pieces.check_deal(sc, stmt, cites)
        case S.Move():
            return pieces.check_move(sc, stmt, cites)
        case S.Shuffle():
            return pieces.check_shuffle(sc, stmt, cites)
        case S.Put():
            return pieces.check_put(sc, stmt, cites)
        case S.Take():
            return pieces.check_take(sc, stmt, cites)
        case S.Show():
            return pieces.check_show(sc, stmt, cites)
        case S.Score(amount, player, reason, _, span):
            return _score(sc, amount, player, reason, span, cites)
        case S.Reset(moment, _, span):
            return _reset(sc, moment, span, cites)
        case S.Tell(text, to, _, span):
            who = None if to is None else expressions.need(sc, to, r.kinds["Player"].type)
            token = None if who is None else owner_token(who)
            said = texts.check_text(sc, text, token)
            if who is not None and who.secrecy is not None:
                must_be_public(sc, who, span, "telling it")
            elif not C.sees(token, sc.secrecy) or (
                sc.together is not None and token != sc.together
            ):
                must_be_public(sc, None, span, "telling this")
            return [C.STell(said, who, span, cites)]
        case _:
            assert_never(stmt)


def _in_secret(sc: Scope, roll: C.SRoll, seen: S.Expr) -> None:
    """One seat alone sees what is rolled: for the others it is as if that seat had chosen it."""
    by = expressions.need(sc, seen, sc.ruleset.kinds["Player"].type)
    token = owner_token(by)
    must_be_public(sc, by, roll.span, "rolling")
    if token == C.NOBODY and not isinstance(by.type, BadT):
        sc.ruleset.error(
            "RW0707", seen.span, "who sees a roll needs a fixed name",
            expected="a parameter or a variable that is never assigned again",
        )  # fmt: skip
    local = roll.var
    roll.seen, local.secrecy = by, token
    local.chosen_by = C.SChoose(
        local, roll.domain, roll.element, by, "", None, True, False, None, None, [], span=roll.span
    )


def _verb(stmt: S.Action) -> str:
    words = {
        S.Choose: "ask anyone", S.Either: "ask anyone", S.Roll: "roll", S.Draw: "draw", S.Deal: "deal",
        S.Move: "move pieces", S.Shuffle: "shuffle", S.Score: "score", S.Reset: "reset state", S.Tell: "tell the story",
        S.Require: "require anything",
    }  # fmt: skip
    return words.get(type(stmt), "change anything")


def _let(sc: Scope, name: S.Name, value: S.Expr, span: Span, cites: C.Cites) -> list[C.Stmt]:
    if isinstance(value, S.Call) and not sc.pure and _is_procedure_call(sc, value):
        return _run(sc, value, name, span, cites)
    got = expressions.check_expr(sc, value)
    if isinstance(got, C.ZoneUse) or isinstance(got.type, MapT | GroupsT):
        sc.ruleset.error(
            "RW0629",
            got.span,
            f"{a(got.type)} can't be kept in a local",
            hint="name the part that is needed",
        )
        got = bad(span)
    if isinstance(got.type, TextT):
        sc.ruleset.error(
            "RW0629",
            got.span,
            "a text can't be kept in a local",
            hint="write it where it is told: {…}",
        )
        got = bad(span)
    if isinstance(got, C.Range):
        sc.ruleset.error(
            "RW0629",
            got.span,
            "a range can't be kept in a local",
            hint="write it where it is gone over: for x in 1 .. 6",
        )
        got = bad(span)
    if isinstance(got.type, NoneT):
        sc.ruleset.error(
            "RW0620", got.span, "none of what?", hint="give it a type: var x: Player or none = none"
        )
        got = bad(span)
    t: Type = got.type
    if isinstance(got, C.Const) and isinstance(t, IntT):
        t = IntT(t.low, t.high)
    local = sc.declare(name, t)
    local.secrecy = C.join(got.secrecy, sc.secrecy)
    return [C.SLet(local, got, span, cites)]


def _is_procedure_call(sc: Scope, call: S.Call) -> bool:
    r = sc.ruleset
    name = call.func.name if isinstance(call.func, S.Ref) else None
    return name in r.procedures and name not in r.functions


def _run(
    sc: Scope, call: S.Expr, result: S.Name | None, span: Span, cites: C.Cites
) -> list[C.Stmt]:
    r = sc.ruleset
    match call:
        case S.Call(S.Ref(name), args, _):
            if name in r.functions or (name in BUILTINS and name not in r.procedures):
                r.used.add(name)
                r.error(
                    "RW0806",
                    span,
                    f"{quoted(name)} is a function; calling it here does nothing",
                    hint="use its result, or remove the call",
                )
                expressions.check_expr(sc, call)
                return []
            if name not in r.procedures:
                for arg in args:
                    expressions.check_expr(sc, arg)
                r.unknown(name, call.func.span, "procedure", [*r.procedures, *r.functions])
                return []
            r.used.add(name)
            if sc.pure:
                r.error(
                    "RW0801",
                    span,
                    "a function can't run a procedure",
                    hint="functions only work things out; make this a procedure, or call a function",
                )
            public_run(sc, span)
            p = demand.procedure(r, name)
            values = calls.check_args(
                sc,
                args,
                tuple(x.type for x in p.params),
                span,
                quoted(name),
                r.procedures[name].params,
            )
            public_args(sc, values)
            local = _result_local(sc, p, result, span)
            return [C.SRun(p, None, None, None, values, local, span, cites)]
        case S.Call(S.Attr(base, member), args, _):
            owner = expressions.check_expr(sc, base)
            found = calls.code_column(sc, owner, member, want_function=False)
            if found is None:
                return []
            kind, column = found
            if sc.pure:
                r.error(
                    "RW0801",
                    span,
                    "a function can't run a procedure",
                    hint="functions only work things out; make this a procedure",
                )
            public_run(sc, span)
            values = calls.check_args(sc, args, column.params, span, f"{kind.name}.{member.text}")
            public_args(sc, (owner, *values))
            return [C.SRun(None, kind, column, owner, values, None, span, cites)]
        case _:  # others: refused below
            pass
    r.error("RW0807", span, "this does nothing", expected="a call of a procedure")
    return []


def _result_local(sc: Scope, p: C.Procedure, result: S.Name | None, span: Span) -> C.Local | None:
    if result is None:
        return None
    if p.result is None:
        sc.ruleset.error(
            "RW0808",
            span,
            f"{quoted(p.name)} gives nothing back",
            hint="declare its result: procedure … -> type",
        )
        return sc.declare(result, IntT())
    return sc.declare(result, p.result)


# ---------------------------------------------------------------- control


def _return(sc: Scope, value: S.Expr | None, span: Span, cites: C.Cites) -> C.Stmt:
    r = sc.ruleset
    if sc.result is None:
        if value is not None:
            r.error(
                "RW0814",
                value.span,
                f"{quoted(sc.owner)} is declared to give nothing back",
                hint="declare its result: procedure … -> type",
            )
            expressions.check_expr(sc, value)
        sc.leave("return")
        return C.SReturn(None, span, cites)
    if value is None:
        r.error("RW0815", span, "a value is missing after return", expected=wanted(sc.result))
        return C.SReturn(bad(span), span, cites)
    got = expressions.need(sc, value, sc.result)
    sc.body.secrecy = C.join(sc.body.secrecy, C.join(got.secrecy, sc.secrecy))
    if not sc.pure and C.join(got.secrecy, sc.secrecy) is not None:
        must_be_public(sc, got, span, "giving this back")
    sc.leave("return")
    return C.SReturn(got, span, cites)


def _score(
    sc: Scope, amount: S.Expr, player: S.Expr, reason: S.Name, span: Span, cites: C.Cites
) -> list[C.Stmt]:
    r = sc.ruleset
    points = expressions.need_int(sc, amount)
    everyone = r.kinds["Participant"].type
    who = needed(sc, expressions.check_expr(sc, player, everyone), everyone)
    must_be_public(sc, points if points.secrecy is not None else who, span, "scoring")
    if reason.text not in r.folder.game.reasons:
        r.unknown(reason.text, reason.span, "reason", r.folder.game.reasons)
        r.used.add(f"reason:{nearest(reason.text, r.folder.game.reasons)}")
    r.used.add(f"reason:{reason.text}")
    return [C.SScore(points, who, reason.text, span, cites)]


def _reset(sc: Scope, moment: S.Name, span: Span, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    moments = {v.resets for v in r.state.values() if v.resets is not None}
    if moment.text not in moments:
        r.unknown(moment.text, moment.span, "moment", sorted(moments))
        r.used.add(f"moment:{nearest(moment.text, moments)}")
        return []
    must_be_public(sc, None, span, "a reset")
    r.used.add(f"moment:{moment.text}")
    out: list[C.Stmt] = []
    for var in r.state.values():
        if var.resets == moment.text:
            out.extend(_reset_var(r_local=sc, var=var, span=span, cites=cites))
    return out


def _reset_var(r_local: Scope, var: C.StateVar, span: Span, cites: C.Cites) -> list[C.Stmt]:
    """Assignments that give a variable its first value, with loops over the keys of maps."""
    t: Type = var.type
    loops: list[C.Local] = []
    while isinstance(t, MapT):
        loops.append(r_local.ruleset.local("key", t.key))
        t = t.value
    first = var.first if var.first is not None else assign.zero_of(t, span)
    keys = tuple(C.Use(x, x.type, span) for x in loops)
    stmt: C.Stmt = C.SAssign(C.Read(var, keys, t, span), "", first, span, cites)
    for local in reversed(loops):
        assert isinstance(local.type, KindT | IntT)
        domain = C.Const(fold.full_mask(local.type), SetT(local.type), span)
        stmt = C.SFor(local, domain, None, [stmt], span, cites)
    return [stmt]
