"""What commands and pages call numbers and rulesets."""

import pytest

from rulewright.wording import counted, ruleset_title


@pytest.mark.parametrize(
    ("number", "words"), [(0, "no games"), (1, "1 game"), (2, "2 games"), (1000, "1000 games")]
)
def test_things_are_counted(number, words):
    assert counted(number, "game") == words


def test_a_ruleset_is_told_by_its_players_and_variants():
    assert ruleset_title("Race", 1, ()) == "Race, 1 player"
    assert ruleset_title("Race", 4, ["long", "wet"]) == "Race, 4 players with long, wet"
