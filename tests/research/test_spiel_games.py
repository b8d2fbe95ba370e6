"""Our games in OpenSpiel: its own tests of games, two of its algorithms, and the same numbers on both sides."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import pytest
from common import Ruleset, all_rulesets

import rulewright
from rulewright.engines import engine_name

pyspiel = pytest.importorskip("pyspiel")
np = pytest.importorskip("numpy")
pytestmark = pytest.mark.research

KUHN = Path(__file__).parents[1] / "games" / "kuhn"


@pytest.fixture(scope="module")
def kuhn() -> Any:
    from rulewright.adapters.open_spiel import register_game

    register_game(rulewright.compile(KUHN), "rulewright_kuhn")
    # at most three decisions and the end
    return pyspiel.load_game("rulewright_kuhn(utility=margins,recall=4)")


@pytest.fixture(scope="module")
def names() -> list[str]:
    from rulewright.adapters.open_spiel import register

    return register()


def test_every_ruleset_is_registered(names: list[str]) -> None:
    from rulewright.compiler.build import read_spec
    from rulewright.compiler.read.overlay import rulesets
    from rulewright.engines import SPECS, games

    many = sum(len(rulesets(read_spec(SPECS / game, game).folder)) for game in games())
    assert len(set(names)) == len(names) == many
    assert set(names) <= set(pyspiel.registered_names())


def test_their_simulation_test_in_kuhn(kuhn: Any) -> None:
    pyspiel.random_sim_test(kuhn, num_sims=20, serialize=True, verbose=False)


def spiel_name(ruleset: Ruleset) -> str:
    name, players, variants = ruleset
    return f"rulewright_{name}_{engine_name(players, variants, {})}"


SOME = ("rulewright_mykerinos_p2", "rulewright_yspahan_p3", "rulewright_ys_p2")


@pytest.mark.parametrize("name", SOME)
def test_their_simulation_test_in_large_games(name: str, names: list[str]) -> None:
    """It goes through a random game and compares copies, saves, tensors, strings and odds on the way."""
    pyspiel.random_sim_test(
        pyspiel.load_game(name), num_sims=1, serialize=name.endswith("s_p2"), verbose=False
    )


@pytest.mark.soak
@pytest.mark.parametrize("name", [spiel_name(r) for r in all_rulesets()])
def test_their_simulation_test_in_all_rulesets(name: str, names: list[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


# ---------------------------------------------------------------- their tests of what every game must do


def passes(case: Any) -> None:
    """A class of their tests, on a game of ours."""
    found = unittest.TestResult()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    assert suite.countTestCases() >= 5
    suite.run(found)
    wrong = [text for _, text in found.errors + found.failures]
    assert not wrong, wrong[0]
    assert found.testsRun == suite.countTestCases()
    assert not found.skipped


def test_their_api_tests_on_the_whole_tree_of_kuhn(kuhn: Any) -> None:
    """With their numbers of nodes and of information states for Kuhn poker; perfect recall by strings and by tensors."""
    from open_spiel.integration_tests import api_test

    passes(type("OurKuhn", (api_test.EnforceAPIOnFullTreeBase,), {"game": kuhn, "game_name": "kuhn_poker"}))  # fmt: skip


@pytest.mark.parametrize("name", ["rulewright_kuhn(utility=margins,recall=4)", *SOME])
def test_their_api_tests_on_some_states(kuhn: Any, name: str, names: list[str], monkeypatch: Any) -> None:  # fmt: skip
    from open_spiel.integration_tests import api_test
    from open_spiel.python.algorithms import sample_some_states

    game = pyspiel.load_game(name)
    many = 400 if "kuhn" in name else 40
    real = sample_some_states.sample_some_states
    monkeypatch.setattr(sample_some_states, "sample_some_states", lambda g, max_states: real(g, max_states=many))  # fmt: skip
    passes(type("Ours", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": name}))


def test_information_states_as_tensors(kuhn: Any) -> None:
    """For each player as many as there are strings, and each for the same histories; what was dealt anew tells no more."""
    from open_spiel.python.observation import make_observation

    pairs: set[tuple[int, str, tuple[float, ...]]] = set()

    def walk(state: Any) -> None:
        if not state.is_chance_node():
            for p in range(2):
                tensor = tuple(state.information_state_tensor(p))
                pairs.add((p, state.information_state_string(p), tensor))
        for action in state.legal_actions():
            walk(state.child(action))

    walk(kuhn.new_initial_state())
    assert len(pairs) == len({(p, s) for p, s, _ in pairs}) == len({(p, t) for p, _, t in pairs})
    state = kuhn.new_initial_state()
    for action in (0, 1, 0, 1):
        state.apply_action(state.legal_actions()[action % len(state.legal_actions())])
    dealt = state.resample_from_infostate(0, random.Random(1).random)
    assert dealt.information_state_tensor(0) == state.information_state_tensor(0)
    seen = make_observation(kuhn, pyspiel.IIGObservationType(perfect_recall=True))
    seen.set_from(state, 1)
    assert seen.tensor.tolist() == state.information_state_tensor(1)
    short = pyspiel.load_game("rulewright_kuhn(recall=1)").new_initial_state()
    for _ in range(3):
        short.apply_action(short.legal_actions()[0])
    with pytest.raises(pyspiel.SpielError, match="more stops than recall=1; here 2"):
        short.information_state_tensor(0)


def test_kuhn_poker_is_that_of_open_spiel(kuhn: Any) -> None:
    """The trees are the same: every history has the same odds, options and returns."""
    theirs = pyspiel.load_game("kuhn_poker")
    many = 0

    def same(a: Any, b: Any) -> None:
        nonlocal many
        many += 1
        assert a.is_terminal() == b.is_terminal()
        assert a.is_chance_node() == b.is_chance_node()
        if b.is_terminal():
            assert a.returns() == pytest.approx(b.returns())
            return
        assert a.current_player() == b.current_player()
        ours, yours = a.legal_actions(), b.legal_actions()
        assert len(ours) == len(yours)
        if b.is_chance_node():
            odds = [[p for _, p in s.chance_outcomes()] for s in (a, b)]
            assert odds[0] == pytest.approx(odds[1])
        for x, y in zip(ours, yours, strict=True):
            same(a.child(x), b.child(y))

    same(kuhn.new_initial_state(), theirs.new_initial_state())
    assert many == 58


def test_information_states_are_those_of_open_spiel(kuhn: Any) -> None:
    """As many as Kuhn has, and each for the same histories."""
    theirs = pyspiel.load_game("kuhn_poker")
    found: dict[tuple[int, str], set[str]] = {}

    def walk(a: Any, b: Any) -> None:
        if a.is_terminal():
            return
        who = a.current_player()
        if who >= 0:
            found.setdefault((who, a.information_state_string(who)), set()).add(
                b.information_state_string(who)
            )
        for x, y in zip(a.legal_actions(), b.legal_actions(), strict=True):
            walk(a.child(x), b.child(y))

    walk(kuhn.new_initial_state(), theirs.new_initial_state())
    assert len(found) == 12
    assert all(len(theirs_of_it) == 1 for theirs_of_it in found.values())


def test_cfr_solves_kuhn(kuhn: Any) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    solver = cfr.CFRPlusSolver(kuhn)
    for _ in range(80):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(kuhn.new_initial_state(), [policy] * 2)
    assert value[0] == pytest.approx(-1 / 18, abs=0.002)
    assert value[1] == pytest.approx(1 / 18, abs=0.002)
    assert exploitability.exploitability(kuhn, policy) < 0.01


def test_exploitability_of_chance_play(kuhn: Any) -> None:
    """The published value for uniform play."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    found = exploitability.exploitability(kuhn, policy.UniformRandomPolicy(kuhn))
    assert found == pytest.approx(11 / 24)


def test_ismcts_plays_yspahan(names: list[str]) -> None:
    """Their search sits at one seat of three for a whole game, on deals of ours; others play at random."""
    from open_spiel.python.algorithms import ismcts

    from rulewright.adapters.open_spiel import Playouts

    game = pyspiel.load_game("rulewright_yspahan_p3")
    bot = ismcts.ISMCTSBot(
        game=game, evaluator=Playouts(1, 3), uct_c=1.4, max_simulations=2,
        random_state=np.random.RandomState(1), allow_inconsistent_action_sets=True,
    )  # fmt: skip
    dice = random.Random(5)
    state = game.new_initial_state()
    asked = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(outcomes, odds)[0])
        elif state.current_player() == 0 and len(state.legal_actions()) > 1:
            asked += 1
            action = int(bot.step(state))
            assert action in state.legal_actions()
            state.apply_action(action)
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    assert asked > 30
    assert sum(state.returns()) == pytest.approx(1.0)


def test_deals_look_the_same_to_who_asks(names: list[str]) -> None:
    game = pyspiel.load_game("rulewright_ys_p3")
    dice = random.Random(3)
    state = game.new_initial_state()
    for _ in range(60):
        actions = state.legal_actions()
        state.apply_action(dice.choice(actions))
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    for player in range(3):
        other = state.resample_from_infostate(player, dice.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.current_player() == state.current_player()


def test_observers_have_named_tensors(kuhn: Any) -> None:
    from open_spiel.python.observation import make_observation

    state = kuhn.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    observation = make_observation(kuhn)
    observation.set_from(state, 0)
    assert observation.dict["hand"].tolist() == [1.0, 0.0, 0.0]
    observation.set_from(state, 1)
    assert observation.dict["hand"].tolist() == [0.0, 1.0, 0.0]
    assert observation.tensor.tolist() == state.observation_tensor(1)
    assert "hand" in observation.string_from(state, 1)


READS = """
import pickle, sys
game, state = pickle.load(open(sys.argv[1], "rb"))
print(game, state.information_state_string(0) == game.new_initial_state().information_state_string(0))
print(state)
"""


def test_games_and_states_go_to_other_processes(kuhn: Any, names: list[str], tmp_path: Path) -> None:  # fmt: skip
    """Also where nobody has registered them, one of the package and one of a folder."""
    for game in (kuhn, pyspiel.load_game("rulewright_yspahan_p3(utility=scores)")):
        state = game.new_initial_state()
        for _ in range(3):
            state.apply_action(state.legal_actions()[0])
        found, other = pickle.loads(pickle.dumps((game, state)))
        assert (str(found), str(other)) == (str(game), str(state))
        assert other.information_state_string(1) == state.information_state_string(1)
        file = tmp_path / "both"
        file.write_bytes(pickle.dumps((game, state)))
        done = subprocess.run(
            [sys.executable, "-c", READS, file], capture_output=True, text=True, check=False
        )
        assert done.stdout.splitlines() == [f"{game} False", str(state)], done.stderr


def test_their_environment_for_learning_runs(kuhn: Any) -> None:
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(
        kuhn, observation_type=rl_environment.ObservationType.OBSERVATION
    )
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == pytest.approx(0.0)


def test_utilities(kuhn: Any) -> None:
    from rulewright.runtime.errors import RulewrightError

    by = {
        name: pyspiel.load_game(f"rulewright_kuhn(utility={name})")
        for name in ("wins", "scores", "margins")
    }
    states = {name: game.new_initial_state() for name, game in by.items()}
    for _ in range(4):
        for state in states.values():
            state.apply_action(state.legal_actions()[-1])
    assert states["wins"].returns() == [1.0, 0.0]
    assert states["scores"].returns() == states["margins"].returns() == [2.0, -2.0]
    with pytest.raises((RulewrightError, pyspiel.SpielError), match="utility"):
        pyspiel.load_game("rulewright_kuhn(utility=fun)")
