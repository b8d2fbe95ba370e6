"""Slips in every sort of file of a spec: each is told once, at its place, with what would be right."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from common import GAMES

from rulewright.checking import check_folder
from rulewright.compiler.build import read_spec
from rulewright.compiler.text.diagnostics import Problem, SpecError


@dataclass(frozen=True)
class Slip:
    """What stands in place of what, and what must be said: code, the text at its place, some words; `where`: in another file than the slip."""

    file: str
    right: str
    wrong: str
    code: str
    at: str
    words: str
    where: str = ""
    severity: str = "error"


RICH, RULES, ONE = "variants/rich.yaml", "play.rules", "scenarios/first.yaml"
SLIPS = {
    # the view
    "a brace that is not closed": Slip("view.yaml", "{leader}", "{leader", "RW0630", '"leader {leader"', "write {name} for a value"),
    "a brace too many": Slip("view.yaml", "{text}, {points} points", "{text}, points} points", "RW0630", '"{text}, points}', "write {name} for a value"),
    "a misspelt zone, with a look": Slip("view.yaml", "of: row", "of: rows", "RW0501", "rows", "did you mean 'row'?"),
    "a zone that is state": Slip("view.yaml", "of: row", "of: coins", "RW0501", "coins", "no zone 'coins'"),
    # bots
    "a bot called like one that every game has": Slip("bots.yaml", "  hasty:", "  greedy:", "RW0306", "greedy", "give it another name"),
    "any behind a value": Slip("bots.yaml", "{nothing: 0, mill: 4}", "{nothing: 0, any: 4}", "RW0306", "any", "write 'any' first"),
    "a group behind a value": Slip("bots.yaml", "{nothing: 0, mill: 4}", "{mill: 4, m*: 1}", "RW0306", "m*", "write 'm*' first"),
    "a search of nothing": Slip("bots.yaml", "plays: greedy", "plays: 'mcts:0'", "RW0313", "'mcts:0'", "mcts:N"),
    # scenarios
    "a decision without a value": Slip(ONE, "discard: enough", "discard: []", "RW0136", "[]", "the word that the rules have after 'or'"),
    # variants
    "variants that need each other": Slip(RICH, "players: [2, 3]", "needs: [deep]", "RW0404", "rich", "neither comes first", where="variants/deep.yaml"),
    "a variant that can never be chosen": Slip(RICH, "players: [2, 3]", "needs: [calm]", "RW0405", "calm", "'rich' can never be chosen"),
    "a row changed and removed": Slip(RICH, "change: {mill: {cost: 2}}", "change: {mill: {cost: 2}}\n    remove: [mill]", "RW0411", "mill]", "leave one of them out"),
    "an option called like a constant": Slip("variants/calm.yaml", "constants: {hand_size: {value: 2}}",
        "options: {hand_size: {type: 1..3, default: 2, about: How many.}}", "RW0408", "hand_size", "give one of them another name"),
    "a constant called like an option": Slip("game.yaml", "  first_player: {type: Player, default: 0", "  rounds: {type: 1..5, default: 2", "RW0306", "rounds",
        "give one of them another name", where="tables.yaml"),
    "a number changed to true": Slip(RICH, "rounds: {value: 3}", "rounds: {value: true}", "RW0410", "true", "not its type"),
    "a list changed to a number": Slip(RICH, "rounds: {value: 3}", "ladder: {value: 3}", "RW0410", "3}", "is a list in the game, and a number here"),
    "a variant that can't be read": Slip(RICH, "players: [2, 3]", "automatic: yes", "RW0121", "yes", "write true or false"),
    "rules of a variant that are no list": Slip(RICH, "rules: [rich.rules]", "rules: rich.rules", "RW0134", "rich.rules", "write: [rich.rules]"),
    # files of comma-separated values
    "semicolons for commas": Slip("spices.csv", "spice, price, grows\n", "spice; price; grows\n", "RW0328", "; price", "separated by commas"),
    "tabs for commas": Slip("spices.csv", "spice, price, grows\n", "spice\tprice\tgrows\n", "RW0328", "\tprice", "separated by commas"),
    "a quote that is not closed": Slip("spices.csv", "clubs hearts", '"clubs hearts', "RW0205", '"clubs', "close it on the same line"),
    "a column twice": Slip("spices.csv", "price, grows", "price, price", "RW0306", "price\n", "defined twice"),
    "a misspelt file": Slip("tables.yaml", "csv: spices.csv", "csv: spice.csv", "RW0101", "spice.csv", "did you mean 'spices.csv'?"),
    "a word for a number": Slip("spices.csv", "9, -", "nine, -", "RW0132", "nine", "digits"),
    # rows that are made
    "a range that goes down": Slip("tables.yaml", '"1 .. 5"', '"5 .. 1"', "RW0320", "Card", "has no rows"),
    "a column without its row": Slip("tables.yaml", '"this.suit == hearts"', '"suit == hearts"', "RW0501", "suit ==", "write this.suit"),
    # zones that keep their order
    "a look at place nothing": Slip(RULES, "show deck[1]", "show deck[0]", "RW0613", "0]", "the first entry has the place 1"),
    "a look beyond all pieces": Slip(RULES, "show deck[1]", "show deck[99]", "RW0613", "99]", "from 1 to 14"),
    "laid at place nothing": Slip(RULES, "to row on bottom", "to row at 0", "RW0613", "0\n", "the first piece has the place 1"),
    "more dealt than there are": Slip("tables.yaml", "hand_size: {value: 3}", "hand_size: {value: 99}", "RW0613", "hand_size", "at most 14", where=RULES),
    # rules
    "a loop that goes down": Slip(RULES, "for n in 1 .. rounds", "for n in rounds .. 1", "RW0804", "rounds .. 1", "a range goes up", severity="warning"),
    "sorted as elsewhere": Slip(RULES, "let order = sort(p in Player: coins[p])\n        for p in order", "for p in sort(coins)", "RW0501", "sort(", "write: sort(x in D: key)"),
    "a condition on one of several": Slip(RULES, "where sum(x in gone_cards: x.rank) <= 6", "where x.rank <= 6", "RW0501", "x.rank", "names of this place: gone_cards, p, c, h"),
}  # fmt: skip


def told(folder: Path) -> list[Problem]:
    try:
        spec = read_spec(folder, "lab")
        return list(check_folder(spec, folder).all())
    except SpecError as error:
        return list(error.problems.all())


def test_the_spec_is_fine_without_them() -> None:
    assert told(GAMES / "lab") == []


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_told_once_at_its_place(name: str, tmp_path: Path) -> None:
    slip, folder = SLIPS[name], tmp_path / "lab"
    shutil.copytree(GAMES / "lab", folder)
    text = (folder / slip.file).read_text(encoding="utf-8")
    assert slip.right in text
    (folder / slip.file).write_text(text.replace(slip.right, slip.wrong, 1), encoding="utf-8")
    problem, *others = told(folder)
    assert not [p.message for p in others if p.code != slip.code]
    assert (problem.code, problem.severity) == (slip.code, slip.severity)
    assert problem.span.file == f"lab/{slip.where or slip.file}"
    lines = (folder / (slip.where or slip.file)).read_text(encoding="utf-8").split("\n")
    there = "\n".join(lines[problem.span.line - 1 :])[problem.span.column - 1 :]
    assert there.startswith(slip.at)
    assert slip.words in f"{problem.message} {problem.expected} {problem.hint}"
