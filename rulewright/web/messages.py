"""Bytes from a socket → what is asked, checked in every part; nothing else gets past here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

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


Message = Choose | Undo | Why | At | Sit | Hand | Advise
_KINDS: dict[str, type[Any]] = {
    "choose": Choose, "undo": Undo, "why": Why, "at": At, "sit": Sit, "hand": Hand, "advise": Advise,
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
        elif type(value) is not int or not -2 <= value < _MOST:
            raise BadMessage(f"{key} is a number")
    try:
        made: Message = kind(**data)
    except TypeError:
        raise BadMessage("something is missing in it") from None
    return made
