"""What tests of engines share: all rulesets of the package's games, their engines, random play, and checks of states."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from rulewright.compiler.build import Spec, build, read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.conformance.suite import Suite, load_suite
from rulewright.engines import SPECS, game_of, games, module_of
from rulewright.runtime import api
from rulewright.runtime.game import Game
from rulewright.runtime.zones_text import counts

T = TypeVar("T")
Ruleset = tuple[str, int, tuple[str, ...]]
Json = dict[str, Any]
# small games made for tests
GAMES = Path(__file__).parent / "games"
# no game here comes near to it
MOST_DECISIONS = 5000


@cache
def spec_of(name: str) -> Spec:
    return read_spec(SPECS / name, f"spec/{name}")


@cache
def game(name: str, players: int, variants: tuple[str, ...] = ()) -> Game:
    """Both flavours of one ruleset, built once in each process."""
    return game_of(spec_of(name), players, variants)


def tuned_game(spec: Spec, players: int, variants: tuple[str, ...] = ()) -> Game:
    """A fast engine as it is kept: the same games in fewer steps of the interpreter."""
    fast = build(spec, players, variants, tuned=True)
    return Game(module_of(fast.text, "tuned"), fast.info)


def checking_game_of(spec: Spec, players: int, variants: tuple[str, ...] = ()) -> Game:
    """A fast engine that looks at everything that must hold after each decision of `checked_playout`."""
    fast = build(spec, players, variants, checking=True)

    def make_full() -> Game:
        full = build(spec, players, variants, full=True)
        return Game(module_of(full.text, "full"), full.info)

    return Game(module_of(fast.text, "checking"), fast.info, make_full)


@cache
def checking_game(name: str, players: int, variants: tuple[str, ...] = ()) -> Game:
    return checking_game_of(spec_of(name), players, variants)


@cache
def suite_of(name: str) -> Suite:
    """The scenarios of a game, read once for all tests of a process."""
    return load_suite(SPECS / name, f"spec/{name}")


def all_rulesets(*names: str) -> list[Ruleset]:
    """Every ruleset of the games named, or of all games."""
    return [(g, n, v) for g in names or games() for n, v in rulesets(spec_of(g).folder)]


def ruleset_name(ruleset: Ruleset) -> str:
    name, players, variants = ruleset
    return "-".join([name, str(players), *variants])


def sampled(all_of_them: Sequence[Any], every: int) -> list[Any]:
    """Parameters of which `make test` takes one in so many, and `make test-wide` the others."""
    return [
        pytest.param(one, marks=[] if number % every == 0 else [pytest.mark.wide])
        for number, one in enumerate(all_of_them)
    ]


def some_rulesets(*names: str) -> list[Any]:
    """Every third ruleset of each game named, or of all games; the rest is left to `make test-wide`."""
    return [one for name in names or games() for one in sampled(all_rulesets(name), 3)]


each_ruleset = pytest.mark.parametrize("ruleset", some_rulesets(), ids=ruleset_name)


def copy_of(name: str, folder: Path) -> Path:
    """A copy of a game's spec that may be edited."""
    return Path(shutil.copytree(SPECS / name, folder / name))


# ---------------------------------------------------------------- playing


def walk(state: Any, seed: int, most: int | None = None) -> Iterator[int]:
    """Random decisions, to the end or at most so many; the caller has the state before each of them."""
    dice = random.Random(seed)
    for _ in range(MOST_DECISIONS if most is None else most):
        if state.is_terminal():
            return
        action = dice.choice(state.legal_actions())
        yield action
        state.apply_action(action)
    if most is None:
        raise AssertionError(f"no end after {MOST_DECISIONS} decisions")


def reach(
    engine: Game, seed: int, decisions: int, chance: str = "sampled"
) -> tuple[Any, list[int]]:
    """A position of random play and the actions that led to it; before the end, however short the game was."""
    state = engine.new_initial_state(seed, chance)
    before, actions = state.clone(), []
    for action in walk(state, seed, decisions):
        before = state.clone()
        actions.append(action)
    return (before, actions[:-1]) if state.is_terminal() else (state, actions)


def calls_in(work: Callable[[], T]) -> tuple[int, T]:
    """How many functions of Python's were called to do something, and what it gave: the same however busy the machine is."""
    count = 0

    def seen(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        found = work()
    finally:
        sys.setprofile(before)
    return count, found


def same(one: Any, other: Any) -> bool:
    """Whether two states are equal, their random numbers included."""
    return bool(one == other and one.rng == other.rng)


def snapshot(state: Any) -> dict[str, Any]:
    """Every field of a state as it is now, but for what counts what ran and was asked; later changes do not touch it."""
    out = {}
    for name in api.fields_of(state):
        if name in ("hits", "failed"):
            continue
        value = getattr(state, name)
        if isinstance(value, list):
            value = [list(x) if isinstance(x, list) else x for x in value]
        out[name] = value
    return out


# ---------------------------------------------------------------- what must hold in every state


def pieces(engine: Game, state: Any) -> list[list[list[int]]]:
    """For each family and each owner of it, how many pieces of each kind there are in all places together."""
    out = []
    for family in engine.info["families"]:
        kinds = family["kind"]["size"]
        found = [[0] * kinds for _ in family["copies"]]
        for zone in family["zones"]:
            field = getattr(state, zone["field"])
            for owner, content in enumerate(field if zone["per"] is not None else [field]):
                row = found[owner if family["per"] is not None else 0]
                for kind, n in enumerate(counts(content, kinds)):
                    row[kind] += n
        standing = family["standing"]
        if standing is not None:
            f = {name: getattr(state, field) for name, field in standing["fields"].items()}
            for handle in range(standing["size"]):
                if f["alive"] >> handle & 1:
                    owner = f["owner"][handle] if family["per"] is not None else 0
                    found[owner][f["value"][handle]] += 1
        out.append(found)
    return out


def check_state(engine: Game, state: Any) -> None:
    """No invariant is broken, no piece was lost or made, every number is in its range, and the scores add up."""
    full = engine.full_state(state)  # reading a saved state checks the ranges
    broken = engine.full.module.broken(full)
    assert broken < 0, engine.info["invariants"][broken]["name"]
    assert pieces(engine, state) == [family["copies"] for family in engine.info["families"]]
    assert [sum(row.values()) for row in state.score_breakdown()] == state.scores()


# ---------------------------------------------------------------- what a seat knows


def hides_something(engine: Game) -> bool:
    """Whether a seat can be unsure of anything: what lies in the only place that it can't see is known by elimination."""
    if any(var["visible"] != "all" for var in engine.info["state"]):
        return True
    for family in engine.info["families"]:
        places = 2 if family["standing"] is not None else 0
        for zone in family["zones"]:
            if zone["visible"] == "owner":
                places += engine.num_players() - 1
            elif zone["visible"] != "all":
                places += 1 if zone["per"] is None else 2
        if places > 1:
            return True
    return False


def learned(engine: Game, state: Any, seat: int) -> Json:
    """All that a seat is told of a state in the full flavour: its view, its options, the words for them, and the story."""
    view = state.view(seat)
    out: Json = {
        "view": view.data, "decides": view.current_player(), "over": view.is_terminal(),
        "scores": view.scores(), "legal": view.legal_actions(), "story": api.story(state, seat),
    }  # fmt: skip
    if state.current_player() == seat:
        assert view.legal_actions() == state.legal_actions()
        choice = engine.info["choices"][str(state.pc)]
        names = [engine.option_name(choice, i) for i in range(choice["size"])]
        out["why not"] = {str(n): state.why_not(choice["label"], n) for n in names}
        out["words"] = [state.action_to_string(a, seat) for a in state.legal_actions()]
        out["names"] = [view.action_to_dict(a) for a in view.legal_actions()]
    return out


def check_pair(engine: Game, state: Any, seat: int, seed: int) -> bool:
    """A state and another one that looks the same to a seat: it learns the same of both. True if they differ at all."""
    other = state.view(seat).determinize(seed)
    assert learned(engine, other, seat) == learned(engine, state, seat)
    if state.current_player() != seat and not state.is_chance_node():
        # what the seat would hear of another's decision
        for action in set(state.legal_actions()) & set(other.legal_actions()):
            words = state.action_to_string(action, seat)
            assert other.action_to_string(action, seat) == words
    return bool(other != state)
