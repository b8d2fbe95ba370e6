"""Ladders: who sits where, ratings from the command line, questions, budgets, and what a result can be repeated from."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulewright.bench.opponents import NAMES, make_fixed
from rulewright.bots.base import BotError
from rulewright.bots.identity import bot_hash
from rulewright.bots.mcts import MctsBot
from rulewright.engines import load
from rulewright.ladder.question import QuestionError, ask
from rulewright.ladder.standings import Standings
from rulewright.simulate.one import Player
from rulewright.simulate.orders import block_size, orders
from rulewright.simulate.plan import PlanError, make_ladder
from rulewright.simulate.run import Crowd

GAMES = Path(__file__).parents[1] / "games"
RACE = str(GAMES / "race")
BENCH = Path(__file__).parents[2] / "bench"


# ---------------------------------------------------------------- who sits where


@pytest.mark.parametrize(
    ("bots", "players", "size"),
    [(2, 2, 2), (3, 3, 6), (4, 4, 24), (4, 3, 24), (2, 4, 6), (3, 4, 36), (6, 2, 30)],
)
def test_a_block_has_all_seat_orders(bots: int, players: int, size: int) -> None:
    found = orders(bots, players, 7, 0)
    assert len(set(found)) == len(found) == block_size(bots, players) == size


@pytest.mark.parametrize(
    ("bots", "players"), [(5, 4), (5, 5), (9, 4), (7, 2), (3, 6), (40, 3), (2, 7)]
)
def test_where_orders_are_too_many_every_bot_has_every_seat_equally_often(
    bots: int, players: int
) -> None:
    for block in range(3):
        found = orders(bots, players, 7, block)
        assert len(found) == block_size(bots, players) <= max(40, bots)
        for seat in range(players):
            sat = Counter(order[seat] for order in found)
            if bots >= players:
                assert set(sat.values()) == {len(found) // bots}
            else:
                assert len(sat) == bots
    assert orders(bots, players, 7, 0) != orders(bots, players, 8, 0) or bots < 3


def test_over_blocks_all_pairs_meet_about_equally_often() -> None:
    met: Counter[tuple[int, int]] = Counter()
    for block in range(60):
        for order in orders(8, 3, 1, block):
            met.update((a, b) for a in order for b in order if a < b)
    assert len(met) == 28
    assert max(met.values()) < 1.3 * min(met.values())


def test_games_of_a_block_share_their_luck_and_no_others() -> None:
    plan = make_ladder(RACE, ["greedy", "random", "fixed-near"], 3, 4, seed=5)
    assert (plan.block, plan.games) == (6, 24)
    seeds = [plan.game_seed(n) for n in range(24)]
    assert [len(set(seeds[i : i + 6])) for i in range(0, 24, 6)] == [1, 1, 1, 1]
    assert len(set(seeds)) == 4
    assert len({plan.bots_seed(n) for n in range(24)}) == 24


@pytest.mark.parametrize(
    ("bots", "told"),
    [(["random"], "2 to 50 bots"), (["random", "greedy", "random"], "named twice")],
)
def test_ladders_that_can_not_be(bots: list[str], told: str) -> None:
    with pytest.raises(PlanError, match=told):
        make_ladder(RACE, bots)


# ---------------------------------------------------------------- the command


def test_a_ladder_tells_all_and_can_be_repeated(run, tmp_path) -> None:
    words = ["ladder", RACE, "-p", 2, "--bots", "greedy,random,fixed-random", "--blocks", 20]
    first = run(*words, "--format", "json", "--page", tmp_path / "page.html")
    assert first.code == 0, first.err
    found = first.json()
    assert (found["blocks"], found["block"]) == (20, 6)
    assert found["bots"][0]["bot"] == "greedy"
    low, high = found["bots"][0]["interval"]
    assert low < found["bots"][0]["rating"] < high
    assert {b["games"] for b in found["bots"]} == {80}
    assert sum(b["wins"] for b in found["bots"]) == pytest.approx(120)
    assert len(found["pairs"]) == 6
    game = load(RACE, 2)
    assert found["ruleset"] == game.info["hash"]
    assert {b["bot"]: b["hash"] for b in found["bots"]} == {
        b: bot_hash(b, game, Path(RACE)) for b in ("greedy", "random", "fixed-random")
    }
    assert run(*words, "--format", "json", "--jobs", 2).json() == found
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert balanced(page)
    assert all(word in page for word in (found["ruleset"], "fixed-random", "<svg", "Pairs"))
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_what_has_no_bound_is_json_too(run) -> None:
    """One block says nothing of how far its figures may be off, one game nothing of a difference."""

    def read(text: str) -> object:
        return json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))

    found = read(
        run("ladder", RACE, "-p", 2, "-b", "greedy,random", "-n", 1, "--format", "json").out
    )
    assert [b["interval"] for b in found["bots"]] == [[None, None]] * 2
    words = ["compare", "greedy", "random", "--game", RACE, "--against", "random", "-n", 1, "-p", 2]
    found = read(run(*words, "--format", "json").out)
    assert [None, None] in [m["interval"] for m in found["measures"]]


def balanced(page: str) -> bool:
    stack: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("meta", "link", "br"):
                stack.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert stack and stack.pop() == tag

        def handle_startendtag(self, tag: str, attrs: object) -> None:
            pass

    parser = Parser()
    parser.feed(page)
    parser.close()
    return not stack


def test_the_anchor_has_rating_0(run) -> None:
    got = run(
        "ladder", RACE, "-p", 2, "--bots", "greedy,random", "-n", 6, "--anchor", "random", "--format", "json",
    )  # fmt: skip
    assert {b["bot"]: b["rating"] for b in got.json()["bots"]}["random"] == 0
    assert run("ladder", RACE, "-b", "greedy,random", "--anchor", "mcts").code == 2


def test_a_question_stops_the_ladder_whoever_plays(run) -> None:
    words = [
        "ladder", RACE, "-p", 2, "--bots", "greedy,random", "--blocks", 2000, "--until", "greedy > random",
        "--margin", 0.3, "--format", "json",
    ]  # fmt: skip
    alone = run(*words).json()
    assert alone["until"]["verdict"] == "more"
    assert 16 <= alone["blocks"] < 500
    assert run(*words, "--jobs", 2).json() == alone
    turned = [w if w != "greedy > random" else "greedy < random" for w in words]
    assert run(*turned).json()["until"]["verdict"] == "not more"


@pytest.mark.parametrize(
    ("until", "told"),
    [("greedy", "no question"), ("greedy > mcts", "no bot"), ("random > random", "one bot")],
)
def test_questions_that_are_none(until: str, told: str) -> None:
    with pytest.raises(QuestionError, match=told):
        ask(until, ["greedy", "random"])


def test_wrong_use_is_told(run) -> None:
    for words, told in (
        (["--until", "random > greedy", "--margin", 3], "margin"),
        (["--backend", "cloud"], "no backend 'cloud'"),
        (["--backend", "folder"], "--run FOLDER"),
        (["--iterations", 5, "--cpu", 0.1], "not both"),
        (["--blocks", 0], "number of blocks"),
    ):
        got = run("ladder", RACE, "--bots", "greedy,random", *words)
        assert (got.code, told in got.err) == (2, True), got.err


def test_what_lies_behind_a_gap_does_not_count() -> None:
    plan = make_ladder(RACE, ["greedy", "random"], 2, 3)
    rows = list(Crowd(plan).rows())
    whole, part = Standings(plan), Standings(plan)
    for row in rows:
        whole.add(row)
        if row.number != 3:
            part.add(row)
    assert (len(whole.blocks), len(part.blocks)) == (3, 1)


def test_what_comes_after_the_answer_does_not_count() -> None:
    """Others may have played on: a ladder is of the same blocks for all."""
    plan = make_ladder(RACE, ["greedy", "random"], 2, 60)
    standings = Standings(plan, ask("greedy > random", plan.bots, 0.5))
    for row in Crowd(plan).rows():
        standings.add(row)
    question = standings.question
    assert question is not None and question.answered
    assert 16 <= len(standings.blocks) == question.test.n < 60
    assert standings.games == [2 * len(standings.blocks)] * 2


def test_a_game_of_a_ladder_can_be_replayed(run, tmp_path) -> None:
    pytest.importorskip("pyarrow")
    place = tmp_path / "run"
    assert run("ladder", RACE, "-p", 2, "--bots", "greedy,random,fixed-near", "-n", 2, "--run", place).code == 0  # fmt: skip
    got = run("replay", place / "games", "--game", 7, "--story")
    assert got.code == 0, got.err
    assert "differently" not in got.err


# ---------------------------------------------------------------- budgets


def test_equal_budgets_go_to_those_who_search(run) -> None:
    got = run("ladder", RACE, "-p", 2, "-b", "mcts,fixed-search,random", "-n", 1, "--iterations", 5, "--format", "json")  # fmt: skip
    assert {b["bot"] for b in got.json()["bots"]} == {"mcts:5", "fixed-search:5", "random"}
    assert "random does not search" in got.err
    assert run("ladder", RACE, "-b", "mcts:9,random", "--iterations", 5).code == 2
    fixed = run("ladder", RACE, "-b", "mcts,fixed-search", "--cpu", 0.1)
    assert (fixed.code, "fixed-search can't be given 0.1cpu" in fixed.err) == (2, True)
    timed = run("ladder", RACE, "-p", 2, "-b", "mcts,random", "-n", 1, "--cpu", 0.001, "--format", "json")  # fmt: skip
    assert {b["bot"] for b in timed.json()["bots"]} == {"mcts:0.001cpu", "random"}
    assert "can't be repeated" in timed.err


def test_time_of_the_processor_is_what_its_clock_says() -> None:
    """A clock that goes on by 1 with each look: a budget of 10 is ten looks, however long they take."""
    game = load(RACE, 2)
    ticks = iter(range(1000))
    bot = MctsBot(game, 0, 10.0, clock=lambda: float(next(ticks)))
    state = game.new_initial_state(3)
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    tree = bot.search(state.view(state.current_player()), 1)
    assert tree.visits[0] == 9


# ---------------------------------------------------------------- who a bot is


def test_the_hash_of_a_bot_goes_with_all_that_it_plays_by(tmp_path: Path) -> None:
    folder = tmp_path / "race"
    shutil.copytree(RACE, folder)
    bots = folder / "bots.yaml"
    bots.unlink(missing_ok=True)
    game = load(str(folder), 2)
    plain = {b: bot_hash(b, game, folder) for b in ("random", "greedy", "mcts:5", "mcts:6")}
    assert len(set(plain.values())) == 4
    assert plain["mcts:5"] == bot_hash(" mcts:5 ", game, folder)
    bots.write_text("search: {horizon: 1}\n", encoding="utf-8")
    tuned = {b: bot_hash(b, game, folder) for b in plain}
    assert tuned["random"] == plain["random"]
    assert tuned["mcts:5"] != plain["mcts:5"]


def test_fixed_opponents_are_as_recorded() -> None:
    """Results against them are compared over years: who wants a better one adds it under a new name."""
    game = load(RACE, 2)
    recorded = json.loads((BENCH / "opponents.json").read_text(encoding="utf-8"))
    found = {name: bot_hash(name, game, Path(RACE)) for name in NAMES}
    assert found == recorded, f"bench/opponents.py has changed; its hashes are now {found}"


def test_fixed_opponents_play_whole_games_and_are_ordered_by_strength() -> None:
    plan = make_ladder(RACE, ["fixed-random", "fixed-near", "fixed-search:30"], 2, 4, seed=1)
    player = Player(plan)
    rows = [player.play(n) for n in range(plan.games)]
    assert rows == [player.play(n) for n in range(plan.games)]
    wins = [0.0, 0.0, 0.0]
    for row in rows:
        for bot, win in zip(row.bots, row.wins, strict=True):
            wins[bot] += win
    assert wins[2] >= wins[0]


@pytest.mark.parametrize(
    "words", ["fixed-none", "fixed-near:0", "fixed-random:3", "fixed-search:x"]
)
def test_fixed_opponents_that_there_are_not(words: str) -> None:
    name, _, argument = words.partition(":")
    with pytest.raises(BotError, match="fixed-"):
        make_fixed(name, argument, None)
