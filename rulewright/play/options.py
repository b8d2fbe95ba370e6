"""A decision → its options as a player reads them: words, mark and colour of what they stand for, what they bring; and words typed → an option."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rulewright.play.colours import colour_of
from rulewright.play.player_words import option_text
from rulewright.runtime.game import Game
from rulewright.runtime.preview import Ahead
from rulewright.runtime.preview_tells import Tongue
from rulewright.scene.layout import Board, Layout
from rulewright.scene.templates import fill
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import plain

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """`mark` is how the board shows what it stands for, in `colour`; `brings` says what it changes."""

    action: int
    value: str
    text: str
    brings: str
    mark: str = ""
    colour: str = ""


def options_of(
    game: Game, state: Any, seat: int, tongue: Tongue, layout: Layout, names: Names
) -> list[Option]:
    """All options of the pending decision, in the order of their numbers."""
    # whoever plays has a state of the full flavour
    ahead = Ahead(game.full, state, tongue)
    kind = game.full.info["choices"][str(state.pc)]["element"].get("kind", "")
    data = state.view(seat).data
    out = []
    for action in state.legal_actions():
        value = str(state.action_to_dict(action)["value"])
        mark, colour = marked_as(kind, value, data, layout, names)
        text = option_text(state, action, seat)
        out.append(Option(action, value, text, ahead.preview(action)["text"], mark, colour))
    return out


def marked_as(kind: str, member: str, data: Json, layout: Layout, names: Names) -> tuple[str, str]:
    """How a board shows a member that is not taken: its mark and its colour."""
    if member not in names.kinds.get(kind, []):
        return "", ""
    index = names.kinds[kind].index(member)
    for part in layout.terminal:
        for layer in part.layers if isinstance(part, Board) else ():
            colour = layer.colour or layer.look.colour
            if layer.kind == kind and colour and "{" in layer.mark:
                found = fill(
                    layer.mark,
                    lambda name: plain(str(names.tell(kind, index, name, data["state"]))),
                )
                return found, colour_of(str(names.cell(kind, index, colour)))
    return "", ""


def meant(typed: str, options: list[Option]) -> list[Option]:
    """The options that words may mean: by their value, by how they begin, by a word in them; the first way that finds some."""
    wanted = spelt(typed)
    if not wanted:
        return []
    names = [(spelt(option.value), spelt(option.text)) for option in options]
    exact = [wanted in pair for pair in names]
    begun = [any(name.startswith(wanted) for name in pair) for pair in names]
    inside = [f" {wanted}" in f" {text}" for _, text in names]
    for found in (exact, begun, inside):
        if any(found):
            return [option for option, fits in zip(options, found, strict=True) if fits]
    return []


def spelt(text: str) -> str:
    """Words as they are compared: small letters, nothing but words."""
    return " ".join(re.split(r"[\W_]+", text.lower())).strip()
