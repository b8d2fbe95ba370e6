"""A member of a kind and what may be done with it → the attributes, names and small pictures that stand for it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from rulewright.scene.layout import Layout, Look
from rulewright.scene.places import colour_word
from rulewright.scene.sheets import Sheets
from rulewright.scene.templates import holes
from rulewright.scene.tongue import members_called
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import capital, plain
from rulewright.web import shapes
from rulewright.web.now import Key, Now
from rulewright.web.shapes import esc
from rulewright.web.words import say

Json = dict[str, Any]
_OUTSIDE = re.compile(r"[^A-Za-z0-9_-]")


@lru_cache(maxsize=4096)
def css(word: str) -> str:
    """A word as part of a class or an id."""
    return _OUTSIDE.sub("-", word)


class Members:
    """Looks of the members of one game; what does not change is kept."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self.layout, self.names = layout, names
        self.sheets = Sheets(names, members_called(layout, names))
        self.people = self.sheets.people
        self._titles: dict[Key, str] = {}
        self._tokens: dict[Key, str] = {}
        self._changes: dict[str, bool] = {}

    def look(self, kind: str) -> Look:
        return self.layout.looks.get(kind) or _PLAIN

    def title(self, kind: str, member: str) -> str:
        """What a member is called: what the view says, the game's own words, or its name."""
        found = self._titles.get((kind, member))
        if found is None:
            look = self.look(kind)
            found = look.names.get(member)
            index = self.names.index.get(kind, {}).get(member)
            if found is None and look.title is not None and index is not None:
                found = self.sheets.told(look.title, kind, index, {"state": {}})
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

    def about(self, kind: str, member: str, state: Json) -> str:
        """Prices and powers of a member, as its card has them; nothing for what has no card."""
        if member not in self.names.index.get(kind, {}):
            return ""
        look = self.look(kind)
        said = (self.told(look.note, kind, member, state), look.texts.get(member, ""))
        return ". ".join(part for part in said if part)

    def colour(self, look: Look, kind: str, member: str, state: Json) -> str | None:
        return colour_word(self.names, kind, member, look.colour, state)

    def border(self, look: Look, kind: str, member: str, state: Json) -> str:
        """The class of a member's border, after a space."""
        word = colour_word(self.names, kind, member, look.border, state)
        return f" b-{css(word)}" if word else ""

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
        self,
        now: Now,
        kind: str,
        member: str,
        label: str,
        extra: str = "",
        live: bool = True,
        means: tuple[int, ...] = (),
        marks: str | None = None,
    ) -> str:
        """What makes an element stand for a member: clickable where an action is meant, and told in words.

        Among what somebody has, only what that one got or lost is touched: `marks` names it.
        """
        actions = means or (now.actions(kind, member) if live else ())
        classes = f"m k-{css(kind)}{extra}"
        if now.is_marked(marks or kind, member):
            classes += " marked"
            label = say("touched", what=label)
        name = f'data-member="{esc(kind)}/{esc(member)}" aria-label="{esc(label)}"'
        if not actions:
            return f'class="{classes}" {name} role="img" tabindex="-1"'
        listed = " ".join(map(str, actions))
        brings = f' aria-describedby="preview-{actions[0]}"' if len(actions) == 1 else ""
        return f'class="{classes} target" {name} role="button" tabindex="0" data-actions="{listed}"{brings}'

    # ------------------------------------------------------------ small pictures

    def tint(self, kind: str, member: str, state: Json) -> str:
        """The class of a member's colour, after a space."""
        word = self.colour(self.look(kind), kind, member, state)
        return f" c-{css(word)}" if word else ""

    def drawn(self, kind: str, member: str, size: float, state: Json) -> str:
        """A member as a small picture around 0, 0: its shape, with its icon or letter."""
        look = self.look(kind)
        word = self.colour(look, kind, member, state)
        path = self.icon(look, kind, member, state)
        inside = ""
        if look.shape is not None or path is None:
            inside = shapes.shape(look.shape or "circle", size, size, self.pattern(word))
        if path is not None:
            return inside + shapes.icon(path, size * (0.7 if inside else 1))
        letter = self.letter(word) or self.told(look.label, kind, member, state)
        if not letter:
            return inside
        return inside + shapes.words(letter, size * min(0.6, 1.3 / max(2, len(letter))), size)

    def token(self, kind: str, member: str, state: Json) -> str:
        """The small picture alone, or those of what its columns name; nothing for a kind that has no look."""
        found = self._tokens.get((kind, member))
        if found is None:
            shown = self.shown(kind, member, self.look(kind)) or [(kind, member)]
            found = "".join(self._token(k, m, state) for k, m in shown)
            if not self.changes(kind):
                self._tokens[kind, member] = found
        return found

    def _token(self, kind: str, member: str, state: Json) -> str:
        look = self.look(kind)
        if look.shape is None and look.icon is None and look.colour is None:
            return ""
        return (
            f'<svg class="token{self.tint(kind, member, state)}" viewBox="-12 -12 24 24" aria-hidden="true">'
            f"{self.drawn(kind, member, 22, state)}</svg>"
        )

    def changes(self, kind: str) -> bool:
        """Whether the look of a kind, or of what its members show, depends on the position."""
        found = self._changes.get(kind)
        if found is None:
            look = self.look(kind)
            others = (self.names.kind_of(kind, column) or "" for column in look.shows)
            found = self.depends(kind, look) or any(self.depends(k, self.look(k)) for k in others)
            self._changes[kind] = found
        return found

    def depends(self, kind: str, look: Look) -> bool:
        """Whether a look, of a kind or of a layer, depends on the position."""
        texts = (look.label, look.icon, look.says, look.note)
        used = [
            *(h for text in texts for h in holes(text or "")),
            look.colour or "",
            look.border or "",
        ]
        told = self.names.told_of(kind)
        return any(name.partition(".")[0] in told for name in used)

    def shown(self, kind: str, member: str, look: Look) -> list[Key]:
        out = []
        for column in look.shows:
            of = self.names.kind_of(kind, column)
            value = self.names.cell(kind, self.names.index[kind][member], column)
            if of is not None and value is not None:
                out.append((of, str(value)))
        return out

    def pattern(self, word: str | None) -> str | None:
        found = None if word is None else self.layout.colours.get(word)
        return None if found is None else found.pattern

    def badge(self, who: int) -> str:
        """A participant's letter in its colour."""
        return (
            f'<span class="badge s{who}" aria-hidden="true">{esc(self.people.initial(who))}</span>'
        )

    def chip(self, now: Now, kind: str, member: str, count: int = 1, live: bool = True, extra: str = "", marks: str | None = None) -> str:  # fmt: skip
        """A member in a line: token, name, how many."""
        state = now.data["state"]
        title = capital(self.title(kind, member))
        many = f" × {count}" if count != 1 else ""
        text = self.look(kind).texts.get(member)
        says = (
            self.says(self.look(kind), kind, member, state) + many + (f": {text}" if text else "")
        )
        attributes = self.attributes(now, kind, member, says, f" chip{extra}", live, marks=marks)
        return f"<span {attributes}>{self.token(kind, member, state)}<span>{esc(title)}{many}</span></span>"

    def card(self, now: Now, kind: str, member: str, count: int = 1, live: bool = True, extra: str = "", marks: str | None = None, more: str = "") -> str:  # fmt: skip
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
        attributes = self.attributes(now, kind, member, says, f" card{extra}", live, marks=marks)
        return f"<span {attributes}>{body}{more}</span>"


_PLAIN = Look()
