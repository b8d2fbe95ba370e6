"""Coverage of clauses and of rules: the whole reports of the tiny spec, the commands, and their exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.conformance.citations import citations
from rulewright.conformance.clause_page import clause_page
from rulewright.conformance.clauses import clause_coverage, clauses_json, clauses_text
from rulewright.conformance.outcomes import Run, run_suite
from rulewright.conformance.rules import RuleCoverage, rule_coverage
from rulewright.conformance.rules_text import annotated, rules_json, rules_text
from rulewright.conformance.suite import Suite, load_suite

HERE = Path(__file__).parent
STALL = HERE / "stall"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the tiny spec that a test may change."""
    return Path(shutil.copytree(STALL, tmp_path / "stall"))


def changed(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def ran(folder: Path) -> tuple[Suite, Run]:
    suite = load_suite(folder, "stall")
    return suite, run_suite(suite)


def rules_of(folder: Path) -> tuple[Suite, RuleCoverage]:
    suite, run = ran(folder)
    return suite, rule_coverage(suite.spec, run)


def compare(found: str, golden: Path) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found + "\n", encoding="utf-8")
    assert found + "\n" == golden.read_text(encoding="utf-8")


def command(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(args))
    shown = capsys.readouterr()
    return int(str(left.value.code)), shown.out, shown.err


# ---------------------------------------------------------------- clauses


def test_clauses_text() -> None:
    suite, run = ran(STALL)
    found = clause_coverage(suite.spec, suite.scenarios, run)
    compare(clauses_text(found), HERE / "golden" / "clauses.txt")


def test_clauses_json() -> None:
    suite, run = ran(STALL)
    data = json.loads(json.dumps(clauses_json(clause_coverage(suite.spec, suite.scenarios, run))))
    assert data["not_cited"] == ["goods.hidden"]
    assert data["not_covered"] == ["goods.hidden", "end.most"]
    rows = {row["clause"]: row for row in data["index"]}
    assert rows["goods.pear"]["cited_by"] == [["stall/goods.yaml", 12]]
    assert rows["goods.kept"]["absent"] == ["nothing takes goods away"]
    (covering,) = rows["example.pear"]["covered_by"]
    assert covering["scenario"].startswith("A pear costs") and covering["passed"]


def test_citations_of_all_sorts(folder: Path) -> None:
    """Of options, tables, rows, rules, `where`s, hooks, and of variants whether or not they are chosen."""
    (folder / "variants").mkdir()
    (folder / "variants" / "night.yaml").write_text(
        "variant: night\nabout: By night.\nplayers: [2, 3]\ncite: end.most\nrules: [night.rules]\n"
        "constants: {late: {new: true, value: 1, cite: turn.die}}\n"
        "tables: {Good: {change: {pear: {price: 1, cite: turn.once}}, add: {fig: {price: 1, copies: 1, sale: pass, cite: goods.hidden}}}}\n"
    )
    (folder / "variants" / "night.rules").write_text(
        "replace procedure turn(p: Player)  @turn.buy:\n    buy(p)\n    coins[p] = late  @setup.crate\n"
    )
    found = citations(load_suite(folder, "stall").spec)
    by_file: dict[str, set[str]] = {}
    for clause, spans in found.places.items():
        for span in spans:
            by_file.setdefault(span.file, set()).add(clause)
    assert by_file["stall/game.yaml"] == {"setup.coins"}
    assert by_file["stall/goods.yaml"] == {"goods.pear", "goods.melon", "flags.stand"}
    assert {"turn.pay", "turn.once", "turn.die"} <= by_file["stall/stall.rules"]
    assert by_file["stall/variants/night.yaml"] == {
        "end.most",
        "turn.die",
        "turn.once",
        "goods.hidden",
    }
    assert by_file["stall/variants/night.rules"] == {"turn.buy", "setup.crate"}
    assert list(found.absent) == ["goods.kept"]


def test_suspects(folder: Path) -> None:
    changed(folder, "stall.rules", "@turn.buy:\n    choose", "@turn.buy @goods.kept:\n    choose")
    changed(
        folder,
        "goods.yaml",
        "rows:\n  north: {}",
        "rows:\n" + "".join(f"  c{i}: {{cite: end.most}}\n" for i in range(13)) + "  north: {}",
    )
    suite, run = ran(folder)
    found = clause_coverage(suite.spec, suite.scenarios, run)
    assert [r.clause.id for r in found.both()] == ["goods.kept"]
    assert [r.clause.id for r in found.crowded()] == ["end.most"]
    text = clauses_text(found)
    assert (
        "suspect: said to need no rule, and yet cited: 1\n  goods.kept: stall/stall.rules:41\n"
        in text
    )
    assert re.search(r"suspect: cited from more than 12 lines: 1\n  end.most: \d+\n", text)


def test_a_scenario_that_fails_covers_nothing(folder: Path) -> None:
    changed(folder, "scenarios/all.yaml", "scores: {0: 0, 1: 14}", "scores: {0: 0, 1: 15}")
    suite, run = ran(folder)
    found = clause_coverage(suite.spec, suite.scenarios, run)
    assert "goods.melon" in [r.clause.id for r in found.uncovered()]
    assert found.failing == ["A melon is sold for four points"]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.gaps: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag not in ("meta", "input", "br", "col"):
            self.open.append(tag)
        if tag == "tr" and values.get("id"):
            self.ids.append(str(values["id"]))
            if "data-gap" in values:
                self.gaps.append(str(values["id"]))
        self.links += [str(v) for k, v in attrs if k in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page(folder: Path) -> None:
    changed(
        folder, "clauses/rulebook.yaml", "A pear for two coins.", "A pear <b>for</b> two & more."
    )
    suite, run = ran(folder)
    found = clause_coverage(suite.spec, suite.scenarios, run)
    text = clause_page(found, suite.spec.sources)
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.ids == list(suite.spec.folder.clauses)
    assert page.gaps == ["goods.hidden", "end.most"]
    assert all(link.startswith("#") for link in page.links), "nothing from elsewhere"
    assert "A pear &lt;b&gt;for&lt;/b&gt; two &amp; more." in text
    assert "stall/goods.yaml:12</code>" in text
    assert "no rule needed: nothing takes goods away" in text


# ---------------------------------------------------------------- rules


def test_rules_text() -> None:
    suite, found = rules_of(STALL)
    compare(rules_text(found, "stall", suite.spec.sources), HERE / "golden" / "rules.txt")


def test_annotated() -> None:
    suite, found = rules_of(STALL)
    compare(annotated(found, suite.spec.sources), HERE / "golden" / "annotated.txt")


def test_rules_json() -> None:
    _, found = rules_of(STALL)
    data = json.loads(json.dumps(rules_json(found, "stall")))
    assert data["branches"] == {"ran": 2, "all": 3}
    assert data["files"]["stall/stall.rules"]["missing"][-1] == {
        "line": 39,
        "column": 8,
        "what": "branch",
    }


def test_rows_that_are_not_used(folder: Path) -> None:
    changed(folder, "goods.yaml", "  south: {}", "  south: {}\n  east: {}")
    suite, found = rules_of(folder)
    rows = [
        suite.spec.sources.line(*u.place[:2]).strip() for u in found.missing() if u.sort == "row"
    ]
    assert rows == ["east: {}"]


def test_each_way_of_an_if_counts(folder: Path) -> None:
    changed(folder, "scenarios/all.yaml", "- chance: [6]", "- chance: [5]")
    changed(folder, "scenarios/all.yaml", "breakdown: {0: {luck: 1}}", "breakdown: {0: {luck: 0}}")
    _, found = rules_of(folder)
    missing = [(u.sort, *u.place[1:]) for u in found.missing()]
    assert ("statement", 39, 16) in missing and ("branch", 39, 8) not in missing


def test_asking_whether_something_is_possible_does_not_run_it(folder: Path) -> None:
    changed(
        folder, "stall.rules", "        where g not in bought[p]                     @turn.once\n",
        "        where g not in bought[p]                     @turn.once\n        where possible(give(p))                     @turn.once\n",
    )  # fmt: skip
    with (folder / "stall.rules").open("a", encoding="utf-8") as file:
        file.write(
            "\nprocedure give(p: Player)  @turn.buy:\n    let n = coins[p]\n    require n > 0\n    coins[p] = n\n"
        )
    suite, found = rules_of(folder)
    lines = [suite.spec.sources.line(*u.place[:2]).strip() for u in found.missing()]
    assert {"let n = coins[p]", "require n > 0", "coins[p] = n"} <= set(lines)


def test_functions_for_bots_are_no_rules() -> None:
    suite, found = rules_of(STALL)
    lines = [suite.spec.sources.line(*u.place[:2]) for u in found.units]
    assert not any("guess" in line for line in lines)


def test_functions_without_state_count(folder: Path) -> None:
    """One that could be worked out beforehand runs all the same, with each of its ways."""
    changed(
        folder, "stall.rules", "function start_coins() -> 0..20  @setup.coins = 5 if rich else 3\n",
        "function start_coins() -> 0..20  @setup.coins:\n    if rich: return 5\n    if players > 2: return 3\n    return 3\n",
    )  # fmt: skip
    _, found = rules_of(folder)
    ran_at = {u.place[1:]: u.ran for u in found.units if u.sort == "statement"}
    assert [ran_at[35, 5], ran_at[35, 14], ran_at[36, 5], ran_at[37, 5]] == [True, True, True, True]


# ---------------------------------------------------------------- commands


def test_test_command(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = command(capsys, "test", str(folder))
    assert code == 0
    assert re.fullmatch(r"stall: 12 passed, 0 failed \(11 scenarios, \d+\.\d s\)\n", out)
    changed(folder, "scenarios/all.yaml", "gained: {1: 4}", "gained: {1: 5}")
    code, out, _ = command(capsys, "test", str(folder), "-k", "melon", "-x")
    assert code == 1
    assert out.startswith("FAILED A melon is sold for four points (2 players)\n")
    assert "0 passed, 1 failed" in out.splitlines()[-1]
    code, out, _ = command(capsys, "test", str(folder), "--format", "json", "--jobs", "2")
    assert code == 1 and json.loads(out)["games"][0]["failed"] == 1


def test_wrong_use_of_the_test_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = command(capsys, "test", str(STALL), "-k", "no such words")
    assert code == 2 and "no scenario matches 'no such words'" in err
    assert command(capsys, "test", "no-such-game")[0] == 2
    assert command(capsys, "test", str(STALL), "--jobs", "0")[0] == 2


def test_coverage_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = command(capsys, "coverage", str(STALL))
    assert code == 1
    assert "not cited by the spec: 1\n  goods.hidden" in out
    assert "91.6 % of the clauses are cited, less than 100 %" in err
    levels = ["--min-cited", "91", "--min-covered", "84"]
    assert command(capsys, "coverage", str(STALL), *levels)[0] == 0
    page = tmp_path / "page.html"
    code, out, _ = command(
        capsys, "coverage", str(STALL), *levels, "--format", "html", "--out", str(page)
    )
    assert (code, out) == (0, "") and page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_page_of_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "rules.html"
    asked = ["--rules", "--min-rules", "0", "--format", "html", "--out", str(page)]
    assert command(capsys, "coverage", str(STALL), *asked)[:2] == (0, "")
    text = page.read_text(encoding="utf-8")
    assert '<span class="some" title="never false: column 8"><b>39</b>    if d == 6' in text
    assert '<span class="none" title="never ran: column 22"><b>27</b>' not in text
    assert '<span class="all"><b>38</b>    roll d in 1 .. 6' in text
    assert "<h2 id=" in text and "stall.rules</h2>" in text and "<script" not in text


def test_an_unknown_clause_is_never_silent(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A clause that only a variant cites is in no ruleset that scenarios use; the exit code is told on every way out."""
    (folder / "variants").mkdir()
    (folder / "variants" / "night.yaml").write_text(
        "variant: night\nabout: By night.\nplayers: [2, 3]\ncite: end.mots\n", encoding="utf-8"
    )
    levels = ["--min-cited", "0", "--min-covered", "0"]
    for more in (["html"], ["json"], ["text"], ["html", "--out", str(tmp_path / "page.html")]):
        code, _, err = command(capsys, "coverage", str(folder), *levels, "--format", *more)
        assert code == 1
        assert err == "rulewright: cited, but in no index of clauses: end.mots\n"


def test_coverage_of_rules_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = command(capsys, "coverage", str(STALL), "--rules")
    assert code == 1 and "never ran" in out
    assert "92.5 % of the rules ran, less than 100 %" in err
    code, out, _ = command(
        capsys, "coverage", str(STALL), "--rules", "--min-rules", "92", "--format", "json"
    )
    assert code == 0 and json.loads(out)["percent"] == 92.5
    code, out, _ = command(
        capsys, "coverage", str(STALL), "--rules", "--annotate", "--min-rules", "0"
    )
    assert code == 0 and "   39 ~     if d == 6: score 1 to p for luck" in out


def test_wrong_use_of_the_coverage_command(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (
        ["--annotate"],
        ["--rules", "--annotate", "--format", "json"],
    ):
        assert command(capsys, "coverage", str(STALL), *args)[0] == 2
    assert command(capsys, "coverage", str(STALL), "--min-cited", "101")[0] == 2


def test_citations_of_clauses_that_do_not_exist(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    changed(folder, "stall.rules", "@turn.pay", "@turn.play")
    with pytest.raises(SpecError):
        ran(folder)
    code, out, err = command(capsys, "coverage", str(folder))
    assert code == 1
    assert "cited, but in no index of clauses: 1\n" in out and "stall.rules:43: turn.play" in out
    assert "RW0901: there is no clause 'turn.play'" in err
