"""States, choices and reasons → the words a player reads."""

from __future__ import annotations

from typing import Any

from rulewright.runtime import api

Json = dict[str, Any]


def story_lines(state: Any, seat: int | None, since: int = 0) -> list[str]:
    """The story from a line on as one seat may read it; without a seat all of it, in the words of those who acted."""
    if seat is not None:
        return api.story(state, seat, since)
    return [text for viewer, text in state.story[since:] if viewer >= -1]


def seat_name(info: Json, seat: int) -> str:
    return str(info["seats"][seat])


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
        parts = [f"{k}" if n is True or n == 1 else f"{n} {k}" for k, n in value.items() if n]
        return ", ".join(parts) or "–"
    if isinstance(value, list):
        return ", ".join(str(v) for v in value) or "–"
    if value is None or value is False:
        return "–"
    if value is True:
        return "yes"
    if per_seat and isinstance(value, int):
        return seat_name(info, value)
    return str(value)


def reason_text(reason: Json, clauses: dict[str, Any]) -> str:
    """A condition that rules an option out, with what the rulebook says."""
    lines = [f"It needs: {reason['text']}"]
    lines += [f"  {cite_text(c, clauses)}" for c in reason["cites"]]
    return "\n".join(lines)


def cite_text(cite: str, clauses: dict[str, Any]) -> str:
    clause = clauses.get(cite)
    if clause is None:
        return cite
    text = " ".join(str(clause.rule).split())
    return f"{cite}: {text}"
