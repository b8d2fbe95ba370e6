"""State and pieces as declared → state variables, families and zones with their first contents."""

from __future__ import annotations

from rulewright.compiler.check.demand import declare_code_columns
from rulewright.compiler.check.expressions import check_expr, need
from rulewright.compiler.check.fitting import needed
from rulewright.compiler.check.kinds import MAX_BITS, check_type, const_int, plain_type
from rulewright.compiler.check.order import declare_order
from rulewright.compiler.check.scope import Ruleset, Scope
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.evaluate import constant
from rulewright.compiler.core.types import (
    BAD,
    BadT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    TextT,
    Type,
    count_of,
    show,
)
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.text.diagnostics import quoted
from rulewright.compiler.text.source import NOWHERE, Span

MAX_CELLS = 20_000
MAX_EQUAL = 1000
MAX_PLACES = 8192  # of a zone: one for each piece that it may hold
MAX_STANDING = 1000
MAX_ZONE_KEYS = 2


def check_state(r: Ruleset) -> None:
    """First values and visibility, once all names are known; code columns get their signatures."""
    everyone = r.kinds["Participant"].type
    r.state["score"] = C.StateVar(
        "score", MapT(everyone, IntT()), "all", None, None, NOWHERE, builtin=True
    )
    declare_code_columns(r)
    # what is declared twice is told already, and the later one counts
    for decl in r.folder.decls:
        if isinstance(decl, S.StateVar) and r.state[decl.name.text].span == decl.span:
            _state_var(r, decl)
        elif isinstance(decl, S.Pieces):
            family = r.families.get(decl.name.text)
            if family is not None and family.span == decl.span:
                _copies(r, decl, family)


def _state_var(r: Ruleset, decl: S.StateVar) -> None:
    var = r.state[decl.name.text]
    inner: Type = var.type
    keys: list[Type] = []
    cells = 1
    while isinstance(inner, MapT):
        keys.append(inner.key)
        size = (
            inner.key.size
            if isinstance(inner.key, KindT)
            else (inner.key.high or 0) - (inner.key.low or 0) + 1
        )
        cells *= size
        inner = inner.value
    if cells > MAX_CELLS:
        r.error(
            "RW0638",
            decl.type.span,
            f"{quoted(var.name)} has {cells:,} entries",
            expected=f"at most {MAX_CELLS:,}",
        )
    if isinstance(inner, IntT) and (inner.low is None or inner.high is None):
        r.error(
            "RW0639",
            decl.type.span,
            f"{quoted(var.name)} needs bounds",
            expected="a range, e.g. 0..99",
        )
    if isinstance(inner, ListT) and (
        inner.limit is None or (isinstance(inner.element, IntT) and count_of(inner.element) is None)
    ):
        r.error(
            "RW0607",
            decl.type.span,
            "a list in the state needs a limit, and numbers in it bounds",
            hint="write: list of … max 10",
        )
    if isinstance(inner, TextT):
        r.error(
            "RW0649",
            decl.type.span,
            "state can't hold a text",
            expected="a number, bool, a kind, a set, a list or a map",
        )
    player = r.kinds["Player"].type
    if not isinstance(var.type, BadT):
        _team_sees(r, var.visible, keys[0] if keys else None, var.name, decl.span)
    whose = isinstance(var.type, BadT) or (bool(keys) and keys[0] == player)
    if var.visible == "owner" and not whose:
        r.error(
            "RW0713",
            decl.span,
            f"who owns {quoted(var.name)}?",
            expected="visible to owner after: map Player to …",
            hint="`hidden` is what nobody sees",
        )
    if var.visible in ("owner", "team") and isinstance(inner, ListT):
        r.error(
            "RW0716",
            decl.span,
            f"{quoted(var.name)} can't be hidden from some: it is a list",
            expected="a number, a kind, bool or a set for each owner",
            hint=f"number its places: map … to map 1 .. {inner.limit or 5} to {_entry(inner)}, or keep pieces in a zone that is `ordered`",
        )
    many = count_of(inner) if isinstance(inner, IntT) else None
    if var.visible in ("owner", "team") and many is not None and many > MAX_BITS:
        # what all may think of it is a set
        r.error(
            "RW0648",
            decl.type.span,
            f"{quoted(var.name)} is hidden from some and may have {many:,} values",
            expected=f"at most {MAX_BITS:,}",
        )
    if decl.first is not None:
        sc = Scope(r, pure=True, owner=var.name)
        first = need(sc, decl.first, inner)
        if isinstance(first.type, BadT):
            return
        if sc.body.reads_state:
            r.error(
                "RW0640",
                first.span,
                "a first value can't read state",
                hint="set it at the beginning of play()",
            )
            return
        if not isinstance(first, C.Const):
            value = constant(first, r)
            if value is None:
                r.error(
                    "RW0641",
                    first.span,
                    "this first value can't be worked out before play",
                    expected="a constant value",
                )
                return
            first = needed(sc, C.Const(value, _exactly(inner, value), first.span), inner)
        var.first = first


def _entry(t: ListT) -> str:
    """The type of a place that may be empty, if there is one."""
    return show(OptT(t.element) if isinstance(t.element, KindT) else t.element)


def _team_sees(r: Ruleset, visible: str, key: Type | None, name: str, span: Span) -> None:
    """What a team sees belongs to a player or to a team, and there are teams."""
    if visible != "team":
        return
    if not r.folder.game.teams:
        r.error(
            "RW0713", span, f"a team sees {quoted(name)}, but this game has no teams",
            hint="name them in game.yaml: teams: {north: [Ada, Cy], south: [Bo, Dee]}",
        )  # fmt: skip
    elif not isinstance(key, KindT) or key.name not in ("Player", "Team"):
        r.error(
            "RW0713", span, f"whose team sees {quoted(name)}?", expected="one for each Player or each Team",
        )  # fmt: skip


def _exactly(t: Type, value: int | tuple[int, ...]) -> Type:
    return IntT(value, value) if isinstance(t, IntT) and isinstance(value, int) else t


def check_pieces_decl(r: Ruleset, decl: S.Pieces) -> None:
    r.cite(decl.cites)
    kind = check_type(r, decl.kind)
    per = None if decl.per is None else check_type(r, decl.per)
    if not isinstance(kind, KindT):
        if not isinstance(kind, BadT):
            r.error(
                "RW0642", decl.kind.span, f"there are no pieces of {show(kind)}", expected="a kind"
            )
        # that is told; what they are called is known
        r.spoilt.update(zone.name.text for zone in decl.zones)
        return
    owner = per if isinstance(per, KindT) and per.name in ("Player", "Participant") else None
    if decl.per is not None and owner is None and not isinstance(per, BadT):
        r.error(
            "RW0642",
            decl.per.span,
            f"{show(per or BAD)} owns no pieces",
            expected="Player or Participant",
        )
    family = C.Family(decl.name.text, kind, owner, [], [], None, decl.span)
    for zone in decl.zones:
        z = C.Zone(
            zone.name.text, family, _zone_keys(r, zone), zone.visible, zone.starts_full, zone.span
        )
        r.cite(zone.cites)
        # what is wrong with its keys is told
        unclear = len(z.keys) < len(zone.per)
        owned = unclear or (z.per is not None and z.per.name in ("Player", "Participant"))
        if z.visible == "owner" and not owned:
            r.error(
                "RW0713",
                zone.span,
                f"who owns {quoted(z.name)}?",
                expected=f"{z.name} per Player{_others(z)} visible to owner",
                hint="`hidden` is what nobody sees",
            )
            # what follows from it alone is not told
            z.keys = z.keys or (r.kinds["Player"].type,)
            r.spoilt.add(z.name)
        _team_sees(r, z.visible, BAD if unclear else z.per, z.name, zone.span)
        if z.count > MAX_CELLS:
            r.error(
                "RW0638", zone.span, f"there would be {z.count:,} zones {quoted(z.name)}",
                expected=f"at most {MAX_CELLS:,}",
            )  # fmt: skip
        if owner is not None and not unclear and z.per != owner and z.per is not None:
            r.error(
                "RW0643", zone.span, f"{quoted(z.name)} would mix the pieces of several owners",
                hint=f"write: {z.name} per {owner.name}{_others(z)}",
            )  # fmt: skip
        if len(z.keys) > 1 and z.starts_full:
            r.error(
                "RW0644", zone.span, f"in which {quoted(z.name)} do the pieces begin?",
                hint="let them begin in another zone, and move them in a procedure",
            )  # fmt: skip
        if owner is not None and z.per is None and not unclear:
            r.error(
                "RW0643",
                zone.span,
                f"{quoted(z.name)} would mix the pieces of several owners",
                hint=f"write: {z.name} per {owner.name}",
            )
        family.zones.append(z)
        r.zones[z.name] = z
    if sum(z.starts_full for z in family.zones) != 1:
        full = sum(z.starts_full for z in family.zones)
        what = (
            "no zone holds all pieces at the start"
            if full == 0
            else "several zones hold all pieces at the start"
        )
        r.error(
            "RW0644",
            decl.span,
            what,
            expected="one zone with: = all",
            hint=f"write: {family.zones[0].name} … = all" if full == 0 else None,
        )
    r.families[family.name] = family
    if decl.standing is not None:
        _standing(r, decl.standing, family)


def _zone_keys(r: Ruleset, zone: S.Zone) -> tuple[KindT, ...]:
    """The kinds for whose members there is a zone each; those that are none are told and left out."""
    keys: list[KindT] = []
    if len(zone.per) > MAX_ZONE_KEYS:
        r.error(
            "RW0642", zone.per[MAX_ZONE_KEYS].span, f"{quoted(zone.name.text)} has {len(zone.per)} keys",
            expected=f"at most {MAX_ZONE_KEYS}", hint="make a table of the combinations: each: {…}",
        )  # fmt: skip
    for written in zone.per[:MAX_ZONE_KEYS]:
        found = check_type(r, written)
        if isinstance(found, KindT):
            keys.append(found)
        elif not isinstance(found, BadT):
            r.error(
                "RW0642", written.span, f"there is no zone for each of {show(found)}", expected="a kind"
            )  # fmt: skip
    return tuple(keys)


def _others(zone: C.Zone) -> str:
    """The keys of a zone that are no players, as they are written."""
    kept = [k.name for k in zone.keys if k.name not in ("Player", "Participant")]
    return "".join(f" per {name}" for name in kept)


def _standing(r: Ruleset, decl: S.Standing, family: C.Family) -> None:
    limit = const_int(r, decl.limit)
    if limit is None or not 1 <= limit <= MAX_STANDING:
        if limit is not None:
            r.error(
                "RW0648",
                decl.limit.span,
                f"room for {limit:,} standing pieces",
                expected=f"from 1 to {MAX_STANDING:,}",
            )
        limit = 1
    handle = KindT(decl.name.text, limit)
    kind = C.Kind(
        decl.name.text,
        [str(i + 1) for i in range(limit)],
        [f"{decl.name.text} {i + 1}" for i in range(limit)],
        {},
    )
    for i, f in enumerate(decl.fields):
        if f.name.text in ("value", "owner") or f.name.text in [
            x.name.text for x in decl.fields[:i]
        ]:
            r.error(
                "RW0506",
                f.name.span,
                f"a {decl.name.text} already has a {quoted(f.name.text)}",
                hint="give the field another name",
            )
    fields = {
        f.name.text: plain_type(r, f.type, "a field of a standing piece") for f in decl.fields
    }
    family.standing = C.Standing(decl.name.text, family, handle, fields, decl.span)
    r.standing[decl.name.text] = family.standing
    r.kinds.setdefault(kind.name, kind)


def _copies(r: Ruleset, decl: S.Pieces, family: C.Family) -> None:
    """How many pieces of each kind (and owner) there are: worked out now."""
    owners = 1 if family.per is None else family.per.size
    for owner in range(owners):
        row: list[int] = []
        for member in range(family.kind.size):
            sc = Scope(r, pure=True, owner=family.name)
            sc.consts["kind"] = C.Const(member, family.kind, decl.copies.span)
            if family.per is not None:
                sc.consts["owner"] = C.Const(owner, family.per, decl.copies.span)
            e = decl.copies
            kind = r.kinds[family.kind.name]
            if isinstance(e, S.Ref) and e.name in kind.columns:
                e = S.Attr(S.Ref("kind", e.span), S.Name(e.name, e.span), e.span)
            got = needed(sc, check_expr(sc, e), IntT(0, None))
            value = constant(got, r)
            if not isinstance(value, int):
                if not isinstance(got.type, BadT):
                    r.error(
                        "RW0645",
                        got.span,
                        "how many pieces there are must be known before play",
                        expected="a number, a column of the kind, or what follows from `kind` and `owner`",
                    )
                family.copies = [[0] * family.kind.size for _ in range(owners)]
                return
            row.append(value)
        family.copies.append(row)
    declare_order(r, family, decl)
    most = max((n for row in family.copies for n in row), default=0)
    if most <= MAX_EQUAL and most * family.kind.size > MAX_PLACES:
        r.error(
            "RW0646", decl.copies.span, f"{family.kind.size:,} kinds of pieces, and up to {most} of each",
            expected=f"at most {MAX_PLACES:,} in all", hint="count them in state instead",
        )  # fmt: skip
    if most > MAX_EQUAL:
        r.error(
            "RW0646", decl.copies.span, f"{most:,} equal pieces", expected=f"at most {MAX_EQUAL}",
            hint="count them in state instead",
        )  # fmt: skip
