"""Powers and hooks → the open functions and procedures they change, wrapped once at build time."""

from __future__ import annotations

from rulewright.compiler.check import expressions, statements
from rulewright.compiler.check.kinds import check_type
from rulewright.compiler.check.scope import BoundHook, Ruleset, Scope
from rulewright.compiler.check.type_wording import a, wanted
from rulewright.compiler.core import tree as C
from rulewright.compiler.core import walk
from rulewright.compiler.core.types import same
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import Related, quoted


def bind_hooks(r: Ruleset) -> None:
    """Collect the hooks of table rows, in the order of tables and rows, then those of rules files."""
    for table in r.folder.tables.values():
        kind = r.kinds[table.name]
        for column in table.columns.values():
            if not isinstance(column.type, S.HookType):
                continue
            owner = column.type.params[0].name.text if column.type.params else None
            for index, row in enumerate(table.rows.values()):
                cell = row.cells.get(column.name)
                code = cell.code if cell is not None and isinstance(cell.code, tuple) else ()
                for hook in [part for part in code if isinstance(part, S.Hook)]:
                    r.used.add(table.name)
                    this = C.Const(index, kind.type, row.span)
                    _add(r, BoundHook(hook, this, owner, column.type.when))
    for decl in r.folder.decls:
        if isinstance(decl, S.Hook):
            _add(r, BoundHook(decl, None, None, None))


def _add(r: Ruleset, bound: BoundHook) -> None:
    hook = bound.hook
    name = hook.target.text
    on_function = hook.when in ("on", "instead")
    pool: dict[str, S.Function] | dict[str, S.Procedure] = (
        r.functions if on_function else r.procedures
    )
    r.cite(hook.cites)
    if name not in pool:
        other = r.procedures if on_function else r.functions
        if name in other:
            is_, goes = (
                ("a procedure", "before or after")
                if on_function
                else ("a function", "on or instead")
            )
            r.used.add(name)
            r.error(
                "RW0833", hook.target.span, f"{quoted(name)} is {is_}: `{hook.when}` does not go with it", expected=goes,
                related=[Related(other[name].name.span, "declared here")],
            )  # fmt: skip
        else:
            r.unknown(name, hook.target.span, "function" if on_function else "procedure", pool)
        return
    decl = pool[name]
    if not decl.is_open:
        r.error(
            "RW0822", hook.target.span, f"{quoted(name)} is not open", hint="write `open` before it where it is declared",
            related=[Related(decl.name.span, "declared here")],
        )  # fmt: skip
    if len(hook.params) != len(decl.params):
        names = ", ".join(p.name.text for p in decl.params)
        r.error(
            "RW0823",
            hook.span,
            f"{quoted(name)} has {_parameters(len(decl.params))}, the hook names {len(hook.params)}",
            expected=f"{hook.when} {name}({names})",
        )
        return
    if bound.owner is not None and bound.owner not in [p.text for p in hook.params]:
        r.error(
            "RW0824",
            hook.span,
            f"the hook does not say which parameter is {quoted(bound.owner)}",
            hint=f"name one of its parameters {bound.owner}",
        )
        return
    others = [b for b in r.hooks.get(name, []) if b.hook.when == "instead"]
    if hook.when == "instead" and others:
        r.error(
            "RW0825", hook.span, f"two hooks replace the result of {quoted(name)}",
            related=[Related(others[0].hook.span, "the other one")],
            hint="only one can; use `on … : … result …` for the other, or one hook with a condition",
        )  # fmt: skip
    r.hooks.setdefault(name, []).append(bound)


def _parameters(n: int) -> str:
    return {0: "no parameters", 1: "1 parameter"}.get(n, f"{n} parameters")


def _scope(r: Ruleset, bound: BoundHook, params: list[C.Local], *, pure: bool) -> Scope:
    """The hook's names for the parameters of what it goes with."""
    sc = Scope(r, pure=pure, owner=bound.hook.target.text)
    for name, local in zip(bound.hook.params, params, strict=True):
        sc.names[name.text] = local
    if bound.this is not None:
        sc.consts["this"] = bound.this
    return sc


def _when(sc: Scope, bound: BoundHook) -> C.Expr | None:
    return None if bound.when is None else expressions.need_bool(sc, bound.when)


def with_function_hooks(r: Ruleset, f: C.Function, is_open: bool) -> C.Function:
    """f itself, or a function of the same name that works out f and then applies the hooks in order."""
    hooks = [b for b in r.hooks.get(f.name, []) if b.hook.when in ("on", "instead")]
    if not hooks or not is_open:
        return f
    base = C.Function(
        f"{f.name}_base", f.params, f.result, f.body, f.span, f.cites, f.secrecy, f.reads_state
    )
    r.all_functions.append(base)
    params = [r.local(p.name, p.type) for p in f.params]
    result_type = r.functions[f.name].result
    wide = check_type(r, result_type)
    result = r.local("result", wide, mutable=True)
    uses = tuple(C.Use(p, p.type, f.span) for p in params)
    body: list[C.Stmt] = [C.SLet(result, C.Call(base, uses, base.result, f.span), f.span)]
    secrecy, reads = f.secrecy, f.reads_state
    for bound in hooks:
        sc = _scope(r, bound, params, pure=True)
        sc.names["result"] = result
        test = _when(sc, bound)
        only = bound.hook.body[0]
        assert isinstance(only, S.Return) and only.value is not None
        value = expressions.need(sc, only.value, wide)
        change: C.Stmt = C.SLet(result, value, only.span, r.cite(bound.hook.cites))
        body.append(change if test is None else C.SIf([(test, [change])], [], bound.hook.span))
        reads = reads or sc.body.reads_state
        secrecy = C.join(secrecy, sc.body.secrecy)
    body.append(C.SReturn(C.Use(result, wide, f.span), f.span))
    if not same(wide, f.result):
        r.error("RW0601", f.span, f"the result is {a(f.result)}", expected=wanted(wide))
    return C.Function(f.name, params, wide, body, f.span, f.cites, secrecy, reads)


def with_procedure_hooks(r: Ruleset, p: C.Procedure, is_open: bool) -> None:
    """Put what hooks do before and after the procedure's own body."""
    hooks = [b for b in r.hooks.get(p.name, []) if b.hook.when in ("before", "after")]
    if not hooks or not is_open:
        return
    own = p.body
    if _returns(own):
        base = C.Procedure(
            f"{p.name}_base",
            [r.local(x.name, x.type) for x in p.params],
            p.result,
            own,
            p.span,
            p.cites,
        )
        # the body was checked with p's parameters: let the base keep them and give p new ones
        base.params, p.params = p.params, base.params
        r.all_procedures.append(base)
        uses = tuple(C.Use(x, x.type, p.span) for x in p.params)
        result = None if p.result is None else r.local("result", p.result)
        own = [C.SRun(base, None, None, None, uses, result, p.span)]
        tail: list[C.Stmt] = (
            [] if result is None else [C.SReturn(C.Use(result, result.type, p.span), p.span)]
        )
    else:
        tail = []
    before: list[C.Stmt] = []
    after: list[C.Stmt] = []
    for bound in hooks:
        sc = _scope(r, bound, p.params, pure=False)
        test = _when(sc, bound)
        if test is not None:
            sc.under(test.secrecy, test.span)
        body = statements.check_block(sc.child(), bound.hook.body)
        if _returns(body):
            r.error(
                "RW0837", bound.hook.span, f"a hook on {quoted(p.name)} can't return: it would end the procedure itself",
                hint="put what it does under a condition",
            )  # fmt: skip
        cites = r.cite(bound.hook.cites)
        out = before if bound.hook.when == "before" else after
        if test is None:
            out.extend(body)
        else:
            out.append(C.SIf([(test, body)], [], bound.hook.span, cites))
    p.body = [*before, *own, *after, *tail]


def _returns(stmts: list[C.Stmt]) -> bool:
    return any(isinstance(s, C.SReturn) for s in walk.statements(stmts))
