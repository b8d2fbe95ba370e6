"""One game played in two engines at once: the same options at every turn, the same end, the same results."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import rulewright
from rulewright.engines import EXAMPLES, make_native

# by what our decision and its value are called, what the peer calls the same action; "" where it has none
Spoken = Callable[[Any, list[tuple[str, Any]]], str]


@cache
def example(name: str) -> Any:
    if os.environ.get("PEER_NATIVE"):
        make_native(str(EXAMPLES / name), 2)
        return rulewright.load(str(EXAMPLES / name), players=2, native=True)
    return rulewright.compile(str(EXAMPLES / name), players=2)


def turns(state: Any) -> dict[tuple[Any, ...], list[int]]:
    """Whole turns: the values of the decisions of one joint choice, with the actions that make it."""
    found: dict[tuple[Any, ...], list[int]] = {}

    def follow(now: Any, values: tuple[Any, ...], actions: list[int]) -> None:
        for action in now.legal_actions():
            told = now.action_to_dict(action)
            then = now.clone()
            then.apply_action(action)
            whole = (*values, told["value"])
            if then.current_player() == now.current_player() and goes_on(told["choice"], then):
                follow(then, whole, [*actions, action])
            else:
                found[whole] = [*actions, action]

    def goes_on(before: str, then: Any) -> bool:
        """Whether the next decision is a further step of the same turn."""
        next_ = then.action_to_dict(then.legal_actions()[0])["choice"]
        joint = before.partition(".")[0] == next_.partition(".")[0] and not next_.endswith(".a")
        return ("." in next_ and joint) or next_ in ("promote_to", "goal")

    follow(state, (), [])
    return found


def replay(
    name: str, peer: Any, words: Callable[[tuple[Any, ...]], str], luck: random.Random
) -> int:
    """One random game in both; how many turns it had."""
    ours = example(name).new_initial_state(seed=0, ask_forced=True)
    theirs = peer.new_initial_state()
    count = 0
    while not theirs.is_terminal():
        legal = {
            theirs.action_to_string(theirs.current_player(), a): a for a in theirs.legal_actions()
        }
        if list(legal) == ["pass"]:
            theirs.apply_action(legal["pass"])
            continue
        assert not ours.is_terminal(), f"{name}: over too early after {count} turns"
        mine = {words(values): actions for values, actions in turns(ours).items()}
        named = {word.rstrip("*"): action for word, action in legal.items()}
        assert mine.keys() == named.keys(), f"{name}, turn {count}"
        assert ours.current_player() == theirs.current_player()
        word = luck.choice(sorted(mine))
        for action in mine[word]:
            ours.apply_action(action)
        theirs.apply_action(named[word])
        count += 1
    assert ours.is_terminal(), f"{name}: not over after {count} turns"
    assert result(ours.returns()) == result(theirs.returns()), f"{name}: {ours.scores()}"
    return count


def result(returns: Any) -> int:
    """Who has won: 1 the first, -1 the second, 0 nobody."""
    first, second = returns[0], returns[1]
    return (first > second) - (first < second)
