"""Mistakes that people make while they edit a real game: each is told at its place, with its cause and what would be right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from common import copy_of

from rulewright.checking import check_folder
from rulewright.compiler.build import read_spec
from rulewright.compiler.text.diagnostics import Problem, SpecError


@dataclass(frozen=True)
class Slip:
    """What was written in place of what, and what must be said about it: code, file, the text at its place, some words."""

    file: str
    right: str
    wrong: str
    code: str
    at: str
    words: str
    where: str = ""  # the file of the message, where it is another
    severity: str = "error"
    game: str = "yspahan"


SLIPS = {
    "a misspelt constant in a variant": Slip(
        "variants/two-players.yaml", "white_dice: {value: 8", "white_dices: {value: 8", "RW0416", "white_dices", "did you mean 'white_dice'?",
    ),
    "a misspelt function in the bots": Slip(
        "bots.yaml", "BOTS", "bots:\n  odd:\n    about: Odd.\n    plays: greedy\n    evaluation: days_lefft() + gold[p]\n", "RW0501", "days_lefft", "did you mean 'days_left'?",
    ),
    "a misspelt member in the bots": Slip("bots.yaml", "hoist: 4", "hoits: 4", "RW0325", "hoits", "did you mean 'hoist'?"),
    "a misspelt kind in the view": Slip("view.yaml", "of: TowerSquare", "of: TowerSqare", "RW0501", "TowerSqare", "did you mean 'TowerSquare'?"),
    "a misspelt name in a scenario": Slip("scenarios/first.yaml", "SCENARIO", "camles: {0: 3}", "RW0501", "camles", "did you mean 'camels'?"),
    "five players in a list for four": Slip(
        "game.yaml", "SEATS", "players: [2, 3, 4, 5]", "RW0648", "playing_order()", "5 entries, but there is room for 4", "day.rules",
    ),
    "a week of two hundred days": Slip("constants.yaml", "days_per_week: {value: 7", "days_per_week: {value: 200", "RW0323", "200", "from 1 to 100"),
    "a price below nothing": Slip("constants.yaml", "yellow_price: {value: 1", "yellow_price: {value: -1", "RW0323", "-1", "at least 0"),
    "a list that is too short": Slip("variants/souks.yaml", "[0, 3, 5, 8]", "[0, 3, 5]", "RW0324", "[0, 3, 5]", "4 of them"),
    "a road that falls apart": Slip("board.yaml", "w3: {neighbours: [w2]", "w3: {neighbours: []", "RW0326", "w3", "there is no way from 'centre' to 'w3'"),
    "a road with a way round": Slip("board.yaml", "w3: {neighbours: [w2]", "w3: {neighbours: [w2, n1]", "RW0326", "n1", "closes a circle"),
    "a seventh square of the tower": Slip(
        "tower.yaml", "  gold:\n    above: gold", "  roof: {above: gold, action: \"take_gold(me, dice)\"}\n  gold:\n    above: gold", "RW0326", "roof", "nothing leads to 'roof'",
    ),
    "no game at all": Slip("constants.yaml", "weeks: {value: 3", "weeks: {value: 0", "RW0323", "0", "from 1 to 99"),
    "three for a number": Slip("constants.yaml", "weeks: {value: 3", "weeks: {value: three", "RW0132", "three", "numbers are written in digits: 3"),
    "too few places to pass": Slip(
        "constants.yaml", "    value: 4\n    from: players", "    value: 3\n    from: players", "RW0323", "3", "at least 4", game="mykerinos",
    ),
    "more cubes than there are": Slip("constants.yaml", "3: 11, 4: 8", "3: 26, 4: 8", "RW0323", "26", "from 1 to 25", game="mykerinos"),
    "a start above the scale": Slip("constants.yaml", "value: 8\n", "value: 18\n", "RW0323", "18", "from 1 to 15", game="ys"),
    "one move too few": Slip("constants.yaml", "[2, 1, -1, -2]", "[2, 1, -2]", "RW0324", "[2, 1, -2]", "4 of them", game="ys"),
    "a file that nothing reads": Slip(
        "notes.bak", "", "old", "RW0322", "", "nothing is read from this file", severity="warning", game="mykerinos",
    ),
}  # fmt: skip


def edited(slip: Slip, folder: Path) -> Path:
    copy = copy_of(slip.game, folder)
    file = copy / slip.file
    if slip.right == "SCENARIO":
        file.write_text(
            "- scenario: somebody has camels\n  covers: setup.gold\n  players: 3\n"
            f"  given: {{{slip.wrong}}}\n  then: {{decides: 0}}\n",
            encoding="utf-8",
        )
    elif slip.right == "SEATS":
        text = file.read_text(encoding="utf-8")
        text = text.replace("players: [2, 3, 4]", slip.wrong).replace("Yellow]", "Yellow, Black]")
        file.write_text(text, encoding="utf-8")
    elif slip.right == "BOTS" or not file.exists():
        file.write_text(slip.wrong, encoding="utf-8")
    else:
        text = file.read_text(encoding="utf-8")
        assert slip.right in text
        file.write_text(text.replace(slip.right, slip.wrong, 1), encoding="utf-8")
    return copy


def told(folder: Path) -> tuple[list[Problem], dict[str, list[str]]]:
    """All problems, and the lines of the files."""
    try:
        spec = read_spec(folder, folder.name)
        found = check_folder(spec, folder).all()
    except SpecError as error:
        found = error.problems.all()
    files = {p.span.file for p in found}
    lines = {f: (folder.parent / f).read_text(encoding="utf-8").split("\n") for f in files if f}
    return found, lines


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_told(name: str, tmp_path: Path) -> None:
    slip = SLIPS[name]
    found, lines = told(edited(slip, tmp_path))
    assert found and all(p.code == slip.code for p in found), [p.message for p in found]
    problem = found[0]
    assert problem.severity == slip.severity
    assert problem.span.file == f"{slip.game}/{slip.where or slip.file}"
    if problem.span.line:
        line = lines[problem.span.file][problem.span.line - 1]
        assert line[problem.span.column - 1 :].startswith(slip.at)
    words = f"{problem.message} {problem.expected} {problem.hint}"
    assert slip.words in words
    assert re.search(
        r"expected|hint", f"{problem.expected and 'expected'}{problem.hint and 'hint'}"
    )
