"""A server that strangers reach: who is let in, what is refused, and how much of it."""

import json
import re
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect
from web_server import BASE, ROOMY, make_table, other_browser, serving, sitting

from rulewright.web.app import POLICY, STATIC
from rulewright.web.limits import Connections, Rate, group
from rulewright.web.page import page
from rulewright.web.settings import Limits, Settings
from rulewright.web.tokens import Pass, cookie_value, link_token, read_cookie, seat_of_link

TEMPLATES = STATIC.parent / "templates"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("store")) as client:
        yield client


# ---------------------------------------------------------------- pages of others


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://localhost.evil.example", "http://localhost:1"],
)
def test_nothing_is_done_for_a_page_of_another_origin(client, origin):
    headers = {} if origin is None else {"origin": origin}
    del client.headers["origin"]
    try:
        for path in ("/tables", "/replays", "/table/x/continue"):
            assert client.post(path, headers=headers, data={"game": "ys"}).status_code == 403
        table = "x"
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(f"ws://localhost/table/{table}/socket", headers=headers),
        ):
            pass
        assert closed.value.code == 4403
    finally:
        client.headers["origin"] = BASE


def test_a_name_that_was_made_to_point_here_is_refused(client):
    """On loopback only loopback's names are ours, whatever the name server of a stranger says."""
    for host in ("evil.example", "evil.example:8765", "localhost.evil.example", ""):
        headers = {"host": host, "origin": f"http://{host}"}
        assert client.get("/", headers=headers).status_code == 403
        assert client.post("/tables", headers=headers).status_code == 403
    for host in ("localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8765"):
        assert client.get("/", headers={"host": host}).status_code == 200


def test_behind_a_proxy_the_url_is_ours():
    behind = Settings(url="https://games.example")
    assert behind.secure
    assert behind.knows_host("games.example") and not behind.knows_host("evil.example")
    assert behind.knows_origin("https://games.example", "games.example")
    assert behind.knows_origin("https://games.example", "127.0.0.1:8765")
    assert not behind.knows_origin("https://evil.example", "games.example")
    assert not behind.knows_origin(None, "games.example")


def test_no_get_changes_anything(client):
    table = make_table(client, "mykerinos", ["me", "random"])
    for route in client.app.routes:
        methods = getattr(route, "methods", None) or set()
        assert methods <= {"GET", "HEAD"} or methods == {"POST"}
    for path in ("/tables", "/replays", f"/table/{table}/continue"):
        assert client.get(path).status_code == 405


# ---------------------------------------------------------------- pages of ours


def test_every_answer_carries_the_policy(client):
    table = make_table(client, "mykerinos", ["me", "random"])
    css = re.search(r"/board/[^\"]+\.css", client.get(f"/table/{table}").text)[0]
    for path in (
        "/",
        f"/table/{table}",
        "/static/site.css",
        css,
        "/nothing",
        "/table/nothing",
        f"/table/{table}/game.jsonl",
    ):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert "cache-control" in headers
    assert "'unsafe" not in POLICY and "default-src 'none'" in POLICY
    # what a seat sees is kept nowhere on the way
    assert client.get(f"/table/{table}").headers["cache-control"] == "no-store"


def test_no_page_holds_script_or_style_or_anything_from_elsewhere(client):
    """The policy would stop it in the browser; it must not be there at all."""
    texts = [file.read_text() for file in TEMPLATES.glob("*.html")]
    table = make_table(client, "ys", ["me", "random"])
    texts += [
        client.get("/").text,
        client.get(f"/table/{table}").text,
        client.get(f"/table/{table}/replay").text,
    ]
    for text in texts:
        assert not re.search(r"<style|\sstyle=|javascript:|\son\w+=", text)
        assert re.findall(r"<script(?! type=\"module\" src=\"/static/)", text) == []
        assert not re.search(r"(src|href)=\"(https?:)?//", text)
    for file in STATIC.iterdir():
        found = re.findall(r"https?://[^\s\"')]+", file.read_text())
        assert set(found) <= {"http://www.w3.org/2000/svg"}, file.name


def test_everything_is_escaped(client):
    evil = '"><script>alert(1)</script>'
    table = make_table(client, "mykerinos", ["me", "random"])
    for path in (f"/table/{evil}", f"/table/{table}/join/{evil}", f"/{evil}"):
        assert "<script>alert" not in client.get(path).text
    answer = client.post("/tables", data={"game": evil, "players": evil, "seat0": evil})
    assert answer.status_code == 400 and "<script>alert" not in answer.text
    answer = client.post("/tables", data={"game": "ys", "players": "2", "seat0": evil})
    assert "&lt;script&gt;" in answer.text and "<script>alert" not in answer.text
    with sitting(client, table) as me:
        me.until_mine()
        me.say("why", member=evil)
        assert "<script>" not in me.answer()["html"]


def test_templates_escape_by_themselves():
    assert "<b>" not in page("message.html", text="<b>")
    for file in TEMPLATES.glob("*.html"):
        for name in re.findall(r"\{\{ *([\w.]+)\|safe", file.read_text()):
            # only fragments that came from a template before
            assert name in {
                "fragments.status",
                "fragments.options",
                "fragments.result",
                "fragments.seats",
                "item",
                "result",
            }


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/..%2fapp.py",
        "/board/../../x.css",
    ],
)
def test_no_file_but_ours_is_served(client, path):
    assert client.get(path).status_code == 404


# ---------------------------------------------------------------- passes


def test_passes_can_not_be_made_up():
    secret = "a" * 64
    good = cookie_value(secret, "t", Pass(frozenset({0, 2}), True))
    assert read_cookie(secret, "t", good, 3) == Pass(frozenset({0, 2}), True)
    nothing = Pass()
    wrong = [
        None,
        "",
        "h0",
        "h0.",
        good[:-1],
        good + "0",
        good.replace("h0-2", "h0-1"),
        good.replace("h", "p"),
        "é" * 9,
        "x" * 9999,
    ]
    for value in wrong:
        assert read_cookie(secret, "t", value, 3) == nothing
    assert read_cookie(secret, "other", good, 3) == nothing
    assert read_cookie("b" * 64, "t", good, 3) == nothing
    # seats that the table does not have are none
    assert read_cookie(secret, "t", good, 2).seats == {0}
    link = link_token(secret, "t", 1)
    assert seat_of_link(secret, "t", link, 2) == 1
    assert seat_of_link(secret, "t", link, 1) is None
    # a link is no cookie and a cookie no link
    assert read_cookie(secret, "t", link, 3) == nothing
    assert seat_of_link(secret, "t", good, 3) is None


def test_cookies_are_secure_behind_tls(tmp_path):
    from starlette.testclient import TestClient

    from rulewright.web.app import make_app
    from rulewright.web.store import open_store

    settings = Settings(url="https://localhost", limits=ROOMY)
    app = make_app(settings, open_store(str(tmp_path / "t.sqlite")))
    with TestClient(
        app,
        base_url="https://localhost",
        headers={"origin": "https://localhost"},
        follow_redirects=False,
    ) as client:
        answer = client.post(
            "/tables", data={"game": "mykerinos", "players": "2", "seat0": "me", "seat1": "random"}
        )
        cookie = answer.headers["set-cookie"]
        assert "Secure" in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie


# ---------------------------------------------------------------- how much


def test_too_many_tables_connections_messages_are_refused(tmp_path):
    limits = Limits(
        bot_processes=1,
        new_tables=(3, 0.001),
        messages=(5, 0.001),
        connections_per_table=2,
        tables=50,
    )
    with serving(tmp_path, limits) as client:
        table = make_table(client, "mykerinos", ["me", "invited"])
        make_table(client, "mykerinos", ["me", "invited"])
        make_table(client, "mykerinos", ["me", "invited"])
        form = {"game": "mykerinos", "players": "2", "seat0": "me", "seat1": "random"}
        assert client.post("/tables", data=form).status_code == 429
        with sitting(client, table) as me, sitting(client, table):
            with pytest.raises(WebSocketDisconnect) as closed, sitting(client, table):
                pass
            assert closed.value.code == 4429
            for _ in range(6):
                me.say("why")
            said = [me.answer() for _ in range(6)]
            assert [s["type"] for s in said] == ["why"] * 5 + ["problem"]
            assert said[-1]["text"] == "Slower, please."


def test_a_full_server_says_so(tmp_path):
    with serving(tmp_path, Limits(bot_processes=1, tables=1)) as client:
        make_table(client, "mykerinos", ["me", "invited"])
        form = {"game": "mykerinos", "players": "2", "seat0": "me", "seat1": "random"}
        assert client.post("/tables", data=form).status_code == 503
        assert client.post("/replays", content=b"{}").status_code == 503


def test_what_is_too_large_is_not_read(client):
    assert client.post("/tables", content=b"a=" + b"b" * 30_000).status_code == 413
    assert client.post("/replays", content=b" " * 4_000_001).status_code == 413


def test_rates_fill_again_with_time():
    now = [0.0]
    rate = Rate((2, 60.0), lambda: now[0])
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    assert rate.allows("b")
    now[0] = 1.0
    assert [rate.allows("a") for _ in range(2)] == [True, False]


def test_connections_are_counted_while_they_last():
    found = Connections(2, 1)
    with found.one_more("a") as one, found.one_more("a") as same, found.one_more("b") as two:
        assert (one, same, two) == (True, False, True)
        with found.one_more("c") as three:
            assert not three
    assert found.total == 0 and not found.open


def test_neighbours_of_one_visitor_count_as_one():
    assert group("192.0.2.7") == "192.0.2.7"
    assert (
        group("2001:db8:1:2:3:4:5:6") == group("2001:db8:1:2:ffff::1") != group("2001:db8:1:3::1")
    )


@pytest.mark.parametrize(
    "form",
    [
        {}, {"game": "yspahan"}, {"game": "../spec/ys", "players": "2"}, {"game": "/etc", "players": "2"},
        {"game": "yspahan", "players": "5"}, {"game": "yspahan", "players": "-2"}, {"game": "yspahan", "players": "２"},
        {"game": "yspahan", "players": "2", "seat0": "mcts:99999999"}, {"game": "yspahan", "players": "2", "seat0": "os.system"},
        {"game": "yspahan", "players": "2", "option-first_player": "77"},
    ],
)  # fmt: skip
def test_a_form_that_offers_nothing_is_refused(client, form):
    assert client.post("/tables", data=form).status_code == 400


def test_a_spec_is_never_taken_from_outside(client, tmp_path):
    """A replay that names a folder does not make the server read it."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "game.yaml").write_text("game: mine")
    header = {
        "rulewright": "replay", "format": 2, "game": str(folder), "players": 2, "variants": [], "options": {},
        "seats": ["a", "b"], "ruleset": "x", "spec": "x", "compiler": "x",
    }  # fmt: skip
    answer = client.post("/replays", content=json.dumps(header) + "\n")
    assert answer.status_code == 400 and "there is no game" in answer.json()["problem"]
    assert Path(folder).exists()


def test_who_has_no_seat_finds_no_link(client):
    table = make_table(client, "mykerinos", ["me", "invited"])
    stranger = other_browser(client)
    text = stranger.get(f"/table/{table}").text
    assert "/join/" not in text and "set-cookie" not in stranger.get(f"/table/{table}").headers
