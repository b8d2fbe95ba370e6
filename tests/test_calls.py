"""What callers may do wrong: wrong types and numbers get errors of our own, and nobody can change what others see."""

from __future__ import annotations

from typing import Any

import pytest
from common import game, reach

import rulewright
from rulewright.runtime.errors import IllegalAction, RulewrightError

YSPAHAN = ("yspahan", 4, ())


def position(full: bool = False) -> Any:
    engine = game(*YSPAHAN)
    return reach(engine.full if full else engine, 3, 20)[0]


@pytest.mark.parametrize("full", [False, True])
def test_options_are_shared_and_cannot_be_changed(full: bool) -> None:
    state = position(full)
    actions = state.legal_actions()
    assert type(actions) is tuple and actions is state.clone().legal_actions()
    view = state.view(state.current_player())
    assert type(view.legal_actions()) is tuple and view.legal_actions() == actions
    assert state.view((state.current_player() + 1) % 4).legal_actions() == ()


WRONG: tuple[Any, ...] = (None, "1", 1.0, True, [], {}, object(), 10**9, -1, 10**5000)


@pytest.mark.parametrize("full", [False, True])
def test_wrong_actions_are_refused_and_change_nothing(full: bool) -> None:
    state = position(full)
    before = state.to_dict()
    for action in WRONG:
        with pytest.raises(IllegalAction):
            state.apply_action(action)
        with pytest.raises(IllegalAction):
            state.action_to_string(action)
        with pytest.raises(IllegalAction):
            state.action_to_dict(action)
    assert state.to_dict() == before


def test_what_stands_for_a_number_is_an_action() -> None:
    class Number:
        def __init__(self, value: int) -> None:
            self.value = value

        def __index__(self) -> int:
            return self.value

    one, other = position(), position()
    action = one.legal_actions()[-1]
    one.apply_action(action)
    other.apply_action(Number(action))
    assert one == other


def test_a_state_with_explicit_chance_is_played_out_as_what_it_is() -> None:
    """Its locals lie elsewhere than those of the fast engine's states."""
    engine = game(*YSPAHAN)
    state = engine.new_initial_state(chance="explicit")
    for number in range(12):
        end = engine.random_playout(state, number)
        assert end.is_terminal() and end == engine.full.random_playout(state, number)
        state.apply_action(state.legal_actions()[-1])


def test_an_action_that_is_not_asked_now_has_no_words() -> None:
    state = position()
    choice = game(*YSPAHAN).info["choices"][str(state.pc)]
    outside = choice["offset"] + choice["size"]
    with pytest.raises(IllegalAction, match="is not asked now; the pending decision is"):
        state.action_to_string(outside)
    end = game(*YSPAHAN).random_playout(state, 1)
    with pytest.raises(IllegalAction, match="over"):
        end.action_to_string(0)


@pytest.mark.parametrize("data", [None, 5, [], {"choice": 5, "value": 1}, {"chance": "roll"}, {"choice": [], "value": {}}])  # fmt: skip
def test_actions_that_are_none(data: Any) -> None:
    with pytest.raises(IllegalAction):
        position().action_from_dict(data)


def test_an_outcome_of_chance_that_there_is_not() -> None:
    state = game(*YSPAHAN).full.new_initial_state(1, "explicit")
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    for action in WRONG:
        with pytest.raises(IllegalAction):
            state.action_to_string(action)
    with pytest.raises(IllegalAction):
        state.action_from_dict({"chance": "roll", "value": 99})


def test_the_reason_against_a_value_outside_the_range() -> None:
    state = position()
    choice = game(*YSPAHAN).info["choices"][str(state.pc)]
    for value in (10**9, -1, 10**5000, None, "nonsense", [], True):
        reasons = state.why_not(choice["label"], value)
        assert reasons and reasons[0]["text"] and reasons[0]["place"] == choice["place"]


@pytest.mark.parametrize("seed", [None, "1", 1.5, True, []])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    engine, state = game(*YSPAHAN), position()
    for call in (
        lambda: engine.new_initial_state(seed),
        lambda: engine.full.new_initial_state(seed),
        lambda: engine.random_playout(state, seed),
        lambda: state.reseed(seed),
        lambda: state.view(0).determinize(seed),
    ):
        with pytest.raises(RulewrightError, match="a seed is a whole number"):
            call()


@pytest.mark.parametrize("switch", [None, "yes", 1, []])
def test_a_switch_is_true_or_false(switch: Any) -> None:
    engine = game(*YSPAHAN)
    for call in (
        lambda: engine.new_initial_state(1, ask_forced=switch),
        lambda: engine.full.new_initial_state(1, ask_forced=switch),
        lambda: engine.new_initial_state(1, remember=switch),
    ):
        with pytest.raises(RulewrightError, match="is True or False"):
            call()


@pytest.mark.parametrize("seat", [None, "0", 4, -1, True, 0.0])
def test_a_seat_that_there_is_not(seat: Any) -> None:
    with pytest.raises(RulewrightError, match="there is no seat"):
        position().view(seat)


@pytest.mark.parametrize(
    "asked",
    [
        {"game": 5}, {"game": None}, {"players": "4"}, {"players": 4.0}, {"players": True}, {"players": None},
        {"variants": [5]}, {"variants": "souks"}, {"variants": 5}, {"variants": None}, {"options": [1]},
        {"options": {5: 1}}, {"options": {"first_player": []}}, {"options": {"first_player": None}},
    ],
)  # fmt: skip
def test_load_wants_the_right_types(asked: dict[str, Any]) -> None:
    with pytest.raises(RulewrightError):
        rulewright.load(**{"game": "yspahan", "players": 4, **asked})
    if "players" not in asked:
        path = asked.pop("game", rulewright.engines.SPECS / "yspahan")
        with pytest.raises(RulewrightError):
            rulewright.compile(path, 4, **asked)
