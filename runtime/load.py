"""What `save` gave, or what somebody made of it → a state that the rules know, or one error that says what is wrong and where.

Nothing in the data is trusted. First everything is read by its type and range; then pieces are counted, points added up
and the position followed outwards; at last the engine works out anew who is asked and what can be chosen, and looks at
its invariants. The work is bounded by the size of the ruleset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.runtime import api, rng
from rulewright.runtime.asking import ask_forced, asks_forced
from rulewright.runtime.data import Value
from rulewright.runtime.errors import IN_PLAY, SaveError
from rulewright.runtime.given import LARGEST, Given, Reading, shown
from rulewright.runtime.info import FamilyRow, Info, StandingRow, TypeRow, ZoneRow
from rulewright.runtime.notes import doubted
from rulewright.runtime.order import check_order
from rulewright.runtime.owners import group_of, keys_of
from rulewright.runtime.save import live_slots
from rulewright.runtime.state import EngineState, full_flavour
from rulewright.runtime.zones_text import counts, packed

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

# where a procedure returns to that a scenario entered
_ENTERED = -1
_PARTS = (
    "game", "players", "variants", "options", "ruleset", "compiler",
    "state", "zones", "pieces", "breakdown", "at",
)  # fmt: skip


def load(game: Game, data: object, reading: Reading | None = None) -> EngineState:
    """The state that was saved; whatever does not fit to the rules is refused."""
    top = Given(data, reading or Reading("the saved state can't be used", SaveError))
    state = _read(game, top)
    _check_pieces(game, state, top)
    check_order(game, state, top)
    _check_points(game, state, top)
    _check_guesses(game, state, top)
    _ask_again(game, state, top)
    return state


def placed(game: Game, data: object) -> EngineState:
    """A position set up by hand: every value is of its type, but it need not be one that play can reach."""
    return _read(game, Given(data, Reading("the position can't be used", SaveError)))


def moved(source: Game, target: Game, state: EngineState) -> EngineState:
    """The same state in the other flavour of its game; it is known to be good."""
    from rulewright.runtime.save import save

    out = _read(
        target,
        Given(save(source, state), Reading("the state can't be carried over", SaveError)),
        entered=True,
    )
    out.opts = state.opts
    return out


# ---------------------------------------------------------------- reading


def _read(game: Game, top: Given, entered: bool = False) -> EngineState:
    info = game.info
    parts = _header(info, top)
    state = game.module.new_state(0)
    values = Typed(game)
    _read_state(game, state, values, parts)
    zones = [(f, z) for f in info["families"] for z in f["zones"]]
    named = parts["zones"].mapping([z["name"] for _, z in zones])
    for family, zone in zones:
        _read_zone(game, state, values, family, zone, named[zone["name"]])
    standing = [(f, f["standing"]) for f in info["families"] if f["standing"] is not None]
    rows = parts["pieces"].mapping([st["name"] for _, st in standing])
    for family, st in standing:
        _read_pieces(game, state, values, family, st, rows[st["name"]])
    size = len(state.breakdown_)
    for i, points in enumerate(parts["breakdown"].items(size, size)):
        state.breakdown_[i] = points.whole()
    state.rng = rng.within(parts["rng"].digits(1, LARGEST)) if "rng" in parts else rng.from_seed(0)
    _read_chance(info, state, parts)
    _read_position(game, state, values, parts["at"], entered)
    if "ask_forced" in parts and parts["ask_forced"].truth():
        # a compiled class has no such states; whoever loads takes the full flavour then
        return ask_forced(game, state) if info["full"] or game.asking is not None else state
    return state


def _header(info: Info, top: Given) -> dict[str, Given]:
    """The parts of a save, of this game and under these rules."""
    if type(top.value) is not dict or "ruleset" not in top.value or "at" not in top.value:
        top.fail("this is not a saved state")
    for key in ("game", "ruleset"):
        if type(top.value.get(key)) is not str:
            top.fail(f"{key}: {shown(top.value.get(key))} is not a text")
    if top.value["game"] != info["game"]:
        top.fail(f"it is of {shown(top.value['game'])}, not of {info['game']!r}")
    if top.value["ruleset"] != info["hash"]:
        top.fail(
            f"it was saved under other rules (ruleset {shown(top.value['ruleset'])}, this is {info['hash']!r})"
        )
    parts = top.mapping(_PARTS, ("rng", "chance", "ask_forced"))
    parts["players"].same(info["players"])
    parts["compiler"].text()
    parts["variants"].same(list(info["variants"]))
    parts["options"].same(dict(info["options"]))
    return parts


def _read_state(game: Game, state: EngineState, values: Typed, parts: dict[str, Given]) -> None:
    rows = game.info["state"]
    found = parts["state"].mapping([s["name"] for s in rows])
    for s in rows:
        if s["type"]["t"] == "map":
            values.map(s["type"], found[s["name"]], getattr(state, s["field"]), 0)
        else:
            setattr(state, s["field"], values.read(s["type"], found[s["name"]]))


def _read_zone(
    game: Game, state: EngineState, values: Typed, family: FamilyRow, zone: ZoneRow, found: Given
) -> None:
    names = values.names(family["kind"])
    most = max((max(row, default=0) for row in family["copies"]), default=0)

    def content(one: Given) -> int:
        counted = one.mapping((), names)
        return packed([counted[n].whole(0, most) if n in counted else 0 for n in names])

    if zone["per"] is None:
        setattr(state, zone["field"], content(found))
        return
    heaps = [found]
    for key in keys_of(zone):
        heaps = [one for heap in heaps for one in heap.mapping(values.names(key)).values()]
    # place by place: the arrays of an engine in C are changed in no other way
    cells = getattr(state, zone["field"])
    for place, one in enumerate(heaps):
        cells[place] = content(one)


def _read_pieces(
    game: Game, state: EngineState, values: Typed, family: FamilyRow, st: StandingRow, found: Given
) -> None:
    f, per = st["fields"], family["per"]
    owner = [] if per is None else ["owner"]
    kinds, players = family["kind"]["size"], game.info["players"]
    alive = 0
    for name, row in found.mapping((), [str(h + 1) for h in range(st["size"])]).items():
        h = int(name) - 1
        alive |= 1 << h
        cells = row.mapping(["value", "known", "guess", *owner, *st["types"]])
        getattr(state, f["value"])[h] = values.read(family["kind"], cells["value"])
        getattr(state, f["known"])[h] = cells["known"].whole(0, (1 << players) - 1)
        getattr(state, f["guess"])[h] = cells["guess"].digits(0, (1 << kinds) - 1)
        if per is not None:
            getattr(state, f["owner"])[h] = values.read(per, cells["owner"])
        for field, t in st["types"].items():
            getattr(state, f[field])[h] = values.read(t, cells[field])
    setattr(state, f["alive"], alive)


def _read_chance(info: Info, state: EngineState, parts: dict[str, Given]) -> None:
    if "chance" in parts:
        explicit = parts["chance"].mapping(["explicit"])["explicit"].truth()
        if info["full"]:
            full_flavour(state).explicit = explicit


def _read_position(
    game: Game, state: EngineState, values: Typed, found: Given, entered: bool
) -> None:
    """Where the rules stand: the pending point, what it returns to, and the locals that still count there.

    In a scenario a procedure may have been entered from outside; when it returns, all is over.
    """
    info = game.info
    at = found.mapping(["pc", "who", "returns", "locals"], ("options", "choice"))
    state.pc = at["pc"].whole(0)
    state.who = at["who"].whole(-4, info["players"] - 1)
    _check_point(game, state, at)
    point = info["points"].get(str(state.pc))
    # procedures can't recurse, so that there are at most as many returns as frames
    for back in at["returns"].items(len(info["callers"])):
        slot = None if point is None else point["back"]
        if point is None or not slot:
            back.fail("there is nothing to return to")
        if entered and back.value == _ENTERED:
            setattr(state, slot, _ENTERED)
            point = None
            continue
        pc = back.whole(1)
        if pc not in info["callers"][point["frame"]]:
            back.fail(f"{point['frame']} is not run from point {pc}")
        setattr(state, slot, pc)
        point = info["points"][str(pc)]
    if point is not None and point["back"]:
        at["returns"].fail(f"where {point['frame']} returns to is missing")
    _read_locals(game, state, values, at["locals"])


def _check_point(game: Game, state: EngineState, at: dict[str, Given]) -> None:
    pc, who, info = str(state.pc), state.who, game.info
    if state.pc == 0:
        if who != -4:
            at["who"].fail("the game is over, so that nobody decides")
        label = None
    elif pc in info["choices"]:
        if who < 0:
            at["who"].fail(f"{who}, but a player decides here")
        label = info["choices"][pc]["label"]
    elif pc in info["chances"]:
        if who != -1 or not full_flavour(state).explicit:
            at["who"].fail("chance that is given from outside decides here")
        label = None
    elif game.info["full"] or who != -1:
        at["pc"].fail(f"the rules have no stop number {shown(state.pc)}")
    else:
        at["pc"].fail("chance decides here: load this state with game.full, which stops at chance")
    if label is None and "choice" in at:
        at["choice"].fail("nobody chooses here")
    if label is not None and "choice" in at:
        at["choice"].same(label)


def _read_locals(game: Game, state: EngineState, values: Typed, found: Given) -> None:
    """Other builds may know a value by another number; each slot must be given by one of its numbers."""
    live = live_slots(game, state)
    rows: dict[int, Given] = {}
    for row in found.items(2 * len(live) + 16):
        told, word, content = row.items(3, 3)
        word.text()
        if told.whole(0) in rows:
            told.fail("this local is here twice")
        rows[told.value] = content
    filled: dict[str, Value] = {}
    missing: dict[str, str] = {}
    for number, name, slot, t, _ in live:
        if number not in rows:
            missing.setdefault(slot, name)
            continue
        one = rows.pop(number)
        value = values.read(t, one)
        if filled.setdefault(slot, value) != value:
            one.fail(f"two values for {name!r}")
        setattr(state, slot, value)
    for slot, name in missing.items():
        if slot not in filled:
            found.fail(f"the local {name!r} is missing")
    for other in rows.values():
        if type(other.value) not in (int, str, bool, list, type(None)):
            other.fail(f"{shown(other.value)} is not a value of a local")


class Typed:
    """Values of the kinds of one game, read by their types."""

    def __init__(self, game: Game) -> None:
        self.values = game.values

    def names(self, t: TypeRow) -> list[str]:
        """The members of a type, as they are written for keys."""
        low = self.values.low(t)
        return [str(self.values.show(t, i + low)) for i in range(self.values.count(t))]

    def read(self, t: TypeRow, found: Given) -> Value:
        match t["t"]:
            case "int":
                return found.whole(t["low"], t["high"])
            case "bool":
                return int(found.truth())
            case "kind":
                return self.member(t, found)
            case "opt":
                return -1 if found.value is None else self.read(t["of"], found)
            case "set":
                return self.mask(t["of"], found)
            case _:
                pass
        limit = t["limit"]
        return [self.read(t["of"], one) for one in found.items(1000 if limit is None else limit)]

    def member(self, t: TypeRow, found: Given) -> int:
        if t["kind"] == "Player":
            return found.whole(0, t["size"] - 1)
        index = self.values.index[t["kind"]].get(found.text())
        if index is None:
            found.fail(f"{shown(found.value)} is not a member of {t['kind']}")
        return int(index)

    def mask(self, element: TypeRow, found: Given) -> int:
        low = self.values.low(element)
        out = 0
        for one in found.items(self.values.count(element)):
            bit: int = 1 << (self.read(element, one) - low)
            if out & bit:
                one.fail("it is here twice")
            out |= bit
        return out

    def map(self, t: TypeRow, found: Given, cells: list[Value], start: int) -> None:
        if t["t"] != "map":
            cells[start] = self.read(t, found)
            return
        size = self.values.cells(t["value"])
        for i, one in enumerate(found.mapping(self.names(t["key"])).values()):
            self.map(t["value"], one, cells, start + i * size)


# ---------------------------------------------------------------- what must hold


def _check_pieces(game: Game, state: EngineState, top: Given) -> None:
    """Every piece is somewhere, and none is in two places."""
    for family in game.info["families"]:
        kinds = family["kind"]["size"]
        have = [[0] * kinds for _ in family["copies"]]
        for zone in family["zones"]:
            content = getattr(state, zone["field"])
            for owner, one in enumerate(content if zone["per"] is not None else [content]):
                mine = have[group_of(family, zone, owner)]
                for kind, n in enumerate(counts(one, kinds)):
                    mine[kind] += n
        if family["standing"] is not None:
            f = family["standing"]["fields"]
            alive = getattr(state, f["alive"])
            for h in range(family["standing"]["size"]):
                if alive >> h & 1:
                    owner = getattr(state, f["owner"])[h] if family["per"] is not None else 0
                    have[owner][getattr(state, f["value"])[h]] += 1
        for group, (found, declared) in enumerate(zip(have, family["copies"], strict=True)):
            for kind, (n, wanted) in enumerate(zip(found, declared, strict=True)):
                if n != wanted:
                    piece = game.values.show(family["kind"], kind)
                    whose = (
                        ""
                        if family["per"] is None
                        else f" of {game.values.show(family['per'], group)}"
                    )
                    top.fail(f"{n} pieces {family['name']} {piece}{whose}, but there are {wanted}")


def _check_points(game: Game, state: EngineState, top: Given) -> None:
    width = max(1, len(game.info["reasons"]))
    for who, name in enumerate(game.info["participants"]):
        points = sum(state.breakdown_[who * width : who * width + width])
        if points != state.score[who]:
            top.inside(None, "breakdown").fail(
                f"the points of {name} by reason are {points} in all, the score is {state.score[who]}"
            )


def _check_guesses(game: Game, state: EngineState, top: Given) -> None:
    """What others may think of a hidden value leaves room for the truth."""
    for family in game.info["families"]:
        st = family["standing"]
        if st is None:
            continue
        f = st["fields"]
        alive = getattr(state, f["alive"])
        for h in range(st["size"]):
            value = getattr(state, f["value"])[h]
            if alive >> h & 1 and not getattr(state, f["guess"])[h] >> value & 1:
                top.inside(None, "pieces").fail(
                    f"{st['name']} {h + 1} has a value that nobody may think of"
                )
    try:
        wrong = doubted(game, state)
    except IN_PLAY as error:
        top.fail(f"the rules can't look at it: {game.located(error)}")
    if wrong is not None:
        top.inside(None, "state").fail(wrong)


def _ask_again(game: Game, state: EngineState, top: Given) -> None:
    """The engine works out who decides and what can be chosen; the file is not asked."""
    full = game.full
    s = state if game.info["full"] else moved(game, full, state)
    at = top.inside(None, "at")
    try:
        if s.pc:
            who, label = s.who, _label(full, s.pc)
            s.opts = 0
            full.module.again(s)
            if not s.opts:
                at.fail(f"nobody is asked here: {label} has no options")
            if s.who != who:
                at.fail(f"who: seat {who}, but seat {s.who} decides {label}")
            if who >= 0 and not asks_forced(full, s) and api.is_forced(full, s):
                at.fail(f"nobody is asked here: {label} has one option only")
        broken = full.module.broken(s)
    except IN_PLAY as error:
        top.fail(f"the rules can't go on from here: {full.located(error)}")
    if broken >= 0:
        top.fail(f"the invariant {full.info['invariants'][broken]['name']} does not hold")
    state.opts = s.opts
    told = top.value["at"].get("options")
    if told is not None and told != str(state.opts):
        at.fail("options: these are not the options that the rules give here; they may be left out")


def _label(full: Game, pc: int) -> str:
    choice = full.info["choices"].get(str(pc))
    return "the chance" if choice is None else str(choice["label"])
