"""A pending decision and what a player asks about it → the clauses behind it, or what stands against an option."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rulewright.compiler.build import read_spec
from rulewright.play.words import cite_text, option_text, reason_text
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game

Json = dict[str, Any]


class Explainer:
    """Answers `?`."""

    def __init__(self, game: Game, folder: Path) -> None:
        self.game = game
        self.clauses: dict[str, Any] = dict(read_spec(folder, folder.name).folder.clauses)

    def pending(self, state: Any) -> Json:
        """What the engine says about the decision that is asked now."""
        found: Json = self.game.full.info["choices"][str(state.pc)]
        return found

    def explain(self, what: str, state: Any, seat: int) -> list[str]:
        """The lines of an answer: about the decision, about an option by its number, or about something by its name."""
        actions = list(state.legal_actions())
        if not what:
            return self._decision(state)
        if what.isascii() and what.isdigit() and 1 <= int(what) <= len(actions):
            return self._option(state, actions[int(what) - 1], seat)
        return self._why_not(what, state)

    def _decision(self, state: Any) -> list[str]:
        pending = self.pending(state)
        lines = self._cites(pending["cites"])
        for condition in pending["conditions"]:
            lines += self._reason(condition)
        return list(dict.fromkeys(lines)) or ["The rules cite no clause for this decision."]

    def _option(self, state: Any, action: int, seat: int) -> list[str]:
        pending = self.pending(state)
        cites = [*pending["cites"], *self._member_cites(pending, action, state)]
        return [f"{option_text(state, action, seat)}:", *self._cites(cites)]

    def _member_cites(self, pending: Json, action: int, state: Any) -> list[str]:
        """What the table says about the chosen member."""
        kind = self.game.info["kinds"].get(pending["element"].get("kind", ""))
        value = str(state.action_to_dict(action)["value"])
        if kind is None or value not in kind["members"]:
            return []
        return list(kind["cites"][kind["members"].index(value)])

    def _why_not(self, what: str, state: Any) -> list[str]:
        pending = self.pending(state)
        value = self._value(what, pending)
        try:
            reasons = state.why_not(pending["label"], value)
        except RulewrightError as error:
            return [str(error)]
        if not reasons:
            return [f"{what} is allowed; choose it by its number."]
        lines = [line for reason in reasons for line in self._reason(reason)]
        return [f"{value} is not possible now:", *dict.fromkeys(lines)]

    def _value(self, what: str, pending: Json) -> Any:
        """What is meant by the words typed: a value of the decision, however it is spelt, or by a beginning that only it has."""
        values = [self.game.full.option_name(pending, i) for i in range(pending["size"])]
        wanted = _spelt(what)
        exact = [v for v in values if _spelt(str(v)) == wanted]
        begun = [v for v in values if _spelt(str(v)).startswith(wanted)]
        found = exact or (begun if len(begun) == 1 else [])
        if found:
            return found[0]
        return int(what) if re.fullmatch(r"-?[0-9]{1,18}", what) else what

    def _reason(self, reason: Json) -> list[str]:
        return [f"  {line}" for line in reason_text(reason, self.clauses).splitlines()]

    def _cites(self, cites: list[str]) -> list[str]:
        return [f"  {cite_text(cite, self.clauses)}" for cite in dict.fromkeys(cites)]


def _spelt(text: str) -> str:
    return " ".join(re.split(r"[\W_]+", text.lower())).strip()
