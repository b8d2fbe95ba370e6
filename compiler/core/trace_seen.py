"""A checked game → the same game, which notes beside hidden zones how many pieces of each kind all know to lie there.

A piece that all saw go into a hand, or that was openly chosen out of it, lies there for all to know until something unseen leaves; then it lies there
or where that went. Rules may rely on it later: `move taken[p] from hand[p] to table`. Then it is state like any other, in variables of the
compiler's own,

    hand.known      for each owner and kind, how many lie there at least, where nothing may leave unseen (trace_counts.py)
    cards.places    for each kind and number, the places of which one holds such a piece, where pieces may (trace_places.py)

and dealing hidden pieces (runtime/deal.py) keeps to it. It is noted for those zones only that a piece may get to out of which the rules name one
that was not chosen there just before.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.callees import code_at
from rulewright.compiler.core.secret_choices import asked_of, held_openly, is_public, parts_of
from rulewright.compiler.core.trace_counts import Counts
from rulewright.compiler.core.trace_notes import Fresh
from rulewright.compiler.core.trace_places import Places, can_follow
from rulewright.compiler.core.walk import bodies, expressions_in, statements

_STOPS = (C.SChoose, C.SRoll, C.SDraw, C.SRun)
# what pieces go by, and what tells of them
_Moving = C.SMove | C.SDraw | C.SChoose


def trace_seen(game: C.Game, fresh: Fresh) -> None:
    """Adds the notes to a game: variables, and the statements that keep them."""
    relied = _Relied(game).zones
    if not relied:
        return
    asked_everywhere = _asked(game)
    moving = [s for p in game.procedures for s in statements(p.body) if isinstance(s, _Moving)]
    gaining = _gaining(moving)
    counted: list[C.Zone] = []
    followed: list[C.Zone] = []
    for family in game.families:
        ways = _Ways(moving, family)
        gained = [z for z in family.zones if z.visible != "all" and z in gaining]
        asked = {z for z in family.zones if z.visible != "all" and z in asked_everywhere}
        needed = [z for z in {*gained, *asked} if not relied.isdisjoint(ways.reached([z]))]
        reached = ways.reached(needed)
        unseen = any(z in reached and w in reached for z, w in ways.unseen)
        if (unseen or not asked.isdisjoint(needed)) and can_follow(family, reached):
            followed += [z for z in family.zones if z in reached]
        else:
            counted += [z for z in gained if z in relied]
    if counted:
        Counts(game, fresh, counted).run()
    if followed:
        Places(game, fresh, followed).run()


class _Ways:
    """Where pieces of a family may go so that not all see which they are: from one hidden zone to another."""

    def __init__(self, moving: list[_Moving], family: C.Family) -> None:
        self.unseen: set[tuple[C.Zone, C.Zone]] = set()
        for s in moving:
            match s:
                case C.SMove(kind=kind, source=a, target=b):
                    if kind is None or not is_public(kind):
                        self._way(family, a.zone, b.zone)
                case C.SDraw(var=var, source=a, target=b):
                    seen = s.look is not None or s.all_look
                    if not seen and (var is None or not is_public(C.Use(var, var.type))):
                        self._way(family, a.zone, b.zone)
                case C.SChoose():
                    pass  # moves nothing
                case _:
                    assert_never(s)

    def _way(self, family: C.Family, a: C.Zone, b: C.Zone) -> None:
        if a.family is family and "all" not in (a.visible, b.visible):
            self.unseen.add((a, b))

    def reached(self, zones: list[C.Zone]) -> set[C.Zone]:
        """These zones, and all that a piece may get to from them unseen."""
        found = set(zones)
        while more := {b for a, b in self.unseen if a in found} - found:
            found |= more
        return found


def _asked(game: C.Game) -> set[C.Zone]:
    """The hidden zones of which the rules make known, somewhere, if a certain piece lies there."""
    return {
        asked.zone.zone
        for p in game.procedures
        for e in expressions_in(p.body)
        if isinstance(e, C.Reveal) and (asked := asked_of(e)) is not None
    }


# what was openly chosen since the last stop, by the number of its local, and the zone that it was chosen from
Just = dict[int, C.Zone]


class _Relied:
    """Which hidden zones must hold a piece that was not chosen there just before."""

    def __init__(self, game: C.Game) -> None:
        self.zones: set[C.Zone] = set()
        # the zone that every caller has just chosen a parameter from; none where one has not
        self.given: dict[int, C.Zone | None] = {}
        before = None
        while before != self.given:
            before = dict(self.given)
            for p in game.procedures:
                self._block(p.body, self._params(p))
        self.zones.clear()
        for p in game.procedures:
            self._block(p.body, self._params(p))

    def _params(self, p: C.Procedure) -> Just:
        found = ((x.number, self.given.get(x.number)) for x in p.params)
        return {number: zone for number, zone in found if zone is not None}

    def _block(self, stmts: list[C.Stmt], just: Just) -> None:
        for s in stmts:
            match s:
                case C.SMove(kind=kind, source=source) if kind is not None:
                    self._named(kind, source, just)
                case C.SPut(value=kind, source=source):
                    self._named(kind, source, just)
                case C.SRun():
                    self._run(s, just)
                case C.SChoose():
                    just.clear()
                    zone = parts_of(s).zone
                    if zone is not None:
                        just[s.var.number] = zone.zone
                        # who has to choose a certain piece must have it
                        if any(_names(condition.test, s.var) for condition in s.where):
                            self.zones.add(zone.zone)
                case (
                    C.SAssign() | C.SBreak() | C.SContinue() | C.SDraw() | C.SFor() | C.SIf() | C.SLet() | C.SMark()
                    | C.SMove() | C.SRequire() | C.SReturn() | C.SReveal() | C.SRoll() | C.SScore() | C.SShow() | C.STake()
                    | C.STell() | C.SWhile()
                ):  # fmt: skip
                    pass
                case _:
                    assert_never(s)
            inside = list(bodies(s))
            for body in inside:
                self._block(body, {} if isinstance(s, C.SFor | C.SWhile) else dict(just))
            if isinstance(s, C.SRoll | C.SDraw | C.SRun) or any(
                isinstance(x, _STOPS) for body in inside for x in statements(body)
            ):
                just.clear()

    def _run(self, s: C.SRun, just: Just) -> None:
        called = code_at(s.column, s.base) if s.procedure is None else [s.procedure]
        for code in called:
            for param, arg in zip(code.params, s.args, strict=False):
                zone = just.get(arg.local.number) if isinstance(arg, C.Use) else None
                if self.given.setdefault(param.number, zone) is not zone:
                    self.given[param.number] = None

    def _named(self, kind: C.Expr, source: C.ZoneUse, just: Just) -> None:
        just_chosen = isinstance(kind, C.Use) and just.get(kind.local.number) is source.zone
        if source.zone.visible != "all" and is_public(kind) and not just_chosen:
            self.zones.add(source.zone)


def _names(test: C.Expr, var: C.Local) -> bool:
    """Whether a condition says of a chosen piece which one it is."""
    match test:
        case C.Op("==", (C.Use(local), other)) | C.Op("==", (other, C.Use(local))):
            return local is var and is_public(other)
        case _:  # others: says nothing of which piece it is
            return False


def _gaining(moving: list[_Moving]) -> set[C.Zone]:
    """The zones of which all may come to know that a piece lies there."""
    found: set[C.Zone] = set()
    for s in moving:
        match s:
            case C.SMove(kind=kind, source=source, target=target):
                if source.zone.visible == "all" if kind is None else is_public(kind):
                    found.add(target.zone)
            case C.SDraw(var=var, source=source, target=target):
                if var is not None and source.zone.visible == "all":
                    found.add(target.zone)
            case C.SChoose():
                held = held_openly(s)
                if held is not None:
                    found.add(held.zone)
            case _:
                assert_never(s)
    return found
