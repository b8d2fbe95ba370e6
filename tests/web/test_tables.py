"""Tables as browsers use them: made in the lobby, played over sockets, gone on with after a restart."""

import re

import pytest
from web_server import links, make_table, other_browser, serving, sitting

from rulewright.engines import examples, games


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("store")) as client:
        yield client


def test_the_lobby_offers_every_game(client):
    page = client.get("/").text
    for game in [*games(), *examples()]:
        assert f'data-game="{game}"' in page
    assert page.count("<form") == len(games()) + len(examples())


@pytest.mark.parametrize("game", games())
def test_a_whole_game_against_bots(client, game):
    table = make_table(client, game, ["me", "random"])
    assert client.get(f"/table/{table}").status_code == 200
    with sitting(client, table) as me:
        decisions = 0
        while True:
            me.until_mine()
            if me.over:
                break
            me.choose(me.actions[decisions % len(me.actions)])
            decisions += 1
        assert decisions > 10
        assert "The game is over" in me.html["status"]
        assert "<polyline" in me.html["result"]
    page = client.get(f"/table/{table}").text
    assert "The game is over" in page and page.count('class="told"') == len(me.story)
    for id_, html in me.html.items():
        assert html in page, f"{id_} was sent otherwise than the page shows it"


def test_a_seat_is_a_link(client):
    table = make_table(client, "mykerinos", ["me", "invited"])
    page = client.get(f"/table/{table}").text
    friend_link, own_link = links(page)
    friend = other_browser(client)
    assert links(friend.get(f"/table/{table}").text) == []
    answer = friend.get(friend_link)
    # the token leaves the address bar
    assert answer.status_code == 303 and answer.headers["location"] == f"/table/{table}"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie and f"Path=/table/{table}" in cookie
    assert links(friend.get(f"/table/{table}").text) == [friend_link]
    assert own_link != friend_link
    with sitting(client, table) as me, sitting(friend, table) as you:
        turns = set()
        for _ in range(8):
            me.until(max(me.version, you.version))
            you.until(max(me.version, you.version))
            assert me.mine != you.mine
            who = me if me.mine else you
            turns.add(who is me)
            who.choose(who.actions[0])
        assert turns == {True, False}


@pytest.mark.parametrize("change", ["flip", "seat", "short", "other table", "empty"])
def test_a_link_that_we_did_not_make_leads_nowhere(client, change):
    table = make_table(client, "mykerinos", ["me", "invited"])
    link = links(client.get(f"/table/{table}").text)[0]
    token = link.rpartition("/")[2]
    other = make_table(client, "mykerinos", ["me", "invited"])
    forged = {
        "flip": token[:-1] + ("0" if token[-1] != "0" else "1"),
        "seat": f"0{token[1:]}",
        "short": token[:-1],
        "other table": links(client.get(f"/table/{other}").text)[0].rpartition("/")[2],
        "empty": "1.",
    }[change]
    answer = other_browser(client).get(f"/table/{table}/join/{forged}")
    assert answer.status_code == 404 and "set-cookie" not in answer.headers


def test_who_watches_sees_what_everybody_sees_and_decides_nothing(client):
    table = make_table(client, "ys", ["me", "random"])
    with sitting(client, table) as me, sitting(other_browser(client), table) as watcher:
        me.until_mine()
        watcher.until(me.version)
        assert watcher.actions == [] and me.actions
        watcher.say("choose", version=me.version, action=me.actions[0])
        assert watcher.answer() == {
            "type": "problem",
            "text": "You are watching; only who sits at a seat can do that.",
        }
        watcher.say("undo", version=me.version)
        assert watcher.answer()["type"] == "problem"
        watcher.say("hand", seat=0, bot="random")
        assert watcher.answer()["type"] == "problem"


def test_a_decision_sent_twice_counts_once(client):
    table = make_table(client, "mykerinos", ["me", "random"])
    with sitting(client, table) as me, sitting(client, table) as same:
        me.until_mine()
        same.until(me.version)
        version, action = me.version, me.actions[0]
        for person in (me, same, me):
            person.say("choose", version=version, action=action)
        me.until(version + 1)
        same.until(version + 1)
        # stale ones that were not taken are told of
        other = next(a for a in range(2000) if a != action)
        same.say("choose", version=version, action=other)
        assert same.answer()["text"] == "The game has gone on since: look again."
        assert [a for a in me.answers if a["type"] == "problem"] == []
        rows = len(me.story)
        me.say("why")
        me.answer()
        assert len(me.story) == rows


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{", '{"type":"choose"}', '{"type":"choose","version":true,"action":1}',
        '{"type":"choose","version":1,"action":"1"}', '{"type":"choose","version":1.0,"action":1}',
        '{"type":"choose","version":1,"action":1,"more":1}', '{"type":"__class__"}',
        '{"type":"at","step":99999999999999}', '{"type":"why","member":5}', "[" * 1500,
        '{"type":"why","member":"' + "x" * 1000 + '"}', '{"type":["choose"]}',
    ],
)  # fmt: skip
def test_a_message_that_no_page_sends_is_refused(client, text):
    table = make_table(client, "mykerinos", ["me", "random"])
    with sitting(client, table) as me:
        me.socket.send_text(text)
        assert me.answer() == {"type": "problem", "text": "That was not understood."}
        me.until_mine()
        me.choose(me.actions[0])


def test_an_action_that_is_not_possible_changes_nothing(client):
    table = make_table(client, "mykerinos", ["me", "random"])
    with sitting(client, table) as me:
        me.until_mine()
        for action in (-1, 1999, next(a for a in range(2000) if a not in me.actions)):
            me.say("choose", version=me.version, action=action)
            assert me.answer()["type"] == "problem"
        me.choose(me.actions[0])


def test_after_a_restart_the_game_goes_on(tmp_path):
    with serving(tmp_path) as client:
        table = make_table(client, "yspahan", ["me", "random"])
        cookies = client.cookies
        with sitting(client, table) as me:
            for _ in range(12):
                me.until_mine()
                me.choose(me.actions[0])
            me.until_mine()
            before = dict(me.html), list(me.story), me.version
    with serving(tmp_path) as client:
        client.cookies = cookies
        with sitting(client, table) as me:
            me.until_mine()
            assert (me.html, me.story, me.version) == before
            me.choose(me.actions[0])


def test_a_page_without_its_seat_shows_no_options(client):
    table = make_table(client, "yspahan", ["me", "invited"])
    page = other_browser(client).get(f"/table/{table}").text
    assert "data-action=" not in page and "data-actions=" not in page
    assert re.search(r'data-action="\d+"', client.get(f"/table/{table}").text)
