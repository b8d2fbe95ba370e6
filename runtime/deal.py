"""A view → a full state that looks the same to its seat: what it can't see is dealt anew, as the rules may have led to.

Pieces are dealt over the places where they may be. A hidden value gets one that all must think possible; where a piece of its kind is known to
lie in a hidden zone, both are dealt together. A deal is thrown away when it breaks what was established between hidden things, or when the seat
that decides would have no option in it. Every state that keeps to all this can come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING

from rulewright.runtime import rng
from rulewright.runtime.bits import members, nth, size
from rulewright.runtime.data import Value
from rulewright.runtime.differ import Entries, Entry, entries_that_differ
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.info import FamilyRow, StateRow, ZoneRow
from rulewright.runtime.lay import Heap, NoDeal, Seen, lay_seen
from rulewright.runtime.notes import Place, lowest, notes_of, places_of, seen_pieces
from rulewright.runtime.order import ROLES, deal_order, known_pieces
from rulewright.runtime.owners import group_of, hidden_zones
from rulewright.runtime.save import live_slots
from rulewright.runtime.seeing import sees
from rulewright.runtime.state import EngineState, full_flavour
from rulewright.runtime.zones_text import counts, packed

if TYPE_CHECKING:
    from rulewright.runtime.game import Game
    from rulewright.runtime.view import View

# a deal that does not fit is thrown away, at most as often as this
_MOST_DEALS = 10_000
# as far as one number of the generator goes
_LARGEST = 1 << 30


class Dice:
    """Random numbers for dealing, apart from those of the state."""

    def __init__(self, seed: int) -> None:
        self.x = rng.from_seed(seed)

    def below(self, n: int) -> int:
        if n <= _LARGEST:
            self.x = rng.step(self.x)
            return rng.below(self.x, n)
        # put together of several, until it is small enough
        while True:
            found = 0
            for _ in range(0, n.bit_length(), 30):
                found = found << 30 | self.below(1 << 30)
            found &= (1 << n.bit_length()) - 1
            if found < n:
                return found

    def shuffle(self, items: list[int]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


@dataclass(slots=True)
class _Linked:
    """An entry of a hidden variable whose piece is known to lie in one of some places, if it is none of the values in `free`.

    With `own` it is the piece of no other such entry there; with `differs` it was chosen as another piece than some others, wherever these lie.
    """

    field: str
    at: int
    places: list[Place]
    among: int
    own: bool
    free: list[int]
    differs: Entry | None


def deal(view: View, seed: int) -> EngineState:
    """A state with this view; it throws deals away until one fits."""
    dice = Dice(seed)
    for _ in range(_MOST_DEALS):
        try:
            return _dealt(view, seed, dice)
        except NoDeal:
            continue
    where = _place(view)
    raise RulewrightError(
        f"{where}in {_MOST_DEALS:,} deals there was none that fits: with an option for who decides here, and with all that holds between hidden things"
    )


def _place(view: View) -> str:
    choice = view._game.info["choices"].get(str(view._masked.pc))
    return "" if choice is None else f"{choice['place'][0]}:{choice['place'][1]}: "


def _dealt(view: View, seed: int, dice: Dice) -> EngineState:
    game = view._game
    info = game.info
    s = view._masked.clone()
    s.rng = rng.from_seed(seed ^ 0x5DEECE66D)
    if info["full"]:
        full_flavour(s).hits = [0] * len(info["hits"])  # finding options counts what runs
    linked: list[_Linked] = []
    differ = entries_that_differ(game, s)
    for var in info["state"]:
        if var["role"] in ROLES:
            continue
        if var["visible"] in ("owner", "team"):
            linked += _deal_owned(view, s, var, differ, dice)
        elif var["visible"] == "nobody":
            _deal_hidden(game, s, var, dice)
    # what is known best first, so that trying seldom fails
    linked.sort(key=lambda link: size(link.among) + len(link.free))
    for link in linked:
        if not link.places:
            _deal_linked(s, link, [], [], dice)
    for family in info["families"]:
        for group in range(len(family["copies"])):
            _deal_group(view, s, family, group, linked, dice)
    if s.who >= 0 and s.who != view.seat and not _choose_again(game, s, dice):
        raise NoDeal
    if info["full"] and s.who == -1 and info["chances"][str(s.pc)]["hidden"]:
        game.module.refresh(s)
    if info["fits"] is not None and not getattr(game.module, info["fits"])(s):
        raise NoDeal
    return s


def _choose_again(game: Game, s: EngineState, dice: Dice) -> bool:
    """Earlier steps of another seat's secret choice get values it could have chosen; then its options are found anew, if it has some."""
    pc = s.pc
    for _, _, slot, _, secret in live_slots(game, s):
        if secret is not None:
            s.pc = secret
            game.module.refresh(s)
            if not s.opts:
                return False
            choice = game.info["choices"][str(secret)]
            at = nth(s.opts, dice.below(size(s.opts)))
            declined = choice["otherwise"] is not None and at == choice["size"] - 1
            setattr(s, slot, -1 if declined else at + game.values.low(choice["element"]))
            s.opts = 0
    s.pc = pc
    if game.info["choices"][str(pc)]["secret_options"]:
        game.module.refresh(s)
    return bool(s.opts)


# ---------------------------------------------------------------- hidden values


def known_to_all(game: Game, s: EngineState, var: StateRow, at: int) -> None:
    """An entry of a hidden variable was set from outside: all know it, and nothing else about it."""
    value = getattr(s, var["field"])[at]
    notes = notes_of(game, s, var["name"])
    if "surely" in notes:
        now = {"may_be": value, "surely": value, "least": size(value), "most": size(value)}
    else:
        low = lowest(game, var)
        now = {
            "may_be": 0 if value < low else 1 << (value - low),
            "may_be_none": int(value < low),
        }
    for role, cells in notes.items():
        cells[at] = now.get(role, 0)


def _deal_owned(
    view: View, s: EngineState, var: StateRow, differ: Entries, dice: Dice
) -> list[_Linked]:
    """What others alone see gets a value that all must think possible; entries with a piece in a zone are left for later.

    So are the seat's own entries, as their pieces are no others', and those that were chosen as other pieces than some others.
    """
    game, seat = view._game, view.seat
    cells = getattr(s, var["field"])
    width = game.values.cells(var["type"]["value"])
    notes = notes_of(game, s, var["name"])
    if not notes:
        return []
    if "surely" in notes:
        _deal_sets(view, s, var, notes, dice)
        return []
    low, followed = lowest(game, var), places_of(game)
    out: list[_Linked] = []
    for i in range(len(cells)):
        seen = sees(game.info, var["visible"], var["type"]["key"], i // width, seat)
        free = [k + low for k in members(notes["may_be"][i])]
        if "may_be_none" in notes and notes["may_be_none"][i]:
            free.append(-1)
        places = [followed[n] for n in members(notes["lies_in"][i])] if "lies_in" in notes else []
        differs = differ.get((var["field"], i))
        if differs is not None:
            # what all know is counted first
            may_be = {*free, *(members(notes["among"][i]) if places else ())}
            known = cells[i] if seen else may_be.pop() if len(may_be) == 1 else None
            if known is not None:
                differs.give(known)
                differs = None
        if places:
            among, own = notes["among"][i], "own" in notes and bool(notes["own"][i])
            if seen:
                among &= 1 << cells[i] if cells[i] >= 0 else 0
                free = [k for k in free if k == cells[i]]
            if not seen or among:
                out.append(_Linked(var["field"], i, places, among, own, free, differs))
        elif differs is not None:
            out.append(_Linked(var["field"], i, [], 0, False, free, differs))
        elif free and not seen:
            cells[i] = free[dice.below(len(free))]
    return out


def _deal_sets(
    view: View, s: EngineState, var: StateRow, notes: dict[str, Value], dice: Dice
) -> None:
    """A set that others alone see is any of those that all must think possible, all alike."""
    cells = getattr(s, var["field"])
    width = view._game.values.cells(var["type"]["value"])
    for i in range(len(cells)):
        if sees(view._game.info, var["visible"], var["type"]["key"], i // width, view.seat):
            continue
        surely = notes["surely"][i]
        unsure = list(members(notes["may_be"][i] & ~surely))
        known = size(surely)
        numbers = range(
            max(notes["least"][i] - known, 0), min(notes["most"][i] - known, len(unsure)) + 1
        )
        ways = [comb(len(unsure), n) for n in numbers]
        if not ways:
            raise NoDeal
        at = dice.below(sum(ways))
        many = next(n for n, before in zip(numbers, accumulate(ways), strict=True) if at < before)
        dice.shuffle(unsure)
        cells[i] = surely | sum(1 << k for k in unsure[:many])


def _deal_hidden(game: Game, s: EngineState, var: StateRow, dice: Dice) -> None:
    """What nobody sees may have any value of its type."""
    t = var["type"]
    while t["t"] == "map":
        t = t["value"]
    base = t["of"] if t["t"] == "opt" else t
    if t["t"] == "bool":
        choices = [0, 1]
    elif t["t"] in ("int", "kind", "opt"):
        low = game.values.low(base)
        choices = [-1] if t["t"] == "opt" else []
        choices += range(low, low + game.values.count(base))
    elif t["t"] == "set":
        many = game.values.count(t["of"])
        set_all(s, var["field"], lambda: sum(dice.below(2) << i for i in range(many)))
        return
    else:
        return
    set_all(s, var["field"], lambda: choices[dice.below(len(choices))])


def set_all(s: EngineState, field: str, value: Value) -> None:
    """Every number of a field gets a value; lists are emptied."""
    found = getattr(s, field)
    if isinstance(found, int):
        setattr(s, field, value())
        return
    for i, cell in enumerate(found):
        found[i] = [] if isinstance(cell, list) else value()


# ---------------------------------------------------------------- pieces


def _deal_group(
    view: View, s: EngineState, family: FamilyRow, group: int, linked: list[_Linked], dice: Dice
) -> None:
    """Hidden pieces of one family (of one owner): those that stand, those that hidden values speak of, then the rest in zones."""
    game = view._game
    rest = view.unknown[f"{family['name']}:{group}"]
    pool = [k for k, n in enumerate(rest) for _ in range(max(0, n))]
    dice.shuffle(pool)
    if family["standing"] is not None:
        pool = _deal_standing(view, s, family, group, pool, dice)
    hidden = hidden_zones(game, family, view.seat)
    unseen: dict[Place, Heap] = {}
    fields: dict[Place, ZoneRow] = {}
    for zone, owners in hidden:
        for owner in owners:
            if family["per"] is None or group_of(family, zone, owner) == group:
                place = zone["name"], owner
                unseen[place] = Heap([], view._sizes[place], [])
                fields[place] = zone
    room = sum(heap.room for heap in unseen.values())
    if room != len(pool):
        raise RulewrightError(
            f"the view does not add up: {len(pool)} unseen pieces of {family['name']}, places for {room}"
        )
    _deal_known(view, s, family, unseen, pool)
    pieces = seen_pieces(game, s, family)
    # only pieces that all have seen, and such values, may lie where the seat can see them
    heaps = _with_seen(s, family, group, unseen) if linked or pieces else unseen
    seen = [Seen(kind, [place for place in places if place in heaps]) for kind, places in pieces]
    lay_seen([piece for piece in seen if piece.places], heaps, pool, dice)
    for link in linked:
        there = [heaps[place] for place in link.places if place in heaps]
        if there:
            _deal_linked(s, link, there, pool, dice)
    kinds = family["kind"]["size"]
    for (name, owner), heap in unseen.items():
        copies = [0] * kinds
        for k in heap.held:
            copies[k] += 1
        for _ in range(heap.room):
            copies[pool.pop()] += 1
        zone = fields[name, owner]
        deal_order(view, s, zone, owner, copies, dice)
        if zone["per"] is None:
            setattr(s, zone["field"], packed(copies))
        else:
            getattr(s, zone["field"])[owner] = packed(copies)


def _with_seen(
    s: EngineState, family: FamilyRow, group: int, unseen: dict[Place, Heap]
) -> dict[Place, Heap]:
    """What lies in the zones of a family, in those that the seat can look into, too."""
    out: dict[Place, Heap] = {}
    for zone in family["zones"]:
        value = getattr(s, zone["field"])
        for owner, content in enumerate(value if zone["per"] is not None else [value]):
            place = zone["name"], owner
            if family["per"] is not None and group_of(family, zone, owner) != group:
                continue
            seen = enumerate(counts(content, family["kind"]["size"]))
            out[place] = unseen.get(place) or Heap([k for k, n in seen for _ in range(n)], 0, [])
    return out


def _deal_known(
    view: View,
    s: EngineState,
    family: FamilyRow,
    heaps: dict[Place, Heap],
    pool: list[int],
) -> None:
    """What all know to lie in hidden zones is laid there first, and what the seat knows the place of."""
    kinds = family["kind"]["size"]

    def lay(heap: Heap, kind: int) -> None:
        pool.remove(kind)
        heap.held.append(kind)
        heap.room -= 1

    for zone in family["zones"]:
        known = notes_of(view._game, s, zone["name"]).get("known", ())
        for at, many in enumerate(known):
            there = heaps.get((zone["name"], at // kinds)) if many else None
            if there is not None:
                for _ in range(many):
                    lay(there, at % kinds)
        for (name, owner), heap in heaps.items() if "seen" in zone else ():
            known_here = known_pieces(view, s, zone, owner) if name == zone["name"] else []
            for k in set(known_here):
                for _ in range(known_here.count(k) - heap.held.count(k)):
                    lay(heap, k)


def _deal_linked(
    s: EngineState, link: _Linked, heaps: list[Heap], pool: list[int], dice: Dice
) -> None:
    """A value together with its piece: one that lies in one of its places already, or one of those still to be dealt, which is laid there.

    What is a value's own is `claimed`: another such value has another piece.
    """
    ways: list[tuple[int, Heap | None, bool]] = [(value, None, False) for value in link.free]
    fresh = [k for k in pool if link.among >> k & 1]
    for heap in heaps:
        for k in sorted(set(heap.held)):
            taken = link.own and heap.held.count(k) <= heap.claimed.count(k)
            if link.among >> k & 1 and not taken:
                ways.append((k, heap, False))
        if heap.room:
            ways += [(k, heap, True) for k in fresh]
    if link.differs is not None:
        ways = [way for way in ways if link.differs.may_have(way[0])]
    if not ways:
        raise NoDeal
    value, chosen, is_fresh = ways[dice.below(len(ways))]
    if chosen is not None:
        if is_fresh:
            pool.remove(value)
            chosen.held.append(value)
            chosen.room -= 1
        if link.own:
            chosen.claimed.append(value)
    if link.differs is not None:
        link.differs.give(value)
    getattr(s, link.field)[link.at] = value


def _deal_standing(
    view: View, s: EngineState, family: FamilyRow, group: int, pool: list[int], dice: Dice
) -> list[int]:
    """Give unseen standing pieces values that their guesses allow, by trying in random order."""
    assert family["standing"] is not None
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
