"""A function → the same in fewer steps of an interpreter, statement by statement.

b = (if v != 6 then v else -1)                     if v == 6:
if b < 0: …; return                        →           …; return
                                                   b = v

m = SHOPS[n]                                       m = (SHOPS[n] & ~ (filled | foreign))
m &= ~ filled                              →
m &= ~ foreign

d = (((low * 6) >> 32) + 1)                        state.cast[((low * 6) >> 32)] += 1
state.cast[(d - 1)] += 1                   →

if back == 29: return then(s)                      return then(s)
return then(s)                             →

The parameter of a decision goes by the name that the rules have for it.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.low import program as L
from rulewright.compiler.low.folded import folded
from rulewright.compiler.low.lay_in import ends, renamed
from rulewright.compiler.low.walk_low import (
    expressions,
    expressions_in,
    map_bodies,
    map_children,
    map_operands,
    statements,
)

Block = tuple[L.Stmt, ...]
_NONE = L.number(-1)


def in_fewer_steps(f: L.Function) -> L.Function:
    if f.keeps:
        return f
    f = _named_params(f)
    return _named_params(replace(f, body=_Steps(f).block(f.body)))


def _named_params(f: L.Function) -> L.Function:
    """A parameter that is given another name has that name from the start."""
    for p in f.params:
        lets = [s.local for s in f.body if isinstance(s, L.Let) and s.value == p]
        if len(lets) == 1 and times_given(f, lets[0]) == 1 and times_given(f, p) == 0:
            name = L.Local(lets[0].name, p.type)
            body = tuple(s for s in f.body if not (isinstance(s, L.Let) and s.value == p))
            params = tuple(name if x is p else x for x in f.params)
            env: dict[str, L.Expr] = {p.name: name, name.name: name}
            f = replace(f, params=params, body=renamed(body, env))
    return f


def times_given(f: L.Function, local: L.Local) -> int:
    """How many statements give a local its value."""
    return sum(
        1
        for s in statements(f.body)
        if (isinstance(s, L.Let) and s.local.name == local.name)
        or (isinstance(s, L.For) and s.var.name == local.name)
        or (isinstance(s, L.Store) and isinstance(s.place, L.Local) and s.place.name == local.name)
    )


class _Steps:
    def __init__(self, f: L.Function) -> None:
        self.f = f
        self.reads: dict[str, int] = {}
        for e in expressions_in(f.body):
            if isinstance(e, L.Local):
                self.reads[e.name] = self.reads.get(e.name, 0) + 1

    def block(self, body: Block) -> Block:
        rest = [map_bodies(s, self.block) for s in body]
        out: list[L.Stmt] = []
        while rest:
            s = rest.pop(0)
            match s, rest:
                case L.Let(m, value), [
                    L.Store(L.Local() as place, more, "&"),
                    *_,
                ] if place.name == m.name and not _reads(more, m.name):
                    rest[0] = replace(s, value=folded(L.Binary("&", value, more, m.type)))
                case L.Let(d, L.Binary("+" | "-") as value), [
                    L.Store(L.Item()) as then,
                    *_,
                ] if self.only_there(d, value, then):
                    rest[0] = _put(then, d, value)
                case (
                    L.Let(c, L.Pick(L.Compare("!=", v, number), given, L.Number(-1))),
                    [L.If(L.Compare("<", L.Local(name), L.Number(0)), yes, ()) as test, *_],
                ) if name == c.name and ends(yes):
                    none = renamed(yes, {name: _NONE})
                    out.append(replace(test, test=L.Compare("==", v, number), body=none))
                    rest[0] = replace(s, value=given)
                case L.If(test, (L.Return(a),), ()), [L.Return(b), *_] if a == b and _plain(test):
                    pass
                case _:  # others: they stay
                    out.append(s)
        return tuple(out)

    def only_there(self, d: L.Local, value: L.Expr, then: L.Store) -> bool:
        """Whether a local that is a number more than something is read in the next statement alone, as a place."""
        return (
            isinstance(then.place, L.Item)
            and isinstance(then.place.index, L.Binary)
            and then.place.index.left == d
            and isinstance(then.value, L.Number)
            and self.reads.get(d.name) == 1
            and folded(replace(then.place.index, left=value))
            != replace(then.place.index, left=value)
        )


def _reads(e: L.Expr, name: str) -> bool:
    return any(isinstance(x, L.Local) and x.name == name for x in expressions((e,)))


def _plain(e: L.Expr) -> bool:
    return not any(isinstance(x, L.Call | L.Help | L.Item) for x in expressions((e,)))


def _put(s: L.Stmt, d: L.Local, value: L.Expr) -> L.Stmt:
    def put(e: L.Expr) -> L.Expr:
        return value if e == d else folded(map_children(e, put))

    return map_operands(s, put)
