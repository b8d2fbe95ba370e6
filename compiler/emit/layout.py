"""State, zones and slots of a ruleset → the fields of its state class.

Numbers, members and small sets are ints; maps are flat lists; a zone is one int in which bit `k + n*c` says that it holds more
than c pieces of kind k (n kinds), so that the kinds in it and its size can be read off at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.compiler.core import tree as C
from rulewright.compiler.core.types import (
    BoolT,
    IntT,
    KindT,
    ListT,
    MapT,
    OptT,
    SetT,
    Type,
    count_of,
)
from rulewright.compiler.emit.names import Names, python_name, reserved
from rulewright.compiler.flow.blocks import Program

WORD = 62

# what every state holds beside the rules' own: its name, its type and what it is at first; in all flavours, and in the full one
OWN_FIELDS = (
    ("pc", "i64", "0"),
    ("who", "i64", "0"),
    ("opts", "i64", "0"),
    ("rng", "i64", "from_seed(seed)"),
    ("value", "i64", "0"),
    ("values", "list[int]", "[]"),
)
FULL_FIELDS = (
    ("pool", "int", "0"),
    ("kinds", "int", "0"),
    ("barriers", "int", "0"),
    ("explicit", "bool", "False"),
    ("checked", "bool", "True"),
    ("asks_all", "bool", "False"),
    ("story", "list[tuple[int, str]]", "[]"),
    ("failed", "i64", "-1"),
    ("hits", "list[int]", ""),
)
BREAKDOWN = "breakdown_"


@dataclass(slots=True, eq=False)
class Field:
    """shape "int", "wide" (may pass 62 bits), "list" (fixed length) or "lists" (a list of lists), "items" (a list that grows)."""

    name: str
    shape: str
    size: int
    first: list[object]
    wide: bool = False
    source: str = ""  # state, zone, standing, slot, return


@dataclass(slots=True, eq=False)
class Layout:
    fields: list[Field] = field(default_factory=list)
    by_state: dict[str, Field] = field(default_factory=dict)
    by_zone: dict[str, Field] = field(default_factory=dict)
    by_piece: dict[tuple[str, str], Field] = field(default_factory=dict)
    planes: dict[str, int] = field(default_factory=dict)
    opts_wide: bool = False
    names: Names = field(default_factory=lambda: Names(reserved() | _own_names()))


def _own_names() -> frozenset[str]:
    return frozenset((*(name for name, _, _ in (*OWN_FIELDS, *FULL_FIELDS)), BREAKDOWN))


def layout(game: C.Game, program: Program) -> Layout:
    out = Layout()
    for var in game.state:
        _state_field(out, var)
    breakdown = Field(
        BREAKDOWN, "list", len(game.participants) * max(1, len(game.reasons)),
        [0] * (len(game.participants) * max(1, len(game.reasons))), source="state",
    )  # fmt: skip
    out.fields.append(breakdown)
    for family in game.families:
        _family(out, family)
    for i in range(program.slot_count):
        out.fields.append(Field(f"x{i}", "int", 1, [0], source="slot"))
    for name in program.list_slots:
        out.fields.append(Field(name, "items", 0, [], source="slot"))
    _widen_slots(out, program)
    out.opts_wide = any((count_of(a.choice.element) or 0) + 1 > WORD for a in program.asks) or any(
        isinstance(c.event, C.SDraw) and c.event.source.zone.family.kind.size > WORD
        for c in program.chances
    )
    return out


def _widen_slots(out: Layout, program: Program) -> None:
    from rulewright.compiler.flow.reduce import locals_of

    locals_by_number = locals_of(program)
    for number, slot in program.slots.items():
        local = locals_by_number.get(number)
        if local is not None and is_wide(local.type):
            for f in out.fields:
                if f.name == slot:
                    f.wide = True


def is_wide(t: Type) -> bool:
    """Whether values may need more than a machine word."""
    if isinstance(t, SetT):
        return (count_of(t.element) or 0) > WORD
    return False


def cells(t: Type) -> tuple[int, Type]:
    """How many entries a state type has when laid flat, and the type of one."""
    n = 1
    while isinstance(t, MapT):
        n *= count_of(t.key) or 0
        t = t.value
    return n, t


def first_value(t: Type, first: C.Expr | None) -> object:
    if isinstance(first, C.Const):
        return list(first.value) if isinstance(first.value, tuple) else first.value
    match t:
        case IntT(low, high):
            if low is not None and low > 0:
                return low
            return high if high is not None and high < 0 else 0
        case OptT():
            return -1
        case ListT():
            return []
        case BoolT() | KindT() | SetT():
            return 0
    return 0


def _state_field(out: Layout, var: C.StateVar) -> None:
    n, inner = cells(var.type)
    name = out.names.new(python_name(var.name))
    first = first_value(inner, var.first)
    is_map = isinstance(var.type, MapT)
    if isinstance(inner, ListT):
        shape = "lists" if is_map else "items"
        values: list[object] = (
            [list(first) if isinstance(first, list) else [] for _ in range(n)]
            if is_map
            else list(first if isinstance(first, list) else [])
        )
        f = Field(name, shape, n if is_map else 0, values, source="state")
    else:
        f = Field(name, "list" if is_map else "int", n, [first] * n, is_wide(inner), "state")
    out.fields.append(f)
    out.by_state[var.name] = f


def _family(out: Layout, family: C.Family) -> None:
    kinds = family.kind.size
    most = max((max(row, default=0) for row in family.copies), default=0)
    out.planes[family.name] = most
    wide = kinds * (most + 1) > WORD
    for zone in family.zones:
        owners = 1 if zone.per is None else zone.per.size
        first: list[object] = []
        for owner in range(owners):
            copies = family.copies[owner if family.per is not None else 0]
            first.append(
                pack(copies, kinds)
                if zone.starts_full and (family.per is not None or owner == 0)
                else 0
            )
        f = Field(
            out.names.new(python_name(zone.name)),
            "int" if zone.per is None else "list",
            owners,
            first,
            wide,
            "zone",
        )
        out.fields.append(f)
        out.by_zone[zone.name] = f
    if family.standing is not None:
        _standing(out, family.standing)


def _standing(out: Layout, standing: C.Standing) -> None:
    n = standing.handle.size
    prefix = python_name(standing.name).lower()
    alive = Field(out.names.new(f"{prefix}_alive"), "int", 1, [0], n > WORD, "standing")
    out.fields.append(alive)
    out.by_piece[standing.name, "alive"] = alive
    for name in ("value", "owner", "known", "guess", *standing.fields):
        t = standing.fields.get(name)
        wide = standing.family.kind.size > WORD if t is None else is_wide(t) or isinstance(t, ListT)
        own = out.names.new(f"{prefix}_{python_name(name)}")
        f = Field(own, "list", n, [0] * n, wide, "standing")
        out.fields.append(f)
        out.by_piece[standing.name, name] = f


def pack(copies: list[int], kinds: int) -> int:
    """A zone that holds copies[k] pieces of each kind k."""
    z = 0
    for k, count in enumerate(copies):
        for plane in range(count):
            z |= 1 << (k + kinds * plane)
    return z
