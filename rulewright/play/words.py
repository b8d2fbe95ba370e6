"""States, choices and reasons → the words a player reads."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rulewright.play.colours import colour_of
from rulewright.runtime import api

Json = dict[str, Any]


def plain(name: str) -> str:
    """A name as people write it."""
    return name.replace("_", " ")


class People:
    """The participants of a game: their names, their first letters as far as these tell them apart, their colours."""

    def __init__(self, info: Json) -> None:
        self.seats: list[str] = [str(s) for s in info["seats"][: info["players"]]]
        self.all: list[str] = [*self.seats, *map(str, info["participants"][len(self.seats) :])]
        longest = max(map(len, self.all))
        sizes = (n for n in range(1, longest) if len({p[:n] for p in self.all}) == len(self.all))
        size = next(sizes, longest)
        self._initials = [name[:size] for name in self.all]

    def initial(self, who: int) -> str:
        return self._initials[who]

    def style(self, who: int) -> str:
        return colour_of(self.all[who])

    def index(self, key: str) -> int:
        """Who is meant by a key of a view: a seat's number, or the name of one who has no seat."""
        return int(key) if key.isdigit() else self.all.index(key)

    def name(self, key: str) -> str:
        return self.all[self.index(key)]


# ---------------------------------------------------------------- what happened


def story_lines(state: Any, seat: int | None, info: Json, since: int = 0) -> list[str]:
    """The story from a line on as one seat may read it; without a seat all of it, in the words of those who acted."""
    if seat is not None:
        return list(gathered(api.story(state, seat, since)))
    told = (_of_another(v, text, info) for v, text in state.story[since:] if v >= -1)
    return list(gathered(told))


def _of_another(viewer: int, text: str, info: Json) -> str:
    """What one seat is told about itself, for those who know everything: you draw → Blue draws."""
    if viewer < 0 or not text.startswith("you "):
        return text
    verb, _, rest = text.removeprefix("you ").partition(" ")
    return f"{seat_name(info, viewer)} {verb}s {rest}"


def gathered(lines: Iterable[str]) -> Iterable[str]:
    """Lines that differ in their last number only are one line with all of them, and so is a line that comes several times."""
    for (start, number), group in groupby(lines, _apart):
        found = list(group)
        if number and len(set(found)) > 1:
            yield f"{start} {', '.join(line.rpartition(' ')[2] for line in found)}"
        elif len(found) > 1:
            yield f"{found[0]} ({len(found)} times)"
        else:
            yield found[0]


def _apart(line: str) -> tuple[str, bool]:
    """A line without its last number, and whether it has one."""
    start, _, last = line.rpartition(" ")
    return (start, True) if last.isdigit() else (line, False)


# ---------------------------------------------------------------- names and values


def seat_name(info: Json, seat: int) -> str:
    return str(info["seats"][seat])


def choice_text(label: str) -> str:
    """What a decision is called."""
    return plain(label).replace(".", " ")


def option_text(state: Any, action: int, seat: int) -> str:
    """What an option does, in words that begin with a capital letter."""
    text = str(state.action_to_string(action, seat)).strip()
    return text[:1].upper() + text[1:]


def show_value(value: Any, info: Json, per_seat: bool = False) -> str:
    """A value of a view in few words."""
    if isinstance(value, dict):
        if "hidden" in value:
            hidden = value["hidden"]
            return "hidden" if hidden is True else f"{hidden} hidden" if hidden else "–"
        parts = [
            plain(k) if n is True or n == 1 else f"{n} {plain(k)}" for k, n in value.items() if n
        ]
        return ", ".join(parts) or "–"
    if isinstance(value, list):
        return ", ".join(plain(str(v)) for v in value) or "–"
    if value is None or value is False:
        return "–"
    if value is True:
        return "yes"
    if per_seat and isinstance(value, int):
        return seat_name(info, value)
    return plain(str(value))


# ---------------------------------------------------------------- rules


def reason_text(
    reason: Json, clauses: dict[str, Any], changed: dict[str, list[str]] | None = None
) -> str:
    """A condition that rules an option out, with what the rulebook says."""
    lines = [cite_text(c, clauses, changed) for c in reason["cites"]]
    return "\n".join([*lines, f"  in the rules: {reason['text']}"] if lines else [reason["text"]])


def cite_text(
    cite: str, clauses: dict[str, Any], changed: dict[str, list[str]] | None = None
) -> str:
    """A clause with its words; where this ruleset departs from it, with how."""
    clause = clauses.get(cite)
    if changed and cite in changed:
        few = "; ".join(changed[cite][:3]) + (" …" if len(changed[cite]) > 3 else "")
        return f"{cite_text(cite, clauses)}\n  changed here: {few}"
    if clause is None:
        return cite
    text = " ".join(str(clause.rule).split())
    return f"{cite}: {text}"
