"""States, choices and reasons → the words a player reads."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rulewright.runtime import api
from rulewright.scene.words import plain, seat_name

Json = dict[str, Any]
_ROLL = "the roll is "


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
    """Rolls that follow each other in one line, and so a line that comes several times."""
    for rolls, group in groupby(lines, lambda line: line.startswith(_ROLL)):
        found = list(group)
        if rolls and len(found) > 1:
            yield f"the rolls are {', '.join(line[len(_ROLL):] for line in found)}"
            continue
        for line, same in groupby(found):
            times = len(list(same))
            yield f"{line} ({times} times)" if times > 1 else line


# ---------------------------------------------------------------- choices


def choice_text(label: str) -> str:
    """What a decision is called."""
    return plain(label).replace(".", " ")


def option_text(state: Any, action: int, seat: int) -> str:
    """What an option does, in words that begin with a capital letter."""
    text = str(state.action_to_string(action, seat)).strip()
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- rules


def reason_text(reason: Json, clauses: dict[str, Any]) -> str:
    """A condition that rules an option out, with what the rulebook says."""
    lines = [cite_text(c, clauses) for c in reason["cites"]]
    return "\n".join([*lines, f"  in the rules: {reason['text']}"] if lines else [reason["text"]])


def cite_text(cite: str, clauses: dict[str, Any]) -> str:
    clause = clauses.get(cite)
    if clause is None:
        return cite
    text = " ".join(str(clause.rule).split())
    return f"{cite}: {text}"
