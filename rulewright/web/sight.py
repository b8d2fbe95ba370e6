"""A position and a seat → all that may be told to that seat: the view, its options in words, the story, reasons.

Everything is made from the view, never from the state itself. Where the engine needs a whole state to find its words, it gets one
that is dealt from the view, always the same one for the same view; so nothing hidden can get through.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.play.player_words import gathered, option_text
from rulewright.play.several import Several, several_of
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.info import ChoiceRow, Info
from rulewright.runtime.view import Memo, data_of
from rulewright.scene.everybody import seen_by_all
from rulewright.web.now import owned

Json = dict[str, Any]
Member = tuple[str, str]
# as many changes at once in one thing as no move makes
_MANY = 6


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be chosen now. What it brings is worked out apart from it, as that takes longer."""

    action: int
    text: str
    member: Member
    # in a choice of several: the how manieth of its kind
    copy: int = 0


@dataclass(slots=True)
class Sight:
    """What a seat (None: everybody) sees."""

    seat: int | None
    data: Json
    options: list[Option] = field(default_factory=list)
    # a whole state that looks the same, where one was needed
    dealt: Any = None
    # the choice, where several are chosen at once; `options` are what can be marked then
    several: Several | None = None

    @property
    def decides(self) -> int:
        return int(self.data["decides"])

    @property
    def targets(self) -> dict[Member, list[int]]:
        """What a click on something may mean."""
        out: dict[Member, list[int]] = {}
        for option in self.options:
            if option.copy < 2:
                out.setdefault(option.member, []).append(option.action)
        return out


def look(game: Game, state: Any, seat: int | None, memo: Memo | None = None) -> Sight:
    """`memo` is that of one who looks at position after position of the same game."""
    if seat is None:
        return Sight(None, seen_by_all(state))
    view = state.view(seat)
    sight = Sight(seat, view.data if memo is None else data_of(view, memo))
    actions = view.legal_actions()
    if actions and not view.is_terminal():
        sight.dealt = dealt_from(view)
        sight.several = several_of(game, sight.dealt, seat)
        if sight.several is None:
            sight.options = options(game, sight.dealt, seat, actions)
        else:
            sight.options = list(markable(sight.several))
    return sight


def dealt_from(view: Any) -> Any:
    """A whole state that looks like this view, the same one each time."""
    return view.determinize(0)


def options(game: Game, dealt: Any, seat: int, actions: Iterable[int]) -> list[Option]:
    kind = pending(game, dealt)["element"].get("kind", "")
    return [
        Option(
            action,
            option_text(dealt, action, seat),
            (kind, str(dealt.action_to_dict(action)["value"])),
        )
        for action in actions
    ]


def markable(several: Several) -> Iterator[Option]:
    """What can be marked in a choice of several, each as often as it can be."""
    kind = several.choice["element"].get("kind", "")
    for item in several.items:
        for copy in range(1, item.most + 1):
            action = several.choice["offset"] + item.number
            yield Option(action, item.text, (kind, item.value), copy)


def pending(game: Game, state: Any) -> ChoiceRow:
    """What the engine says about the decision that is asked now."""
    found = game.full.info["choices"][str(state.pc)]
    return found


# ---------------------------------------------------------------- the story


def story(state: Any, seat: int | None, start: int, stop: int) -> list[str]:
    """The lines from one up to before another that a seat may read; without a seat what is told to all."""
    return list(gathered(t for v, t in state.story[start:stop] if _may_read(v, seat)))


def _may_read(viewer: int, seat: int | None) -> bool:
    if viewer == -1:
        return True
    if viewer <= -2:
        return seat is None or -2 - viewer != seat
    return viewer == seat


# ---------------------------------------------------------------- what moved


def touched(info: Info, shown: Collection[str], before: Json, after: Json) -> set[Member]:
    """The members of kinds that something happened to between two views, by what the picture shows of them."""
    out: set[Member] = set()
    old_state, new_state = before["state"], after["state"]
    for var in info["state"]:
        name = var["name"]
        # state of the compiler's own is in no view
        old, new = old_state.get(name), new_state.get(name)
        # what has not changed is mostly the very same object
        if old is new or name not in shown or name not in old_state or name not in new_state:
            continue
        if old != new and not laid_anew(old, new):
            _compare(var["type"], old, new, out)
            _compare_owned(name, var["type"], old, new, out)
    for family in info["families"]:
        standing = family["standing"]
        if standing is None:
            continue
        old, new = before["pieces"][standing["name"]], after["pieces"][standing["name"]]
        for handle in {*old, *new} if old is not new else ():
            _piece(standing["types"], old.get(handle), new.get(handle), out)
    return out


def _piece(types: Mapping[str, Json], old: Json | None, new: Json | None, out: set[Member]) -> None:
    """A piece that came, went or moved marks the places where it was and is."""
    for name, t in types.items():
        places = [p[name] for p in (old, new) if p is not None]
        if len(places) == 1 or places[0] != places[-1]:
            for place in places:
                _mark(t, place, out)


def laid_anew(old: Any, new: Any) -> bool:
    """Whether hardly anything of it is as it was: that was nobody's move, and marks everywhere would tell nothing."""
    changed = stayed = 0
    if isinstance(old, dict) and isinstance(new, dict):
        changed = sum(old.get(key) != value for key, value in new.items())
        # what has nothing does not count
        stayed = sum(1 for key, value in new.items() if value and old.get(key) == value)
    elif isinstance(old, list) and isinstance(new, list):
        before, after = {*map(str, old)}, {*map(str, new)}
        changed, stayed = len(before ^ after), len(before & after)
    return changed >= _MANY and stayed * 2 <= changed


def _compare(t: Json, old: Any, new: Any, out: set[Member]) -> None:
    if old == new:
        return
    if t["t"] == "map" and isinstance(old, dict) and isinstance(new, dict):
        for key, value in new.items():
            if old.get(key) != value:
                _mark(t["key"], key, out)
                _compare(t["value"], old.get(key), value, out)
    elif t["t"] == "set" and isinstance(old, list) and isinstance(new, list):
        for member in {*map(str, old)} ^ {*map(str, new)}:
            _mark(t["of"], member, out)
    elif t["t"] == "opt":
        _compare(t["of"], old, new, out)
    else:
        _mark(t, old, out)
        _mark(t, new, out)


def _compare_owned(name: str, t: Json, old: Any, new: Any, out: set[Member]) -> None:
    """The same, told apart by whose it is."""
    if t["t"] == "map" and isinstance(old, dict) and isinstance(new, dict):
        for key, value in new.items():
            found: set[Member] = set()
            _compare(t["value"], old.get(key), value, found)
            out |= {(owned(name, key), member) for _, member in found}


def _mark(t: Json, value: Any, out: set[Member]) -> None:
    t = t["of"] if t["t"] == "opt" else t
    if t["t"] == "kind" and isinstance(value, str | int):
        out.add((t["kind"], str(value)))


# ---------------------------------------------------------------- reasons


def why_not(game: Game, state: Any, seat: int, kind: str, member: str) -> list[Json] | None:
    """The reasons against a member for the seat that decides; None when it is not what is asked for, [] when it is possible."""
    view = state.view(seat)
    dealt = dealt_from(view)
    asked = pending(game, dealt)
    if asked["element"].get("kind") != kind:
        return None
    try:
        reasons: list[Json] = dealt.why_not(asked["label"], member)
    except RulewrightError:
        return None
    return reasons
