"""Figures that mislead nobody: fixed shares, seats' colours, wide tables, the judge of rules, the demo's sentence."""

import io

import pytest
from rich.console import Console

from rulewright import demo
from rulewright.cli.compare import judge_of
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import load
from rulewright.report.page import page
from rulewright.report.svg import colour, named_colour
from rulewright.simulate.one import Row
from rulewright.simulate.show import show_summary
from rulewright.simulate.summary import Summary


def summary_of(bots, games=8, reasons=("souks", "loading", "caravan", "buildings", "cards")):
    """Games in which seat after seat wins, with these bots at their seats."""
    seats = ["Blue", "Green", "Red", "Yellow"][: len(bots)]
    names = list(dict.fromkeys(bots))
    meta = {
        "title": "Trial", "players": len(bots), "variants": [], "seed": 0, "bots": names, "seats": seats,
        "reasons": {r: f"points of {r}" for r in reasons}, "choices": [], "ruleset": "x", "called": "week",
    }  # fmt: skip
    out = Summary(meta)
    for n in range(games):
        wins = [1.0 if i == n % len(bots) else 0.0 for i in range(len(bots))]
        scores = [50 + 10 * int(w) for w in wins]
        points = [[s - 40, 10, 10, 10, 10][: len(reasons)] for s in scores]
        ranks = [1 if w else 2 for w in wins]
        sitting = [names.index(b) for b in bots]
        out.add(
            Row(n, n, sitting, scores, ranks, wins, points, 20, [{} for _ in bots], [scores, scores], [points, points])
        )  # fmt: skip
    return out


def shown(summary, width):
    out = io.StringIO()
    show_summary(summary, console=Console(file=out, width=width, no_color=True))
    return out.getvalue()


def test_a_share_that_is_fixed_is_left_out():
    alone = summary_of(["greedy"] * 4)
    table = shown(alone, 160).partition("By seat")[0]
    assert "wins" not in table and "25.0 %" not in table and "52.5" in table
    assert "share" not in alone.to_json()["bots"]["greedy"]
    assert "share" in alone.to_json()["seats"]["Blue"]
    assert "Wins by bot" not in page(alone) and "Scores by bot" in page(alone)


def test_shares_of_several_bots_stay():
    mixed = summary_of(["greedy", "random"] * 2)
    assert "wins" in shown(mixed, 160).partition("By seat")[0]
    assert "interval" in mixed.to_json()["bots"]["random"]
    assert "Wins by bot" in page(mixed)


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_no_heading_is_cut_off(width):
    text = shown(summary_of(["greedy", "builder", "caravaneer", "greedy"]), width)
    assert "…" not in text and "buildings" in text
    one_table = text.partition("By seat")[0].count("caravaneer") == 1
    assert one_table == (width > 125)


def test_seats_are_drawn_in_the_colour_they_are_called_by():
    text = page(summary_of(["greedy", "random"] * 2))
    _, _, seats = text.partition("Share of wins by seat")
    drawn = [
        seats.index(f'fill="{named_colour(name, 9)}"')
        for name in ("Blue", "Green", "Red", "Yellow")
    ]
    assert drawn == sorted(drawn)
    assert named_colour("Green", 1) == named_colour(" green", 0) != colour(1)
    assert named_colour("Ada", 3) == colour(3)


def test_rules_are_judged_by_the_bot_that_the_spec_names():
    assert judge_of("yspahan") == judge_of("yspahan+souks@4") == "caravaneer"
    assert judge_of("ys") == "greedy"


def test_a_judge_that_is_not_there_is_told(tmp_path):
    from rulewright.bots.strategies import read_book

    (tmp_path / "bots.yaml").write_text("judge: greddy\n")
    with pytest.raises(SpecError, match="did you mean 'greedy'"):
        read_book(tmp_path, load("ys", 3))


def test_compare_names_its_judge_and_what_it_hardly_does(run, tmp_path):
    folder = tmp_path / "walk"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        "game: walk\ntitle: Walk\nplayers: [2]\nseats: [Ada, Bo]\nreasons: {play: play}\n"
    )
    (folder / "bots.yaml").write_text(
        "bots:\n  goer:\n    about: Goes.\n    weights: {way: {rest: 0}}\njudge: goer\n"
    )
    (folder / "all.rules").write_text(
        "procedure play():\n    for r in 1 .. 9:\n        for p in Player:\n            either by p as way:\n"
        "                option go: score 1 to p for play\n                option rest: pass\n\n"
        "outcome p in Player by score[p]\n"
    )
    done = run("compare", folder, folder, "-n", 4)
    assert done.code == 0, done.err
    assert "bots goer" in done.out
    assert "hardly ever do this" in done.out and "rest (way, 0.0 %)" in done.out


def test_the_demo_says_what_its_figures_say():
    text = demo.says(summary_of(["greedy", "builder", "caravaneer", "greedy"]))
    assert text.startswith(("greedy wins 25 %", "builder wins 25 %", "caravaneer wins 25 %"))
    assert "not clearly ahead of" in text and text.endswith(".")


def test_the_demos_bots_differ():
    for name in ("yspahan", "mykerinos", "ys"):
        bots = demo.characters(name)
        assert len(bots) == demo.SEATS and len(set(bots)) > 1 and "random" not in bots
