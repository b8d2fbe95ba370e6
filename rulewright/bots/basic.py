"""The simplest bots: any action at random, and the one that looks best at once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random
from typing import Any

from rulewright.bots.base import Made
from rulewright.bots.judge import Evaluate, Judge
from rulewright.runtime import rng
from rulewright.runtime.view import View

# how many further decisions of its own a bot follows to see what an option brings about
_OWN_TURN = 24


class RandomBot(Made):
    """Takes any legal action, all alike."""

    blind = True

    def choose(self, view: View, seed: int) -> int:
        actions = view.legal_actions()
        return actions[rng.below(rng.from_seed(seed), len(actions))]


class WeightsBot(Made):
    """Takes actions in proportion to fixed weights."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.weights = list(weights)

    def choose(self, view: View, seed: int) -> int:
        actions = view.legal_actions()
        weights = [self.weights[a] for a in actions]
        if sum(weights) == 0:
            return actions[rng.below(rng.from_seed(seed), len(actions))]
        at = rng.below(rng.from_seed(seed), sum(weights))
        chosen = 0
        while at >= weights[chosen]:
            at -= weights[chosen]
            chosen += 1
        return actions[chosen]


class GreedyBot(Made):
    """Takes the option after which the position looks best.

    What is hidden is dealt at random a few times. When an option leads to more decisions of the same seat, these are
    taken at random until another seat is asked, and the average counts.
    """

    def __init__(
        self,
        game: Any,
        samples: int = 6,
        evaluate: Evaluate | None = None,
        weights: Sequence[int] = (),
    ) -> None:
        self.samples = samples
        self.judge = Judge(game, evaluate)
        # side by side, as engines in C want them
        self.weights = array("q", weights)

    def choose(self, view: View, seed: int) -> int:
        actions = view.legal_actions()
        if len(actions) == 1:
            return actions[0]
        random = Random(seed)
        module = view.game.module
        totals = [0.0] * len(actions)
        for _ in range(self.samples):
            dealt: Any = view.determinize(random.getrandbits(60))
            luck, x = dealt.rng, rng.from_seed(random.getrandbits(60))
            for i, action in enumerate(actions):
                state = dealt.clone()
                # every option meets the same luck
                state.rng = luck
                state.apply_action(action)
                module.playout_until(state, x, _OWN_TURN, view.seat, self.weights)
                totals[i] += self.judge.margins(state)[view.seat]
        best = max(totals)
        equal = [a for a, t in zip(actions, totals, strict=True) if t == best]
        return equal[random.randrange(len(equal))]
