"""Typed expressions, and what is wanted of them → the same, or problems; nothing here looks at the syntax tree."""

from __future__ import annotations

from rulewright.compiler.check.scope import Scope
from rulewright.compiler.check.type_wording import a, none_hint, wanted
from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BAD,
    BadT,
    IntT,
    KindT,
    ListT,
    OptT,
    RangeT,
    SetT,
    Type,
    fits,
)
from rulewright.compiler.text.source import Span

MAX_RANGE = 100_000  # longer ones are a mistake, and take long to go over


def bad(span: Span) -> C.Const:
    return C.Const(0, BAD, span)


def owner_token(e: C.Expr) -> str:
    """The name of a seat in terms of who may see something (see core.Secrecy)."""
    match e:
        case C.Const(int() as n):
            return f"#{n}"
        case C.Use(local) if not local.mutable:
            return f"v{local.number}"
        case C.Op("player", (inner,)):
            return owner_token(inner)
        case _:  # others: what may change, or is worked out, is nobody's for sure
            pass
    return C.NOBODY


def viewer_token(visible: str, key: C.Expr) -> str:
    """Who sees an entry of something that is visible to its owner, or to a team."""
    if visible == "owner":
        return owner_token(key)
    match key:
        case C.Column(column=C.KindColumn(name="team"), base=base):
            key = base
        case C.Const(int() as n, KindT("Team")):
            return f"{C.TEAM}={n}"
        case C.Use(local, KindT("Team")):
            return C.NOBODY if local.mutable else f"{C.TEAM}={local.number}"
        case _:  # others: by the seat that they are, below
            pass
    if isinstance(key, C.Use) and key.local.mate_of is not None:
        return C.team_of(key.local.mate_of)
    return C.team_of(owner_token(key))


def mates(local: C.Local, over: C.Expr) -> None:
    """Note of whose team a local goes over the members."""
    while isinstance(over, C.Op) and over.op in ("minus", "intersect"):
        over = over.args[0]
    match over:
        case C.Column(column=C.KindColumn(name="members"), base=C.Column(base=base)) if (
            isinstance(base.type, KindT) and base.type.name == "Player"
        ):
            token = owner_token(base)
            local.mate_of = None if token == C.NOBODY else token
        case _:  # others: no members of a team
            pass


def needed(sc: Scope, got: C.Expr, want: Type) -> C.Expr:
    r = sc.ruleset
    if isinstance(got, C.ZoneUse) and isinstance(want, SetT):
        got = C.Op("zone_kinds", (got,), SetT(got.zone.family.kind), got.span, got.secrecy)
    if isinstance(want, BadT):
        return got
    if not fits(got.type, want):
        hint = None
        if isinstance(got.type, OptT) and fits(got.type.base, want):
            hint = f"it may be none; {none_hint(got)}"
        elif isinstance(got.type, SetT) and isinstance(want, SetT):
            hint = set_hint(want, got.type)
        else:
            hint = one_or_many(got.type, want)
        r.error("RW0601", got.span, f"this is {a(got.type)}", expected=wanted(want), hint=hint)
        return bad(got.span)
    if isinstance(got.type, BadT):
        return got
    if isinstance(want, IntT) and isinstance(got, C.Const) and isinstance(got.value, int):
        low, high = want.low, want.high
        if (low is not None and got.value < low) or (high is not None and got.value > high):
            r.error("RW0613", got.span, f"{got.value} is out of range", expected=wanted(want))
    elif isinstance(want, IntT) and isinstance(got.type, IntT) and apart(got.type, want):
        message = f"this is always out of range: it is {wanted(got.type)}"
        r.error("RW0613", got.span, message, expected=wanted(want))
    if isinstance(want, ListT) and want.limit is not None:
        length = _length(got)
        if length is not None and length > want.limit:
            r.error(
                "RW0648", got.span, f"{length} entries, but there is room for {want.limit}", expected=wanted(want)
            )  # fmt: skip
    return got


def _length(e: C.Expr) -> int | None:
    """How long a list is, where that can be seen."""
    match e:
        case C.Const(tuple() as items):
            return len(items)
        case C.Op("list", args):
            return len(args)
        case C.Comp("sort", _, C.Const(int() as members), None):
            return members.bit_count()
        case C.Call(function, _) if len(function.body) == 1:
            only, room = function.body[0], function.result
            told = isinstance(room, ListT) and room.limit is not None  # where it is declared
            if isinstance(only, C.SReturn) and only.value is not None and not told:
                return _length(only.value)
        case _:  # others: how long they are is not known before play
            pass
    return None


def apart(x: IntT, y: IntT) -> bool:
    """Whether no number is in both."""
    above = x.low is not None and y.high is not None and x.low > y.high
    return above or (x.high is not None and y.low is not None and x.high < y.low)


def check_place(sc: Scope, base: C.Expr, place: C.Expr) -> None:
    """Report a place that a list of known length never has, and warn of one that it may not have."""
    length = _length(base)
    if length is None and isinstance(base, C.Column) and isinstance(base.type, ListT):
        lengths = [len(v) for v in base.column.values if isinstance(v, tuple)]
        length = min(lengths) if lengths else None
    if not isinstance(place.type, IntT) or place.type == IntT():
        return
    low, high = place.type.low, place.type.high
    if length is None:
        most = base.type.limit if isinstance(base.type, ListT) else None
        if most != 0 and apart(place.type, IntT(1, most)):
            sc.ruleset.error(
                "RW0613", place.span, f"no list has {_places(low, high)}" if most is None else f"this list has at most {most} entries, and no {_places(low, high)}",
                expected="at least 1" if most is None else f"from 1 to {most}", hint="the first entry has the place 1",
            )  # fmt: skip
        return
    entries = f"{length} entr{'y' if length == 1 else 'ies'}"
    if apart(place.type, IntT(1, length)):
        sc.ruleset.error(
            "RW0613", place.span, f"the list has {entries}, and no {_places(low, high)}", expected=f"from 1 to {length}",
            hint="the first entry has the place 1",
        )  # fmt: skip
    elif high is not None and high > length and isinstance(place, C.Read | C.PieceRead | C.Column):
        sc.ruleset.problems.warning(
            "RW0651", place.span, f"this may be as great as {high}, but the list has {entries}",
            hint=f"give the list {high} entries, or keep inside: min(…, {length})",
        )  # fmt: skip


def _places(low: int | None, high: int | None) -> str:
    return (
        f"place {low}"
        if low == high
        else f"place {wanted(IntT(low, high)).removeprefix('a number ')}"
    )


def one_or_many(got: Type, want: Type) -> str | None:
    """What to write where a set or list stands for one of its values, or one value for a set."""
    if isinstance(got, SetT | ListT) and fits(got.element, want):
        return (
            "it holds several: go through them with `for x in …`, or use it as the set that it is"
        )
    if isinstance(want, SetT) and fits(got, want.element):
        return "a set of one is written: {x}"
    return None


def set_hint(want: SetT, got: SetT) -> str | None:
    """What to write where two sets of numbers have different bounds."""
    if isinstance(want.element, IntT) and isinstance(got.element, IntT):
        return f"make one with these bounds: {{n in {want.element.low} .. {want.element.high} where n in …}}"
    return None


def surely_inside(sc: Scope, got: C.Expr, want: Type) -> C.Expr:
    """A number that can't be outside its bounds: maps and sets have no place for others."""
    if isinstance(want, IntT) and isinstance(got.type, IntT) and not isinstance(got, C.Const):
        low, high = got.type.low, got.type.high
        if want.low is None or want.high is None or (want.low == low and want.high == high):
            return got
        if low is None or high is None or low < want.low or high > want.high:
            sc.ruleset.error(
                "RW0613", got.span, f"this may be out of range: it is {wanted(got.type)}", expected=wanted(want),
                hint=f"keep it inside: clamp(…, {want.low}, {want.high})",
            )  # fmt: skip
    return got


def item_type(over: C.Expr, element: KindT | IntT) -> Type:
    """The type of a variable that goes over a domain; unknown when the domain is."""
    return BAD if isinstance(over.type, BadT) else element


def not_too_long(sc: Scope, over: C.Expr) -> None:
    """A range whose length is known must be one that can be gone over."""
    t = over.type
    if (
        isinstance(t, RangeT)
        and t.low is not None
        and t.high is not None
        and t.high - t.low >= MAX_RANGE
    ):
        sc.ruleset.error(
            "RW0647",
            over.span,
            f"this range has up to {t.high - t.low + 1:,} numbers",
            expected=f"at most {MAX_RANGE:,}",
        )
