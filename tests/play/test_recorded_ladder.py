"""The recorded ladders of fixed opponents: of the rules and bots that there are, ordered, and told when they are not."""

import json

import pytest

from rulewright.bench import ladder
from rulewright.engines import games


@pytest.mark.parametrize("game", games())
def test_the_records_are_of_these_rules_and_bots(game: str) -> None:
    again = f"record it anew: python -m rulewright.bench.ladder record {game}"
    assert ladder.changed(game) == [], again
    found = ladder.recorded(game)
    assert {one["bot"] for one in found["bots"]} == set(ladder.RUNGS)
    ratings = {one["bot"]: one["rating"] for one in found["bots"]}
    assert ratings[ladder.RUNGS[0]] == 0
    for one in found["bots"]:
        assert one["interval"][0] <= one["rating"] <= one["interval"][1]
    # every game has a seat for each of its players
    seats = found["blocks"] * found["block"] * found["players"]
    assert sum(one["games"] for one in found["bots"]) == seats


def test_what_has_changed_is_named(tmp_path, monkeypatch, capsys) -> None:
    game = games()[0]
    original, found = ladder.recorded(game), ladder.recorded(game)
    found["ruleset"] = "0" * 24
    found["bots"][1]["hash"] = "f" * 16
    monkeypatch.setattr(ladder, "LADDERS", tmp_path)
    (tmp_path / f"{game}.json").write_text(json.dumps(found))
    assert ladder.main(["check", game]) == 1
    told = capsys.readouterr().out
    assert f"the rules of {game}" in told and found["bots"][1]["bot"] in told
    assert found["bots"][0]["bot"] not in told
    # and nothing is rated against what is not the same any more
    assert ladder.main(["rate", game, "random"]) == 1
    # a record of too few games is told as such, and is no mistake
    found = original
    found["bots"][0]["interval"] = [-5.0, 400.0]
    (tmp_path / f"{game}.json").write_text(json.dumps(found))
    assert ladder.main(["check", game]) == 0
    assert f"{found['bots'][0]['bot']} is not clearly apart" in capsys.readouterr().out
    (tmp_path / f"{game}.json").unlink()
    assert ladder.main(["check", game]) == 2
    assert "record" in capsys.readouterr().err
