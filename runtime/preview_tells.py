"""How a view says that changes of one name are told → the words for one change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# what may stand in braces; `who` and `whose` name the participant, so that the text can stand by itself
HOLES = ("it", "n", "who", "whose", "from", "to", "by", "at")
_HOLE = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True, slots=True)
class Tell:
    """`one` and `many` are the word for a number of them; the others are texts with holes for what comes, goes or is set.

    A text in two parts has the words for one before a bar and those for several behind it. What is `silent` is not told at all.
    """

    one: str = ""
    many: str = ""
    gained: str = ""
    lost: str = ""
    to: str = ""
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Tongue:
    """What things are called. With `labels` only state, zones and pieces that have one are told; without, all of them.

    `members` holds other names than the spec's own for members of kinds, by kind and member; `told` how single names are told.
    """

    labels: Mapping[str, str] | None = None
    members: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    told: Mapping[str, Tell] = field(default_factory=dict)

    def tells(self, name: str) -> bool:
        found = self.told.get(name)
        if found is not None:
            return not found.silent
        return self.labels is None or name in self.labels

    def label(self, name: str) -> str:
        found = (self.labels or {}).get(name)
        return found or name.replace("_", " ")

    def counted(self, name: str, n: int) -> str:
        """What a number of them is called."""
        found = self.told.get(name)
        word = "" if found is None else found.one if abs(n) == 1 else found.many
        return word or self.label(name)

    def has_texts(self, name: str) -> bool:
        """Whether the view has texts for it; what they do not cover is not told then."""
        found = self.told.get(name)
        return found is not None and bool(found.gained or found.lost or found.to)

    def text(self, name: str, way: str) -> str:
        """The text for what is `gained`, `lost` or set `to`; empty where the view has none."""
        found = self.told.get(name)
        return "" if found is None else str(getattr(found, way))


def filled(text: str, count: int, values: Mapping[str, str]) -> str:
    """A text with its holes filled, in the words for so many."""
    one, bar, several = text.partition("|")
    chosen = several if bar and count != 1 else one
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), chosen)


def stands_alone(text: str) -> bool:
    """Whether a text says by itself whom it is about."""
    return "{who}" in text or "{whose}" in text


def holes_of(text: str) -> list[str]:
    return _HOLE.findall(text)
