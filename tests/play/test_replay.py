"""Replay files: recorded as the game goes, refused when they do not fit, forgiven a cut-off last line."""

import json

import pytest
from common import GAMES

from rulewright.engines import load
from rulewright.play.session import Session, SessionError
from rulewright.replay import ReplayError, read_replay, steps

RACE = str(GAMES / "race")


def record(path, name=RACE, players=2, seats=("random", "random"), seed=5, most=None):
    game = load(name, players)
    session = Session.new(name, game, (), {}, seed, seats, path)
    while not session.over and (most is None or session.number < most):
        session.bot_moves()
    session.close()
    return session


def last_state(path):
    replay = read_replay(path)
    return list(steps(replay, replay.header.load()))[-1][0]


@pytest.mark.parametrize(
    ("name", "players"), [(RACE, 2), (str(GAMES / "bluff"), 2), (str(GAMES / "auction"), 3), ("ys", 3), ("yspahan", 3), ("mykerinos", 2)]
)  # fmt: skip
def test_a_recorded_game_comes_out_the_same(tmp_path, name, players):
    session = record(tmp_path / "r.jsonl", name, players, ["random"] * players)
    state = last_state(tmp_path / "r.jsonl")
    assert state.to_dict() == session.state.to_dict()
    assert state.story == session.state.story
    sampled = load(name, players).new_initial_state(5)
    for _, row in read_replay(tmp_path / "r.jsonl").events:
        if "choice" in row:
            sampled.apply_action(sampled.action_from_dict(row))
    assert sampled.scores() == state.scores()


def test_the_header_tells_rules_and_seats(tmp_path):
    record(tmp_path / "r.jsonl")
    first = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])
    game = load(RACE, 2)
    assert first["ruleset"] == game.info["hash"]
    assert (first["seats"], first["players"]) == (["random", "random"], 2)
    assert len(first["spec"]) == 16


def test_every_line_is_there_at_once(tmp_path):
    """After each decision the file holds it: whoever is killed loses the move under way at most."""
    path = tmp_path / "r.jsonl"
    session = Session.new(RACE, load(RACE, 2), (), {}, 5, ["random", "random"], path)
    for _ in range(6):
        session.bot_moves()
        assert last_state(path).to_dict() == session.state.to_dict()


def test_a_cut_off_line_is_dropped_with_a_word(tmp_path):
    path = tmp_path / "r.jsonl"
    record(path, most=5)
    whole = path.read_bytes()
    path.write_bytes(whole[:-4])
    replay = read_replay(path)
    assert replay.notes == [f"the last line of {path} is cut off and was dropped"]
    assert len(replay.events) == whole.count(b"\n") - 2


def test_going_on_after_a_cut_gives_the_same_game(tmp_path):
    whole = record(tmp_path / "whole.jsonl")
    path = tmp_path / "cut.jsonl"
    data = (tmp_path / "whole.jsonl").read_bytes()
    lines = data.splitlines(keepends=True)
    for cut in range(1, len(lines) - 1, 3):
        path.write_bytes(b"".join(lines[:cut]) + lines[cut][:-3])
        session, notes = Session.resume(path, seed=5)
        assert len(notes) == 1
        while not session.over:
            session.bot_moves()
        session.close()
        assert session.state.to_dict() == whole.state.to_dict()
        assert path.read_bytes() == data


def test_other_rules_are_refused(tmp_path):
    import shutil

    folder = shutil.copytree(GAMES / "race", tmp_path / "race")
    record(tmp_path / "r.jsonl", str(folder))
    rules = folder / "race.rules"
    rules.write_text(rules.read_text().replace("if d == 1: return", "if d == 2: return"))
    with pytest.raises(ReplayError, match="recorded under other rules"):
        read_replay(tmp_path / "r.jsonl").header.load()
    rules.write_text(
        rules.read_text().replace("if d == 2: return", "if d == 1: return")
        + "\n# a comment changes nothing\n"
    )
    assert last_state(tmp_path / "r.jsonl").is_terminal()


def spoil(path, number, change):
    lines = path.read_text().splitlines()
    row = json.loads(lines[number])
    lines[number] = change(row)
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (0, lambda row: "{}", "not a replay"),
        (0, lambda row: "[1]", "not a replay"),
        (0, lambda row: json.dumps({**row, "format": 99}), "format 99"),
        (0, lambda row: json.dumps({**row, "format": 1, "seed": 5}), "format 1; this version reads 2"),
        (0, lambda row: json.dumps({**row, "ruleset": 5}), "ruleset: 5 is not a text"),
        (0, lambda row: json.dumps({**row, "game": "nothing"}), "can't be loaded"),
        (2, lambda row: "{nonsense", ":3: this line is damaged"),
        (2, lambda row: '{"choice": "go_on"}', ":3: this line can't be played"),
        (2, lambda row: '{"chance": "roll", "value": 99}', ":3: this line can't be played"),
        (2, lambda row: '{"undo": 5}', ":3: there is nothing left to undo"),
        (2, lambda row: '{"undo": "x"}', ":3: this undo is damaged"),
        (-1, lambda row: '{"end": {"scores": [1, 2], "ranking": [1, 2]}}', "does not end like this"),
    ],
)  # fmt: skip
def test_damage_is_told_with_its_line(tmp_path, run, number, change, message):
    path = tmp_path / "r.jsonl"
    record(path)
    spoil(path, number, change)
    got = run("replay", path, "--story")
    assert got.code == 1
    assert message in got.err
    assert "Traceback" not in got.err


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\xff\xfe\n", b'{"rulewright": "replay"', b"[" * 5000 + b"\n"]
)
def test_what_is_no_replay_at_all(tmp_path, run, content):
    (tmp_path / "r.jsonl").write_bytes(content)
    got = run("replay", tmp_path / "r.jsonl")
    assert got.code in (1, 2)
    assert "Traceback" not in got.err and got.err.startswith("rulewright: ")


def test_a_missing_file_is_told(tmp_path, run):
    got = run("replay", tmp_path / "none.jsonl")
    assert got.code == 1
    assert "can't be read" in got.err


def test_the_story_is_printed(tmp_path, run):
    record(tmp_path / "r.jsonl", str(GAMES / "auction"))
    whole = run("replay", tmp_path / "r.jsonl", "--story")
    assert whole.code == 0
    assert "bids" in whole.out and "The game is over" in whole.out
    seat = run("replay", tmp_path / "r.jsonl", "--story", "--seat", 0)
    assert "Bo has bid" in seat.out and "Ada bids" in seat.out
    assert run("replay", tmp_path / "r.jsonl", "--story", "--seat", 5).code == 2


def test_an_existing_file_is_not_overwritten(tmp_path):
    record(tmp_path / "r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    with pytest.raises(ReplayError, match="is there already"):
        record(tmp_path / "r.jsonl")
    assert (tmp_path / "r.jsonl").read_bytes() == before


def test_a_finished_game_is_not_gone_on_with(tmp_path):
    record(tmp_path / "r.jsonl")
    with pytest.raises(SessionError, match="is over"):
        Session.resume(tmp_path / "r.jsonl")


def test_a_game_of_a_table_can_be_seen(tmp_path, run):
    table = tmp_path / "t.csv"
    assert run("simulate", RACE, "-n", 8, "--bots", "greedy,random", "--out", table).code == 0
    got = run("replay", table, "--game", 5, "--save", tmp_path / "five.jsonl")
    assert got.code == 0, got.err
    assert "The game is over" in got.out and "went differently" not in got.err
    assert last_state(tmp_path / "five.jsonl").is_terminal()
    assert run("replay", table).code == 2
    assert run("replay", table, "--game", 99).code == 2
