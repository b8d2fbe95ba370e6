"""A checked game → the same game, which notes beside hidden zones how many pieces of each kind all know to lie there.

    hand.known      for each owner and kind, how many lie there at least

Where pieces may leave such a zone unseen, `trace_places.py` notes more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from rulewright.compiler.core import fold
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.secret_choices import held_openly, is_public
from rulewright.compiler.core.trace_notes import Fresh, steady
from rulewright.compiler.core.types import BOOL, IntT, MapT, OptT, SetT, Type
from rulewright.compiler.text.source import NOWHERE


class Counts:
    """The variables of the notes, and the statements after those that move pieces."""

    def __init__(self, game: C.Game, fresh: Fresh, zones: list[C.Zone]) -> None:
        self.game = game
        self.fresh = fresh
        self.known = {id(z): self._note(z) for z in zones}

    def _note(self, z: C.Zone) -> C.StateVar:
        most = max(max(row, default=0) for row in z.family.copies)
        t: Type = MapT(z.family.kind, IntT(0, most))
        for key in reversed(z.keys):
            t = MapT(key, t)
        first = C.Const(0, IntT(0, most))
        return C.StateVar(
            f"{z.name}.known", t, "all", None, first, z.span, about=z.name, role="known"
        )

    def run(self) -> None:
        for p in self.game.procedures:
            p.body = self._block(p.body)
        self.game.state.extend(self.known.values())

    def _block(self, stmts: list[C.Stmt]) -> list[C.Stmt]:
        return [x for s in stmts for x in self._stmt(s)]

    def _stmt(self, s: C.Stmt) -> Iterator[C.Stmt]:
        match s:
            case C.SIf(arms, other):
                new = [(test, self._block(body)) for test, body in arms]
                yield replace(s, arms=new, other=self._block(other))
            case C.SFor(body=body) | C.SWhile(body=body):
                yield replace(s, body=self._block(body))
            case C.SMove(count, kind, source, target) if self._any(source, target):
                before: list[C.Stmt] = []
                a, b = self._settled(source, before), self._settled(target, before)
                if kind is None:
                    after = self._whole(a, b, before)
                else:
                    one = self._let("kind", kind, before)
                    many = C.Const(1, IntT(1, 1)) if count is None else count
                    many = self._let("count", many, before)
                    after = [*self._less(a, one, many), *self._more(b, one, many)]
                yield from (*before, s, *after)
            case C.SDraw(var, source, target) if self._any(source, target):
                before = []
                a, b = self._settled(source, before), self._settled(target, before)
                drawn = None if var is None else C.Use(var, var.type, secrecy=var.secrecy)
                many = C.Const(1, IntT(1, 1))
                yield from (*before, s, *self._less(a, drawn, many))
                if drawn is not None and source.zone.visible == "all":
                    yield from self._more(b, drawn, many)
            case C.SPut(value=value, source=source) if self._any(source):
                before = []
                a = self._settled(source, before)
                one = self._let("kind", value, before)
                yield from (*before, s, *self._less(a, one, C.Const(1, IntT(1, 1))))
            case C.SChoose():
                yield s
                yield from self._chosen(s)
            case (
                C.SAssign() | C.SBreak() | C.SContinue() | C.SDraw() | C.SLet() | C.SMark() | C.SMove() | C.SPut()
                | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll() | C.SRun() | C.SScore() | C.SShow() | C.STake()
                | C.STell()
            ):  # fmt: skip
                yield s
            case _:
                assert_never(s)

    def _any(self, *zones: C.ZoneUse) -> bool:
        return any(id(z.zone) in self.known for z in zones)

    def _let(self, name: str, e: C.Expr, out: list[C.Stmt]) -> C.Expr:
        """The value of an expression before the pieces go."""
        if steady((e,)):
            return e
        local = self.fresh(name, e.type)
        local.secrecy = e.secrecy
        out.append(C.SLet(local, e, e.span))
        return C.Use(local, e.type, secrecy=e.secrecy)

    def _settled(self, z: C.ZoneUse, out: list[C.Stmt]) -> C.ZoneUse:
        return replace(z, keys=tuple(self._let("whose", key, out) for key in z.keys))

    def _cell(self, z: C.ZoneUse, kind: C.Expr) -> C.Read:
        var = self.known[id(z.zone)]
        keys = (*z.keys, kind)
        t: Type = var.type
        for _ in keys:
            assert isinstance(t, MapT)
            t = t.value
        return C.Read(var, keys, t)

    def _less(self, z: C.ZoneUse, kind: C.Expr | None, many: C.Expr) -> list[C.Stmt]:
        """So many pieces have gone: of a kind that all know, or perhaps of any."""
        if id(z.zone) not in self.known:
            return []
        if kind is not None and is_public(kind):
            return [self._lowered(z, kind, many)]
        return self._each_kind(z, lambda k: [self._lowered(z, k, many)])

    def _lowered(self, z: C.ZoneUse, kind: C.Expr, many: C.Expr) -> C.Stmt:
        cell = self._cell(z, kind)
        enough = fold.op(">", (cell, many), BOOL, NOWHERE)
        less = fold.op("-", (cell, many), cell.type, NOWHERE)
        left = C.Op("if", (enough, less, C.Const(0, IntT(0, 0))), cell.type)
        return C.SAssign(cell, "", left, NOWHERE)

    def _more(self, z: C.ZoneUse, kind: C.Expr, many: C.Expr) -> list[C.Stmt]:
        if id(z.zone) not in self.known or not is_public(kind):
            return []
        return [C.SAssign(self._cell(z, kind), "+", many, NOWHERE)]

    def _whole(self, a: C.ZoneUse, b: C.ZoneUse, before: list[C.Stmt]) -> list[C.Stmt]:
        """All pieces of a zone go: with them what is known of them. What all see is counted before, what is noted after."""
        out: list[C.Stmt] = []
        if id(b.zone) in self.known:
            if a.zone.visible == "all":
                before += self._each_kind(b, lambda k: [self._added(b, k, _number(a, k))])
            elif id(a.zone) in self.known:
                out += self._each_kind(b, lambda k: [self._added(b, k, self._cell(a, k))])
        if id(a.zone) in self.known:
            none = C.Const(0, IntT(0, 0))
            out += self._each_kind(a, lambda k: [C.SAssign(self._cell(a, k), "", none, NOWHERE)])
        return out

    def _added(self, z: C.ZoneUse, kind: C.Expr, many: C.Expr) -> C.Stmt:
        return C.SAssign(self._cell(z, kind), "+", many, NOWHERE)

    def _each_kind(self, z: C.ZoneUse, body: Callable[[C.Expr], list[C.Stmt]]) -> list[C.Stmt]:
        kind = z.zone.family.kind
        local = self.fresh("kind", kind)
        domain = C.Const(fold.full_mask(kind), SetT(kind))
        return [C.SFor(local, domain, None, body(C.Use(local, kind)))]

    def _chosen(self, s: C.SChoose) -> Iterator[C.Stmt]:
        """What was openly chosen out of a zone lies there."""
        zone = held_openly(s)
        if zone is None or id(zone.zone) not in self.known:
            return
        kind = C.Use(s.var, zone.zone.family.kind)
        cell = self._cell(zone, kind)
        one = C.Const(1, IntT(1, 1))
        none = fold.op("<", (cell, one), BOOL, NOWHERE)
        stmt: C.Stmt = C.SIf([(none, [C.SAssign(cell, "", one, NOWHERE)])], [])
        if isinstance(s.var.type, OptT):
            nothing = C.Op("is_none", (C.Use(s.var, s.var.type),), BOOL)
            stmt = C.SIf([(fold.op("not", (nothing,), BOOL, NOWHERE), [stmt])], [])
        yield stmt


def _number(z: C.ZoneUse, kind: C.Expr) -> C.Expr:
    most = max(max(row, default=0) for row in z.zone.family.copies)
    return C.Op("zone_count", (z, kind), IntT(0, most))
