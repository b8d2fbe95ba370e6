"""A bound scenario → whether it holds: the position set up, decisions made, chance fixed, facts compared."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rulewright.compiler.read.yaml_nodes import YScalar
from rulewright.conformance.bind import CHANCE
from rulewright.conformance.bound import Bound, BoundDecide, BoundExpect, BoundRefuse
from rulewright.conformance.compare_facts import Mismatch, Start, compare
from rulewright.conformance.position import set_position
from rulewright.conformance.scenario import Chance
from rulewright.conformance.show import flow
from rulewright.runtime import api
from rulewright.runtime.errors import IN_PLAY, RulewrightError, too_many_steps
from rulewright.runtime.game import Game
from rulewright.runtime.state import full_flavour
from rulewright.runtime.support import STEPS

SEED = 1


# beside what may go wrong in play: what a position that play never reaches can lead to
_BROKEN = (
    *IN_PLAY,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
)


class Hits(list[int]):
    """Counts of what ran or was asked about; remembers what ran last."""

    def __init__(self, size: int, asked: list[int]) -> None:
        super().__init__([0] * size)
        self.asked = frozenset(asked)
        self.last = -1

    def __setitem__(self, index: Any, value: Any) -> None:
        if index not in self.asked:
            self.last = index
        super().__setitem__(index, value)


@dataclass(slots=True)
class Result:
    """How one scenario went under one ruleset."""

    bound: Bound
    mismatches: list[Mismatch] = field(default_factory=list)
    last: list[Any] | None = None
    hits: list[int] = field(default_factory=list)
    # members of kinds that were named, chosen or drawn, as (kind, number)
    met: set[tuple[str, int]] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        return not self.mismatches


class _Failed(Exception):
    """The scenario can't go on."""

    def __init__(self, mismatch: Mismatch) -> None:
        super().__init__(mismatch.expected)
        self.mismatch = mismatch


def run(bound: Bound, game: Game) -> Result:
    return follow(bound, game)[0]


def follow(bound: Bound, game: Game) -> tuple[Result, Runner]:
    """How it went, and the runner as it stands at the end."""
    runner = Runner(bound, game)
    result = Result(bound)
    at = bound.scenario.span
    try:
        try:
            runner.begin()
            for step in bound.steps:
                at = step.span
                result.mismatches += runner.step(step)
                if result.mismatches:
                    break
            else:
                at = bound.scenario.span
                runner.finish()
        except _BROKEN as error:
            raise _Failed(
                Mismatch(at, "the rules can be carried out", _told(error, game))
            ) from error
    except _Failed as failed:
        result.mismatches.append(failed.mismatch)
    hits = runner.hits
    result.hits = list(hits)
    result.last = game.info["hits"][hits.last] if hits.last >= 0 else None
    result.met = runner.met | bound.named
    return result, runner


def _told(error: Exception, game: Game) -> str:
    if isinstance(error, IN_PLAY):
        return str(game.located(error))
    return f"the engine broke: {type(error).__name__}: {error}"


class Runner:
    """A state on its way through the steps of a scenario."""

    def __init__(self, bound: Bound, game: Game) -> None:
        self.bound = bound
        self.game = game
        self.module = game.module
        self.state = full_flavour(self.module.new_state(SEED))
        self.state.explicit = True
        self.state.asks_all = True  # a scenario may look at decisions that play takes by itself
        self.hits = Hits(len(game.info["hits"]), game.info["asked"])
        self.state.hits = self.hits
        self.outcomes: deque[YScalar] = deque()
        self.met: set[tuple[str, int]] = set()
        self.start = Start([], [])
        # what chance gave without being told to since the position was set, in words
        self.sampled: list[Any] = []

    # ------------------------------------------------------------ beginning and end

    def begin(self) -> None:
        self.set_up()
        if self.bound.call is not None:
            self.enter(*self.bound.call)
        elif self.bound.given:
            self.module.follow(self.state, self.module.reopen(self.state))

    def set_up(self) -> None:
        """The position from which the scenario goes on."""
        s = self.state
        call = self.bound.call
        steps = self.bound.steps
        if call is None:
            self.module.begin(s)
            if not (steps and isinstance(steps[0], Chance) and steps[0].outcomes):
                self.sample_on()
        elif self.game.info["procedures"].get("setup") == []:
            self.enter("setup", ())
            self.sample_on()
        self.place()
        self.start = Start(list(s.score), api.score_breakdown(self.game, s))
        self.sampled.clear()

    def place(self) -> None:
        """Set the position. One that already breaks an invariant is meant so: then none is checked."""
        set_position(self.game, self.state, self.bound.given)
        if self.bound.given and self.module.broken(self.state) >= 0:
            self.state.checked = False

    def enter(self, name: str, args: tuple[Any, ...]) -> None:
        pc = self.module.call(self.state, name, list(args))
        if pc == 0 and self.state.pc == 0:
            return
        self.module.follow(self.state, pc)

    def finish(self) -> None:
        self.take_outcomes()
        if self.outcomes:
            left = flow([o.text for o in self.outcomes])
            at = self.outcomes[0].span
            raise _Failed(Mismatch(at, "every outcome of chance is used", f"{left} left over"))

    # ------------------------------------------------------------ chance

    def sample_on(self) -> None:
        for step in count():
            if self.state.who != CHANCE:
                break
            if step >= STEPS:
                raise too_many_steps(-1 - self.state.pc)
            outcome = api.sample(self.state)
            element = self.game.info["chances"][str(self.state.pc)]["element"]
            value = outcome + self.game.values.low(element)
            self.meet(element, value)
            self.sampled.append(self.game.values.show(element, value))
            self.state.apply_action(outcome)

    def take_outcomes(self) -> None:
        while self.state.who == CHANCE and self.outcomes:
            node = self.outcomes.popleft()
            chance = self.game.info["chances"][str(self.state.pc)]
            element = chance["element"]
            low = self.game.values.low(element)
            value: object = (
                int(node.text) if element["t"] == "int" and _is_int(node.text) else node.text
            )
            try:
                outcome = self.game.values.read(element, value) - low
            except RulewrightError:
                outcome = -1
            if outcome < 0 or not self.state.opts >> outcome & 1:
                possible = [
                    self.game.values.show(element, o + low) for o, _ in self.state.chance_outcomes()
                ]
                raise _Failed(
                    Mismatch(
                        node.span,
                        f"chance gives {node.text}",
                        f"a {chance['what']} of {flow(possible)}",
                    )
                )
            self.meet(element, outcome + low)
            self.state.apply_action(outcome)

    def settle(self, *, stop_at_chance: bool = False) -> None:
        self.take_outcomes()
        if not stop_at_chance:
            self.sample_on()

    def meet(self, element: dict[str, Any], value: int) -> None:
        # the word after `or` has a number past the last member
        if element["t"] == "kind" and value < element["size"]:
            self.met.add((element["kind"], value))

    # ------------------------------------------------------------ steps

    def step(self, step: BoundDecide | BoundRefuse | BoundExpect | Chance) -> list[Mismatch]:
        match step:
            case Chance(outcomes):
                self.outcomes.extend(outcomes)
            case BoundDecide():
                self.decide(step)
            case BoundRefuse():
                self.settle()
                return self.refuse(step)
            case BoundExpect(checks):
                at_chance = any(
                    c.key == "odds" or (c.key == "decides" and c.value == CHANCE) for c in checks
                )
                self.settle(stop_at_chance=at_chance)
                last = self.hits.last
                found = compare(self.game, self.state, self.start, checks)
                # working out what is expected is no part of the story
                self.hits.last = last
                if self.state.pc:
                    pc, info = str(self.state.pc), self.game.info
                    at_chance = self.state.who == CHANCE
                    element = (
                        info["chances"][pc]["element"]
                        if at_chance
                        else info["choices"][pc]["element"]
                    )
                    index = self.game.values.index.get(element.get("kind", ""), {})
                    words = [o.text for c in checks for o in c.options]
                    self.met |= {(element["kind"], index[w]) for w in words if w in index}
                return found
        return []

    def pending(self) -> str:
        s = self.state
        if s.pc == 0:
            return "nobody decides" if self.bound.call is not None else "the game is over"
        return f"seat {s.who} decides {self.game.info['choices'][str(s.pc)]['label']}"

    def decide(self, step: BoundDecide) -> None:
        for choice, index in step.picks:
            self.settle()
            s = self.state
            label, name = choice["label"], self.game.option_name(choice, index)
            here = s.pc and self.game.info["choices"][str(s.pc)]["label"] == label
            who = "" if step.by is None else f"seat {step.by} "
            if not here or (step.by is not None and s.who != step.by):
                raise _Failed(Mismatch(step.span, f"{who}decides {label}".strip(), self.pending()))
            if not s.opts >> index & 1:
                came = f"not legal: {self.reasons(label, name)}; legal is {self.legal()}"
                raise _Failed(Mismatch(step.span, f"{label}: {name}", came))
            self.meet(choice["element"], index + self.game.values.low(choice["element"]))
            self.state.apply_action(self.game.module.OFFSET[s.pc] + index)

    def legal(self) -> str:
        s = self.state
        choice = self.game.info["choices"][str(s.pc)]
        return flow(
            [self.game.option_name(choice, i) for i in range(choice["size"]) if s.opts >> i & 1]
        )

    def reasons(self, label: str, name: object) -> str:
        found = api.why_not(self.game, self.state, label, name)
        texts = [r["text"] + (f" ({', '.join(r['cites'])})" if r["cites"] else "") for r in found]
        return "; ".join(texts)

    def refuse(self, step: BoundRefuse) -> list[Mismatch]:
        s = self.state
        label, name = step.choice["label"], self.game.option_name(step.choice, step.index)
        wanted = f"{label}: {name} is refused"
        if step.because:
            wanted += f" because of {', '.join(step.because)}"
        if not s.pc or self.game.info["choices"][str(s.pc)]["label"] != label:
            return [Mismatch(step.span, wanted, self.pending())]
        self.meet(step.choice["element"], step.index + self.game.values.low(step.choice["element"]))
        reasons = api.why_not(self.game, s, label, name)
        if not reasons:
            return [Mismatch(step.span, wanted, "it is legal")]
        cites = {c for r in reasons for c in r["cites"]}
        if any(b not in cites for b in step.because):
            return [Mismatch(step.span, wanted, f"refused: {self.reasons(label, name)}")]
        return []


def _is_int(text: str) -> bool:
    return text.lstrip("-").isdigit()
