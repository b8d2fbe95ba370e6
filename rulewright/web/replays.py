"""Recorded games: a page that goes through one, files in and out, and a new table that goes on from a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from rulewright.engines import spec_path
from rulewright.play.several import goes_on
from rulewright.replay import Header, ReplayError, event_of, read_lines, spec_hash
from rulewright.runtime.errors import RulewrightError
from rulewright.web.catalogue import Catalogue
from rulewright.web.client import Client
from rulewright.web.course import PERSON, Course
from rulewright.web.lobby import ME, body_of, form_of
from rulewright.web.page import framed, page
from rulewright.web.room import Room
from rulewright.web.store import REPLAY, Events
from rulewright.web.table_pages import give_pass, pass_of, refusal, room_of, server_of
from rulewright.web.tokens import Pass
from rulewright.web.words import say

Json = dict[str, Any]


# ---------------------------------------------------------------- going through a game


async def show(request: Request) -> Response:
    """A slider over the game: from one's own eyes while it goes on, from all eyes when it is over."""
    room = await room_of(request)
    if isinstance(room, Response):
        return room
    client = Client(pass_of(request, room))
    client.step = len(room.course.steps)
    if room.open_to_all:
        client.eyes = -1
    looker = room.looker(client)
    return HTMLResponse(
        page(
            "replay.html",
            title=room.ruleset.offer.title,
            table=room.table.id,
            style=room.ruleset.style,
            picture=framed(
                room.ruleset.board.picture(room.faces.picture(looker.seat, client.step))
            ),
            last=len(room.course.steps),
            story=[room.faces.told(n, looker.seat) for n in range(len(room.course.steps))],
            names=room.ruleset.game.info["seats"][: room.table.players],
            all_eyes=room.open_to_all,
            jumps=jumps(room),
            bots=room.ruleset.offer.bots,
            result=room.faces.result() if room.course.over else "",
        )
    )


def jumps(room: Room) -> list[Json]:
    """Where a period of the game begins, and where a player's turn does."""
    names = room.ruleset.game.info["seats"]
    called = room.ruleset.clock.called
    out: list[Json] = []
    before, period = -2, None
    for number, step in enumerate(room.course.steps):
        # the counter may go on once more when the game is over
        ended = room.course.over and number == len(room.course.steps) - 1
        if step.period != period and not ended:
            period = step.period
            text = f"{called} {' '.join(map(str, period))}".strip()
            if called:
                out.append({"step": number, "text": text, "period": True})
        if step.by >= 0 and step.by != before:
            text = say("turn_at", name=names[step.by], step=number)
            out.append({"step": number, "text": text, "period": False})
        before = step.by
    return out


# ---------------------------------------------------------------- out


async def download(request: Request) -> Response:
    """The game as a replay file. It holds everything, so there is none before the game is over."""
    room = await room_of(request)
    if isinstance(room, Response):
        return room
    if not room.open_to_all:
        return refusal(say("not_over"), 403)
    entries = await server_of(request).store.entries(room.table.id)
    text = replay_text(room, entries)
    name = f"{room.table.game}.jsonl"
    return Response(
        text,
        media_type="application/jsonl",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def replay_text(room: Room, entries: list[Events]) -> str:
    game, table = room.ruleset.game, room.table
    header = Header(
        table.game, table.players, list(table.variants), dict(table.options), list(room.course.seats),
        table.ruleset, spec_hash(spec_path(room.ruleset.offer.path)), game.info["compiler"],
    )  # fmt: skip
    rows = [header.to_json()]
    for events in entries:
        rows += [e for e in events if "seat" not in e and "ahead" not in e]
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )


# ---------------------------------------------------------------- in


async def drop(request: Request) -> Response:
    """A replay file as the body → a page that goes through it."""
    server = server_of(request)
    if not server.allows("replays", request.scope):
        return _problem(say("too_many"), 429)
    body = await body_of(request, server.settings.limits.replay_bytes)
    if body is None:
        return _problem(say("too_large"), 413)
    if await server.store.count() >= server.settings.limits.tables:
        return _problem(say("full"), 503)
    try:
        header, rows = read_file(body, server.settings.limits.replay_events)
        ruleset = await server.rooms.ruleset(
            game_of(server.catalogue, header),
            header.players,
            [str(v) for v in header.variants],
            header.options,
        )
        if ruleset.game.info["hash"] != header.ruleset:
            raise ReplayError("it was recorded under other rules")
        entries = entries_of(rows)
        course = Course(ruleset.game, header.seats, ruleset.clock)
        for entry in entries:
            course.accept(entry)
    except (RulewrightError, KeyError, TypeError, ValueError, IndexError) as error:
        return _problem(say("wrong_replay", why=error), 400)
    table = await server.rooms.make(ruleset, [str(s)[:40] for s in header.seats], entries, REPLAY)
    return JSONResponse({"table": f"/table/{table.id}/replay"}, 201)


def _problem(text: str, status: int) -> Response:
    return JSONResponse({"problem": text}, status)


def read_file(body: bytes, most_events: int) -> tuple[Header, list[Json]]:
    """A replay from outside: its header and the lines that count."""
    replay = read_lines(Path("it"), body)
    if len(replay.events) > most_events:
        raise ReplayError(f"it has more than {most_events} lines")
    if len(replay.header.seats) != replay.header.players:
        raise ReplayError("its seats do not fit its players")
    return replay.header, [row for _, row in replay.events]


def game_of(catalogue: Catalogue, header: Header) -> str:
    """The game of a file: never a folder that the file names, only what is offered here."""
    name = Path(header.game).name
    catalogue.offer(name)
    return name


def entries_of(rows: list[Json]) -> list[Events]:
    """The lines of a replay as entries: each decision with the chance after it, the steps of a choice of several together."""
    out: list[Events] = [[]]
    for row in rows:
        before = out[-1][-1] if out[-1] else {}
        same = before.get("by", -1) == row.get("by", -2)
        steps = same and goes_on(str(before.get("choice")), str(row.get("choice")))
        if "choice" in row and not steps:
            out.append([])
        out[-1].append(row)
    return out


# ---------------------------------------------------------------- going on from a step


async def go_on(request: Request) -> Response:
    """A new table whose game begins as this one did up to a step; only where nothing is hidden any more."""
    room = await room_of(request)
    if isinstance(room, Response):
        return room
    server = server_of(request)
    if not server.allows("tables", request.scope):
        return refusal(say("too_many"), 429)
    form = await form_of(request, server.settings.limits.form_bytes)
    if form is None:
        return refusal(say("too_large"), 413)
    if not room.open_to_all:
        return refusal(say("not_over"), 403)
    if await server.store.count() >= server.settings.limits.tables:
        return refusal(say("full"), 503)
    wanted = form.get("step", [""])[0]
    if not (wanted.isascii() and wanted.isdigit()):
        return refusal(say("bad_message"), 400)
    step = min(int(wanted[:9]), len(room.course.steps))
    seats, mine = [], []
    for seat in range(room.table.players):
        who = form.get(f"seat{seat}", [ME])[0]
        if who == ME:
            mine.append(seat)
        seats.append(who if who in room.ruleset.offer.bots else PERSON)
    entries = beginning(room.course, step)
    table = await server.rooms.make(room.ruleset, seats, entries)
    response = RedirectResponse(f"/table/{table.id}", 303)
    give_pass(response, server, table, Pass(frozenset(mine), host=True))
    return response


def beginning(course: Course, step: int) -> list[Events]:
    """The entries that lead to a step, without what was taken back."""
    out: list[Events] = []
    state: Any = course.at(0)
    for one in course.steps[: max(step, 1)]:
        events: Events = []
        for action in one.actions:
            events.append(event_of(state, action))
            state.apply_action(action)
        out.append(events)
    return out
