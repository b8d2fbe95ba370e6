"""Observations: the numbers are those of the view, nothing hidden gets in, and what stands where is told."""

from __future__ import annotations

import random
from array import array
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import Ruleset, all_rulesets, game, ruleset_name
from common import spec_of as spec_of_package
from observed import Expected

import rulewright
from rulewright.compiler.build import Spec, build, read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.engines import game_of
from rulewright.native import NativeUnavailable, build_native, check_tools
from rulewright.runtime.errors import RulewrightError
from rulewright.runtime.game import Game

GAMES = Path(__file__).parent / "games"
EXAMPLES = Path(__file__).parents[1] / "examples"
FOLDERS = sorted(str(p.parent.relative_to(GAMES)) for p in GAMES.glob("**/game.yaml"))
SMALL = [("yspahan", 3, ()), ("mykerinos", 2, ()), ("ys", 4, ())]


@cache
def spec_of(folder: str) -> Spec:
    return read_spec(GAMES / folder, folder)


@cache
def small(folder: str) -> Game:
    players, variants = min(rulesets(spec_of(folder).folder))
    return game_of(spec_of(folder), players, variants)


def observed(engine: Game, state: Any, seat: int) -> tuple[bytes, bytes]:
    """An observation and the mask of what the seat may do."""
    spec = engine.observation_spec()
    row, mask = array("f", bytes(4 * spec.size)), bytearray(spec.actions)
    state.observe_into(row, seat)
    state.action_mask_into(mask, seat)
    return row.tobytes(), bytes(mask)


def positions(engine: Game, seed: int, share: float) -> Any:
    """A share of the positions of a random game."""
    dice = random.Random(seed)
    state = engine.new_initial_state(seed)
    while not state.is_terminal():
        if dice.random() < share:
            yield state
        state.apply_action(dice.choice(state.legal_actions()))
    yield state


def test_numbers_are_scaled_by_what_is_usual(tmp_path: Path) -> None:
    """It is no part of the rules: the ruleset stays the same, what is observed has another version."""
    play = "procedure play():\n    for p in Player:\n        choose m in 1 .. 3 by p as add\n        coins[p] += m\n        score m to p for add\n"
    rules = f"state:\n    coins: map Player to 0..500\n{play}outcome p in Player by score[p], coins[p]\n"
    plain, scaled = (tmp_path / "plain", tmp_path / "scaled")
    for folder, more in ((plain, ""), (scaled, "usual: {coins: 6, score: 12}\n")):
        folder.mkdir()
        head = "game: tiny\nplayers: [2]\nseats: [Ada, Bo]\nreasons: {add: added}\n"
        (folder / "game.yaml").write_text(head + more, encoding="utf-8")
        (folder / "play.rules").write_text(rules, encoding="utf-8")
    found = {}
    engines = [rulewright.compile(folder) for folder in (plain, scaled)]
    for engine in engines:
        spec, state = engine.observation_spec(), engine.new_initial_state(1)
        state.apply_action(state.legal_actions()[2])
        row = spec.new()
        state.observe_into(row, 0)
        for name in ("coins", "score"):
            piece = spec[name]
            found.setdefault(name, []).append((row[piece.start], piece.high))
    assert found["coins"] == [(pytest.approx(3 / 500), 1), (0.5, pytest.approx(500 / 6))]
    assert found["score"] == [(pytest.approx(0.03), None), (0.25, None)]
    assert engines[0].info["hash"] == engines[1].info["hash"]
    versions = [engine.observation_spec().version for engine in engines]
    assert versions[0] != versions[1]


def check_numbers(engine: Game, state: Any, seat: int) -> None:
    """Every number is what the view tells, and lies between its bounds."""
    spec = engine.observation_spec()
    row = spec.new()
    state.observe_into(row, seat)
    expected = Expected(engine, state.view(seat))
    for piece in spec.pieces:
        found = row[piece.start : piece.start + piece.size]
        assert piece.low is None or min(found) >= piece.low, piece.name
        assert piece.high is None or max(found) <= piece.high, piece.name
        numbers = expected.of(piece)
        if numbers is not None:
            assert found.tolist() == array(
                "f", numbers
            ).tolist() or found.tolist() == pytest.approx(numbers, rel=1e-6), piece.name


def check_leaks(engine: Game, seed: int, pairs: int) -> int:
    """Pairs of states that differ only in what a seat can't see have equal bytes; how many of them differ at all."""
    dice, left, different = random.Random(seed), pairs, 0
    while left > 0:
        for state in positions(engine, dice.getrandbits(40), 0.2):
            seat = dice.randrange(engine.num_players())
            if state.is_terminal() or left <= 0:
                continue
            other = state.view(seat).determinize(dice.getrandbits(40))
            assert observed(engine, other, seat) == observed(engine, state, seat)
            different += other != state
            left -= 1
    return different


@pytest.mark.parametrize("ruleset", SMALL, ids=ruleset_name)
def test_the_numbers_are_those_of_the_view(ruleset: Ruleset) -> None:
    engine = game(*ruleset)
    for state in positions(engine, 5, 0.03):
        for seat in range(engine.num_players()):
            check_numbers(engine, state, seat)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_numbers_are_those_of_the_view_in_small_games(folder: str) -> None:
    engine = small(folder)
    for seed in range(2):
        for state in positions(engine, seed, 0.3):
            for seat in range(engine.num_players()):
                check_numbers(engine, state, seat)


@pytest.mark.parametrize("ruleset", SMALL, ids=ruleset_name)
def test_nothing_hidden_gets_in(ruleset: Ruleset) -> None:
    assert check_leaks(game(*ruleset), 1, 20) > (0 if ruleset[0] != "mykerinos" else -1)


@pytest.mark.parametrize("folder", [f for f in FOLDERS if f.startswith("secret/")])
def test_nothing_hidden_gets_in_where_all_is_secret(folder: str) -> None:
    assert check_leaks(small(folder), 2, 20) > 0


@pytest.mark.soak
def test_nothing_hidden_gets_in_ten_thousand_times() -> None:
    """10,000 pairs over all rulesets, most of which differ, and some more over the examples."""
    all_of_them = all_rulesets()
    each, different = -(-10_000 // len(all_of_them)), 0
    for number, ruleset in enumerate(all_of_them):
        found = check_leaks(game(*ruleset), 1000 + number, each)
        # nothing lies hidden in Mykerinos: what comes next is drawn when it comes
        assert found > (each / 5 if ruleset[0] != "mykerinos" else -1), ruleset
        different += found
    assert different > 5_000
    hides = set()
    for folder in sorted(p.parent for p in EXAMPLES.glob("*/game.yaml")):
        spec = read_spec(folder, folder.name)
        if check_leaks(game_of(spec, *min(rulesets(spec.folder))), 7, 200):
            hides.add(folder.name)
    assert hides >= {"hearts", "kuhn", "leduc", "liars_dice"}


@pytest.mark.parametrize("ruleset", SMALL, ids=ruleset_name)
def test_both_flavours_write_the_same(ruleset: Ruleset) -> None:
    engine = game(*ruleset)
    for state in positions(engine, 3, 0.03):
        full = engine.full_state(state)
        for seat in range(engine.num_players()):
            assert observed(engine.full, full, seat) == observed(engine, state, seat)


@pytest.mark.parametrize("ruleset", SMALL, ids=ruleset_name)
def test_what_looks_different_is_different(ruleset: Ruleset) -> None:
    """Nothing that a seat sees is left out: equal bytes and masks come from equal views."""
    engine = game(*ruleset)
    found: dict[tuple[bytes, bytes], Any] = {}
    for state in positions(engine, 9, 0.3):
        view = state.view(0)
        assert found.setdefault(observed(engine, state, 0), view) == view


def test_the_viewer_comes_first() -> None:
    engine = game("yspahan", 3)
    state = engine.new_initial_state(1)
    piece = engine.observation_spec()["decides"]
    who = state.current_player()
    for seat in range(3):
        row = engine.observation_spec().new()
        state.observe_into(row, seat)
        found = row[piece.start : piece.start + piece.size]
        assert found.index(1.0) == (who - seat) % 3


def test_by_pieces_or_flat() -> None:
    engine = game("yspahan", 3)
    state = engine.new_initial_state(1)
    flat, named = engine.observation_spec(), engine.observation_spec("pieces")
    row, parts = flat.new(), named.new()
    state.observe_into(row, 2)
    state.observe_into(parts, 2)
    assert row.tolist() == [x for piece in named.pieces for x in parts[piece.name]]
    assert [p.start for p in flat.pieces] == [
        sum(p.size for p in flat.pieces[:i]) for i in range(len(flat.pieces))
    ]
    assert flat.size == sum(p.size for p in flat.pieces)
    assert all(p.meaning and len(p.shape) == len(p.axes) for p in flat.pieces)


def test_the_version_goes_with_the_rules() -> None:
    engines = [rulewright.load("yspahan", n) for n in (2, 3, 4)] + [
        rulewright.load("yspahan", 2, ["manual"])
    ]
    versions = {engine.observation_spec().version for engine in engines}
    assert len(versions) == len(engines)
    assert all(e.observation_spec().version.startswith(e.info["hash"]) for e in engines)


def test_without_numpy_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    import sys

    from rulewright.observing import observer_of

    engine = game("ys", 4)
    state = engine.random_playout(engine.new_initial_state(1), 1)
    row, other = engine.observation_spec().new(), engine.observation_spec().new()
    state.observe_into(row, 1)
    monkeypatch.setitem(sys.modules, "numpy", None)
    observer_of(engine, engine).into(state, other, 1)
    assert row == other


@pytest.mark.parametrize(
    ("buffer", "words"),
    [
        (array("f", [0.0]), "needs .* numbers of type float32"),
        (array("d", [0.0]), "format 'd'"),
        ([0.0], "into a buffer"),
        (bytes(8), "read-only"),
        ({"gold": array("f", [0.0])}, "one buffer for each piece"),
    ],
)
def test_a_wrong_buffer_is_told(buffer: Any, words: str) -> None:
    state = game("yspahan", 3).new_initial_state(1)
    with pytest.raises(RulewrightError, match=words):
        state.observe_into(buffer, 0)


def test_a_wrong_seat_or_layout_is_told() -> None:
    engine = game("yspahan", 3)
    row = engine.observation_spec().new()
    for seat in (3, -1, None, True):
        with pytest.raises(RulewrightError, match="no seat"):
            engine.new_initial_state(1).observe_into(row, seat)
        if seat is not None:
            with pytest.raises(RulewrightError, match="no seat"):
                engine.new_initial_state(1).action_mask_into(bytearray(1266), seat)
    with pytest.raises(RulewrightError, match="a layout is 'flat' or 'pieces'"):
        engine.observation_spec("round")


def test_numbers_of_arrays_are_seats_and_seeds() -> None:
    engine = game("yspahan", 3)
    state = engine.new_initial_state(np.int64(4))
    assert state == engine.new_initial_state(4) and type(state.rng) is int
    for seat in range(3):
        given = np.array([seat], np.uint8)[0]
        assert observed(engine, state, given) == observed(engine, state, seat)
        view = state.view(given)
        assert view == state.view(seat) and type(view.seat) is int
        assert view.determinize(given) == view.determinize(seat)
    remembering = engine.new_initial_state(4, remember=True)
    assert remembering.information_state(given) == remembering.information_state(2)


def test_a_flat_observation_is_split() -> None:
    """Whatever it lies in, its pieces share the numbers."""
    engine = game("yspahan", 3)
    spec, state = engine.observation_spec(), engine.new_initial_state(1)
    row = spec.new()
    found = spec.split(row)
    state.observe_into(row, 1)
    assert found["decides"].tolist() == list(row[:3]) and sum(row[:3]) == 1
    rows = np.zeros((2, 5, spec.size), np.float32)
    state.observe_into(rows[1, 4], 1)
    assert spec.split(rows)["gold"].shape == (2, 5, 3)
    assert spec.split(rows)["decides"][1, 4].tolist() == list(row[:3])
    for wrong, words in (
        (row[:-1], "has 846 numbers; this has the shape .845,."),
        (np.float32(1), "this has the shape ()"),
        ([0.0] * 846, "into a buffer"),
    ):
        with pytest.raises(RulewrightError, match=words):
            spec.split(wrong)


def test_a_mask_is_of_who_decides() -> None:
    engine = rulewright.load("yspahan", 3)
    state = engine.new_initial_state(1)
    mask = bytearray(engine.num_distinct_actions())
    state.action_mask_into(mask)
    assert [i for i, x in enumerate(mask) if x] == list(state.legal_actions())
    state.action_mask_into(mask, (state.current_player() + 1) % 3)
    assert not any(mask)
    end = engine.random_playout(state, 1)
    end.action_mask_into(mask)
    assert not any(mask)


# ---------------------------------------------------------------- compiled


def native_of(spec: Spec, players: int, variants: tuple[str, ...] = (), level: str = "0") -> Game:
    """The same ruleset compiled; the full flavour is the interpreted one's."""
    try:
        check_tools()
    except NativeUnavailable as error:
        pytest.skip(str(error))
    engine = build(spec, players, variants)
    slow = game_of(spec, players, variants)
    return Game(build_native(engine, level), engine.info, lambda: slow.full)


def check_native(slow: Game, fast: Game, seed: int) -> None:
    """Every observation and mask of a random game, bit by bit; and the same games in arrays, on one thread and on several."""
    dice = random.Random(seed)
    one, other = slow.new_initial_state(seed), fast.new_initial_state(seed)
    while not one.is_terminal():
        for seat in range(slow.num_players()):
            assert observed(fast, other, seat) == observed(slow, one, seat)
        action = dice.choice(one.legal_actions())
        one.apply_action(action)
        other.apply_action(action)
    assert observed(fast, other, 0) == observed(slow, one, 0)
    vectors = [
        slow.vector(5, seed),
        fast.vector(5, seed, threads=1),
        fast.vector(5, seed, threads=3),
    ]
    sources = [np.random.default_rng(seed) for _ in vectors]
    for number in range(120):
        drawn = [v.random_actions(dice) for v, dice in zip(vectors, sources, strict=True)]
        assert drawn[0].tolist() == drawn[1].tolist() == drawn[2].tolist()
        if number == 60:
            for vector in vectors:
                vector.reset()
            continue
        for vector in vectors:
            vector.step(drawn[0])
        for name in ("observations", "masks", "rewards", "done", "seat", "scores", "rounds", "lengths"):  # fmt: skip
            one, *others = (getattr(vector, name).tobytes() for vector in vectors)
            assert all(other == one for other in others), name


@pytest.mark.parametrize("folder", ["kuhn", "bluff"])
def test_compiled_engines_write_the_same(folder: str) -> None:
    slow = small(folder)
    check_native(slow, native_of(spec_of(folder), slow.num_players()), 3)


@pytest.mark.native
@pytest.mark.parametrize("ruleset", all_rulesets(), ids=ruleset_name)
def test_compiled_engines_of_all_rulesets_write_the_same(ruleset: Ruleset) -> None:
    name, players, variants = ruleset
    spec = spec_of_package(name)
    check_native(game(*ruleset), native_of(spec, players, variants, "2"), 4)
