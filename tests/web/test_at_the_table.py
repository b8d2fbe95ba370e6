"""At the table: taking back, why not, one screen for several, choosing at the same time, seats given to bots."""

import re
from dataclasses import replace
from random import Random

import pytest
from web_server import ROOMY, links, make_table, other_browser, serving, sitting

from rulewright.engines import load
from rulewright.web.answers import answer
from rulewright.web.messages import Why


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("store"), replace(ROOMY, away_seconds=0.0)) as client:
        yield client


def joined(client, table, seat=0):
    """Another browser, at the seat of a link."""
    friend = other_browser(client)
    friend.get(links(client.get(f"/table/{table}").text)[seat])
    return friend


# ---------------------------------------------------------------- taking back


def test_a_decision_is_taken_back_up_to_chance(client):
    table = make_table(client, "yspahan", ["me", "random"])
    with sitting(client, table) as me:
        taken = refused = 0
        for _ in range(60):
            me.until_mine()
            before = me.html["options"], list(me.story)
            me.choose(me.actions[0])
            while not me.mine and not me.over:
                me.hear()
            offered = 'data-ask="undo"' in me.html["options"]
            me.say("undo", version=me.version)
            if offered:
                me.until(me.version + 1)
                taken += 1
                assert len(me.story) == len(before[1])
                assert re.findall('words">([^<]*)', me.html["options"]) == re.findall(
                    'words">([^<]*)', before[0]
                )
                me.choose(me.actions[-1])
            else:
                problem = me.answer()
                assert problem["type"] == "problem"
                refused += 1
        assert taken > 3 and refused > 3


def test_nobody_takes_back_what_another_decided(client):
    table = make_table(client, "mykerinos", ["me", "invited"])
    with sitting(client, table) as me, sitting(joined(client, table), table) as you:
        who, other = (me, you) if me.mine else (you, me)
        who.choose(who.actions[0])
        other.until(who.version)
        other.say("undo", version=other.version)
        assert (
            other.answer()["text"] == "Somebody else has decided since; that can't be taken back."
        )
        # who decided may, as long as nobody has decided after
        who.say("undo", version=who.version)
        version = who.version
        who.until(version + 1)
        other.until(version + 1)
        assert who.mine


def test_a_stale_undo_does_nothing(client):
    table = make_table(client, "mykerinos", ["me", "invited"])
    with sitting(client, table) as me, sitting(joined(client, table), table) as you:
        who = me if me.mine else you
        version = who.version
        who.choose(who.actions[0])
        who.say("undo", version=version)
        assert who.answer()["text"].startswith("The game has gone on")


# ---------------------------------------------------------------- why not


def test_why_not_is_answered_with_the_conditions_and_clauses(client):
    table = make_table(client, "yspahan", ["me", "random"])
    with sitting(client, table) as me:
        found = {}
        for _ in range(200):
            me.until_mine()
            if me.over:
                break
            kind = re.search(r'data-option="([^/"]+)/', me.html["options"])
            name = kind and kind[1]
            if name and name not in found:
                for member in re.findall(
                    rf'data-member="({re.escape(name)}/[^"]+)"', "".join(me.html.values())
                ):
                    if f'data-option="{member}"' not in me.html["options"]:
                        me.say("why", member=member)
                        found[name] = me.answer()["html"]
                        break
            me.choose(me.actions[0])
        assert len(found) >= 2
        for text in found.values():
            assert "That is not possible now" in text and "in the rules:" in text


def test_the_rule_behind_a_decision_and_an_option(client):
    table = make_table(client, "yspahan", ["me", "random"])
    with sitting(client, table) as me:
        me.until_mine()
        me.say("why")
        assert "<li>" in me.answer()["html"]
        me.say("why", action=me.actions[0])
        assert re.search(r"<li>[\w.-]+: ", me.answer()["html"])
        # something of another kind than is asked for
        me.say("why", member="Nothing/at_all")
        assert "not asked now" in me.answer()["html"]


def test_why_is_answered_for_who_decides_alone(client):
    table = make_table(client, "mykerinos", ["me", "invited"])
    with sitting(client, table) as me, sitting(joined(client, table), table) as you:
        other = you if me.mine else me
        other.say("why", action=0)
        text = other.answer()["html"]
        assert "decides" in text and "<li>" not in text


def test_reasons_give_numbers():
    game = load("yspahan", 4)
    state = game.full.new_initial_state(seed=3)
    dice = Random(3)
    while state.pending()["choice"] != "build":
        state.apply_action(dice.choice(state.legal_actions()))
    seat = state.current_player()
    camels = state.view(seat).data["state"]["camels"][str(seat)]
    text = answer(game, {}, state, seat, Why(member="Building/hoist"))
    assert f"<li>needs 4 camels, you have {camels}</li>" in text


# ---------------------------------------------------------------- what options bring


def test_what_options_bring_comes_a_moment_later(client):
    """The page is there at once; what each option brings follows, and again after it was lost on the way."""
    table = make_table(client, "yspahan", ["me", "random"])
    for _ in range(2):
        with sitting(client, table) as me:
            me.until_mine()
            while not brought(me):
                me.hear()
            assert set(brought(me)) <= set(me.actions)
            assert any("then a roll" in text for text in brought(me).values())
            # a page that is loaded anew has it at once
            page = client.get(f"/table/{table}").text
            assert all(me.html[f"preview-{action}"] in page for action in brought(me))
    with sitting(other_browser(client), table) as watcher:
        assert not brought(watcher)


def brought(person):
    found = {k: v for k, v in person.html.items() if k.startswith("preview-")}
    return {int(k.removeprefix("preview-")): re.sub("<[^>]+>", "", v) for k, v in found.items()}


def test_what_was_done_in_the_turn_stays_on_the_page(client):
    table = make_table(client, "yspahan", ["me", "random"])
    with sitting(client, table) as me:
        for _ in range(40):
            me.until_mine()
            if "So far: takes" in me.html["options"]:
                return
            me.choose(me.actions[0])
    raise AssertionError("no step of a turn was followed by another")


# ---------------------------------------------------------------- one screen


def test_at_one_screen_nothing_is_shown_before_the_next_one_sits_down(client):
    """Until then the page is what everybody sees."""
    table = make_table(client, "ys", ["me", "me", "me"])
    with sitting(client, table) as me:
        stranger, covers = other_browser(client), 0
        for _ in range(6):
            cover = re.search(r'data-sit="(\d)"', me.html["options"])
            if cover:
                covers += 1
                assert me.actions == []
                with sitting(stranger, table) as watcher:
                    shown = {k: v for k, v in me.html.items() if re.fullmatch(r"p\d.*", k)}
                    assert shown and shown == {k: v for k, v in watcher.html.items() if k in shown}
                    assert me.story == watcher.story
                me.say("sit", seat=int(cover[1]))
                while not me.actions:
                    me.hear()
            me.choose(me.actions[0])
        assert covers >= 3


def test_at_one_screen_of_an_open_game_nobody_looks_away(client):
    table = make_table(client, "mykerinos", ["me", "me"])
    with sitting(client, table) as me:
        for _ in range(6):
            assert "data-sit" not in me.html["options"]
            me.choose(me.actions[0])


# ---------------------------------------------------------------- at the same time


def test_who_chooses_at_the_same_time_need_not_wait(client):
    """The game begins with bids in secret: the second seat bids first, and it counts when its turn comes."""
    table = make_table(client, "ys", ["me", "invited", "random"])
    with sitting(client, table) as me, sitting(joined(client, table), table) as you:
        you.until(me.version)
        assert me.mine and you.mine
        assert "same time" in you.html["options"]
        bids = 0
        while you.actions:
            # the other may choose in between: a secret choice does not make this one stale
            you.choose(you.actions[0])
            bids += 1
        assert bids == 2 and "You have chosen" in you.html["status"]
        assert "bids" not in "".join(me.story[1:])
        steps = len(me.story)
        me.until(you.version)
        while me.mine and len(me.story) < steps + 2:
            me.choose(me.actions[0])
        # both bids of the second follow by themselves
        while len(me.story) < 5:
            me.hear()
        assert "bids two brokers" in me.story[4]


def test_a_choice_made_ahead_is_not_lost_by_a_restart(tmp_path):
    with serving(tmp_path) as client:
        table = make_table(client, "ys", ["me", "invited", "random"])
        friend = joined(client, table)
        mine, theirs = client.cookies, friend.cookies
        with sitting(client, table) as me, sitting(friend, table) as you:
            you.until(me.version)
            you.choose(you.actions[0])
            you.choose(you.actions[0])
    with serving(tmp_path) as client:
        client.cookies, friend = mine, other_browser(client)
        friend.cookies = theirs
        with sitting(client, table) as me, sitting(friend, table) as you:
            assert you.actions == [] and me.actions
            me.choose(me.actions[0])
            me.choose(me.actions[0])
            while len(me.story) < 5:
                me.hear()


def test_a_choice_that_others_overtook_in_secret_counts(client):
    table = make_table(client, "ys", ["me", "invited", "random"])
    with sitting(client, table) as me, sitting(joined(client, table), table) as you:
        you.until(me.version)
        version, action = you.version, you.actions[0]
        me.choose(me.actions[0])
        you.say("choose", version=version, action=action)
        you.until(version + 2)
        assert [a for a in you.answers if a["type"] == "problem"] == []


# ---------------------------------------------------------------- seats for bots


def test_the_seat_of_who_is_away_is_given_to_a_bot_and_taken_back(client):
    table = make_table(client, "mykerinos", ["me", "invited"])
    friend = joined(client, table)
    with sitting(client, table) as me:
        with sitting(friend, table) as you:
            while 'data-hand="1"' in me.html["seats"] or "here" not in me.html["seats"]:
                me.hear()
            me.say("hand", seat=1, bot="random")
            assert "away for long enough" in me.answer()["text"]
            if you.mine:
                you.choose(you.actions[0])
        while 'data-hand="1"' not in me.html["seats"]:
            me.hear()
        me.say("hand", seat=1, bot="mcts:999999")
        assert me.answer()["text"] == "There is no such bot."
        me.say("hand", seat=1, bot="random")
        while "random" not in me.html["seats"]:
            me.hear()
        for _ in range(4):
            me.until_mine()
            me.choose(me.actions[0])
        with sitting(friend, table) as you:
            assert 'data-return="1"' in you.html["seats"]
            you.say("hand", seat=1, bot="")
            while "you</span>" not in you.html["seats"] or "random" in you.html["seats"]:
                you.hear()
        # nobody else may take the seat
        me.say("hand", seat=1, bot="")
        assert me.answer()["type"] == "problem"


# ---------------------------------------------------------------- looking back


def test_earlier_steps_are_seen_with_ones_own_eyes(client):
    table = make_table(client, "yspahan", ["me", "random"])
    with sitting(client, table) as me:
        seen = []
        for _ in range(10):
            me.until_mine()
            seen.append(
                (len(me.story), {k: v for k, v in me.html.items() if re.fullmatch(r"p\d.*", k)})
            )
            me.choose(me.actions[0])
        me.until_mine()
        for steps, shown in seen:
            me.say("at", step=steps)
            while me.hear().get("looking") != steps:
                pass
            now = {k: v for k, v in me.html.items() if k in shown}
            assert plain(now) == plain(shown)
            assert me.actions == [], "nothing can be chosen in the past"
        me.say("at", step=-1)
        while not me.actions:
            me.hear()


def plain(fragments):
    """What is written in a picture and where its pieces stand, without what lights up in it."""
    text = " ".join(fragments.values())
    places = re.findall(r'(?:translate\([^)]*\)|data-member="[^"]*")', text)
    return places, re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_the_eyes_of_others_are_closed_while_the_game_goes_on(client):
    table = make_table(client, "ys", ["me", "random"])
    with sitting(client, table) as me:
        me.until_mine()
        before = dict(me.html)
        me.say("at", step=-1, eyes=1)
        me.say("why")
        me.answer()
        assert me.html == before
        me.say("advise", step=1)
        assert me.answer()["text"] == "That can be seen when the game is over."


def test_two_browsers_at_one_seat_agree(client):
    table = make_table(client, "yspahan", ["me", "random"])
    with sitting(client, table) as one, sitting(client, table) as two:
        for turn in range(8):
            who = (one, two)[turn % 2]
            who.until_mine()
            who.choose(who.actions[0])
        one.until_mine()
        two.until(one.version)
        one.until(two.version)
        assert one.html == two.html and one.story == two.story
