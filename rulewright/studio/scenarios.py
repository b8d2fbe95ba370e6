"""A position and what is expected of it, from a page → the text of a scenario."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rulewright.studio.edits import EditError
from rulewright.studio.operations import value_in
from rulewright.studio.yaml_spelling import spell, spell_text

SCENARIOS = "scenarios/studio.yaml"
_CALL = re.compile(r"[A-Za-z_]\w*\([\w., '-]*\)")


def scenario_text(data: Mapping[str, Any]) -> str:
    """The lines of one scenario; raises EditError for what can't be one."""
    name = " ".join(str(data.get("name") or "").split())
    covers = [str(c) for c in data.get("covers") or []]
    if not name or not covers:
        raise EditError("a scenario has a name and covers a clause at least")
    given = data.get("given")
    when, then = data.get("when") or [], data.get("then")
    if (
        not isinstance(given, dict)
        or not isinstance(when, list)
        or not isinstance(then, dict)
        or not then
    ):
        raise EditError("a scenario has a position, decisions and what is expected in the end")
    lines = [
        f"- scenario: {spell_text(name, flow=False)}",
        f"  covers: {spell(covers)}",
        f"  players: {int(data.get('players') or 2)}",
    ]
    if data.get("variants"):
        lines.append(f"  variants: {spell([str(v) for v in data['variants']])}")
    if given:
        lines.append("  given:")
        lines += [f"    {spell_text(str(k))}: {_spelled(v)}" for k, v in given.items()]
    call = str(data.get("call") or "").strip()
    if call:
        if not _CALL.fullmatch(call):
            raise EditError(f"{call!r} is no call: a procedure with arguments in brackets")
        lines.append(f"  call: {call}")
    if when:
        lines.append("  when:")
        lines += [f"    - {_spelled(step)}" for step in when]
    lines.append("  then:")
    lines += [f"    {spell_text(str(k))}: {_spelled(v)}" for k, v in then.items()]
    return "\n" + "\n".join(lines) + "\n"


def _spelled(value: Any) -> str:
    """Values with the numbers of seats as keys, which are texts in JSON."""
    return spell(value_in(value))
