"""Small specs, whole and broken at random, played on both engines: every field, every option, every error is the same.

The real games use some of the language; these use the rest. A case that still builds is compiled without optimising, which is
quickest.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fuzz import Bench, tiny_specs
from test_native import compiled, content, needs_compiler

from rulewright.compiler.build import Spec, build, check_spec, read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import module_of
from rulewright.runtime.errors import EngineError, RulewrightError
from rulewright.runtime.game import Game

pytestmark = [needs_compiler, pytest.mark.native]
HERE = Path(__file__).parent
SPECS = sorted(
    file.parent
    for folder in ("games", "micro", "../examples")
    for file in (HERE / folder).rglob("game.yaml")
    if "variants" not in file.parts
)
SEEDS = 6
DECISIONS = 300
# broken specs: those of the first numbers that still build, at most so many
NUMBERS, FUZZED = 400, 40
# what a native engine may find at once and an interpreted fast one does not: a number far outside its range, a list too long
EARLIER = ("RW1003", "RW1008")


def engines(spec: Spec, players: int, variants: tuple[str, ...]) -> tuple[Game, Game]:
    engine = build(spec, players, variants)

    def full() -> Game:
        built = build(spec, players, variants, full=True)
        return Game(module_of(built.text, "full"), built.info)

    slow = Game(module_of(engine.text, "slow"), engine.info, full)
    return slow, Game(compiled(engine, "0"), engine.info, full)


def walked(game: Game, seed: int) -> list[Any]:
    """A random game: every position, every set of options, and the error it ended with."""
    dice, out = random.Random(seed), []
    try:
        state = game.new_initial_state(seed)
        for _ in range(DECISIONS):
            out.append(content(state))
            if state.is_terminal():
                break
            out.append(state.legal_actions())
            state.apply_action(dice.choice(state.legal_actions()))
    except EngineError as error:
        out.append(error)
    return out


def check_alike(slow: Game, fast: Game, seed: int) -> None:
    one, other = walked(slow, seed), walked(fast, seed)
    last = other[-1]
    if isinstance(last, EngineError) and last.code in EARLIER and str(one[-1]) != str(last):
        # then the flavour that checks everything must find it too
        assert one[: len(other) - 1] == other[:-1]
        assert isinstance(walked(slow.full, seed)[-1], EngineError)
        return
    assert list(map(plain, one)) == list(map(plain, other))


def plain(row: Any) -> Any:
    return str(row) if isinstance(row, EngineError) else row


@pytest.mark.parametrize("folder", SPECS, ids=lambda f: f.name)
def test_small_specs_are_played_alike(folder: Path) -> None:
    spec = read_spec(folder, folder.name)
    # small specs show what the language does, and an example is a game: every ruleset of it
    known = rulesets(spec.folder)
    for players, variants in known if folder.parent.name == "examples" else known[-1:]:
        slow, fast = engines(spec, players, variants)
        for seed in range(SEEDS):
            check_alike(slow, fast, seed)


def test_broken_specs_that_build_are_played_alike(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "spec", tiny_specs(), 77)
    bench.folder.mkdir()
    played = 0
    for number in range(NUMBERS):
        bench.write(bench.files(number))
        try:
            spec = read_spec(bench.folder)
            if check_spec(spec).has_errors:
                continue
            players, variants = rulesets(spec.folder)[0]
            slow, fast = engines(spec, players, variants)
        except (SpecError, RulewrightError):
            continue
        for seed in range(2):
            check_alike(slow, fast, seed)
        played += 1
        if played == FUZZED:
            break
    assert played >= FUZZED // 2
