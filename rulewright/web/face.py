"""A course and who looks at it → the fragments of the page: status, options, players, result, picture, story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from rulewright.play.player_words import choice_text, held, numbers_text
from rulewright.play.several import Marks
from rulewright.runtime.view import Memo
from rulewright.scene.view_words import People
from rulewright.web.ahead import position_for
from rulewright.web.board import Drawings
from rulewright.web.catalogue import Ruleset
from rulewright.web.course import PERSON, Course
from rulewright.web.ends import ended_words, result
from rulewright.web.now import Fragments, Parts, joined
from rulewright.web.page import Offered, SeatLine, Whole, fragment, same_fragment
from rulewright.web.sight import Option, Sight, dealt_from, look, options, story, touched
from rulewright.web.words import say

Json = dict[str, Any]
# so many lists of players are kept: a few for each who looks
_MOST_LISTED = 32
# a key beside the seats: everybody
ALL = -1
# and beside the actions: all that is marked
WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Looker:
    """Who looks: a seat or nobody's, from which seats of theirs, at which step; and who must first come to the screen."""

    seat: int | None
    seats: frozenset[int]
    step: int
    cover: int | None
    # what is marked in a choice of several
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Presence:
    """Of each seat whether somebody is there, and whether it may be given to a bot."""

    here: tuple[bool, ...]
    gone: tuple[bool, ...]


@dataclass(slots=True)
class Face:
    # what the options bring, what else is beside the picture, and the parts of the picture
    brings: Fragments
    beside: Fragments
    drawn: Parts
    mine: bool
    # whether options stand there one by one, each with what it brings
    offers: bool
    # or several are chosen at once, with what they bring together
    offers_whole: bool

    @property
    def parts(self) -> Parts:
        """All there is, in parts that need not be looked into where they are the same objects as before."""
        return (self.beside, self.brings, *self.drawn)

    @property
    def fragments(self) -> Fragments:
        return joined(self.parts)

    @property
    def picture(self) -> Fragments:
        return joined(self.drawn)

    @property
    def whole(self) -> Fragments:
        """The fragments for a page that is not there yet: what options bring stands in them at once."""
        options = self.fragments["options"]
        for id_, html in self.brings.items():
            action = id_.removeprefix("preview-")
            options = options.replace(same_fragment("brings", action, ""), html)
        return {**self.fragments, "options": options}


class Faces:
    """Makes the pages of one table, each once for all who look in the same way."""

    def __init__(
        self, ruleset: Ruleset, course: Course, table: str, seats: tuple[str, ...]
    ) -> None:
        self.ruleset, self.course, self.table, self.seats = ruleset, course, table, seats
        self.info = ruleset.game.info
        self.people = People(self.info)
        self._made: dict[tuple[Looker, Presence], Face] = {}
        self._pictures: dict[tuple[int | None, int], Parts] = {}
        self._sights: dict[int | None, Sight] = {}
        self._told: dict[tuple[int, int | None], str] = {}
        self._brings: dict[int, dict[int, str]] = {}
        self._whole_brings: dict[tuple[int | None, Marks], str] = {}
        self._bases: dict[int | None, tuple[int, Json]] = {}
        # what a seat was found to choose ahead: after which choices of its own, at which entry
        self._ahead: dict[int, tuple[tuple[tuple[int, ...], int], int, list[Option]]] = {}
        self._memo = Memo()
        self._drawings = Drawings()
        self._listed: dict[tuple[object, ...], str] = {}
        self._last_asked: dict[int | None, tuple[tuple[Any, ...], str]] = {}
        self._bare: tuple[Any, Any] | None = None
        # after how many steps the sights were taken
        self._seen_at = len(course.steps)

    def renew(self, steps: int | None = None) -> None:
        """Something has happened; after `steps` steps nothing is as it was."""
        if steps is None:
            self._keep_bases()
        self._made.clear()
        self._brings.clear()
        self._whole_brings.clear()
        self._pictures.clear()
        self._sights.clear()
        self._seen_at = len(self.course.steps)
        if steps is not None:
            self._bases.clear()
            for key in [k for k in self._told if k[0] >= steps]:
                del self._told[key]

    def set_brings(self, seat: int, found: dict[int, str]) -> None:
        """What the options of a seat bring, now that it is known."""
        self._brings[seat] = found
        for (looker, _), face in self._made.items():
            if looker.seat == seat and face.offers:
                face.brings = _as_fragments(found)

    def whole_brings(self, seat: int, marks: Marks) -> str | None:
        """What the marks of a choice of several bring together, where that is known."""
        return self._whole_brings.get((seat, marks))

    def set_whole_brings(self, seat: int, marks: Marks, text: str) -> None:
        self._whole_brings[seat, marks] = text
        for (looker, _), face in self._made.items():
            if looker.seat == seat and looker.marks == marks and face.offers_whole:
                face.brings = _as_fragments({WHOLE: text})

    # ------------------------------------------------------------ what a seat sees

    def sight(self, seat: int | None) -> Sight:
        found = self._sights.get(seat)
        if found is None:
            course = self.course
            found = self._look(course.state, seat)
            if seat is not None and not found.options and not course.over:
                found.options = self.options_ahead(seat)
            self._sights[seat] = found
        return found

    def _look(self, state: Any, seat: int | None) -> Sight:
        """What a seat sees of a position."""
        return look(self.ruleset.game, self._without_story(state), seat, self._memo)

    def _without_story(self, state: Any) -> Any:
        """A position without what was told on the way there: that is shown apart, so no view need go through it."""
        if self._bare is None or self._bare[0] is not state:
            bare = state.clone()
            bare.story = []
            self._bare = state, bare
            self._memo.new_position()
        return self._bare[1]

    def options_ahead(self, seat: int) -> list[Option]:
        """What a seat may choose before it is asked, as those before it choose in secret."""
        course, game = self.course, self.ruleset.game
        if course.seats[seat] != PERSON or not course.secret:
            return []
        # it made no difference what those before chose, so it is as it was before they did
        key = (tuple(course.ahead.get(seat, ())), course.state.barriers)
        kept = self._ahead.get(seat)
        if kept is not None and kept[0] == key and course.only_in_secret(kept[1], seat):
            return kept[2]
        # from the view, so that nothing of the choices before can show
        seen = dealt_from(self._without_story(course.state).view(seat))
        position = position_for(game, seen, seat, course.ahead.get(seat, []))
        if position is None:
            return []
        found = options(game, position, seat, position.legal_actions())
        self._ahead[seat] = key, course.version, found
        return found

    def _keep_bases(self) -> None:
        """What a seat saw before the step that was just made is often where its marks count from."""
        done = self.course.steps
        if len(done) < 2 or self._seen_at != len(done) - 1:
            return
        waiting = {*self._sights} - {step.by for step in done}
        for seat, sight in self._sights.items():
            if seat in waiting or seat in (done[-1].by, done[-2].by):
                self._bases[seat] = (len(done) - 1, sight.data)

    def since(self, seat: int | None) -> int:
        """After how many steps the seat had last decided; 0 when it has not."""
        steps = self.course.steps
        return next((i + 1 for i in range(len(steps) - 1, -1, -1) if steps[i].by == seat), 0)

    def _base(self, seat: int | None) -> Json | None:
        """What the seat saw when it had last decided; all that is different now is marked."""
        steps = self.course.steps
        own = self.since(seat) or len(steps) - 1
        base = own if own < len(steps) else own - 1
        if base < 1:
            return None
        kept = self._bases.get(seat)
        if kept is None or kept[0] != base:
            kept = (base, self._look(self.course.at(base), seat).data)
            self._bases[seat] = kept
        return kept[1]

    # ------------------------------------------------------------ fragments

    def face(self, looker: Looker, presence: Presence) -> Face:
        key = (looker, presence)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._face(looker, presence)
        return found

    def _face(self, looker: Looker, presence: Presence) -> Face:
        course = self.course
        sight = self.sight(looker.seat)
        picture = self.drawn(looker.seat, looker.step)
        mine = course.decides in looker.seats or bool(sight.options)
        question = self._question(sight)
        can_undo = course.undo_problem(looker.seats) is None
        brings: Fragments = {}
        offers = offers_whole = False
        if looker.cover is not None:
            asked: str = fragment("cover", looker.cover, self.info["seats"][looker.cover])
        else:
            ahead = bool(sight.options) and course.decides != looker.seat
            shown = self._offered(sight, looker.marks) if looker.step < 0 else []
            whole = self._whole(sight, looker.marks) if looker.step < 0 else None
            back = can_undo and looker.step < 0
            # the same words may be asked again after a decision; those who choose ahead are not disturbed by others
            number = -1 if ahead or not (shown or whole) else course.version
            held_so_far = tuple(self._held(sight))
            words = (tuple(shown), question, back, ahead, held_so_far, number, whole)
            asked = (
                self._asked(looker.seat, words)
                if shown or whole
                else same_fragment("options", *words)
            )
            if looker.seat is not None and shown and whole is None:
                offers = True
                brings = _as_fragments(self._brings.get(looker.seat, {}))
            offers_whole = whole is not None
            together = self._whole_brings.get((looker.seat, looker.marks)) if offers_whole else None
            if together is not None:
                brings = _as_fragments({WHOLE: together})
        fragments = {
            "status": same_fragment("status", self._status(looker, sight), mine, question),
            "options": asked,
            "result": self.result(),
            "seats": self._people(looker, presence, sight),
        }
        return Face(brings, fragments, picture, mine, offers, offers_whole)

    def _asked(self, seat: int | None, words: tuple[Any, ...]) -> str:
        """The options of a seat; they stay as they are while other things of the page change."""
        last = self._last_asked.get(seat)
        if last is None or last[0] != words:
            last = self._last_asked[seat] = words, fragment("options", *words)
        return last[1]

    def _offered(self, sight: Sight, marks: tuple[int, ...]) -> list[Offered]:
        """The options with prices and powers of what they stand for; in a choice of several what is marked and what may be."""
        members, state, several = self.ruleset.board.members, sight.data["state"], sight.several
        out = []
        more = several.more(marks) if several is not None else set()
        for o in sight.options:
            about = members.about(*o.member, state)
            number = o.action - several.choice["offset"] if several is not None else -1
            on = o.copy > 0 and marks.count(number) >= o.copy
            out.append(Offered(o.action, o.text, o.member, about, o.copy, on, on or number in more))
        return out

    def _whole(self, sight: Sight, marks: tuple[int, ...]) -> Whole | None:
        """What the marks of a choice of several make: its words where it is whole, how many more may be or must be marked."""
        several = sight.several
        if several is None:
            return None
        missing = [n for n in several.missing(marks) if n]
        note = say("more_marks", count=numbers_text(missing)) if missing else ""
        return Whole(several.told(marks), note)

    def _held(self, sight: Sight) -> list[str]:
        """What the seat that decides has done since another one decided or luck was last asked."""
        course, seat = self.course, sight.seat
        if seat is None or course.over or course.decides != seat:
            return []
        state = course.state
        own = takewhile(
            lambda s: s.by == seat and s.barriers == state.barriers, reversed(course.steps)
        )
        starts = [step.told for step in own]
        lines = story(state, seat, starts[-1], len(state.story)) if starts else []
        dealt = sight.dealt if sight.dealt is not None else dealt_from(state.view(seat))
        so_far = dealt.pending()["so_far"]
        return held(lines, self.info["seats"][seat], so_far)

    def _question(self, sight: Sight) -> str:
        choice = sight.data.get("choice")
        return choice_text(choice, self.ruleset.board.layout.asks) if choice else ""

    def _status(self, looker: Looker, sight: Sight) -> str:
        course = self.course
        if course.over:
            return f"{say('over')}. {ended_words(self.ruleset.game, course.state)}"
        name = self.info["seats"][course.decides]
        if course.decides in looker.seats:
            return say("your_turn_of", name=name)
        if sight.options:
            return say("your_turn_of", name=self.info["seats"][looker.seat or 0])
        if looker.seat is not None and course.ahead.get(looker.seat):
            return say("chosen")
        return say("thinks" if course.bot else "turn_of", name=name)

    def _people(self, looker: Looker, presence: Presence, sight: Sight) -> str:
        """The list of players, which is the same from decision to decision for most who look."""
        course = self.course
        key = (
            looker.seats, presence, tuple(sight.data["scores"]), course.decides, course.over,
            tuple(course.seats),
        )  # fmt: skip
        found = self._listed.get(key)
        if found is None:
            if len(self._listed) > _MOST_LISTED:
                self._listed.clear()
            lines = tuple(self._lines(looker, presence, sight))
            found = self._listed[key] = same_fragment("seats", lines)
        return found

    def _lines(self, looker: Looker, presence: Presence, sight: Sight) -> list[SeatLine]:
        out = []
        for i in range(self.ruleset.game.num_players()):
            is_bot = self.course.seats[i] != PERSON
            mine = i in looker.seats
            out.append(
                SeatLine(
                    i,
                    self.info["seats"][i],
                    self.people.initial(i),
                    sight.data["scores"][i] if self.info["reasons"] else None,
                    self.course.decides == i,
                    mine,
                    self.course.seats[i],
                    is_bot,
                    presence.here[i],
                    bool(looker.seats)
                    and not mine
                    and not is_bot
                    and presence.gone[i]
                    and not self.course.over,
                    mine and is_bot and self.seats[i] == PERSON and not self.course.over,
                )
            )
        return out

    def picture(self, seat: int | None, step: int = -1) -> Fragments:
        """The picture at a step (−1: now) as a seat sees it."""
        return joined(self.drawn(seat, step))

    def drawn(self, seat: int | None, step: int = -1) -> Parts:
        """The same part by part."""
        key = (seat, step)
        found = self._pictures.get(key)
        if found is None:
            found = self._picture(seat, step)
            if len(self._pictures) > 64:
                self._pictures.clear()
            self._pictures[key] = found
        return found

    def _picture(self, seat: int | None, step: int) -> Parts:
        board = self.ruleset.board
        if step < 0:
            sight = self.sight(seat)
            base = self._base(seat)
            marked = (
                touched(self.info, board.shown, base, sight.data) if base is not None else set()
            )
            return board.render_parts(sight.data, seat, sight.targets, marked, self._drawings)
        data = self._look(self.course.at(step), seat).data
        before = self._look(self.course.at(max(step - 1, 0)), seat).data
        return board.render_parts(data, seat, {}, touched(self.info, board.shown, before, data))

    def told(self, step: int, seat: int | None) -> str:
        """One step of the story."""
        found = self._told.get((step, seat))
        if found is None:
            start, stop = self.course.told(step)
            said = self.course.state.story[start:stop]
            # what is told to all is put together once
            whose = ALL if all(viewer == -1 for viewer, _ in said) else seat
            found = self._told.get((step, whose))
            if found is None:
                lines = story(self.course.state, seat, start, stop)
                found = same_fragment("told", step + 1, tuple(lines))
            self._told[step, whose] = self._told[step, seat] = found
        return found

    def result(self) -> str:
        """How it ended; while it has not, the place for that."""
        return result(self.ruleset.game, self.people, self.course, self.table)


def _as_fragments(found: Mapping[int, str] | Mapping[str, str]) -> Fragments:
    """What options bring, by the place of each."""
    return {
        f"preview-{action}": same_fragment("brings", action, text) for action, text in found.items()
    }
