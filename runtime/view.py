"""What one seat sees of a state, and full states that look the same to it.

A view is made from a copy of the state in which everything hidden from the seat is blanked; what is hidden is not in it at all.
What all may think of hidden values is in it too, under `may_be`. `determinize` deals what the seat cannot see (deal.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from rulewright.runtime.api import seed_number
from rulewright.runtime.bits import members, size
from rulewright.runtime.data import Json, Value
from rulewright.runtime.deal import deal, set_all
from rulewright.runtime.given import seat_number
from rulewright.runtime.info import FamilyRow, StateRow, ZoneRow
from rulewright.runtime.order import ROLES, blank_order, order_data, ordered
from rulewright.runtime.owners import by_keys, group_of, hidden_zones, sees_zone
from rulewright.runtime.save import live_slots, piece, returns, show_state, show_zone
from rulewright.runtime.seeing import sees
from rulewright.runtime.state import EngineState, State, full_flavour
from rulewright.runtime.zones_text import counts

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

_Made = TypeVar("_Made")


class View:
    """Plain data for one seat: `data` to read, `legal_actions` to choose from, `determinize` to think with."""

    __slots__ = ("_data", "_game", "_masked", "_sizes", "_unknown", "seat")

    def __init__(self, game: Game, state: EngineState, seat: int) -> None:
        seat = self.seat = seat_number(seat, game.info["players"])
        self._game = game
        # a copy in which fields are blanked by name
        self._masked: EngineState = state.clone()
        self._sizes: dict[tuple[str, int], int] = {}
        self._unknown: dict[str, list[int]] | None = None
        self._data: Json | None = None
        _blank(self)

    @property
    def data(self) -> Json:
        """Everything the seat sees, as plain data."""
        if self._data is None:
            self._data = _data(self, _ANEW)
        return self._data

    @property
    def unknown(self) -> dict[str, list[int]]:
        """By family and group, how many pieces of each kind lie where the seat can't see them; worked out when pieces are dealt."""
        if self._unknown is None:
            self._unknown = {}
            for family in self._game.info["families"]:
                self._unknown |= _unseen_pieces(self, family)
        return self._unknown

    @property
    def game(self) -> Game:
        return self._game

    def current_player(self) -> int:
        return int(self._masked.who)

    def is_terminal(self) -> bool:
        return bool(self._masked.pc == 0)

    def legal_actions(self) -> tuple[int, ...]:
        """The seat's own options; none while another seat decides."""
        if self._masked.who != self.seat:
            return ()
        found: tuple[int, ...] = self._masked.legal_actions()
        return found

    def action_to_dict(self, action: int) -> Json:
        from rulewright.runtime.api import action_to_dict

        return action_to_dict(self._game, self._masked, action)

    def pending(self) -> Json | None:
        """What is asked now, as this seat may know it; None when the game is over."""
        from rulewright.runtime.pending import pending

        return pending(self._game, self._masked, self.seat)

    def scores(self) -> list[int]:
        return list(self._masked.score)

    def determinize(self, seed: int) -> State:
        """A full state with this view that the rules may have led to as far as all know (see deal.py); every such state can come out."""
        found: State = deal(self, seed_number(seed))
        return found

    def _repr_html_(self) -> str:
        # what draws stands above the runtime, and only notebooks need it
        from rulewright.notebook import view_html

        return view_html(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and self.seat == other.seat and self.data == other.data

    def __hash__(self) -> int:
        return hash((self.seat, repr(self.data)))


# ---------------------------------------------------------------- blanking


def _blank(view: View) -> None:
    game, s, seat = view._game, view._masked, view.seat
    s.rng = 1
    s.value = 0
    s.values = []
    _dead_slots(game, s, seat)
    for var in game.info["state"]:
        if var["visible"] in ("owner", "team"):
            _blank_owned(game, s, var, seat)
        elif var["visible"] == "nobody" and var["role"] not in ROLES:
            set_all(s, var["field"], lambda: 0)
    blank_order(game, s, seat)
    for family in game.info["families"]:
        _blank_family(view, family)
    if s.who >= 0 and s.who != seat and game.info["choices"][str(s.pc)]["secret_options"]:
        s.opts = 0
    if game.info["full"]:
        full = full_flavour(s)
        full.story = [
            (v, t) for v, t in full.story if v == -1 or v == seat or (v <= -2 and -2 - v != seat)
        ]
        full.hits = []
        if s.who == -1 and game.info["chances"][str(s.pc)]["hidden"]:
            full.pool = s.opts = 0


def _dead_slots(game: Game, s: EngineState, seat: int) -> None:
    """Locals that no longer count, and those of another seat's secret choice, are cleared."""
    keep = {
        slot for _, _, slot, _, secret in live_slots(game, s) if secret is None or s.who == seat
    }
    pc = s.pc
    for back in [*returns(game, s), 0]:
        point = game.info["points"].get(str(pc))
        if point is not None and point["back"]:
            keep.add(point["back"])
        pc = back
    for name in game.slot_fields:
        if name not in keep and (value := getattr(s, name)):
            setattr(s, name, 0 if isinstance(value, int) else [])


def _blank_owned(game: Game, s: EngineState, var: StateRow, seat: int) -> None:
    cells = getattr(s, var["field"])
    width = game.values.cells(var["type"]["value"])
    for i in range(len(cells)):
        if not sees(game.info, var["visible"], var["type"]["key"], i // width, seat):
            cells[i] = [] if isinstance(cells[i], list) else 0


def _blank_family(view: View, family: FamilyRow) -> None:
    """Hidden zones are emptied, their sizes kept; so are the values of pieces that stand unseen."""
    s, seat = view._masked, view.seat
    for zone, owners in hidden_zones(view._game, family, seat):
        name, field = zone["name"], zone["field"]
        if zone["per"] is None:
            view._sizes[name, 0] = size(getattr(s, field))
            setattr(s, field, 0)
            continue
        cells = getattr(s, field)
        for owner in owners:
            view._sizes[name, owner] = size(cells[owner])
            cells[owner] = 0
    st = family["standing"]
    if st is not None:
        f = st["fields"]
        alive, values, known = (getattr(s, f[name]) for name in ("alive", "value", "known"))
        for h in members(alive):
            if not known[h] >> seat & 1:
                values[h] = 0
        # a piece that no longer stands leaves nothing behind
        gone = [*members(~alive & (1 << len(values)) - 1)]
        for field in f.values() if gone else ():
            cells = getattr(s, field)
            if not isinstance(cells, int):
                for h in gone:
                    cells[h] = 0


def _unseen_pieces(view: View, family: FamilyRow) -> dict[str, list[int]]:
    """What there is of a family less what the seat sees; what is hidden has been blanked."""
    s, kinds = view._masked, family["kind"]["size"]
    rest = [list(row) for row in family["copies"]]
    for zone in family["zones"]:
        value = getattr(s, zone["field"])
        for owner, content in enumerate(value if zone["per"] is not None else [value]):
            if content:
                left = rest[group_of(family, zone, owner)]
                for k, n in enumerate(counts(content, kinds)):
                    left[k] -= n
    st = family["standing"]
    if st is not None:
        f = st["fields"]
        values, known = getattr(s, f["value"]), getattr(s, f["known"])
        seat_of = getattr(s, f["owner"]) if family["per"] is not None else None
        for h in members(getattr(s, f["alive"])):
            if known[h] >> view.seat & 1:
                rest[seat_of[h] if seat_of is not None else 0][values[h]] -= 1
    return {f"{family['name']}:{group}": left for group, left in enumerate(rest)}


# ---------------------------------------------------------------- the data of a view


class Memo:
    """What values were last shown as. Those that have not changed since are given again, so what comes from it is not to be changed."""

    keeps = True

    def __init__(self) -> None:
        self._last: dict[tuple[str, object], tuple[object, object]] = {}
        # what all see of the position that is looked at now
        self.public: Json | None = None
        self.locals: Json | None = None
        # what may be different for each seat
        self.rest: list[StateRow] = []

    def new_position(self) -> None:
        """The views that come next are of another position than those before."""
        self.public = self.locals = None

    def shown(self, key: tuple[str, object], raw: object, make: Callable[[], _Made]) -> _Made:
        found = self._last.get(key)
        if found is None or found[0] != raw:
            found = self._last[key] = raw, make()
        return cast(_Made, found[1])


def data_of(view: View, memo: Memo) -> Json:
    """The data of a view, for one who looks at position after position and only reads."""
    if view._data is None:
        view._data = _data(view, memo)
    return view._data


class _Anew(Memo):
    """Nothing is kept: everybody gets data of their own."""

    keeps = False

    def shown(self, key: tuple[str, object], raw: object, make: Callable[[], _Made]) -> _Made:
        return make()


def _data(view: View, memo: Memo) -> Json:
    game, s, seat = view._game, view._masked, view.seat
    info = game.info
    data: Json = {
        "game": info["game"], "players": info["players"], "variants": info["variants"], "seat": seat,
        "state": {}, "zones": {}, "pieces": {}, "scores": list(s.score), "may_be": {},
    }  # fmt: skip
    public = memo.public
    data["state"] = {} if public is None else public.copy()
    for var in info["state"] if public is None else memo.rest:
        visible = var["visible"]
        if var["role"] in ROLES:
            continue
        raw = getattr(s, var["field"])
        if visible == "nobody" and not var["about"]:
            data["state"][var["name"]] = {"hidden": True}
            continue
        whose = None if visible == "all" else seat
        shown = memo.shown((var["name"], whose), raw, partial(_shown, game, var, raw, seat))
        if var["about"]:
            data["may_be"].setdefault(var["about"], {})[var["role"]] = shown
        else:
            data["state"][var["name"]] = shown
    if public is None and memo.keeps:
        # what seats see each for itself is put in its place in the copies of it
        seen = {var["name"] for var in info["state"] if var["visible"] == "all"}
        memo.public = {n: v if n in seen else None for n, v in data["state"].items()}
        if not memo.rest:
            memo.rest = [v for v in info["state"] if v["visible"] != "all" or v["about"]]
    for family in info["families"]:
        unseen = {zone["name"]: owners for zone, owners in hidden_zones(game, family, seat)}
        for zone in family["zones"]:
            name, content = zone["name"], getattr(s, zone["field"])
            hidden = unseen.get(name, ())
            raw = (content, [view._sizes[name, i] for i in hidden]) if hidden else content
            make = partial(zone_data, view, family, zone)
            data["zones"][name] = memo.shown((name, seat), raw, make)
        standing = family["standing"]
        if standing is not None:
            raw = [getattr(s, field) for field in standing["fields"].values()]
            make = partial(pieces_data, view, family)
            data["pieces"][standing["name"]] = memo.shown((standing["name"], seat), raw, make)
    if any(ordered(info)):
        data.update(order_data(view))
    data["decides"] = s.who
    if s.who >= 0:
        choice = info["choices"][str(s.pc)]
        data["choice"] = choice["label"]
        if s.who == seat:
            data["legal"] = [game.option_name(choice, i) for i in members(s.opts)]
    if memo.locals is not None:
        data["locals"] = memo.locals
        return data
    live = live_slots(game, s)
    data["locals"] = {
        f"{n}:{name}": game.values.show(t, getattr(s, slot)) if t else getattr(s, slot)
        for n, name, slot, t, secret in live
        if secret is None or s.who == seat
    }
    if memo.keeps and all(secret is None for *_, secret in live):
        memo.locals = data["locals"]
    return data


def _shown(game: Game, var: StateRow, value: Value, seat: int) -> Value:
    shown = show_state(game, var, value)
    if var["visible"] in ("owner", "team") and not var["about"]:
        key = var["type"]["key"]
        seen = [sees(game.info, var["visible"], key, i, seat) for i in range(len(shown))]
        return {
            k: v if own else {"hidden": True}
            for own, (k, v) in zip(seen, shown.items(), strict=True)
        }
    return shown


def zone_data(view: View, family: FamilyRow, zone: ZoneRow) -> Json:
    game, s = view._game, view._masked
    value = getattr(s, zone["field"])

    def one(owner: int, content: int) -> Json:
        if sees_zone(game.info, zone, owner, view.seat):
            return show_zone(game, family, content)
        return {"hidden": view._sizes[zone["name"], owner]}

    cells = value if zone["per"] is not None else [value]
    return by_keys(game.values, zone, [one(i, z) for i, z in enumerate(cells)])


def pieces_data(view: View, family: FamilyRow) -> Json:
    game, s = view._game, view._masked
    st = family["standing"]
    assert st is not None
    out: Json = {}
    for h in members(getattr(s, st["fields"]["alive"])):
        row = piece(game, family, s, h)
        if not row["known"] >> view.seat & 1:
            row["value"] = {"hidden": True}
        out[str(h + 1)] = row
    return out


_ANEW = _Anew()
