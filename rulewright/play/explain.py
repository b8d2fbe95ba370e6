"""A pending decision and what a player asks about it → the clauses behind it, or what stands against an option."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rulewright.compiler.build import read_spec
from rulewright.play.changed import changed_clauses
from rulewright.play.options import spelt
from rulewright.play.player_words import cite_text, option_text, reason_text
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game
from rulewright.runtime.info import ChoiceRow
from rulewright.scene.view_names import Names
from rulewright.scene.view_words import PEOPLE, plain

Json = dict[str, Any]
Answer = Callable[[], list[str]]
# so many names are told where words may mean several things
_MOST = 8
# columns for drawing, which tell a player nothing
_PICTURE = ("text", "at")


class Explainer:
    """Answers `?`."""

    def __init__(self, game: Game, folder: Path) -> None:
        self.game = game
        self.clauses: dict[str, Any] = dict(read_spec(folder, folder.name).folder.clauses)
        self.names = Names.of(folder, game)
        self.changed = changed_clauses(folder, game.info)

    def pending(self, state: Any) -> ChoiceRow:
        """What the engine says about the decision that is asked now."""
        found = self.game.full.info["choices"][str(state.pc)]
        return found

    def explain(self, what: str, state: Any, seat: int, listed: int | None = None) -> list[str]:
        """The lines of an answer: about the decision, about an option by its number, or about something by its name.

        Where so many options are listed as are no actions by themselves, numbers are answered by `option`.
        """
        actions = list(state.legal_actions()) if listed is None else []
        if not what:
            return self._decision(state)
        if what.isascii() and what.isdigit() and 1 <= int(what) <= len(actions):
            action = actions[int(what) - 1]
            return self.option(state, action, option_text(state, action, seat))
        number = what.isascii() and what.isdigit()
        if self._is_value(what, state) or (number and self.pending(state)["element"]["t"] == "int"):
            return self._why_not(what, state)
        if number:
            return [f"There is no option {what}: they go from 1 to {listed or len(actions)}."]
        return self._anything(what) or self._why_not(what, state)

    def option(self, state: Any, action: int, heading: str, brings: str = "") -> list[str]:
        """What an option stands for, under a heading: what it brings, what this ruleset's own table says, and the clauses behind it."""
        pending = self.pending(state)
        cites = [*pending["cites"], *self._member_cites(pending, action)]
        told = [f"  brings: {brings}"] if brings else []
        return [f"{heading}:", *told, *self._cells(pending, action), *self._cites(cites)]

    def _is_value(self, what: str, state: Any) -> bool:
        pending = self.pending(state)
        return self._value(what, pending) in [value for value, _ in self._values(pending)]

    # ------------------------------------------------------------ whatever has a name in the spec

    def _anything(self, what: str) -> list[str]:
        """Rows, rules and clauses with this name; else the one whose name begins so; else nothing."""
        named = [*self._rows(), *self._rules(), *self._clauses()]
        wanted = spelt(what)
        found = [answer for name, answer in named if wanted and spelt(name) == wanted]
        if not found and wanted:
            begun = [(name, answer) for name, answer in named if spelt(name).startswith(wanted)]
            if len({name for name, _ in begun}) == 1:
                found = [answer for _, answer in begun]
            elif begun:
                few = list(dict.fromkeys(name for name, _ in begun))
                rest = f" and {len(few) - _MOST} more" if len(few) > _MOST else ""
                return [f"That may be {', '.join(few[:_MOST])}{rest}."]
        return list(dict.fromkeys(line for answer in found for line in answer()))

    def _rows(self) -> Iterator[tuple[str, Answer]]:
        for kind, of in self.game.info["kinds"].items():
            if kind not in PEOPLE:
                for i, member in enumerate(of["members"]):
                    yield member, partial(self._row, kind, i)

    def _row(self, kind: str, index: int) -> list[str]:
        of = self.game.info["kinds"][kind]
        cites = of["cites"][index] if index < len(of["cites"]) else []
        told = [*self._cells_of(kind, index), *self._cites(list(cites))]
        return [f"{plain(of['members'][index])} ({kind}):", *told] if told else []

    def _rules(self) -> Iterator[tuple[str, Answer]]:
        core = self.names.core
        rules = [] if core is None else [(p.name, p.cites, p.span) for p in core.procedures]
        rules += [] if core is None else [(f.name, f.cites, f.span) for f in core.functions]
        for name, cites, span in rules:
            yield name, partial(self._rule, name, list(cites), span)
        for choice in self.game.full.info["choices"].values():
            yield choice["label"], partial(self._choice, choice)

    def _rule(self, name: str, cites: list[str], span: Any) -> list[str]:
        return [f"{plain(name)} (a rule, {span.file}:{span.line}):", *self._cites(cites)]

    def _choice(self, choice: ChoiceRow) -> list[str]:
        lines = self._cites(choice["cites"])
        for condition in choice["conditions"]:
            lines += self._reason(condition)
        return [f"{plain(choice['label'])} (a decision):", *lines]

    def _clauses(self) -> Iterator[tuple[str, Answer]]:
        for cite in self.clauses:
            yield cite, partial(self._cites, [cite])

    # ------------------------------------------------------------ the decision and its options

    def _decision(self, state: Any) -> list[str]:
        pending = self.pending(state)
        lines = self._cites(pending["cites"])
        for condition in pending["conditions"]:
            lines += self._reason(condition)
        return list(dict.fromkeys(lines)) or ["The rules cite no clause for this decision."]

    def _member(self, pending: ChoiceRow, action: int) -> tuple[str, int] | None:
        """The kind and the number of the member that an option stands for; None for a number or the word after `or`."""
        kind, index = pending["element"].get("kind"), action - pending["offset"]
        row = self.game.info["kinds"].get(str(kind))
        return (str(kind), index) if row is not None and index < len(row["members"]) else None

    def _cells(self, pending: ChoiceRow, action: int) -> list[str]:
        """What this ruleset's own table says about the member: that holds, whatever a clause says."""
        found = self._member(pending, action)
        return [] if found is None else self._cells_of(*found)

    def _cells_of(self, kind: str, index: int) -> list[str]:
        shown = []
        for column in self.names.columns(kind):
            value = self.names.told_cell(kind, index, column)
            if column not in _PICTURE and value not in (None, "", []):
                words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
                shown.append(f"{plain(column)} {plain(words)}")
        return [f"  here: {'; '.join(shown)}"] if shown else []

    def _member_cites(self, pending: ChoiceRow, action: int) -> list[str]:
        """The clauses of the row that an option stands for."""
        found = self._member(pending, action)
        if found is None:
            return []
        cites = self.game.info["kinds"][found[0]]["cites"]
        return list(cites[found[1]]) if found[1] < len(cites) else []

    def _why_not(self, what: str, state: Any) -> list[str]:
        pending = self.pending(state)
        value = self._value(what, pending)
        called = dict(self._values(pending)).get(value, value)
        try:
            reasons = state.why_not(pending["label"], value)
        except RulewrightError as error:
            return [str(error)]
        if not reasons:
            return [f"{called} is allowed; choose it by its number."]
        lines = [line for reason in reasons for line in self._reason(reason)]
        return [f"{called} is not possible now:", *dict.fromkeys(lines)]

    def _values(self, pending: ChoiceRow) -> list[tuple[Any, str]]:
        """What the decision may ever offer, with what players call it."""
        kind = str(pending["element"].get("kind"))
        values = [self.game.full.option_name(pending, i) for i in range(pending["size"])]
        row = self.game.info["kinds"].get(kind)
        texts = {} if row is None else dict(zip(row["members"], row["texts"], strict=True))
        return [(v, texts.get(str(v), str(v)) if kind in PEOPLE else str(v)) for v in values]

    def _value(self, what: str, pending: ChoiceRow) -> Any:
        """What is meant by the words typed: a value of the decision, however it is spelt, or by a beginning that only it has."""
        values = [(value, spelt(called)) for value, called in self._values(pending)]
        wanted = spelt(what)
        exact = [v for v, called in values if called == wanted]
        begun = [v for v, called in values if called.startswith(wanted)]
        found = exact or (begun if len(begun) == 1 else [])
        if found:
            return found[0]
        return int(what) if re.fullmatch(r"-?[0-9]{1,18}", what) else what

    def _reason(self, reason: Mapping[str, Any]) -> list[str]:
        return [
            f"  {line}" for line in reason_text(reason, self.clauses, self.changed).splitlines()
        ]

    def _cites(self, cites: list[str]) -> list[str]:
        told = (cite_text(cite, self.clauses, self.changed) for cite in dict.fromkeys(cites))
        return [f"  {line}" for text in told for line in text.splitlines()]
