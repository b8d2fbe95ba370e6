"""Functions of the rules → the same in fewer steps, for engines in which no statement is counted.

var a = {}; for x in a few: a |= f(x); return a     →  return f(1) | f(2) | …
return union(x in many: f(x))                       →  var a = {}; for x in many: a |= f(x); return a
for s in Space: … owner[me] …                       →  let owner_here = owner[me]; for s in Space: … owner_here …
"""

from __future__ import annotations

import dataclasses

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.substitute import substitute
from rulewright.compiler.core.walk import free_locals
from rulewright.compiler.low.measure import few_of, weight
from rulewright.compiler.low.read_once import read_once
from rulewright.compiler.low.shared_tables import Tables

# what may be gathered in any grouping, with what changes nothing
_NOTHING = {"union": 0, "+": 0}
_MOST = 64


def shortened(tables: Tables, f: C.Function) -> C.Function:
    """The function in fewer steps; the same when it is asked for again."""
    if id(f) not in tables.shorter:
        # what tries something out reads before and after it
        tables.shorter[id(f)] = (
            f if f.tries else read_once(_spelt_out(_gathered(f), tables), tables.fresh)
        )
    return tables.shorter[id(f)]


def _spelt_out(f: C.Function, tables: Tables) -> C.Function:
    """The function with the union that it gives back as a loop, which reads each cell and each column once."""
    last = f.body[-1] if f.body else None
    union = last.value if isinstance(last, C.SReturn) else None
    if not isinstance(union, C.Comp) or union.op != "union" or few_of(union.domain) is not None:
        return f
    found = C.Local("found", union.type, tables.fresh(), mutable=True)
    use = C.Use(found, union.type, union.span)
    joined = fold.op("union", (use, union.body[0]), union.type, union.span)
    each: list[C.Stmt] = [C.SLet(found, joined, union.span)]
    loop = C.SFor(union.var, union.domain, union.where, each, union.span)
    first = C.SLet(found, C.Const(0, union.type), union.span)
    assert isinstance(last, C.SReturn)
    body = [*f.body[:-1], first, loop, dataclasses.replace(last, value=use)]
    return dataclasses.replace(f, body=body)


def _gathered(f: C.Function) -> C.Function:
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
    members = few_of(each.domain)
    if not isinstance(step, C.SLet) or step.local is not first.local or members is None:
        return f
    match step.value:
        case C.Op(op, (C.Use(local), part)) if local is first.local and op in _NOTHING:
            pass
        case _:  # others: not the loop that is looked for
            return f
    if weight(part) * len(members) > _MOST or first.local.number in free_locals(part):
        return f
    result = first.value
    for k in members:
        more = substitute(part, {each.var.number: C.Const(k, each.var.type)})
        if isinstance(result, C.Const) and result.value == _NOTHING[op]:
            result = more
        else:
            result = fold.op(op, (result, more), step.value.type, step.span)
    return dataclasses.replace(f, body=[C.SReturn(result, last.span, last.cites)])
