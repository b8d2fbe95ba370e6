"""Mutation of specs: which changes are made, how they are judged and recorded, and a fixed sample of Yspahan's."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from common import sampled

from rulewright.cli import main
from rulewright.compiler.build import read_spec
from rulewright.compiler.read.print_folder import node_text
from rulewright.compiler.rules import syntax as S
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.rules.print_syntax import print_decl
from rulewright.compiler.text.diagnostics import Problems, SpecError
from rulewright.compiler.text.source import Source, Sources
from rulewright.conformance import mutation
from rulewright.conformance.mutant_changes import changes
from rulewright.conformance.mutants import Mutant, all_mutants
from rulewright.conformance.mutation import Coverage, Record, Verdict, cover, judge, sample, score
from rulewright.conformance.reviewed import read_reviewed
from rulewright.conformance.suite import Suite, load_suite
from rulewright.engines import SPECS, games
from rulewright.runtime.errors import RulewrightError

STALL = Path(__file__).parent / "conformance" / "stall"

# ---------------------------------------------------------------- changes of trees


def parsed(text: str) -> S.Decl:
    problems = Problems()
    rules = parse_rules(Source("example.rules", text, text.split("\n")), problems)
    assert not problems.has_errors, [p.message for p in problems]
    (decl,) = rules.decls
    return decl


def changed(text: str) -> dict[str, str]:
    """In words → the text afterwards, for a declaration."""
    decl = parsed(text)
    out: dict[str, str] = {}
    for c in changes(decl, decl.span):
        assert c.words not in out, f"{c.words} comes twice"
        out[c.words] = print_decl(c.new).strip()
    return out


def one_line(text: str) -> str:
    return " ".join(text.split())


STATEMENTS = {
    "score 2 to p for luck": {
        "2 → 3": "score 3 to p for luck",
        "2 → 1": "score 1 to p for luck",
        "dropped: score": "pass",
    },
    "coins[p] += 0": {"0 → 1": "coins[p] += 1", "dropped: assign": "pass"},
    "let x = a < b": {"< → <=": "let x = a <= b"},
    "let x = a >= b or c": {">= → >": "let x = a > b or c", "or → and": "let x = a >= b and c"},
    "let x = a == b": {"== → !=": "let x = a != b"},
    "let x = a not in s": {"not in → in": "let x = a in s"},
    "let x = not a": {"not dropped": "let x = a"},
    "let x = -a": {"- dropped": "let x = a"},
    "let x = a meets b": {"meets → within": "let x = a within b"},
    "let x = a + b": {"+ → -": "let x = a - b"},
    "let x = a | b": {"| → &": "let x = a & b"},
    "let x = a is none": {"is none ↔ is not none": "let x = a is not none"},
    "let x = a if c else b": {"if and else swapped": "let x = b if c else a"},
    "let x = true": {"true → false": "let x = false"},
    "let x = any(g in Good: c)": {"any → all": "let x = all(g in Good: c)"},
    "let x = max(g in Good: n)": {"max → min": "let x = min(g in Good: n)"},
    'for i in 1 .. n: tell "t"': {
        "1 → 2": 'for i in 2 .. n: tell "t"',
        "1 → 0": 'for i in 0 .. n: tell "t"',
        "range one shorter": 'for i in 1 .. n - 1: tell "t"',
        "range begins one later": 'for i in 1 + 1 .. n: tell "t"',
        "dropped: for": "pass",
    },
    "move all from a to b": {"dropped: move": "pass"},
    "deal n from a to b": {"dropped: deal": "pass"},
    "require c": {"dropped: require": "pass"},
    "reset turn": {"dropped: reset": "pass"},
    "pay(p)": {"dropped: run": "pass"},
    "let x = after(pay(p, 2): coins[p] > 0)": {
        "2 → 3": "let x = after(pay(p, 3): coins[p] > 0)",
        "2 → 1": "let x = after(pay(p, 1): coins[p] > 0)",
        "> → >=": "let x = after(pay(p, 2): coins[p] >= 0)",
        "0 → 1": "let x = after(pay(p, 2): coins[p] > 1)",
    },
    "choose g in Good by p as buy if any": {
        "chosen by the next player": "choose g in Good by p.next as buy if any",
        "if any dropped": "choose g in Good by p as buy",
    },
    "choose n in a by p as bid secretly": {
        "chosen by the next player": "choose n in a by p.next as bid secretly",
        "secretly dropped": "choose n in a by p as bid",
    },
}


@pytest.mark.parametrize("text", STATEMENTS)
def test_changes_of_a_statement(text: str) -> None:
    head = "procedure p()"
    found = changed(f"{head}:\n    {text}\n")
    shown = {words: one_line(after).removeprefix(f"{head}: ") for words, after in found.items()}
    assert shown == STATEMENTS[text]


def test_a_condition_of_a_choice_is_dropped() -> None:
    found = changed("procedure p():\n    choose g in Good by q as buy\n        where c\n")
    assert one_line(found["dropped: where"]) == "procedure p(): choose g in Good by q as buy"


def test_one_of_several_statements_is_dropped() -> None:
    found = changed("procedure p():\n    if c: break\n    else: continue\n")
    assert one_line(found["dropped: break"]) == "procedure p(): if c: pass else: continue"
    assert one_line(found["dropped: if"]) == "procedure p(): pass"
    assert one_line(found["if and else swapped"]) == "procedure p(): if c: continue else: break"


def test_changes_of_what_is_seen_and_reset() -> None:
    found = changed("state:\n    bid: map Player to 0..9 visible to owner\n")
    assert one_line(found["made visible to all"]) == "state: bid: map Player to 0..9"
    found = changed("state:\n    n: 0..9 hidden resets at turn\n")
    assert one_line(found["made visible to all"]) == "state: n: 0..9 resets at turn"
    assert one_line(found["no longer reset"]) == "state: n: 0..9 hidden"
    found = changed("pieces cards of Good by 1:\n    deck hidden = all\n    discard\n")
    assert one_line(found["made visible to all"]).endswith("by 1: deck = all discard")


def test_changes_of_the_outcome() -> None:
    found = changed("outcome p in Player by score[p], -coins[p]\n")
    assert found["last key dropped"] == "outcome p in Player by score[p]"
    found = changed("outcome together by size(lit) of 4\n")
    assert found["4 → 5"] == "outcome together by size(lit) of 5"


def test_changes_of_who_sees_a_roll() -> None:
    found = changed("procedure f(p: Player):\n    roll d in 1 .. 6 seen by p\n")
    assert one_line(found["rolled for all to see"]).endswith("roll d in 1 .. 6")


# ---------------------------------------------------------------- changes of a spec

TIN = {
    "game.yaml": """
game: tin
title: Tin
players: [2, 3]
seats: [Ada, Bo, Cy]
clauses: [clauses/rules.yaml]
reasons: {goods: goods}
""",
    "clauses/rules.yaml": """
- {id: turn.buy, section: turn, rule: "Buy a good."}
""",
    "data.yaml": """
table: Good
cite: turn.buy
columns: {price: 1..9, sweet: bool, beside: Good, likes: set of Good, colour: text, gain: "procedure(me: Player)", power: "hook(me: Player) when this in owned[me]"}
rows:
  fig: {price: 2, sweet: true, beside: nut, likes: [fig, nut], colour: blue, gain: "score 1 to me for goods", power: "on income(me): result + 1"}
  nut: {price: 9, sweet: false, beside: fig, likes: [], colour: brown, gain: "score this.price to me for goods", power: ""}
---
constants:
  rounds: {value: {by players: {2: 3, 3: 2}}, cite: turn.buy}
  ladder: {value: [0, 5], cite: turn.buy}
""",
    "tin.rules": """
state:
    owned: map Player to set of Good  @turn.buy
    done: 0..9  @turn.buy

outcome p in Player by score[p]  @turn.buy
invariant few: done <= 9  @turn.buy
heuristic p: score[p] + hope(p)  @turn.buy
function hope(p: Player) -> int = 2 * size(owned[p])  @turn.buy

procedure play()  @turn.buy:
    while done < rounds:
        done += 1
        for p in Player: turn(p)

procedure turn(p: Player)  @turn.buy:
    choose g in Good by p as buy or nothing
        where g.price <= income(p)
        where g.sweet or g.beside in g.likes
    if g is none: return
    owned[p] |= {g}
    g.gain(p)
    score ladder[1] to p for goods

open function income(p: Player) -> int  @turn.buy = 3
""",
    "variants/large.yaml": """
variant: large
players: [2, 3]
cite: turn.buy
constants:
  ladder: {value: [1, 5], cite: turn.buy}
tables:
  Good:
    change:
      fig: {price: 4, gain: "score 2 to me for goods"}
    add:
      plum: {price: 1, sweet: true, beside: fig, likes: [], colour: red, gain: "score 5 to me for goods", power: ""}
    remove: [nut]
rules: [large.rules]
""",
    "variants/large.rules": """
after turn(p)  @turn.buy:
    score 1 to p for goods
""",
    "scenarios/all.yaml": """
- scenario: A fig is bought
  covers: [turn.buy]
  players: 2
  call: turn(0)
  when:
    - buy: fig
  then:
    gained: {0: 1}
""",
}


@pytest.fixture
def tin(tmp_path: Path) -> Path:
    for name, text in TIN.items():
        path = tmp_path / "tin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip(), encoding="utf-8")
    return tmp_path / "tin"


def test_changes_of_tables_constants_and_overlays(tin: Path) -> None:
    words = [
        m.words for m in all_mutants(read_spec(tin, "tin")) if not m.span.file.endswith(".rules")
    ]
    assert sorted(words) == sorted([
        "fig.price: 2 → 3", "fig.price: 2 → 1", "fig.sweet: true → false", "fig.beside: nut → fig",
        "fig.likes: without fig", "fig.likes: without nut", "1 → 2", "1 → 0", "dropped: score",
        "dropped: on income", "1 → 2", "1 → 0", "+ → -",
        "nut.price: 9 → 10", "nut.price: 9 → 8", "nut.sweet: false → true", "nut.beside: fig → nut", "dropped: score",
        "rounds: by players: 2: 3 → 4", "rounds: by players: 2: 3 → 2",
        "rounds: by players: 3: 2 → 3", "rounds: by players: 3: 2 → 1",
        "ladder: without 0", "ladder: 0 → 1", "ladder: without 5", "ladder: 5 → 6",
        # the overlay's
        "ladder: without 1", "ladder: 1 → 2", "ladder: without 5", "ladder: 5 → 6",
        "fig.price: 4 → 5", "fig.price: 4 → 3", "fig.gain: 2 → 3", "fig.gain: 2 → 1", "fig.gain: dropped: score",
        "plum.price: 1 → 2", "plum.price: 1 → 0", "plum.sweet: true → false", "plum.beside: fig → nut",
        "plum.gain: 5 → 6", "plum.gain: 5 → 4", "plum.gain: dropped: score", "nut not removed",
    ])  # fmt: skip


def test_changes_of_what_rows_are_made_from(tin: Path) -> None:
    """Of `each`, of its condition, and of a column that is worked out and read."""
    (tin / "made.yaml").write_text(
        "table: Card\neach: {rank: 1 .. 5, high: rank .. 5}\nwhere: rank > 1\n"
        'columns: {worth: {type: 0..20, is: "this.rank * 2"}, unread: {type: 0..20, is: this.high + 7}}\n',
        encoding="utf-8",
    )
    (tin / "made.rules").write_text(
        "function best_card() -> int = max(c in Card: c.worth + c.high)\n", encoding="utf-8"
    )
    found = [m for m in all_mutants(read_spec(tin, "tin")) if m.span.file.endswith("made.yaml")]
    words = sorted(m.words for m in found)
    assert {"* → +", "> → >=", "5 → 4", "2 → 3"} <= set(words)
    assert not any("7" in w for w in words), "nothing reads that column"
    printed = {str(m.apply(read_spec(tin, "tin").folder).tables["Card"]) for m in found}
    assert len(printed) == len(found), "each makes another table"


def test_a_link_is_cut_at_both_ends() -> None:
    """Links of a graph go both ways, so one that is written at one end only would still be there."""
    spec = read_spec(SPECS / "yspahan", "spec/yspahan")
    cuts = {m.words: m for m in all_mutants(spec) if "not linked" in m.words}
    assert len(cuts) == len(spec.folder.tables["RoadSquare"].rows) - 1  # streets without a circle
    assert "w1: not linked to centre" not in cuts
    changed = cuts["centre: not linked to w1"].apply(spec.folder).tables["RoadSquare"].rows
    links = [node_text(changed[name].cells["neighbours"].node) for name in ("centre", "w1", "w2")]
    assert links == ["[e1, n1, s1]", "[]", "[w1]"]


def test_what_does_not_change_play_is_left_alone(tin: Path) -> None:
    """A colour that no rule reads, an invariant, the heuristic and what only it calls."""
    found = all_mutants(read_spec(tin, "tin"))
    assert not [m for m in found if "colour" in m.words]
    lines = (tin / "tin.rules").read_text(encoding="utf-8").splitlines()
    words = ("invariant", "heuristic", "function hope")
    beside = {i for i, text in enumerate(lines, 1) if text.startswith(words)}
    assert len(beside) == 3
    assert not [m for m in found if m.span.file == "tin/tin.rules" and m.span.line in beside]


def test_each_mutant_is_another_folder(tin: Path) -> None:
    spec = read_spec(tin, "tin")
    before = repr(spec.folder)
    seen = set()
    for mutant in all_mutants(spec):
        seen.add(repr(mutant.apply(spec.folder)))
    assert before not in seen and repr(spec.folder) == before
    # a `1` may be changed in two places of one line, but never twice in the same way
    assert len(seen) == len(all_mutants(spec))


def test_ids_are_unique_and_stable(tin: Path) -> None:
    def ids() -> list[str]:
        return [m.id for m in all_mutants(read_spec(tin, "tin"))]

    first = ids()
    assert len(set(first)) == len(first)
    assert ids() == first
    # neither lines above nor the spaces of a line make another mutant of it
    path = tin / "tin.rules"
    text = path.read_text(encoding="utf-8")
    path.write_text("# first\n\n" + text.replace("done += 1", "done  +=  1"), encoding="utf-8")
    assert sorted(ids()) == sorted(first)
    # what a line says does, and for that line only
    path.write_text(text.replace("done += 1", "done += 2"), encoding="utf-8")
    assert 1 <= len(set(first) - set(ids())) <= 3


def test_a_sample_is_fixed_by_its_seed(tin: Path) -> None:
    found = all_mutants(read_spec(tin, "tin"))
    names = [[m.id for m in sample(found, 10, seed)] for seed in (1, 1, 2)]
    assert names[0] == names[1] != names[2]
    assert len(names[0]) == 10
    assert sample(found, None, 1) == found == sample(found, 10_000, 1)


# ---------------------------------------------------------------- judging


@cache
def stall() -> tuple[Suite, Coverage]:
    suite = load_suite(STALL, "stall")
    return suite, cover(suite)


def found(suite: Suite, words: str, line: str) -> Mutant:
    """The mutant with these words on the line that holds a text."""
    spec = suite.spec
    for m in all_mutants(spec):
        if m.words == words and line in spec.sources.line(m.span.file, m.span.line):
            return m
    raise AssertionError(f"no mutant {words!r} on {line!r}")


@pytest.mark.parametrize(
    ("words", "line", "scenario"),
    [
        ("dropped: assign", "coins[p] -= g.price", "A pear costs two coins and is sold for two points"),
        ("pear.price: 2 → 3", "price: 2", "A pear costs two coins and is sold for two points"),
        ("made visible to all", "basket per Player", "Goods come from the crate and are seen by their owner alone"),
        ("== → !=", "if d == 6", "A six is worth a point"),
    ],
)  # fmt: skip
def test_mutants_are_noticed(words: str, line: str, scenario: str) -> None:
    suite, coverage = stall()
    verdict = judge(suite, found(suite, words, line), coverage)
    assert (verdict.fate, verdict.words) == ("noticed", words)
    assert verdict.by == scenario
    assert line in suite.spec.sources.line(verdict.file, verdict.line)


def test_what_no_scenario_looks_at_survives(tin: Path) -> None:
    suite = load_suite(tin, "tin")
    coverage = cover(suite)
    for words, line in (
        ("nut.price: 9 → 8", "nut:"),
        ("3 → 4", "income(p: Player)"),
        ("fig.gain: 2 → 3", "fig: {price: 4"),
    ):
        verdict = judge(suite, found(suite, words, line), coverage)
        assert (verdict.fate, verdict.by) == ("survived", "")


def test_a_change_of_a_variant_is_looked_for_where_the_variant_is(tin: Path) -> None:
    shutil.rmtree(tin / "variants")
    (tin / "variants").mkdir()
    variant = "variant: rich\ncite: turn.buy\nconstants: {ladder: {value: [4, 5]}}\n"
    (tin / "variants" / "rich.yaml").write_text(variant, encoding="utf-8")
    path = tin / "scenarios" / "all.yaml"
    text = TIN["scenarios/all.yaml"]
    more = text.replace("A fig is bought", "A fig of the rich").replace("{0: 1}", "{0: 5}")
    more = more.replace("players: 2", "players: 2\n  variants: [rich]")
    path.write_text(text + more, encoding="utf-8")
    suite = load_suite(tin, "tin")
    coverage = cover(suite)
    mutant = found(suite, "ladder: 4 → 5", "ladder: {value: [4")
    ((_, scenarios),) = mutation._candidates(suite, mutant, coverage)
    assert [s.name for s in scenarios] == ["A fig of the rich"]
    assert judge(suite, mutant, coverage).by == "A fig of the rich"


def test_a_change_that_makes_no_valid_spec(tin: Path) -> None:
    suite = load_suite(tin, "tin")
    coverage = cover(suite)
    # no price is above 9
    verdict = judge(suite, found(suite, "nut.price: 9 → 10", "nut:"), coverage)
    assert (verdict.fate, verdict.by) == ("invalid", "")
    verdict = judge(suite, found(suite, "1 → 2", "ladder[1]"), coverage)
    assert (verdict.fate, verdict.by) == ("noticed", "A fig is bought")


TRIED = """state:
    coins: map Player to 0..9 = 3

procedure play():
    for p in Player: pay_some(p)

procedure pay_some(p: Player):
    choose n in 1 .. 3 by p as pay
        where after(paid(p, n): coins[p] > 0)
    score n to p for won

procedure paid(p: Player, n: 1..3):
    coins[p] -= n
    if coins[p] == 2: coins[p] -= 1

outcome p in Player by score[p]
"""
TRIED_GAME = "game: tried\ntitle: Tried\nplayers: [2]\nseats: [Ada, Bo]\nreasons: {won: won}\n"
TRIED_TEST = """- scenario: What can be paid
  players: 2
  call: pay_some(0)
  when:
    - expect: {legal: [1, 2]}
    - pay: 1
  then: {scores: {0: 1}}
"""


def test_what_is_only_tried_out_is_covered_and_its_mutants_noticed(tmp_path: Path) -> None:
    """`after(…)` runs a procedure for nothing but a condition: its lines count as asked about, and a change of them shows."""
    folder = tmp_path / "tried"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.yaml").write_text(TRIED_GAME, encoding="utf-8")
    (folder / "tried.rules").write_text(TRIED, encoding="utf-8")
    (folder / "scenarios" / "all.yaml").write_text(TRIED_TEST, encoding="utf-8")
    suite = load_suite(folder, "tried")
    coverage = cover(suite)
    for words, line in (
        ("> → >=", "where after"),
        ("dropped: where", "where after"),
        ("dropped: assign", "coins[p] -= n"),
        ("== → !=", "if coins[p] == 2"),
    ):
        verdict = judge(suite, found(suite, words, line), coverage)
        assert (verdict.fate, verdict.by) == ("noticed", "What can be paid"), words
    verdict = judge(suite, found(suite, "2 → 3", "if coins[p] == 2"), coverage)
    assert verdict.fate == "survived"


def test_scenarios_that_only_ask_what_is_possible_are_run_too(tin: Path) -> None:
    """What is asked about by `possible` does not count as run, but a change of it shows there."""
    rules = tin / "tin.rules"
    text = rules.read_text(encoding="utf-8")
    text = text.replace(
        "        where g.sweet or", "        where possible(pay(p))\n        where g.sweet or"
    )
    text += "\nprocedure pay(p: Player)  @turn.buy:\n    require done < 5\n    done += 1\n"
    text = text.replace("    g.gain(p)\n", "    if score[p] > 50: pay(p)\n    g.gain(p)\n")
    rules.write_text(text, encoding="utf-8")
    path = tin / "scenarios" / "all.yaml"
    path.write_text(
        path.read_text(encoding="utf-8") + """
- scenario: With many points one pays
  covers: [turn.buy]
  players: 2
  given: {score: {0: 60}}
  call: turn(0)
  when:
    - buy: fig
  then:
    state: {done: 1}

- scenario: After five rounds nothing can be bought
  covers: [turn.buy]
  players: 2
  given: {done: 5}
  call: turn(0)
  then:
    legal: [nothing]
""",
        encoding="utf-8",
    )
    suite = load_suite(tin, "tin")
    coverage = cover(suite)
    mutant = found(suite, "dropped: require", "require done < 5")
    verdict = judge(suite, mutant, coverage)
    assert (verdict.fate, verdict.by) == ("noticed", "After five rounds nothing can be bought")
    # it is among the first that are tried, since it asks about the changed line
    asking = {name for (_, name), lines in coverage.items() if lines & set(mutant.lines)}
    assert "After five rounds nothing can be bought" in asking
    first, *_ = mutation._candidates(suite, mutant, coverage)
    assert {s.name for s in first[1]} == asking


def test_invalid_and_reviewed_ones_are_counted_apart() -> None:
    fates = ["noticed", "noticed", "survived", "survived", "invalid"]
    verdicts = [Verdict(f"m{i}", fate, "", "f", 1, "w", ()) for i, fate in enumerate(fates)]
    assert score(verdicts, {}) == (2, 2, 0, 1)
    # one that is reviewed and noticed all the same counts as noticed
    assert score(verdicts, {"m0": "why", "m3": "why"}) == (2, 1, 1, 1)


def test_a_mutant_that_does_not_end_is_stopped(tin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tin / "tin.rules"
    text = rules.read_text(encoding="utf-8")
    loop = "    var n: 0..9 = 0\n    while n < 3:\n        n += 1\n"
    head = "procedure turn(p: Player)  @turn.buy:\n"
    rules.write_text(text.replace(head, head + loop), encoding="utf-8")
    suite = load_suite(tin, "tin")
    coverage = cover(suite)
    # the engine counts its steps; no clock is needed for that
    monkeypatch.setattr(mutation, "SECONDS", 3600)
    verdict = judge(suite, found(suite, "dropped: assign", "        n += 1"), coverage)
    assert verdict.fate == "noticed"
    # and whatever the engine's own limit does not end, a clock does
    monkeypatch.setattr(mutation, "SECONDS", 0.3)
    monkeypatch.setattr(mutation, "run", _for_ever)
    verdict = judge(suite, found(suite, "dropped: assign", "done += 1"), coverage)
    assert (verdict.fate, verdict.by) == ("noticed", "no end within 0.3 s")


def _for_ever(*_: object) -> object:
    while True:
        pass


def test_scenarios_must_fit_and_pass_on_the_spec_itself(tin: Path) -> None:
    path = tin / "scenarios" / "all.yaml"
    path.write_text(TIN["scenarios/all.yaml"].replace("turn.buy", "turn.by"), encoding="utf-8")
    with pytest.raises(SpecError, match=r"turn\.by"):
        cover(load_suite(tin, "tin"))
    path.write_text(TIN["scenarios/all.yaml"].replace("{0: 1}", "{0: 2}"), encoding="utf-8")
    with pytest.raises(RulewrightError, match="'A fig is bought' fails on the spec as it is"):
        cover(load_suite(tin, "tin"))


def test_several_processes_find_the_same() -> None:
    suite, coverage = stall()
    chosen = sample(all_mutants(suite.spec), 12, 4)
    by_jobs: list[dict[str, Verdict]] = [{}, {}]
    for jobs, verdicts in enumerate(by_jobs, start=1):

        def keep(verdict: Verdict, verdicts: dict[str, Verdict] = verdicts) -> None:
            verdicts[verdict.id] = verdict

        mutation.run_mutants(suite, chosen, coverage, jobs, keep)
    assert by_jobs[0] == by_jobs[1]
    assert set(by_jobs[0]) == {m.id for m in chosen}


# ---------------------------------------------------------------- the record and the command


def test_a_record_goes_on_after_a_cut(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "record.jsonl"
    verdicts = [Verdict(f"m{i}", "noticed", "s", "f", i, "w → x", ("a.b",)) for i in range(4)]
    record = Record(path)
    for verdict in verdicts[:3]:
        record.add(verdict)
    assert Record(path).verdicts == {v.id: v for v in verdicts[:3]}
    # killed in the middle of a line
    path.write_bytes(path.read_bytes()[:-20])
    again = Record(path)
    assert set(again.verdicts) == {"m0", "m1"}
    again.add(verdicts[2])
    again.add(verdicts[3])
    assert Record(path).verdicts == {v.id: v for v in verdicts}
    again.forget()
    assert Record(path).verdicts == {} and not path.exists()


def command(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(args))
    shown = capsys.readouterr()
    return int(left.value.code or 0), shown.out, shown.err


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = Path(shutil.copytree(STALL, tmp_path / "stall"))
    asked = ("mutate", str(folder), "-j", "1", "--sample", "15", "--seed", "3", "--format", "json")
    code, out, _ = command(capsys, *asked)
    first = json.loads(out)
    assert code == 0 and first["mutants"] == 15
    counts = [first[k] for k in ("noticed", "survived", "equivalent", "invalid")]
    assert sum(counts) == 15 and len(first["survivors"]) == first["survived"]
    # what is known is not found out again
    monkeypatch.setattr(mutation, "judge", None)
    assert command(capsys, *asked)[1] == out
    monkeypatch.undo()
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    # a survivor that is reviewed no longer counts
    assert first["survived"] > 0
    code, _, err = command(capsys, *asked, "--min", "100")
    assert code == 1 and err.endswith(" % noticed, less than 100 %\n")
    lines = [f"- {{mutant: {s['id']}, because: tested}}\n" for s in first["survivors"]]
    (folder / "mutants.yaml").write_text("".join(lines), encoding="utf-8")
    code, out, _ = command(capsys, *asked, "--min", "100")
    assert code == 0
    second = json.loads(out)
    assert second["equivalent"] == first["survived"] and second["reviewed_but_noticed"] == []
    # and one that is noticed after all is told
    name = f"{folder.name}-*.jsonl"
    (record,) = (tmp_path / "cache" / "mutants").glob(name)
    rows = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    noticed = next(row for row in rows if row.get("fate") == "noticed")
    lines.append(f"- {{mutant: {noticed['id']}, because: wrong}}\n")
    (folder / "mutants.yaml").write_text("".join(lines), encoding="utf-8")
    told = json.loads(command(capsys, *asked)[1])["reviewed_but_noticed"]
    assert told == [{"id": noticed["id"], "by": noticed["by"]}]
    text = command(capsys, *asked[:-1], "text")[1]
    assert f"says that {noticed['id']} changes nothing, but a scenario notices it" in text


def test_the_list_of_reviewed_mutants_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "mutants.yaml"
    path.write_text("- {mutant: abc, because: it is the same}\n- {mutant: d}\n- x\n")
    problems = Problems()
    found = read_reviewed(path, "mutants.yaml", Sources(), problems)
    assert found == {"abc": "it is the same"}
    assert [p.span.line for p in problems.errors] == [2, 3]


# ---------------------------------------------------------------- Yspahan

SAMPLE, SEED, PARTS = 24, 1, 4


@cache
def yspahan() -> tuple[Suite, Coverage, dict[str, str]]:
    suite = load_suite(SPECS / "yspahan", "spec/yspahan")
    problems = Problems()
    path = SPECS / "yspahan" / "mutants.yaml"
    reviewed = read_reviewed(path, "mutants.yaml", suite.spec.sources, problems)
    assert not problems.has_errors
    return suite, cover(suite), reviewed


@pytest.mark.parametrize("part", sampled(range(PARTS), PARTS))
def test_a_sample_of_yspahan_is_noticed(part: int) -> None:
    suite, coverage, reviewed = yspahan()
    chosen = sample(all_mutants(suite.spec), SAMPLE, SEED)[part::PARTS]
    left = []
    for mutant in chosen:
        verdict = judge(suite, mutant, coverage)
        if verdict.fate == "survived" and verdict.id not in reviewed:
            left.append(f"{verdict.file}:{verdict.line}: {verdict.words} [{verdict.id}]")
    assert left == []


@pytest.mark.parametrize("name", games())
def test_reviewed_mutants_are_there(name: str) -> None:
    """An entry of the list whose mutant is gone says nothing any more."""
    spec = read_spec(SPECS / name, f"spec/{name}")
    problems = Problems()
    path = SPECS / name / "mutants.yaml"
    reviewed = read_reviewed(path, f"spec/{name}/mutants.yaml", spec.sources, problems)
    assert not problems.has_errors
    assert set(reviewed) - {m.id for m in all_mutants(spec)} == set()
