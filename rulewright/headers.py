"""The first line of a table or a replay → what it says of itself, typed, or one error; rows of tables → rows that fit to it.

Files come from anywhere. Nothing is used before it was read here: every number has bounds, every list a length that goes with
the player count, and no work is larger than what the header allows.
"""

from __future__ import annotations

import json
from typing import Any

from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.given import LARGEST, Given, Reading, shown, texts
from rulewright.simulate.orders import block_size

Json = dict[str, Any]
MOST_PLAYERS = 20
MOST_GAMES = 100_000_000
_MOST_BOTS = 1000
# the longest first line and the longest row that are read
LONGEST_LINE = 16_000_000
_LONG_TEXT = 2_000
_MANY = 100_000


def json_line(line: str | bytes, what: str, error: type[RulewrightError]) -> Given:
    """One line of JSON, not looked at yet."""
    reading = Reading(what, error)
    try:
        return Given(json.loads(line), reading)
    except (ValueError, RecursionError):
        Given(None, reading).fail("it is no line of JSON")


def ruleset(parts: dict[str, Given]) -> tuple[str, int, list[str], Json]:
    """Which rules a file is of: the game, the player count, variants and options."""
    players = parts["players"].whole(1, MOST_PLAYERS)
    variants = texts(parts["variants"].items(100))
    options = {name: _setting(one) for name, one in parts["options"].entries(1000).items()}
    return parts["game"].text(_LONG_TEXT), players, variants, options


def _setting(one: Given) -> object:
    """The value of an option: a number, a word, or true or false."""
    if type(one.value) is bool:
        return one.truth()
    return one.text() if type(one.value) is str else one.whole()


def seats(one: Given, players: int) -> list[str]:
    """A text for each seat."""
    return texts(one.items(players, players))


_TABLE = (
    "format", "game", "title", "players", "variants", "options", "ruleset", "compiler", "bots", "games", "seed", "fixed",
    "called", "seats", "reasons", "choices",
)  # fmt: skip


def table(found: Given, version: int) -> Json:
    """What a table of games says of itself; of another version its seeds were made in another way."""
    if type(found.value) is dict:
        told = found.value.get("format", 1)
        if type(told) is not int or told != version:
            found.fail(
                f"it has the table format {shown(told)}; this version reads {version}."
                " Its seeds were made in another way: simulate anew"
            )
    parts = found.mapping(_TABLE, ["block"])
    game, players, variants, options = ruleset(parts)
    # where games come in blocks any number of bots meet
    block = {"block": parts["block"].whole(1, MOST_GAMES)} if "block" in parts else {}
    bots = texts(parts["bots"].items(_MOST_BOTS, 1)) if block else seats(parts["bots"], players)
    if block:
        parts["block"].same(block_size(len(bots), players))
    choices = []
    for one in parts["choices"].items(_MANY):
        label, offset, values = one.items(3, 3)
        choices.append([label.text(), offset.whole(0), texts(values.items(_MANY), _LONG_TEXT)])
    return {
        "format": version, "game": game, "title": parts["title"].text(_LONG_TEXT), "players": players, "variants": variants,
        "options": options, "ruleset": parts["ruleset"].text(), "compiler": parts["compiler"].text(),
        "bots": bots, "games": parts["games"].whole(1, MOST_GAMES),
        "seed": parts["seed"].whole(), "fixed": parts["fixed"].truth(), "called": parts["called"].text(),
        "seats": seats(parts["seats"], players),
        "reasons": {name: one.text(_LONG_TEXT) for name, one in parts["reasons"].entries(1000).items()},
        "choices": choices, **block,
    }  # fmt: skip


_REPLAY = ("game", "players", "variants", "options", "seats", "ruleset", "spec", "compiler")


def replay(found: Given, version: int) -> Json:
    """What a replay says of itself."""
    if type(found.value) is not dict or found.value.get("rulewright") != "replay":
        found.fail("it is not a replay: its first line does not say so")
    told = found.value.get("format")
    if type(told) is not int or told != version:
        found.fail(
            f"it has the replay format {shown(told)}; this version reads {version}, which records every outcome of chance and no seed"
        )
    parts = found.mapping(("rulewright", "format", *_REPLAY))
    game, players, variants, options = ruleset(parts)
    return {
        "game": game, "players": players, "variants": variants, "options": options,
        "seats": seats(parts["seats"], players),
        "ruleset": parts["ruleset"].text(), "spec": parts["spec"].text(), "compiler": parts["compiler"].text(),
    }  # fmt: skip


# ---------------------------------------------------------------- rows of tables


def cell(cells: dict[str, Given], name: str, low: int = -LARGEST, high: int = LARGEST) -> int:
    """A whole number of a row; CSV has it as text."""
    one = cells[name]
    text = one.value
    if type(text) is str:
        digits = text.removeprefix("-")
        if not digits.isascii() or not digits.isdigit() or len(digits) > 20:
            one.fail(f"{shown(text)} is not a whole number")
        one = Given(int(text), one.reading, one.path)
    return one.whole(low, high)


def share(cells: dict[str, Given], name: str) -> float:
    """The share of a win that a seat has."""
    one = cells[name]
    value = one.value
    if type(value) is str and len(value) <= 30:
        try:
            value = float(value)
        except ValueError:
            one.fail(f"{shown(value)} is not a number")
    if type(value) not in (int, float) or not 0 <= value <= 1:
        one.fail(f"{shown(value)} is not a share of a win")
    return float(value)


def nested(cells: dict[str, Given], name: str, lengths: tuple[int, ...]) -> list[Any]:
    """A list of any length, of lists of these lengths, of whole numbers, kept as text."""
    one = cells[name]
    found = json_line(one.text(LONGEST_LINE), f"{one.reading.what}: {one.path}", one.reading.error)
    return [_shaped(inner, lengths) for inner in found.items(_MANY)]


def _shaped(one: Given, lengths: tuple[int, ...]) -> Any:
    if not lengths:
        return one.whole()
    return [_shaped(inner, lengths[1:]) for inner in one.items(lengths[0], lengths[0])]


def counted(cells: dict[str, Given], name: str) -> dict[int, int]:
    """`action:times` pairs."""
    one = cells[name]
    out: dict[int, int] = {}
    for pair in one.text(LONGEST_LINE).split():
        action, sign, times = pair.partition(":")
        if not (sign and _is_plain(action) and _is_plain(times)):
            one.fail(f"{shown(pair)} is not an action and how often it was chosen")
        out[int(action)] = int(times)
    return out


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12
