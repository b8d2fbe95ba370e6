"""After checking a ruleset: recursion, what is never used, and where citations are missing."""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.check.scope import Ruleset
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import callees_first, calls_of
from rulewright.compiler.read.folder import Table
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import did_you_mean, nearest, quoted
from rulewright.compiler.text.source import Span

MAX_CALLS = 60  # of procedures inside procedures


def code_names(r: Ruleset) -> dict[str, str]:
    """The names of the code in tables as people know it."""
    return {
        code.name: f"{kind.name}.{column.name} of {member}"
        for kind in r.kinds.values()
        for column in kind.columns.values()
        for code, member in zip(column.code or (), kind.members, strict=False)
        if code is not None
    }


def check_recursion(r: Ruleset) -> bool:
    """Procedures may not call themselves, through others, hooks or effects in tables either."""
    done: set[str] = set()
    shown = code_names(r)
    fine = True
    for p in r.all_procedures:
        fine = _visit(r, p, shown, done) and fine
    for p in r.all_procedures:
        _late(r, p.body, False)
    return fine and _check_depth(r)


def _late(r: Ruleset, stmts: list[C.Stmt], happened: bool) -> bool:
    """Report `require` where possible(…) does not look: after something has happened."""
    for s in stmts:
        match s:
            case C.SRequire(span=span):
                if happened:
                    r.error(
                        "RW0834", span, "`require` comes too late: something has happened before it",
                        hint="put it at the start of the procedure; use if here",
                    )  # fmt: skip
            case C.SLet() | C.STell():
                pass
            case C.SIf(arms, other):
                ends = [_late(r, body, happened) for _, body in arms]
                happened = _late(r, other, happened) and all(ends)
            case C.SFor(body=body) | C.SWhile(body=body):
                happened = _late(r, body, True)
            case (
                C.SAssign() | C.SBreak() | C.SChoose() | C.SContinue() | C.SDraw() | C.SMark() | C.SMove() | C.SPut()
                | C.SReturn() | C.SReveal() | C.SRoll() | C.SRun() | C.SScore() | C.SShow() | C.STake()
            ):  # fmt: skip
                happened = True
            case _:
                assert_never(s)
    return happened


def _visit(r: Ruleset, start: C.Procedure, shown: dict[str, str], done: set[str]) -> bool:
    """False when a circle was found and told."""
    # an explicit stack: a chain of calls may be as long as the spec
    stack: list[tuple[C.Procedure, list[tuple[C.Procedure, Span]]]] = []
    on_path: dict[str, int] = {}
    fine = True
    if start.name in done:
        return True
    stack.append((start, calls_of(start)))
    on_path[start.name] = 0
    while stack:
        p, rest = stack[-1]
        if not rest:
            stack.pop()
            on_path.pop(p.name, None)
            done.add(p.name)
            continue
        callee, span = rest.pop()
        if callee.name in on_path:
            circle = [q.name for q, _ in stack[on_path[callee.name] :]] + [callee.name]
            names = " → ".join(shown.get(n, n) for n in circle)
            what = (
                "the procedure calls itself"
                if len(circle) == 2
                else "procedures call each other in a circle"
            )
            r.error(
                "RW0826",
                span,
                f"{what}: {names}",
                hint="procedures can't recurse, not through hooks or effects in tables either; use a loop",
            )
            done.add(callee.name)
            fine = False
        elif callee.name not in done:
            on_path[callee.name] = len(stack)
            stack.append((callee, calls_of(callee)))
    return fine


def _check_depth(r: Ruleset) -> bool:
    """Procedures may call others only so deep: laid into each other, or one on the other when they run."""
    depths: dict[int, int] = {}
    for p in callees_first(r.all_procedures):
        depth = 1 + max((depths.get(id(q), 0) for q, _ in calls_of(p)), default=0)
        depths[id(p)] = depth
        if depth > MAX_CALLS:
            too_deep(r, p.span, "procedures", MAX_CALLS)
            return False
    return True


def too_deep(r: Ruleset, span: Span, what: str, limit: int) -> None:
    r.error(
        "RW0836", span, f"{what} call each other more than {limit} levels deep",
        hint="let one of them do the work of several",
    )  # fmt: skip


_IN_RULES = 'add @clause.id, @assumed("why") or @stand-in("why")'
_IN_TABLES = 'add cite: clause.id, assumed: "why" or stand-in: "why"'


def check_usage(r: Ruleset) -> None:
    _clauses(r)
    if r.folder.clauses:
        _missing(r)
    _unused(r)


def _clauses(r: Ruleset) -> None:
    if not r.folder.clauses:
        return
    known = r.folder.clauses
    covered = {c.text for c in r.folder.variant_cites} | set(r.folder.overruled)
    cited = [(clause, span) for clause, spans in r.cited.items() for span in spans]
    for text, span in (*cited, *((absent.clause, absent.span) for absent in r.folder.absent)):
        covered.add(text)
        if text not in known:
            covered.add(nearest(text, known) or text)
            r.error(
                "RW0901", span, f"there is no clause {quoted(text)}", hint=did_you_mean(text, known)
            )
    for clause in known.values():
        if clause.id not in covered and not clause.example:
            r.problems.warning(
                "RW0903", clause.span, f"nothing cites the clause {quoted(clause.id)}",
                hint="cite it where it is carried out, or list it under absent: in game.yaml",
            )  # fmt: skip


def _missing(r: Ruleset) -> None:
    def need(cites: S.Cites, span: Span, what: str, hint: str = _IN_RULES) -> None:
        if not cites:
            r.error("RW0902", span, f"{what} has no citation", hint=hint)

    for decl in r.folder.decls:
        match decl:
            case (
                S.Function(name)
                | S.Procedure(name)
                | S.StateVar(name)
                | S.Invariant(name)
                | S.Pieces(name)
            ):
                need(decl.cites, name.span, quoted(name.text))
            case S.Hook(target=target):
                need(decl.cites, target.span, f"the hook on {quoted(target.text)}")
            case S.Outcome(span=span) | S.Together(span=span):
                need(decl.cites, span, "the outcome")
            case S.Heuristic():
                pass
    for table in r.folder.tables.values():
        if table.each is not None:
            # rows that are made rest on what the table rests on; the cells of a grid are places
            if table.grid is None:
                need(table.cites, table.span, f"the table {table.name}", _IN_TABLES)
            continue
        for row in table.rows.values():
            need(row.cites, row.span, f"the row {quoted(row.name)} of {table.name}", _IN_TABLES)
    for constant in r.folder.constants.values():
        need(constant.cites, constant.span, f"the constant {quoted(constant.name)}", _IN_TABLES)


def _by_name_only(r: Ruleset, table: Table) -> bool:
    """Whether a member of the table can only come into play where it is named."""
    own = S.NamedType(table.name)
    hooks = any(isinstance(column.type, S.HookType) for column in table.columns.values())
    pieces = any(family.kind.name == table.name for family in r.families.values())
    chosen = any(option.type == own for option in r.folder.options.values())
    return not (table.name in r.whole or table.each or hooks or pieces or chosen)


def _unused(r: Ruleset) -> None:
    """Warnings; the caller keeps those that hold in every ruleset of the folder."""
    for name, f in r.functions.items():
        if name not in r.used:
            r.problems.warning(
                "RW0827",
                f.name.span,
                f"the function {quoted(name)} is never called",
                hint="call it or remove it",
            )
    for name, p in r.procedures.items():
        if name not in r.used:
            r.problems.warning(
                "RW0828",
                p.name.span,
                f"the procedure {quoted(name)} is never called",
                hint="call it or remove it",
            )
    for name, var in r.state.items():
        if name not in r.used and not var.builtin:
            r.problems.warning("RW0829", var.span, f"the state {quoted(name)} is never used")
    moments = {key.removeprefix("moment:") for key in r.used if key.startswith("moment:")}
    for name, var in r.state.items():
        if var.resets is not None and var.resets not in moments:
            r.problems.warning(
                "RW0840", var.span, f"{quoted(name)} is never reset: no rule says `reset {var.resets}`",
                hint=did_you_mean(var.resets, moments) or f"write `reset {var.resets}` where that moment comes, or take the words away here",
            )  # fmt: skip
    for table in r.folder.tables.values():
        used_member = any(m in r.used for m in table.rows)
        if table.name not in r.used and not used_member:
            r.problems.warning(
                "RW0830", table.span, f"the table {quoted(table.name)} is never used"
            )
        elif not r.problems.has_errors and _by_name_only(r, table):
            for index, row in enumerate(table.rows.values()):
                # the first one is what state begins with
                if index and (table.name, index) not in r.named:
                    r.problems.warning(
                        "RW0838", row.span, f"nothing can use the row {quoted(row.name)}: no rule goes over {table.name}, and none names it",
                        hint="name it in a rule or a cell, or remove it",
                    )  # fmt: skip
    for name, constant in r.folder.constants.items():
        if name not in r.used:
            r.problems.warning(
                "RW0831", constant.span, f"the constant {quoted(name)} is never used"
            )
    for name, option in r.folder.options.items():
        if name not in r.used:
            r.problems.warning("RW0831", option.span, f"the option {quoted(name)} is never read")
    for name in r.folder.game.reasons:
        if f"reason:{name}" not in r.used:
            span = r.folder.game.reason_spans.get(name, r.folder.game.span)
            r.problems.warning("RW0832", span, f"nothing is scored for {quoted(name)}")
