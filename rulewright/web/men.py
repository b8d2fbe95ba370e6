"""What stands on a member of a board → SVG: tokens in the colours of their owners, figures with their icons, stacks, directions."""

from __future__ import annotations

from rulewright.scene.colours import WORDS, luminance, shade
from rulewright.scene.standing import UNKNOWN, Man
from rulewright.scene.view_words import plain
from rulewright.web import shapes
from rulewright.web.members import Members, css
from rulewright.web.shapes import esc, number
from rulewright.web.words import say

# how much lighter one colour must be than another to be told apart without seeing the colour
_APART = 3.0


class Men:
    """Draws the pieces of one game."""

    def __init__(self, members: Members, token: str | None) -> None:
        self.members, self.people = members, members.people
        self.icons = members.layout.icons
        self.shape = token or "square"
        self._plain = self._told_apart()

    def _told_apart(self) -> bool:
        """Whether light and dark alone tell the colours of all participants apart, so that figures need no letter."""
        own = dict(self.members.layout.colours)
        found = [shade(name, own) or WORDS["grey"] for name in self.people.all]
        return all(
            (max(a, b) + 0.05) / (min(a, b) + 0.05) >= _APART
            for kind in ("light", "dark")
            for i, one in enumerate(found)
            for other in found[:i]
            for a, b in [(luminance(getattr(one, kind)), luminance(getattr(other, kind)))]
        )

    def drawn(self, men: tuple[Man, ...], side: float, covered: str) -> str:
        """All that stand on one member, side by side as far as they can be seen."""
        middle = (len(men) - 1) / 2
        tower = len(men) > 3
        out = ""
        for n, man in enumerate(men):
            size = side * 0.86
            off = n - middle
            x, y = (0.0, -off * size * 0.24) if tower else (off * size * 0.5, 0.0)
            out += self._man(man, size * (0.7 if tower else 1), x, y, covered)
        return out

    def piled(self, men: tuple[Man, ...], w: float, h: float, most: int, from_top: bool) -> str:
        """Pieces one beside the other from one end of a place to the other, the last of so many with how many there are."""
        size = min(w, h) * 0.94
        step = min(size, (h - size) / max(1, most - 1))
        alone = [man._replace(number=1) for man in men for _ in range(man.number)]
        shown = alone[:most]
        out = ""
        for n, man in enumerate(shown):
            y = -h / 2 + size / 2 + n * step
            last = n == len(shown) - 1
            words = str(len(alone)) if last and len(alone) > most else None
            out += self._man(man, size, 0.0, y if from_top else -y, "", words)
        return out

    def _man(
        self, man: Man, size: float, x: float, y: float, covered: str, words: str | None = None
    ) -> str:
        kind, member = man.figure or ("", "")
        look = self.members.look(kind)
        icon = self.members.icon(look, kind, member, {}) if kind and member != UNKNOWN else None
        whose = f"s{man.who}" if man.who is not None else self._tint(man)
        if icon is not None:
            inside = shapes.icon(icon, size * 1.06, kind="f figure")
        elif self.shape in self.icons:
            inside = shapes.icon(self.icons[self.shape], size, kind="f figure")
        else:
            inside = shapes.shape(self.shape, size, size)
        if man.turn is not None:
            inside += f'<path class="f nose" d="M{number(-size * 0.2)} {number(-size * 0.42)}H{number(size * 0.2)}L0 {number(-size * 0.66)}Z"/>'
            inside = f'<g transform="rotate({man.turn})">{inside}</g>'
        corner = f"×{man.number}" if man.number > 1 else covered
        if icon is None:
            letter = words or self._letter(man)
            if letter:
                inside += shapes.text(letter, size * min(0.62, 1.2 / max(2, len(letter))), -size * 0.12 * bool(corner))  # fmt: skip
            if corner:
                inside += shapes.text(corner, size * 0.36, size * 0.27, size * 0.24)
        else:
            whose_letter = "" if man.who is None or self._plain else self.people.initial(man.who)
            note = whose_letter + (corner if man.number > 1 else "")
            if note:
                inside += shapes.text(note, size * 0.34, size * 0.36, size * 0.36, "t tag")
        key = f"{whose} {kind}/{member}" if kind else whose
        return (
            f'<g class="piece {whose}" data-man="{esc(key)}" transform="translate({number(x)} {number(y)})">'
            f"{inside}</g>"
        )

    def _tint(self, man: Man) -> str:
        kind, member = man.figure or ("", "")
        found = self.members.tint(kind, member, {}).strip() if kind and member != UNKNOWN else ""
        return found or "nobody"

    def _letter(self, man: Man) -> str:
        whose = self.people.initial(man.who) if man.who is not None else ""
        return whose + self.figure_letter(man)

    def figure_letter(self, man: Man) -> str:
        """A figure in a letter or two: the label of its kind, or how its name begins."""
        if man.figure is None:
            return ""
        kind, member = man.figure
        if member == UNKNOWN:
            return UNKNOWN
        label = self.members.told(self.members.look(kind).label, kind, member, {})
        return label or plain(member)[:1]

    def said(self, man: Man) -> str:
        """A piece in words."""
        what = ""
        if man.figure is not None:
            kind, member = man.figure
            what = say("unknown_man") if member == UNKNOWN else self.members.title(kind, member)
        many = f"{man.number} " if man.number > 1 else ""
        if man.who is None:
            return f"{many}{what or say('there')}"
        name = self.people.all[man.who]
        if what:
            return say("man_of", what=f"{many}{what}", name=name)
        return say("men_of", count=man.number, name=name) if many else say("man_there", name=name)


def key_of(word: str) -> str:
    """What names a single thing that stands somewhere, so that it is known again where it comes to stand next."""
    return f"n-{css(word)}"
