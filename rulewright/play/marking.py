"""A choice of several and what is typed → marks on and off, a list of them, and the steps of the whole once it is confirmed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rich.text import Text

from rulewright.play.options import Option, marked_as, meant
from rulewright.play.player_words import numbers_text
from rulewright.play.several import Several
from rulewright.scene.layout import Layout
from rulewright.scene.view_names import Names

CONFIRM = "ok"
_NUMBERS = re.compile(r"\d+([\s,]+\d+)*")


class Marking:
    """What one seat marks before it confirms. Options are listed one by one, each as often as it can be chosen."""

    def __init__(
        self,
        several: Several,
        data: dict[str, Any],
        layout: Layout,
        names: Names,
        brings: Callable[[tuple[int, ...]], str] | None = None,
    ) -> None:
        self.several = several
        # what steps of the choice bring together, in words
        self._brings = brings
        # places in the list, in the order in which they were marked
        self.places: list[int] = []
        choice = several.choice
        kind = choice["element"].get("kind", "")
        self.options: list[Option] = []
        self.numbers: list[int] = []
        for item in several.items:
            mark, colour = marked_as(kind, item.value, data, layout, names)
            option = Option(choice["offset"] + item.number, item.value, item.text, "", mark, colour)
            self.options += [option] * item.most
            self.numbers += [item.number] * item.most

    @property
    def marks(self) -> list[int]:
        """What is marked, by its numbers in the domain."""
        return [self.numbers[place] for place in self.places]

    def box(self, place: int) -> str:
        return "[x]" if place in self.places else "[ ]"

    def note(self) -> Text:
        """What may be marked besides, and what would be chosen."""
        missing = [n for n in self.several.missing(self.marks) if n]
        more = f"{numbers_text(missing)} more" if missing else ""
        told = self.several.told(self.marks)
        said = f"{CONFIRM}: {told[:1].lower()}{told[1:]}" if told else ""
        brought = self._brought() if told else ""
        said += f" ({brought})" if brought else ""
        return Text("  " + " · ".join(part for part in (more, said) if part), style="dim")

    def _brought(self) -> str:
        """What the whole brings that is marked."""
        steps = self.several.actions(self.marks)
        return self._brings(steps) if steps and self._brings is not None else ""

    def hear(self, answer: str) -> str | tuple[int, ...] | None:
        """The steps of a confirmed whole; a word about what is not possible; None when only marks have changed."""
        *rest, last = answer.split()
        confirms = last.lower() == CONFIRM
        for place in self._places(" ".join(rest) if confirms else answer):
            problem = self._toggle(place) if place >= 0 else _unknown(len(self.options))
            if problem:
                return problem
        if not confirms:
            return None
        actions = self.several.actions(self.marks)
        if actions is not None:
            return actions
        missing = [n for n in self.several.missing(self.marks) if n]
        if missing:
            return f"That is not enough: mark {numbers_text(missing)} more."
        return "These can't be chosen together."

    def take_back(self) -> bool:
        """The last mark; False when there is none."""
        if self.places:
            self.places.pop()
            return True
        return False

    def _places(self, typed: str) -> list[int]:
        """The options meant, by numbers or words; −1 for what means none."""
        if not typed:
            return []
        if _NUMBERS.fullmatch(typed):
            numbers = [int(n) for n in re.findall(r"\d+", typed)]
            return [n - 1 if 1 <= n <= len(self.options) else -1 for n in numbers]
        found = meant(typed, self.options)
        if len({option.action for option in found}) != 1:
            return [-1]
        places = [i for i, option in enumerate(self.options) if option.action == found[0].action]
        # of several copies the next that is not marked
        return [next((i for i in places if i not in self.places), places[0])]

    def _toggle(self, place: int) -> str:
        if place in self.places:
            self.places.remove(place)
        elif self.numbers[place] in self.several.more(self.marks):
            self.places.append(place)
        else:
            return f"{self.options[place].text} can't be chosen together with what is marked."
        return ""


def _unknown(count: int) -> str:
    return f"Type numbers from 1 to {count} to mark, {CONFIRM} to choose what is marked, or h for help."
