"""Simulations: the same table whatever the jobs, workers that die, interruptions, tables on disk, figures."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from common import GAMES, sampled

from rulewright.play.session import Session
from rulewright.simulate import Crowd, Summary, make_plan
from rulewright.simulate.plan import PlanError, describe
from rulewright.simulate.summary import Spread, wilson
from rulewright.simulate.table import TableWriter, read_table

RACE = str(GAMES / "race")
MODULE = [sys.executable, "-m", "rulewright"]


def plan_of(games=30, **more):
    return make_plan(RACE, ["greedy", "random"], 2, games=games, **more)


def rows_of(plan, jobs=1):
    return list(Crowd(plan).rows(jobs))


# ---------------------------------------------------------------- the table


def test_the_table_does_not_depend_on_the_jobs():
    alone = rows_of(plan_of())
    assert [r.number for r in alone] == list(range(30))
    assert rows_of(plan_of(), 2) == alone
    assert rows_of(plan_of(), 5) == alone


def test_another_seed_gives_other_games():
    assert [r.seed for r in rows_of(plan_of())] != [r.seed for r in rows_of(plan_of(seed=1))]
    plan = plan_of(100_000)
    assert len({plan.game_seed(i) for i in range(100_000)}) == 100_000


def test_a_shorter_run_is_the_beginning_of_a_longer_one():
    assert rows_of(plan_of(10)) == rows_of(plan_of(30))[:10]


def test_bots_move_on_by_a_seat_unless_told_otherwise():
    assert [r.bots for r in rows_of(plan_of(3))] == [[0, 1], [1, 0], [0, 1]]
    assert [r.bots for r in rows_of(plan_of(3, fixed=True))] == [[0, 1], [0, 1], [0, 1]]


def test_a_row_adds_up():
    for row in rows_of(plan_of()):
        assert [sum(r) for r in row.reasons] == row.scores
        assert row.course[-1] == row.scores
        assert row.periods[-1] == row.reasons
        assert sum(row.wins) == pytest.approx(1)
        assert 0 < sum(sum(c.values()) for c in row.choices) <= row.length


def test_a_game_can_be_played_again_by_its_seed():
    plan = plan_of()
    row = rows_of(plan)[7]
    game, bots = plan.load(), plan.make_bots(plan.load())
    from rulewright.chance import decision_seed

    state = game.new_initial_state(row.seed)
    number = 0
    while not state.is_terminal():
        who = state.current_player()
        actions = state.legal_actions()
        bot = bots[row.bots[who]]
        action = (
            actions[0]
            if len(actions) == 1
            else bot.choose(state.view(who), decision_seed(plan.bots_seed(7), who, number))
        )
        state.apply_action(action)
        number += 1
    assert (state.scores(), number) == (row.scores, row.length)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_table_can_be_read_back(tmp_path, ending):
    plan = plan_of()
    crowd = Crowd(plan)
    meta = describe(plan, crowd.game)
    path = tmp_path / f"table.{ending}"
    writer = TableWriter(path, meta)
    rows = list(crowd.rows())
    for row in rows:
        writer.add(row)
        assert not path.exists()
    writer.finish()
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    got_meta, got = read_table(path)
    assert got_meta == json.loads(json.dumps(meta))
    assert list(got) == rows


# ---------------------------------------------------------------- workers


def test_a_worker_that_dies_is_replaced(monkeypatch, tmp_path):
    from rulewright.simulate import run as module

    mark = tmp_path / "died"
    real = module.one

    def sometimes(player, number):
        if number == 11 and not mark.exists():
            mark.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        return real(player, number)

    expected = rows_of(plan_of())
    monkeypatch.setattr(module, "one", sometimes)
    crowd = Crowd(plan_of())
    assert list(crowd.rows(2)) == expected
    assert crowd.replaced == 1


def test_a_game_that_kills_every_worker_is_told(monkeypatch):
    from rulewright.simulate import run as module

    real = module.one

    def always(player, number):
        if number == 11:
            os._exit(3)
        return real(player, number)

    monkeypatch.setattr(module, "one", always)
    with pytest.raises(module.SimulationError, match=r"died 3 times .* \(exit code 3\)"):
        list(Crowd(plan_of()).rows(2))


def is_drafting(process: int, folder: Path) -> bool:
    """Whether a process writes a file without a name in the folder."""
    try:
        return any(os.readlink(f).startswith(f"{folder}/") for f in Path(f"/proc/{process}/fd").iterdir())  # fmt: skip
    except OSError:
        return False


@pytest.mark.parametrize(("jobs", "how"), [(1, signal.SIGINT), (2, signal.SIGINT), (1, signal.SIGTERM), (2, signal.SIGTERM)])  # fmt: skip
def test_an_interruption_keeps_what_there_is(tmp_path, jobs, how):
    """Ctrl-C in the middle: a whole table of the games so far, exit code 130."""
    out = tmp_path / "table.csv"
    words = [
        "simulate",
        RACE,
        "-n",
        "1000000",
        "--bots",
        "random",
        "-p",
        "2",
        "-j",
        str(jobs),
        "--out",
        str(out),
    ]
    process = subprocess.Popen([*MODULE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)  # fmt: skip
    deadline = time.monotonic() + 60
    while not is_drafting(process.pid, tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.5)
    os.killpg(process.pid, how) if how == signal.SIGINT else process.send_signal(how)
    told, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted after" in err
    assert "By seat" in told
    rows = list(read_table(out)[1])
    assert 0 < len(rows) < 1_000_000
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"]
    assert rows_of(make_plan(RACE, ["random"], 2, games=5)) == rows[:5]


# ---------------------------------------------------------------- figures


def test_wilson_against_known_values():
    # 10 of 100: the textbook interval is 5.52 % to 17.44 %
    low, high = wilson(10, 100)
    assert (round(low, 4), round(high, 4)) == (0.0552, 0.1744)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 50)[0] == pytest.approx(0) and wilson(50, 50)[1] == pytest.approx(1)


def test_spread_against_the_standard_library():
    import random
    import statistics

    dice = random.Random(1)
    for n in (1, 2, 3, 10, 101):
        values = [dice.randrange(-5, 40) for _ in range(n)]
        spread = Spread()
        for value in values:
            spread.add(value)
        assert spread.mean == pytest.approx(statistics.fmean(values))
        assert spread.median == pytest.approx(statistics.median(values))
        if n > 1:
            assert spread.deviation == pytest.approx(statistics.stdev(values))


def test_the_summary_counts_what_the_rows_say():
    plan = plan_of(40)
    crowd = Crowd(plan)
    summary = Summary(describe(plan, crowd.game))
    rows = list(crowd.rows())
    for row in rows:
        summary.add(row)
    greedy = summary.by_bot["greedy"]
    assert greedy.games == 40
    assert greedy.wins == pytest.approx(sum(r.wins[r.bots.index(0)] for r in rows))
    assert summary.by_seat[0].scores.mean == pytest.approx(sum(r.scores[0] for r in rows) / 40)
    chosen = sum(n for _, _, times in summary.choice_table() for n in times.values())
    assert chosen == sum(sum(c.values()) for r in rows for c in r.choices)
    reasons = summary.to_json()["bots"]["greedy"]["reasons"]
    assert sum(reasons.values()) == pytest.approx(greedy.scores.mean)


def test_a_bot_at_several_seats_has_the_interval_of_the_games():
    """Where one bot has all seats, its share is certain; at two of three seats it is that of two thirds of a win."""
    plan = make_plan(RACE, ["random"], 3, games=40)
    summary = Summary(describe(plan, plan.load()))
    for row in Crowd(plan).rows():
        summary.add(row)
    side = summary.by_bot["random"]
    assert (side.games, side.tables) == (120, 40)
    assert side.share == pytest.approx(1 / 3) and side.interval[1] == pytest.approx(1 / 3)
    assert side.interval[0] > 0.3
    seat = summary.by_seat[0]
    assert seat.interval == wilson(seat.wins, 40)


def test_the_clock_of_a_game_makes_its_periods():
    """Three weeks, and no fourth that begins when the game is over."""
    (row,) = rows_of(make_plan("yspahan", ["random"], 4, games=1))
    assert len(row.periods) == 3
    assert row.periods[-1] == row.reasons and row.course[-1] == row.scores
    assert 18 <= len(row.course) <= 21


# ---------------------------------------------------------------- the command, and wrong use


def test_the_command_prints_a_summary(run):
    got = run("simulate", RACE, "-n", 20, "--bots", "greedy,random", "--choices")
    assert got.code == 0
    assert "20 games" in got.out and "By seat" in got.out and "Length:" in got.out
    assert "go_on" in got.out


def test_the_command_gives_json(run):
    data = run("simulate", RACE, "-n", 5, "--bots", "random", "-p", 2, "--format", "json").json()
    assert data["games"] == 5
    assert set(data["seats"]) == {"Ann", "Ben"} or len(data["seats"]) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["yspahna", "-n", 5], "did you mean 'yspahan'"),
        ([RACE, "--bots", "gredy"], "did you mean 'greedy'"),
        ([RACE, "--bots", "greedy,random,random,random,random,random,random,random,random"], "bots for"),
        ([RACE, "--players", 77], "players, not for 77"),
        ([RACE, "--bots", "random,random", "--players", 3], "2 bots for 3 seats"),
        ([RACE, "--games", 0], "from 1"),
        ([RACE, "--variant", "nothing"], "no variant"),
        ([RACE, "--option", "speed=3"], "speed"),
        ([RACE, "--option", "speed"], "NAME=VALUE"),
        ([RACE, "--bots", ""], "at least one bot"),
        ([RACE, "--jobs", 0], "jobs"),
    ],
)  # fmt: skip
def test_wrong_use_is_told(run, words, message):
    got = run("simulate", *words)
    assert got.code == 2
    assert message in got.err
    assert got.out == ""


def test_a_plan_with_wrong_numbers_is_an_error():
    with pytest.raises(PlanError):
        make_plan(RACE, ["random"], 2, games=-1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere/t.csv", "can't be written"),
        ("t.xlsx", "must end in"),
        ("folder.csv", "is a folder"),
    ],
)
def test_unwritable_tables_are_told_before_playing(run, tmp_path, name, message):
    (tmp_path / "folder.csv").mkdir()
    got = run("simulate", RACE, "-n", 5, "--bots", "random", "--out", tmp_path / name)
    assert got.code in (1, 2)
    assert message in got.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.csv"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(run, tmp_path):
    (tmp_path / "full.csv").symlink_to("/dev/full")
    got = run("simulate", RACE, "-n", 2000, "--bots", "random", "--out", tmp_path / "full.csv")
    assert got.code == 1
    assert "No space left on device" in got.err
    assert "Traceback" not in got.err
    assert [p.name for p in tmp_path.iterdir()] == ["full.csv"]


def few_bytes():
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


# what Python would keep of modules that nobody has imported yet would be cut off, too
KEEPS_NOTHING = {"PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.parametrize("name", sampled(["t.parquet", "t.csv", "t.jsonl"], 3))
def test_where_there_is_no_room_nothing_is_left(tmp_path, name):
    words = ["simulate", RACE, "-n", "400", "--bots", "random", "--out", str(tmp_path / name)]
    cache = str(tmp_path.parent / "no-room")
    environment = {**os.environ, **KEEPS_NOTHING, "RULEWRIGHT_CACHE": cache}
    got = subprocess.run(
        [*MODULE, *words], preexec_fn=few_bytes, env=environment, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert got.returncode == 1, got.stderr
    assert "could not be written: File too large; nothing was kept" in got.stderr
    assert "Traceback" not in got.stderr and got.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_can_not_be_recorded_any_more_can_be_gone_on_with(tmp_path):
    file = tmp_path / "game.jsonl"
    words = [
        "play",
        "yspahan",
        "--seats",
        "human,random,random",
        "--seed",
        "2",
        "--save",
        str(file),
    ]
    got = subprocess.run(
        [*MODULE, *words], preexec_fn=few_bytes, env={**os.environ, **KEEPS_NOTHING}, input="1\n" * 400, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert got.returncode == 1 and "Traceback" not in got.stderr
    assert (
        "can't be written any more: File too large; what it holds can be gone on with" in got.stderr
    )
    session, notes = Session.resume(file)
    assert session.number > 5 and "cut off" in notes[0]


def test_parquet_without_its_package(monkeypatch, run, tmp_path):
    """The package is an extra: a clear word before anything is played."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    got = run("simulate", RACE, "-n", 5, "--bots", "random", "--out", tmp_path / "t.parquet")
    assert got.code == 1 and "pip install 'rulewright[parquet]'" in got.err
    assert got.out == "" and list(tmp_path.iterdir()) == []
