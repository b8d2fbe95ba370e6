"""Choices of several at once: each whole choice that the rules allow can be made, in one way, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulewright

GAMES = Path(__file__).parent / "games"
SKETCH = GAMES / "sketches" / "several"
WORTH = {"fish": 1, "salt": 2, "silk": 4, "gold": 5}
GAME = rulewright.compile(SKETCH, players=2)
Whole = tuple[Any, ...]


def label_of(state: Any) -> str:
    return "" if state.is_terminal() else str(state.pending()["choice"]).partition(".")[0]


def wholes(state: Any, label: str) -> list[Whole]:
    """All ways through the steps of a choice, by the values chosen."""
    if label_of(state) != label:
        return [()]
    found: list[Whole] = []
    actions = state.legal_actions()
    assert actions, "a dead end"
    for action in actions:
        value = state.action_to_dict(action)["value"]
        then = state.clone()
        then.apply_action(action)
        if value in ("done", "enough"):
            assert label_of(then) != label
            found.append(())
        else:
            # the choice of the next player has the same label
            same = not then.is_terminal() and then.current_player() == state.current_player()
            found += [(value, *rest) for rest in (wholes(then, label) if same else [()])]
    return found


def at(label: str, seed: int) -> Any:
    state = GAME.full.new_initial_state(seed=seed, ask_forced=True)
    while label_of(state) != label:
        state.apply_action(state.legal_actions()[seed % len(state.legal_actions())])
    return state


def hand(state: Any) -> list[str]:
    seat = state.current_player()
    zone = state.view(seat).data["zones"]["hand"][str(seat)]
    return [kind for kind in WORTH for _ in range(zone.get(kind, 0))]


def some(items: list[Any], least: int, most: int, fits: Callable[[Whole], bool]) -> list[Whole]:
    every = (c for n in range(least, most + 1) for c in combinations(items, n))
    return sorted({c for c in every if fits(c)})


def worth(goods: Whole) -> int:
    return sum(WORTH[x] for x in goods)


@pytest.mark.parametrize("seed", range(6))
def test_every_whole_choice_once(seed: int) -> None:
    state = at("discard", seed)
    assert sorted(wholes(state, "discard")) == some(hand(state), 2, 2, lambda c: True)
    state = at("raise", seed)
    assert sorted(wholes(state, "raise")) == some(list(WORTH), 0, 2, lambda c: True)
    state = at("pay_up", seed)
    fitting = some(hand(state), 0, 3, lambda c: not c or 5 <= worth(c) <= 9)
    assert sorted(wholes(state, "pay_up")) == fitting
    state = at("dice", seed)
    assert sorted(wholes(state, "dice")) == some(list(range(1, 7)), 1, 3, lambda c: sum(c) == 6)


def test_the_story_tells_it_once() -> None:
    state = at("discard", 1)
    first, second = state.clone(), None
    first.apply_action(first.legal_actions()[0])
    assert label_of(first) == "discard"
    second = first.clone()
    words = second.action_to_string(second.legal_actions()[0])
    assert words.startswith("discards ") and ", " in words


def test_why_the_word_is_not_offered_yet() -> None:
    state = at("pay_up", 1)
    cheap = next(
        a
        for a in state.legal_actions()
        if state.action_to_dict(a)["value"] in ("fish", "salt", "silk")
    )
    state.apply_action(cheap)
    assert "done" not in [o["value"] for o in state.pending()["options"]]
    reasons = state.why_not(state.pending()["choice"], "done")
    assert any("enough" in str(reason) for reason in reasons)


PAID = rulewright.compile(GAMES / "sketches" / "payments", players=2)
COINS = {"penny": 1, "groat": 3, "crown": 5}


def test_many_out_of_many() -> None:
    """Seven of thirteen cards: where only the number counts, none is looked for by trying."""
    state = PAID.new_initial_state(seed=3)
    seat = state.current_player()
    held = sorted(state.view(seat).data["zones"]["hand"][str(seat)])
    found = wholes(state, "pass_on")
    assert len(held) == 13 and len(found) == comb(13, 7) == len(set(found))
    assert {tuple(sorted(whole)) for whole in found} == set(combinations(held, 7))


@pytest.mark.parametrize("seed", range(4))
def test_what_cannot_be_paid_is_not_offered(seed: int) -> None:
    """`possible(…)` of a choice of none or more: whether what fits can be chosen at all."""
    state = PAID.new_initial_state(seed=seed, ask_forced=True)
    luck, paid = Random(seed), 0
    while not state.is_terminal():
        if label_of(state) == "price":
            seat = state.current_player()
            data = state.view(seat).data
            lying = data["zones"]["purse"][str(seat)]
            purse = [coin for coin in COINS for _ in range(lying.get(coin, 0))]
            every = (c for n in range(len(purse) + 1) for c in combinations(purse, n))
            sums = {sum(COINS[coin] for coin in c) for c in every} if purse else {3}
            offered = {state.action_to_dict(a)["value"] for a in state.legal_actions()}
            assert offered == {n for n in sums if 3 <= n <= 12} - set(data["state"]["sold"])
            price = luck.choice(sorted(offered))
            state.apply_action(state.action_from_dict({"choice": "price", "value": price}))
            ways = wholes(state, "pay")
            every_way = some(purse, 0, 12, lambda c: True)
            fitting = [c for c in every_way if sum(COINS[x] for x in c) == price]
            assert sorted(ways) == (fitting if purse else [()])
            paid += 1
            continue
        state.apply_action(luck.choice(state.legal_actions()))
    assert paid


RANKS = {"ace": 1, "five": 5, "six": 6, "king": 9}


def secret(name: str, label: str, seed: int) -> Any:
    state = rulewright.compile(GAMES / "secret" / name, players=2).new_initial_state(seed=seed)
    while label_of(state) != label:
        state.apply_action(state.legal_actions()[seed % len(state.legal_actions())])
    return state


def ways(state: Any, label: str) -> Iterator[tuple[Whole, Any]]:
    """All ways through the steps of a choice, with the position each ends in; what the other seat sees on the way is one thing."""
    seat = state.current_player()
    level = [((), state)]
    while level and label_of(level[0][1]) == label and level[0][1].current_player() == seat:
        below = []
        for chosen, before in level:
            assert label_of(before) == label and before.current_player() == seat
            for action in before.legal_actions():
                then = before.clone()
                then.apply_action(action)
                below.append(((*chosen, before.action_to_dict(action)["value"]), then))
        level = below
        if label_of(level[0][1]) == label and level[0][1].current_player() == seat:
            assert len({str(then.view(1 - seat).data) for _, then in level}) == 1
    yield from level


def cards(state: Any) -> list[str]:
    seat = state.current_player()
    zone = state.view(seat).data["zones"]["hand"][str(seat)]
    return [kind for kind in RANKS for _ in range(zone.get(kind, 0))]


@pytest.mark.parametrize("seed", range(6))
def test_in_secret_as_many_steps_are_asked_whatever_is_chosen(seed: int) -> None:
    state = secret("bundled", "lay", seed)
    held = cards(state)
    found = [chosen for chosen, _ in ways(state, "lay")]
    assert {len(chosen) for chosen in found} == {2}
    wholes = sorted(tuple(x for x in chosen if x != "enough") for chosen in found)
    assert wholes == some(held, 0, 2, lambda c: sum(RANKS[x] for x in c) <= 10)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_in_secret_shows_the_others_nothing(seed: int) -> None:
    state = secret("kept", "name_some", seed)
    held, seat = cards(state), state.current_player()
    found = list(ways(state, "name_some"))
    wholes = sorted(tuple(x for x in chosen if x != "enough") for chosen, _ in found)
    assert wholes == some(held, 0, 3, lambda c: not c or sum(RANKS[x] for x in c) >= 6)
    assert len({str(then.view(1 - seat).data) for _, then in found}) == 1
    for chosen, then in found:
        kept = then.view(seat).data["state"]["named"][str(seat)]
        assert [kept[str(i)] for i in (1, 2, 3)] == [None if x == "enough" else x for x in chosen]
