"""Engines compiled to machine code do what the interpreted ones do, to the bit.

One of them in every run of the tests; with the mark `native` (`make test-native`) those of all rulesets, and every scenario.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
from array import array
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from common import Ruleset, all_rulesets, each_ruleset, game, ruleset_name, spec_of, suite_of, walk
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from test_errors_in_play import CASES, built, check, played
from test_playthroughs import check_course

from rulewright.bots.registry import book_of, make
from rulewright.compiler.build import build, read_spec
from rulewright.compiler.emit.engine import Engine
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.text.diagnostics import render_all
from rulewright.conformance import run
from rulewright.conformance.scenario import Decide
from rulewright.conformance.scenario import Ruleset as OfScenarios
from rulewright.engines import SPECS, games, load, module_of
from rulewright.native import NativeUnavailable, build_native, check_tools, compiler, headers
from rulewright.runtime.api import fields_of
from rulewright.runtime.errors import EngineError, IllegalAction, SaveError
from rulewright.runtime.game import Game

ROOT = Path(__file__).parents[1]
# compiled engines are kept here, so that only the first run takes minutes, and no other test takes them
CACHE = ROOT / ".rulewright-cache"
ONE: Ruleset = ("yspahan", 4, ())
RUNTIME = ROOT / "runtime" / "c"
RACE = Path(__file__).parent / "games" / "race"
EXAMPLES = ROOT / "examples"


def _missing() -> str:
    try:
        check_tools()
    except NativeUnavailable as error:
        return str(error)
    return ""


needs_compiler = pytest.mark.skipif(bool(_missing()), reason=_missing() or "all is there")
few = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def compiled(engine: Engine, level: str = "2") -> ModuleType:
    before = os.environ.get("RULEWRIGHT_CACHE")
    os.environ["RULEWRIGHT_CACHE"] = str(CACHE)
    try:
        return build_native(engine, level)
    finally:
        if before is None:
            del os.environ["RULEWRIGHT_CACHE"]
        else:
            os.environ["RULEWRIGHT_CACHE"] = before


@cache
def native(ruleset: Ruleset) -> Game:
    """The fast flavour of a ruleset, compiled; the full one beside it is interpreted."""
    name, players, variants = ruleset
    engine = build(spec_of(name), players, variants)
    return Game(compiled(engine), engine.info, lambda: game(*ruleset).full)


def plain(value: Any) -> Any:
    """Lists of any make as Python's own."""
    if isinstance(value, int | float | str | bool):
        return value
    return [plain(entry) for entry in value]


def content(state: Any) -> dict[str, Any]:
    """Every field of a state."""
    return {name: plain(getattr(state, name)) for name in fields_of(state)}


def check_same(ruleset: Ruleset, seed: int) -> None:
    """One game on both engines, side by side: every field, every answer."""
    slow, fast = game(*ruleset), native(ruleset)
    one, other = slow.new_initial_state(seed=seed), fast.new_initial_state(seed=seed)
    dice = random.Random(seed)
    while True:
        assert content(one) == content(other)
        legal = one.legal_actions()
        assert other.legal_actions() == legal
        assert other.current_player() == one.current_player()
        assert other.is_terminal() == one.is_terminal()
        if one.is_terminal():
            break
        action = dice.choice(legal)
        one.apply_action(action)
        other.apply_action(action)
    assert one.to_dict() == other.to_dict()
    assert one.scores() == other.scores() and one.ranking() == other.ranking()
    assert one.returns() == other.returns() and one.score_breakdown() == other.score_breakdown()


def check_answers(ruleset: Ruleset, seed: int, decisions: int) -> None:
    """In one position: copies, saves, hashes, views, deals, refusals and playouts are the same."""
    slow, fast = game(*ruleset), native(ruleset)
    one = slow.new_initial_state(seed=seed)
    for action in walk(one, seed, decisions):
        assert action in one.legal_actions()
    saved = one.to_dict()
    one = slow.from_dict(saved)  # without what no longer counts
    other = fast.from_dict(json.loads(json.dumps(saved)))
    assert content(other.clone()) == content(other) == content(one)
    assert other.to_dict() == saved and other == fast.from_dict(saved)
    assert hash(other) == hash(one)
    for seat in range(slow.num_players()):
        assert one.view(seat).data == other.view(seat).data
        dealt = other.view(seat).determinize(seed)
        assert dealt.to_dict() == one.view(seat).determinize(seed).to_dict()
    assert _refusals(slow, one) == _refusals(fast, other)
    seeds = range(seed, seed + 20)
    assert [content(end) for end in slow.random_playouts(one, seeds)] == [
        content(end) for end in fast.random_playouts(other, seeds)
    ]
    weights = [seed * i % 7 for i in range(slow.num_distinct_actions())]
    for who in (-1, one.current_player()):
        x = slow.module.playout_until(one, seed + 1, 50, who, weights)
        assert fast.module.playout_until(other, seed + 1, 50, who, weights) == x
        assert content(one) == content(other)


def _refusals(engine: Game, state: Any) -> list[str]:
    """What is said to every action that is not legal; the state stays as it is."""
    before, out = content(state), []
    legal = set(state.legal_actions())
    # a whole machine word further, too: shifting by it must not come round to a legal one
    far = [action + 64 * k for action in legal for k in (1, 2)]
    for action in (-1, *range(engine.num_distinct_actions() + 1), *far, 10**30):
        if action not in legal:
            with pytest.raises(IllegalAction) as told:
                state.apply_action(action)
            out.append(str(told.value))
    assert content(state) == before
    return out


@needs_compiler
def test_a_compiled_engine_with_few_options_refuses_what_the_interpreted_does() -> None:
    """Sets of options are machine words here, unlike in the large engine of the other tests."""
    engine = build(read_spec(RACE, "tests/games/race"), 2)
    slow = Game(module_of(engine.text, "race"), engine.info)
    fast = Game(compiled(engine, "0"), engine.info)
    for seed in range(5):
        one, other = slow.new_initial_state(seed=seed), fast.new_initial_state(seed=seed)
        assert _refusals(slow, one) == _refusals(fast, other)


@needs_compiler
@few
@given(seed=st.integers(-(2**70), 2**70))
def test_one_compiled_engine_plays_as_the_interpreted(seed: int) -> None:
    check_same(ONE, seed)


@needs_compiler
def test_forced_decisions_are_asked_alike() -> None:
    slow, fast = game(*ONE), native(ONE)
    one, other = (g.new_initial_state(4, ask_forced=True) for g in (slow, fast))
    assert type(other) is fast.asking and type(other.clone()) is fast.asking
    dice, forced = random.Random(4), 0
    while not one.is_terminal():
        assert content(one) == content(other)
        legal = one.legal_actions()
        forced += len(legal) == 1
        action = dice.choice(legal)
        one.apply_action(action)
        other.apply_action(action)
    assert other.is_terminal() and forced
    again = pickle.loads(pickle.dumps(other))
    assert type(again) is fast.asking and again == other


@needs_compiler
@few
@given(seed=st.integers(0, 2**40), decisions=st.integers(0, 300))
def test_one_compiled_engine_answers_as_the_interpreted(seed: int, decisions: int) -> None:
    check_answers(ONE, seed, decisions)


@needs_compiler
@pytest.mark.native
@each_ruleset
def test_compiled_engines_are_the_interpreted_ones(ruleset: Ruleset) -> None:
    for seed in range(5):
        check_same(ruleset, seed)
    for seed in range(3):
        check_answers(ruleset, seed, 80 * seed)
    slow, fast = game(*ruleset).module, native(ruleset).module
    assert slow.playouts(100, 1) == fast.playouts(100, 1)


@needs_compiler
@pytest.mark.soak
@each_ruleset
def test_compiled_engines_stay_the_interpreted_ones(ruleset: Ruleset) -> None:
    """The same with more seeds."""
    for seed in range(5, 40):
        check_same(ruleset, seed)
    for seed in range(3, 15):
        check_answers(ruleset, seed, 25 * seed)


@needs_compiler
@pytest.mark.native
@each_ruleset
def test_playthroughs_go_as_they_did(ruleset: Ruleset) -> None:
    check_course(ruleset, native(ruleset))


@needs_compiler
@pytest.mark.native
@pytest.mark.parametrize("case", CASES)
def test_errors_of_compiled_engines_are_located(case: str, tmp_path: Path) -> None:
    rules, code, line = CASES[case]
    slow, lines = built(tmp_path, rules)
    engine = build(read_spec(tmp_path / "tiny", "tiny"), 2)
    fast = Game(compiled(engine, "0"), engine.info)
    errors = [played(fast, seed)[0] for seed in range(4)]
    assert [str(e) for e in errors] == [str(played(slow, seed)[0]) for seed in range(4)]
    for error in errors:
        if error is not None:
            check(error, code, line, lines)


@needs_compiler
@pytest.mark.native
@pytest.mark.parametrize("name", games())
def test_bots_judge_and_search_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every strategy's own estimate is compiled too; a search grows the same tree."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(CACHE))
    ruleset: Ruleset = (name, max(spec_of(name).folder.game.players), ())
    slow, fast = game(*ruleset), native(ruleset)
    strategies = [*book_of(slow, None).strategies.values()]
    names = ["greedy", "mcts:60", *(s.name for s in strategies if s.evaluation is not None)]
    for bot in names:
        bots: list[Any] = [make(bot, slow), make(bot, fast)]
        assert bots[0].judge._at_once is None and bots[1].judge._at_once is not None
        for seed in range(4):
            one = slow.new_initial_state(seed)
            for _ in walk(one, seed, 25 * seed):
                pass
            if one.is_terminal():
                continue
            other = fast.from_dict(one.to_dict())
            assert bots[0].judge.estimates(one) == bots[1].judge.estimates(other)
            assert bots[0].judge.margins(one) == bots[1].judge.margins(other)
            views = [state.view(one.current_player()) for state in (one, other)]
            assert bots[0].choose(views[0], seed) == bots[1].choose(views[1], seed)
            if bot == "mcts:60":
                trees = [b.search(v, seed) for b, v in zip(bots, views, strict=True)]
                assert [trees[0].actions, trees[0].visits] == [trees[1].actions, trees[1].visits]
                assert [trees[0].totals, trees[0].low] == [trees[1].totals, trees[1].low]


@needs_compiler
def test_steps_of_a_search_refuse_what_is_no_tree() -> None:
    module: Any = native(ONE).module
    good = [[1], [0], [0.5], [1, 1], [0.0, 0.5], [0.0, 0.5], [1.0, 1.0], [0.0], [0.0]]
    module.credit(*good)
    assert good[3] == [2, 2] and good[4] == [0.0, 1.0]
    assert module.promising([1], good[5], good[6], 0.0, 1.0, 0.6, 2) == 1
    for at, wrong in ((0, [7]), (0, [-1]), (1, [3]), (2, []), (3, ["a"]), (4, [0]), (0, [1, 1])):
        bad = [list(x) for x in good]
        bad[at] = wrong
        with pytest.raises(ValueError, match="not those of a tree"):
            module.credit(*bad)
    for tried in ([], [2], [-1], ["a"], [10**30]):
        with pytest.raises(ValueError, match="not those of a tree"):
            module.promising(tried, [0.5], [1.0], 0.0, 1.0, 0.6, 2)
    with pytest.raises(TypeError):
        module.margins(None, 4, 1.0, 0.5)


# ---------------------------------------------------------------- conformance


def _of_scenarios() -> list[Any]:
    return [
        pytest.param(name, ruleset, id=f"{name} {ruleset}")
        for name in games()
        for ruleset in suite_of(name).rulesets()
    ]


@needs_compiler
@pytest.mark.native
@pytest.mark.parametrize(("name", "ruleset"), _of_scenarios())
def test_every_scenario_goes_on_alike_on_compiled_engines(
    name: str, ruleset: OfScenarios, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scenarios run on the full flavour; wherever one decides, both fast engines take over and every option is tried."""
    suite = suite_of(name)
    # as for the full flavour, every procedure can be where a scenario begins
    engine = build(
        spec_of(name), ruleset.players, ruleset.variants, dict(ruleset.options), all_entries=True
    )
    bench = suite.bench(ruleset)
    assert bench is not None, render_all(suite.problems, suite.spec.sources)
    slow = Game(module_of(engine.text, name), engine.info, lambda: bench.game)
    fast = Game(compiled(engine), engine.info, lambda: bench.game)
    met = 0
    real = run.Runner.decide

    def decide(self: Any, step: Any) -> None:
        nonlocal met
        met += 1
        if self.state.pc and self.state.who >= 0:
            check_options(slow, fast, self.state)
        real(self, step)

    monkeypatch.setattr(run.Runner, "decide", decide)
    for scenario in suite.rulesets()[ruleset]:
        result = suite.run(ruleset, scenario)
        assert result is not None and result.passed
    steps = [step for scenario in suite.rulesets()[ruleset] for step in scenario.steps]
    assert met >= sum(isinstance(step, Decide) for step in steps)


def check_options(slow: Game, fast: Game, state: Any) -> None:
    """A state of the full flavour in both fast engines: the same, and the same after each of its options."""
    try:
        one, other = slow.fast_state(state), fast.fast_state(state)
    except SaveError:
        # more pieces than there are, on purpose: no fast engine has room for them
        for each in (slow, fast):
            with pytest.raises(SaveError, match=r"zones\..* is outside"):
                each.fast_state(state)
        return
    assert content(one) == content(other)
    for action in one.legal_actions():
        after = [one.clone(), other.clone()]
        told = []
        for each in after:
            try:
                each.apply_action(action)
                told.append("")
            except EngineError as error:
                told.append(str(error))
        assert told[0] == told[1]
        if not told[0]:
            assert content(after[0]) == content(after[1])


# ---------------------------------------------------------------- batches


@needs_compiler
@pytest.mark.native
def test_a_batch_does_what_its_states_do() -> None:
    """Steps, masks as bytes and as words, seats and scores, on one thread and on three."""
    fast = native(ONE)
    count, actions = 20, fast.num_distinct_actions()
    for threads in (1, 3):
        batch = fast.module.Batch(count)
        batch.begin(array("q", range(count)), threads)
        states = [fast.new_initial_state(seed) for seed in range(count)]
        dice = random.Random(threads)
        masks, words = bytearray(count * actions), -(-actions // 64)
        packed, seats = array("Q", bytes(8 * words * count)), array("b", bytes(count))
        while any(not s.is_terminal() for s in states):
            chosen = [0 if s.is_terminal() else dice.choice(s.legal_actions()) for s in states]
            batch.masks(masks, threads)
            batch.packed_masks(packed, threads)
            batch.players(seats, threads)
            for i, s in enumerate(states):
                legal = tuple(a for a in range(actions) if masks[i * actions + a])
                row = packed[i * words : (i + 1) * words]
                assert legal == s.legal_actions()
                assert legal == tuple(a for a in range(actions) if row[a // 64] >> a % 64 & 1)
                assert seats[i] == s.current_player()
                if not s.is_terminal():
                    s.apply_action(chosen[i])
            batch.step(array("i", chosen), threads)
        scores = array("q", bytes(8 * count * fast.num_players()))
        batch.scores(scores, threads)
        assert list(scores) == [x for s in states for x in s.scores()]
        assert [content(batch[i]) for i in range(count)] == [content(s) for s in states]


@needs_compiler
def test_a_batch_tells_what_is_wrong() -> None:
    fast = native(ONE)
    batch = fast.module.Batch(4)
    batch.begin(array("q", range(4)))
    first = fast.new_initial_state(2)
    with pytest.raises(IllegalAction) as told:
        batch.step(array("i", [*(batch[i].legal_actions()[0] for i in range(2)), 10**6, 0]))
    with pytest.raises(IllegalAction) as said:
        first.apply_action(10**6)
    assert str(told.value) == str(said.value) and content(batch[2]) == content(first)
    with pytest.raises(ValueError, match="bytes are expected"):
        batch.step(array("i", [1, 2]))
    with pytest.raises(ValueError, match="threads are from 1"):
        batch.step(array("i", [0] * 4), 0)
    batch[0] = first
    assert batch[0] == first and len(batch) == 4
    with pytest.raises(IndexError):
        batch[4]


@needs_compiler
def test_states_are_pickled_and_copied() -> None:
    fast = native(ONE)
    state = fast.new_initial_state(5)
    for action in walk(state, 5, 40):
        assert action in state.legal_actions()
    again = pickle.loads(pickle.dumps(state))
    assert again.to_dict() == state.to_dict()
    assert copy.copy(state) == state


def _of_examples() -> list[Any]:
    return [
        pytest.param(folder, ruleset, id=f"{folder.name} {ruleset[0]}")
        for folder in sorted(file.parent for file in EXAMPLES.glob("*/game.yaml"))
        for ruleset in rulesets(read_spec(folder, folder.name).folder)
    ]


@needs_compiler
@pytest.mark.native
@pytest.mark.parametrize(
    ("folder", "ruleset"),
    [*(pytest.param(SPECS / r[0], r[1:], id=ruleset_name(r)) for r in all_rulesets()), *_of_examples()],
)  # fmt: skip
def test_sanitizers_find_nothing(folder: Path, ruleset: tuple[int, tuple[str, ...]]) -> None:
    """Random games of every engine, with every access and every shift looked at, in a program without Python."""
    engine = build(read_spec(folder, folder.name), *ruleset)
    with tempfile.TemporaryDirectory() as work:
        place = Path(work)
        own = engine.c_text().replace(
            '#include "rw_engine.h"', '#include "rw_play.h"\n#include "main.c"'
        )
        (place / "engine.c").write_text(own, encoding="utf-8")
        (place / "main.c").write_text(_PLAYER, encoding="utf-8")
        # nothing is optimised: that is compiled in half the time, and no access is left out
        flags = ["-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        places = [f"-I{RUNTIME}", f"-I{headers()}", f"-I{place}"]
        build_it = [*compiler(), "-std=gnu11", *flags, *places, "engine.c", "-o", "player", "-lm"]
        subprocess.run(build_it, cwd=place, check=True)
        done = subprocess.run([place / "player"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) == module_of(engine.text, folder.name).playouts(40, 1)


_PLAYER = """\
#include <stdio.h>
int main(void) {
    int64_t total = 0, *to = &total;
    rw_state *s = malloc(sizeof *s);
    int code = RW_TRY(for (int i = 1; i <= 40; i++) { rw_new_game(s, i); *to += rw_playout(s, rw_seeded(i + 7919)); });
    printf("%lld\\n", (long long)total);
    free(s);
    return code;
}
"""


# ---------------------------------------------------------------- choosing, and doing without


@needs_compiler
def test_load_takes_the_compiled_engine_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    name, players, variants = ONE
    native(ONE)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(CACHE))
    monkeypatch.delenv("RULEWRIGHT_NATIVE", raising=False)
    assert load(name, players, variants).module.COMPILED
    assert not load(name, players, variants, native=False).module.COMPILED
    monkeypatch.setenv("RULEWRIGHT_NATIVE", "0")
    assert not load(name, players, variants).module.COMPILED
    assert load(name, players, variants, native=True).module.COMPILED


@needs_compiler
@pytest.mark.parametrize("home", ["open", "none"])
def test_what_is_built_is_used_where_the_cache_can_not_be(tmp_path: Path, home: str) -> None:
    """A cache where others may write, and a user without one: an engine built for this process alone is taken by it."""
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    code = (
        "import sys; from pathlib import Path; import rulewright.cache\n"
        "if sys.argv[1] == 'none': rulewright.cache.root = lambda: None\n"
        "from rulewright import engines, native\n"
        "print(engines.load(sys.argv[2], 2).module.COMPILED)\n"
        "native.build_native(engines.engine_of(sys.argv[2], 2))\n"
        "print(engines.load(sys.argv[2], 2).module.COMPILED)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, home, RACE], capture_output=True, text=True, check=False,
        env={**os.environ, "RULEWRIGHT_CACHE": str(cache), "RULEWRIGHT_NATIVE": ""},
    )  # fmt: skip
    assert done.stdout == "False\nTrue\n", done.stderr
    assert not list(cache.iterdir())


def test_without_a_c_compiler_all_works_and_says_so_once(tmp_path: Path) -> None:
    environment = {"PATH": str(tmp_path), "RULEWRIGHT_CACHE": str(tmp_path), "CC": "no-such-cc"}
    script = Path(sys.executable).with_name("rulewright")
    done = subprocess.run(
        [sys.executable, script, "build", RACE, "--native", "--out", tmp_path / "out"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("C compiler") == 1 and "'no-such-cc' is not there" in done.stderr
    assert "work interpreted" in done.stderr and "Traceback" not in done.stderr
    assert list((tmp_path / "out" / "race").glob("p*.py"))
    # where nothing is wished for, the usual ones are named; a command that would build one by itself says so and plays on
    bare = {key: value for key, value in environment.items() if key != "CC"}
    done = subprocess.run(
        [sys.executable, script, "simulate", RACE, "--games", "500", "--jobs", "1"],
        env=bare, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr.count("C compiler") == 1
    assert "and neither gcc nor clang is there" in done.stderr
    code = (
        f"import rulewright; game = rulewright.load({ONE[0]!r}, {ONE[1]})\n"
        "print(game.module.COMPILED, game.random_playout(game.new_initial_state(1), 1).is_terminal())\n"
        f"rulewright.load({ONE[0]!r}, {ONE[1]}, native=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "False True\n"
    assert "there is no native engine for this game; make it with" in done.stderr


def test_importing_and_loading_leave_the_compiler_alone() -> None:
    heavy = ("rulewright.compiler", "lark", "jinja2", "black", "yaml", "typer", "rich")
    code = (
        "import sys, rulewright\n"
        f"game = rulewright.load({ONE[0]!r}, {ONE[1]})\n"
        "game.random_playout(game.new_initial_state(1), 1)\n"
        f"print([m for m in {heavy!r} if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@needs_compiler
@pytest.mark.native
def test_members_beyond_half_a_word_are_found_in_written_sets(tmp_path: Path) -> None:
    """A number that is written out is shifted in half a word by compiled code."""
    (tmp_path / "game.yaml").write_text(
        "game: tiny\ntitle: Tiny\nplayers: [2]\nseats: [Blue, Green]\n"
    )
    rows = ", ".join(f"c{i}: {{}}" for i in range(60))
    (tmp_path / "cards.yaml").write_text(f"table: Card\nrows: {{{rows}}}\n")
    (tmp_path / "tiny.rules").write_text("""\
state:
    total: 0..99
    held: Card = c0
outcome p in Player by total
procedure play():
    for p in Player:
        for i in 1 .. 20:
            choose c in Card by p as take
            held = c
            if held in {c0, c1, c2, c3, c31}: total += 1
            if c not in {c30, c59}: total += 1
""")
    engine = build(read_spec(tmp_path), 2)
    fast = Game(compiled(engine, "0"), engine.info)
    slow = Game(module_of(engine.text, "tiny"), engine.info)
    for seed in range(20):
        ends = [e.random_playout(e.new_initial_state(seed), seed) for e in (slow, fast)]
        assert ends[0].to_dict() == ends[1].to_dict()
