"""What an option brings: told as it then happens, and the same for all states that look the same to who chooses."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from common import Ruleset, each_ruleset, game, walk

from rulewright.engines import load, spec_path
from rulewright.play.several import several_of
from rulewright.runtime.errors import IllegalAction, RulewrightError
from rulewright.runtime.preview import Ahead
from rulewright.runtime.preview_tells import Tell, Tongue
from rulewright.runtime.preview_words import tell
from rulewright.scene.read_view import read_layout
from rulewright.scene.tongue import tongue_of
from rulewright.scene.view_names import Names

Json = dict[str, Any]


def _after(engine: Any, state: Any, action: int) -> Json:
    """What the chooser sees when the option was carried out, with chance not yet decided."""
    copy = engine.full_state(state).clone()
    copy.explicit = True
    seat = copy.who
    copy.apply_action(action)
    data: Json = copy.view(seat).data
    return data


def _at(data: Any, keys: list[str]) -> Any:
    for key in keys:
        data = data[key]
    return data


def _check(before: Json, after: Json, row: Json) -> None:
    """That a change was told as it happened."""
    if "unknown" in row:
        return
    match row["what"]:
        case "number" | "value":
            assert _at(before["state"][row["of"]], row["at"]) == row["from"]
            assert _at(after["state"][row["of"]], row["at"]) == row["to"]
        case "set":
            new = _at(after["state"][row["of"]], row["at"])
            assert all(member in new for member in row["gained"])
            assert not any(member in new for member in row["lost"])
        case "owner":
            owned = after["state"][row["of"]]
            assert row["at"][0] in owned[row["to"]] and row["at"][0] not in owned[row["from"]]
        case "move":
            old, new = _at(before["zones"][row["to"]], row["to_at"]), _at(
                after["zones"][row["to"]], row["to_at"]
            )
            assert new[row["piece"]] - old.get(row["piece"], 0) == row["by"]
        case "zone" if "gained" in row:
            old, new = (_at(data["zones"][row["of"]], row["at"]) for data in (before, after))
            for member, n in row["gained"].items():
                assert new[member] - old.get(member, 0) >= n
        case "piece":
            for data, told in ((before, row["from"]), (after, row["to"])):
                found = data["pieces"][row["of"]].get(row["at"][0])
                assert (found is None) == (told is None)
                assert told is None or told.items() <= found.items()


@each_ruleset
def test_previews_come_true_and_depend_on_nothing_hidden(ruleset: Ruleset) -> None:
    """Over a whole game: options of every fourth decision, in the true state and in one dealt from the chooser's view."""
    engine = game(*ruleset)
    state = engine.new_initial_state(seed=41)
    dice = random.Random(7)
    told = 0
    for number, _ in enumerate(walk(state, seed=5)):
        if number % 4:
            continue
        seat = state.current_player()
        view = state.view(seat)
        ahead, dealt = Ahead(engine, state), Ahead(engine, view.determinize(1000 + number))
        action = dice.choice(state.legal_actions())
        found = ahead.preview(action)
        assert found == dealt.preview(action)
        before, after = engine.full_state(state).view(seat).data, _after(engine, state, action)
        for row in found["changes"]:
            _check(before, after, row)
        told += len(found["changes"])
    assert told > 10


# ---------------------------------------------------------------- in words


def test_prices_are_told_with_their_sign() -> None:
    """What the chooser pays, and what is built; then whose turn it is."""
    state = game("yspahan", 4).new_initial_state(seed=3)
    found = state.preview(state.action_from_dict({"choice": "yellow_dice", "value": 2}))
    assert found["text"] == "−2 gold; then a roll"
    row = {"what": "number", "of": "gold", "at": ["0"], "from": 2, "to": 0, "by": -2}
    assert row in found["changes"]
    assert found["then"]["chance"] == "roll"


def test_a_preview_changes_nothing() -> None:
    engine = game("yspahan", 4)
    state = engine.new_initial_state(seed=3)
    before = state.to_dict()
    for action in state.legal_actions():
        state.preview(action)
    assert state.to_dict() == before


def test_secret_bids_of_others_are_unknown() -> None:
    """The last bid turns all of them up: the chooser can't know what the others gave."""
    state = game("ys", 4).new_initial_state(seed=1)
    while state.current_player() != 3:
        state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    found = state.preview(state.legal_actions()[0])
    unknown = [(row["of"], row["at"]) for row in found["changes"] if "unknown" in row]
    assert unknown == [("front", ["0"]), ("front", ["1"]), ("front", ["2"])]
    assert "unknown: front of" in found["text"]


def test_only_options_have_a_preview() -> None:
    engine = game("yspahan", 4)
    state = engine.new_initial_state(seed=3)
    with pytest.raises(IllegalAction, match="not asked now"):
        state.preview(engine.num_distinct_actions() - 1)
    chance = game("ys", 4).new_initial_state(chance="explicit")
    with pytest.raises(RulewrightError, match="chance decides now"):
        chance.preview(0)
    end = engine.random_playout(state, 1)
    with pytest.raises(IllegalAction, match="the game is over"):
        end.preview(0)


# ---------------------------------------------------------------- in the words of a view


def test_the_view_has_the_last_word() -> None:
    """A building with its price; a supervisor who sends a good of somebody else; what is mere book-keeping is left out."""
    engine = game("yspahan", 4)
    names = Names.of(spec_path("yspahan"), engine)
    tongue = tongue_of(read_layout(spec_path("yspahan"), names), names)
    state = engine.new_initial_state(seed=3)
    seen: dict[str, set[str]] = {}
    for _ in walk(state, seed=11):
        choice = state.pending()["choice"]
        if choice in ("build", "supervisor_to", "place_cube", "take_group"):
            ahead = Ahead(engine, state, tongue)
            found = {ahead.preview(action)["text"] for action in state.legal_actions()}
            seen.setdefault(choice, set()).update(found)
    assert "−2 camels, the paddock" in seen["build"]
    sent = r"the supervisor goes to \w\d; \w+'s cube in the \w+ souk of the \w+ is sent"
    assert any(re.search(sent, text) for text in seen["supervisor_to"])
    assert "a cube in the white souk of the sack" in seen["place_cube"]
    assert not any("dice of" in text for text in seen["take_group"])


def test_words_by_number_and_for_others() -> None:
    rows = [
        {"what": "number", "of": "gold", "at": ["0"], "from": 1, "to": 0, "by": -1},
        {"what": "number", "of": "gold", "at": ["1"], "from": 1, "to": 4, "by": 3},
        {"what": "set", "of": "built", "at": ["1"], "gained": ["shop"], "lost": []},
        {"what": "set", "of": "built", "at": ["0"], "gained": ["hoist"], "lost": ["shop"]},
        {"what": "value", "of": "supervisor", "at": [], "from": "n1", "to": "n2"},
    ]
    told = {
        "gold": Tell("coin", "coins"),
        "built": Tell(gained="the {it}"),
        "supervisor": Tell(silent=True),
    }
    text = tell(game("yspahan", 4).info, 0, rows, None, Tongue(told=told))
    assert text == "−1 coin, the hoist; Green +3 coins, gets the shop"
    alone = {"built": Tell(gained="{who} put up the {it}", lost="{whose} {it} is gone")}
    text = tell(game("yspahan", 4).info, 0, rows[2:4], None, Tongue(told=alone))
    assert text == "Green put up the shop; you put up the hoist; your shop is gone"


# ---------------------------------------------------------------- reasons with numbers


def test_reasons_tell_what_is_needed_and_what_is_there() -> None:
    """A building that costs more camels and gold than one has."""
    state = game("yspahan", 4).new_initial_state(seed=3)
    for action in walk(state, seed=3):
        if state.pending()["choice"] == "build":
            break
        del action
    seat = state.current_player()
    seen = state.view(seat).data["state"]
    reasons = {r["text"]: r for r in state.why_not("build", "hoist")}
    camels = seen["camels"][str(seat)]
    assert camels < 4
    reason = reasons["b.camels <= camels[p]"]
    assert reason["needs"] == f"needs 4 camels, you have {camels}"
    assert reason["numbers"] == {"b.camels": 4, "camels[p]": camels}


def test_steps_of_one_choice_are_told_together() -> None:
    """What all of them bring until the decision after the last, not what the first does."""
    several = load(str(Path(__file__).parent / "games" / "sketches" / "several"), 2)
    state = several.full.new_initial_state(seed=3)
    choice = several_of(several, state, state.current_player())
    assert choice is not None
    ahead = Ahead(several.full, state)
    for whole in choice.wholes:
        steps = choice.actions(whole) or ()
        found = ahead.together(steps)
        assert sum(change["by"] for change in found["changes"]) == len(whole) == 2
        assert found["then"]["choice"] == "raise.1" and found["text"].count("heap") in (1, 2)
        assert ahead.preview(steps[0])["changes"] == []


def test_an_option_after_which_something_is_hidden_again_has_a_preview() -> None:
    """With the last card of a deal nothing is hidden; then cards are dealt anew."""
    engine = load("hearts", 4, options={"deals": 2})
    state = engine.new_initial_state(seed=4)
    while hides_something_from(state, state.current_player()):
        state.apply_action(state.legal_actions()[0])
    (last,) = state.legal_actions()
    assert state.preview(last)["then"]["chance"]


def hides_something_from(state: Any, seat: int) -> bool:
    """Whether others hold cards that a seat can't see."""
    hands = state.view(seat).data["zones"]["hand"]
    return any(hands[other].get("hidden") for other in hands if other != str(seat))


def test_what_changes_its_owner_is_told_together() -> None:
    """By default with who had it and who has it; as the view says it where it does, once for all."""
    engine = load("othello", 2)
    state = engine.new_initial_state(seed=0)
    turned: list[str] = []
    while len(turned) < 2:
        state.apply_action(state.legal_actions()[-1])
        action = state.legal_actions()[-1]
        found = state.preview(action)
        turned = [row["at"][0] for row in found["changes"] if row["what"] == "owner"]
    listed = ", ".join(turned)
    assert f"; discs {listed}: " in found["text"]
    names = Names.of(spec_path("othello"), engine)
    tongue = tongue_of(read_layout(spec_path("othello"), names), names)
    assert Ahead(engine, state, tongue).preview(action)["text"] == f"{listed} turn"


def test_words_that_count_nothing_are_told_once() -> None:
    """Four cards of a trick go one way: that is one trick."""
    engine = load("tides", 4)
    names = Names.of(spec_path("tides"), engine)
    tongue = tongue_of(read_layout(spec_path("tides"), names), names)
    state = engine.new_initial_state(seed=2)
    while "trick goes" not in (
        text := Ahead(engine, state, tongue).preview(state.legal_actions()[0])["text"]
    ):
        state.apply_action(state.legal_actions()[0])
    assert text.count("the trick goes to the") == 1 and "led" not in text and "table" not in text
