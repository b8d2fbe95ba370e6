"""A member of a kind and what may be done with it → the attributes, names and small pictures that stand for it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.scene.layout import Layout, Look
from rulewright.scene.names import Names
from rulewright.scene.places import colour_word
from rulewright.scene.sheets import Sheets
from rulewright.scene.words import capital, plain
from rulewright.web import shapes
from rulewright.web.shapes import esc

Json = dict[str, Any]
Key = tuple[str, str]
_OUTSIDE = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Now:
    """One position as one seat sees it, what a click may mean, and what was touched last."""

    data: Json
    seat: int | None
    targets: Mapping[Key, Sequence[int]]
    marked: Collection[Key]


def css(word: str) -> str:
    """A word as part of a class or an id."""
    return _OUTSIDE.sub("-", word)


class Members:
    """Looks of the members of one game; what does not change is kept."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self.layout, self.names = layout, names
        self.sheets = Sheets(names)
        self.people = self.sheets.people
        self._titles: dict[Key, str] = {}

    def look(self, kind: str) -> Look:
        return self.layout.looks.get(kind) or _PLAIN

    def title(self, kind: str, member: str) -> str:
        """What a member is called: what the view says, the game's own words, or its name."""
        found = self._titles.get((kind, member))
        if found is None:
            found = self.look(kind).names.get(member)
            index = self.names.index.get(kind, {}).get(member)
            if found is None and index is not None and "text" in self.names.columns(kind):
                text = self.names.cell(kind, index, "text")
                found = None if text is None else str(text)
            found = found or plain(member).replace(".", " ")
            self._titles[kind, member] = found
        return found

    def told(self, template: str | None, kind: str, member: str, state: Json) -> str:
        """A text about a member, or nothing."""
        if template is None:
            return ""
        return self.sheets.told(template, kind, self.names.index[kind][member], {"state": state})

    def says(self, look: Look, kind: str, member: str, state: Json) -> str:
        """A member in words."""
        if look.says is not None:
            return capital(self.told(look.says, kind, member, state))
        return capital(self.title(kind, member))

    def colour(self, look: Look, kind: str, member: str, state: Json) -> str | None:
        return colour_word(self.names, kind, member, look.colour, state)

    def letter(self, word: str | None) -> str | None:
        found = None if word is None else self.layout.colours.get(word)
        return None if found is None else found.letter

    def icon(self, look: Look, kind: str, member: str, state: Json) -> str | None:
        """The path of a member's icon, if there is one of that name."""
        if look.icon is None:
            return None
        return self.layout.icons.get(self.told(look.icon, kind, member, state))

    # ------------------------------------------------------------ attributes

    def attributes(
        self, now: Now, kind: str, member: str, label: str, extra: str = "", live: bool = True
    ) -> str:
        """What makes an element stand for a member: clickable where an action is meant, and told in words."""
        actions = now.targets.get((kind, member)) if live else None
        classes = f"m k-{css(kind)}{extra}"
        if (kind, member) in now.marked:
            classes += " marked"
            label += ", touched by the last move"
        name = f'data-member="{esc(kind)}/{esc(member)}" aria-label="{esc(label)}"'
        if not actions:
            return f'class="{classes}" {name} role="img" tabindex="-1"'
        listed = " ".join(map(str, actions))
        return f'class="{classes} target" {name} role="button" tabindex="0" data-actions="{listed}"'

    # ------------------------------------------------------------ small pictures

    def token(self, kind: str, member: str, state: Json) -> str:
        """A member as a small picture: its shape in its colour, with its icon or letter."""
        look = self.look(kind)
        word = self.colour(look, kind, member, state)
        path = self.icon(look, kind, member, state)
        if look.shape is None and word is None and path is None:
            return ""
        inside = ""
        if look.shape is not None or path is None:
            inside = shapes.shape(look.shape or "circle", 22, 22)
        if path is not None:
            inside += shapes.icon(path, 15 if inside else 24)
        elif self.letter(word):
            inside += shapes.text(self.letter(word) or "", 13)
        tint = f" c-{css(word)}" if word else ""
        return f'<svg class="token{tint}" viewBox="-12 -12 24 24" aria-hidden="true">{inside}</svg>'

    def badge(self, who: int) -> str:
        """A participant's letter in its colour."""
        return (
            f'<span class="badge s{who}" aria-hidden="true">{esc(self.people.initial(who))}</span>'
        )

    def chip(
        self, now: Now, kind: str, member: str, count: int = 1, live: bool = True, extra: str = ""
    ) -> str:
        """A member in a line: token, name, how many."""
        state = now.data["state"]
        title = capital(self.title(kind, member))
        many = f" × {count}" if count != 1 else ""
        text = self.look(kind).texts.get(member)
        says = (
            self.says(self.look(kind), kind, member, state) + many + (f": {text}" if text else "")
        )
        attributes = self.attributes(now, kind, member, says, f" chip{extra}", live)
        return f"<span {attributes}>{self.token(kind, member, state)}<span>{esc(title)}{many}</span></span>"

    def card(self, now: Now, kind: str, member: str, count: int = 1, live: bool = True, extra: str = "", more: str = "") -> str:  # fmt: skip
        """A member as a card: icon, name, note and text."""
        state = now.data["state"]
        look = self.look(kind)
        title = capital(self.title(kind, member)) + (f" × {count}" if count != 1 else "")
        note = self.told(look.note, kind, member, state)
        text = look.texts.get(member, "")
        says = ". ".join(
            part for part in (self.says(look, kind, member, state), note, text) if part
        )
        body = f"<b>{self.token(kind, member, state)}<span>{esc(title)}</span></b>"
        body += f'<span class="note">{esc(note)}</span>' if note else ""
        body += f'<span class="text">{esc(text)}</span>' if text else ""
        attributes = self.attributes(now, kind, member, says, f" card{extra}", live)
        return f"<span {attributes}>{body}{more}</span>"


_PLAIN = Look()
