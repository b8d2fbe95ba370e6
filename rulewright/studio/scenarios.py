"""A position, decisions and what is expected, from a page → the text of a scenario, and how far it gets in play."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.compiler.build import read_spec
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.conformance.attempt import NoScenario, Workshop
from rulewright.conformance.scenario import Ruleset
from rulewright.language.service import SHOWN
from rulewright.runtime.hashes import files_hash
from rulewright.studio.edits import EditError
from rulewright.studio.grid_operations import value_in
from rulewright.studio.yaml_spelling import spell, spell_text

SCENARIOS = "scenarios/studio.yaml"
_CALL = re.compile(r"[A-Za-z_]\w*\([\w., '-]*\)")


def scenario_text(data: Mapping[str, Any], clauses: bool) -> str:
    """The lines of one scenario; raises EditError for what can't be one. Where a game has `clauses`, it covers some."""
    name = " ".join(str(data.get("name") or "").split())
    covers = [str(c) for c in data.get("covers") or []]
    if not name:
        raise EditError("a scenario has a name")
    if clauses and not covers:
        raise EditError("a scenario covers a clause at least")
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
        *([f"  covers: {spell(covers)}"] if covers else []),
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
        lines += [f"    - {_step(step)}" for step in when]
    lines.append("  then:")
    lines += [f"    {spell_text(str(k))}: {_spelled(v)}" for k, v in then.items()]
    return "\n" + "\n".join(lines) + "\n"


def _step(step: Any) -> str:
    """A step of one key stands without braces."""
    if isinstance(step, dict) and len(step) == 1:
        ((key, value),) = step.items()
        return f"{spell_text(str(key), flow=False)}: {_spelled(value)}"
    return _spelled(step)


def _spelled(value: Any) -> str:
    """Values with the numbers of seats as keys, which are texts in JSON."""
    return spell(value_in(value))


# ---------------------------------------------------------------- tried out while it is written

_MOST_ENGINES = 4
_workshops: OrderedDict[tuple[str, str, Ruleset], Workshop] = OrderedDict()


def tried(root: Path, data: Mapping[str, Any]) -> dict[str, Any]:
    """In a process of its own: a scenario carried out as far as it is written, and what its position has to give."""
    try:
        players, variants = int(data["players"]), tuple(str(v) for v in data.get("variants") or ())
        shop = _workshop(root, Ruleset(players, variants))
        rules = shop.spec.folder.clauses
        base: dict[str, Any] = {
            "name": "a scenario", "covers": list(rules)[:1], "players": players, "variants": variants, "call": data.get("call"),
            "then": data.get("then") or {"gained": {}},
        }  # fmt: skip
        given = data.get("given")
        if not isinstance(given, Mapping):
            given = shop.given(data["position"], scenario_text({**base, "given": {}}, bool(rules)))
        text = scenario_text({**base, "given": given, "when": data.get("when") or []}, bool(rules))
        out = {"problem": "", "given": given, **shop.attempt(text)}
        out["clauses"] = [{"id": c, "rule": rules[c].rule} for c in out["clauses"] if c in rules]
        if data.get("first"):
            out["all_clauses"] = {name: clause.rule for name, clause in rules.items()}
        return out
    except SpecError as error:
        return {"problem": str(error).splitlines()[0]}
    except (EditError, NoScenario) as error:
        return {"problem": str(error)}


def _workshop(root: Path, ruleset: Ruleset) -> Workshop:
    """The engine for trying out; it is kept as long as the rules are the same."""
    key = (str(root), files_hash(root), ruleset)
    if key not in _workshops:
        _workshops[key] = Workshop.of(read_spec(root, SHOWN), ruleset)
        while len(_workshops) > _MOST_ENGINES:
            _workshops.popitem(last=False)
    _workshops.move_to_end(key)
    return _workshops[key]
