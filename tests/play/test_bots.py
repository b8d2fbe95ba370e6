"""Bots: they see a view and no more, they repeat themselves under a seed, and thinking pays."""

import gc
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from common import GAMES

from rulewright.bots import BotError, known, make
from rulewright.bots import registry as registry_module
from rulewright.bots.judge import Judge
from rulewright.bots.mcts import budget
from rulewright.chance import decision_seed
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import load
from rulewright.runtime.api import fields_of
from rulewright.runtime.game import Game
from rulewright.runtime.view import View


def play(game, bots, seed):
    state = game.new_initial_state(seed)
    number = 0
    while not state.is_terminal():
        who = state.current_player()
        state.apply_action(bots[who].choose(state.view(who), decision_seed(seed, who, number)))
        number += 1
    return state


@pytest.mark.parametrize("words", ["random", "greedy", "greedy:2", "mcts:20"])
@pytest.mark.parametrize("name", ["race", "bluff", "auction"])
def test_the_same_seed_gives_the_same_game(name, words):
    game = load(str(GAMES / name), 2)
    bot = make(words, game)
    first = play(game, [bot, bot], 3)
    again = play(game, [make(words, game)] * 2, 3)
    assert first.to_dict() == again.to_dict()


@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("mcts:60", "random")])
def test_thinking_pays(auction, better, worse):
    good, bad = make(better, auction), make(worse, auction)
    wins = 0.0
    for seed in range(60):
        seat = seed % 2
        bots = [bad, bad]
        bots[seat] = good
        wins += play(auction, bots, seed).returns()[seat]
    assert wins > 36  # an even match gives 30 on average; the deviation is below 4


def test_a_time_budget_says_that_it_is_not_reproducible(race):
    assert make("mcts:0.05s", race).reproducible is False
    assert make("mcts:50", race).reproducible is True
    view = race.new_initial_state(1).view(0)
    assert make("mcts:0.05s", race).choose(view, 1) in view.legal_actions()


@pytest.mark.parametrize(
    "text", ["", "0", "-3", "x", "1.5", "0s", "-1s", "s", "1e9s", "nans", "99999999999"]
)
def test_unusable_budgets(text):
    with pytest.raises(BotError, match="budget"):
        budget(text)


@pytest.mark.parametrize(
    ("words", "message"),
    [("gredy", "did you mean 'greedy'"), ("random:3", "no argument"), ("greedy:0", "from 1"), ("mcts:x", "budget"), ("", "no bot")],
)  # fmt: skip
def test_unknown_bots_are_told(race, words, message):
    with pytest.raises(BotError, match=message):
        make(words, race)


# ---------------------------------------------------------------- a bot that cheats


def reachable(thing, seen, depth=0):
    """Everything that can be got from a view through attributes and containers, modules and classes aside."""
    if (
        id(thing) in seen
        or depth > 12
        or isinstance(thing, str | int | float | bool | bytes | type(None))
    ):
        return
    seen[id(thing)] = thing
    if isinstance(thing, dict):
        for key, value in thing.items():
            reachable(key, seen, depth + 1)
            reachable(value, seen, depth + 1)
    elif isinstance(thing, list | tuple | set | frozenset):
        for value in thing:
            reachable(value, seen, depth + 1)
    else:
        slots = getattr(type(thing), "__slots__", ())
        for name in {*slots, *getattr(thing, "__dict__", {})}:
            reachable(getattr(thing, name, None), seen, depth + 1)


def snoop(view):
    """All that a cheating bot could find in its view: the fields of every state it can get hold of."""
    view.data  # noqa: B018 - made on first use
    # the game itself is looked through in a test of its own
    seen = {id(view.game): view.game}
    reachable(view, seen)
    state_class = type(view.determinize(0))
    found = []
    for thing in seen.values():
        if isinstance(thing, state_class):
            found.append({n: repr(getattr(thing, n)) for n in fields_of(thing)})
    assert len(found) == 1  # the position as the seat sees it
    return found, repr(view.data)


def test_a_game_holds_no_state(bluff):
    state = bluff.new_initial_state(2)
    state.view(0).determinize(1)
    seen = {}
    reachable(bluff, seen)
    assert id(bluff.info) in seen
    assert not any(isinstance(thing, type(state)) for thing in seen.values())


@pytest.mark.parametrize(
    ("name", "players"), [("bluff", 2), ("auction", 2), ("ys", 3), ("yspahan", 3)]
)
def test_a_bot_that_cheats_finds_nothing(name, players):
    """In two states that a seat can't tell apart, whatever can be dug out of its view is the same."""
    path = GAMES / name
    game = load(str(path) if path.is_dir() else name, players)
    compared = 0
    for seed in range(4):
        state = game.new_initial_state(seed)
        rest = make("random", game)
        for number in range(90):
            if state.is_terminal():
                break
            for seat in range(players) if number % 4 == 0 or players == 2 else ():
                view = state.view(seat)
                other = view.determinize(seed * 1000 + number)
                compared += other != state
                assert snoop(other.view(seat)) == snoop(view)
            who = state.current_player()
            state.apply_action(rest.choose(state.view(who), decision_seed(seed, who, number)))
    assert compared > 10  # the states really differed


def test_a_view_holds_no_reference_to_the_state(bluff):
    state = bluff.new_initial_state(2)
    view = state.view(0)
    seen = {}
    reachable(view, seen)
    assert id(state) not in seen
    holders = [r for r in gc.get_referrers(state) if isinstance(r, View)]
    assert holders == []


def test_a_piece_that_was_taken_back_leaves_no_trace():
    """The places of pieces that stand no more may keep old values inside a state; a view must not."""
    game = load("ys", 3)
    state = game.new_initial_state(5)
    fields = next(f for f in game.info["families"] if f["standing"])["standing"]["fields"]
    assert getattr(state, fields["alive"]) == 0
    getattr(state, fields["value"])[3] = 2
    getattr(state, fields["guess"])[3] = 4
    masked = state.view(0)._masked
    assert set(getattr(masked, fields["value"])) == {0}
    assert set(getattr(masked, fields["guess"])) == {0}


@pytest.mark.native
@pytest.mark.parametrize("name", ["race", "bluff", "auction"])
def test_the_search_grows_the_same_tree_on_a_native_engine(name, monkeypatch, tmp_path):
    from rulewright import native
    from rulewright.compiler.build import build, read_spec

    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    slow = load(str(GAMES / name), 2)
    engine = build(read_spec(GAMES / name, name), 2)
    fast = Game(native.build_native(engine), engine.info)
    trees = []
    for game in (slow, fast):
        state = game.new_initial_state(5)
        bot = make("mcts:150", game)
        trees.append(shape(bot.search(state.view(state.current_player()), 9)))
    assert trees[0] == trees[1]


def shape(tree):
    return tree.actions, tree.children, tree.visits, tree.totals, tree.means, tree.roots, tree.low


def test_a_tree_counts_its_iterations(auction):
    state = auction.new_initial_state(3)
    tree = make("mcts:80", auction).search(state.view(state.current_player()), 1)
    first = tree.first()
    assert tree.visits[0] == sum(visits for visits, _ in first.values()) == 80
    assert set(first) <= set(state.legal_actions())


# ---------------------------------------------------------------- judging


def test_the_unit_of_an_estimate_is_found_out(race, auction):
    yspahan = load("yspahan", 3)
    assert Judge(yspahan).unit == 20  # its heuristic counts twenty for a point
    assert Judge(auction).unit == 1
    assert Judge(race, lambda state, p: 7 * state.score[p]).unit == 7


def test_margins_add_nothing_to_equals(race):
    state = race.new_initial_state(0)
    assert Judge(race).margins(state) == [0.0, 0.0]


# ---------------------------------------------------------------- strategies as data


@pytest.fixture
def with_bots(tmp_path):
    """A copy of the race with a file of bots."""
    import shutil

    folder = Path(shutil.copytree(GAMES / "race", tmp_path / "race"))

    def write(text):
        (folder / "bots.yaml").write_text(text)
        return folder, load(str(folder), 2)

    return write


GOOD = """\
bots:
  bold:
    about: Always rolls on.
    weights: {go_on: {stop: 0, again: 1}}
  timid:
    about: Always stops.
    weights: {go_on: {any: 0, stop: 1}}
  far:
    about: Thinks that only distance counts.
    plays: greedy:3
    evaluation: "3 * place[p]"
search:
  horizon: 2
  weights: {go_on: {again: 3, stop: 1}}
"""


def test_strategies_play_by_their_weights(with_bots):
    folder, game = with_bots(GOOD)
    assert known(game, folder) == ["random", "greedy", "mcts", "bold", "timid", "far"]
    state = game.new_initial_state(4)
    view = state.view(state.current_player())
    for seed in range(20):
        for name, value in (("bold", "again"), ("timid", "stop")):
            action = make(name, game, folder).choose(view, seed)
            assert state.action_to_dict(action)["value"] == value


def test_an_evaluation_is_compiled_from_the_rules_language(with_bots):
    folder, game = with_bots(GOOD)
    bot = make("far", game, folder)
    state = game.new_initial_state(4)
    state.place[1] = 5
    assert bot.judge.evaluate(state, 1) == 15
    assert bot.samples == 3
    assert play(game, [bot, make("random", game)], 1).is_terminal()


def test_search_settings_reach_the_search(with_bots):
    folder, game = with_bots(GOOD)
    bot = make("mcts:10", game, folder)
    assert bot.horizon == 2
    assert sorted(set(bot.weights)) == [1, 3]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("bots:\n  a: {about: x, weights: {go_onn: {stop: 1}}}\n", "bots.yaml:2:27", "no choice 'go_onn'"),
        ("bots:\n  a: {about: x, weights: {go_on: {stp: 1}}}\n", "bots.yaml:2:35", "no value 'stp'"),
        ("bots:\n  a: {about: x, weights: {go_on: {stop: -1}}}\n", "bots.yaml:2:41", "from 0"),
        ("bots:\n  a: {about: x, weigths: {}}\n", "bots.yaml:2", "no key"),
        ("bots:\n  a: {weights: {go_on: {stop: 1}}}\n", "bots.yaml:2", "needs the key 'about'"),
        ("bots:\n  a: {about: x, plays: chess}\n", "bots.yaml:2:24", "can't play 'chess'"),
        ("bots:\n  a: {about: x, plays: greedy, evaluation: \"place[\"}\n", "bots.yaml:2", ""),
        ("search: {horizon: many}\n", "bots.yaml:1:19", "integer"),
        ("other: 1\n", "bots.yaml:1:1", "no key"),
    ],
)  # fmt: skip
def test_mistakes_in_the_file_have_a_place(with_bots, text, place, message):
    folder, game = with_bots(text)
    with pytest.raises(SpecError) as error:
        make("random", game, folder)
    assert place in str(error.value)
    assert message in str(error.value)


def test_an_evaluation_with_a_wrong_name_has_a_place(with_bots):
    folder, game = with_bots('bots:\n  a: {about: x, plays: greedy, evaluation: "placee[p]"}\n')
    with pytest.raises(SpecError) as error:
        make("a", game, folder)
    assert "bots.yaml:2:45" in str(error.value)
    assert "placee" in str(error.value)


def test_the_bots_of_the_package_can_be_made():
    for name in ("yspahan", "mykerinos", "ys"):
        game = load(name, 3)
        for words in known(game):
            assert make(words, game) is not None


@pytest.mark.parametrize(("name", "words"), [("yspahan", "hasty"), ("mykerinos", "digger")])
def test_sensible_weights_beat_chance(name, words):
    game = load(name, 4)
    good, bad = make(words, game), make("random", game)
    wins = 0.0
    for seed in range(40):
        bots = [bad] * 4
        bots[seed % 4] = good
        wins += play(game, bots, seed).returns()[seed % 4]
    assert wins > 13  # chance gives 10 on average; these win about half of the games


# ---------------------------------------------------------------- users' own bots


class First:
    """Takes the first option."""

    def __init__(self, game, argument):
        self.argument = argument

    def choose(self, view, seed):
        return view.legal_actions()[0]


def broken(game, argument):
    raise RuntimeError("no luck")


@pytest.fixture
def entry(monkeypatch):
    def add(name, thing):
        point = metadata.EntryPoint(name, f"{__name__}:{thing.__name__}", registry_module.GROUP)
        monkeypatch.setattr(metadata.EntryPoint, "load", lambda self: thing)
        monkeypatch.setattr(
            metadata,
            "entry_points",
            lambda group: [point] if group == registry_module.GROUP else [],
        )

    return add


def test_an_entry_point_makes_a_bot(race, entry):
    entry("first", First)
    bot = make("first:abc", race)
    assert bot.argument == "abc"
    assert "first" in known(race)


def test_the_bot_of_the_documentation_plays(tmp_path, monkeypatch):
    """Its files as they stand on the page, and an installation as pip leaves one behind."""
    page = Path(__file__).parents[2] / "docs" / "bots.md"
    files = dict(re.findall(r"```\w+\n# file: (\S+)\n(.*?)```", page.read_text(), re.DOTALL))
    (tmp_path / "steady.py").write_text(files["my-bot/steady.py"])
    points = tomllib.loads(files["my-bot/pyproject.toml"])["project"]["entry-points"]
    installed = tmp_path / "steady-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: steady\nVersion: 1.0\n")
    lines = [f"{name} = {where}" for name, where in points[registry_module.GROUP].items()]
    (installed / "entry_points.txt").write_text(f"[{registry_module.GROUP}]\n" + "\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    assert len(files["my-bot/steady.py"].splitlines()) <= 20
    game = load("yspahan", 3)
    assert "steady" in known(game)
    bot = make("steady:1", game)
    assert bot.deals == 1
    end = play(game, [bot, make("random", game), make("random", game)], 5)
    assert end.scores()[0] > 0


def test_a_broken_entry_point_is_told(race, entry):
    entry("sad", broken)
    with pytest.raises(BotError, match="no luck"):
        make("sad", race)
    entry("odd", dict)
    with pytest.raises(BotError, match=r"could not be made|no method choose"):
        make("odd", race)
