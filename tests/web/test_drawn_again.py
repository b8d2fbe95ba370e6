"""After a decision only what is different is drawn again: parts of the picture, boards of players, places of boards."""

from collections import Counter
from random import Random

import pytest
from test_hidden import ruleset

from rulewright.chance import SeededChance
from rulewright.web import now as parts
from rulewright.web.course import Course
from rulewright.web.face import Faces, Looker, Presence
from rulewright.web.panels import Panels
from rulewright.web.pictures import _Layer

# for a decision, at a table of four and one who watches: parts of all pictures, boards of players among them, places of boards
MOST = {
    "yspahan": {"parts": 5, "boards": 2, "places": 6},
    "mykerinos": {"parts": 5, "boards": 2, "places": 45},
    "ys": {"parts": 11, "boards": 4, "places": 47},
}
EVERYBODY = Presence((True,) * 4, (False,) * 4)
LOOKERS = [Looker(i, frozenset({i}), -1, None) for i in range(4)]
LOOKERS.append(Looker(None, frozenset(), -1, None))


@pytest.fixture
def drawn(monkeypatch):
    """Counts what is drawn."""
    found = Counter()

    def counted(owner, name, what):
        before = getattr(owner, name)

        def after(*args, **words):
            found[what] += 1
            return before(*args, **words)

        monkeypatch.setattr(owner, name, after)

    counted(Panels, "seat", "boards")
    counted(Panels, "around_seat", "frames")
    counted(_Layer, "_attributed", "places")
    make = parts.Kept.__init__

    def kept(self, render, *args):
        def noted(now):
            found["parts"] += 1
            return render(now)

        make(self, noted, *args)

    monkeypatch.setattr(parts.Kept, "__init__", kept)
    return found


def begun(game):
    rules, random = ruleset(game, 4), Random(3)
    course = Course(rules.game, ["human"] * 4, None, SeededChance(random.getrandbits(60)))
    beginning = course.draft_beginning()
    course.accept(beginning.events, beginning)
    return rules, course, Faces(rules, course, "t", ("human",) * 4), random


def decided(course, faces, random):
    draft = course.draft(random.choice(course.state.legal_actions()))
    course.accept(draft.events, draft)
    faces.renew()


@pytest.mark.parametrize("game", MOST)
def test_a_decision_draws_little_again(drawn, game):
    _, course, faces, random = begun(game)
    decisions = 0
    for looker in LOOKERS:
        faces.face(looker, EVERYBODY)
    drawn.clear()
    while not course.over and decisions < 60:
        decided(course, faces, random)
        decisions += 1
        for looker in LOOKERS:
            faces.face(looker, EVERYBODY)
    for what, most in MOST[game].items():
        assert drawn[what] <= most * decisions, f"{what}: {drawn[what] / decisions:.1f} a decision"


@pytest.mark.parametrize("game", MOST)
def test_what_is_the_same_for_others_is_drawn_once(drawn, game):
    """Who comes to look at a position that another one has been shown costs nothing; neither do eyes that see the same."""
    rules, course, faces, random = begun(game)
    for _ in range(20):
        decided(course, faces, random)
    sight = faces.sight(None)
    board, drawings = rules.board, faces._drawings
    first = board.render_parts(sight.data, None, {}, (), drawings)
    drawn.clear()
    again = board.render_parts(sight.data, None, {}, (), drawings)
    assert not drawn
    assert all(one is other for one, other in zip(first, again, strict=True))
