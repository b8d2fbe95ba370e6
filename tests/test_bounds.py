"""Numbers near and outside the bounds of sets, maps and lists: both flavours say the same, and it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.compiler.build import check_spec, read_spec
from rulewright.engines import game_of

GAME = "game: tiny\ntitle: Tiny\nplayers: [2]\nseats: [Blue, Green]\nneutral: [grey]\nreasons: {x: points}\n"
STATE = """\
state:
    faces: set of 1..6
    digits: set of 0..9
    few: set of 0..3
    level: map -2..2 to 0..9
    team: set of Player
    all_of_them: set of Participant

procedure play():
    choose n in 2 .. 2 by first_of(Player) as number
    faces = {n, n + 1}
    digits = {n, 9}
    few = {n, 0}
    level[-n] = 5
    team = {first_of(Player)}
    all_of_them = Participant
    score total(n) to first_of(Player) for x

outcome p in Player by score[p]

"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 if n in faces else 0", 1),
        ("1 if n - 2 in faces else 0", 0),
        ("1 if n + 5 in faces else 0", 0),
        ("1 if 0 in faces or 7 in faces or -1 in digits else 0", 0),
        ("1 if 0 not in faces and 99 not in faces else 0", 1),
        ("1 if n * 1000000000 in faces else 0", 0),
        ("sum(k in 0 .. 9 where k in faces: k)", 5),
        ("sum(k in {k in 0 .. 9 where k in faces}: k)", 5),
        ("sum(k in {k in 0 .. 9 where k not in faces}: k)", 40),
        ("sum(k in {k in 0 .. 9 where k in faces or k in digits}: k)", 14),
        ("sum(k in digits | few: k)", 11),
        ("sum(k in few | digits: k)", 11),
        ("sum(k in few & digits: k)", 2),
        ("sum(k in digits - few: k)", 9),
        ("sum(k in {0, 1} | digits: k)", 12),
        ("sum(k in (few if n > 5 else digits): k)", 11),
        ("1 if few meets digits and not few within digits else 0", 1),
        ("level[-2] + level[2]", 5),
        ("sum(k in -2 .. 2: k * level[k])", -10),
        ("size(team | all_of_them) * 10 + size(all_of_them - team)", 32),
        ("size(all_of_them & team)", 1),
        ("count(w in Participant where w in team)", 1),
    ],
)  # fmt: skip
def test_value(expression: str, value: int, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "play.rules").write_text(f"{STATE}function total(n: 2..3) -> int = {expression}\n")
    spec = read_spec(tmp_path, "tiny")
    assert check_spec(spec).errors == []
    game = game_of(spec, 2)
    for flavour in (game, game.full):
        state = flavour.new_initial_state(1)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        assert state.scores()[0] == value
