"""Statements of the syntax tree → typed statements: scoping, purity, visibility, reachability."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check import (
    calls,
    choices,
    choose_some,
    control,
    demand,
    expressions,
    lists,
    local_maps,
    operators,
    pieces,
    texts,
)
from rulewright.compiler.check.fitting import bad, item_type, needed, owner_token
from rulewright.compiler.check.habits import NAMES
from rulewright.compiler.check.kinds import check_type, plain_type
from rulewright.compiler.check.scope import BUILTINS, Scope
from rulewright.compiler.check.secrecy import may_write, must_be_public, public_args, public_run
from rulewright.compiler.check.wording import a, wanted
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BAD,
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    Type,
    ZoneT,
    same,
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
            return _map_var(sc, stmt, cites)
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
            return [C.SLet(local, first or zero_of(t, span), span, cites)]
        case S.Assign():
            return _assign(sc, stmt, cites)
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


def zero_of(t: Type, span: Span) -> C.Expr:
    """The first value of a type."""
    match t:
        case IntT(low, high):
            nearest = max(0, low or 0) if high is None else min(max(0, low or 0), high)
            return C.Const(nearest, t, span)
        case OptT():
            return C.Const(-1, t, span)
        case ListT():
            return C.Const((), t, span)
        case (
            BadT() | BoolT() | GroupsT() | KindT() | MapT() | NoneT() | RangeT() | SetT() | TextT() | ZoneT()
        ):  # fmt: skip
            pass
        case _:
            assert_never(t)
    return C.Const(0, t, span)


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
        case S.Call(S.Attr(base, name2), args, _):
            owner = expressions.check_expr(sc, base)
            found = calls.code_column(sc, owner, name2, want_function=False)
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
            values = calls.check_args(sc, args, column.params, span, f"{kind.name}.{name2.text}")
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


# ---------------------------------------------------------------- assignment


# an operation is an entry of a map of a function's own
Target = C.Read | C.PieceRead | C.Local | C.Op


def _is_new(sc: Scope, name: str) -> bool:
    """Whether nothing has such a name, nor one near it."""
    r = sc.ruleset
    known = {*sc.visible_names(), *r.functions, *r.procedures, *NAMES}
    return not r.problems.is_full and name not in known and nearest(name, known) is None


def assigned_to(sc: Scope, e: S.Expr, *, rows: bool = False) -> Target | None:
    """What can be given a value; anything else is told. With `rows` that may be a part of a map with all its entries."""
    r = sc.ruleset
    if isinstance(e, S.Ref):
        local = sc.find(e.name)
        if local is not None:
            if not local.mutable:
                r.error(
                    "RW0809",
                    e.span,
                    f"{quoted(e.name)} can't be assigned",
                    expected="a variable declared with var",
                    hint="write: var x: … = … where it begins",
                )
            if local.map is not None:
                r.error(
                    "RW0812", e.span, "a whole map can't be assigned", hint="assign one entry, or go over its keys"
                )  # fmt: skip
                return None
            return local
    if isinstance(e, S.Attr):
        base = expressions.check_expr(sc, e.base)
        got = expressions.attribute(sc, base, e.name, e.span)
        if isinstance(got, C.PieceRead) and got.field not in ("value", "owner"):
            return got
        if isinstance(got, C.PieceRead):
            r.error(
                "RW0810", e.span, f"the {got.field} of a standing piece can't be assigned",
                hint="take the piece away and put another",
            )  # fmt: skip
        elif not isinstance(got.type, BadT):
            r.error(
                "RW0810", e.span, "what stands in a table can't be assigned",
                expected="state, a variable or a field of a standing piece",
            )  # fmt: skip
        return None
    if isinstance(e, S.Ref) and _is_new(sc, e.name):
        hint = f"to begin it here, write: let {e.name} = …, or var {e.name}: … = … if it changes"
        r.error("RW0501", e.span, f"unknown name {quoted(e.name)}", hint=hint)
        return None
    got = expressions.check_expr(sc, e)
    if isinstance(got, C.Read):
        if got.var.name == "score" and got.var.builtin:
            r.error(
                "RW0811",
                e.span,
                "the score can't be assigned",
                hint="write: score 5 to p for reason",
            )
            return None
        if isinstance(got.type, MapT) and not (rows and got.keys):
            r.error(
                "RW0812",
                e.span,
                "a whole map can't be assigned",
                hint="assign one entry, or go over its keys",
            )
            return None
        return got
    if _is_entry(got):
        assert isinstance(got, C.Op)
        return got
    if isinstance(got, C.ZoneUse) or (isinstance(got, C.Op) and got.op == "zone_count"):
        r.error(
            "RW0813",
            e.span,
            "pieces are not assigned: they go from zone to zone",
            hint="write: move c from … to …",
        )
    elif not isinstance(got.type, BadT):
        what = "this"
        if isinstance(e, S.Ref):
            sort = "a constant" if e.name in r.constants else a(got.type)
            what = f"{quoted(e.name)} is {sort}: it"
        r.error(
            "RW0810", e.span, f"{what} can't be assigned",
            expected="state or a variable declared with var",
        )  # fmt: skip
    return None


def _assign(sc: Scope, stmt: S.Assign, cites: C.Cites) -> list[C.Stmt]:
    r = sc.ruleset
    chosen = sc.find(stmt.value.name) if isinstance(stmt.value, S.Ref) else None
    op = stmt.op[:-1]
    several = chosen is not None and bool(chosen.steps) and not op
    target = assigned_to(sc, stmt.target, rows=several)
    if target is None:
        expressions.check_expr(sc, stmt.value, BAD)
        return []
    t = target.type
    if isinstance(target, C.Read) and isinstance(t, MapT) and chosen is not None:
        return choose_some.keep(sc, target, chosen, stmt, cites)
    sets = isinstance(t, SetT)
    if (
        op
        and not isinstance(t, BadT)
        and (op not in ("|&-" if sets else "+-") or not isinstance(t, SetT | IntT))
    ):
        expressions.check_expr(sc, stmt.value, t)
        expected = "a set before it" if op in "|&" else "a number before it"
        hint = None
        if sets:
            hint = "write: |= {…} to put members in, -= {…} to take them out"
        elif isinstance(t, ListT):
            hint = "write: append x to …, remove x from …, or give the list anew: x = [a, b]"
        r.error(
            "RW0617",
            stmt.span,
            f"{stmt.op} has no meaning for {a(t)}",
            expected=expected,
            hint=hint,
        )
        return []
    want: Type = IntT() if op and isinstance(t, IntT) else t
    value = expressions.check_expr(sc, stmt.value, want)
    if not (op in ("&", "-") and isinstance(value.type, SetT) and same(value.type, want)):
        value = needed(sc, value, want)  # what is only taken away or kept may be a wider set
    if isinstance(target, C.Local):
        target.secrecy = C.join(C.join(target.secrecy, value.secrecy), sc.secrecy)
        if op:
            use = C.Use(target, target.type, stmt.span, target.secrecy)
            # a type that is wrong itself has been told already
            name = (
                operators.SETS[op] if sets or op not in operators.NUMBERS else operators.NUMBERS[op]
            )
            value = fold.op(name, (use, value), target.type, stmt.span)
    elif isinstance(target, C.Op) and op:
        name = operators.SETS[op] if sets else operators.NUMBERS[op]
        value = fold.op(name, (target, value), target.type, stmt.span)
    return give(sc, target, op, value, stmt.span, cites)


def _map_var(sc: Scope, stmt: S.Var, cites: C.Cites) -> list[C.Stmt]:
    """var cost: map Quay to 0..99 = 9"""
    t = check_type(sc.ruleset, stmt.type)
    items = None
    if isinstance(t, MapT):
        items = local_maps.kept_in(sc, t, stmt.name, stmt.type.span)
    if items is None or not isinstance(t, MapT):
        if stmt.value is not None:
            expressions.check_expr(sc, stmt.value)
        sc.declare(stmt.name, BAD, mutable=True)
        return []
    first = None if stmt.value is None else expressions.need(sc, stmt.value, t.value)
    local = sc.declare(stmt.name, items, mutable=True)
    local.map = t
    local.secrecy = C.join(None if first is None else first.secrecy, sc.secrecy)
    value = local_maps.filled(items, first or zero_of(t.value, stmt.span), stmt.span)
    return [C.SLet(local, value, stmt.span, cites)]


def _is_entry(e: C.Expr) -> bool:
    """Whether it is an entry of a map of a function's own."""
    match e:
        case C.Op("entry", (C.Use(local), _)):
            return local.map is not None
        case _:  # others: kept elsewhere, or nowhere
            return False


def give(
    sc: Scope, target: Target, op: str, value: C.Expr, span: Span, cites: C.Cites
) -> list[C.Stmt]:
    """A value of the right type for what is assigned to, if it may be given to it."""
    if isinstance(target, C.Op):
        target, value = local_maps.with_entry(target, value, span)
    if isinstance(target, C.Local):
        target.secrecy = C.join(C.join(target.secrecy, value.secrecy), sc.secrecy)
        if isinstance(target.type, OptT):
            if isinstance(value.type, OptT | NoneT):
                sc.forget(target)
            else:
                sc.narrowed[target.number] = target.type.base
        return [C.SLet(target, value, span, cites)]
    if sc.pure:
        sc.ruleset.error(
            "RW0801",
            span,
            "a function can't change state",
            hint="functions only work things out; make this a procedure",
        )
        return []
    if isinstance(target, C.Read):
        for key in target.keys:
            if key.secrecy is not None and target.var.visible == "all":
                must_be_public(sc, key, span, f"assigning to {quoted(target.var.name)}")
        may_write(sc, target.var, target.keys, value, op, span)
    else:
        must_be_public(sc, value, span, f"changing {target.field}")
    return [C.SAssign(target, op, value, span, cites)]


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
    first = var.first if var.first is not None else zero_of(t, span)
    keys = tuple(C.Use(x, x.type, span) for x in loops)
    stmt: C.Stmt = C.SAssign(C.Read(var, keys, t, span), "", first, span, cites)
    for local in reversed(loops):
        assert isinstance(local.type, KindT | IntT)
        domain = C.Const(fold.full_mask(local.type), SetT(local.type), span)
        stmt = C.SFor(local, domain, None, [stmt], span, cites)
    return [stmt]
