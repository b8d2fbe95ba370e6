"""Whoever wins by the spec's outcome wins everywhere: in returns(), for bots, in tables and comparisons."""

import pytest

from rulewright.bots import make
from rulewright.bots.judge import Judge
from rulewright.engines import load

GOLF = """
procedure play():
    for r in 1 .. 4:
        for p in Player:
            choose n in 1 .. 6 by p as strokes
            score n to p for strokes

outcome p in Player by -score[p]
"""

TRICKS = """
state:
    tricks: map Player to 0..9
    stones: map Player to 0..9

procedure play():
    for r in 1 .. 4:
        for p in Player:
            either by p as take:
                option point: score 5 to p for points
                option trick: tricks[p] += 1
                option stone: stones[p] += 1

outcome p in Player by tricks[p], stones[p]
"""

STORM = """
procedure play():
    for r in 1 .. 3:
        for p in Player:
            either by p as work:
                option build: score 1 to p for walls
                option rest: score 1 to storm for wind

function side_of(w: Participant) -> int:
    return sum(p in Player: score[p]) if is_player(w) else score[storm]

outcome w in Participant by side_of(w)
"""


@pytest.fixture
def spec(tmp_path):
    def write(name: str, rules: str, reasons: str, more: str = ""):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "game.yaml").write_text(
            f"game: {name}\ntitle: {name.title()}\nplayers: [2, 3]\nseats: [Ada, Bo, Cy]\nreasons: {reasons}\n{more}"
        )
        (folder / "all.rules").write_text(rules.lstrip("\n"))
        return folder

    return write


@pytest.fixture
def golf(spec):
    return spec("golf", GOLF, "{strokes: strokes}")


@pytest.fixture
def storm(spec):
    return spec("storm", STORM, "{walls: walls, wind: wind}", "neutral: [storm]\n")


def play(game, bot, seed=1):
    state = game.new_initial_state(seed)
    number = 0
    while not state.is_terminal():
        seat = state.current_player()
        state.apply_action(bot.choose(state.view(seat), 1000 * seed + number))
        number += 1
    return state


@pytest.mark.parametrize("words", ["greedy", "mcts:400"])
def test_where_few_points_win_bots_take_few(golf, words):
    game = load(str(golf), 2)
    assert play(game, make(words, game)).scores() == [4, 4]


def test_few_points_are_in_the_same_unit_at_the_end_and_before(golf):
    game = load(str(golf), 2)
    judge = Judge(game)
    state = play(game, make("greedy", game))
    assert judge.unit == 1
    assert judge.points(state)[0] == pytest.approx(-4 + 0.15 * 10 / 2)


@pytest.mark.parametrize("words", ["greedy", "mcts:90"])
def test_bots_look_at_every_key_of_the_outcome_in_its_order(spec, words):
    folder = spec("tricks", TRICKS, "{points: points}")
    game = load(str(folder), 2)
    assert list(play(game, make(words, game)).tricks) == [4, 4]
    state = game.new_initial_state(0)
    state.apply_action(state.action_from_dict({"choice": "take", "value": "stone"}))
    state.apply_action(state.action_from_dict({"choice": "take", "value": "point"}))
    margins = Judge(game).margins(state)
    assert margins[0] > margins[1]


def test_a_game_that_nobody_but_the_neutral_one_wins_is_worth_nothing(storm):
    game = load(str(storm), 3)
    for flavour in (game, game.full):
        state = flavour.new_initial_state(0)
        while not state.is_terminal():
            state.apply_action(state.action_from_dict({"choice": "work", "value": "rest"}))
        assert state.ranking() == [2, 2, 2, 1]
        assert state.returns() == [0.0, 0.0, 0.0]


def test_a_common_win_is_worth_one_to_everybody(storm):
    game = load(str(storm), 3)
    for flavour in (game, game.full):
        state = flavour.new_initial_state(0)
        while not state.is_terminal():
            assert state.returns() == [0.0, 0.0, 0.0]
            state.apply_action(state.action_from_dict({"choice": "work", "value": "build"}))
        assert state.ranking() == [1, 1, 1, 4]
        assert state.returns() == [1.0, 1.0, 1.0]


def test_a_win_shared_with_the_neutral_one_is_a_share(spec):
    rules = GOLF.replace(
        "outcome p in Player by -score[p]", "outcome w in Participant by -score[w]"
    )
    folder = spec("links", rules, "{strokes: strokes}", "neutral: [par]\n")
    game = load(str(folder), 2)
    state = game.new_initial_state(0)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    # the neutral one has no points at all, and is first
    assert state.returns() == [0.0, 0.0]
    state.score[2] = state.score[0]
    assert state.returns() == pytest.approx([1 / 3, 1 / 3])


@pytest.mark.parametrize("words", ["greedy", "mcts:60"])
def test_bots_work_together_against_a_neutral_one(storm, words):
    game = load(str(storm), 3)
    end = play(game, make(words, game))
    assert end.returns() == [1.0, 1.0, 1.0]
    assert end.scores() == [3, 3, 3, 0]


def test_tables_and_comparisons_count_common_wins_and_few_points(run, golf, storm, tmp_path):
    done = run(
        "simulate", storm, "-p", 3, "-n", 6, "--bots", "greedy,random,random", "--format", "json"
    )
    assert done.code == 0, done.err
    bots = done.json()["bots"]
    for side in bots.values():
        assert 0 <= side["interval"][0] <= side["share"] <= side["interval"][1] <= 1
    seats = done.json()["seats"]
    assert len({s["wins"] for s in seats.values()}) == 1
    table = tmp_path / "golf.csv"
    done = run(
        "simulate",
        golf,
        "-p",
        2,
        "-n",
        6,
        "--bots",
        "greedy,random",
        "--out",
        table,
        "--format",
        "json",
    )
    assert done.code == 0, done.err
    assert done.json()["bots"]["greedy"]["share"] == 1.0
    done = run(
        "compare", golf, golf, "-p", 2, "-n", 4, "--bots", "greedy,random", "--format", "json"
    )
    assert done.code == 0, done.err
