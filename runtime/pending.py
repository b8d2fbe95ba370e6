"""A state → what is asked now: by a decision of a seat, or by chance; as plain data, for one who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.runtime.bits import members
from rulewright.runtime.data import Json
from rulewright.runtime.info import ChoiceRow, TypeRow
from rulewright.runtime.state import EngineState

if TYPE_CHECKING:
    from rulewright.runtime.game import Game


def pending(game: Game, state: EngineState, viewer: int | None = None) -> Json | None:
    """What is asked now; None when the game is over.

    Without a viewer it is told as to the one who decides. Another viewer is not told options that would show what is
    hidden, nor earlier steps that were taken in secret.
    """
    if state.pc == 0:
        return None
    if state.who == -1:
        return _chance(game, state, viewer)
    choice = game.info["choices"][str(state.pc)]
    own = viewer is None or viewer == state.who
    options = None
    if own or not choice["secret_options"]:
        options = [
            {"action": choice["offset"] + i, "value": game.option_name(choice, i)}
            for i in members(state.opts)
        ]
    return {
        "seat": state.who, "choice": choice["label"], "domain": _words(choice["element"]),
        "otherwise": choice["otherwise"], "secret": choice["secret"], "options": options,
        "so_far": _so_far(game, state, choice, own), "cites": list(choice["cites"]),
    }  # fmt: skip


def _so_far(game: Game, state: EngineState, choice: ChoiceRow, own: bool) -> Json:
    """The values of a joint choice that are given already, as far as the rules still need them."""
    live = {row[0]: row for row in game.info["points"][str(state.pc)]["live"]}
    out: Json = {}
    for label, number in choice["steps"]:
        if number in live:
            _, _, slot, type_, secret = live[number]
            if own or secret is None:
                out[label] = game.values.show(type_, getattr(state, slot))
    return out


def _chance(game: Game, state: EngineState, viewer: int | None) -> Json:
    chance = game.info["chances"][str(state.pc)]
    outcomes = None
    if viewer is None or not chance["hidden"]:
        low = game.values.low(chance["element"])
        outcomes = [
            {"action": a, "value": game.values.show(chance["element"], a + low), "odds": odds}
            for a, odds in state.chance_outcomes()
        ]
    out = {
        "seat": -1, "chance": chance["what"], "name": chance["name"], "domain": _words(chance["element"]),
        "outcomes": outcomes, "cites": list(chance["cites"]),
    }  # fmt: skip
    if chance["from"] is not None:
        out.update({"from": chance["from"], "to": chance["to"]})
    return out


def _words(element: TypeRow) -> str:
    """What may be chosen at all, as it stands in the rules: the name of a kind, or the least and the greatest number."""
    if element["t"] == "kind":
        return str(element["kind"])
    return f"{element['low']} .. {element['high']}"
