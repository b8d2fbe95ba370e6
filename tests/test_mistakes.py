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
    "a neighbour that there is not": Slip("board.yaml", "w3: {neighbours: [w2]", "w3: {neighbours: [w22]", "RW0325", "w22", "did you mean 'w2'?"),
    "signs the wrong way round, to take away": Slip("tower.rules", "gold[p] -= n", "gold[p] =- n", "RW0203", "=-", "write '-=' to take away"),
    "signs the wrong way round, to compare": Slip("tower.rules", "yellow_price <= gold", "yellow_price =< gold", "RW0203", "=<", "write '<=' to compare"),
    "a procedure without its brackets": Slip("tower.rules", "cast_dice(n)", "cast_dice n", "RW0201", "n", "to carry out a procedure, write cast_dice(n)"),
    "a procedure named, and not carried out": Slip("tower.rules", "    fill_tower()", "    fill_tower", "RW0214", "fill_tower", "write fill_tower(…)"),
    "an argument left out": Slip("tower.rules", "cast_dice(n)", "cast_dice()", "RW0626", "cast_dice()", "takes 1 argument, here there is none"),
    "a name in the plural": Slip("characters.yaml", "in Broker by me as mercenary_mark", "in Brokers by me as mercenary_mark", "RW0501", "Brokers", "did you mean 'Broker'?", game="ys"),
    "compared for assigned": Slip("characters.yaml", "b.marked = true", "b.marked == true", "RW0214", "b.marked", "write '='", game="ys"),
    "a misspelt field": Slip("characters.yaml", "b.marked = true", "b.market = true", "RW0501", "market", "did you mean 'marked'?", game="ys"),
    "a number for a truth value": Slip("characters.yaml", "free_facing[me] = true", "free_facing[me] = 1", "RW0601", "1", "a truth value", game="ys"),
    "a member that there is not": Slip("characters.yaml", "window: placing_start", "window: placing_strat", "RW0325", "placing_strat", "did you mean 'placing_start'?", game="ys"),
    "yes for true": Slip("characters.yaml", "lasting: true", "lasting: yes", "RW0121", "yes", "write true or false", game="ys"),
    "a misspelt key": Slip("constants.yaml", "cite: ", "site: ", "RW0137", "site", "did you mean 'cite'?", game="mykerinos"),
    "a misspelt clause": Slip("tower.rules", "@supply.yellow-limit", "@supply.yelow-limit", "RW0901", "@supply.yelow-limit", "did you mean 'supply.yellow-limit'?"),
    "a decimal number": Slip("constants.yaml", "weeks: {value: 3", "weeks: {value: 3.5", "RW0125", "3.5", "a plain integer"),
    "a number in quotes": Slip("constants.yaml", "days_per_week: {value: 7", "days_per_week: {value: '7'", "RW0132", "'7'", "without quotes"),
    "a misspelt file of rules": Slip(
        "variants/kings-favor.yaml", "[kings-favor.rules]", "[kings-favour.rules]", "RW0101", "kings-favour.rules", "did you mean 'kings-favor.rules'?", game="ys",
    ),
    "a misspelt table of a variant": Slip("variants/kings-favor.yaml", "  Character:\n", "  Charakter:\n", "RW0406", "Charakter", "did you mean 'Character'?", game="ys"),
    "a misspelt row of a variant": Slip("variants/kings-favor.yaml", "      magician:\n", "      magican:\n", "RW0407", "magican", "did you mean 'magician'?", game="ys"),
    "nothing to replace": Slip("variants/kings-favor.rules", "procedure return_reserve()", "procedure return_reserv()", "RW0409", "return_reserv", "did you mean 'return_reserve'?", game="ys"),
    "a word forgotten before a rule": Slip("variants/kings-favor.rules", "replace procedure return_reserve()", "procedure return_reserve()", "RW0408", "return_reserve", "write 'replace' before it", game="ys"),
    "round brackets for square ones": Slip("variants/kings-favor.rules", "favor_points[k]", "favor_points(k)", "RW0504", "favor_points", "favor_points[…]", game="ys"),
    "an argument for the player left out": Slip("cards.yaml", 'effect: "gain_camels(me, 3)"', 'effect: "gain_camels(3)"', "RW0626", "gain_camels(3)", "gain_camels(p: Player, n: 0..500)"),
    "arguments the wrong way round": Slip("cards.yaml", 'effect: "gain_gold(me, 3)"', 'effect: "gain_gold(3, me)"', "RW0601", "3", "a Player"),
    "rules in a cell without quotes": Slip(
        "buildings.yaml", 'power: "on camels_taken(me, dice): result + 1"', "power: on camels_taken(me, dice): result + 1", "RW0110", ": result", "in quotes",
    ),
    "on for after": Slip("buildings.yaml", "after send_good(me, from_shop): draw_card(me)", "on send_good(me, from_shop): draw_card(me)", "RW0833", "send_good", "before or after"),
    "a seat by its name": Slip("game.yaml", "first_player: {type: Player, default: 0", "first_player: {type: Player, default: Blue", "RW0325", "Blue", "0 or 1"),
    "counted from nothing": Slip("day.rules", "first = order[1]", "first = order[0]", "RW0613", "0", "the first entry has the place 1"),
    "counted too far": Slip("day.rules", "first = order[1]", "first = order[5]", "RW0613", "5", "from 1 to 4"),
    "a number for a list": Slip("game.yaml", "players: [2, 3, 4]", "players: 4", "RW0134", "4", "write: [4]"),
    "a range for a list": Slip("game.yaml", "players: [2, 3, 4]", "players: 2..4", "RW0134", "2..4", "write: [2, 3, 4]"),
    "clauses without brackets": Slip(
        "cards.yaml", "cite: [components.cards, card.camels]", "cite: components.cards, card.camels", "RW0131", "components.cards", "write: [components.cards, card.camels]",
    ),
    "a name of another procedure": Slip("tower.rules", "gold[p] -= n", "gold[q] -= n", "RW0501", "q", "names of this place: p, n"),
    "from for in": Slip("tower.rules", "choose n in 0 ..", "choose n from 0 ..", "RW0201", "from", "say from what: choose n in"),
    "to for two dots": Slip("tower.rules", "roll d in 1 .. 6", "roll d in 1 to 6", "RW0201", "to", "a range is written: 1 .. n"),
    "a range taken from Python": Slip("tower.rules", "for i in 1 .. white_dice", "for i in range(white_dice)", "RW0501", "range", "1 .. n"),
    "a map of something": Slip("state.rules", "camels: map Player to", "camels: map of Player to", "RW0201", "of", "write: map Player to"),
    "a range the wrong way round": Slip("state.rules", "day_marker: 1..100 = 1", "day_marker: 100..1 = 1", "RW0602", "100..1", "the smaller number first"),
    "a hand of nobody": Slip("state.rules", "hand per Player visible to owner", "hand visible to owner", "RW0713", "hand", "hand per Player visible to owner"),
    "a misspelt moment": Slip("state.rules", "0..99 resets at cast ", "0..99 resets at casts ", "RW0840", "white_cast", "did you mean 'cast'?", severity="warning"),
    "a reason left out": Slip("week.rules", " for souks", "", "RW0202", "", "'for'"),
    "a value that a decision does not have": Slip("scenarios/buildings.yaml", "- build: paddock", "- build: padock", "RW0325", "padock", "did you mean 'paddock'?"),
    "a decision that there is not": Slip("scenarios/buildings.yaml", "- build: shop", "- built: shop", "RW0501", "built", "did you mean 'build'?"),
    "a seat beyond the table": Slip("scenarios/buildings.yaml", "{camels: {0: 2, 1: 8}", "{camels: {0: 2, 7: 8}", "RW0325", "7", "0 or 1"),
    "a bot that judges and is not there": Slip("bots.yaml", "judge: caravaneer", "judge: caravanner", "RW0501", "caravanner", "did you mean 'caravaneer'?"),
    "a variant for a table that is too large": Slip("variants/souks.yaml", "players: [3, 4]", "players: [3, 5]", "RW0307", "5", "2, 3 or 4"),
    "a price left out": Slip(
        "buildings.yaml", "    camels: 4\n    gold: 4\n    power: \"on souk_points", "    gold: 4\n    power: \"on souk_points", "RW0312", "bazaar", "add 'camels: …'",
    ),
    "a bracket left open in YAML": Slip(
        "constants.yaml", "to: 99, cite: structure.three-weeks}", "to: 99, cite: structure.three-weeks", "RW0110", ":", "close the mapping with '}'",
    ),
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
