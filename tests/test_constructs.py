"""Every construct with every tool: the formatter, scenarios, coverage, mutation, both flavours, views, deals, previews, C."""

from __future__ import annotations

import json
import random
import re
import tempfile
from functools import cache
from pathlib import Path

import pytest
from common import check_state, walk
from constructs import CONSTRUCTS
from test_native import needs_compiler
from test_native_specs import check_alike, engines

from rulewright.compiler.build import check_spec, read_spec
from rulewright.compiler.rules.formatter import format_rules
from rulewright.compiler.rules.parse import parse_rules
from rulewright.compiler.rules.print_syntax import print_rules
from rulewright.compiler.text.diagnostics import Problems, render_all
from rulewright.compiler.text.source import Sources
from rulewright.conformance.mutants import all_mutants
from rulewright.conformance.mutation import cover, judge
from rulewright.conformance.outcomes import run_suite
from rulewright.conformance.rules import rule_coverage
from rulewright.conformance.suite import load_suite
from rulewright.engines import game_of
from rulewright.runtime import api
from rulewright.runtime.game import Game
from rulewright.runtime.preview import Ahead

each = pytest.mark.parametrize("name", CONSTRUCTS)


@cache
def folder_of(name: str, scenario: bool = True) -> Path:
    """Where a spec is written; it goes when the tests are over."""
    kept = tempfile.TemporaryDirectory(prefix=name)
    _KEPT.append(kept)
    return CONSTRUCTS[name].write(Path(kept.name) / name, scenario)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


@cache
def game_with(name: str) -> Game:
    return game_of(read_spec(folder_of(name), name), 2)


def rules_of(name: str) -> str:
    construct = CONSTRUCTS[name]
    return f"{construct.rules.strip()}\n\n{construct.outcome}"


# ---------------------------------------------------------------- written


@each
def test_nothing_is_wrong_with_it(name: str) -> None:
    spec = read_spec(folder_of(name), name)
    assert render_all(check_spec(spec), spec.sources) == ""


@each
def test_the_formatter_leaves_it_and_puts_a_messy_one_right(name: str) -> None:
    text, problems = rules_of(name), Problems()
    assert format_rules(text, "t.rules", problems) == text
    messy = "\n".join(
        (
            line.replace(" = ", "=").replace(", ", " ,  ").replace("(", "( ")
            if '"' not in line
            else line
        )
        for line in re.sub(r"^( +)", lambda m: m[1][: len(m[1]) // 2], text, flags=re.M).split("\n")
    )
    assert messy != text
    assert format_rules(messy, "t.rules", problems) == text
    assert not problems.all()


@each
def test_its_tree_is_written_as_it_was_read(name: str) -> None:
    problems = Problems()
    tree = parse_rules(Sources().add("t.rules", rules_of(name)), problems)
    assert parse_rules(Sources().add("t.rules", print_rules(tree)), problems) == tree
    assert not problems.all()


# ---------------------------------------------------------------- tested


@each
def test_its_lines_count_as_run_when_a_scenario_runs_them(name: str) -> None:
    """All of what is acted on; without a scenario none of it."""
    suite = load_suite(folder_of(name), name)
    outcome = run_suite(suite)
    assert render_all(suite.problems, suite.spec.sources) == ""
    assert [o.mismatches for o in outcome.outcomes if o.mismatches] == []
    lines = CONSTRUCTS[name].rules.strip().split("\n")
    missing = {
        u.place for u in rule_coverage(suite.spec, outcome).missing() if u.sort == "statement"
    }
    left = {lines[line - 1].strip() for _, line, _ in missing if line <= len(lines)}
    # what only the other way of a choice does
    assert left <= {
        "option keep: pass", "if n is none: return", "if n is none or c is none: return"
    }  # fmt: skip
    bare = load_suite(folder_of(name, False), name)
    units = rule_coverage(bare.spec, run_suite(bare)).units
    at = next(i for i, line in enumerate(lines, 1) if CONSTRUCTS[name].look in line)
    mine = [u for u in units if u.place[1] == at and u.sort == "statement"]
    assert mine and not any(u.ran for u in mine)


@each
def test_a_change_of_it_is_made_and_noticed(name: str) -> None:
    suite = load_suite(folder_of(name), name)
    coverage = cover(suite)
    lines = CONSTRUCTS[name].rules.strip().split("\n")
    at = next(i for i, line in enumerate(lines, 1) if CONSTRUCTS[name].look in line)
    mine = [
        m for m in all_mutants(suite.spec) if m.span.file.endswith(".rules") and m.span.line == at
    ]
    fates = {m.words: judge(suite, m, coverage).fate for m in mine}
    assert "noticed" in fates.values(), fates


# ---------------------------------------------------------------- played


@each
def test_both_flavours_saves_and_texts_agree(name: str) -> None:
    game = game_with(name)
    for seed in range(3):
        state, full = game.new_initial_state(seed), game.full.new_initial_state(seed)
        for action in walk(state, seed):
            assert state.legal_actions() == full.legal_actions()
            assert game.full_state(state) == full
            again = game.from_dict(json.loads(json.dumps(state.to_dict())))
            assert again == state
            check_state(game, state)
            full.apply_action(action)
        assert game.full_state(state) == full and full.is_terminal()
        assert state.returns() == full.returns()
        for seat in (0, 1):
            story = api.story(full, seat)
            assert story and not any("{" in line or "}" in line for line in story)


@each
def test_a_deal_from_a_view_is_told_and_goes_on_alike(name: str) -> None:
    game = game_with(name)
    for seed in range(2):
        state = game.full.new_initial_state(seed)
        for step, _ in enumerate(walk(state, seed)):
            for seat in (0, 1):
                view = state.view(seat)
                other = view.determinize(step)
                assert other.view(seat) == view
                if state.current_player() == seat:
                    assert other.legal_actions() == view.legal_actions() == state.legal_actions()
                assert game.full.random_playout(other, step).is_terminal()


@each
def test_previews_are_the_same_for_all_that_looks_the_same(name: str) -> None:
    """What an option brings is known from the view alone, is told, and nothing changes by asking."""
    game = game_with(name)
    told = 0
    state, dice = game.new_initial_state(2, ask_forced=True), random.Random(name)
    for step, _ in enumerate(walk(state, 2)):
        before = state.to_dict()
        ahead = Ahead(game, state)
        dealt = Ahead(game, state.view(state.current_player()).determinize(step))
        for action in dice.sample(state.legal_actions(), min(3, len(state.legal_actions()))):
            found = ahead.preview(action)
            assert found == dealt.preview(action)
            assert "{" not in found["text"]
            told += len(found["changes"])
        assert state.to_dict() == before
    assert told


@each
def test_what_a_seat_remembers_and_why_an_option_is_none(name: str) -> None:
    """The same game gives the same keys; nothing speaks against an option, and something against what is none."""
    game = game_with(name)
    one, other = (game.new_initial_state(4, remember=True) for _ in range(2))
    keys = set()
    for action in walk(one, 4):
        for seat in (0, 1):
            key = one.information_state(seat).key
            assert key == other.information_state(seat).key
            keys.add(key)
        choice = game.info["choices"][str(one.pc)]
        legal = [one.action_to_dict(a)["value"] for a in one.legal_actions()]
        for number in range(min(choice["size"], 20)):
            value = game.option_name(choice, number)
            assert (one.why_not(choice["label"], value) == []) == (value in legal)
        other.apply_action(action)
    assert len(keys) > 2


@needs_compiler
@pytest.mark.native
@each
def test_compiled_it_plays_alike(name: str) -> None:
    slow, fast = engines(read_spec(folder_of(name), name), 2, ())
    for seed in range(4):
        check_alike(slow, fast, seed)
    state = fast.new_initial_state(1)
    action = state.legal_actions()[-1]
    assert state.preview(action) == slow.from_dict(state.to_dict()).preview(action)
