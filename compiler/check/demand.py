"""Code that is asked for → its signature, or the whole of it checked; each once, when first needed."""

from __future__ import annotations

from rulewright.compiler.check import control, expressions, hooks, possible, statements
from rulewright.compiler.check.kinds import plain_type
from rulewright.compiler.check.scope import Ruleset, Scope
from rulewright.compiler.check.usage import too_deep
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import IntT, Type
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import Span

# ---------------------------------------------------------------- functions


def params_of(r: Ruleset, sc: Scope, params: tuple[S.Param, ...]) -> list[C.Local]:
    return [sc.declare(p.name, plain_type(r, p.type, "a parameter")) for p in params]


def function(r: Ruleset, name: str, span: Span) -> C.Function | None:
    """The checked function; None while it is being checked itself, which is recursion."""
    if name in r.checked_functions:
        return r.checked_functions[name]
    decl = r.functions[name]
    if name in r.active:
        cycle = [*r.active[r.active.index(name) :], name]
        r.error(
            "RW0820",
            span,
            f"the function calls itself: {' → '.join(cycle)}",
            hint="functions can't recurse, not through tables or hooks either; use a loop",
        )
        return None
    if len(r.active) >= possible.MAX_CALLS:
        too_deep(r, span, "functions", possible.MAX_CALLS)
        return None
    r.active.append(name)
    sc = Scope(r, pure=True, owner=name)
    params = params_of(r, sc, decl.params)
    result = plain_type(r, decl.result, "the result of a function")
    sc.result = result
    cites = r.cite(decl.cites)
    body = statements.check_block(sc, decl.body)
    if not control.block_leaves(decl.body):
        r.error(
            "RW0821",
            decl.name.span,
            f"the function {quoted(name)} may end without a value",
            hint="end it with return …, outside every condition and loop",
        )
    f = C.Function(
        name,
        params,
        _tight(result, body),
        body,
        decl.span,
        cites,
        sc.body.secrecy,
        sc.body.reads_state,
    )
    f = hooks.with_function_hooks(r, f, decl.is_open)
    r.active.pop()
    if name in r.checked_functions:
        return r.checked_functions[name]  # checked meanwhile, through possible(…) of what calls it
    r.checked_functions[name] = f
    r.all_functions.append(f)
    return f


def _tight(result: Type, body: list[C.Stmt]) -> Type:
    """`-> int` takes the bounds of what a one-line function returns."""
    if isinstance(result, IntT) and result.low is None and len(body) == 1:
        only = body[0]
        if (
            isinstance(only, C.SReturn)
            and only.value is not None
            and isinstance(only.value.type, IntT)
        ):
            return only.value.type
    return result


# ---------------------------------------------------------------- code in tables


def declare_code_columns(r: Ruleset) -> None:
    """Signatures of code columns; their bodies are checked when first needed."""
    for table in r.folder.tables.values():
        kind = r.kinds[table.name]
        for column in table.columns.values():
            if isinstance(column.type, S.CodeType):
                params = tuple(plain_type(r, p.type, "a parameter") for p in column.type.params)
                result = (
                    None
                    if column.type.result is None
                    else plain_type(r, column.type.result, "the result of a function")
                )
                kind.columns[column.name] = C.KindColumn(
                    column.name, None, [], None, params, result
                )


def ensure_code(r: Ruleset, kind: C.Kind, column: C.KindColumn) -> None:
    """Check the cells of a code column: functions wholly, procedures by their signature."""
    if column.code is not None:
        return
    column.code = []
    table = r.folder.tables[kind.name]
    decl = table.columns[column.name].type
    assert isinstance(decl, S.CodeType)
    for index, (member, row) in enumerate(table.rows.items()):
        cell = row.cells.get(column.name)
        this = C.Const(index, kind.type, row.span)
        name = code_name(r, f"{kind.name}_{column.name}_{member}")
        sc = Scope(r, pure=decl.is_function, owner=name, consts={"this": this})
        params = params_of(r, sc, decl.params)
        if cell is None or cell.code is None:
            column.code.append(None)
            continue
        cites = r.cite(row.cites)
        if decl.is_function:
            assert column.result is not None and not isinstance(cell.code, tuple)
            value = expressions.need(sc, cell.code, column.result)
            body: list[C.Stmt] = [C.SReturn(value, value.span, cites)]
            f = C.Function(
                name,
                params,
                column.result,
                body,
                cell.span,
                cites,
                sc.body.secrecy,
                sc.body.reads_state,
            )
            r.all_functions.append(f)
            column.code.append(f)
        else:
            p = C.Procedure(name, params, None, [], cell.span, cites)
            r.all_procedures.append(p)
            column.code.append(p)
            assert isinstance(cell.code, tuple)
            r.waiting[name] = (sc, tuple(s for s in cell.code if not isinstance(s, S.Hook)))


def code_name(r: Ruleset, wanted_name: str) -> str:
    """A name that no other code has: rows a.b and a-b, or a table A_b, may ask for the same."""
    base = wanted_name.replace(".", "_").replace("-", "_")
    taken = {x.name for x in r.all_code()} | r.functions.keys() | r.procedures.keys()
    name, n = base, 1
    while name in taken:
        n += 1
        name = f"{base}_{n}"
    return name


def ensure_body(r: Ruleset, p: C.Procedure) -> None:
    """Check a procedure's body if that was not done or begun yet."""
    if p.name not in r.waiting:
        return
    sc, block = r.waiting.pop(p.name)
    r.checking.add(p.name)
    p.body = statements.check_block(sc, block)
    r.checking.discard(p.name)
    decl = r.procedures.get(p.name)
    if decl is None or r.checked_procedures.get(p.name) is not p:
        return
    if p.result is not None and not control.block_leaves(block):
        r.error(
            "RW0821",
            decl.name.span,
            f"the procedure {quoted(p.name)} may end without a value",
            hint="end it with return …, outside every condition and loop",
        )
    hooks.with_procedure_hooks(r, p, decl.is_open)


# ---------------------------------------------------------------- procedures


def procedure(r: Ruleset, name: str) -> C.Procedure:
    """The procedure with its signature; its body is checked later."""
    if name in r.checked_procedures:
        return r.checked_procedures[name]
    decl = r.procedures[name]
    sc = Scope(r, pure=False, owner=name)
    params = params_of(r, sc, decl.params)
    result = (
        None if decl.result is None else plain_type(r, decl.result, "the result of a procedure")
    )
    sc.result = result
    p = C.Procedure(name, params, result, [], decl.span, r.cite(decl.cites))
    r.checked_procedures[name] = p
    r.all_procedures.append(p)
    r.waiting[name] = (sc, decl.body)
    return p
