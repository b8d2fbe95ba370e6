"""What the compiler tells the runtime of an engine beside its rules: its shape, its version, how it is written and read.

Whoever writes such data gets its keys checked here, and whoever reads it from a file comes through `read_info`, which refuses
what another version of the compiler wrote.
"""

from __future__ import annotations

import json
from typing import Any, NotRequired, TypeAlias, TypedDict, cast

from rulewright.runtime.errors import RulewrightError

# raised whenever keys or their meaning change
FORMAT = 1

# file, line, column (lines of engines: without the column); rows of JSON, which knows no tuples, are lists of whatever they hold
Where: TypeAlias = list[Any]
# a type of the rules: its "t" says which, other keys what it is of
TypeRow: TypeAlias = dict[str, Any]


class KindRow(TypedDict):
    """A kind: its members, their words, the clauses of each."""

    members: list[str]
    texts: list[str]
    cites: NotRequired[list[list[str]]]


class StateRow(TypedDict):
    """A state variable; `field` is where an engine keeps it, `about` and `role` what it notes of another.

    `usual` is there where the spec says how large its numbers usually get.
    """

    name: str
    field: str
    type: TypeRow
    visible: str
    about: str
    role: str
    usual: NotRequired[int]


class ConditionRow(TypedDict):
    """A condition in words, with its clauses and place."""

    text: str
    cites: list[str]
    place: Where


class ChoiceRow(TypedDict):
    """A decision, by its number: actions from `offset` on, `size` of them."""

    label: str
    steps: list[list[Any]]
    element: TypeRow
    offset: int
    size: int
    otherwise: str | None
    more: bool
    # later steps are asked though this one was declined, so that the others don't learn of it
    asks_on: NotRequired[bool]
    secret: bool
    secret_options: bool
    conditions: list[ConditionRow]
    cites: list[str]
    place: Where


ChanceRow = TypedDict(
    "ChanceRow",
    {
        "what": str,
        "name": str | None,
        "from": str | None,
        "to": str | None,
        "element": TypeRow,
        "size": int,
        "hidden": bool,
        "cites": list[str],
        "place": Where,
    },
)


class ZoneRow(TypedDict):
    """A zone of a family, or one for each member of `per`; with `keys`, of which `per` is the first, one for each combination."""

    name: str
    field: str
    per: TypeRow | None
    visible: str
    full: bool
    keys: NotRequired[list[TypeRow]]
    # of one that keeps its order: the fields of what lies at each place, and of who knows it where nobody may look
    order: NotRequired[str]
    seen: NotRequired[str]


class StandingRow(TypedDict):
    """Pieces that stand on their own: the fields of the state that hold theirs, and the types of these."""

    name: str
    size: int
    fields: dict[str, str]
    types: dict[str, TypeRow]


class FamilyRow(TypedDict):
    """Conserved pieces: how many of each, for each owner."""

    name: str
    kind: TypeRow
    per: TypeRow | None
    copies: list[list[int]]
    zones: list[ZoneRow]
    standing: StandingRow | None


class PointRow(TypedDict):
    """A place where a state can stand: locals that count (number, name, slot, type, secret), the way back, the loop around."""

    frame: str
    live: list[list[Any]]
    back: str | None
    loop: list[Any] | None


class InvariantRow(TypedDict):
    name: str
    cites: list[str]
    place: Where


class _Always(TypedDict):
    """What is known of every engine."""

    format: int
    game: str
    title: str
    players: int
    variants: list[str]
    options: dict[str, object]
    hash: str
    compiler: str
    engine: str
    seats: list[str]
    participants: list[str]
    reasons: dict[str, str]
    heuristic: bool
    kinds: dict[str, KindRow]
    state: list[StateRow]
    families: list[FamilyRow]
    choices: dict[str, ChoiceRow]
    chances: dict[str, ChanceRow]
    points: dict[str, PointRow]
    slots: list[str]
    callers: dict[str, list[int]]
    loops: dict[str, Where]
    most_decisions: int
    actions: int
    invariants: list[InvariantRow]
    places: list[Where]
    holders: dict[str, list[Any]]
    lines: list[Where | None]
    full: bool
    followed: list[str]
    fits: str | None


class Info(_Always, total=False):
    """All of it: keys that only some engines have stand here. (`NotRequired` is not seen at run time in a module like this.)"""

    # of the files that a committed engine was made from
    files: str
    # of games with teams: the number of each seat's, and whether the outcome ranks them
    teams: list[int]
    by_team: bool
    # of a common outcome: what its key must reach
    together: int
    # of a checking engine
    checks: list[str]
    # of the full flavour
    hits: list[Where]
    asked: list[int]
    fails: list[ConditionRow]
    procedures: dict[str, list[TypeRow]]


def write_info(info: Info) -> str:
    """As JSON, one key on a line, so that a change is seen where it is.

    Below the first level keys stay in their order: that of reasons and kinds has a meaning.
    """
    rows = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for key, value in sorted(info.items())
    )
    return "{\n" + ",\n".join(rows) + "\n}\n"


def read_info(text: str | bytes) -> Info:
    """From JSON; what is cut off, damaged or of another version is a RulewrightError."""
    try:
        found = json.loads(text)
    except ValueError:
        raise RulewrightError("what is known of this engine can't be read: it is damaged") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RulewrightError(
            f"what is known of this engine was written by another version of the compiler; this one reads format {FORMAT}:"
            " build the engine anew"
        )
    missing = sorted(_Always.__annotations__.keys() - found.keys())
    if missing:
        raise RulewrightError(f"what is known of this engine lacks {', '.join(missing)}")
    # made by `write_info`, as its format says; all keys that are always there were looked for above
    return cast(Info, found)
