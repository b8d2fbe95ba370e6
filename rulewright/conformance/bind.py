"""A scenario and the game of one ruleset → the scenario bound to it, or problems at the places in its file."""

from __future__ import annotations

import re
from typing import Any

from rulewright.compiler.read.yaml_nodes import (
    Node,
    YList,
    YMap,
    YScalar,
    as_bool,
    as_int,
    describe,
)
from rulewright.compiler.text.diagnostics import Problems, did_you_mean, listed, quoted
from rulewright.compiler.text.source import Span
from rulewright.conformance.bind_parts import PartReader
from rulewright.conformance.bound import (
    Bound,
    BoundDecide,
    BoundExpect,
    BoundRefuse,
    BoundStep,
    Check,
    Part,
)
from rulewright.conformance.mentions import members_named
from rulewright.conformance.read import plain
from rulewright.conformance.scenario import Chance, Decide, Expect, Fact, Refuse, Ruleset, Scenario
from rulewright.runtime.game import Game
from rulewright.runtime.info import ChoiceRow
from rulewright.runtime.values import Known

Json = dict[str, Any]

_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*", re.DOTALL)
NOBODY, CHANCE = -4, -1


def bind(
    scenario: Scenario, ruleset: Ruleset, game: Game | Known, problems: Problems
) -> Bound | None:
    own = Problems()
    binder = _Binder(scenario, game, own)
    given = () if scenario.given is None else binder.parts.read(scenario.given, "given")
    call = None if scenario.call is None else binder.call(scenario.call)
    steps: list[BoundStep] = [] if scenario.chance is None else [binder.chance(scenario.chance)]
    for step in scenario.steps:
        bound = binder.step(step)
        if bound is not None:
            steps.append(bound)
    for problem in own:
        problems.add(problem)
    if own.has_errors:
        return None
    named = set(binder.parts.values.named)
    for condition in scenario.conditions.values():
        named |= members_named(condition.tree, game.values)
    return Bound(scenario, ruleset, given, call, tuple(steps), frozenset(named))


class _Binder:
    def __init__(self, scenario: Scenario, game: Game | Known, problems: Problems) -> None:
        self.scenario = scenario
        self.game = game
        # of an engine, or as far as an outline knows it
        self.info: Any = game.info
        self.problems = problems
        self.parts = PartReader(game, problems)
        self.labels: dict[str, ChoiceRow] = {c["label"]: c for c in game.info["choices"].values()}

    # ------------------------------------------------------------ call and chance

    def call(self, node: YScalar) -> tuple[str, tuple[Any, ...]] | None:
        found = _CALL.fullmatch(node.text)
        if found is None:
            message = f"{quoted(node.text)} is not a call"
            self.problems.error("RW0504", node.span, message, expected="name(arguments)")
            return None
        name, inside = found.groups()
        procedures = self.info["procedures"]
        if name not in procedures:
            at = node.part(found.start(1), found.end(1))
            message = f"there is no procedure {quoted(name)}"
            self.problems.error("RW0501", at, message, hint=did_you_mean(name, procedures))
            return None
        types = procedures[name]
        texts = _arguments(inside, found.start(2))
        if len(texts) != len(types):
            message = f"{name} takes {len(types)} arguments, not {len(texts)}"
            self.problems.error("RW0626", node.span, message)
            return None
        values = []
        for t, (text, start) in zip(types, texts, strict=True):
            at = node.part(start, start + len(text))
            word = YScalar(text.strip("'"), "plain", at, node.source)
            values.append(self.parts.values.read(t, word, "an argument"))
        return name, tuple(values)

    def chance(self, step: Chance) -> Chance:
        """Which chance point comes is only known in play; here an outcome must fit one of the game's."""
        elements = {repr(c["element"]): c["element"] for c in self.info["chances"].values()}
        for node in step.outcomes:
            if not any(self.fits(e, node) for e in elements.values()):
                self.problems.error(
                    "RW0325", node.span, f"{quoted(node.text)} is no outcome of any roll or draw of the game",
                    hint=did_you_mean(node.text, self._members(list(elements.values()))),
                )  # fmt: skip
        return step

    def fits(self, t: Json, node: YScalar) -> bool:
        """Whether a word is a value of a roll, a draw or a decision."""
        if t["t"] == "kind":
            return node.text in self.game.values.index[t["kind"]]
        number = plain(node)
        return (
            isinstance(number, int)
            and not isinstance(number, bool)
            and t["low"] <= number <= t["high"]
        )

    def _members(self, types: list[Json]) -> list[str]:
        return [m for t in types if t["t"] == "kind" for m in self.game.values.names[t["kind"]]]

    # ------------------------------------------------------------ decisions

    def step(self, step: Decide | Refuse | Chance | Expect) -> BoundStep | None:
        match step:
            case Chance():
                return self.chance(step)
            case Decide():
                return self.decide(step)
            case Refuse(label, value, because, span):
                choice = self.choice(label)
                index = None if choice is None else self.option(choice, value)
                if choice is None or index is None:
                    return None
                return BoundRefuse(choice, index, tuple(b.text for b in because), span)
            case Expect(facts, span, final):
                checks = [self.check(f, facts) for f in facts]
                return BoundExpect(tuple(c for c in checks if c is not None), span, final)

    def decide(self, step: Decide) -> BoundDecide | None:
        joint = [c for label, c in self.labels.items() if label.startswith(f"{step.label.text}.")]
        if joint and step.label.text not in self.labels:
            choices = joint[: len(step.values)]
            if len(step.values) > len(joint):
                at = step.values[len(joint)].span
                message = f"{quoted(step.label.text)} is decided in {len(joint)} steps"
                self.problems.error("RW0313", at, message)
        else:
            found = self.choice(step.label)
            choices = [] if found is None else [found]
            if found is not None and len(step.values) != 1:
                message = f"{quoted(step.label.text)} takes one value, not {len(step.values)}"
                self.problems.error("RW0313", step.span, message)
        self.seat(step.by, step.span)
        picks: list[tuple[ChoiceRow, int]] = []
        for choice, value in zip(choices, step.values, strict=False):
            index = self.option(choice, value)
            if index is not None:
                picks.append((choice, index))
        return BoundDecide(tuple(picks), step.by, step.span) if picks else None

    def seat(self, seat: int | None, span: Span) -> None:
        if seat is not None and not 0 <= seat < self.info["players"]:
            message = f"there is no seat {seat}"
            self.problems.error("RW0325", span, message, expected=f"0..{self.info['players'] - 1}")

    def choice(self, label: YScalar) -> ChoiceRow | None:
        found = self.labels.get(label.text)
        if found is None:
            steps = [x for x in self.labels if x.startswith(f"{label.text}.")]
            self.problems.error(
                "RW0501", label.span, f"no decision is called {quoted(label.text)}",
                expected=listed(steps) if steps else None, hint=did_you_mean(label.text, self.labels),
            )  # fmt: skip
        return found

    def option(self, choice: ChoiceRow, node: YScalar) -> int | None:
        """The index of a value among the choice's options."""
        if choice["otherwise"] is not None and node.text == choice["otherwise"]:
            return int(choice["size"]) - 1
        t = choice["element"]
        if t["t"] == "kind" and choice["otherwise"] is not None:
            members = self.game.values.names[t["kind"]]
            if node.text not in members:
                words = [*members, choice["otherwise"]]
                self.problems.error(
                    "RW0325", node.span, f"{quoted(node.text)} is no value of {quoted(choice['label'])}",
                    expected=listed(words), hint=did_you_mean(node.text, words),
                )  # fmt: skip
                return None
        value = self.parts.values.read(t, node, f"the value of {quoted(choice['label'])}")
        return None if value is None else int(value) - self.game.values.low(t)

    # ------------------------------------------------------------ what is expected

    def check(self, fact: Fact, among: tuple[Fact, ...]) -> Check | None:
        node = fact.node
        match fact.key:
            case "state":
                return Check("state", fact.span, parts=self.parts.read(node, "state"))
            case "scores" | "gained" | "ranking":
                return Check(fact.key, fact.span, numbers=self.by_participant(node, fact.key))
            case "breakdown":
                return Check("breakdown", fact.span, reasons=self.breakdown(node))
            case "decides":
                return Check("decides", fact.span, value=self.decides(node))
            case "choice":
                return Check("choice", fact.span, value=self.label_expected(node))
            case "legal" | "legal has" | "legal lacks":
                return Check(fact.key, fact.span, options=self.options(node, among))
            case "odds":
                return self.odds(fact)
            case "holds":
                return Check("holds", fact.span, facts=self.holds(node))
            case "sees":
                seats: dict[int, tuple[Part, ...]] = {}
                player = self.parts.player
                for _, seat, inner in self.parts.values.entries(player, node, "sees"):
                    seats[seat] = self.parts.read(inner, "sees")
                return Check("sees", fact.span, seats=seats)
            case "hidden":
                hidden: dict[int, tuple[tuple[str, str | None, Span], ...]] = {}
                for _, seat, inner in self.parts.values.entries(self.parts.player, node, "hidden"):
                    hidden[seat] = self.parts.names(inner)
                return Check("hidden", fact.span, hidden=hidden)
            case "over":
                if self.scenario.call is not None:
                    self.problems.error(
                        "RW0313", fact.span, "with 'call' only what was called can be over, not the game",
                        hint="write 'decides: nobody'",
                    )  # fmt: skip
                return Check("over", fact.span, value=as_bool(node, self.problems, "'over'"))
            case _:
                pass
        raise AssertionError(fact.key)

    def by_participant(self, node: Node, what: str) -> dict[int, int]:
        out: dict[int, int] = {}
        for key, index, value in self.parts.values.entries(self.parts.participant, node, what):
            number = as_int(value, self.problems, f"{what}.{key}")
            if number is not None:
                out[index] = number
        return out

    def breakdown(self, node: Node) -> dict[int, dict[str, int]]:
        out: dict[int, dict[str, int]] = {}
        reasons = self.info["reasons"]
        for key, index, value in self.parts.values.entries(
            self.parts.participant, node, "breakdown"
        ):
            if not isinstance(value, YMap):
                message = f"breakdown.{key} must be a mapping, not {describe(value)}"
                self.problems.error("RW0135", value.span, message, expected="{reason: points}")
                continue
            row = out.setdefault(index, {})
            for reason, points in value.entries:
                if reason.text not in reasons:
                    self.problems.error(
                        "RW0501", reason.span, f"there is no reason {quoted(reason.text)}",
                        expected=listed(reasons), hint=did_you_mean(reason.text, reasons),
                    )  # fmt: skip
                number = as_int(points, self.problems, f"breakdown.{key}.{reason.text}")
                if number is not None:
                    row[reason.text] = number
        return out

    def decides(self, node: Node) -> int | None:
        if isinstance(node, YScalar) and node.text in ("nobody", "chance"):
            return NOBODY if node.text == "nobody" else CHANCE
        if isinstance(node, YScalar) and node.text.isdigit():
            seat = as_int(node, self.problems, "'decides'")
            self.seat(seat, node.span)
            return seat
        expected = "a seat, nobody or chance"
        message = f"'decides' must be {expected}, not {describe(node)}"
        self.problems.error("RW0313", node.span, message, expected=expected)
        return None

    def label_expected(self, node: Node) -> str | None:
        if not isinstance(node, YScalar):
            message = f"'choice' must be a label, not {describe(node)}"
            self.problems.error("RW0130", node.span, message)
            return None
        found = self.choice(node)
        return None if found is None else str(found["label"])

    def options(self, node: Node, among: tuple[Fact, ...]) -> tuple[YScalar, ...]:
        """Values that the pending decision can have; which one that is may only show in play."""
        if not isinstance(node, YList):
            message = f"this must be a list of values, not {describe(node)}"
            self.problems.error("RW0134", node.span, message)
            return ()
        if any(f.key == "decides" and _is_chance(f.node) for f in among):
            outcomes = [item for item in node.items if isinstance(item, YScalar)]
            return self.chance(Chance(tuple(outcomes), node.span)).outcomes
        named = [f.node for f in among if f.key == "choice" and isinstance(f.node, YScalar)]
        choices = [self.labels[n.text] for n in named if n.text in self.labels] or list(
            self.labels.values()
        )
        out: list[YScalar] = []
        for item in node.items:
            if not isinstance(item, YScalar):
                self.problems.error(
                    "RW0130", item.span, f"a value must be one word, not {describe(item)}"
                )
                continue
            if len(choices) == 1:
                self.option(choices[0], item)
            elif not any(self._is_option(c, item) for c in choices):
                words = self._members([c["element"] for c in choices])
                self.problems.error(
                    "RW0325", item.span, f"{quoted(item.text)} is no value of any decision",
                    hint=did_you_mean(item.text, words),
                )  # fmt: skip
            out.append(item)
        texts = [item.text for item in out]
        for i, item in enumerate(out):
            if item.text in texts[:i]:
                self.problems.error("RW0306", item.span, f"{quoted(item.text)} is written twice")
        return tuple(out)

    def odds(self, fact: Fact) -> Check | None:
        """Outcomes of the pending chance point, each with the number of ways in which it can come."""
        if not isinstance(fact.node, YMap):
            message = f"'odds' must be a mapping, not {describe(fact.node)}"
            self.problems.error("RW0135", fact.node.span, message, expected="{outcome: ways}")
            return None
        keys = tuple(key for key, _ in fact.node.entries)
        self.chance(Chance(keys, fact.span))
        ways = [as_int(n, self.problems, f"odds.{key.text}") for key, n in fact.node.entries]
        return Check("odds", fact.span, options=keys, ways=tuple(n or 0 for n in ways))

    def _is_option(self, choice: ChoiceRow, node: YScalar) -> bool:
        return node.text == choice["otherwise"] or self.fits(choice["element"], node)

    def holds(self, node: Node) -> tuple[tuple[str, str, Span], ...]:
        out = []
        for item in node.items if isinstance(node, YList) else [node]:
            condition = self.scenario.conditions.get(item.span)
            if condition is not None:
                out.append((condition.name, condition.text, condition.span))
        return tuple(out)


def _is_chance(node: Node) -> bool:
    return isinstance(node, YScalar) and node.text == "chance"


def _arguments(text: str, start: int) -> list[tuple[str, int]]:
    """The arguments of a call, each with where it begins."""
    if not text.strip():
        return []
    out = []
    for part in text.split(","):
        inset = len(part) - len(part.lstrip())
        out.append((part.strip(), start + inset))
        start += len(part) + 1
    return out
