"""Hidden information never leaves the server: what a seat is sent is a function of what it sees.

The bytes for a seat are made once from the true position and once from positions dealt from the seat's view; they must be equal.
"""

from random import Random

import pytest
from common import ruleset_name, sampled

from rulewright.chance import SeededChance
from rulewright.compiler.build import read_spec
from rulewright.compiler.read.overlay import rulesets
from rulewright.engines import SPECS, games, load
from rulewright.scene.tongue import tongue_of
from rulewright.simulate.clock import Clock
from rulewright.web.ahead import position_for
from rulewright.web.answers import answer
from rulewright.web.board import Board
from rulewright.web.bots_worker import Rules, brought
from rulewright.web.catalogue import Ruleset, hides, read_offer
from rulewright.web.course import Course
from rulewright.web.face import Faces, Looker, Presence
from rulewright.web.messages import Why
from rulewright.web.sight import story

RULESETS = [
    (game, players, variants)
    for game in games()
    for players, variants in rulesets(read_spec(SPECS / game).folder)
]
# of the steps of a game so many are looked at
LOOKS = 8
DEALS = 2


def ruleset(game, players, variants=()):
    loaded = load(game, players, variants)
    board = Board(loaded, SPECS / game)
    rules = Rules(game, players, tuple(variants))
    return Ruleset(rules, read_offer(game), loaded, board, "x", hides(loaded.info), Clock())


def played(rules, steps, random, players):
    """A course of so many random decisions."""
    chance = SeededChance(random.getrandbits(60))
    course = Course(rules.game, ["human"] * players, None, chance)
    beginning = course.draft_beginning()
    course.accept(beginning.events, beginning)
    while not course.over and len(course.steps) < steps:
        draft = course.draft(random.choice(course.state.legal_actions()))
        course.accept(draft.events, draft)
    return course


def sent(rules, course, state, seat):
    """Every byte that a seat can be sent about a position: the page's parts and the answers to all questions."""
    kept, course.state = course.state, state
    # the story is compared by itself, between games that differ
    state.story = kept.story
    try:
        faces = Faces(rules, course, "t", tuple(course.seats))
        # what moved is told apart from the true past, which the seat saw as well
        faces._bases[seat] = (len(course.steps) - 1, faces.sight(seat).data)
        looker = Looker(seat, frozenset({seat}), -1, None)
        tongue = tongue_of(rules.board.layout, rules.board.members.names)
        faces.set_brings(seat, brought(rules.game, tongue, state, seat))
        everybody = Presence((True,) * len(course.seats), (False,) * len(course.seats))
        out = dict(faces.face(looker, everybody).fragments)
        if state.current_player() == seat:
            out["why"] = answers(rules, state, seat)
    finally:
        course.state = kept
    return out


def answers(rules, state, seat):
    game, clauses = rules.game, rules.offer.clauses
    choice = game.full.info["choices"][str(state.pc)]
    kind = choice["element"].get("kind", "")
    members = game.info["kinds"][kind]["members"] if kind in game.info["kinds"] else []
    asked = [Why()]
    asked += [Why(action=a) for a in state.legal_actions()[:6]]
    asked += [Why(member=f"{kind}/{m}") for m in members[:40]]
    return [answer(game, clauses, state, seat, why) for why in asked]


def compare(game, players, variants, wanted):
    """Look at some steps of a game, from the eyes of who decides and of others in turn."""
    rules, random = ruleset(game, players, variants), Random(5)
    whole = played(rules, 10_000, random, players)
    differ = 0
    for look, step in enumerate(wanted(len(whole.steps), random)):
        course = Course(rules.game, ["human"] * players)
        course.state, course.steps = whole.at(step), whole.steps[:step]
        course.log, course._kept = whole.log[:step], whole._kept
        if course.state.is_terminal():
            continue
        seat = look % players if look % 2 else course.decides
        true = sent(rules, course, course.state, seat)
        view = course.state.view(seat)
        for _ in range(DEALS):
            dealt = view.determinize(random.getrandbits(60))
            differ += dealt != course.state
            assert sent(rules, course, dealt, seat) == true
    return differ


@pytest.mark.parametrize("ruleset", sampled(RULESETS, 3), ids=ruleset_name)
def test_what_a_seat_is_sent_is_the_same_for_every_position_that_looks_the_same(ruleset):
    game, players, variants = ruleset
    differ = compare(game, players, variants, lambda n, random: random.sample(range(1, n), LOOKS))
    if hides(load(game, players, variants).info):
        assert differ > 0, "nothing was hidden in any position that was looked at"


@pytest.mark.soak
@pytest.mark.parametrize(("game", "players", "variants"), RULESETS)
def test_over_whole_games_a_seat_is_sent_the_same(game, players, variants):
    differ = compare(game, players, variants, lambda n, _: list(range(1, n + 1)))
    assert differ > 0 or not hides(load(game, players, variants).info)


@pytest.mark.parametrize("game", [g for g in games() if hides(load(g, 3).info)])
def test_who_watches_is_sent_the_same_whatever_a_seat_alone_knows(game):
    """For each seat: other positions that look the same to all the others look the same to who watches."""
    rules, random = ruleset(game, 3), Random(7)
    for _ in range(6):
        course = played(rules, 20 + random.randrange(60), random, 3)
        if course.over:
            continue
        everybody = Presence((True,) * 3, (False,) * 3)
        watcher = Looker(None, frozenset(), -1, None)
        true = Faces(rules, course, "t", ("human",) * 3)
        true._bases[None] = (len(course.steps) - 1, true.sight(None).data)
        expected = true.face(watcher, everybody).fragments
        # dealt as seat 0 sees it: what only the others know is different, and who watches knows none of it
        for seat in range(3):
            dealt = course.state.view(seat).determinize(random.getrandbits(60))
            kept, course.state = course.state, dealt
            try:
                faces = Faces(rules, course, "t", ("human",) * 3)
                faces._bases[None] = (len(course.steps) - 1, faces.sight(None).data)
                assert faces.face(watcher, everybody).fragments == expected
            finally:
                course.state = kept


# ---------------------------------------------------------------- the story


def twins(rules, random, players):
    """Two true games that differ in what a seat can't see: after a secret decision of another seat, each goes its own way."""
    full = rules.game.full
    for _ in range(40):
        course = played(rules, 5 + random.randrange(120), random, players)
        while not course.over:
            choice = full.info["choices"][str(course.state.pc)]
            actions = course.state.legal_actions()
            if choice["secret"] and len(actions) > 1:
                one, two = (course.draft(a).state for a in actions[:2])
                # what is revealed at once all may know
                if one.barriers == two.barriers == course.state.barriers:
                    yield course.decides, one, two
                    break
            draft = course.draft(random.choice(actions))
            course.accept(draft.events, draft)


@pytest.mark.parametrize("game", games())
def test_the_story_tells_nothing_of_secret_decisions(game):
    rules, random = ruleset(game, 3), Random(7)
    if not any(c["secret"] for c in rules.game.info["choices"].values()):
        # a game whose every decision is open has no such twins: every line but those of draws is for all
        course = played(rules, 10_000, random, 3)
        assert all(viewer < 3 for viewer, _ in course.state.story)
        return
    compared = 0
    for by, one, two in twins(rules, random, 3):
        for seat in (None, 0, 1, 2):
            mine = story(one, seat, 0, len(one.story)), story(two, seat, 0, len(two.story))
            # who chose may hear more of it; nobody else does
            if seat != by:
                assert mine[0] == mine[1]
                compared += 1
    assert compared > 10


def test_who_chooses_ahead_learns_nothing_of_those_before():
    """In a choice made by all at the same time the options of a later seat are made from its view alone."""
    rules, random = ruleset("ys", 3), Random(9)
    found = 0
    for begun in range(12):
        # the game begins with such a choice
        course = played(rules, 1 + begun % 4, random, 3)
        for seat in range(3):
            if course.over or seat == course.decides:
                continue
            reached = position_for(rules.game, course.state, seat, [])
            if reached is None:
                continue
            found += 1
            true = sent(rules, course, course.state, seat)
            assert 'class="option"' in true["options"]
            view = course.state.view(seat)
            for _ in range(3):
                assert sent(rules, course, view.determinize(random.getrandbits(60)), seat) == true
    assert found > 5


def test_what_a_seat_chooses_ahead_is_kept_as_it_would_be_found_anew():
    """Decision after decision in secret, a seat that waits is offered what a page that was just opened is offered."""
    rules, random = ruleset("ys", 3), Random(11)
    offered = kept = 0
    for begun in (0, 60):
        course = played(rules, begun, random, 3)
        faces = Faces(rules, course, "t", ("human",) * 3)
        for _ in range(14):
            for seat in range(3):
                if seat == course.decides:
                    continue
                before = dict(faces._ahead)
                found = faces.options_ahead(seat)
                assert found == Faces(rules, course, "t", ("human",) * 3).options_ahead(seat)
                offered += bool(found)
                kept += bool(found) and faces._ahead == before
            draft = course.draft(random.choice(course.state.legal_actions()))
            course.accept(draft.events, draft)
            faces.renew()
    assert offered > kept > 3
