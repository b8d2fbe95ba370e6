"""What `?` answers: a row's own cells first, clauses that no longer hold are marked, and nothing crashes."""

import io
import shutil

import pytest

from rulewright.engines import SPECS, load
from rulewright.play.changed import changed_clauses
from rulewright.play.explain import Explainer


@pytest.fixture
def copy(tmp_path):
    """A copy of a game with a line of a file changed."""

    def make(game, file, old, new):
        folder = tmp_path / "mine"
        shutil.copytree(SPECS / game, folder)
        text = (folder / "game.yaml").read_text()
        (folder / "game.yaml").write_text(text.replace(f"game: {game}\n", "game: mine\n"))
        text = (folder / file).read_text()
        assert text.count(old) == 1
        (folder / file).write_text(text.replace(old, new))
        return folder

    return make


def reach(game, label, seed=1):
    """The first state that asks for something, with at least two options."""
    for s in range(seed, seed + 40):
        state = game.full.new_initial_state(s)
        n = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            if state.pending()["choice"] == label and len(actions) > 1:
                return state
            state.apply_action(actions[(n * 7 + s) % len(actions)])
            n += 1
    raise AssertionError(label)


def test_the_rows_own_cells_come_first_and_the_clause_is_marked(copy):
    folder = copy(
        "yspahan", "buildings.yaml", "paddock:\n    camels: 2\n", "paddock:\n    camels: 1\n"
    )
    game = load(str(folder), 3)
    state = reach(game, "build")
    explainer = Explainer(game, folder)
    values = [option["value"] for option in state.pending()["options"]]
    seat = state.current_player()
    told = explainer.explain(str(1 + values.index("paddock")), state, seat)
    assert told[:2] == ["Builds the paddock:", "  here: camels 1; gold 0"]
    cost = next(i for i, line in enumerate(told) if line.startswith("  cost.paddock: "))
    assert told[cost + 1] == "    changed here: camels of paddock is 1, not 2"
    assert sorted(explainer.changed) == [
        "cost.paddock",
        "power.paddock",
        "power.paddock-tower-only",
    ]
    assert explainer.explain(str(1 + values.index("nothing")), state, seat)[0] == "Builds nothing:"


def test_a_variants_change_marks_the_clause_of_the_row_it_changed():
    game = load("ys", 3, variants=["express"])
    changed = changed_clauses(SPECS / "ys", game.info)
    assert changed["place.four-rounds"] == ["placing rounds is 3, not 4"]
    assert changed_clauses(SPECS / "ys", load("ys", 4).info) == {}


def test_the_package_as_it_is_marks_nothing():
    for name in ("yspahan", "mykerinos"):
        assert changed_clauses(SPECS / name, load(name, 4).info) == {}


def test_a_player_as_an_option_is_explained(tmp_path):
    folder = tmp_path / "pick"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        "game: pick\ntitle: Pick\nplayers: [3]\nseats: [Ada, Bo, Cy]\nreasons: {play: play}\n"
    )
    (folder / "all.rules").write_text(
        "procedure play():\n"
        "    for p in Player:\n"
        '        choose q in Player by p as friend or nobody say "names {q}" else say "names nobody"\n'
        "    score 1 to first_of({q in Player where score[q] == 0}) for play\n\n"
        "outcome p in Player by score[p]\n"
    )
    game = load(str(folder), 3)
    state = game.full.new_initial_state(1)
    explainer = Explainer(game, folder)
    assert explainer.explain("1", state, 0)[0] == "Names Ada:"
    assert explainer.explain("4", state, 0) == ["Names nobody:"]
    assert explainer.explain("", state, 0) == ["The rules cite no clause for this decision."]
    assert explainer.explain("5", state, 0) == ["There is no option 5: they go from 1 to 4."]
    assert explainer.explain("bo", state, 0) == ["Bo is allowed; choose it by its number."]


PEOPLE = """
state:
    last: Player or none
    keeper: Participant = crown
    guests: set of Player
    pairs: map Player to Player or none

procedure play():
    for p in Player:
        choose q in Player by p as give say "gives {q} a gift"
            where q != p
        score 1 to q for gifts
        last = q
        guests |= {q}
        pairs[p] = q
        choose 0 .. 2 of xs in Player by p as bless
        for x in xs: score 1 to x for gifts
        choose 1 .. 2 of ns in 1 .. 4 by p as count say "counts {size(ns)}"
        keeper = p

outcome p in Player by score[p]
"""


@pytest.fixture
def people(tmp_path):
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        "game: people\ntitle: People\nplayers: [3]\nseats: [Ada, Bo, Cy]\nneutral: [crown]\n"
        "teams: {east: [Ada, Cy], west: [Bo]}\nreasons: {gifts: gifts}\n"
    )
    (folder / "all.rules").write_text(PEOPLE.lstrip("\n"))
    (folder / "view.yaml").write_text(
        "parts:\n"
        '  - line: "last {last}, keeper {keeper}, guests {guests}"\n'
        "  - seats: {columns: {score: score, friend: pairs}}\n"
    )
    return folder


def test_people_are_asked_about_by_their_names(people):
    """By a name that the chooser reads; a seat is never told by its number."""
    game = load(str(people), 3)
    state = game.full.new_initial_state(1)
    explainer = Explainer(game, people)
    assert explainer.explain("Bo", state, 0) == ["Bo is allowed; choose it by its number."]
    assert explainer.explain("ada", state, 0) == ["Ada is not possible now:", "  q != p"]
    assert explainer.explain("east", state, 0) == ["east (Team):", "  here: members Ada, Cy"]


@pytest.fixture
def typed(people, run, monkeypatch):
    """What the screen says while the first seat types these lines."""

    def go(*lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", people, "--seats", "human,random,random", "--seed", 1, "--whole").out

    return go


def test_a_number_means_what_stands_at_it_where_several_are_marked(typed):
    """The engine's steps have other numbers than the list, and seats and numbers look like numbers of options."""
    said = typed("1", "? 2", "? Cy", "3", "? 2", "? 9", "ok", "? 3", "2", "? 1", "? 99", "ok")
    answers = [line.removeprefix("Ada> ").rstrip() for line in said.splitlines()]
    assert [x for x in answers if x in ("Ada:", "Bo:", "Cy:")] == ["Bo:", "Bo:"]
    assert [x for x in answers if x in ("1:", "2:", "3:", "4:")] == ["3:", "1:"]
    assert "Cy is allowed; choose it by its number." in answers
    assert "There is no option 9: they go from 1 to 3." in answers
    assert "99 is not possible now:" in answers


def test_positions_name_people_whoever_they_are(typed):
    """One who has no seat, nobody, several, and one for each player."""
    said = typed("2", "1", "ok", "1", "ok")
    assert "last –, keeper Crown, guests –" in said
    assert "last Cy, keeper Crown, guests Cy" in said
    rows = [" ".join(line.split()) for line in said.splitlines()]
    assert "→ Ada (you) 0 Cy" in rows and "Crown 0 –" in rows
