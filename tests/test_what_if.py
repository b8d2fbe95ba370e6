"""after(move(…): value): as if the move had been made, told by making it in a copy; and nothing is changed by asking."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.runtime.errors import EngineError
from rulewright.runtime.game import Game

SPEC = Path(__file__).parent / "micro" / "tries"
WORTH = {"rope": 1, "lamp": 3, "book": 2}
USE = {"rope": 2, "lamp": -1, "book": 2}


@pytest.fixture(scope="module", params=[2, 3])
def game(request: pytest.FixtureRequest) -> Game:
    return rulewright.compile(str(SPEC), players=request.param)


def expected(state: Any, choice: str) -> set[str] | None:
    """The options that there should be, by what is so once the move is made; None of choices without after(…)."""
    data, me = state.to_dict(), str(state.current_player())
    coins, store = data["state"]["coins"][me], data["zones"]["store"]
    if choice == "take_thing":
        return {t for t in store if 2 <= coins + 3 - WORTH[t] <= 9 and store[t]}
    if choice == "post":
        # one guard more, and one place more that was not the own one
        mine = data["state"]["owned"][me]
        return {s for s, n in data["zones"]["camp"][me].items() if n and s not in mine}
    if choice == "queue_up":
        box = data["zones"]["box"]
        return {k for k, n in box.items() if n and 6 - sum(box.values()) < 4}
    if choice == "apply":
        good = coins + state.scores()[int(me)]
        return {t for t in USE if 1 <= coins <= 18 and good + USE[t] > 4}
    return None


@pytest.mark.parametrize("full", [False, True], ids=["fast", "full"])
@pytest.mark.parametrize("seed", range(5))
def test_options_are_those_after_which_the_condition_holds(
    game: Game, full: bool, seed: int
) -> None:
    state = (game.full if full else game).new_initial_state(seed=seed, ask_forced=True)
    luck, seen = random.Random(seed), set()
    while not state.is_terminal():
        before = state.to_dict()
        told = [state.action_to_dict(a) for a in state.legal_actions()]
        choice = told[0]["choice"]
        wanted = expected(state, choice)
        if wanted is not None:
            seen.add(choice)
            assert {t["value"] for t in told} - {
                "nothing",
                "none_now",
                "keep",
                "no_token",
            } == wanted
        assert state.to_dict() == before, "asking changed something"
        state.apply_action(luck.choice(list(state.legal_actions())))
    assert seen == {"take_thing", "post", "apply", "queue_up"}


def test_both_flavours_saves_and_views_agree(game: Game) -> None:
    for seed in range(4):
        fast, full = (g.new_initial_state(seed=seed, ask_forced=True) for g in (game, game.full))
        luck = random.Random(seed)
        while not fast.is_terminal():
            assert fast.legal_actions() == full.legal_actions()
            assert game.from_dict(fast.to_dict()) == fast
            seat = fast.current_player()
            dealt = fast.view(seat).determinize(seed)
            assert dealt.legal_actions() == fast.legal_actions()
            action = luck.choice(list(fast.legal_actions()))
            fast.apply_action(action)
            full.apply_action(action)
        assert fast.scores() == full.scores()


def test_the_reason_against_an_option_is_the_condition(game: Game) -> None:
    state = game.full.new_initial_state(seed=1, ask_forced=True)
    while state.pending()["choice"] != "apply":
        state.apply_action(state.legal_actions()[-1])
    data = state.to_dict()
    data["state"]["coins"] = dict.fromkeys(data["state"]["coins"], 1)
    del data["at"]["options"]
    poor = game.full.from_dict(data)
    reasons = [r["text"] for r in poor.why_not("apply", "lamp")]
    assert reasons == ["after(u.use(p): coins[p] + score[p] > 4)"]
    assert poor.to_dict()["state"] == data["state"]


def test_the_story_tells_nothing_of_what_was_tried(game: Game) -> None:
    state = game.full.new_initial_state(seed=2, ask_forced=True)
    gained = 0
    while not state.is_terminal():
        gained += state.action_to_dict(state.legal_actions()[0])["choice"] == "take_thing"
        state.apply_action(state.legal_actions()[0])
    assert 0 < sum("gains the" in text for _, text in state.story) <= gained


def test_the_heuristic_is_of_the_position_after_and_leaves_it(game: Game) -> None:
    state = game.new_initial_state(seed=3)
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    bags, scores = state.to_dict()["zones"]["bag"], state.scores()
    assert any(bags.values())
    for seat, score in enumerate(scores):
        brings = sum(WORTH[t] for t in bags[str(seat)])
        assert game.module.heuristic(state, seat) == score + brings
    assert state.scores() == scores


def test_an_error_while_trying_leaves_the_state_as_it_was(tmp_path: Path) -> None:
    """Of a heuristic, which is asked for at any time."""
    for file in SPEC.iterdir():
        text = file.read_text(encoding="utf-8").replace(
            "    for t in bag[p]: score t.worth", "    score 1 to p for gain\n    for t in Thing: move t from bag[p] to store\n    for t in bag[p]: score t.worth"
        )  # fmt: skip
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    game = rulewright.compile(str(tmp_path), players=2)
    state = game.new_initial_state(seed=0)
    before = state.to_dict()
    with pytest.raises(EngineError, match="RW1004"):
        game.module.heuristic(state, 0)
    assert state.to_dict() == before
