"""A decision and an option of it → what it changes until the next decision or chance, as the one who chooses may know it.

Everything is made from the chooser's view, never from the state: the option is carried out in states that are dealt from the view, always the
same ones, and what comes out alike in all of them is told. So a preview is the same for all states that look the same to the chooser, and what
depends on something hidden is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.runtime import api, differences
from rulewright.runtime.bits import members
from rulewright.runtime.data import Json
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.preview_tells import Tongue
from rulewright.runtime.preview_words import tell
from rulewright.runtime.state import EngineState, FullState, full_flavour
from rulewright.runtime.view import View

if TYPE_CHECKING:
    from rulewright.runtime.game import Game

# Where nothing hidden is touched and nothing differs in a few deals, hidden things hardly play a part; else many deals show what stays.
_FEW, _MANY = 6, 32


def preview(game: Game, state: EngineState, action: int) -> Json:
    """`changes`, `then` (what comes next) and `text` of one option."""
    return Ahead(game, state).preview(action)


class Ahead:
    """What the options of one decision bring; states are dealt once for all of them."""

    def __init__(self, game: Game, state: EngineState, tongue: Tongue | None = None) -> None:
        if state.pc == 0:
            raise IllegalAction("the game is over: nobody can do anything")
        if state.who < 0:
            raise RulewrightError("chance decides now: there is no option to look ahead from")
        self.game = game.full
        self.view = View(self.game, game.full_state(state), state.who)
        self.tongue = tongue or Tongue()
        self._deals: list[FullState] = []
        self._hides = _hides(self.view)

    def preview(self, action: int) -> Json:
        action = api.action_number(action)
        return {"action": action, **self._brings((action,))}

    def together(self, actions: Sequence[int]) -> Json:
        """The same of all steps of one choice: what they bring together until the decision or chance after the last of them."""
        steps = tuple(api.action_number(action) for action in actions)
        return {"actions": list(steps), **self._brings(steps)}

    def _brings(self, actions: tuple[int, ...]) -> Json:
        ends = self._ends(actions)
        changes = differences.agreed(
            self.game.info, [differences.changes(self.game, self.view, end) for end in ends]
        )
        then = _agreed([_then(self.game, end) for end in ends])
        text = tell(self.game.info, self.view.seat, changes, then, self.tongue)
        return {"changes": changes, "then": then, "text": text}

    def _ends(self, actions: tuple[int, ...]) -> list[View]:
        """What the chooser sees afterwards: one view where it is the same in all deals."""
        first, *others = (
            self._end(number, actions) for number in range(_FEW if self._hides else 1)
        )
        ends = [View(self.game, first, self.view.seat)]
        # where nothing is hidden there is one deal, even if something is hidden afterwards
        if not self._hides or (
            not self._touches_hidden(first, ends[0])
            and all(self._runs_alike(first, number + 1, end) for number, end in enumerate(others))
        ):
            return ends
        others += [self._end(number, actions) for number in range(_FEW, _MANY)]
        return ends + [View(self.game, end, self.view.seat) for end in others]

    def _end(self, number: int, actions: tuple[int, ...]) -> FullState:
        if number == len(self._deals):
            self._deals.append(full_flavour(self.view.determinize(number)))
        copy = self._deals[number].clone()
        copy.explicit, copy.checked = True, False
        for action in actions:
            copy.apply_action(action)
        return copy

    def _touches_hidden(self, first: FullState, end: View) -> bool:
        """Whether something that the chooser can't see has changed or has come to light."""
        before, seat = self._deals[0], self.view.seat
        if end._sizes != self.view._sizes:
            return True
        for var in self.game.info["state"]:
            field = var["field"]
            if var["visible"] != "all" and getattr(before, field) != getattr(first, field):
                return True
        for family in self.game.info["families"]:
            if family["standing"] is not None:
                f = family["standing"]["fields"]
                old, new = getattr(before, f["known"]), getattr(first, f["known"])
                alive = getattr(before, f["alive"]) & getattr(first, f["alive"])
                if any((old[h] ^ new[h]) >> seat & 1 for h in members(alive)):
                    return True
        return False

    def _runs_alike(self, first: FullState, number: int, end: FullState) -> bool:
        """Whether all that changed became the same in two deals. Where nothing came to light, who chooses then sees the same."""
        if (first.pc, first.who) != (end.pc, end.who):
            return False
        before, other = self._deals[0], self._deals[number]
        for name in self.game.plain_fields:
            a, x = getattr(before, name), getattr(first, name)
            b, y = getattr(other, name), getattr(end, name)
            if x == y or (a == x and b == y):
                continue
            if isinstance(x, int) or not len(a) == len(x) == len(b) == len(y):
                return False
            if any(q != s and (p != q or r != s) for p, q, r, s in zip(a, x, b, y, strict=True)):
                return False
        return True


def _hides(view: View) -> bool:
    """Whether there is anything that the seat can't see."""
    game, s = view._game, view._masked
    if any(view._sizes.values()) or any(v["visible"] != "all" for v in game.info["state"]):
        return True
    return any(
        any(not known >> view.seat & 1 for known in getattr(s, st["fields"]["known"]))
        for st in (family["standing"] for family in game.info["families"])
        if st is not None
    )


def _then(game: Game, end: View) -> Json | None:
    """Who or what decides next."""
    s = end._masked
    if s.pc == 0:
        return {"over": True}
    if s.who == -1:
        chance = game.info["chances"][str(s.pc)]
        return {"chance": chance["what"], "name": chance["name"]}
    return {"seat": s.who, "choice": game.info["choices"][str(s.pc)]["label"]}


def _agreed(found: list[Json | None]) -> Json | None:
    return found[0] if all(one == found[0] for one in found) else None
