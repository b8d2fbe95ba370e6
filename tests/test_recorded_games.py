"""A game of a real table, written down move by move, die by die and card by card, can be replayed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from common import Ruleset, all_rulesets, game, ruleset_name, same, walk

from rulewright.runtime.errors import IllegalAction

# the first day of a game of four, as a player would write it down: dice in the order in which they lay, cards as they were drawn
FIRST_DAY: list[tuple[str, object]] = [
    ("yellow_dice", 2),  # Blue pays two gold
    *(("roll", n) for n in (1, 1, 3, 3, 5, 5, 6, 6, 6)), ("roll", 1), ("roll", 2),
    ("take_group", "camel"), ("dice_action", "main"), ("build", "nothing"),
    ("take_group", "gold"), ("dice_action", "main"),  # Green
    ("take_group", "chest"), ("dice_action", "main"), ("place_cube", "chest.blue.0"),  # Red, whose second cube has to finish the souk
    # Yellow has the barrel square's dice only and takes a card
    ("dice_action", "card"), ("draw", "camels_3"), ("play_card", "camels_3"), ("build", "paddock"),
]  # fmt: skip


def entry(state: Any, name: str, value: object) -> dict[str, object]:
    return {"chance" if name in ("roll", "draw") else "choice": name, "value": value}


def test_a_day_of_a_table_is_replayed() -> None:
    state = game("yspahan", 4).new_initial_state(chance="explicit")
    for name, value in FIRST_DAY:
        assert state.is_chance_node() == (name in ("roll", "draw"))
        action = state.action_from_dict(entry(state, name, value))
        assert state.action_to_dict(action) == entry(state, name, value)
        state.apply_action(action)
    told = json.loads(json.dumps(state.to_dict()))
    assert told["state"]["camels"] == {"0": 3, "1": 0, "2": 0, "3": 1}
    assert told["state"]["gold"] == {"0": 0, "1": 5, "2": 2, "3": 2}
    assert told["state"]["cubes"]["2"] == ["chest.blue.0", "chest.blue.1"]
    assert told["state"]["built"]["3"] == ["paddock"]
    assert (told["state"]["supervisor"], told["state"]["day_marker"]) == ("centre", 2)
    assert told["zones"]["discard"] == {"camels_3": 1}
    # the next day begins with the seat to the left
    assert told["state"]["first"] == 1 and state.current_player() == 1


def test_what_cannot_have_happened_is_refused() -> None:
    state = game("yspahan", 4).new_initial_state(chance="explicit")
    for wrong in ({"choice": "yellow_dice", "value": 3}, {"chance": "roll", "value": 6}):
        with pytest.raises(IllegalAction):
            state.apply_action(state.action_from_dict(wrong))
    state.apply_action(state.action_from_dict({"choice": "yellow_dice", "value": 0}))
    assert [outcome for outcome, _ in state.chance_outcomes()] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("ruleset", all_rulesets("yspahan"), ids=ruleset_name)
def test_a_whole_game_in_names_comes_out_the_same(ruleset: Ruleset) -> None:
    """Written down by names and read back from JSON, chance included."""
    engine = game(*ruleset)
    state = engine.new_initial_state(4, chance="explicit")
    record = []
    for action in walk(state, 4):
        record.append(state.action_to_dict(action))
    again = engine.new_initial_state(4, chance="explicit")
    for data in json.loads(json.dumps(record)):
        again.apply_action(again.action_from_dict(data))
    assert same(again, state) and again.is_terminal()
    assert any("chance" in data for data in record)
