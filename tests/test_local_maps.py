"""Maps of a function's own, against Python's: numbers, truth, options and sets by kind and by number, also across decisions."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.compiler.build import check_spec, read_spec
from rulewright.runtime.errors import EngineError
from rulewright.runtime.game import Game

SPEC = Path(__file__).parent / "micro" / "ways"
TOWNS = ["ash", "birch", "cedar", "dale", "elm"]
STEPS = {t: {TOWNS[(i - 1) % 5], TOWNS[(i + 1) % 5]} for i, t in enumerate(TOWNS)}


@pytest.fixture(scope="module")
def game() -> Game:
    return rulewright.compile(str(SPEC), players=2)


def costs(start: str, toll: dict[str, int]) -> dict[str, int]:
    cost = dict.fromkeys(TOWNS, 99) | {start: 0}
    for _ in TOWNS:
        for t in TOWNS:
            cost[t] = min([cost[t], *(cost[x] + toll[t] for x in STEPS[t])])
    return cost


def expected(start: str, turn: int, toll: dict[str, int]) -> dict[str, Any]:
    cost = costs(start, toll)
    steps = {t: (TOWNS.index(t) - TOWNS.index(start)) % 5 for t in TOWNS}
    rings = {t: max(1, min(n, 5 - n)) for t, n in steps.items() if t != start}
    before = {
        t: next((x for x in TOWNS if x in STEPS[t] and cost[x] + toll[t] == cost[t]), None)
        for t in TOWNS
    }
    return {
        "far": cost,
        "before": before | {start: None},
        "rings": {str(n): [t for t in TOWNS if rings.get(t) == n] for n in range(1, 5)},
        "reached": [t for t in TOWNS if cost[t] <= 2 * turn],
    }


@pytest.mark.parametrize("full", [False, True], ids=["fast", "full"])
@pytest.mark.parametrize("seed", range(6))
def test_maps_hold_what_pythons_would(game: Game, full: bool, seed: int) -> None:
    engine = game.full if full else game
    state, luck = engine.new_initial_state(seed=seed, ask_forced=True), random.Random(seed)
    toll, acts = dict.fromkeys(TOWNS, 1), 0
    while not state.is_terminal():
        spent: dict[str, int] = {}
        for _ in range(2):
            legal = [state.action_to_dict(a)["value"] for a in state.legal_actions()]
            assert legal == [t for t in TOWNS if t not in spent]
            town, n = luck.choice(legal), luck.randint(1, 4)
            state.apply_action(state.action_from_dict({"choice": "raise", "value": town}))
            state = engine.from_dict(state.to_dict())  # the map waits in the state
            state.apply_action(state.action_from_dict({"choice": "by_how_much", "value": n}))
            spent[town] = n
        toll = {t: (toll[t] + spent.get(t, 0) - 1) % 5 + 1 for t in TOWNS}
        turn = acts // 2 + 1
        wanted = expected("ash" if turn % 2 else "dale", turn, toll)
        found = state.to_dict()["state"]
        assert found["toll"] == toll
        assert {k: found[k] for k in wanted} == wanted
        acts += 1
    assert acts == 8


def test_the_spec_has_no_problems() -> None:
    assert not list(check_spec(read_spec(SPEC, "ways")))


def test_a_value_outside_the_bounds_is_told_where_it_is_assigned(tmp_path: Path) -> None:
    for file in ("game.yaml", "tables.yaml"):
        (tmp_path / file).write_text((SPEC / file).read_text(encoding="utf-8"), encoding="utf-8")
    text = (SPEC / "play.rules").read_text(encoding="utf-8")
    text = text.replace("        spent[t] += n\n", "        spent[t] += n + 2\n")
    (tmp_path / "play.rules").write_text(text, encoding="utf-8")
    state = rulewright.compile(str(tmp_path), players=2).full.new_initial_state(seed=1)
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(EngineError, match=r"play.rules:18.*RW1003"):
        state.apply_action(state.legal_actions()[3])
