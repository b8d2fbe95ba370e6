"""The studio's server from inside: who may come in, what is answered, tables that carry games over, scenarios, comparisons."""

import json
import re
import shutil
import time
from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rulewright.engines import examples, games, spec_path
from rulewright.studio.door import COOKIE
from rulewright.studio.requests import Studio
from rulewright.studio.web import more
from rulewright.studio.workbench import Benches
from rulewright.web.app import make_app
from rulewright.web.settings import Limits, Settings
from rulewright.web.store import open_store

BASE = "http://localhost"
TOKEN = "a-token-that-nobody-guesses-0123456789"


@contextmanager
def serving(path, game="mykerinos"):
    root = shutil.copytree(spec_path(game), path / "mine")
    benches = Benches(path / "data")
    id_ = benches.remember(root)
    many = (100_000, 100_000.0)
    settings = Settings(limits=Limits(bot_processes=1, new_tables=many, pages=many, messages=many))
    studio = Studio(benches, TOKEN, path)
    app = make_app(settings, open_store(str(path / "tables.sqlite")), (), more(settings, studio))
    with TestClient(app, base_url=BASE, headers={"origin": BASE}, follow_redirects=False) as client:
        client.cookies.set(COOKIE, TOKEN)
        client.root, client.id = root, id_
        yield client


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """One server for all tests here, as its processes take a while to come up; each test leaves rules that are right."""
    path = tmp_path_factory.mktemp("studio")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(path / "xdg"))
        with serving(path) as found:
            yield found


def ask(client, route, status=200, **data):
    response = client.post(f"/studio/{client.id}/{route}", content=json.dumps(data))
    assert response.status_code == status, response.text
    return response.json()


def until(client, test, patience=240):
    """What the index says once a test holds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = client.get(f"/studio/{client.id}/index").json()
        if test(found):
            return found
        time.sleep(0.1)
    raise AssertionError(found["problems"])


def checked(client, errors=0):
    def fits(found):
        state = found["state"]
        return state["checked"] == state["version"] and found["problems"]["errors"] == errors

    return until(client, fits)


def test_nobody_comes_in_without_the_token(client):
    stranger = TestClient(
        client.app, base_url=BASE, headers={"origin": BASE}, follow_redirects=False
    )
    stranger.portal = client.portal
    for path in (
        "/studio",
        "/",
        "/healthy",
        f"/studio/{client.id}",
        f"/studio/{client.id}/index",
        "/table/x",
        "/studio?token=wrong",
        "/studio/static/studio.js",
    ):
        assert stranger.get(path).status_code == 403, path
    assert stranger.post(f"/studio/{client.id}/undo").status_code == 403
    first = stranger.get(f"/studio?token={TOKEN}&open={client.id}")
    assert first.status_code == 303 and first.headers["location"] == f"/studio/{client.id}"
    assert (
        "HttpOnly" in first.headers["set-cookie"]
        and "SameSite=strict" in first.headers["set-cookie"]
    )
    assert stranger.get("/studio").status_code == 200
    # an address that leads elsewhere is not followed
    other = stranger.get(f"/studio?token={TOKEN}&open=//evil.example").headers["location"]
    assert other == "/studio"


def test_other_pages_and_names_for_this_computer_are_refused(client):
    assert (
        client.post(
            f"/studio/{client.id}/undo", headers={"origin": "http://evil.example"}
        ).status_code
        == 403
    )
    assert client.get("/studio", headers={"host": "evil.example"}).status_code == 403
    headers = {"origin": "http://evil.example"}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/studio/{client.id}/socket", headers=headers),
    ):
        pass
    policy = client.get("/studio").headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy and "script-src 'self'" in policy


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("edit", {"op": "cell", "table": "No", "row": "x", "column": "y", "value": 1}), ("write", {"file": "../x.yaml", "base": "", "text": ""}),
        ("read", {"file": "/etc/passwd"}), ("read", {}), ("fix", {"file": "game.yaml", "line": 99999, "column": 1, "end_line": 1, "end_column": 1, "text": ""}),
        ("grid", {"table": "No"}), ("ask", {"what": "check_all"}), ("play", {"players": 99}), ("keep", {"name": "x"}), ("sight", {"players": "many"}),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_words(client, what, data):
    assert ask(client, what, 400, **data)["problem"]


def test_edit_check_undo(client):
    checked(client)
    ask(client, "edit", op="constant", name=first_constant(client), value="nonsense")
    found = checked(client, 1)
    assert found["problems"]["problems"][0]["file"].endswith(".yaml")
    assert ask(client, "undo")["labels"]
    checked(client)
    grid = ask(client, "grid", table="Parcel")
    assert [c["type"]["t"] for c in grid["columns"]] == ["text", "kind", "int", "set"]


def test_several_changes_are_made_whole_or_not_at_all(client):
    checked(client)
    before = {f.name: f.read_bytes() for f in client.root.glob("*.yaml")}
    copy = {"op": "copy", "table": "Parcel", "row": "violet_5", "name": "violet_99"}
    wrong = {"op": "cell", "table": "Parcel", "row": "nobody", "column": "points", "value": 1}
    assert "nobody" in ask(client, "edit", 400, all=[copy, wrong])["problem"]
    assert {f.name: f.read_bytes() for f in client.root.glob("*.yaml")} == before
    right = {"op": "cell", "table": "Parcel", "row": "violet_99", "column": "points", "value": 1}
    ask(client, "edit", all=[copy, right])
    ask(client, "undo")
    assert {f.name: f.read_bytes() for f in client.root.glob("*.yaml")} == before
    checked(client)


def test_while_there_is_a_mistake_the_last_rules_that_were_right_are_played(client):
    def played():
        made = ask(client, "play", players=2, seats=["human", "human"])
        room = client.portal.call(client.app.state.server.rooms.get, made["table"])
        return made["old"], room.ruleset.game.info["hash"]

    checked(client)
    first = played()
    ask(client, "edit", op="cell", table="Parcel", row="violet_5", column="points", value=5)
    checked(client)
    right = played()
    assert not first[0] and not right[0] and first[1] != right[1]
    ask(client, "edit", op="cell", table="Parcel", row="violet_5", column="points", value=9_999)
    checked(client, 1)
    assert played() == (True, right[1])
    drawn = ask(client, "board", players=2)
    assert drawn["old"] and "<svg" in drawn["picture"]
    # what is neither played nor drawn by it says why
    for route in ("conformance", "attempt", "compare"):
        assert "mistakes" in ask(client, route, 400)["problem"]
    for _ in range(2):
        ask(client, "undo")
    checked(client)
    assert not ask(client, "board", players=2)["old"]


def first_constant(client):
    index = client.get(f"/studio/{client.id}/index").json()["index"]
    grid = ask(client, "grid", constants=index["constants"][0])
    return next(r["name"] for r in grid["rows"] if isinstance(r["cells"]["value"]["value"], int))


@pytest.mark.wide
def test_a_game_is_carried_over_up_to_the_first_decision_that_does_not_fit(client):
    checked(client)
    # several, because at one of them both may pass all the time
    tables = [ask(client, "play", players=2, seats=["random", "random"])["table"] for _ in range(4)]
    again = []
    for table in tables:
        assert client.get(f"/studio/sit/{table}").headers["location"] == f"/table/{table}"
        room = client.portal.call(client.app.state.server.rooms.get, table)
        end = time.monotonic() + 60
        while len(room.course.steps) < 60 and not room.course.over and time.monotonic() < end:
            time.sleep(0.1)
    ask(client, "edit", op="cell", table="Parcel", row="violet_4", column="points", value=5)
    checked(client)
    for table in tables:
        again.append(ask(client, "play", players=2, carry=table))
        carried = again[-1]["carried"]
        assert carried["decisions"] == carried["of"] >= 5 and not carried["stopped"]
    # with one cube for a season the game can't go on as it did: the table says where that is
    few = {"by players": {"2": 1, "3": 1, "4": 1}}
    ask(client, "edit", op="constant", name="cubes_per_season", value=few)
    checked(client)
    others = [ask(client, "play", players=2, carry=one["table"])["carried"] for one in again]
    assert any(other["stopped"] for other in others)
    for other, before in zip(others, again, strict=True):
        # the bots have gone on since
        assert 0 < other["decisions"] <= other["of"] >= before["carried"]["of"]
        if other["decisions"] < other["of"]:
            assert re.match("this is not possible now|somebody else decides now|there is no such decision now", other["stopped"])  # fmt: skip
        else:
            assert not other["stopped"]
        room = client.portal.call(client.app.state.server.rooms.get, before["table"])
        assert len([1 for step in room.course.steps if step.actions]) >= before["carried"]["of"]
    ask(client, "undo")
    checked(client)


def test_a_position_by_hand_is_looked_at_as_a_save_and_kept_as_a_scenario(client):
    checked(client)
    table = ask(client, "play", players=2, seats=["human", "human"])["table"]
    found = ask(client, "position", table=table)
    save = found["save"]
    assert ask(client, "play", players=2, seats=["human", "human"], position=save)["table"]
    broken = {**save, "state": {**save["state"], "score": {"0": "many"}}}
    assert ask(client, "play", 400, players=2, seats=["human", "human"], position=broken)["problem"]
    clause = client.get(f"/studio/{client.id}/index").json()
    assert clause
    kept = ask(
        client, "keep", name="Points: by hand", covers=["setup.score-zero"], players=2, given={"score": {"0": 12}},
        then={"scores": {"0": 12, "1": 0}},
    )  # fmt: skip
    text = (client.root / kept["file"]).read_text()
    assert '- scenario: "Points: by hand"\n' in text and "  given:\n    score: {0: 12}\n" in text
    assert kept["wrong"] == "" and kept["line"] == 1
    checked(client)


def test_a_comparison_with_the_original(client):
    checked(client)
    ask(client, "edit", op="cell", table="Parcel", row="violet_5", column="points", value=5)
    checked(client)
    ask(client, "compare", against="original", bots="random", games=12, players=2)
    end = time.monotonic() + 90
    while time.monotonic() < end:
        last = ask(client, "compare", look=True)
        if not last.get("running"):
            break
        time.sleep(0.2)
    assert not last.get("problem"), last
    assert last["done"] == 12 and "violet_5" in last["differences"] and last["measures"]
    page = client.get(f"/studio/{client.id}/compare.html")
    assert page.status_code == 200 and "violet_5" in page.text


@pytest.mark.wide
@pytest.mark.parametrize("patience", [60.0, 0.0])
def test_a_comparison_that_is_stopped_keeps_what_was_seen(client, monkeypatch, patience):
    """Also when its process is in the middle of a game that takes longer than anybody waits, and is killed."""
    monkeypatch.setattr("rulewright.studio.comparing._PATIENCE", patience)
    checked(client)
    ask(client, "edit", op="cell", table="Parcel", row="violet_5", column="points", value=5)
    checked(client)
    ask(client, "compare", against="original", bots="random", games=5_000, players=2)
    assert client.get(f"/studio/{client.id}/compare.html").status_code == 404
    last = {}
    while last.get("done", 0) < 2:
        last = ask(client, "compare", look=True)
        time.sleep(0.05)
    last = ask(client, "compare", stop=True)
    assert not last["running"] and last["stopped"] and 2 <= last["done"] < 5_000
    assert last["measures"] and "problem" not in last
    assert "violet_5" in client.get(f"/studio/{client.id}/compare.html").text
    # asked once more, nothing is different
    assert ask(client, "compare", stop=True) == last


ALL = [
    g if g == "orchard" else pytest.param(g, marks=pytest.mark.wide)
    for g in [*examples(), *games()]
]


@pytest.mark.parametrize("game", ALL)
def test_every_room_opens_for_every_game(game, tmp_path, monkeypatch):
    """Grids with every variant, the board, the palette, a table, its position, which is played from and is the beginning of a scenario."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    with serving(tmp_path, game) as client:
        checked(client)
        index = client.get(f"/studio/{client.id}/index").json()["index"]
        for variant in ["", *(v["name"] for v in index["variants"])]:
            for table in index["tables"]:
                grid = ask(client, "grid", table=table["name"], variant=variant)
                assert grid["rows"] or grid["grid"] or not table["rows"]
            for file in index["constants"]:
                assert ask(client, "grid", constants=file, variant=variant)["rows"]
        assert "<svg" in ask(client, "board")["picture"]
        assert ask(client, "ask", what="palette")["answer"].keys() == {
            "hooks",
            "effects",
            "columns",
        }
        table = ask(client, "play", seats=["human"] * 6)["table"]
        found = ask(client, "position", table=table)
        people = {"players": found["players"], "seats": ["human"] * found["players"]}
        assert ask(client, "play", **people, position=found["save"])["table"]
        began = {k: found["save"][k] for k in ("state", "zones", "pieces")}
        ruleset = {"players": found["players"], "variants": []}
        tried = ask(client, "attempt", **ruleset, call="", when=[], first=True, position=began)
        assert not tried["problem"], tried
        assert tried["asked"] or tried["over"]
        covers = list(tried["all_clauses"])[:1]
        kept = ask(client, "keep", **ruleset, name="As it begins", covers=covers, given=tried["given"], when=[], then={"gained": {}})  # fmt: skip
        assert kept["wrong"] == ""
        checked(client)
