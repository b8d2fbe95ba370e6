"""Values chosen as different pieces, dealt after these went anywhere: in tiny games no state is left out, and none has more aces than there are."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from test_seen_pieces import all_states

from rulewright import Game
from rulewright.compiler.build import check_spec, read_spec
from rulewright.engines import game_of
from rulewright.runtime.errors import SaveError

SECRET = Path(__file__).parent / "games" / "secret"
GAME = (
    "game: tiny\ntitle: Tiny\nplayers: [2, 3]\nseats: [Ada, Bo, Cy]\nreasons: {won: what was won}\n"
)
CARDS = "table: Card\ncolumns: {copies: 1..2}\nrows: {ace: {copies: 2}, king: {copies: 1}, six: {copies: 1}}\n"
RULES = """\
state:
    offer: OFFER

pieces cards of Card by copies:
    deck hidden = all
    hand per Player visible to owner
    table

procedure play():
    for p in Player: deal MANY from deck to hand[p]
    LAID
    for p in Player: show_it(p)

procedure act(p: Player):
    either by p as act:
        option steals:
            where size(hand[other(p)]) > 0
            deal 1 from hand[other(p)] to hand[p]
        option opens:
            where size(hand[p]) > 0
            move all from hand[p] to table revealing
        TAKES
        option nods: pass

procedure show_it(p: Player):
    choose n in 0 .. 1 by p as winks
    score n to p for won
    if reveal(SHOWN == ace): score 1 to p for won

function other(p: Player) -> Player = sort(x in Player where x != p: 0)[1]
outcome p in Player by score[p]
"""
TAKES = (
    "option takes:\n            where size(table) > 0\n            move all from table to hand[p]"
)
LAY = """\
if size(hand[p]) > 0:
            choose c in hand[p] by p as lays secretly
            offer[p] = c
"""
ONCE = f"together p in Player:\n        {LAY}    for p in Player: act(p)"
NOT_FIRST = " where p != sort(x in Player: 0)[1]"
TWICE = "for n in 1 .. 2:\n        " + ONCE.replace("\n", "\n    ").replace(
    ": act", f"{NOT_FIRST}: act"
)
BETWEEN = f"for p in Player:\n        act(p)\n        {LAY}"
JOINT = """\
together p in Player:
        choose 1 .. 2 of cs in hand[p] by p as lays or enough secretly
        offer[p] = cs
    for p in Player: act(p)"""


def tiny(folder: Path, laid: str, players: int, hand: int, takes: str) -> Game:
    each = "map 1 .. 2 to Card or none" if laid is JOINT else "Card or none"
    rules = RULES.replace("OFFER", f"map Player to {each} visible to owner").replace("TAKES", takes)
    rules = rules.replace("MANY", str(hand)).replace("LAID", laid)
    rules = rules.replace("SHOWN", "offer[p][1]" if laid is JOINT else "offer[p]")
    for name, text in {"game.yaml": GAME, "cards.yaml": CARDS, "play.rules": rules}.items():
        (folder / name).write_text(text, encoding="utf-8")
    spec = read_spec(folder, "tiny")
    assert [p.message for p in check_spec(spec).errors] == []
    return game_of(spec, players)


def values(state: Any) -> Counter[str]:
    """How many hidden values are of each kind."""
    rows = state.to_dict()["state"]["offer"].values()
    cells = [list(row.values()) if isinstance(row, dict) else [row] for row in rows]
    return Counter(card for row in cells for card in row if card is not None)


def sampled(states: list[Any], seat: int, dice: random.Random) -> list[tuple[Any, set[Any]]]:
    """Some views, each with all states that have it: those with most, and others."""
    groups: dict[Any, set[Any]] = {}
    for state in states:
        groups.setdefault(state.view(seat), set()).add(state)
    ordered = sorted(groups.items(), key=lambda g: (-len(g[1]), repr(g[0].data)))
    assert len(ordered[0][1]) > 1
    return [*ordered[:6], *dice.sample(ordered, 40)]


@pytest.mark.parametrize(
    ("laid", "players", "hand", "takes", "aces"),
    [(ONCE, 3, 1, TAKES, 2), (JOINT, 2, 2, TAKES, 2), (TWICE, 3, 1, "", 3), (BETWEEN, 3, 1, "", 3)],
    ids=["once", "joint", "twice", "between"],
)
def test_what_is_dealt_may_be(
    tmp_path: Path, laid: str, players: int, hand: int, takes: str, aces: int
) -> None:
    """What was chosen at once are different pieces, wherever they go; what was chosen later may be the same one once more."""
    engine = tiny(tmp_path, laid, players, hand, takes)
    states = all_states(engine)
    print(len(states))
    assert max(values(s)["ace"] for s in states) == aces
    dice, most = random.Random(1), 0
    for view, same in sampled(states, 1, dice):
        missing = set(same)
        dealt: set[Any] = set()
        for number in range(80 * len(same)):
            if missing or number < 20:
                dealt.add(view.determinize(dice.getrandbits(50)))
                missing -= dealt
        assert not missing
        most = max(most, *(values(s)["ace"] for s in dealt))
        if aces == 2:
            assert all(values(s)[card] <= 1 for s in dealt for card in ("king", "six"))
    assert most == aces


# two aces are marked and shown; how Cy's card went nobody can tell, and cards were seen to come back
ROBBED = ["ace", "six", "five", "ace", "five", "king", "king", "chooses ace (lay by)", "chooses ace (lay by)",
    "chooses king (lay by)", "steal", "chooses Cy (from whom)", "five", "out of pot", "king", "discard",
    "chooses king (pays)", "out of pot", "king", "swap", "chooses Ada (with whom)", "steal", "ace",
    "chooses 0 (nod)", "chooses 0 (nod)"]  # fmt: skip


def test_a_third_card_is_no_ace_after_both_were_shown() -> None:
    """Ada and Bo have shown an ace each: Cy's marked card is none, though it may have been stolen, and an ace was seen to go."""
    state = game_of(read_spec(SECRET / "robbed", "robbed"), 3).new_initial_state(chance="explicit")
    for text in ROBBED:
        actions = (
            [outcome for outcome, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else state.legal_actions()
        )
        state.apply_action(next(a for a in actions if state.action_to_string(a) == text))
    dice = random.Random(1)
    for seat in range(2):
        view = state.view(seat)
        offers = [
            view.determinize(dice.getrandbits(50)).to_dict()["state"]["offer"] for _ in range(200)
        ]
        assert {(offer["0"], offer["1"]) for offer in offers} == {("ace", "ace")}
        assert {offer["2"] for offer in offers} == {"five", "six", "king"}


def test_a_save_with_more_aces_than_there_are_is_refused(tmp_path: Path) -> None:
    engine = tiny(tmp_path, ONCE, 3, 1, TAKES)
    said: Counter[str] = Counter()
    for state in all_states(engine):
        if values(state)["ace"] == 2:
            data = json.loads(json.dumps(state.to_dict()))
            offer = data["state"]["offer"]
            if None not in offer.values():
                data["state"]["offer"] = dict.fromkeys(offer, "ace")
                with pytest.raises(SaveError) as problem:
                    engine.from_dict(data)
                said[problem.value.args[0].split(": ")[-1]] += 1
    assert said["more hidden values are of one kind than there are pieces"] > 5
