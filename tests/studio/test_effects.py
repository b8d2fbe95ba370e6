"""Comparisons: intervals that hold at any time, sentences, a page."""

import json
import random
import subprocess
import sys

from rulewright.report.effects import Effect, sentence
from rulewright.report.paired import Measure


def wrong_at_some_time(interval, runs, games, seed):
    """In how many runs without any difference the interval leaves out nought at some moment, looked at after every game."""
    dice = random.Random(seed)
    wrong = 0
    for _ in range(runs):
        m = Measure("x")
        for _ in range(games):
            m.add(0.0, dice.gauss(0, 3))
            low, high = interval(m)
            if m.n >= 30 and (low > 0 or high < 0):
                wrong += 1
                break
    return wrong / runs


def test_an_interval_that_may_be_looked_at_whenever_one_likes():
    valid = wrong_at_some_time(lambda m: m.valid_interval(200), 300, 200, 1)
    usual = wrong_at_some_time(lambda m: m.interval, 300, 200, 1)
    assert valid <= 0.07
    assert usual > 0.15, "the usual interval is not made for this, or the test can't tell"


def test_it_is_not_much_wider_than_the_usual_one():
    dice, m = random.Random(2), Measure("x")
    for _ in range(200):
        m.add(0.0, dice.gauss(1, 3))
    low, high = m.valid_interval(200)
    least, most = m.interval
    assert 1.2 < (high - low) / (most - least) < 1.8


def test_sentences():
    assert (
        sentence(Effect("score", 60, 62, 2.04, 1.5, 2.6))
        == "A player scores 2.0 points more (1.5 to 2.6)."
    )
    assert (
        sentence(Effect("decisions", 300, 296, -4.0, -5.0, -3.0))
        == "Games are 4.0 decisions shorter (3.0 to 5.0)."
    )
    told = sentence(Effect("points for the caravan", 3, 4.2, 1.2, 0.9, 1.5))
    assert told == "The caravan: 1.2 points more for a player (0.90 to 1.5)."
    assert "no clear difference" in sentence(Effect("score", 60, 61, 1.0, -1.0, 3.0))
    assert sentence(Effect("score", 60, 60, 0.0, 0.0, 0.0)) == "The scores are the same."
    assert "wins 5 games in a hundred more" in sentence(
        Effect("wins of seat 1", 0.3, 0.35, 0.05, 0.01, 0.09)
    )


def test_a_page_from_the_command_line(tmp_path):
    rich = tmp_path / "my-city"
    command = [sys.executable, "-m", "rulewright"]
    subprocess.run(
        [*command, "new", "game", "shop", "--in", str(tmp_path)], check=True, capture_output=True
    )
    subprocess.run(
        [*command, "new", "variant", "rich", "--of", str(tmp_path / "shop")],
        check=True,
        capture_output=True,
    )
    rich = tmp_path / "shop" / "variants" / "rich.yaml"
    rich.write_text(rich.read_text() + "constants:\n  rounds: {value: 3}\n")
    page = tmp_path / "page.html"
    done = subprocess.run(
        [*command, "compare", str(tmp_path / "shop"), f"{tmp_path / 'shop'}+rich", "--bots", "greedy", "--games", "60",
         "--early", "--out", str(page), "--format", "json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = {m["measure"]: m for m in json.loads(done.stdout)["measures"]}
    assert found["score"]["clear"] and found["score"]["difference"] < -1
    text = page.read_text()
    assert "rounds" in text and "A player scores" in text and "<svg" in text
    assert "http://" not in text and "https://" not in text
    assert found["score"]["games"] < 60, "it was clear long before"
