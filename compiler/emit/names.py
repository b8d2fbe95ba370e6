"""Names of the language → names of Python; the one place where names are invented."""

from __future__ import annotations

import keyword
import re

# names that the state class uses itself
_TAKEN = frozenset(
    [
        "pc",
        "who",
        "opts",
        "rng",
        "value",
        "clone",
        "view",
        "returns",
        "scores",
        "ranking",
        "reseed",
        "seed",
        "game",
        "story",
        "hits",
        "current_player",
        "legal_actions",
        "apply_action",
        "is_terminal",
        "is_chance_node",
        "chance_outcomes",
        "score_breakdown",
        "action_to_string",
        "action_to_dict",
        "action_from_dict",
        "to_dict",
        "why_not",
        "s",
        "m",
        "self",
        "State",
    ]
)


def python_name(text: str) -> str:
    """A Python identifier for any name of a spec."""
    name = re.sub(r"\W", "_", text)
    if not name or name[0].isdigit():
        name = f"n{name}"
    if (
        keyword.iskeyword(name)
        or name in _TAKEN
        or name.startswith("__")
        or re.fullmatch(r"[xl]\d+", name)
    ):
        name += "_"
    return name


def constant_name(text: str) -> str:
    """SomeKind.column → SOME_KIND_COLUMN"""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"\W+", "_", spaced).strip("_").upper()
    return name if name and not name[0].isdigit() else f"N{name}"


class Names:
    """Hands out names that differ from each other."""

    def __init__(self) -> None:
        self.given: dict[str, int] = {}

    def new(self, wish: str) -> str:
        n = self.given.get(wish, 0) + 1
        self.given[wish] = n
        if n == 1:
            return wish
        return self.new(f"{wish}_{n}")
