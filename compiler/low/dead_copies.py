"""A function → the same without locals that are only passed on.

let b = -1                                      state.build_b = -1
state.build_b = b               →               return turn_then()
return turn_then()

A local that nobody reads any more is not given a value, where working that out can't go wrong. The statements are gone through
from the last to the first with the locals that are still read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rulewright.compiler.low import program as L
from rulewright.compiler.low.walk_low import children, operands, statements

Live = frozenset[str]
_NOBODY: Live = frozenset()


def without_dead_copies(f: L.Function) -> L.Function:
    body, _ = _Copies().block(f.body, _NOBODY)
    return replace(f, body=body)


def _reads(s: L.Stmt) -> Live:
    found: set[str] = set()
    for e in operands(s):
        _add_locals(e, found)
    return frozenset(found)


def _add_locals(e: L.Expr, found: set[str]) -> None:
    if isinstance(e, L.Local):
        found.add(e.name)
        return
    for part in children(e):
        _add_locals(part, found)


def _plain(e: L.Expr) -> bool:
    """Whether working out an expression does nothing and can't go wrong."""
    match e:
        case L.Number() | L.Words() | L.Local() | L.Field() | L.TableUse():
            return True
        case L.Binary(op):
            return op in ("+", "-", "&", "|", "^") and all(map(_plain, children(e)))
        case L.Unary() | L.Compare() | L.Logic() | L.Not() | L.Pick():
            return all(map(_plain, children(e)))
        case (
            L.Item() | L.Has() | L.One() | L.Between() | L.Call() | L.Help() | L.ListOf() | L.Row() | L.Sentence()
        ):  # fmt: skip
            return False
        case _:
            assert_never(e)


class _Copies:
    def __init__(self) -> None:
        # what may be read where a loop goes on, and where it ends
        self.again: Live = _NOBODY
        self.after: Live = _NOBODY

    def block(self, body: tuple[L.Stmt, ...], live: Live) -> tuple[tuple[L.Stmt, ...], Live]:
        """The statements that are left, and the locals that they read before they give them a value."""
        out: list[L.Stmt] = []
        rest = list(body)
        while rest:
            s = rest.pop()
            match s:
                case L.Store(L.Field(), L.Local(name), "") if rest and name not in live:
                    before = rest[-1]
                    if isinstance(before, L.Let) and before.local.name == name:
                        rest.pop()
                        s = L.Store(s.place, before.value, "", s.at)
                case L.Let(L.Local(name), value) if name not in live and _plain(value):
                    continue
                case _:  # others: no copy of a local
                    pass
            s, live = self.stmt(s, live)
            out.append(s)
        return tuple(reversed(out)), live

    def stmt(self, s: L.Stmt, live: Live) -> tuple[L.Stmt, Live]:
        match s:
            case L.Let(L.Local(name)):
                return s, (live - {name}) | _reads(s)
            case L.If(test, body, other, at):
                new_body, live_body = self.block(body, live)
                new_other, live_other = self.block(other, live) if other else (other, live)
                live = live_body | live_other | _reads(s)
                return L.If(test, new_body, new_other, at), live
            case L.For(var, over, body, other, at):
                new_other, after = self.block(other, live)
                new_body, inside = self.loop(body, after, live)
                live = (inside - {var.name}) | after | live | _reads(s)
                return L.For(var, over, new_body, new_other, at), live
            case L.Loop(body, at):
                new_body, inside = self.loop(body, _NOBODY, live)
                return L.Loop(new_body, at), inside
            case L.Return() | L.Raise():
                return s, _reads(s)
            case L.Break():
                return s, self.after
            case L.Continue():
                return s, self.again
            case L.Store(L.Local(name), _, op) if op:
                return s, live | _reads(s) | {name}
            case L.Append() | L.Do() | L.Hit() | L.Let() | L.Mark() | L.Store() | L.Tell():
                pass
            case _:
                assert_never(s)
        return s, live | _reads(s)

    def loop(
        self, body: tuple[L.Stmt, ...], after: Live, broken: Live
    ) -> tuple[tuple[L.Stmt, ...], Live]:
        """The body of a loop, at the end of which all that the body reads may be read again."""
        kept = self.again, self.after
        inside = _NOBODY.union(*map(_reads, statements(body)))
        self.again, self.after = inside | after, broken
        found, live = self.block(body, self.again)
        self.again, self.after = kept
        return found, live | inside
