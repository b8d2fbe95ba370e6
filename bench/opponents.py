"""A game → opponents that never change, so that what a later bot gains against them is a number.

They stand by themselves: nothing of the package's own bots is used, only a view, states and Python's generator. Their hashes are in `opponents.json`, and
a test holds them: whoever wants a better one adds it under a new name.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any

from rulewright.bots.base import Bot, BotError

_LONGEST = 100_000


class FixedRandom:
    """Any legal action."""

    def __init__(self, game: Any, argument: int) -> None:
        pass

    def choose(self, view: Any, seed: int) -> int:
        actions = view.legal_actions()
        return int(actions[Random(seed).randrange(len(actions))])


class FixedNear:
    """What brings most points at once, ahead of the best other seat; deals what is hidden so many times."""

    def __init__(self, game: Any, argument: int) -> None:
        self.deals = argument

    def choose(self, view: Any, seed: int) -> int:
        random = Random(seed)
        totals: dict[int, float] = {int(a): 0.0 for a in view.legal_actions()}
        for _ in range(self.deals):
            dealt = view.determinize(random.getrandbits(60))
            for action in totals:
                state = dealt.clone()
                state.apply_action(action)
                totals[action] += _lead(state.scores(), view.seat)
        best = max(totals.values())
        return random.choice([a for a, total in totals.items() if total == best])


def _lead(scores: Any, seat: int) -> float:
    return float(scores[seat] - max((s for i, s in enumerate(scores) if i != seat), default=0))


class FixedSearch:
    """Tree search over what its seat knows (information-set UCT): random games to the end, wins count, nothing else."""

    def __init__(self, game: Any, argument: int) -> None:
        self.iterations = argument

    def choose(self, view: Any, seed: int) -> int:
        actions = view.legal_actions()
        if len(actions) == 1:
            return int(actions[0])
        random = Random(seed)
        root = _Node()
        for _ in range(self.iterations):
            self._one(root, view.determinize(random.getrandbits(60)), random)
        return int(max(actions, key=lambda a: root.below[a].visits if a in root.below else -1))

    def _one(self, root: _Node, state: Any, random: Random) -> None:
        path: list[tuple[int, _Node]] = []
        node, steps = root, 0
        while not state.is_terminal() and steps < _LONGEST:
            seat, actions = state.current_player(), state.legal_actions()
            fresh = [a for a in actions if a not in node.below]
            if fresh:
                action = random.choice(fresh)
                node.below[action] = _Node()
            else:
                action = max(actions, key=lambda a: _bound(node.below[a], node.visits))
            node = node.below[action]
            path.append((seat, node))
            state.apply_action(action)
            steps += 1
            if fresh:
                break
        while not state.is_terminal() and steps < _LONGEST:
            actions = state.legal_actions()
            state.apply_action(actions[random.randrange(len(actions))])
            steps += 1
        wins = state.returns() if state.is_terminal() else None
        root.visits += 1
        for seat, passed in path:
            passed.visits += 1
            passed.total += 0.0 if wins is None else wins[seat]


class _Node:
    __slots__ = ("below", "total", "visits")

    def __init__(self) -> None:
        self.below: dict[int, _Node] = {}
        self.visits = 0
        self.total = 0.0


def _bound(node: _Node, visits: int) -> float:
    return node.total / node.visits + sqrt(2 * log(max(1, visits)) / node.visits)


# name, class, the argument where none is given, the largest one
_FIXED: dict[str, tuple[Any, int, int]] = {
    "fixed-random": (FixedRandom, 0, 0),
    "fixed-near": (FixedNear, 4, 10_000),
    "fixed-search": (FixedSearch, 100, 10_000_000),
}
NAMES = tuple(_FIXED)


def make_fixed(name: str, argument: str, game: Any) -> Bot:
    """A fixed opponent by its name and what stands after the colon."""
    if name not in _FIXED:
        raise BotError(f"there is no bot {name!r} (there are {', '.join(_FIXED)})")
    kind, default, most = _FIXED[name]
    if argument and (not argument.isdigit() or len(argument) > 8 or not 1 <= int(argument) <= most):
        what = f"a whole number from 1 to {most}" if most else "not used"
        raise BotError(f"{name}:{argument}: the argument is {what}")
    bot: Bot = kind(game, int(argument or default))
    return bot
