"""Our games in PettingZoo and Gymnasium: their own tests, masks, illegal actions, seeds."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright.runtime.errors import IllegalAction, RulewrightError

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pytestmark = [
    pytest.mark.research,
    # a mapping with a mask is what PettingZoo's own board games have, which it excepts by name
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    # scores have no bound
    pytest.mark.filterwarnings("ignore:.*infinity"),
    pytest.mark.filterwarnings("ignore:.*render modes"),
]

KUHN = Path(__file__).parents[1] / "games" / "kuhn"


def engine(name: str) -> Any:
    return rulewright.compile(KUHN) if name == "kuhn" else rulewright.load(name, 3)


each = pytest.mark.parametrize("name", ["kuhn", "yspahan", "mykerinos", "ys"])


@each
def test_pettingzoo_tests_pass(name: str) -> None:
    from pettingzoo.test import api_test, seed_test

    from rulewright.adapters.pettingzoo import env

    game = engine(name)
    api_test(env(game), num_cycles=200, verbose_progress=False)
    seed_test(lambda: env(game), num_cycles=60)


@each
def test_gymnasium_tests_pass(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    from rulewright.adapters.gymnasium import RulewrightEnv

    game = engine(name)
    check_env(RulewrightEnv(game))
    check_env(RulewrightEnv(game, seat=None, rewards="scores"))


def test_it_is_made_by_name() -> None:
    from rulewright.adapters.gymnasium import register

    assert "rulewright/yspahan_p3-v0" in register()
    env = gymnasium.make("rulewright/yspahan_p3-v0", seat=1, bots=["random", "greedy:1"])
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert (info["action_mask"] == seen["action_mask"]).all()
    assert info["action_mask"].sum() == len(env.unwrapped.position.legal_actions())


def test_a_whole_game_in_pettingzoo() -> None:
    """What agents get is what the state says, and each sees its own."""
    from rulewright.adapters.pettingzoo import env as make

    env = make(engine("yspahan"))
    env.reset(seed=4)
    dice, total = np.random.default_rng(1), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        seat = int(agent.partition("_")[2])
        assert seat == env.position.current_player()
        legal = np.nonzero(seen["action_mask"])[0]
        assert tuple(legal) == env.position.legal_actions()
        env.step(dice.choice(legal))
    assert list(total.values()) == pytest.approx(env.position.returns())


def test_an_illegal_action_in_pettingzoo() -> None:
    from rulewright.adapters.pettingzoo import env as make

    env = make(engine("yspahan"))
    env.reset(seed=1)
    agent = env.agent_selection
    wrong = int(np.argmin(env.observe(agent)["action_mask"]))
    env.step(wrong)
    assert env.terminations[agent]
    assert env.rewards[agent] == -1.0
    assert "is not" in env.infos[agent]["illegal"]
    env = make(engine("yspahan"), illegal="raise")
    env.reset(seed=1)
    before = env.position.clone()
    with pytest.raises(IllegalAction, match="is not"):
        env.step(wrong)
    assert env.position == before and not any(env.terminations.values())


def test_an_illegal_action_in_gymnasium() -> None:
    from rulewright.adapters.gymnasium import RulewrightEnv

    env = RulewrightEnv(engine("yspahan"))
    seen, _ = env.reset(seed=1)
    wrong = int(np.argmin(seen["action_mask"]))
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "is not" in info["illegal"]
    # so the episode is over, also for what would have been legal
    with pytest.raises(RulewrightError, match="this episode is over"):
        env.step(int(np.argmax(seen["action_mask"])))
    env.reset(seed=1)
    env = RulewrightEnv(engine("yspahan"), illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="is not"):
        env.step(wrong)
    with pytest.raises(IllegalAction, match="whole number"):
        env.step("left")


@pytest.mark.parametrize("action", [0.0, 1.7, "0", True, None, [0], 10**40])
def test_what_is_no_action_is_never_taken_for_one(action: Any) -> None:
    """Not even where its whole part would be legal."""
    from rulewright.adapters.gymnasium import RulewrightEnv
    from rulewright.adapters.pettingzoo import env as make
    from rulewright.adapters.vector import RulewrightVectorEnv

    game = engine("kuhn")
    alone = RulewrightEnv(game)
    assert alone.reset(seed=1)[0]["action_mask"][:2].all()
    assert alone.step(action)[1:3] == (-1.0, True)
    zoo = make(game)
    zoo.reset(seed=1)
    zoo.step(action)
    assert zoo.terminations["player_0"] and "illegal" in zoo.infos["player_0"]
    many = RulewrightVectorEnv(game, 2)
    many.reset(seed=1)
    before = many.vector.observations.copy()
    with pytest.raises(IllegalAction):
        many.step([action, action])
    assert (many.vector.observations == before).all()


def test_numbers_of_arrays_are_actions() -> None:
    from rulewright.adapters.gymnasium import RulewrightEnv

    for action in (np.int64(0), np.uint8(0), np.array(0)):
        env = RulewrightEnv(engine("kuhn"), seat=np.int64(1))
        env.reset(seed=1)
        assert "illegal" not in env.step(action)[4]


def test_before_and_after_an_episode() -> None:
    from rulewright.adapters.gymnasium import RulewrightEnv
    from rulewright.adapters.pettingzoo import env as make

    game = engine("kuhn")
    alone, zoo = RulewrightEnv(game, render_mode="ansi"), make(game, render_mode="html")
    for early in (alone.action_masks, alone.render, zoo.last, zoo.render, lambda: zoo.step(0)):
        with pytest.raises(RulewrightError, match="begin an episode first"):
            early()
    zoo.reset(seed=1)
    for _ in zoo.agent_iter():
        over = zoo.last()[2]
        zoo.step(None if over else 0)
    with pytest.raises(RulewrightError, match="this episode is over"):
        zoo.step(0)


def test_wrong_settings_are_told() -> None:
    from rulewright.adapters.gymnasium import RulewrightEnv
    from rulewright.adapters.pettingzoo import env as make

    game = engine("yspahan")
    for settings, words in (
        ({"illegal": "shout"}, "illegal is one of penalty, raise"),
        ({"rewards": "love"}, "rewards is one of wins, scores"),
        ({"seat": 3}, "there is no seat 3"),
        ({"seat": True}, "there is no seat true"),
        ({"render_mode": "human"}, "render_mode is one of ansi, html"),
        ({"bots": 5}, "a method 'choose', which 5 has not"),
        ({"bots": ["random"]}, "2 other seats need 2 bots"),
    ):
        with pytest.raises(RulewrightError, match=words):
            RulewrightEnv(game, **settings)
    with pytest.raises(RulewrightError, match="render_mode is one of ansi, html"):
        make(game, render_mode="human")
    with pytest.raises(RulewrightError, match="begin an episode first"):
        RulewrightEnv(game).step(0)


def test_the_same_seed_gives_the_same_episode() -> None:
    from rulewright.adapters.gymnasium import RulewrightEnv

    def played(env: Any) -> list[Any]:
        seen, _ = env.reset(seed=9)
        out = [seen["observation"].tobytes()]
        for _ in range(40):
            seen, reward, over, cut, _ = env.step(int(np.argmax(seen["action_mask"])))
            out.append((seen["observation"].tobytes(), reward))
            if over or cut:
                break
        return out

    env = RulewrightEnv(engine("mykerinos"), bots="greedy:1")
    assert played(env) == played(RulewrightEnv(engine("mykerinos"), bots="greedy:1"))
    assert played(pickle.loads(pickle.dumps(env))) == played(env)


def test_the_vector_environment() -> None:
    from rulewright.adapters.vector import RulewrightVectorEnv

    env = RulewrightVectorEnv(rulewright.compile(KUHN), 4)
    seen, info = env.reset(seed=5)
    dice, ends = np.random.default_rng(2), 0
    for _ in range(100):
        assert env.observation_space.contains(seen)
        actions = (dice.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=1)
        decided = info["seat"]
        seen, rewards, done, cut, info = env.step(actions)
        assert not cut.any()
        ends += int(done.sum())
        assert (rewards == info["rewards"][np.arange(4), decided]).all()
        assert (info["rewards"][done].sum(axis=1) == 1.0).all()
    assert ends > 100
    again, _ = env.reset(seed=5)
    first, _ = RulewrightVectorEnv(rulewright.compile(KUHN), 4).reset(seed=5)
    assert (again["observation"] == first["observation"]).all()


def test_resetting_many_games() -> None:
    """Without a seed to other games, and the same ones for who does the same; with one, or one for each, to those."""
    from rulewright.adapters.vector import RulewrightVectorEnv

    game = engine("kuhn")
    env, other = RulewrightVectorEnv(game, 40, seed=7), RulewrightVectorEnv(game, 40, seed=7)
    streams = []
    for seed in (None, None, None, 4, [*range(40)], None):
        one, two = (e.reset(seed=seed)[0]["observation"].tobytes() for e in (env, other))
        assert one == two
        streams.append(one)
    assert len(set(streams)) == len(streams)
    assert env.reset(seed=np.int64(4))[0]["observation"].tobytes() == streams[3]
    for words, given in (
        ("40 games have one seed or 40, not 2", {"seed": [1, 2]}),
        ("a seed is a whole number", {"seed": "a"}),
        ("reset_mask is not known", {"options": {"reset_mask": np.ones(40, bool)}}),
    ):
        with pytest.raises(RulewrightError, match=words):
            env.reset(**given)


def test_gymnasium_runs_ours_side_by_side() -> None:
    """Its own vector of environments, which compares what each gives with the spaces."""
    from rulewright.adapters.gymnasium import RulewrightEnv

    def one() -> Any:
        return RulewrightEnv(rulewright.compile(KUHN), illegal="penalty")

    env = gymnasium.vector.SyncVectorEnv([one, one, one])
    seen, _ = env.reset(seed=1)
    for _ in range(30):
        seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
    env.close()
