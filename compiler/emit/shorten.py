"""Functions and loops of the rules → the same in fewer steps, for engines in which no statement is counted.

var a = {}; for x in a few: a |= f(x); return a  →  return f(1) | f(2) | …
for k in set(n): … only g(k) …                   →  a loop over the values of g, from a table
any(x in 1 .. n: true)                           →  1 <= n
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import Evaluator, NotConstant
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.types import BOOL, BoolT, IntT, KindT, ListT, MapT, SetT
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.emit.emit_words import weight
from rulewright.compiler.emit.layout import is_wide
from rulewright.compiler.emit.names import constant_name

if TYPE_CHECKING:
    from rulewright.compiler.emit.emit_expr import Body

# what may be gathered in any grouping, with what changes nothing
_NOTHING = {"union": 0, "+": 0}
_MOST = 64


def shorten(body: Body, f: C.Function) -> C.Function:
    """The function in fewer steps."""
    return _read_once(body, _gathered(body, f))


def _gathered(body: Body, f: C.Function) -> C.Function:
    """The function as one expression, where it gathers a result from a few known members."""
    if len(f.body) != 3:
        return f
    first, each, last = f.body
    if not (
        isinstance(first, C.SLet)
        and isinstance(each, C.SFor)
        and isinstance(last, C.SReturn)
        and isinstance(last.value, C.Use)
        and last.value.local is first.local
        and each.where is None
        and len(each.body) == 1
    ):
        return f
    step = each.body[0]
    members = body.few(each.domain)
    if not isinstance(step, C.SLet) or step.local is not first.local or members is None:
        return f
    match step.value:
        case C.Op(op, (C.Use(local), part)) if local is first.local and op in _NOTHING:
            pass
        case _:
            return f
    if weight(part) * len(members) > _MOST or _uses(part, first.local):
        return f
    result = first.value
    for k in members:
        more = substitute(part, {each.var.number: C.Const(k, each.var.type)})
        if isinstance(result, C.Const) and result.value == _NOTHING[op]:
            result = more
        else:
            result = fold.op(op, (result, more), step.value.type, step.span)
    return dataclasses.replace(f, body=[C.SReturn(result, last.span, last.cites)])


def _read_once(body: Body, f: C.Function) -> C.Function:
    """Cells of the state that a function looks at again and again are read into a local: it changes no state itself."""
    if not any(isinstance(s, C.SFor) for s in f.body):
        return f
    params = {p.number for p in f.params}
    found: dict[tuple[object, ...], list[C.Read]] = {}
    _cells(f.body, params, False, found)
    new: list[C.Stmt] = []
    changed: list[C.Stmt] = f.body
    for reads in found.values():
        first = reads[0]
        local = C.Local(f"{first.var.name}_here", first.type, body.tables.fresh())
        new.append(C.SLet(local, first, first.span))
        changed = _with_local(changed, first, C.Use(local, first.type, first.span))
    return dataclasses.replace(f, body=[*new, *changed]) if new else f


def _key(x: object, params: set[int]) -> tuple[object, ...] | None:
    """What tells a cell of the state from others, when it is the same all through a function."""
    if not isinstance(x, C.Read) or not x.keys or isinstance(x.type, ListT | MapT):
        return None
    parts: list[object] = [x.var.name]
    for key in x.keys:
        if isinstance(key, C.Use) and key.local.number in params:
            parts.append(("local", key.local.number))
        elif isinstance(key, C.Const):
            parts.append(key.value)
        else:
            return None
    return tuple(parts)


def _cells(
    x: object, params: set[int], inside: bool, found: dict[tuple[object, ...], list[C.Read]]
) -> None:
    """The cells that are looked at inside loops."""
    key = _key(x, params)
    if key is not None and isinstance(x, C.Read):
        if inside:
            found.setdefault(key, []).append(x)
        return
    if isinstance(x, C.SFor):
        _cells(x.domain, params, inside, found)
        _cells((x.where, x.body), params, True, found)
        return
    for part in x if isinstance(x, list | tuple) else [getattr(x, name) for name in _fields(x)]:
        _cells(part, params, inside, found)


def _with_local(x: Any, cell: C.Read, use: C.Use) -> Any:
    if isinstance(x, C.Read) and x.var is cell.var and _same_keys(x, cell):
        return use
    if isinstance(x, list | tuple):
        return type(x)(_with_local(part, cell, use) for part in x)
    changed = {name: _with_local(getattr(x, name), cell, use) for name in _fields(x)}
    return dataclasses.replace(x, **changed) if changed else x


def _same_keys(a: C.Read, b: C.Read) -> bool:
    return all(
        (isinstance(x, C.Use) and isinstance(y, C.Use) and x.local is y.local)
        or (isinstance(x, C.Const) and isinstance(y, C.Const) and x.value == y.value)
        for x, y in zip(a.keys, b.keys, strict=True)
    )


def _uses(e: C.Expr | None, local: C.Local) -> bool:
    return local.number in free_locals(e)


def some(e: C.Comp) -> C.Expr | None:
    """Whether a range holds anything at all, without a look at its members."""
    if e.op != "any" or e.where is not None or not isinstance(e.domain, C.Range):
        return None
    if e.body and not (isinstance(e.body[0], C.Const) and e.body[0].value):
        return None
    return fold.op("<=", (e.domain.low, e.domain.high), BOOL, e.span)


# ---------------------------------------------------------------- loops over what is looked up


def over_values(body: Body, s: C.SFor) -> tuple[str, C.SFor] | None:
    """A loop over a table's set whose variable only looks up one thing: the list of those things, and the loop over them."""
    if not body.inline or body.slot(s.var) is not None:
        return None
    seen: list[C.Call | C.Column] = []
    if not _look_ups((s.where, s.body), s.var, seen) or not seen:
        return None
    look = seen[0]
    if any(not _same(x, look) for x in seen) or not isinstance(look.type, IntT | KindT | SetT):
        return None
    if is_wide(look.type):
        return None
    rows = body.tables.rows_of(body, s.domain)
    if rows is None:
        return None
    name, items, index = rows
    try:
        values = [[_value(look, s.var, k) for k in row] for row in items]
    except NotConstant:
        return None
    word = look.function.name if isinstance(look, C.Call) else look.column.name
    text = f"[{', '.join(str(row) for row in values)}]"
    table = body.tables.add(f"{name}_{constant_name(word)}", text, "list[Ints]")
    local = C.Local(word, look.type, body.tables.fresh())
    use = C.Use(local, look.type, look.span)
    where = None if s.where is None else _replaced(s.where, s.var, use)
    inner = _replaced(s.body, s.var, use)
    return f"{table}[{index}]", C.SFor(local, s.domain, where, inner, s.span, s.cites)


def _value(look: C.Call | C.Column, var: C.Local, k: int) -> int:
    found = Evaluator().expr(look, {var.number: k})
    if not isinstance(found, int):
        raise NotConstant
    return found


def _is_look_up(x: object, var: C.Local) -> bool:
    match x:
        case C.Call(function, (C.Use(local),)):
            return local is var and not function.reads_state
        case C.Column(_, column, C.Use(local)):
            return local is var and not isinstance(column.type, ListT | BoolT)
    return False


def _same(a: C.Call | C.Column, b: C.Call | C.Column) -> bool:
    if isinstance(a, C.Call) and isinstance(b, C.Call):
        return a.function is b.function
    return isinstance(a, C.Column) and isinstance(b, C.Column) and a.column is b.column


_LEAVES = (C.Function, C.Procedure, C.Local, C.StateVar, C.Kind, C.KindColumn, C.Zone, C.Standing)


def _fields(x: object) -> list[str]:
    """The fields of a node of the typed tree, of which there may be more inside."""
    if type(x).__module__ != C.__name__ or isinstance(x, _LEAVES):
        return []
    return [f.name for f in dataclasses.fields(x)] if dataclasses.is_dataclass(x) else []


def _look_ups(x: object, var: C.Local, seen: list[C.Call | C.Column]) -> bool:
    """Whether the variable is used to look things up only; these are put into `seen`."""
    if isinstance(x, C.Call | C.Column) and _is_look_up(x, var):
        seen.append(x)
        return True
    if isinstance(x, C.Use):
        return x.local is not var
    parts = x if isinstance(x, list | tuple) else [getattr(x, name) for name in _fields(x)]
    return all(_look_ups(part, var, seen) for part in parts)


def _replaced(x: Any, var: C.Local, use: C.Use) -> Any:
    """A copy in which what is looked up with the variable is a local."""
    if _is_look_up(x, var):
        return use
    if isinstance(x, list | tuple):
        return type(x)(_replaced(part, var, use) for part in x)
    changed = {name: _replaced(getattr(x, name), var, use) for name in _fields(x)}
    return dataclasses.replace(x, **changed) if changed else x
