"""Ys: what the seats can still think of a broker that lies face down, as all the states that their views deal."""

from __future__ import annotations

from typing import Any

from common import Json, game

from rulewright.runtime.game import Game

DEALS = 80


def label(engine: Game, state: Any) -> str:
    return str(engine.info["choices"][str(state.pc)]["label"])


def choose(engine: Game, state: Any, **answers: Any) -> None:
    """Answer the decisions named, in this order; what comes up with one option only answers itself."""
    for name, value in answers.items():
        while label(engine, state) != name and len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        state.apply_action(state.action_from_dict({"choice": name, "value": value}))


def to_placing(engine: Game, bid: tuple[str, str]) -> Any:
    """The first placing turn, after everybody has bid the same brokers."""
    state = engine.new_initial_state(1)
    while label(engine, state) != "broker_place":
        asked = label(engine, state)
        if asked.startswith("bid_brokers"):
            value = bid[asked.endswith("2")]
            state.apply_action(state.action_from_dict({"choice": asked, "value": value}))
        else:
            state.apply_action(state.legal_actions()[0])
    return state


def changed(engine: Game, state: Any, **entries: Json) -> Any:
    """A state with some entries of its maps changed."""
    data = state.to_dict()
    for name, entry in entries.items():
        data["state"][name].update(entry)
    return engine.from_dict(data)


def thoughts(state: Any, seat: int, family: str, handle: int) -> set[str]:
    """The values that a standing piece can have for all a seat knows."""
    view = state.view(seat)
    deals = (view.determinize(n).to_dict() for n in range(DEALS))
    return {data["pieces"][family][str(handle)]["value"] for data in deals}


def place_conjured(taken: str, put: str) -> tuple[Any, int]:
    """The state after the Conjurer's owner has placed one of the bid, a one and a three, face down; and that seat."""
    engine = game("ys", 4)
    state = to_placing(engine, ("one", "three"))
    p = state.current_player()
    state = changed(engine, state, conjuring={str(p): True})
    choose(engine, state, broker_place="n1_port", source="from_screen", broker_up="four")
    choose(engine, state, broker_place="n2_port", source="from_front")
    choose(engine, state, **{"conjured_down.w": taken, "conjured_down.t": put})
    return state, p


def test_a_conjured_broker_that_an_equal_one_replaces_is_one_of_those_in_front() -> None:
    state, p = place_conjured("three", "three")
    assert thoughts(state, p, "Broker", 2) == {"three"}
    for seat in {0, 1, 2, 3} - {p}:
        assert thoughts(state, seat, "Broker", 2) == {"one", "three"}


def test_a_conjured_broker_that_another_one_replaces_is_known() -> None:
    state, _ = place_conjured("three", "zero")
    for seat in range(4):
        assert thoughts(state, seat, "Broker", 2) == {"three"}


def test_a_broker_in_the_throne_room_is_one_of_those_that_lay_in_front() -> None:
    engine = game("ys", 3, ("kings-favor",))
    state = engine.new_initial_state(4)
    while label(engine, state) != "favor_broker":
        state.apply_action(state.legal_actions()[0])
    lay: list[set[str]] = []
    front = state.view(0).data["zones"]["front"]
    for seat in range(3):
        lay.append({kind for kind, n in front[str(seat)].items() if n})
    assert max(len(kinds) for kinds in lay) > 1
    while label(engine, state) == "favor_broker":
        state.apply_action(state.legal_actions()[0])
    pieces = state.to_dict()["pieces"]["Broker"]
    assert len(pieces) == 3
    for handle, piece in pieces.items():
        assert piece["place"] == "throne"
        owner = int(piece["owner"])
        for seat in range(3):
            expected = {piece["value"]} if seat == owner else lay[owner]
            assert thoughts(state, seat, "Broker", int(handle)) == expected


def test_a_face_down_broker_from_behind_the_screen_can_be_any_that_is_left() -> None:
    engine = game("ys", 4)
    state = to_placing(engine, ("four", "four"))
    p = state.current_player()
    choose(engine, state, broker_place="n1_port", broker_up="two")
    choose(engine, state, broker_place="n1_port", broker_down="zero")
    for seat in range(4):
        # both fours lie in front, and the only two stands face up
        expected = {"zero"} if seat == p else {"zero", "one", "three"}
        assert thoughts(state, seat, "Broker", 2) == expected


def test_only_who_placed_a_neutral_broker_knows_its_value() -> None:
    engine = game("ys", 2)
    state = to_placing(engine, ("zero", "zero"))
    p = state.current_player()
    choose(engine, state, broker_place="n1_port", broker_up="one")
    choose(engine, state, broker_place="n1_port", broker_down="one")
    choose(engine, state, broker_place="n1_port", neutral_broker="two")
    assert thoughts(state, p, "NeutralBroker", 1) == {"two"}
    assert thoughts(state, 1 - p, "NeutralBroker", 1) == {"zero", "one", "two", "four"}


def test_cards_that_were_won_are_the_same_in_every_deal() -> None:
    engine = game("ys", 4)
    state = engine.new_initial_state(11)
    while state.to_dict()["state"]["turn_number"] < 3:
        state.apply_action(state.legal_actions()[-1])
    zones = state.to_dict()["zones"]
    assert any(any(hand.values()) for hand in zones["hand"].values())
    for seat in range(4):
        for n in range(20):
            dealt = state.view(seat).determinize(n).to_dict()["zones"]
            assert (dealt["hand"], dealt["won"]) == (zones["hand"], zones["won"])
