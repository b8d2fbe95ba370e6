"""A choice of several that an engine asks step by step → one choice: what can be marked, whether that is whole, the steps that make it.

Engines ask in the order of the domain, so that each whole is met once. A player marks in any order: the marks are put into the
engine's order here, and every question about them is answered by a copy that takes the steps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright.play.player_words import option_text
from rulewright.runtime.asking import ask_forced
from rulewright.runtime.game import Game
from rulewright.runtime.info import ChoiceRow
from rulewright.scene.view_words import plain

# positions within a choice that are looked at, and wholes that are kept, so that a wide choice costs no more than a moment
_MOST_LOOKED_AT = 500
_MOST_WHOLES = 2000
# the language allows no wider choice
MOST_AT_ONCE = 12
_STEP = re.compile(r"(.+)\.(\d+)")
Marks = tuple[int, ...]
# the actions of a whole, and its words
Way = tuple[tuple[int, ...], str]


def step_of(label: str) -> tuple[str, int] | None:
    """`discard.2` → ("discard", 2); None for what is no step of a choice of several: steps of joint choices have names."""
    found = _STEP.fullmatch(label)
    return None if found is None else (found[1], int(found[2]))


def goes_on(before: str, after: str) -> bool:
    """Whether a decision is a later step of the same choice of several as the decision before it."""
    one, two = step_of(before), step_of(after)
    return one is not None and two is not None and one[0] == two[0] and one[1] < two[1]


def made_of(game: Game, steps: Sequence[int], marked: Sequence[int]) -> bool:
    """Whether the steps of a choice that was made are those of the marks, which are given as actions of its first step.

    Forced steps are not among the steps, and the word that ends a choice is not among the marks.
    """
    rows = game.full.info["choices"].values()
    found = [next(c for c in rows if 0 <= a - c["offset"] < c["size"]) for a in steps]
    if not found or step_of(found[0]["label"]) is None:
        return False
    numbers = [a - c["offset"] for a, c in zip(steps, found, strict=True)]
    own = [n for n, c in zip(numbers, found, strict=True) if n != _word(c)]
    return Counter(own) <= Counter(action - found[0]["offset"] for action in marked)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be marked, by its number in the domain; `most`: as often as it can be."""

    number: int
    value: str
    text: str
    most: int


@dataclass(slots=True)
class Several:
    """One choice. `all_known`: `wholes` are all there are; else marks are looked at when they are to be whole, not before."""

    choice: ChoiceRow
    items: list[Item]
    wholes: set[Marks]
    # as many as can be chosen at all, as far as that is known
    longest: int
    all_known: bool
    _game: Game
    _state: Any
    _seat: int
    _ways: dict[Marks, Way | None] = field(default_factory=dict)

    def fitting(self, marks: Iterable[int]) -> list[Counter[int]]:
        """What is missing from the marks to each whole that they may become."""
        have = Counter(marks)
        found = (Counter(whole) for whole in self.wholes)
        return [whole - have for whole in found if have <= whole]

    def more(self, marks: Iterable[int]) -> set[int]:
        """The numbers that may be marked besides."""
        have = Counter(marks)
        if self.all_known:
            return {number for missing in self.fitting(have.elements()) for number in missing}
        if have.total() >= self.longest:
            return set()
        return {item.number for item in self.items if have[item.number] < item.most}

    def possible(self, marks: Iterable[int]) -> bool:
        """Whether the marks are a whole choice or may become one, as far as that is known."""
        have = Counter(marks)
        if self.all_known:
            return bool(self.fitting(have.elements()))
        most = {item.number: item.most for item in self.items}
        fits = all(count <= most.get(number, 0) for number, count in have.items())
        return fits and have.total() <= self.longest

    def missing(self, marks: Iterable[int]) -> list[int]:
        """How many more can make it whole, as far as that is known."""
        return sorted({missing.total() for missing in self.fitting(marks)})

    def actions(self, marks: Iterable[int]) -> tuple[int, ...] | None:
        """The engine's steps that choose exactly this; None when it is no whole choice."""
        way = self._way(marks)
        return None if way is None else way[0]

    def told(self, marks: Iterable[int]) -> str:
        """What the whole is called; nothing when it is none."""
        way = self._way(marks)
        return "" if way is None else way[1]

    def _way(self, marks: Iterable[int]) -> Way | None:
        key = tuple(sorted(marks))
        if key not in self._ways:
            self._ways[key] = self._walk(list(key))
        return self._ways[key]

    def _walk(self, rest: list[int]) -> Way | None:
        """Take the steps twice: in a copy that asks for each, and in one that takes forced ones by itself as the game does."""
        full = self._game.full
        asking: Any = ask_forced(full, self._state.clone())
        own = self._state.clone()
        actions: list[int] = []
        while True:
            choice = full.info["choices"][str(asking.pc)]
            word = _word(choice)
            number = rest.pop(0) if rest else word
            if number is None or choice["offset"] + number not in asking.legal_actions():
                return None
            action = choice["offset"] + number
            if own.pc == asking.pc and len(own.story) == len(asking.story):
                actions.append(action)
                own.apply_action(action)
            # what is chosen in secret is asked to the last step, also after the word
            ends = number == word and "asks_on" not in choice
            if ends or not choice["more"]:
                text = option_text(asking, action, self._seat)
                return None if rest else (tuple(actions), text)
            asking.apply_action(action)


def _word(choice: ChoiceRow) -> int | None:
    """The number of the option that ends the choice, if there is one."""
    return None if choice["otherwise"] is None else choice["size"] - 1


def several_of(game: Game, state: Any, seat: int) -> Several | None:
    """The choice of several that is asked in a state of the full flavour; None when something else is."""
    choice = game.full.info["choices"].get(str(state.pc))
    if state.is_terminal() or choice is None or step_of(choice["label"]) is None:
        return None
    search = _Search(game)
    search.look(ask_forced(game.full, state.clone()), ())
    items = [_item(game, choice, *found) for found in sorted(search.most.items())]
    left = [
        step
        for step in game.full.info["choices"].values()
        if step["label"] == choice["label"] or goes_on(choice["label"], step["label"])
    ]
    return Several(choice, items, search.wholes, len(left), search.all_known, game, state, seat)


def _item(game: Game, choice: ChoiceRow, number: int, most: int) -> Item:
    value = str(game.full.option_name(choice, number))
    told = game.info["kinds"].get(choice["element"].get("kind", ""))
    text = plain(value) if told is None else told["texts"][told["members"].index(value)]
    return Item(number, value, text[:1].upper() + text[1:], most)


class _Search:
    """Goes through the steps of a choice, the first of each first; so even where it stops early all items have come up."""

    def __init__(self, game: Game) -> None:
        self._choices = game.full.info["choices"]
        self._left = _MOST_LOOKED_AT
        self.wholes: set[Marks] = set()
        self.most: Counter[int] = Counter()
        self.all_known = True

    def look(self, state: Any, chosen: Marks) -> None:
        choice = self._choices[str(state.pc)]
        self._left -= 1
        numbers = [action - choice["offset"] for action in state.legal_actions()]
        for number in numbers:
            if number == _word(choice):
                self.wholes.add(chosen)
            else:
                self.most[number] = max(self.most[number], chosen.count(number) + 1)
                if not choice["more"]:
                    self.wholes.add((*chosen, number))
        for number in numbers if choice["more"] else ():
            if number == _word(choice):
                continue
            if self._left <= 0 or len(self.wholes) > _MOST_WHOLES:
                self.all_known = False
                return
            then = state.clone()
            then.apply_action(choice["offset"] + number)
            self.look(then, (*chosen, number))
