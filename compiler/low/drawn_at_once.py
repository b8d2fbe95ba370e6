"""A function → the same with pieces drawn from a small zone by looking them up.

let kind = (#nth(bag, n) % 9)      →      let among = FEW[(bag & 511)]
                                           if n < #len(among): let kind = among[n]
                                           else: let kind = FEW[(bag >> 9)][(n - #len(among))]

The members of sets of up to ten places are known. A zone of as few kinds is one such set for each copy of a piece.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.new_names import NewNames
from rulewright.compiler.low.walk_low import map_bodies
from rulewright.runtime.bits import FEW, PLACES

Block = tuple[L.Stmt, ...]
_ROW = T.Items(T.INT, PLACES)
_KNOWN = L.TableUse("FEW", T.Array(_ROW, len(FEW)))
_MOST_COPIES = 2


def with_drawn_at_once(f: L.Function) -> L.Function:
    return f if f.keeps else replace(f, body=_Drawn(f).block(f.body))


class _Drawn:
    def __init__(self, f: L.Function) -> None:
        self.names = NewNames(f)

    def block(self, body: Block) -> Block:
        out: list[L.Stmt] = []
        for s in body:
            match s:
                case L.Let(kind, L.Binary("%", L.Help("nth", (zone, n)), L.Number(kinds)), at):
                    out += self.drawn(s, kind, zone, n, kinds, at)
                case _:  # others: what stands inside
                    out.append(map_bodies(s, self.block))
        return tuple(out)

    def drawn(
        self, s: L.Stmt, kind: L.Local, zone: L.Expr, n: L.Expr, kinds: int, at: L.Origin
    ) -> list[L.Stmt]:
        t = zone.type
        if not isinstance(t, T.Zone) or t.kinds != kinds or kinds > PLACES:
            return [s]
        if t.copies > _MOST_COPIES or not isinstance(zone, L.Local | L.Field):
            return [s]
        if t.copies == 1:
            return [L.Let(kind, L.Item(_row(zone), n, T.INT), at)]
        place = L.Local(self.names.new("place"), n.type)
        among = L.Local(self.names.new("among"), _ROW)
        many = L.Help("len", (among,), T.Int(0, PLACES))
        first = L.Binary("&", zone, L.Number((1 << kinds) - 1, t), T.Set(kinds))
        second = L.Binary(">>", zone, L.number(kinds), T.Set(kinds))
        left = L.Binary("-", place, many, T.INT)
        return [
            L.Let(place, n, at),
            L.Let(among, _row(first), at),
            L.If(
                L.Compare("<", place, many),
                (L.Let(kind, L.Item(among, place, T.INT), at),),
                (L.Let(kind, L.Item(_row(second), left, T.INT), at),),
                at,
            ),
        ]


def _row(places: L.Expr) -> L.Expr:
    return L.Item(_KNOWN, places, _ROW)
