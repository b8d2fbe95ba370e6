"""What fails after an edit: sorted into what tells of the edit and what is a surprise, by the command and by the studio."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compiler.text.source import Span
from rulewright.conformance.compare_facts import Mismatch
from rulewright.conformance.outcomes import Outcome
from rulewright.conformance.sorting import (
    BEFORE,
    SURPRISE,
    TELLS,
    Touched,
    sort_failure,
    touched,
)
from rulewright.language.conformance import conformance, surviving
from rulewright.new_specs import make_copy, make_game

KEPT = "What is kept counts at the end, and so do coins"
AGAIN = "Rolling again costs a coin"
SPAN = Span("scenarios/x.yaml", 1, 1, 1, 2)


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    """A small game, and a copy to be edited."""
    original = make_game("stand", tmp_path)
    return original, make_copy("mine", original, tmp_path)


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def heaps(mine: Path, original: Path) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for failure in conformance(mine, original)["failures"]:
        out.setdefault(failure["heap"], set()).add(failure["name"])
    return out


# file, before, after, and which scenarios are in which heap then
EDITS = [
    ("goods.yaml", "cloth: {value: 4", "cloth: {value: 5", {TELLS: {KEPT}}),
    ("game.rules", "score coins[p] to p", "score 2 * coins[p] to p", {TELLS: {KEPT}}),
    ("game.rules", "g.value * kept[p][g]", "kept[p][g]", {TELLS: {KEPT}}),
    ("game.rules", "coins[p] -= 1 ", "coins[p] -= 2 ", {TELLS: {AGAIN}}),
    ("goods.yaml", "starting_coins: {value: 3", "starting_coins: {value: 2", {SURPRISE: {AGAIN}}),
    # a turn that no game comes to can still be told of
    ("game.rules", "            turn(p)\n", "", {}),
    ("goods.yaml", "rounds: {value: 5", "rounds: {value: 4", {}),
]


@pytest.mark.parametrize("file, old, new, wanted", EDITS)
def test_failures_are_sorted(
    both: tuple[Path, Path], file: str, old: str, new: str, wanted: dict[str, set[str]]
) -> None:
    original, mine = both
    edit(mine, file, old, new)
    assert heaps(mine, original) == wanted


def test_an_option_more_that_was_changed_is_no_surprise() -> None:
    """A scenario whose text does not name the row that was changed, and in which it is possible now."""
    changed = Touched(names={"hoist"})

    def heap(came: str) -> str:
        mismatch = Mismatch(SPAN, "legal [paddock, shop]", came)
        outcome = Outcome("Three camels", "2 players", SPAN, (), (mismatch,), None, "")
        return sort_failure(outcome, "given: {camels: {0: 3}}", changed, set())

    assert heap("legal is [paddock, shop, hoist]; too many [hoist]") == TELLS
    assert heap("legal is [paddock, shop, bazaar]; too many [bazaar]") == SURPRISE


def test_what_failed_before_is_no_surprise(both: tuple[Path, Path]) -> None:
    original, mine = both
    for folder in both:
        edit(folder, "scenarios/turn.yaml", "coins: {0: 2}", "coins: {0: 1}")
    edit(mine, "goods.yaml", "cloth: {value: 4", "cloth: {value: 5")
    assert heaps(mine, original) == {TELLS: {KEPT}, BEFORE: {AGAIN}}


def test_the_command_says_it_too(
    both: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    original, mine = both
    edit(mine, "game.rules", "score coins[p] to p", "score 2 * coins[p] to p")
    edit(mine, "goods.yaml", "starting_coins: {value: 3", "starting_coins: {value: 2")
    code, told = command(capsys, "test", str(mine), "--original", str(original))
    # the scenario of rolling again runs with two and with three players
    first, second = told.index("surprise: 2 failures"), told.index(
        "tells of what you changed: 1 failure"
    )
    assert code == 1 and first < told.index(AGAIN) < second < told.index(KEPT)
    assert command(capsys, "test", str(original), "--original", str(original))[0] == 0


def command(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as left:
        main([*args])
    return left.value.code or 0, capsys.readouterr().out


def test_nothing_is_touched_by_comments_and_layout(both: tuple[Path, Path]) -> None:
    original, mine = both
    edit(mine, "game.rules", "# What happens", "# All that happens")
    edit(mine, "goods.yaml", "wine: {value: 2, lowest: 4,", "wine: {lowest: 4, value: 2,")
    assert touched(original, mine).nothing


def test_clauses_with_rules_and_scenarios_and_the_lines_that_ran(both: tuple[Path, Path]) -> None:
    found = conformance(both[1], both[0])
    assert not found["failures"] and not found["problems"]
    again = next(c for c in found["clauses"] if c["id"] == "turn.again")
    assert again["rule"].startswith("You may pay a coin")
    assert {s["name"] for s in again["scenarios"]} == {AGAIN, "Without a coin nobody rolls again"}
    assert any("coins[p] -= 1" in place["text"] for place in again["cited"])
    text = (both[1] / "game.rules").read_text().split("\n")
    kinds = {
        text[line - 1].strip().partition(" ")[0]: note["kind"]
        for line, note in found["margins"]["game.rules"].items()
    }
    # the round is never played in a scenario, a turn is
    assert kinds["round"] == "missed" and kinds["roll"] == "run"


def test_small_changes_that_nobody_notices_are_notes_of_their_lines(
    both: tuple[Path, Path],
) -> None:
    found = surviving(both[1], "game.rules", most=200)
    text = (both[1] / "game.rules").read_text().split("\n")
    noted = {text[line - 1].strip() for line in found["notes"]}
    # no scenario plays the rounds, so nothing notices a change of their loop; what a roll costs is noticed
    assert any("1 .. rounds" in line for line in noted), noted
    assert not any("coins[p] -= 1" in line for line in noted)
    assert found["tried"] == found["of"] > 10
