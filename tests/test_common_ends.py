"""Teams, and all together against the game: places, values, and what bots make of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_observations import native_of

import rulewright
from rulewright.bots.judge import Judge
from rulewright.compiler.build import read_spec
from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import game_of
from rulewright.play.game_over import told
from rulewright.runtime.game import Game

HEAD = "game: ends\ntitle: Ends\nplayers: [1, 2, 3, 4]\nseats: [Ada, Bo, Cy, Dee]\nreasons: {add: added}\n"
PLAY = """procedure play():
    for p in Player:
        choose n in 0 .. 3 by p as add
        score n to p for add
"""


def made(folder: Path, players: int, outcome: str, head: str = "") -> Game:
    (folder / "game.yaml").write_text(HEAD + head, encoding="utf-8")
    (folder / "play.rules").write_text(PLAY + outcome + "\n", encoding="utf-8")
    return rulewright.compile(str(folder), players=players)


def ended(game: Game, *numbers: int) -> Any:
    state = game.new_initial_state(seed=1)
    for n in numbers:
        state.apply_action(n)
    assert state.is_terminal()
    return state


TEAMS = "teams: {odd: [Bo, Dee], even: [Ada, Cy]}\n"


@pytest.mark.parametrize(
    ("added", "places", "values"),
    [
        ((3, 1, 0, 1), [1, 2, 1, 2], [1, 0, 1, 0]),
        ((0, 3, 2, 0), [2, 1, 2, 1], [0, 1, 0, 1]),
        ((2, 0, 0, 2), [1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_partners_share_a_place(
    tmp_path: Path, added: tuple[int, ...], places: list[int], values: list[float]
) -> None:
    game = made(tmp_path, 4, "outcome t in Team by sum(p in t.members: score[p])", TEAMS)
    state = ended(game, *added)
    assert state.ranking() == places and state.returns() == values


def test_a_team_without_seats_does_not_play(tmp_path: Path) -> None:
    game = made(tmp_path, 1, "outcome t in Team by sum(p in t.members: score[p])", TEAMS)
    assert game.info["kinds"]["Team"]["members"] == ["even"]
    assert ended(game, 0).returns() == [1]


def test_partners_are_judged_as_one(tmp_path: Path) -> None:
    game = made(tmp_path, 4, "outcome t in Team by sum(p in t.members: score[p])", TEAMS)
    state = game.new_initial_state(seed=1)
    state.apply_action(3)
    ada, bo, cy, dee = Judge(game).margins(state)
    assert ada == cy > bo == dee


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize(("each", "value", "place"), [(3, 1.0, 1), (1, 1 / 3, 2), (0, 0.0, 2)])
def test_what_all_reach_is_a_part(
    tmp_path: Path, players: int, each: int, value: float, place: int
) -> None:
    game = made(tmp_path, players, "outcome together by sum(p in Player: score[p]) of 3 * players")
    state = ended(game, *[each] * players)
    assert state.returns() == [value] * players and state.ranking() == [place] * players
    full = game.full_state(state)
    assert full.returns() == state.returns()


def test_a_condition_is_won_or_lost(tmp_path: Path) -> None:
    game = made(tmp_path, 2, "outcome together by all(p in Player: score[p] > 1)")
    assert ended(game, 2, 3).returns() == [1, 1] and ended(game, 3, 1).returns() == [0, 0]
    assert Judge(game).rivalry == 0


def test_more_than_the_whole_is_the_whole_and_nothing_is_lost_below(tmp_path: Path) -> None:
    game = made(tmp_path, 2, "outcome together by score[first_of(Player)] - 1 of 1")
    assert ended(game, 3, 0).returns() == [1, 1] and ended(game, 0, 0).returns() == [0, 0]


def test_random_games_end_and_add_up(tmp_path: Path) -> None:
    game = made(tmp_path, 3, "outcome t in Team by sum(p in t.members: score[p])", TEAMS)
    luck = random.Random(4)
    for _ in range(30):
        state = ended(game, *(luck.randrange(4) for _ in range(3)))
        first = {game.info["teams"][p] for p in range(3) if state.ranking()[p] == 1}
        assert sum(set(state.returns())) == pytest.approx(1 / len(first) if first else 0)


@pytest.mark.parametrize(
    ("outcome", "head"),
    [
        ("outcome t in Team by sum(p in t.members: score[p])", TEAMS),
        ("outcome together by sum(p in Player: score[p]) of 9", ""),
        ("outcome w in Participant by score[w] if is_player(w) else 2", "neutral: [fate]\n"),
    ],
)
def test_compiled_games_in_arrays_give_the_same(tmp_path: Path, outcome: str, head: str) -> None:
    made(tmp_path, 4, outcome, head)
    spec = read_spec(tmp_path, "ends")
    slow, fast = game_of(spec, 4), native_of(spec, 4)
    one, other = slow.vector(20, 3), fast.vector(20, 3)
    dice, seen = np.random.default_rng(5), set()
    for _ in range(12):
        actions = one.random_actions(dice)
        one.step(actions)
        other.step(actions)
        assert (one.rewards == other.rewards).all() and (one.done == other.done).all()
        seen |= {tuple(row) for row in one.rewards}
    assert len(seen) > 2


@pytest.mark.parametrize(
    ("players", "outcome", "head", "added", "words"),
    [
        (3, "outcome p in Player by score[p]", "", (1, 3, 2), "Bo has won."),
        (3, "outcome p in Player by score[p]", "", (3, 3, 2), "Ada and Bo share the win."),
        (2, "outcome p in Player by score[p]", "", (3, 3), "It is a draw."),
        (4, "outcome t in Team by sum(p in t.members: score[p])", TEAMS, (0, 3, 2, 0), "Bo and Dee have won."),
        (4, "outcome t in Team by sum(p in t.members: score[p])", TEAMS, (1, 1, 1, 1), "It is a draw."),
        (2, "outcome together by all(p in Player: score[p] > 1)", "", (2, 3), "All players have won together."),
        (2, "outcome together by all(p in Player: score[p] > 1)", "", (3, 1), "The game has won: all players have lost."),
        (1, "outcome together by all(p in Player: score[p] > 1)", "", (1,), "The game has won: Ada has lost."),
        (3, "outcome together by sum(p in Player: score[p]) of 9", "", (1, 1, 2), "The game has won: all players have lost. 4 of 9 was reached."),
        (2, "outcome w in Participant by score[w] if is_player(w) else 2", "neutral: [fate]\n", (1, 1), "Fate has won: all players have lost."),
        (2, "outcome w in Participant by score[w] if is_player(w) else 2", "neutral: [fate]\n", (3, 3), "All players have won together."),
        (2, "outcome w in Participant by score[w] if is_player(w) else 2", "neutral: [fate]\n", (3, 0), "Ada has won."),
    ],
)  # fmt: skip
def test_how_it_ended_is_told(
    tmp_path: Path, players: int, outcome: str, head: str, added: tuple[int, ...], words: str
) -> None:
    game = made(tmp_path, players, outcome, head)
    assert told(game, ended(game, *added)) == words


# ---------------------------------------------------------------- teams of a variant


def with_variant(folder: Path, head: str, text: str, *, name: str = "other") -> None:
    (folder / "variants").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(HEAD + head, encoding="utf-8")
    outcome = "outcome t in Team by sum(p in t.members: score[p])\n"
    (folder / "play.rules").write_text(PLAY + outcome, encoding="utf-8")
    (folder / "variants" / f"{name}.yaml").write_text(f"variant: {name}\n{text}", encoding="utf-8")


def test_a_variant_has_teams_of_its_own(tmp_path: Path) -> None:
    with_variant(tmp_path, TEAMS, "teams: {old: [Ada, Bo], new: [Cy, Dee]}\n")
    usual = rulewright.compile(str(tmp_path), players=4)
    other = rulewright.compile(str(tmp_path), players=4, variants=["other"])
    assert usual.info["teams"] == [1, 0, 1, 0] and other.info["teams"] == [0, 0, 1, 1]
    assert ended(usual, 3, 1, 2, 0).returns() == [1, 0, 1, 0]
    assert ended(other, 3, 1, 2, 0).returns() == [1, 1, 0, 0]
    assert usual.info["hash"] != other.info["hash"]


def test_teams_may_differ_by_player_count(tmp_path: Path) -> None:
    with_variant(
        tmp_path, TEAMS, "automatic: true\nplayers: [3]\nteams: {one: [Ada], two: [Bo, Cy, Dee]}\n"
    )
    three, four = (rulewright.compile(str(tmp_path), players=n) for n in (3, 4))
    assert three.info["teams"] == [0, 1, 1] and four.info["teams"] == [1, 0, 1, 0]
    assert ended(three, 3, 1, 1).returns() == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("teams: {one: [Ada, Bo, Cy], two: [Di]}\n", "there is no seat 'Di'"),
        ("teams: {one: [Ada, Bo, Cy]}\n", "Dee is in no team"),
        ("teams: [Ada]\n", "'teams' must be a mapping"),
    ],
)
def test_wrong_teams_of_a_variant_are_told(tmp_path: Path, text: str, message: str) -> None:
    with_variant(tmp_path, TEAMS, text)
    with pytest.raises(SpecError, match=message):
        rulewright.compile(str(tmp_path), players=4, variants=["other"])


def test_two_variants_with_other_teams_do_not_go_together(tmp_path: Path) -> None:
    with_variant(tmp_path, TEAMS, "teams: {a: [Ada, Bo], b: [Cy, Dee]}\n")
    with_variant(tmp_path, TEAMS, "teams: {a: [Ada, Dee], b: [Bo, Cy]}\n", name="third")
    with pytest.raises(SpecError, match="both change the teams"):
        rulewright.compile(str(tmp_path), players=4, variants=["other", "third"])
