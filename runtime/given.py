"""Plain data from outside → values of the shape that is expected, or one error that says what is wrong and where.

Everything that is read from a file or handed in goes through here: saved states, headers of tables and replays.
The work is bounded by what is expected, never by what is given, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NoReturn, SupportsIndex, cast

from rulewright.runtime.errors import RulewrightError

# no number of a game is larger, and no text that is read needs to be longer
LARGEST = 2**62
LONGEST = 200


@dataclass(slots=True)
class Reading:
    """One piece of data being read: what it is called, which error it ends in, and how many values were looked at."""

    what: str
    error: type[RulewrightError] = RulewrightError
    steps: int = 0


@dataclass(slots=True)
class Given:
    """A value and where it stands."""

    value: Any
    reading: Reading
    path: str = ""

    def fail(self, message: str) -> NoReturn:
        at = f"{self.path}: " if self.path else ""
        raise self.reading.error(f"{self.reading.what}: {at}{message}")

    def inside(self, value: object, key: object) -> Given:
        self.reading.steps += 1
        name = shortened(str(key))
        return Given(value, self.reading, f"{self.path}.{name}" if self.path else name)

    # ------------------------------------------------------------ what holds others

    def mapping(self, needed: Iterable[str], more: Iterable[str] = ()) -> dict[str, Given]:
        """Entries by name: all that are needed, perhaps some more, nothing else."""
        names, beside = list(needed), list(more)
        found = self.value
        if type(found) is not dict:
            self.fail(f"{shown(found)} is not a mapping")
        known = {*names, *beside}
        # where there are too many, one of the first is unknown
        for key in found:
            self.reading.steps += 1
            if type(key) is not str or key not in known:
                self.fail(f"there is nothing called {shown(key)}{_near(key, known)}")
        for name in names:
            if name not in found:
                self.fail(f"{name!r} is missing")
        return {n: self.inside(found[n], n) for n in (*names, *beside) if n in found}

    def entries(self, most: int) -> dict[str, Given]:
        """Entries whose names are not known beforehand."""
        found = self.value
        if type(found) is not dict:
            self.fail(f"{shown(found)} is not a mapping")
        if len(found) > most:
            self.fail(f"{len(found)} entries, but there is room for {most}")
        for key in found:
            if type(key) is not str or len(key) > LONGEST:
                self.fail(f"{shown(key)} is not a name")
        return {key: self.inside(value, key) for key, value in found.items()}

    def items(self, most: int, least: int = 0) -> list[Given]:
        found = self.value
        if type(found) is not list and type(found) is not tuple:
            self.fail(f"{shown(found)} is not a list")
        if len(found) > most:
            self.fail(f"{len(found)} entries, but there is room for {most}")
        if len(found) < least:
            self.fail(f"{len(found)} entries, but there must be {least}")
        return [self.inside(value, i) for i, value in enumerate(found)]

    # ------------------------------------------------------------ single values

    def whole(self, low: int | None = None, high: int | None = None) -> int:
        """A whole number between two bounds, both included."""
        value = self.value
        if type(value) is not int:
            self.fail(f"{shown(value)} is not a whole number")
        least = -LARGEST if low is None else low
        most = LARGEST if high is None else high
        if not least <= value <= most:
            self.fail(f"{shown(value)} is outside {_number(least)}..{_number(most)}")
        return value

    def digits(self, low: int, high: int) -> int:
        """A whole number written as text, as numbers are that JSON's readers may cut."""
        text = self.value
        if type(text) is not str or not text.isascii() or not text.isdigit():
            self.fail(f"{shown(text)} is not a whole number in digits")
        if len(text) > min(4000, high.bit_length() // 3 + 2) or str(int(text)) != text:
            self.fail(f"{shown(text)} is not a whole number in as few digits as it needs")
        return Given(int(text), self.reading, self.path).whole(low, high)

    def number(self) -> float:
        """A number that may have a fraction."""
        value = self.value
        if type(value) not in (int, float) or not -LARGEST <= value <= LARGEST:
            self.fail(f"{shown(value)} is not a number")
        return float(value)

    def truth(self) -> bool:
        if type(self.value) is not bool:
            self.fail(f"{shown(self.value)} is not true or false")
        return bool(self.value)

    def text(self, most: int = LONGEST) -> str:
        value = self.value
        if type(value) is not str:
            self.fail(f"{shown(value)} is not a text")
        if len(value) > most:
            self.fail(f"a text of {len(value)} characters, but {most} are the most")
        return value

    def same(self, expected: object) -> None:
        """What must be exactly as the rules have it."""
        if type(self.value) is not type(expected) or self.value != expected:
            self.fail(f"{shown(self.value)}, but it is {shown(expected)}")


def whole_number(value: object) -> int | None:
    """A whole number, or what stands for one (a number of an array) as such; None for anything else, truth values among it."""
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return index(cast(SupportsIndex, value))
    except TypeError:
        return None


def seat_number(seat: object, players: int) -> int:
    """A seat that there is."""
    found = whole_number(seat)
    if found is None or not 0 <= found < players:
        raise RulewrightError(f"there is no seat {shown(seat)}; seats are 0..{players - 1}")
    return found


def given(value: object, what: str, error: type[RulewrightError]) -> Given:
    return Given(value, Reading(what, error))


def shown(value: object) -> str:
    """A value for a message, whatever it is: short, and worked out without going through it."""
    if value is None or type(value) is bool:
        return {None: "nothing", True: "true", False: "false"}[value]
    if type(value) is int:
        return str(value) if value.bit_length() < 100 else "a number of very many digits"
    if type(value) is float:
        return repr(value)
    if type(value) is str:
        return repr(shortened(value))
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"a mapping of {len(value)}"
    return f"a {type(value).__name__}"


def shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def texts(found: Sequence[Given], most: int = LONGEST) -> list[str]:
    return [one.text(most) for one in found]


def _number(value: int) -> str:
    return str(value) if value.bit_length() < 10_000 else "very many"


def _near(key: object, known: set[str]) -> str:
    import difflib

    if type(key) is not str or len(key) > 40:
        return ""
    near = difflib.get_close_matches(key, sorted(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
