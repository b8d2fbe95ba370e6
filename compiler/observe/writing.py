"""The pieces of an observation → functions of the low-level program that write them.

`observe(s, seat, out)` adds what the seat sees to a row of zeros, in whole numbers; whoever calls it scales them afterwards.
`mark_legal(s, out)` marks the legal actions. Only nodes that every printer knows are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from typing import Any

from rulewright.compiler.low import machine_types as T
from rulewright.compiler.low import program as L
from rulewright.compiler.low.body import added, plus, scaled
from rulewright.compiler.observe.cells import count, map_cells
from rulewright.compiler.observe.observation_layout import Layout
from rulewright.runtime.observation import Piece
from rulewright.runtime.owners import keys_of

Json = dict[str, Any]
Fields = Mapping[str, T.Type]

# zones up to so many bits are gone through piece by piece, larger ones are counted by kind
_FEW_BITS = 80
_SEATS = ("Player", "Participant")
# what a number of an observation is before it is scaled; half a word, which machines scale several at a time
CELL = T.Int(-(1 << 31), (1 << 31) - 1)


class Writing:
    """The functions for one engine; `fields` are the types of its fields, where they are known."""

    def __init__(self, info: Json, found: Layout, fields: Fields | None = None) -> None:
        self.info = info
        self.found = found
        self.fields = fields or {}
        self.players: int = info["players"]
        self.participants = len(info["participants"])
        self.seat = L.Local("seat", T.Int(0, self.players - 1))
        self.out = L.Local("out", T.Array(CELL, found.size))
        self.row = L.Local("turn", T.Int(0, self.players * self.participants))
        self.body: list[L.Stmt] = []
        self.used: dict[str, int] = {}
        points = len(info["points"]) and max(map(int, info["points"]))
        self.most = max([points, *map(int, info["choices"]), *map(int, info["chances"])], default=0)
        self.tables: list[L.Table] = []
        # types of locals, by their text
        self.types: dict[str, Json] = {}

    # ------------------------------------------------------------ the functions

    def functions(self) -> list[L.Function]:
        return [self._observe(), self._observe_locals(), self._mark_legal()]

    def _observe(self) -> L.Function:
        self._begin()
        self._pending()
        for var in self.info["state"]:
            piece = self.found.places.get(("state", var["name"]))
            if piece is not None and var["role"] == "order" and var["visible"] == "nobody":
                self._places(var, piece)
            elif piece is not None:
                self._state(var, piece)
        for family in self.info["families"]:
            for zone in family["zones"]:
                self._zone(family, zone)
            if family["standing"] is not None:
                self._standing(family)
        call = L.Call("observe_locals", (self.seat, self.out), T.INT)
        self.body.append(L.Do(call))
        return self._made(
            "observe",
            (self.seat, self.out),
            "What a seat sees, as whole numbers into a row of zeros.",
        )

    def _mark_legal(self) -> L.Function:
        self.body, self.used = [], {}
        out = L.Local("out", T.Array(T.Int(0, 1), self.info["actions"]))
        offsets = [0] * (self.most + 1)
        for pc, choice in self.info["choices"].items():
            offsets[int(pc)] = choice["offset"]
        number, flag = T.Int(0, self.info["actions"]), T.Int(0, 1)
        first = L.Local("first", number)
        table = self._table("FIRST_ACTION", offsets, number)
        self.body.append(L.Let(first, L.Item(table, L.Field("pc", T.PC), number)))
        widest = max((c["size"] for c in self.info["choices"].values()), default=1)
        with self._over("i", L.Members(self._field("opts", T.Set(widest))), widest) as i:
            self.body.append(L.Store(L.Item(out, added(first, i), flag), L.number(1)))
        return self._made("mark_legal", (out,), "Marks the legal actions in a row of zeros.")

    def _begin(self) -> None:
        self.body, self.used = [], {}
        self.body.append(L.Let(self.row, scaled(self.seat, self.participants)))

    def _made(self, name: str, params: tuple[L.Local, ...], words: str) -> L.Function:
        return L.Function(name, params, None, words, tuple(self.body))

    def _table(self, name: str, values: list[int], t: T.Int) -> L.TableUse:
        whole = T.Array(t, len(values))
        self.tables.append(L.Table(name, whole, tuple(values)))
        return L.TableUse(name, whole)

    # ------------------------------------------------------------ statements

    def _name(self, wish: str) -> str:
        self.used[wish] = n = self.used.get(wish, 0) + 1
        return wish if n == 1 else f"{wish}_{n}"

    def _put(self, place: L.Expr, value: L.Expr, op: str = "") -> None:
        self.body.append(L.Store(L.Item(self.out, place, CELL), value, op))

    @contextmanager
    def _when(self, test: L.Expr) -> Iterator[None]:
        kept, self.body = self.body, []
        yield
        body, self.body = tuple(self.body), kept
        self.body.append(L.If(test, body))

    @contextmanager
    def _over(
        self, wish: str, over: L.Range | L.Members | L.Expr, size: int, t: T.Type | None = None
    ) -> Iterator[L.Local]:
        var = L.Local(self._name(wish), t or T.Int(0, max(0, size - 1)))
        kept, self.body = self.body, []
        yield var
        body, self.body = tuple(self.body), kept
        self.body.append(L.For(var, over, body))

    def _let(self, wish: str, value: L.Expr, t: T.Type | None = None) -> L.Local:
        local = L.Local(self._name(wish), t or value.type)
        self.body.append(L.Let(local, value))
        return local

    # ------------------------------------------------------------ expressions

    def _field(self, name: str, t: T.Type) -> L.Field:
        return L.Field(name, self.fields.get(name, t))

    def _relative(self, who: L.Expr) -> L.Expr:
        """The place of a seat, with the viewer first; neutral participants keep theirs."""
        if not any(t.name == "RELATIVE" for t in self.tables):
            n = self.players
            rows = [
                (p - seat) % n if p < n else p
                for seat in range(n)
                for p in range(self.participants)
            ]
            self._table("RELATIVE", rows, T.Int(0, self.participants - 1))
        whole = T.Array(T.Int(0, self.participants - 1), self.players * self.participants)
        at = added(self.row, who)
        return L.Item(L.TableUse("RELATIVE", whole), at, whole.element)

    def _at(self, t: Json, member: L.Expr) -> L.Expr:
        """The place of a member or key."""
        return self._relative(member) if t["t"] == "kind" and t["kind"] in _SEATS else member

    # ------------------------------------------------------------ values

    def _value(self, t: Json, value: L.Expr, place: L.Expr) -> None:
        match t["t"]:
            case "kind":
                self._put(added(place, self._at(t, value)), L.number(1))
            case "opt":
                with self._when(L.Compare(">=", value, L.number(0))):
                    if t["of"]["t"] == "int":
                        self._put(place, L.number(1))
                        self._put(plus(place, 1), value)
                    else:
                        self._value(t["of"], value, place)
            case "set":
                size = count(t["of"])
                with self._over("m", L.Members(value), size) as member:
                    self._put(added(place, self._at(t["of"], member)), L.number(1))
            case "list":
                self._list(t, value, place)
            case _:
                self._put(place, value)

    def _list(self, t: Json, value: L.Expr, place: L.Expr) -> None:
        of = t["of"]
        of = {"t": "opt", "of": of} if of["t"] == "int" else of
        shape = map_cells(of)
        assert shape is not None
        at = L.Local(self._name("at"), T.Int(0, self.found.size))
        self.body.append(L.Let(at, place))
        with self._over("x", value, 0, _low(t["of"])) as one:
            if t["of"]["t"] == "int":
                # in a list there is no none: every entry counts
                self._put(at, L.number(1))
                self._put(plus(at, 1), one)
            else:
                self._value(of, one, at)
            self.body.append(L.Let(at, plus(at, shape.size)))

    def _entry(self, t: Json, source: L.Expr, place: L.Expr) -> None:
        """A value that is written only if it is not zero, where zero writes nothing."""
        value = self._let("v", source)
        if t["t"] in ("int", "bool"):
            with self._when(L.Compare("!=", value, L.number(0))):
                self._put(place, value)
        else:
            self._value(t, value, place)

    def _map(self, t: Json, field: L.Field, index: L.Expr, place: L.Expr) -> None:
        """All entries of a map that is laid flat; `index` counts in whole entries of this type."""
        if t["t"] != "map":
            inner = field.type.element if isinstance(field.type, T.Array) else _low(t)
            self._entry(t, L.Item(field, index, inner), place)
            return
        shape = map_cells(t["value"])
        assert shape is not None
        n = count(t["key"])
        with self._over("i", L.Range(L.number(0), L.number(n)), n) as i:
            at = added(scaled(index, n), i)
            to = added(place, scaled(self._at(t["key"], i), shape.size))
            if t["value"]["t"] == "map":
                at, to = self._let("at", at), self._let("to", to)
            self._map(t["value"], field, at, to)

    # ------------------------------------------------------------ parts of a state

    def _pending(self) -> None:
        decides = self.found.places[("decides",)]
        who = L.Field("who", T.Int(-4, self.players - 1))
        with self._when(L.Compare(">=", who, L.number(0))):
            self._put(plus(self._relative(who), decides.start), L.number(1))
            choice = self.found.places.get(("choice",))
            if choice is not None:
                asked = [0] * (self.most + 1)
                for pc, found in self.info["choices"].items():
                    asked[int(pc)] = self.found.choices[found["label"]]
                table = self._table("ASKED", asked, T.Int(0, choice.size - 1))
                at = L.Item(table, L.Field("pc", T.PC), T.Int(0, choice.size - 1))
                self._put(plus(at, choice.start), L.number(1))

    def _state(self, var: Json, piece: Piece) -> None:
        t = var["type"]
        if t["t"] != "map":
            self._entry(t, self._field(var["field"], _low(t)), L.number(piece.start))
            return
        inner, cells = t, 1
        while inner["t"] == "map":
            cells *= count(inner["key"])
            inner = inner["value"]
        field = self._field(var["field"], T.Array(_low(inner), cells))
        if var["visible"] == "owner":
            self._map(t["value"], field, self.seat, L.number(piece.start))
        elif var["visible"] == "team":
            shape = map_cells(t["value"])
            assert shape is not None
            with self._team_keys(t["key"]) as i:
                to = plus(scaled(self._at(t["key"], i), shape.size), piece.start)
                if t["value"]["t"] == "map":
                    to = self._let("to", to)
                self._map(t["value"], field, i, to)
        else:
            self._map(t, field, L.number(0), L.number(piece.start))

    def _places(self, var: Json, piece: Piece) -> None:
        """What lies where in a zone that nobody may look into, where the viewer knows it."""
        zones = {z["name"]: z for f in self.info["families"] for z in f["zones"]}
        zone, t = zones[var["about"]], var["type"]
        keys, items = keys_of(zone), t
        while items["t"] == "map":
            items = items["value"]
        players = {"t": "kind", "kind": "Player", "size": self.players}
        masks = {"t": "list", "of": {"t": "set", "of": players}, "limit": items["limit"]}
        if not keys:
            one, known = self._field(var["field"], _low(items)), self._field(
                zone["seen"], _low(masks)
            )
            self._known_places(items, one, known, L.number(piece.start))
            return
        many = prod(map(count, keys))
        fields = [
            self._field(name, T.Array(_low(kind), many))
            for name, kind in ((var["field"], items), (zone["seen"], masks))
        ]

        def one_zone(i: L.Expr, to: L.Expr) -> None:
            place = self._let("to", to)
            order, seen = (L.Item(f, i, _element(f)) for f in fields)
            self._known_places(items, order, seen, place)

        start = L.number(piece.start)
        self._each_zone(keys, piece.size // many, L.number(0), start, one_zone)

    def _known_places(self, items: Json, order: L.Expr, seen: L.Expr, place: L.Expr) -> None:
        kind, most = items["of"]["of"], max(1, items["limit"])
        length = L.Help("len", (order,), T.Int(0, most))
        with self._over("n", L.Range(L.number(0), length), most) as n:
            knows = L.Item(seen, n, T.Set(self.players))
            with self._when(L.Has(knows, self.seat)):
                value = self._let("k", L.Item(order, n, T.Int(-1, kind["size"] - 1)))
                to = added(place, scaled(n, kind["size"]))
                self._put(added(to, value), L.number(1))

    @contextmanager
    def _team_keys(self, key: Json) -> Iterator[L.Local]:
        """Over the keys that the viewer's team may look at."""
        teams: list[int] = self.info["teams"]
        number = T.Int(0, max(teams))
        if not any(t.name == "TEAM_OF" for t in self.tables):
            self._table("TEAM_OF", teams, number)
        table = L.TableUse("TEAM_OF", T.Array(number, len(teams)))
        with self._over("i", L.Range(L.number(0), L.number(count(key))), count(key)) as i:
            own = L.Item(table, self.seat, number)
            theirs = L.Item(table, i, number) if key["kind"] == "Player" else i
            with self._when(L.Compare("==", theirs, own)):
                yield i

    def _zone(self, family: Json, zone: Json) -> None:
        kinds = family["kind"]["size"]
        most = max((max(row, default=0) for row in family["copies"]), default=0)
        zone_type = T.Zone(kinds, most)
        keys = keys_of(zone)
        whole: T.Type = T.Array(zone_type, prod(map(count, keys))) if keys else zone_type
        field = self._field(zone["field"], whole)
        counts = self.found.places.get(("zone", zone["name"]))
        sizes = self.found.places.get(("size", zone["name"]))

        def counted(i: L.Expr, to: L.Expr) -> None:
            self._counts(L.Item(field, i, zone_type), zone_type, to)

        def sized(i: L.Expr, to: L.Expr) -> None:
            self._put(to, _size(L.Item(field, i, zone_type)))

        if counts is not None and zone["visible"] == "owner":
            self._each_zone(keys[1:], kinds, self.seat, L.number(counts.start), counted)
        elif counts is not None and zone["visible"] == "team":
            width = kinds * prod(map(count, keys[1:]))
            with self._team_keys(keys[0]) as i:
                to = plus(scaled(self._at(keys[0], i), width), counts.start)
                self._each_zone(keys[1:], kinds, i, to, counted)
        elif counts is not None and not keys:
            self._counts(field, zone_type, L.number(counts.start))
        elif counts is not None:
            self._each_zone(keys, kinds, L.number(0), L.number(counts.start), counted)
        if sizes is None:
            return
        if not keys:
            self._put(L.number(sizes.start), _size(field))
            return
        self._each_zone(keys, 1, L.number(0), L.number(sizes.start), sized)

    def _each_zone(
        self,
        keys: list[Json],
        width: int,
        index: L.Expr,
        place: L.Expr,
        one: Callable[[L.Expr, L.Expr], None],
    ) -> None:
        """Each zone of those that there are by some keys, from a number on, with the place of the so many numbers that tell of it."""
        if not keys:
            one(index, place)
            return
        first, *rest = keys
        n, each = count(first), width * prod(map(count, rest))
        with self._over("i", L.Range(L.number(0), L.number(n)), n) as i:
            at, moved = added(scaled(index, n), i), scaled(self._at(first, i), each)
            known = place.value if isinstance(place, L.Number) else None
            to = added(place, moved) if known is None else plus(moved, known)
            if rest:
                at, to = self._let("at", at), self._let("to", to)
            self._each_zone(rest, width, at, to, one)

    def _counts(self, zone: L.Expr, t: T.Zone, place: L.Expr) -> None:
        kinds = t.kinds
        held = self._let("held", zone, t)
        if T.bits(t) <= _FEW_BITS:
            to = place if isinstance(place, L.Number) else self._let("to", place)
            with self._over("b", L.Members(held), T.bits(t)) as b:
                kind = L.Binary("%", b, L.number(kinds), T.Int(0, kinds - 1))
                self._put(added(to, kind), L.number(1), "+")
            return
        to = place if isinstance(place, L.Number) else self._let("to", place)
        with self._over("k", L.Range(L.number(0), L.number(kinds)), kinds) as k:
            n = L.Help("count", (held, k, L.number(kinds)), T.Int(0, t.copies))
            self._put(added(to, k), n)

    def _standing(self, family: Json) -> None:
        st, kinds = family["standing"], family["kind"]["size"]
        fields, size = st["fields"], st["size"]
        types: dict[str, Json] = {
            "value": family["kind"],
            "known": {"t": "set", "of": {"t": "kind", "kind": "Player", "size": self.players}},
            "guess": {"t": "set", "of": family["kind"]},
            **st["types"],
        }
        if family["per"] is not None:
            types["owner"] = family["per"]
        alive = self._field(fields["alive"], T.Set(size))
        with self._over("h", L.Members(alive), size) as h:
            start = self.found.places["piece", st["name"], "alive"].start
            self._put(plus(h, start), L.number(1))
            for name, t in types.items():
                piece = self.found.places.get(("piece", st["name"], name))
                if piece is None:
                    continue
                inner = T.Set(kinds) if name == "guess" else _low(t)
                field = self._field(fields[name], T.Array(inner, size))
                element = field.type.element if isinstance(field.type, T.Array) else inner
                place = plus(scaled(h, piece.size // size), piece.start)
                if name == "value":
                    known_type = T.Array(T.Set(self.players), size)
                    known = L.Item(self._field(fields["known"], known_type), h, known_type.element)
                    with self._when(L.Has(known, self.seat)):
                        self._entry(t, L.Item(field, h, element), place)
                else:
                    self._entry(t, L.Item(field, h, element), place)

    # ------------------------------------------------------------ locals

    def _observe_locals(self) -> L.Function:
        """From the pending point outwards, what each frame still needs."""
        self._begin()
        points = sorted(self.info["points"].items(), key=lambda x: int(x[0]))
        at_row: dict[tuple[int, str, bool, str], list[int]] = {}
        backs: dict[str, int] = {}
        back_at = [0] * (self.most + 1)
        for pc, point in points:
            for row in self._rows(point):
                at_row.setdefault(row, []).append(int(pc))
            if point["back"]:
                back_at[int(pc)] = backs.setdefault(point["back"], len(backs) + 1)
        # each local is written in one place; those that always count together share a test
        shared: dict[tuple[int, ...], list[tuple[int, str, bool, str]]] = {}
        for row in sorted(at_row):
            shared.setdefault(tuple(at_row[row]), []).append(row)
        if shared:
            self._frames(shared, backs, back_at)
        words = "The locals that still count, from what is asked outwards."
        return self._made("observe_locals", (self.seat, self.out), words)

    def _frames(
        self,
        shared: Mapping[tuple[int, ...], list[tuple[int, str, bool, str]]],
        backs: dict[str, int],
        back_at: list[int],
    ) -> None:
        """A loop from one frame to the next; `shared` are locals by the points where they count."""
        waiting = [0] * (self.most + 1)
        for number, counting in enumerate(shared):
            for point in counting:
                waiting[point] |= 1 << number
        pc = self._let("pc", L.Field("pc", T.PC), T.PC)
        sets = T.Set(len(shared))
        whole = T.Array(sets, len(waiting))
        self.tables.append(L.Table("WAITING", whole, tuple(waiting)))
        kept, self.body = self.body, []
        here = self._let("here", L.Item(L.TableUse("WAITING", whole), pc, sets))
        for number, rows in enumerate(shared.values()):
            with self._when(L.Has(here, L.number(number))):
                for row in rows:
                    self._local(*row)
        chain: tuple[L.Stmt, ...] = (L.Break(),)
        if backs:
            number_type = T.Int(0, len(backs))
            table = self._table("BACK", back_at, number_type)
            back = self._let("back", L.Item(table, pc, number_type))
            for name, n in reversed(backs.items()):
                follow = L.Let(pc, L.Field(name, self.fields.get(name, T.PC)))
                chain = (L.If(L.Compare("==", back, L.number(n)), (follow,), chain),)
        self.body = [*kept, L.Loop((*self.body, *chain))]

    def _rows(self, point: Json) -> list[tuple[int, str, bool, str]]:
        """(place, slot, whether only its chooser knows it, its type as a key) of the locals that count at a point."""
        out: dict[int, tuple[int, str, bool, str]] = {}
        for n, _, slot, t, secret in point["live"]:
            piece = self.found.locals.get(n)
            if piece is not None and t is not None:
                out.setdefault(piece.start, (piece.start, slot, secret is not None, repr(t)))
                self.types[repr(t)] = t
        return sorted(out.values())

    def _local(self, start: int, slot: str, secret: bool, key: str) -> None:
        t = self.types[key]
        value = L.Field(slot, self.fields.get(slot, _low(t)))
        if secret:
            own = L.Compare("==", L.Field("who", T.Int(-4, self.players - 1)), self.seat)
            with self._when(own):
                self._value(t, value, L.number(start))
        else:
            self._value(t, value, L.number(start))


def _element(f: L.Field) -> T.Type:
    assert isinstance(f.type, T.Array)
    return f.type.element


def _size(zone: L.Expr) -> L.Expr:
    return L.Help("size", (zone,), T.Int(0, None))


def _low(t: Json) -> T.Int | T.Set | T.Items:
    """What a value of this type is in the state; `low/state_layout.py` decides."""
    match t["t"]:
        case "int":
            return T.Int(t["low"], t["high"])
        case "bool":
            return T.Int(0, 1)
        case "kind":
            return T.Int(0, t["size"] - 1)
        case "opt":
            inner = _low(t["of"])
            high = inner.high if isinstance(inner, T.Int) else None
            return T.Int(-1, high)
        case "set":
            return T.Set(count(t["of"]), t["of"].get("low") or 0)
        case "list":
            of = _low(t["of"])
            return T.Items(of if isinstance(of, T.Int | T.Set) else T.INT, t["limit"])
        case _:
            return T.INT
