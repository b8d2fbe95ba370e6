"""State, zones and slots of a ruleset → the fields of its state, each with its type and first value.

Numbers, members and sets are words; maps are flat arrays; a zone is one word, or several, in which bit `k + n*c` says that it
holds more than c pieces of kind k (n kinds), so that the kinds in it and its size can be read off at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BadT,
    BoolT,
    GroupsT,
    IntT,
    KindT,
    ListT,
    MapT,
    NoneT,
    OptT,
    RangeT,
    SetT,
    TextT,
    Type,
    ZoneT,
    count_of,
    low_of,
)
from rulewright.compiler.flow.blocks import Ask, Program
from rulewright.compiler.flow.liveness import defined, locals_of
from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.names import Names, python_name, reserved

# fields that every state has beside those of the rules; see lower.py
OWN_FIELDS = (
    "pc", "who", "opts", "rng", "value", "values", "value_set", "pool", "kinds", "digit", "barriers", "explicit", "checked", "asks_all", "story", "failed", "hits",
)  # fmt: skip


BREAKDOWN = "breakdown_"


@dataclass(slots=True, eq=False)
class Layout:
    fields: list[L.StateField] = field(default_factory=list)
    by_state: dict[str, L.Field] = field(default_factory=dict)
    by_zone: dict[str, L.Field] = field(default_factory=dict)
    by_piece: dict[tuple[str, str], L.Field] = field(default_factory=dict)
    # the fields of slots; where locals live across decisions, by number, and where procedures go back to, by name
    by_slot: dict[str, L.Field] = field(default_factory=dict)
    by_local: dict[int, L.Field] = field(default_factory=dict)
    by_procedure: dict[str, L.Field] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)
    names: Names = field(default_factory=lambda: Names(reserved() | {*OWN_FIELDS, BREAKDOWN}))
    options: T.Set = T.NO_SET

    def add(self, f: L.StateField) -> L.Field:
        self.fields.append(f)
        return L.Field(f.name, f.type)


def low_type(t: Type) -> T.Int | T.Bool | T.Set | T.Items:
    """What a type of the rules is to a machine."""
    match t:
        case IntT(low, high):
            return T.Int(low, high)
        case BoolT():
            return T.BOOL
        case KindT(_, size):
            return T.Int(0, size - 1)
        case OptT(KindT(_, size)):
            return T.Int(-1, size - 1)
        case OptT(IntT(low, high)):
            return T.Int(None if low is None else min(low, -1), high)
        case NoneT():
            return T.Int(-1, -1)
        case SetT(element):
            return T.Set(count_of(element) or 0, low_of(element))
        case ListT(element, limit):
            inner = low_type(element)
            return T.Items(inner if isinstance(inner, T.Set) else _number(inner), limit)
        case GroupsT(element):
            return T.Items(T.Set(count_of(element) or 0, low_of(element)), count_of(element))
        case OptT() | RangeT() | MapT() | ZoneT() | TextT() | BadT():
            return T.INT
        case _:
            assert_never(t)


def _number(t: T.Type) -> T.Int:
    """What a number is kept as: truth values as 0 or 1."""
    return t if isinstance(t, T.Int) else T.Int(0, 1)


def kept(t: Type) -> T.Int | T.Set | T.Items:
    """What a value is in the state."""
    inner = low_type(t)
    return T.Int(0, 1) if isinstance(inner, T.Bool) else inner


def given_in(t: T.Type) -> str:
    """The field in which a procedure gives back a value of this type."""
    if isinstance(t, T.Items):
        return "values"
    return "value_set" if T.is_wide(t) else "value"


def layout(game: C.Game, program: Program) -> Layout:
    out = Layout()
    zones = [z for f in game.families for z in f.zones]
    ordered = {v.name: z for z in zones for v in (z.order, z.seen) if v is not None}
    for var in game.state:
        _state_field(out, var, ordered.get(var.name))
    points = len(game.participants) * max(1, len(game.reasons))
    out.add(L.StateField(BREAKDOWN, T.Array(T.INT, points), (0,) * points, "points by reason"))
    for family in game.families:
        _family(out, family, game.players)
    _slots(out, program)
    sizes = [(count_of(a.choice.element) or 0) + 1 for a in program.asks]
    sizes += [
        c.event.source.zone.family.kind.size
        for c in program.chances
        if isinstance(c.event, C.SDraw)
    ]
    out.options = T.Set(max(sizes, default=0))
    return out


def _slots(out: Layout, program: Program) -> None:
    """Locals that live across a decision, each under the name of its procedure and its own.

    Procedures of which only one waits at a time share their slots: a slot is called after what it holds first, tells what else
    it holds, and is as large as the largest of them.
    """
    locals_by_number = {**_params(program), **locals_of(program)}
    owners = _owners(program)
    holds: dict[str, list[str]] = {}
    named: dict[int, str] = {}
    types: dict[str, T.Type] = {}
    for procedure, place in program.dynamic.items():
        holds.setdefault(f"x{place}", []).append(python_name(f"{procedure}_back"))
        types[f"x{place}"] = T.PC
    for number, slot in program.slots.items():
        local = locals_by_number.get(number)
        if local is not None:
            t = kept(local.type)
            types[slot] = _both(types[slot], t) if slot in types else t
            owner = owners.get(number, "")
            named[number] = python_name(f"{owner}_{local.name}" if owner else local.name)
            holds.setdefault(slot, []).append(named[number])
    for slot in [*(f"x{i}" for i in range(program.slot_count)), *program.list_slots]:
        if slot not in holds:
            continue
        first, *more = dict.fromkeys(holds[slot])
        about = f"also {', '.join(more)}" if more else ""
        value = () if isinstance(types[slot], T.Items) else (0,)
        f = L.StateField(out.names.new(first), types[slot], value, about, slot=True)
        out.by_slot[slot] = out.add(f)
    for number, slot in program.slots.items():
        if slot in out.by_slot:
            out.by_local[number] = _held(out.by_slot[slot], named.get(number, ""), holds[slot][0])
    for procedure, place in program.dynamic.items():
        slot = f"x{place}"
        own = python_name(f"{procedure}_back")
        out.by_procedure[procedure] = _held(out.by_slot[slot], own, holds[slot][0])


def _held(f: L.Field, name: str, first: str) -> L.Field:
    """A slot, with what it holds where that is not what it is called after."""
    return L.Field(f.name, f.type, name if name != first else "")


def _params(program: Program) -> dict[int, C.Local]:
    """The parameters of procedures that have a frame of their own."""
    return {x.number: x for p in program.framed for x in p.params}


def _owners(program: Program) -> dict[int, str]:
    """The procedure of each local that blocks give a value to."""
    found: dict[int, str] = {}
    for b in program.blocks:
        given = [b.takes] if b.takes is not None else []
        given += [x for s in b.body for x in defined(s)]
        if isinstance(b.end, Ask):
            given.append(b.end.choice.var)
        for local in given:
            found.setdefault(local.number, b.owner)
    for p in program.framed:
        for local in p.params:
            found[local.number] = p.name
    return found


def _both(a: T.Type, b: T.Type) -> T.Type:
    """What holds values of two types."""
    match a, b:
        case T.Set(), T.Set():
            return T.Set(max(a.size, b.size))
        case T.Set(), _ if T.is_wide(a):
            return a
        case _, T.Set() if T.is_wide(b):
            return b
        case T.Items(), T.Items():
            return a if a == b else T.Items(T.INT)
        case _:  # others: numbers, by their bounds
            pass
    low_a, high_a = _bounds(a)
    low_b, high_b = _bounds(b)
    low = None if low_a is None or low_b is None else min(low_a, low_b)
    return T.Int(low, None if high_a is None or high_b is None else max(high_a, high_b))


def _bounds(t: T.Type) -> tuple[int | None, int | None]:
    match t:
        case T.Int(low, high):
            return low, high
        case T.Set(size):
            return 0, (1 << size) - 1
        case T.Bool() | T.Zone() | T.Items() | T.Array() | T.Rows() | T.Text():
            return None, None
        case _:
            assert_never(t)


def cells(t: Type) -> tuple[int, Type]:
    """How many entries a state type has when laid flat, and the type of one."""
    n = 1
    while isinstance(t, MapT):
        n *= count_of(t.key) or 0
        t = t.value
    return n, t


def first_value(t: Type, first: C.Expr | None) -> int | tuple[int, ...]:
    if isinstance(first, C.Const):
        return first.value
    match t:
        case IntT(low, high):
            if low is not None and low > 0:
                return low
            return high if high is not None and high < 0 else 0
        case OptT():
            return -1
        case ListT():
            return ()
        case (
            BadT() | BoolT() | GroupsT() | KindT() | MapT() | NoneT() | RangeT() | SetT() | TextT() | ZoneT()
        ):  # fmt: skip
            return 0
        case _:
            assert_never(t)


def _order_at_first(zone: C.Zone, owner: int, role: str) -> tuple[int, ...]:
    """A list of a zone that keeps its order: what lies there is in the order of the kind where it is seen, else shuffled."""
    family = zone.family
    if not zone.starts_full or (family.per is None and owner > 0):
        return ()
    copies = family.copies[owner if family.per is not None else 0]
    if role == "seen":
        return (0,) * sum(copies)
    if zone.seen is not None:
        return (-1,) * sum(copies)
    return tuple(k for k, n in enumerate(copies) for _ in range(n))


def _state_field(out: Layout, var: C.StateVar, zone: C.Zone | None) -> None:
    n, inner = cells(var.type)
    name = out.names.new(var.name)
    if zone is not None:
        lists = [_order_at_first(zone, owner, var.role) for owner in range(n)]
        whole = kept(inner)
        if not zone.keys:
            f = L.StateField(name, whole, lists[0])
        else:
            f = L.StateField(name, T.Array(whole, n), tuple(lists))
        out.by_state[var.name] = out.add(f)
        return
    first = first_value(inner, var.first)
    is_map = isinstance(var.type, MapT)
    t = kept(inner)
    if is_map:
        f = L.StateField(name, T.Array(t, n), (first,) * n)
    else:
        f = L.StateField(name, t, first if isinstance(first, tuple) else (first,))
    out.by_state[var.name] = out.add(f)


def _family(out: Layout, family: C.Family, players: int) -> None:
    kinds = family.kind.size
    most = max((max(row, default=0) for row in family.copies), default=0)
    out.copies[family.name] = most
    t = T.Zone(kinds, most)
    for zone in family.zones:
        first = tuple(
            (
                pack(family.copies[owner if family.per is not None else 0], kinds)
                if zone.starts_full and (family.per is not None or owner == 0)
                else 0
            )
            for owner in range(zone.count)
        )
        name = out.names.new(zone.name)
        f = L.StateField(name, T.Array(t, zone.count) if zone.keys else t, first)
        out.by_zone[zone.name] = out.add(f)
    if family.standing is not None:
        _standing(out, family.standing, players)


def _standing(out: Layout, standing: C.Standing, players: int) -> None:
    n = standing.handle.size
    prefix = python_name(standing.name).lower()
    kinds = standing.family.kind.size
    owners = len(standing.family.copies)
    types: dict[str, T.Int | T.Set | T.Items] = {
        "value": T.Int(0, kinds - 1),
        "owner": T.Int(0, owners - 1),
        "known": T.Set(players),
        "guess": T.Set(kinds),
        **{name: kept(t) for name, t in standing.fields.items()},
    }
    alive = L.StateField(out.names.new(f"{prefix}_alive"), T.Set(n), (0,))
    out.by_piece[standing.name, "alive"] = out.add(alive)
    for name, t in types.items():
        own = out.names.new(f"{prefix}_{python_name(name)}")
        f = L.StateField(own, T.Array(t, n), (0,) * n)
        out.by_piece[standing.name, name] = out.add(f)


def pack(copies: list[int], kinds: int) -> int:
    """A zone that holds copies[k] pieces of each kind k."""
    z = 0
    for k, count in enumerate(copies):
        for plane in range(count):
            z |= 1 << (k + kinds * plane)
    return z
