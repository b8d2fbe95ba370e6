"""States, choices and reasons → the words a player reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rulewright.runtime import api
from rulewright.runtime.info import Info
from rulewright.scene.view_words import plain, seat_name

Json = dict[str, Any]
# of what was done in a turn the last lines stay on the screen
_HELD = 3
# a step of a choice of several, which is one choice to those who make it
_STEP = re.compile(r"\.\d+$")


# ---------------------------------------------------------------- what happened


def story_lines(state: Any, seat: int | None, info: Info, since: int = 0) -> list[str]:
    """The story from a line on as one seat may read it; without a seat all of it, in the words of those who acted."""
    if seat is not None:
        return list(gathered(api.story(state, seat, since)))
    told = (_of_another(v, text, info) for v, text in state.story[since:] if v >= -1)
    return list(gathered(told))


def _of_another(viewer: int, text: str, info: Info) -> str:
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
            # what a spec without words for its rolls is told with
            start = "the rolls are" if start == "the roll is" else start
            yield f"{start} {', '.join(line.rpartition(' ')[2] for line in found)}"
        elif len(found) > 1:
            yield f"{found[0]} ({len(found)} times)"
        else:
            yield found[0]


def _apart(line: str) -> tuple[str, bool]:
    """A line without its last number, and whether it has one."""
    start, _, last = line.rpartition(" ")
    return (start, True) if last.isdigit() else (line, False)


# ---------------------------------------------------------------- choices


def choice_text(label: str, asks: Mapping[str, str] = {}) -> str:
    """What a decision is called: what the game's view says of it or of the joint choice that it is a step of, or its name."""
    found = asks.get(label) or asks.get(label.partition(".")[0])
    return found or plain(_STEP.sub("", label)).replace(".", " ")


def option_text(state: Any, action: int, seat: int) -> str:
    """What an option does, in words that begin with a capital letter."""
    text = str(state.action_to_string(action, seat)).strip()
    return text[:1].upper() + text[1:]


def numbers_text(numbers: Sequence[int]) -> str:
    """2 → 2; 1, 2, 3 → 1 to 3; 1, 3 → 1 or 3."""
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return (
            f"{numbers[0]} to {numbers[-1]}"
            if len(numbers) > 2
            else f"{numbers[0]} or {numbers[1]}"
        )
    return " or ".join(str(number) for number in numbers)


def held(lines: list[str], name: str, so_far: Mapping[str, Any]) -> list[str]:
    """What one has done in a turn, without one's name, and the steps of a choice that is under way."""
    told = [line.removeprefix(f"{name} ") for line in lines[-_HELD:]]
    named = ((choice_text(k).rpartition(" ")[2], plain(str(v))) for k, v in so_far.items())
    # a letter tells nobody anything
    steps = (value if len(step) == 1 else f"{step} {value}" for step, value in named)
    return [*told, *steps]


# ---------------------------------------------------------------- rules


def reason_text(
    reason: Mapping[str, Any], clauses: dict[str, Any], changed: dict[str, list[str]] | None = None
) -> str:
    """A condition that rules an option out, with what the rulebook says."""
    lines = [cite_text(c, clauses, changed) for c in reason["cites"]]
    needs = [reason["needs"]] if "needs" in reason else []
    if not lines:
        return "\n".join([*needs, reason["text"]])
    return "\n".join([*needs, *lines, f"  in the rules: {reason['text']}"])


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
