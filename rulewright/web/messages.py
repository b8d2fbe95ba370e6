"""Bytes from a socket → what is asked, checked in every part; nothing else gets past here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from rulewright.play.several import MOST_AT_ONCE
from rulewright.runtime.errors import RulewrightError

Json = dict[str, Any]
_MOST = 1 << 31
_LONGEST = 300


class BadMessage(RulewrightError):
    """A message that none of our own pages sends."""


@dataclass(frozen=True, slots=True)
class Choose:
    version: int
    action: int


@dataclass(frozen=True, slots=True)
class Mark:
    """In a choice of several: so many of what an action stands for are marked. Nothing is decided by that."""

    version: int
    action: int
    count: int


@dataclass(frozen=True, slots=True)
class Whole:
    """Several at once: all that is marked, each as often as it is meant."""

    version: int
    actions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    version: int


@dataclass(frozen=True, slots=True)
class Why:
    """About something on the board, about an option, or about the decision as such."""

    member: str = ""
    action: int = -1


@dataclass(frozen=True, slots=True)
class At:
    """Look at a step of the game; −1 is where it stands. `eyes` are those of another seat or, −1, of everybody; −2 one's own."""

    step: int
    eyes: int = -2


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody else of those at one screen sits down before it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Hand:
    """Give a seat to a bot, or with no bot take it back."""

    seat: int
    bot: str


@dataclass(frozen=True, slots=True)
class Advise:
    """What a search would do at a step."""

    step: int


Message = Choose | Mark | Whole | Undo | Why | At | Sit | Hand | Advise
_KINDS: dict[str, type[Any]] = {
    "choose": Choose, "mark": Mark, "whole": Whole, "undo": Undo, "why": Why, "at": At, "sit": Sit, "hand": Hand,
    "advise": Advise,
}  # fmt: skip


def read(text: str | bytes) -> Message:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("this is no JSON") from None
    if not isinstance(data, dict):
        raise BadMessage("a message is an object")
    kind = _KINDS.get(str(data.pop("type", "")))
    if kind is None:
        raise BadMessage("there is no such message")
    fields: dict[str, str] = {f: str(t.type) for f, t in kind.__dataclass_fields__.items()}
    for key, value in data.items():
        wanted = fields.get(key)
        if wanted is None:
            raise BadMessage(f"there is no {key!r} in it")
        if wanted == "str":
            if not isinstance(value, str) or len(value) > _LONGEST:
                raise BadMessage(f"{key} is a short text")
        elif wanted == "int":
            if not _is_number(value):
                raise BadMessage(f"{key} is a number")
        elif (
            not isinstance(value, list)
            or len(value) > MOST_AT_ONCE
            or not all(map(_is_number, value))
        ):
            raise BadMessage(f"{key} is a short list of numbers")
    try:
        made: Message = kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items()})
    except TypeError:
        raise BadMessage("something is missing in it") from None
    return made


def _is_number(value: object) -> bool:
    return type(value) is int and -2 <= value < _MOST
