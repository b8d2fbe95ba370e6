"""Recorded games in the browser: through them, out to files, in from files, and on from a step."""

import json
import re

import pytest
from web_server import make_table, other_browser, serving, sitting

from rulewright.replay import read_replay, steps


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("store")) as client:
        yield client


def finish(client, table, undo_every=0):
    """Play a table to its end by its first browser."""
    with sitting(client, table) as me:
        taken = undone = 0
        while True:
            me.until_mine()
            if me.over:
                return undone
            taken += 1
            me.choose(me.actions[taken % len(me.actions)])
            if undo_every and taken % undo_every == 0:
                me.until_mine()
                if 'data-ask="undo"' in me.html["options"]:
                    version = me.version
                    me.say("undo", version=version)
                    me.until(version + 1)
                    undone += 1


@pytest.fixture(scope="module")
def finished(client):
    table = make_table(client, "yspahan", ["me", "random"])
    assert finish(client, table, undo_every=3) > 2
    return table


def test_a_finished_game_is_a_replay_file(client, finished, tmp_path):
    answer = client.get(f"/table/{finished}/game.jsonl")
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    file = tmp_path / "game.jsonl"
    file.write_bytes(answer.content)
    replay = read_replay(file)
    assert replay.notes == [] and replay.header.seats == ["human", "random"]
    *_, (state, row) = steps(replay, replay.header.load())
    assert state.is_terminal() and row == {}
    # what was taken back is kept in the record
    assert any("undo" in json.loads(line) for line in answer.text.splitlines())
    # no seed, no secret of the server
    assert "seed" not in answer.text and "secret" not in answer.text


def test_before_the_end_there_is_no_file_and_no_other_table(client):
    table = make_table(client, "yspahan", ["me", "random"])
    assert client.get(f"/table/{table}/game.jsonl").status_code == 403
    assert client.post(f"/table/{table}/continue", data={"step": "1"}).status_code == 403


def test_a_file_comes_back_the_same(client, finished):
    """Export, import, export: only what was taken back is gone."""
    first = client.get(f"/table/{finished}/game.jsonl").text
    answer = other_browser(client).post("/replays", content=first.encode())
    assert answer.status_code == 201
    path = answer.json()["table"]
    page = client.get(path).text
    assert page.count('class="told"') > 50
    table = path.split("/")[2]
    again = client.get(f"/table/{table}/game.jsonl").text
    third = client.post("/replays", content=again.encode()).json()["table"].split("/")[2]
    assert client.get(f"/table/{third}/game.jsonl").text == again
    assert client.get(f"/table/{table}").headers["location"] == path


def test_a_recording_of_the_terminal_opens(client, tmp_path):
    from rulewright.engines import load
    from rulewright.play.session import Session

    file = tmp_path / "g.jsonl"
    session = Session.new("ys", load("ys", 3), [], {}, 3, ["random"] * 3, file)
    while not session.over:
        session.bot_moves()
    session.close()
    answer = client.post("/replays", content=file.read_bytes())
    assert answer.status_code == 201, answer.text
    page = client.get(answer.json()["table"]).text
    assert 'id="eyes"' in page and "How it ended" in page


@pytest.mark.parametrize(
    "damage", ["empty", "text", "cut", "header", "line", "seats", "other rules", "end", "binary"]
)
def test_a_damaged_file_is_refused_in_words(client, finished, damage):
    lines = client.get(f"/table/{finished}/game.jsonl").text.splitlines(keepends=True)
    header = json.loads(lines[0])
    choice = next(i for i, line in enumerate(lines) if '"choice"' in line)
    body = {
        "empty": "",
        "text": "Dear diary",
        "cut": lines[0][:-20],
        "header": json.dumps({**header, "players": "two"}) + "\n",
        "line": "".join([*lines[:choice], "{]\n", *lines[choice:]]),
        "seats": json.dumps({**header, "seats": ["a"]}) + "\n" + "".join(lines[1:]),
        "other rules": json.dumps({**header, "ruleset": "0" * 16}) + "\n" + "".join(lines[1:]),
        "end": "".join(lines[:choice] + lines[choice + 1 :]),
        "binary": "\x00\xff" * 100,
    }[damage]
    answer = client.post("/replays", content=body.encode("latin-1", "replace"))
    assert answer.status_code == 400
    problem = answer.json()["problem"]
    assert problem.startswith("This file can't be opened: ") and "Traceback" not in problem


def test_a_cut_off_game_opens_as_far_as_it_goes(client, finished):
    lines = client.get(f"/table/{finished}/game.jsonl").text.splitlines(keepends=True)
    half = "".join(line for line in lines[: len(lines) // 2])
    answer = client.post("/replays", content=half.encode())
    assert answer.status_code == 201


def test_the_slider_shows_every_step_from_all_eyes(client, finished):
    with sitting(client, finished) as me:
        last = len(me.story)
        pictures = set()
        for step in (1, 2, last // 2, last):
            for eyes in (-1, 0, 1):
                me.say("at", step=step, eyes=eyes)
                while me.hear().get("looking") != step:
                    pass
                shown = {k: v for k, v in me.html.items() if re.fullmatch(r"p\d.*", k)}
                pictures.add(json.dumps(shown, sort_keys=True))
                assert me.actions == []
        assert len(pictures) >= 6
        # steps beyond are the last one
        me.say("at", step=last + 1000, eyes=0)
        me.say("why")
        me.answer()


def test_jumps_lead_to_periods_and_turns(client, finished):
    page = client.get(f"/table/{finished}/replay").text
    jumps = page[page.index('id="jump"') : page.index("</select>", page.index('id="jump"'))]
    assert re.findall(r">(week \d)<", jumps) == ["week 1", "week 2", "week 3"]
    assert "Green, step" in jumps and "Blue, step" in jumps


def test_what_a_search_would_do(client, finished):
    with sitting(client, finished) as me:
        me.say("advise", step=3)
        answer = me.answer()
        assert answer["type"] == "why" and "mcts" in answer["html"] and "%" in answer["html"]
        me.say("advise", step=len(me.story))
        assert me.answer() == {"type": "problem", "text": "There is nothing to decide here."}


def test_going_on_from_a_step_is_a_new_table(client, finished):
    stranger = other_browser(client)
    step = 20
    answer = stranger.post(
        f"/table/{finished}/continue", data={"step": str(step), "seat0": "me", "seat1": "random"}
    )
    assert answer.status_code == 303
    table = answer.headers["location"].removeprefix("/table/")
    with sitting(stranger, table) as me, sitting(client, finished) as before:
        assert me.story[:step] == before.story[:step]
        me.until_mine()
        for _ in range(5):
            me.choose(me.actions[0])
            me.until_mine()
        assert len(me.story) > step
    # the first table is as it was
    assert client.get(f"/table/{finished}/game.jsonl").status_code == 200


@pytest.mark.parametrize("step", ["", "-1", "x", "1.5", "９"])
def test_going_on_from_no_step_is_refused(client, finished, step):
    assert client.post(f"/table/{finished}/continue", data={"step": step}).status_code == 400
