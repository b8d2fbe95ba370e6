"""A choice of several at the table: marked in any order, taken back mark by mark, decided and told once, by people and bots."""

import re
from pathlib import Path

import pytest
from web_server import make_table, other_browser, serving, sitting

SKETCH = Path(__file__).parents[1] / "games" / "sketches" / "several"
OPTION = re.compile(r'data-action="(\d+)" data-option="([^"]+)" data-copy="(\d+)" aria-pressed="(\w+)"( data-off)?')  # fmt: skip


@pytest.fixture
def client(tmp_path):
    with serving(tmp_path, folders=(str(SKETCH),)) as client:
        yield client


def listed(person):
    """What can be marked: (action, whether it is marked, whether it may be)."""
    found = OPTION.findall(person.html["options"])
    return [(int(action), on == "true", not off) for action, _, _, on, off in found]


def marked(person):
    return sorted(action for action, on, _ in listed(person) if on)


def mark(person, action, count):
    person.say("mark", version=person.version, action=action, count=count)
    person.hear()


def whole_words(person):
    """What the button says that chooses the marks; None when they are no whole choice."""
    button = re.search(r'data-ask="whole"( data-off)?[^>]*>([^<]+)<', person.html["options"])
    return None if button is None or button[1] else button[2]


def test_marks_in_any_order_are_one_decision_and_one_line(client):
    table = make_table(client, "several", ["me", "random"])
    with sitting(client, table) as person, sitting(other_browser(client), table) as watcher:
        person.until_mine()
        before, steps = person.version, len(person.story)
        # the last one first; while one is marked, nothing can be confirmed
        items = [action for action, _, _ in listed(person)]
        assert whole_words(person) is None and "2 more" in person.html["options"]
        mark(person, items[-1], 1)
        assert marked(person) == [items[-1]] and "1 more" in person.html["options"]
        assert person.version == before and len(person.story) == steps, "a mark decides nothing"
        # taken back, and another one
        mark(person, items[-1], 0)
        assert marked(person) == []
        mark(person, items[-1], 1)
        other = next(a for a, on, can in listed(person) if not on and can and a != items[-1])
        mark(person, other, 1)
        assert whole_words(person).startswith("Discards ")
        assert all(on or not can for _, on, can in listed(person)), "a third one could be marked"
        words = whole_words(person)
        # what they bring together is told when a worker has worked it out
        assert 'aria-describedby="preview-whole"' in person.html["options"]
        while "heap" not in person.html.get("preview-whole", ""):
            person.hear()
        assert person.html["preview-whole"].count("hand → heap") in (1, 2)
        # sent twice it counts once
        for _ in range(2):
            person.say("whole", version=before, actions=marked(person) or [items[-1], other])
        person.until(before + 1)
        assert person.version == before + 1 and len(person.story) == steps + 1
        assert words[1:] in person.story[-1]
        watcher.until(before + 1)
        assert watcher.story[-1].count("<br>") == 0 and words[1:] in watcher.story[-1]
        # what was taken back is the whole of it
        person.say("undo", version=person.version)
        person.until(before + 2)
        assert len(person.story) == steps and marked(person) == []
        assert "2 more" in person.html["options"]


def test_what_does_not_fit_is_refused_with_a_word(client):
    table = make_table(client, "several", ["me", "random"])
    with sitting(client, table) as person, sitting(other_browser(client), table) as watcher:
        person.until_mine()
        version = person.version
        first = listed(person)[0][0]
        for message in (
            {"type": "whole", "version": version, "actions": [first]},
            {"type": "whole", "version": version, "actions": [first] * 12},
            {"type": "mark", "version": version, "action": first, "count": 9},
            {"type": "mark", "version": version, "action": 99, "count": 1},
        ):
            person.say(type_=message.pop("type"), **message)
            assert "together" in person.answer()["text"]
        person.say("mark", version=version + 1, action=first, count=1)
        assert "gone on" in person.answer()["text"]
        watcher.say("mark", version=version, action=first, count=1)
        assert "watching" in watcher.answer()["text"]
        watcher.say("whole", version=version, actions=[first, first])
        assert "watching" in watcher.answer()["text"]
        assert person.version == version


def play(person):
    """To the end: of a choice of several as many as it takes, from the last to the first."""
    for _ in range(60):
        person.until_mine()
        if person.over:
            return
        before = person.version
        while (words := whole_words(person)) is None or "nothing" in words:
            free = [action for action, on, can in listed(person) if not on and can]
            if not free:
                break
            mark(person, free[-1], marked(person).count(free[-1]) + 1)
        person.say("whole", version=before, actions=marked(person))
        person.until(before + 1)
    raise AssertionError("there is no end")


@pytest.mark.parametrize("seats", [["me", "random"], ["random", "me"]])
def test_whole_games_have_a_line_for_each_choice_and_come_back_from_a_file(client, seats):
    table = make_table(client, "several", seats)
    with sitting(client, table) as person:
        play(person)
        story = person.story
        assert len(story) == 1 + 2 * 4, story
        text = client.get(f"/table/{table}/game.jsonl").text
    # each step of the engine is in the file, and they are one step again when it is opened
    assert text.count('"choice"') > 8
    opened = client.post("/replays", content=text.encode())
    assert opened.status_code == 201, opened.text
    page = client.get(opened.json()["table"]).text
    assert f'data-last="{len(story)}"' in page


def test_wide_choices_are_marked_freely_and_judged_as_a_whole():
    """Where there are too many wholes to know them all, what is marked is looked at when it is to be chosen."""
    import rulewright
    from rulewright.play import several as S

    game = rulewright.compile(SKETCH, players=2)
    state = game.full.new_initial_state(seed=16)
    known = S.several_of(game, state, 0)
    assert known.all_known
    for most in (1, 2, 3):
        S._MOST_LOOKED_AT, kept = most, S._MOST_LOOKED_AT
        try:
            found = S.several_of(game, state, 0)
        finally:
            S._MOST_LOOKED_AT = kept
        assert not found.all_known
        assert found.more(()) == {item.number for item in found.items}
        for whole in known.wholes:
            assert found.actions(whole) == known.actions(whole)
        assert found.actions((1,)) is None
