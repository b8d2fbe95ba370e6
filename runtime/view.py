"""What one seat sees of a state, and full states that look the same to it.

A view is made from a copy of the state in which everything hidden from the seat is blanked; what is hidden is not in it at all.
`determinize` deals the pieces that the seat cannot see at random over the places where they may be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.runtime import rng
from rulewright.runtime.api import seed_number
from rulewright.runtime.bits import members, nth, size
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.given import shown
from rulewright.runtime.save import live_slots, piece, returns, show_state, show_zone
from rulewright.runtime.zones_text import counts, packed

Json = dict[str, Any]
# a deal in which the pending decision can't be taken is thrown away, at most as often as this
_MOST_DEALS = 10_000


class View:
    """Plain data for one seat: `data` to read, `legal_actions` to choose from, `determinize` to think with."""

    __slots__ = ("_data", "_game", "_masked", "_sizes", "_unknown", "seat")

    def __init__(self, game: Any, state: Any, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < game.info["players"]:
            raise RulewrightError(
                f"there is no seat {shown(seat)}; seats are 0..{game.info['players'] - 1}"
            )
        self.seat = seat
        self._game = game
        self._masked = state.clone()
        self._sizes: dict[tuple[str, int], int] = {}
        self._unknown: dict[str, list[int]] = {}
        self._data: Json | None = None
        _blank(self)

    @property
    def data(self) -> Json:
        """Everything the seat sees, as plain data."""
        if self._data is None:
            self._data = _data(self)
        return self._data

    @property
    def game(self) -> Any:
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

    def scores(self) -> list[int]:
        return list(self._masked.score)

    def determinize(self, seed: int) -> Any:
        """A full state with this view; every such state can come out."""
        return _deal(self, seed_number(seed))

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
        if var["visible"] == "owner":
            _blank_owned(game, s, var, seat)
        elif var["visible"] == "nobody":
            _set_all(s, var["field"], lambda: 0)
    for family in game.info["families"]:
        _blank_family(view, family)
    if s.who >= 0 and s.who != seat and game.info["choices"][str(s.pc)]["secret_options"]:
        s.opts = 0
    if game.info["full"]:
        s.story = [
            (v, t) for v, t in s.story if v == -1 or v == seat or (v <= -2 and -2 - v != seat)
        ]
        s.hits = []
        if s.who == -1 and game.info["chances"][str(s.pc)]["hidden"]:
            s.pool = s.opts = 0


def _dead_slots(game: Any, s: Any, seat: int) -> None:
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
        if name not in keep:
            setattr(s, name, 0 if isinstance(getattr(s, name), int) else [])


def _blank_owned(game: Any, s: Any, var: Json, seat: int) -> None:
    cells = getattr(s, var["field"])
    width = game.values.cells(var["type"]["value"])
    guesses = getattr(s, var["guess"]) if var["guess"] else None
    for i in range(len(cells)):
        if i // width != seat:
            cells[i] = [] if isinstance(cells[i], list) else 0
        elif guesses is not None:
            # one's own value is known: what others guess is told to all alike
            pass


def _set_all(s: Any, field: str, value: Callable[[], int]) -> None:
    """Every number of a field gets a value; lists are emptied."""
    found = getattr(s, field)
    if isinstance(found, int):
        setattr(s, field, value())
        return
    for i, cell in enumerate(found):
        found[i] = [] if isinstance(cell, list) else value()


def _sees(zone: Json, owner: int, seat: int) -> bool:
    return zone["visible"] == "all" or (zone["visible"] == "owner" and owner == seat)


def _blank_family(view: View, family: Json) -> None:
    """Hidden zones are emptied, their sizes kept; what is seen nowhere is the unknown rest of the family."""
    s, seat = view._masked, view.seat
    kinds = family["kind"]["size"]
    groups = len(family["copies"])
    rest = [list(row) for row in family["copies"]]
    for zone in family["zones"]:
        value = getattr(s, zone["field"])
        cells = value if zone["per"] is not None else [value]
        for owner, content in enumerate(list(cells)):
            group = owner if family["per"] is not None else 0
            if _sees(zone, owner, seat):
                for k, n in enumerate(counts(content, kinds)):
                    rest[group][k] -= n
                continue
            view._sizes[zone["name"], owner] = size(content)
            if zone["per"] is not None:
                cells[owner] = 0
            else:
                setattr(s, zone["field"], 0)
    st = family["standing"]
    if st is not None:
        f = st["fields"]
        alive, values = getattr(s, f["alive"]), getattr(s, f["value"])
        for h in members(alive):
            group = getattr(s, f["owner"])[h] if family["per"] is not None else 0
            if getattr(s, f["known"])[h] >> seat & 1:
                rest[group][values[h]] -= 1
            else:
                values[h] = 0
        # a piece that no longer stands leaves nothing behind
        for field in f.values():
            cells = getattr(s, field)
            for h in range(0 if isinstance(cells, int) else len(cells)):
                if not alive >> h & 1:
                    cells[h] = 0
    for group in range(groups):
        view._unknown[f"{family['name']}:{group}"] = rest[group]


# ---------------------------------------------------------------- the data of a view


def _data(view: View) -> Json:
    game, s, seat = view._game, view._masked, view.seat
    info = game.info
    data: Json = {
        "game": info["game"], "players": info["players"], "variants": info["variants"], "seat": seat,
        "state": {}, "zones": {}, "pieces": {}, "scores": list(s.score),
    }  # fmt: skip
    for var in info["state"]:
        shown = show_state(game, var, getattr(s, var["field"]))
        if var["visible"] == "owner":
            shown = {k: v if k == str(seat) else {"hidden": True} for k, v in shown.items()}
        elif var["visible"] == "nobody":
            shown = {"hidden": True}
        data["state"][var["name"]] = shown
    for family in info["families"]:
        for zone in family["zones"]:
            data["zones"][zone["name"]] = _zone_data(view, family, zone)
        if family["standing"] is not None:
            data["pieces"][family["standing"]["name"]] = _pieces_data(view, family)
    data["decides"] = s.who
    if s.who >= 0:
        choice = info["choices"][str(s.pc)]
        data["choice"] = choice["label"]
        if s.who == seat:
            data["legal"] = [game.option_name(choice, i) for i in members(s.opts)]
    data["locals"] = {
        f"{n}:{name}": game.values.show(t, getattr(s, slot)) if t else getattr(s, slot)
        for n, name, slot, t, secret in live_slots(game, s)
        if secret is None or s.who == seat
    }
    return data


def _zone_data(view: View, family: Json, zone: Json) -> Any:
    game, s = view._game, view._masked
    value = getattr(s, zone["field"])

    def one(owner: int, content: int) -> Json:
        if _sees(zone, owner, view.seat):
            return show_zone(game, family, content)
        return {"hidden": view._sizes[zone["name"], owner]}

    if zone["per"] is None:
        return one(0, value)
    return {str(game.values.show(zone["per"], i)): one(i, z) for i, z in enumerate(value)}


def _pieces_data(view: View, family: Json) -> Json:
    game, s = view._game, view._masked
    st = family["standing"]
    out: Json = {}
    for h in members(getattr(s, st["fields"]["alive"])):
        row = piece(game, family, s, h)
        if not row["known"] >> view.seat & 1:
            row["value"] = {"hidden": True}
        out[str(h + 1)] = row
    return out


# ---------------------------------------------------------------- dealing


class _Dice:
    """Random numbers for dealing, apart from those of the state."""

    def __init__(self, seed: int) -> None:
        self.x = rng.from_seed(seed)

    def below(self, n: int) -> int:
        self.x = rng.step(self.x)
        return rng.below(self.x, n)

    def shuffle(self, items: list[int]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def _deal(view: View, seed: int) -> Any:
    """Deals until the pending decision can be taken: that another seat is asked at all may tell of its pieces."""
    dice = _Dice(seed)
    for _ in range(_MOST_DEALS):
        s = _dealt(view, seed, dice)
        if s is not None:
            return s
    file, line, _ = view._game.info["choices"][str(view._masked.pc)]["place"]
    raise RulewrightError(
        f"{file}:{line}: in {_MOST_DEALS:,} deals there was none with an option for who decides here"
    )


def _dealt(view: View, seed: int, dice: _Dice) -> Any:
    """A state with this view, or nothing when the seat that decides would have no option in it."""
    game = view._game
    s = view._masked.clone()
    s.rng = rng.from_seed(seed ^ 0x5DEECE66D)
    if game.info["full"]:
        s.hits = [0] * len(game.info["hits"])  # finding options counts what runs
    for var in game.info["state"]:
        if var["visible"] == "owner" and var["guess"]:
            _guess_owned(game, s, var, view.seat, dice)
        elif var["visible"] == "nobody":
            _guess_hidden(game, s, var, dice)
    for family in game.info["families"]:
        for group in range(len(family["copies"])):
            _deal_group(view, s, family, group, dice)
    if s.who >= 0 and s.who != view.seat and not _choose_again(game, s, dice):
        return None
    if game.info["full"] and s.who == -1 and game.info["chances"][str(s.pc)]["hidden"]:
        game.module.refresh(s)
    return s


def _choose_again(game: Any, s: Any, dice: _Dice) -> bool:
    """Earlier steps of another seat's secret choice get values it could have chosen; then its options are found anew, if it has some."""
    pc = s.pc
    for _, _, slot, t, secret in live_slots(game, s):
        if secret is not None:
            s.pc = secret
            game.module.refresh(s)
            if not s.opts:
                return False
            low = game.values.low(t) if t["t"] in ("int", "kind") else 0
            setattr(s, slot, nth(s.opts, dice.below(size(s.opts))) + low)
            s.opts = 0
    s.pc = pc
    if game.info["choices"][str(pc)]["secret_options"]:
        game.module.refresh(s)
    return bool(s.opts)


def _guess_owned(game: Any, s: Any, var: Json, seat: int, dice: _Dice) -> None:
    cells, guesses = getattr(s, var["field"]), getattr(s, var["guess"])
    width = game.values.cells(var["type"]["value"])
    inner = var["type"]
    while inner["t"] == "map":
        inner = inner["value"]
    low = game.values.low(inner) if inner["t"] in ("int", "kind") else 0
    for i in range(len(cells)):
        if i // width != seat and guesses[i]:
            cells[i] = nth(guesses[i], dice.below(size(guesses[i]))) + low


def _guess_hidden(game: Any, s: Any, var: Json, dice: _Dice) -> None:
    """What nobody sees may have any value of its type."""
    t = var["type"]
    while t["t"] == "map":
        t = t["value"]
    base = t["of"] if t["t"] == "opt" else t
    low = game.values.low(base)
    if t["t"] == "opt":
        options = [-1, *range(low, low + game.values.count(base))]
        _set_all(s, var["field"], lambda: options[dice.below(len(options))])
    elif t["t"] in ("int", "kind"):
        _set_all(s, var["field"], lambda: dice.below(game.values.count(base)) + low)
    elif t["t"] == "bool":
        _set_all(s, var["field"], lambda: dice.below(2))
    elif t["t"] == "set":
        many = game.values.count(t["of"])
        _set_all(s, var["field"], lambda: sum(dice.below(2) << i for i in range(many)))


def _deal_group(view: View, s: Any, family: Json, group: int, dice: _Dice) -> None:
    """Hidden pieces of one family (of one owner): first those that stand, then those in zones."""
    rest = view._unknown[f"{family['name']}:{group}"]
    pool = [k for k, n in enumerate(rest) for _ in range(max(0, n))]
    dice.shuffle(pool)
    st = family["standing"]
    if st is not None:
        pool = _deal_standing(view, s, family, group, pool, dice)
    places: list[tuple[Json, int, int]] = []
    for zone in family["zones"]:
        owners = range(len(getattr(s, zone["field"]))) if zone["per"] is not None else range(1)
        for owner in owners:
            mine = family["per"] is None or owner == group
            if mine and (zone["name"], owner) in view._sizes:
                places.append((zone, owner, view._sizes[zone["name"], owner]))
    if sum(n for _, _, n in places) != len(pool):
        raise RulewrightError(
            f"the view does not add up: {len(pool)} unseen pieces of {family['name']}, places for {sum(n for _, _, n in places)}"
        )
    kinds = family["kind"]["size"]
    for zone, owner, n in places:
        copies = [0] * kinds
        for _ in range(n):
            copies[pool.pop()] += 1
        if zone["per"] is None:
            setattr(s, zone["field"], packed(copies))
        else:
            getattr(s, zone["field"])[owner] = packed(copies)


def _deal_standing(
    view: View, s: Any, family: Json, group: int, pool: list[int], dice: _Dice
) -> list[int]:
    """Give unseen standing pieces values that their guesses allow, by trying in random order."""
    f = family["standing"]["fields"]
    unseen = [
        h
        for h in members(getattr(s, f["alive"]))
        if not getattr(s, f["known"])[h] >> view.seat & 1
        and (family["per"] is None or getattr(s, f["owner"])[h] == group)
    ]
    guesses = getattr(s, f["guess"])
    # the pieces with the fewest possible values first, so that trying seldom fails
    unseen.sort(key=lambda h: size(guesses[h]))
    chosen: dict[int, int] = {}

    def place(i: int, left: list[int]) -> list[int] | None:
        if i == len(unseen):
            return left
        tried: set[int] = set()
        order = list(range(len(left)))
        dice.shuffle(order)
        for j in order:
            value = left[j]
            if value in tried or not guesses[unseen[i]] >> value & 1:
                continue
            tried.add(value)
            chosen[unseen[i]] = value
            done = place(i + 1, left[:j] + left[j + 1 :])
            if done is not None:
                return done
        return None

    left = place(0, pool)
    if left is None:
        raise RulewrightError(
            f"the view does not add up: no values for the standing pieces of {family['name']}"
        )
    for h, value in chosen.items():
        getattr(s, f["value"])[h] = value
    return left
