"""after(move(…): value) → a call of a function that runs the procedure, works the value out and leaves all as it was.

What a seat may know of the answer is what it may know of the arguments and of what the value reads. A procedure is tried out for all
positions, so it may not do what can't be taken back: ask, leave something to chance, or make something known.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check import calls, demand, expressions
from rulewright.compiler.check.fitting import bad
from rulewright.compiler.check.scope import Ruleset, Scope
from rulewright.compiler.check.type_wording import a
from rulewright.compiler.check.usage import code_names
from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import callees_first, calls_of, code_at
from rulewright.compiler.core.types import BadT, GroupsT, MapT, NoneT, TextT, Type
from rulewright.compiler.core.walk import expressions as parts
from rulewright.compiler.core.walk import expressions_in, free_locals, statements
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span


def check_after(sc: Scope, call: S.Expr, value: S.Expr, span: Span, want: Type | None) -> C.Expr:
    r = sc.ruleset
    sc.body.reads_state = True
    run = _run(sc, call)
    got = expressions.check_expr(sc, value, want)
    if isinstance(got, C.ZoneUse | C.Range) or isinstance(got.type, MapT | GroupsT | TextT | NoneT):
        r.error(
            "RW0629", got.span, f"{a(got.type)} can't be the value of after(…)",
            expected="a condition, number, member, set or list",
        )  # fmt: skip
        return bad(span)
    if run is None or isinstance(got.type, BadT):
        return bad(span)
    level = C.join(
        fold.secrecy_of((*run.args, got)), None if run.base is None else run.base.secrecy
    )
    sc.body.secrecy = C.join(sc.body.secrecy, level)
    used = {
        e.local.number: e.local for e in parts((run.base, *run.args, got)) if isinstance(e, C.Use)
    }
    params = [used[number] for number in sorted(free_locals(run.base, *run.args, got))]
    target = run.procedure.name if run.procedure is not None else f"{_column(run).name}"
    f = C.Function(
        demand.code_name(r, f"after_{target}"), params, got.type, [run, C.SReturn(got, got.span)], span,
        secrecy=level, reads_state=True, tries=True,
    )  # fmt: skip
    r.all_functions.append(f)
    r.tried.append((f, span))
    given = tuple(C.Use(x, sc.type_of(x), span, x.secrecy) for x in params)
    return C.Call(f, given, got.type, span, level)


def _column(run: C.SRun) -> C.KindColumn:
    assert run.column is not None
    return run.column


def _run(sc: Scope, call: S.Expr) -> C.SRun | None:
    """The procedure that is tried out, as a statement."""
    r = sc.ruleset
    match call:
        case S.Call(S.Ref(name), args, span) if name in r.procedures:
            r.used.add(name)
            p = demand.procedure(r, name)
            types = tuple(x.type for x in p.params)
            values = calls.check_args(
                sc, args, types, span, quoted(name), r.procedures[name].params
            )
            return C.SRun(p, None, None, None, values, None, span)
        case S.Call(S.Ref(name), _, span) if name not in r.functions:
            r.unknown(name, call.func.span, "procedure", r.procedures)
            return None
        case S.Call(S.Attr(base, member), args, span):
            owner = expressions.check_expr(sc, base)
            found = calls.code_column(sc, owner, member, want_function=False)
            if found is None:
                return None
            kind, column = found
            values = calls.check_args(sc, args, column.params, span, f"{kind.name}.{member.text}")
            return C.SRun(None, kind, column, owner, values, None, span)
        case _:  # others: nothing that can be tried out, which the message below says
            pass
    expressions.check_expr(sc, call)
    r.error(
        "RW0839", call.span, "this is not a call of a procedure",
        expected="what is done, then what holds after it, e.g. after(move_to(p, s): not attacked(p))",
    )  # fmt: skip
    return None


# ---------------------------------------------------------------- when all code is known


def check_tried(r: Ruleset) -> bool:
    """What is tried out can be taken back, and no answer asks for itself. Call it when procedures do not recurse."""
    fine = True
    for f, span in r.tried:
        targets = [p for p, _ in calls_of(C.Procedure(f.name, f.params, None, f.body, f.span))]
        for p in callees_first(targets):
            why = _beyond_undoing(p.body)
            if why is not None:
                shown = code_names(r)
                via = (
                    ""
                    if p in targets
                    else f", which {shown.get(targets[0].name, targets[0].name)} runs"
                )
                r.error(
                    "RW0839", span, f"{quoted(shown.get(p.name, p.name))} can't be tried out{via}: it {why}",
                    hint="put what only changes the state into a procedure of its own",
                )  # fmt: skip
                fine = False
                break
        else:
            if _reaches(f):
                r.error(
                    "RW0826", span, "after(…) asks for its own answer, through what it tries out or looks at",
                    hint="let the procedure, and what is asked after it, do without this condition",
                )  # fmt: skip
                fine = False
    return fine


def _beyond_undoing(body: list[C.Stmt]) -> str | None:
    """What in a procedure can't be taken back, in words."""
    for s in statements(body):
        match s:
            case C.SChoose(label=label):
                return f"asks for {quoted(label)}"
            case C.SDraw(look=look, all_look=all_look) if look is not None or all_look:
                return "makes something known"
            case C.SRoll() | C.SDraw():
                return "leaves something to chance"
            case C.SShow() | C.SReveal() | C.SMove(revealing=True):
                return "makes something known"
            case (
                C.SAssign() | C.SBreak() | C.SContinue() | C.SFor() | C.SIf() | C.SLet() | C.SMark() | C.SMove() | C.SPut()
                | C.SRequire() | C.SReturn() | C.SRun() | C.SScore() | C.STake() | C.STell() | C.SWhile()
            ):  # fmt: skip
                pass
            case _:
                assert_never(s)
    if any(isinstance(e, C.Reveal) for e in expressions_in(body)):
        return "makes something known"
    return None


def _reaches(start: C.Function) -> bool:
    """Whether working out a function comes back to it."""
    seen: set[int] = set()
    stack: list[C.Function | C.Procedure] = [start]
    while stack:
        code = stack.pop()
        for needed in _needed(code):
            if needed is start:
                return True
            if id(needed) not in seen:
                seen.add(id(needed))
                stack.append(needed)
    return False


def _needed(code: C.Function | C.Procedure) -> list[C.Function | C.Procedure]:
    out: list[C.Function | C.Procedure] = []
    for s in statements(code.body):
        if isinstance(s, C.SRun):
            out.extend([s.procedure] if s.procedure is not None else code_at(s.column, s.base))
    for e in expressions_in(code.body):
        match e:
            case C.Call(function):
                out.append(function)
            case C.CodeCall(column=column, base=base):
                out.extend(code_at(column, base))
            case C.CanRun(procedure, _, in_column, of_row):
                out.extend([procedure] if procedure is not None else code_at(in_column, of_row))
            case (
                C.Column() | C.Comp() | C.Const() | C.Op() | C.PieceRead() | C.Range() | C.Read() | C.Reveal() | C.Use()
                | C.ZoneUse()
            ):  # fmt: skip
                pass
            case _:
                assert_never(e)
    return out
