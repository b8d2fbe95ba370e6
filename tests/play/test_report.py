"""Report pages, paired comparisons and differences of rulesets."""

import json
import os
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pexpect
import pytest
from common import GAMES

from rulewright.engines import UnknownGame
from rulewright.pages import plot
from rulewright.report import svg
from rulewright.report.diff_text import to_text
from rulewright.report.paired import Measure, Pairing
from rulewright.report.ruleset_differences import compare_rulesets
from rulewright.report.rulesets import parse, settle
from rulewright.simulate import make_plan

RACE = str(GAMES / "race")


# ---------------------------------------------------------------- pages


class Tags(HTMLParser):
    """Checks that what is opened is closed, and that nothing is loaded from elsewhere."""

    EMPTY = ("meta", "br", "line", "circle")

    def __init__(self):
        super().__init__()
        self.open, self.loads = [], []

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture
def table(tmp_path, run):
    path = tmp_path / "games.csv"
    got = run(
        "simulate", "yspahan", "-n", 12, "-p", 3, "--bots", "greedy:1,random,random", "--out", path
    )
    assert got.code == 0
    return path


def test_a_page_is_whole_and_stands_alone(table, run):
    got = run("report", table)
    assert got.code == 0
    text = table.with_suffix(".html").read_text()
    tags = Tags()
    tags.feed(text)
    assert tags.open == [] and tags.loads == []
    assert "http" not in text and "<script" not in text
    for title in (
        "Wins by bot",
        "Wins by seat",
        "Scores",
        "Points by reason",
        "reason and week",
        "Course of the lead",
        "Choices",
    ):
        assert title in text
    assert "place_cube" in text and "finished souks" in text
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) >= 7
    for picture in pictures:
        ElementTree.fromstring(picture)
        assert "nan" not in picture and "inf" not in picture


def test_the_page_says_what_the_summary_says(table, run):
    run("report", table, "--out", table.parent / "p.html")
    data = run(
        "simulate",
        "yspahan",
        "-n",
        12,
        "-p",
        3,
        "--bots",
        "greedy:1,random,random",
        "--format",
        "json",
    ).json()
    text = (table.parent / "p.html").read_text()
    assert f"{data['bots']['greedy:1']['score']['mean']:.2f}" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "first line"),
        ("a,b\n1,2\n", "first line"),
        ("\x00\n", "first line"),
        ("# rulewright {}\n", "first line"),
    ],
)
def test_what_is_no_table_is_told(tmp_path, run, content, message):
    (tmp_path / "t.csv").write_text(content)
    got = run("report", tmp_path / "t.csv")
    assert got.code == 1 and message in got.err
    assert not (tmp_path / "t.html").exists()


def test_a_damaged_table_is_told(table, run):
    lines = table.read_text().splitlines()
    lines[5] = lines[5][:40]
    table.write_text("\n".join(lines) + "\n")
    got = run("report", table)
    assert got.code == 1 and "row 4 can't be read" in got.err
    assert not table.with_suffix(".html").exists()


def test_missing_and_unwritable(table, run, tmp_path):
    assert run("report", tmp_path / "none.csv").code == 1
    assert run("report", table, "--out", "/nowhere/p.html").code == 1
    full = tmp_path / "full.html"
    full.symlink_to("/dev/full")
    got = run("report", table, "--out", full)
    assert got.code == 1 and "No space left" in got.err


def test_round_ticks():
    assert svg.ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert svg.ticks(-30, 100) == pytest.approx([0, 50, 100])
    assert len(svg.ticks(3, 3)) > 0


def test_names_are_escaped():
    picture = plot(svg.shares([("<b>&", 0.5, 0.4, 0.6)], "a<b", 0.5))
    ElementTree.fromstring(picture)
    assert "<b>&" not in picture


# ---------------------------------------------------------------- pairs


def test_measures_against_a_worked_example():
    measure = Measure("x")
    for a, b in ((1, 3), (2, 2), (3, 7), (4, 4)):
        measure.add(a, b)
    assert measure.means == (2.5, 4.0, 1.5)
    # differences 2, 0, 4, 0: deviation 1.9149, so 1.5 ± 1.96 * 1.9149 / 2
    low, high = measure.interval
    assert (round(low, 3), round(high, 3)) == (-0.377, 3.377)
    assert not measure.clear


def test_a_ruleset_against_itself_shows_no_difference(run):
    data = run("compare", RACE, RACE, "-n", 12, "-p", 2, "--format", "json").json()
    assert data["measures"] and all(m["difference"] == 0 for m in data["measures"])


def test_a_changed_rule_shows(run):
    data = run(
        "compare", RACE, f"{RACE}+short", "-n", 30, "-p", 2, "--bots", "random", "--format", "json"
    ).json()
    found = {m["measure"]: m for m in data["measures"]}
    assert found["decisions"]["clear"] and found["decisions"]["difference"] < 0
    assert found["points for distance"]["difference"] < 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_pairs_have_the_same_number_even_where_games_are_missing(monkeypatch, jobs):
    plan = make_plan(RACE, ["random"], 2, games=25)
    pairing = Pairing(plan, plan, None)
    real = pairing.crowds[1].rows

    def with_a_gap(*words):
        return (row for row in real(*words) if row.number != 3)

    monkeypatch.setattr(pairing.crowds[1], "rows", with_a_gap)
    seen = []
    pairs = list(pairing.rows(jobs, seen.append))
    assert [a.number for a, _ in pairs] == [b.number for _, b in pairs]
    assert [a.number for a, _ in pairs] == [n for n in range(25) if n != 3]
    assert seen[-1] >= 49 and seen == sorted(seen)


def test_an_interrupted_comparison_tells_of_the_pairs_so_far():
    words = ["-m", "rulewright", "compare", RACE, f"{RACE}+short", "-n", "1000000", "-b", "random"]
    child = pexpect.spawn(
        sys.executable, words, encoding="utf-8", timeout=120, dimensions=(40, 150),
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )  # fmt: skip
    child.expect(r"[1-9]\d{2,} of 2,000,000 games")
    child.sendintr()
    child.expect(r"[1-9]\d* pairs of games")
    child.expect("decisions")
    child.expect("interrupted; these are the pairs so far")
    child.expect(pexpect.EOF)
    assert child.wait() == 130


def test_two_bots_are_compared_at_the_same_seats(run):
    words = [
        "compare",
        "greedy",
        "random",
        "--game",
        str(GAMES / "auction"),
        "--against",
        "random",
        "-n",
        80,
        "-p",
        2,
    ]
    found = {m["measure"]: m for m in run(*words, "--format", "json").json()["measures"]}
    assert found["score"]["clear"] and found["score"]["difference"] < 0
    text = run(*words)
    assert text.code == 0 and "clear" in text.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["yspahan", "quoits"], "no game 'quoits'"),
        (["yspahan", "yspahan+nothing"], "no variant"),
        (["yspahan", "yspahan@x"], "player count"),
        (["yspahan", "yspahan+"], "name of a variant"),
        (["yspahan", "yspahan@9", "-n", 2], "players, not for 9"),
        (["greedy", "gredy", "--game", "ys"], "did you mean 'greedy'"),
        (["yspahan", "ys", "--variant", "x"], "GAME+variant"),
        (["yspahan@3", "ys+express@3"], "yspahan and ys are different games"),
    ],
)  # fmt: skip
def test_wrong_use_of_compare(run, words, message):
    got = run("compare", *words)
    assert got.code == 2 and message in got.err and "Traceback" not in got.err


# ---------------------------------------------------------------- differences


def test_rulesets_by_words():
    assert parse("ys+express@4").variants == ("express",)
    assert parse("ys+express@4").players == 4
    assert parse(RACE).game == RACE
    a, b = settle(parse("ys"), parse("ys+express"), None)
    assert a.players == b.players == 4
    with pytest.raises(UnknownGame):
        parse("quoits")


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(GAMES / "race", tmp_path / "race"))


def differences(folder):
    return compare_rulesets(*settle(parse(RACE), parse(str(folder)), 2))


def test_layout_and_comments_make_no_difference(copy):
    rules = copy / "race.rules"
    rules.write_text(
        "# another comment\n\n"
        + rules.read_text().replace("if d == 1: return", "if d == 1:\n            return")
    )
    table = copy / "track.yaml"
    table.write_text(
        table.read_text().replace('effect: "run(me, 1)"', "effect: |\n      run(me,  1)")
    )
    found = differences(copy)
    assert found.alike and found.changes == []


def test_every_kind_of_change_is_told(copy):
    rules = copy / "race.rules"
    text = rules.read_text().replace("if d == 1: return", "if d <= 2: return")
    rules.write_text(text + "function extra() -> int @turn.roll = 3\n")
    table = copy / "track.yaml"
    text = (
        table.read_text()
        .replace("at: 9", "at: 10")
        .replace("medal_points: {value: 3", "medal_points: {value: 5")
    )
    table.write_text(
        text.replace('  spring:\n    at: 4\n    effect: "run(me, 1)"\n    cite: track.spring\n', "")
    )
    found = differences(copy)
    assert not found.alike
    told = {(c.what, c.name): (c.a, c.b) for c in found.changes}
    assert told["cell of Special", "ditch.at"] == ("9", "10")
    assert told["constant", "medal_points"] == ("3", "5")
    assert told["row of Special", "spring"][1] is None
    assert told["function", "extra"][0] is None
    assert "d <= 2" in told["procedure", "turn"][1] and "d == 1" in told["procedure", "turn"][0]
    assert set(found.clauses_a) == {"track.spring"}
    text = to_text(found)
    assert "- ditch: at 9 → 10" in text
    assert "- gone: spring (at 4, effect run(me, 1))" in text
    assert "- new: function extra (function extra() -> int = 3)" in text
    assert "    -         if d == 1:" in text and "    +         if d <= 2:" in text
    assert "Table Special: The squares on which something happens." in text
    assert text.index("track.spring") < text.index("medal_points") < text.index("procedure turn")


def test_text_markdown_and_json(run):
    text = run("diff", "ys", "ys+express")
    assert text.code == 0
    assert "- constant placing_rounds: 4 → 3" in text.out
    assert "- There are three placing rounds" in text.out and "(express.three-rounds)" in text.out
    assert "- one: team 3 → 2" in text.out
    markdown = run("diff", "ys", "ys+express", "--format", "markdown").out
    assert markdown.startswith("# Ys, 4 players") and "`placing_rounds`: `4` → `3`" in markdown
    data = run("diff", "ys", "ys+express", "--format", "json").json()
    assert {"what": "constant", "name": "placing_rounds", "a": "4", "b": "3"} in data["changes"]
    assert json.loads(json.dumps(data)) == data


def test_the_exit_code_on_request(run):
    assert run("diff", RACE, RACE, "--exit-code").code == 0
    assert run("diff", RACE, f"{RACE}+short", "--exit-code").code == 1
    assert run("diff", RACE, "nothing").code == 2
    assert run("diff", RACE, f"{RACE}+nothing").code == 2
