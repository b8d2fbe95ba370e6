"""Lists that grow and shrink: the rules do what Python's lists do, in both flavours, saved and loaded on the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulewright

SPEC = Path(__file__).parent / "micro" / "queue"


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_as_python_does(seed: int, full: bool) -> None:
    game = rulewright.compile(SPEC, 2)
    game = game.full if full else game
    state, dice = game.new_initial_state(seed, ask_forced=True), random.Random(seed)
    line: list[int] = []
    rows: list[list[int]] = [[], []]
    n = who = 0
    while not state.is_terminal():
        copy, before = state.clone(), state.to_dict()
        action = dice.choice(state.legal_actions())
        done = state.action_to_dict(action)
        if done["choice"] == "place":
            n, who = done["value"], state.current_player()
        else:
            match done["value"]:
                case "add":
                    line.append(n)
                case "push":
                    line.insert(n - 1, 5 + n - 1)
                case "serve":
                    del line[n - 1]
                case "leave":
                    line.remove(n)
                case _:
                    pass
            rows[who].append(who)
            if len(rows[who]) > 2:
                rows[who].remove(who)
        state.apply_action(action)
        # what a copy shares with its original is never changed in place
        assert copy.to_dict() == before
        saved = state.to_dict()
        assert saved["state"]["line"] == line
        assert [saved["state"]["rows"][str(p)] for p in (0, 1)] == rows
        state = game.from_dict(saved)


def test_a_loop_goes_over_the_list_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text((SPEC / "game.yaml").read_text())
    (tmp_path / "play.rules").write_text("""
state:
    line: list of 0..9 max 6 = [1, 2, 3]

procedure play():
    for p in Player:
        choose n in 1 .. 2 by p as go
    for x in line:
        append 3 + x to line
        remove x from line
        score x to seat() for served

function seat() -> Player = first_of(Player)

outcome p in Player by score[p]
""")
    game = rulewright.compile(tmp_path, 2)
    for flavour in (game, game.full):
        state = flavour.new_initial_state(1)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        assert state.to_dict()["state"]["line"] == [4, 5, 6] and state.scores() == [6, 0]


BACK_AND_FORTH = """
function longest_way(start: Spot) -> int:
    var way: list of Spot max 7 = [start]
    var tried: Spot or none = none
    var most: 0..6 = 0
    loop:
        let q = way[size(way)]
        let last = tried
        let on = best(x in q.near where x not in way and (last is none or x > last): 0)
        if on is not none:
            append on to way
            tried = none
            most = clamp(size(way) - 1, most, 6)
        elif size(way) == 1: return most
        else:
            remove at size(way) from way
            tried = q

procedure play():
    for p in Player: score longest_way(first_of(Spot)) to p for luck

outcome p in Player by score[p]
"""


@pytest.mark.parametrize("seed", range(4))
def test_ways_are_tried_back_and_forth(tmp_path: Path, seed: int) -> None:
    """A list of a function's own is all that a search with steps back needs."""
    luck = random.Random(seed)
    links = {(a, b) for a in range(7) for b in range(a) if luck.random() < 0.45}
    near = {a: {b for b in range(7) if (max(a, b), min(a, b)) in links} for a in range(7)}

    def longest(way: list[int]) -> int:
        return max((longest([*way, b]) for b in near[way[-1]] - {*way}), default=len(way) - 1)

    rows = "".join(f"  s{a}: {{near: [{', '.join(f's{b}' for b in near[a])}]}}\n" for a in near)
    board = f"table: Spot\ncolumns: {{near: set of Spot}}\ngraph: near\nrows:\n{rows}"
    (tmp_path / "board.yaml").write_text(board, encoding="utf-8")
    game = "game: ways\ntitle: Ways\nplayers: [2]\nseats: [A, B]\nreasons: {luck: luck}\n"
    (tmp_path / "game.yaml").write_text(game, encoding="utf-8")
    (tmp_path / "play.rules").write_text(BACK_AND_FORTH, encoding="utf-8")
    built = rulewright.compile(str(tmp_path), players=2)
    for flavour in (built, built.full):
        assert flavour.new_initial_state(seed=0).scores() == [longest([0])] * 2
