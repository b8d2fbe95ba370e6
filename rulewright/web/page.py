"""Templates and what a seat sees → pages, and the fragments of them that change."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rulewright.web.now import Fragments, Parts
from rulewright.web.words import CLIENT, ENGLISH, bot_name, say

Json = dict[str, Any]

_ENV = Environment(
    loader=PackageLoader("rulewright.web"),
    autoescape=True,
    auto_reload=False,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENV.globals.update(
    w=ENGLISH,
    say=say,
    bot_name=bot_name,
    client_words=json.dumps({key: ENGLISH[key] for key in CLIENT}),
)


@dataclass(frozen=True, slots=True)
class Offered:
    """An option as the list shows it; `about` are prices and powers."""

    action: int
    text: str
    member: tuple[str, str]
    about: str
    # in a choice of several: the how manieth of its kind, whether it is marked, whether it may be
    copy: int = 0
    on: bool = False
    can: bool = True


@dataclass(frozen=True, slots=True)
class Whole:
    """What is marked in a choice of several: its words where it can be chosen so, and what may be marked besides."""

    text: str
    note: str


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat as the list of players shows it."""

    number: int
    name: str
    letter: str
    # none in a game without points
    score: int | None
    decides: bool
    mine: bool
    who: str
    is_bot: bool
    here: bool
    can_hand: bool
    can_return: bool


def page(name: str, **values: Any) -> str:
    """A whole page."""
    return _ENV.get_template(name).render(**values)


def fragment(name: str, *args: Any) -> Markup:
    """A part of a page that can be sent by itself: its outermost element has an id."""
    made: Markup = getattr(_FRAGMENTS, name)(*args)
    return made.strip()


@lru_cache(maxsize=16384)
def same_fragment(name: str, *args: Hashable) -> Markup:
    """The same for what is asked for again and again with the same words."""
    return fragment(name, *args)


# what is asked for again and again inside others
_ENV.globals["same_fragment"] = same_fragment
# looked up once: it is asked for several times a move for each who looks
_FRAGMENTS: Any = _ENV.get_template("fragments.html").module


def framed(picture: str) -> Markup:
    """The whole picture in its container. It is the one piece of a page that no template makes: what draws it escapes every text."""
    return fragment("frame", Markup(picture))


def changes(before: Parts, after: Parts) -> Fragments:
    """What a client that has `before` needs for `after`. The same ids are there in every position."""
    out: Fragments = {}
    if len(before) != len(after):
        before = ({},) * len(after)
    for old, new in zip(before, after, strict=True):
        if old is not new:
            out |= {id_: html for id_, html in new.items() if old.get(id_) != html}
    return out
