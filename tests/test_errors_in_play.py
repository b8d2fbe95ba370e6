"""Mistakes that only show in play: a located error in both flavours, never a hang; full states stay as they were."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from common import tuned_game

from rulewright import EngineError, Game
from rulewright.bots.judge import Judge
from rulewright.compiler.build import check_spec, read_spec
from rulewright.engines import game_of

GAME = """\
game: tiny
title: Tiny
players: [2]
seats: [Blue, Green]
neutral: [grey]
"""
CARDS = "table: Card\nrows: {ace: {}, king: {}}\n"
STATE = """\
state:
    coins: map Player to 0..9
    total: 0..9
    order: list of Player max 2
pieces cards of Card by 1:
    deck hidden = all
    row
    hand per Player visible to owner
pieces team per Player of Card by 9:
    screen per Player visible to owner = all
    standing Guard max 2:
        place: 0..9
outcome p in Player by total + coins[p] + size(order) + size(row) + size(hand[p]) + size(screen[p])
"""
# the rules after the state, the code of the error, and the text of the line it must name
ASK = """\
procedure play():
    for p in Player:
        choose a in 1 .. 3 by p as first
        coins[p] = a
"""
CASES = {
    "a choice without an option": (
        ASK + "        choose n in 1 .. 3 by p as second\n            where n > coins[p] + 2\n        total = n\n",
        "RW1001", "choose n",
    ),
    "a while that never ends": (
        ASK + "        while a > 1:\n            total = 1 - total\n",
        "RW1002", "while a",
    ),
    "a loop that never ends": (
        ASK + "        spin()\nprocedure spin():\n    loop:\n        total = 1\n",
        "RW1002", "loop:",
    ),
    "a loop over asking code that never asks": (
        ASK + "        while a > 1:\n            if total > 3:\n                choose b in 1 .. 3 by p as second\n                total = b\n",
        "RW1002", "while a",
    ),
    "procedures that run each other in a loop and never ask": (
        ASK + "        loop:\n            one(p)\nprocedure one(p: Player):\n    two(p)\nprocedure two(p: Player):\n"
        "    if total > 3:\n        choose b in 1 .. 3 by p as second\n        total = b\n",
        "RW1002", "loop:",
    ),
    "a loop of choices with one option": (
        ASK + "        loop:\n            choose b in 1 .. 1 by p as second\n            total = b\n",
        "RW1002", "choose b",
    ),
    "loops inside loops": (
        ASK + "        for i in 1 .. 9999:\n            for j in 1 .. 9999:\n                total = 1\n",
        "RW1002", "for ",
    ),
    "a loop inside a loop that never ends": (
        ASK + "        loop:\n            var i: int = 0\n            while i < 90000:\n                i += 1\n",
        "RW1002", "while i",
    ),
    "a range that grows": (
        ASK + "        var most: int = 1000000000000\n        for i in 1 .. most:\n            total = 1\n",
        "RW1002", "for i",
    ),
    "a piece that is not there": (
        ASK + "        move ace from row to deck\n",
        "RW1004", "move ace",
    ),
    "more pieces than there are": (
        ASK + "        move a + 1 of ace from deck to row\n",
        "RW1004", "move a + 1",
    ),
    "an empty deck": (
        ASK + "        for i in 1 .. 3:\n            deal 1 from deck to hand[p]\n",
        "RW1004", "deal 1",
    ),
    "an empty deck drawn from": (
        ASK + "        for i in 1 .. 3:\n            draw c from deck to row\n",
        "RW1004", "draw c",
    ),
    "a place after the end of a list": (
        ASK + "        order = [p]\n        let q = order[a + 1]\n        total = clockwise(p, q)\n",
        "RW1006", "let q",
    ),
    "a place before the beginning of a list": (
        ASK + "        order = [p]\n        let q = order[a - 2]\n        total = clockwise(p, q)\n",
        "RW1006", "let q",
    ),
    "a player that is none": (
        ASK + "        for w in Participant:\n            coins[player(w)] = a\n",
        "RW1006", "coins[player(w)]",
    ),
    "a division by zero": (
        ASK + "        total = 6 // (a - coins[p])\n",
        "RW1007", "6 //",
    ),
    "a remainder by zero": (
        ASK + "        total = 6 % (a - coins[p])\n",
        "RW1007", "6 %",
    ),
    "a division by zero where the result does not matter": (
        ASK + "        total = second(6 % (a - coins[p]) % 4, a)\nfunction second(n: 0..3, m: 1..3) -> 1..3 = m\n",
        "RW1007", "6 %",
    ),
    "more standing pieces than there is room": (
        ASK + "        for i in 1 .. 3:\n            put b in Guard of ace from screen[p] with place = i seen by p\n",
        "RW1008", "put b",
    ),
    "the greatest of nothing": (
        ASK + "        total = max(n in 1 .. 9 where n < coins[p] - 9: n)\n",
        "RW1009", "max(n",
    ),
    "a list that grows too long": (
        ASK + "        append p to order\n        append p to order\n        insert p into order at 1\n        insert p into order at 1\n        total = size(order)\n",
        "RW1008", "insert p",
    ),
    "an entry at a place that there is not": (
        ASK + "        insert p into order at size(order) + 1 + a\n        total = size(order)\n",
        "RW1003", "insert p",
    ),
    "an entry removed from a place that there is not": (
        ASK + "        order = []\n        remove at a from order\n        total = size(order)\n",
        "RW1003", "remove at",
    ),
    "something removed that is not there": (
        ASK + "        order = []\n        remove p from order\n        total = size(order)\n",
        "RW1012", "remove p",
    ),
    "nothing to roll": (
        ASK + "        roll d in 1 .. a - coins[p]\n        total = d\n",
        "RW1010", "roll d",
    ),
    "a place that a zone in order has not, of a piece that all see go": (
        ASK + "        deal 1 from heap to kept[p]\n        choose c in kept[p] by p as back secretly\n        move c from kept[p] to heap\n"
        "        draw d from heap to spread\n        if a > 1:\n            move spread[a + 1] from spread to heap shuffled\n"
        "pieces sheets of Card by 9:\n    heap hidden ordered = all\n    kept per Player visible to owner\n    spread ordered\n",
        "RW1006", "move spread[a",
    ),
    "an error before the first decision": (
        "procedure play():\n    total = 6 // total\n",
        "RW1007", "6 //",
    ),
}  # fmt: skip
FULL_ONLY = {
    "a number out of its range": (ASK + "        total = 9\n        total += a\n", "RW1003", "total +="),
    "a number below its range": (ASK + "        total = 0\n        total -= a\n", "RW1003", "total -="),
    "a list that is too long": (
        ASK + "        order = some()\nfunction some() -> list of Player max 3 = [first_of(Player), first_of(Player), first_of(Player)]\n",
        "RW1008", "order = ",
    ),
    "a list given back that is too long": (
        ASK + "        order = some()\nfunction some() -> list of Player max 1 = sort(p in Player where total < 9: 0)\n",
        "RW1008", "function some",
    ),
    "a list in a local that is too long": (
        ASK + "        var some: list of Player max 1 = []\n        some = sort(q in Player where total < 9: 0)\n        total = size(some)\n",
        "RW1008", "some = sort",
    ),
    "a list handed on that is too long": (
        ASK + "        total = half(sort(q in Player where total < 9: 0))\nfunction half(some: list of Player max 1) -> int = size(some)\n",
        "RW1008", "total = half",
    ),
    "a list of numbers out of their range": (
        ASK + "        total = size(some(a))\nfunction some(n: int) -> list of 0..3 max 2 = [1, n + 3]\n",
        "RW1003", "function some",
    ),
    "a number given back out of its range": (
        ASK + "        total = some(a)\nfunction some(n: int) -> 0..3 = n + 3\n",
        "RW1003", "function some",
    ),
    "a number given back out of its range after a decision": (
        ASK + "        total = 1\n        let n = some(p)\n        total += n\nprocedure some(p: Player) -> 0..3:\n"
        "    choose b in 3 .. 5 by p as second\n        where b > 3\n    return b\n",
        "RW1003", "return b",
    ),
    "a number handed on out of its range": (
        ASK + "        some(a * a + 3 + total - total)\nprocedure some(n: 0..3):\n    total = clamp(n, 0, 9)\n",
        "RW1003", "some(a * a",
    ),
    "a local out of its range": (
        ASK + "        var some: 0..3 = a\n        some -= a + 1\n        total = abs(some)\n",
        "RW1003", "some -=",
    ),
    "a place of a map that only seems to be there": (
        ASK + "        var some: 0..3 = a - 4 + total - total\n        tally[some] = a\n        total = tally[0]\nstate:\n    tally: map 0..3 to 0..9\n",
        "RW1003", "var some",
    ),
    "a number that would be none": (
        ASK + "        maybe = a - a - coins[p]\n        total = 1 if maybe is none else 0\nstate:\n    maybe: 0..3 or none\n",
        "RW1003", "maybe = ",
    ),
    "a piece's number out of its range": (
        ASK + "        if p == first_of(Player):\n            put b in Guard of ace from screen[p] with place = a + 9 + total - total seen by p\n",
        "RW1003", "put b",
    ),
    "a broken invariant": (
        ASK + "        total = a\ninvariant small: total < 1\n",
        "RW1005", "invariant small",
    ),
}  # fmt: skip


def built(folder: Path, rules: str, state: str = STATE) -> tuple[Game, list[str]]:
    folder = folder / "tiny"
    folder.mkdir()
    text = state + rules
    for name, content in (("game.yaml", GAME), ("cards.yaml", CARDS), ("play.rules", text)):
        (folder / name).write_text(content, encoding="utf-8")
    spec = read_spec(folder, "tiny")
    assert [p.message for p in check_spec(spec).errors] == []
    return game_of(spec, 2), text.split("\n")


def played(game: Game, seed: int) -> tuple[EngineError | None, bool]:
    """Random play: the error it ended with, and whether a state was left as it was then."""
    choose = random.Random(seed)
    try:
        state = game.new_initial_state(seed)
    except EngineError as error:
        return error, True
    for _ in range(100):
        if state.is_terminal():
            return None, True
        before: Any = state.to_dict() if game.info["full"] else None
        try:
            state.apply_action(choose.choice(state.legal_actions()))
        except EngineError as error:
            return error, before is None or state.to_dict() == before
    raise AssertionError("the game should be over")


def check(error: EngineError, code: str, line: str, lines: list[str]) -> None:
    assert error.code == code
    assert error.at is not None
    assert error.at[0] == "tiny/play.rules"
    assert line in lines[error.at[1] - 1]
    assert str(error).startswith(f"tiny/play.rules:{error.at[1]}: {code}: ")


@pytest.mark.parametrize("name", CASES)
def test_both_flavours(name: str, tmp_path: Path) -> None:
    """Of the fast one also as it is kept, tuned for the interpreter."""
    rules, code, line = CASES[name]
    game, lines = built(tmp_path, rules)
    for flavour in (game, game.full, tuned_game(read_spec(tmp_path / "tiny", "tiny"), 2)):
        found = [played(flavour, seed) for seed in range(4)]
        errors = [error for error, _ in found if error is not None]
        assert errors
        for error in errors:
            check(error, code, line, lines)
        assert all(same for _, same in found)


@pytest.mark.parametrize("name", CASES)
def test_playouts(name: str, tmp_path: Path) -> None:
    rules, code, line = CASES[name]
    game, lines = built(tmp_path, rules)
    errors = 0
    for seed in range(3):
        try:
            game.random_playout(game.new_initial_state(seed), seed)
        except EngineError as error:
            check(error, code, line, lines)
            errors += 1
    assert errors


@pytest.mark.parametrize("name", FULL_ONLY)
def test_full_flavour(name: str, tmp_path: Path) -> None:
    rules, code, line = FULL_ONLY[name]
    game, lines = built(tmp_path, rules)
    found = [played(game.full, seed) for seed in range(4)]
    assert all(same for _, same in found)
    for error, _ in found:
        assert error is not None
        check(error, code, line, lines)
    # the fast flavour does not look, and goes on
    assert [played(game, seed)[0] for seed in range(4)] == [None] * 4


MISSING = {
    "a piece that is not there": "there is no ace left in 'row'",
    "more pieces than there are": "there is no ace left in 'deck'",
    "an empty deck": "nothing is left in 'deck'",
    "an empty deck drawn from": "nothing is left in 'deck'",
    "a hand without the card": "there is no king left in 'hand' of Blue",
    "a team without the piece": "there is no king left in 'screen' of Blue",
}


@pytest.mark.parametrize("name", MISSING)
def test_which_zone_is_without_which_piece(name: str, tmp_path: Path) -> None:
    own = {
        "a hand without the card": ASK + "        move king from hand[p] to row\n",
        "a team without the piece": ASK
        + "        for i in 1 .. 10:\n            put b in Guard of king from screen[p] with place = 1 seen by p\n"
        "            take b to front[p]\n",
    }
    rules = own.get(name) or CASES[name][0]
    if "front" in rules:
        state = STATE.replace("    standing", "    front per Player\n    standing")
        game, _ = built(tmp_path, rules, state)
    else:
        game, _ = built(tmp_path, rules)
    for flavour in (game, game.full):
        errors = [played(flavour, seed)[0] for seed in range(4)]
        told = {error.message for error in errors if error is not None}
        assert told == {MISSING[name]}


def test_a_state_can_be_played_on_after_an_error(tmp_path: Path) -> None:
    """Another option than the one that failed can be taken."""
    game, _ = built(tmp_path, ASK + "        total = 6 // (a - 1)\n")
    state = game.full.new_initial_state(1)
    with pytest.raises(EngineError):
        state.apply_action(state.legal_actions()[0])
    assert state.story == []
    state.apply_action(state.legal_actions()[1])
    assert state.total == 6


# ---------------------------------------------------------------- what is asked of a position beside playing on

ASKED = """\
state:
    line: list of 0..9 max 4 = []
procedure play():
    for p in Player:
        choose n in 0 .. 3 by p as pick{say}
            where n < 2 or n <= size(line)
            where n < 2 or line[n] > 2
        append n to line
outcome p in Player by size(line){key}
heuristic p: size(line) * 2{worth}
"""


def asked(folder: Path, say: str = "", key: str = "", worth: str = "") -> tuple[Game, list[str]]:
    return built(folder, ASKED.format(say=say, key=key, worth=worth), "")


def told_at(error: pytest.ExceptionInfo[EngineError], text: list[str], words: str) -> None:
    at = error.value.at
    assert error.value.code == "RW1006" and at is not None
    assert words in text[int(str(at[1])) - 1]


def test_a_rank_by_what_is_not_there(tmp_path: Path) -> None:
    game, text = asked(tmp_path, key=", line[4]")
    state = game.new_initial_state(1)
    # bots judge by it before the end, where it need not have a meaning
    assert Judge(game).estimates(state)[:2] == [0, 0]
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    for ask in (state.returns, state.ranking):
        with pytest.raises(EngineError) as error:
            ask()
        told_at(error, text, "outcome p")


def test_an_estimate_by_what_is_not_there(tmp_path: Path) -> None:
    game, text = asked(tmp_path, worth=" + line[4]")
    with pytest.raises(EngineError) as error:
        Judge(game)
    told_at(error, text, "heuristic p")


def test_an_estimate_that_has_no_meaning_later(tmp_path: Path) -> None:
    game, text = asked(tmp_path, worth=" + (1 if size(line) == 0 else line[4])")
    judge, state = Judge(game), game.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(EngineError) as error:
        judge.estimates(state)
    told_at(error, text, "heuristic p")


def test_words_about_what_is_not_there(tmp_path: Path) -> None:
    game, text = asked(tmp_path, say=' say "picks {n} after {line[3]}"')
    state = game.new_initial_state(1)
    with pytest.raises(EngineError) as error:
        state.action_to_string(state.legal_actions()[0])
    told_at(error, text, "choose n")


def test_a_condition_that_has_a_meaning_only_where_those_before_it_hold(tmp_path: Path) -> None:
    game, _ = asked(tmp_path)
    state = game.new_initial_state(1)
    assert len(state.legal_actions()) == 2
    reasons = state.why_not("pick", 3)
    assert [r["text"] for r in reasons] == ["n < 2 or n <= size(line)"]
