"""A table with people at it: what they ask → entries in the store → what each of them is sent.

A room has one lock, under which the game goes on, and one task, in which bots decide. Sending belongs to each connection alone, so
that one that vanishes cuts off nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from rulewright.play.several import MOST_AT_ONCE, Several, made_of
from rulewright.runtime.errors import RulewrightError
from rulewright.web import messages as m
from rulewright.web.answers import answer, beside_marks
from rulewright.web.bots_pool import Workers
from rulewright.web.brings import Brings
from rulewright.web.catalogue import Ruleset
from rulewright.web.client import Client
from rulewright.web.course import PERSON, Course, Draft
from rulewright.web.face import Face, Faces, Looker, Presence
from rulewright.web.page import changes, fragment
from rulewright.web.settings import Limits
from rulewright.web.store import REPLAY, Events, Store, StoreError, Table, Taken
from rulewright.web.thinking import Thinking
from rulewright.web.words import say

Json = dict[str, Any]


class Refused(RulewrightError):
    """What was asked can't be done; the message is for who asked."""


class Room:
    def __init__(
        self,
        table: Table,
        ruleset: Ruleset,
        course: Course,
        store: Store,
        workers: Workers,
        limits: Limits,
        patient: Workers | None = None,
    ) -> None:
        self.table, self.ruleset, self.course = table, ruleset, course
        self.store, self.limits = store, limits
        self.thinking = Thinking(ruleset, workers, limits.bot_seconds)
        self.faces = Faces(ruleset, course, table.id, table.seats)
        self.clients: set[Client] = set()
        self.lock = asyncio.Lock()
        self.last_used = time.monotonic()
        now = time.monotonic()
        self._seen = [now] * table.players
        self._wake = asyncio.Event()
        self._elsewhere = False
        self.brings = Brings(ruleset.rules, course, self.faces, patient)
        self._advising: set[asyncio.Task[None]] = set()
        self._task = asyncio.create_task(self._bots())
        self._wake.set()

    async def close(self) -> None:
        for task in (self._task, *self._advising):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.brings.close()
        for client in self.clients:
            client.close()

    @property
    def is_replay(self) -> bool:
        return self.table.kind == REPLAY

    @property
    def open_to_all(self) -> bool:
        """Whether nothing is hidden any more: the game is over, or it came from a file."""
        return self.is_replay or self.course.over

    # ------------------------------------------------------------ coming and going

    def join(self, client: Client) -> None:
        self.clients.add(client)
        self._presence_changed()
        self._look_ahead()

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        now = self.last_used = time.monotonic()
        for seat in client.passed.seats:
            self._seen[seat] = now
        self._presence_changed()
        if client.passed.seats:
            # who stays is shown later that the seat may be given away
            loop = asyncio.get_running_loop()
            loop.call_later(self.limits.away_seconds + 0.1, self._presence_changed)

    def _presence_changed(self) -> None:
        for client in self.clients:
            client.refresh()

    def _look_ahead(self) -> None:
        here = {seat for client in self.clients for seat in client.passed.seats}
        if not self.is_replay:
            self.brings.ask(here, self.limits.preview_seconds, self._brings_known)

    def _brings_known(self, seat: int) -> None:
        """What the options of a seat bring is news only for who looks with its eyes."""
        for client in self.clients:
            if seat in client.passed.seats or client.eyes == seat:
                client.refresh()

    def _presence(self) -> Presence:
        here = [False] * self.table.players
        for client in self.clients:
            for seat in client.passed.seats:
                here[seat] = True
        long_ago = time.monotonic() - self.limits.away_seconds
        gone = [not h and seen <= long_ago for h, seen in zip(here, self._seen, strict=True)]
        return Presence(tuple(here), tuple(gone))

    # ------------------------------------------------------------ what a client is sent

    def face(self, client: Client) -> Face:
        return self.faces.face(self.looker(client), self._presence())

    def looker(self, client: Client) -> Looker:
        seats, decides = client.passed.seats, self.course.decides
        if client.eyes >= -1 and self.open_to_all:
            seat = None if client.eyes < 0 else client.eyes
            return Looker(seat, seats, client.step, None)
        cover = None
        if len(seats) > 1 and decides in seats and decides != client.shown:
            if self.ruleset.hides:
                cover = decides
            else:
                client.shown = decides
        seat = None if cover is not None else client.shown
        marks = client.marks if client.marked_at == self.course.version else ()
        return Looker(seat, seats, client.step, cover, marks)

    def patch(self, client: Client) -> Json | None:
        """What is new for a client since it was last sent something; None when nothing is."""
        course = self.course
        client.step = min(client.step, len(course.steps))
        looker = self.looker(client)
        face = self.faces.face(looker, self._presence())
        html = changes(client.sent, face.parts)
        if "options" in html:
            # new options come without what they bring
            html |= face.brings
        if client.told_to != looker.seat:
            client.told, client.told_to = 0, looker.seat
        start, items = client.told, len(course.steps)
        told = [self.faces.told(n, looker.seat) for n in range(start, items)]
        state = (course.version, items, client.step, face.mine, looker.seat)
        if not html and not told and state == client.sent_state:
            return None
        client.sent, client.sent_state, client.told = face.parts, state, items
        return {
            "type": "patch", "version": course.version, "steps": items, "looking": client.step,
            "mine": face.mine and not course.over, "since": self.faces.since(looker.seat),
            "html": html, "story": [start, told],
        }  # fmt: skip

    # ------------------------------------------------------------ what a client asks

    async def handle(self, client: Client, message: m.Message) -> None:
        """Do what is asked, or say why not."""
        self.last_used = time.monotonic()
        try:
            match message:
                case m.Choose():
                    async with self.lock:
                        await self._choose(client, message)
                case m.Whole():
                    async with self.lock:
                        await self._choose_several(client, message)
                case m.Mark():
                    self._mark(client, message)
                case m.Undo():
                    async with self.lock:
                        await self._undo(client, message)
                case m.Hand():
                    async with self.lock:
                        await self._hand(client, message)
                case m.Why():
                    self._why(client, message)
                case m.At():
                    self._at(client, message)
                case m.Sit():
                    if message.seat in client.passed.seats:
                        client.shown = message.seat
                        client.refresh()
                case m.Advise():
                    self._ask_advice(client, message)
        except Refused as problem:
            client.say({"type": "problem", "text": str(problem)})
            client.refresh()
        except StoreError:
            client.say({"type": "problem", "text": say("not_written")})
            client.refresh()

    async def _choose(self, client: Client, asked: m.Choose) -> None:
        course, seat = self.course, self.course.decides
        self._must_sit(client)
        if asked.version != course.version and not self._still_fits(client, asked):
            return
        if seat not in client.passed.seats:
            await self._choose_ahead(client, asked)
            return
        if course.seats[seat] != PERSON:
            raise Refused(say("not_yours"))
        if course.over or asked.action not in course.state.legal_actions():
            raise Refused(say("stale"))
        await self.decide(asked.action)

    def _must_sit(self, client: Client) -> None:
        if self.is_replay:
            raise Refused(say("over"))
        if not client.passed.seats:
            raise Refused(say("not_seated"))

    def _done_by(self, client: Client, version: int) -> tuple[int, ...]:
        """What a seat of a client has decided in an entry."""
        log = self.course.log
        done = log[version] if 0 <= version < len(log) else None
        return done.actions if done is not None and done.by in client.passed.seats else ()

    def _still_fits(self, client: Client, asked: m.Choose) -> bool:
        """A decision sent twice counts once; one that others overtook in secret counts; any other is refused."""
        if self._done_by(client, asked.version) == (asked.action,):
            client.refresh()
            return False
        if client.shown is None or not self.course.only_in_secret(asked.version, client.shown):
            raise Refused(say("stale"))
        return True

    async def _choose_ahead(self, client: Client, asked: m.Choose) -> None:
        seat = client.shown
        if seat is None or seat not in client.passed.seats:
            raise Refused(say("not_yours"))
        if asked.action not in [option.action for option in self.faces.sight(seat).options]:
            raise Refused(say("not_yours"))
        await self._write([{"ahead": seat, "action": asked.action}])

    def _several(self, client: Client) -> Several:
        """The choice of several that a client is to make now."""
        seat = self.course.decides
        if seat not in client.passed.seats or self.course.seats[seat] != PERSON:
            raise Refused(say("not_yours"))
        found = self.faces.sight(seat).several
        if found is None:
            raise Refused(say("stale"))
        return found

    def _mark(self, client: Client, asked: m.Mark) -> None:
        self._must_sit(client)
        course = self.course
        if asked.version != course.version:
            raise Refused(say("stale"))
        several = self._several(client)
        number = asked.action - several.choice["offset"]
        before = client.marks if client.marked_at == course.version else ()
        marks = [n for n in before if n != number] + [number] * max(
            0, min(asked.count, MOST_AT_ONCE)
        )
        if not several.possible(marks):
            raise Refused(say("not_together"))
        client.marks, client.marked_at = tuple(sorted(marks)), course.version
        client.refresh()
        self.brings.ask_whole(
            course.decides, client.marks, self.limits.preview_seconds, self._brings_known
        )

    async def _choose_several(self, client: Client, asked: m.Whole) -> None:
        self._must_sit(client)
        if asked.version != self.course.version:
            if not made_of(self.ruleset.game, self._done_by(client, asked.version), asked.actions):
                raise Refused(say("stale"))
            client.refresh()
            return
        several = self._several(client)
        actions = several.actions(action - several.choice["offset"] for action in asked.actions)
        if actions is None:
            raise Refused(say("not_together"))
        await self.decide(*actions)

    async def decide(self, *actions: int) -> None:
        """Write a decision down with the chance after it, then let everybody see it. The lock is held."""
        try:
            draft = self.course.draft(*actions)
        except RulewrightError as error:
            raise Refused(say("engine", text=error)) from error
        await self._write(draft.events, draft)

    async def _undo(self, client: Client, asked: m.Undo) -> None:
        if asked.version != self.course.version:
            raise Refused(say("stale"))
        problem = self.course.undo_problem(client.passed.seats)
        if problem is not None or self.is_replay:
            raise Refused(say(f"undo_{problem or 'nothing'}"))
        await self._write([{"undo": self.course.steps[-1].decisions}])

    async def _hand(self, client: Client, asked: m.Hand) -> None:
        seat, mine = asked.seat, client.passed.seats
        if not mine:
            raise Refused(say("not_seated"))
        if not 0 <= seat < self.table.players or self.is_replay or self.course.over:
            raise Refused(say("stale"))
        if not asked.bot:
            if seat not in mine or self.course.seats[seat] == PERSON:
                raise Refused(say("stale"))
            await self._write([{"seat": seat, "who": PERSON}])
            return
        if asked.bot not in self.ruleset.offer.bots:
            raise Refused(say("no_such_bot"))
        name = self.ruleset.game.info["seats"][seat]
        if self.course.seats[seat] != PERSON or not self._presence().gone[seat]:
            raise Refused(say("not_away", name=name))
        await self._write([{"seat": seat, "who": asked.bot}])

    def _why(self, client: Client, asked: m.Why) -> None:
        course, seat = self.course, self.course.decides
        if course.over:
            text = say("over")
        elif seat not in client.passed.seats or self.looker(client).cover is not None:
            text = say("turn_of", name=self.ruleset.game.info["seats"][seat])
        else:
            game, clauses = self.ruleset.game, self.ruleset.offer.clauses
            several, marks = self.faces.sight(seat).several, self.looker(client).marks
            html = beside_marks(several, marks, asked.member, clauses) if several else None
            html = html or answer(
                game, clauses, course.state, seat, asked, self.ruleset.board.layout.asks
            )
            client.say({"type": "why", "html": html})
            return
        client.say({"type": "why", "html": fragment("why", text, [])})

    def _at(self, client: Client, asked: m.At) -> None:
        client.step = -1 if asked.step < 0 else min(asked.step, len(self.course.steps))
        if asked.eyes < self.table.players:
            client.eyes = asked.eyes
        client.refresh()

    # ------------------------------------------------------------ writing

    async def _write(self, events: Events, draft: Draft | None = None) -> None:
        """Nobody sees anything before it is on the disk."""
        try:
            await self.store.append(self.table.id, self.course.version, events)
        except Taken:
            await self._catch_up()
            raise Refused(say("stale")) from None
        self._accept(events, draft)
        self._elsewhere = False

    def _accept(self, events: Events, draft: Draft | None = None) -> None:
        course = self.course
        before = len(course.steps)
        course.accept(events, draft)
        self.faces.renew(len(course.steps) if len(course.steps) < before else None)
        for client in self.clients:
            client.told = min(client.told, len(course.steps))
            client.refresh()
        self._wake.set()
        self._look_ahead()

    async def catch_up(self) -> None:
        """Take over what another process has written."""
        async with self.lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        for events in await self.store.entries(self.table.id, self.course.version):
            self._accept(events)
            self._elsewhere = True

    # ------------------------------------------------------------ bots

    async def _bots(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                while not self.is_replay and await self._bot_decides():
                    pass
            except (RulewrightError, OSError) as error:
                # what a bot can't do a person is told; the room stays
                for client in self.clients:
                    client.say({"type": "problem", "text": str(error)})
                await asyncio.sleep(1)

    async def _bot_decides(self) -> bool:
        """One decision that no person makes: of a bot, or one that was made ahead. False when there is none."""
        course, version = self.course, self.course.version
        if course.over:
            return False
        seat = course.decides
        if course.ahead.get(seat):
            actions: tuple[int, ...] = (course.ahead[seat][0],)
            if actions[0] not in course.state.legal_actions():
                course.ahead.pop(seat)
                self.faces.renew()
                return False
        elif course.bot is None:
            return False
        else:
            if self._elsewhere and await self._others_think(version):
                return True
            actions = await self.thinking.chosen(course.state, course.bot, self._bot_failed)
        async with self.lock:
            if self.course.version == version:
                try:
                    await self.decide(*actions)
                except Refused:
                    return self.course.version != version
        return True

    def _bot_failed(self) -> None:
        for client in self.clients:
            client.say({"type": "problem", "text": say("bot_failed")})

    async def _others_think(self, version: int) -> bool:
        """Whether the process that wrote last goes on by itself; if it does not for a while, it is taken for dead."""
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(self.limits.other_process_seconds):
                while self.course.version == version:
                    await self._wake.wait()
                    self._wake.clear()
                return True
        self._elsewhere = False
        return False

    # ------------------------------------------------------------ advice

    def _ask_advice(self, client: Client, asked: m.Advise) -> None:
        if not self.open_to_all:
            raise Refused(say("not_over"))
        task = asyncio.create_task(self._advise(client, asked))
        self._advising.add(task)
        task.add_done_callback(self._advising.discard)

    async def _advise(self, client: Client, asked: m.Advise) -> None:
        try:
            state = self.course.at(min(asked.step, len(self.course.steps)))
            html = await self.thinking.advice(state)
        except RulewrightError as problem:
            client.say({"type": "problem", "text": str(problem)})
        else:
            client.say({"type": "why", "html": html})
