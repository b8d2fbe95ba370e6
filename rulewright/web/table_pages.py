"""Requests at a table → its page, a seat by its link, and the socket over which the game goes."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.runtime.errors import RulewrightError
from rulewright.web import messages
from rulewright.web.client import Client
from rulewright.web.course import PERSON
from rulewright.web.limits import Rate, group
from rulewright.web.page import framed, page
from rulewright.web.room import Room
from rulewright.web.tokens import Pass, cookie_value, link_token, read_cookie, seat_of_link
from rulewright.web.words import say

if TYPE_CHECKING:
    from rulewright.web.app import Server

Json = dict[str, Any]
COOKIE = "seat"
# for a year a browser knows its seats
_YEAR = 365 * 24 * 3600


def server_of(request: HTTPConnection) -> Server:
    server: Server = request.app.state.server
    return server


def refusal(text: str, status: int) -> Response:
    return HTMLResponse(page("message.html", text=text), status)


def pass_of(request: HTTPConnection, room: Room) -> Pass:
    table = room.table
    return read_cookie(table.secret, table.id, request.cookies.get(COOKIE), table.players)


def give_pass(response: Response, server: Server, table: Any, passed: Pass) -> None:
    """The seats go into a cookie that scripts can't read and other sites can't send, for this table alone."""
    response.set_cookie(
        COOKIE,
        cookie_value(table.secret, table.id, passed),
        max_age=_YEAR,
        path=f"/table/{table.id}",
        secure=server.settings.secure,
        httponly=True,
        samesite="lax",
    )


async def room_of(request: HTTPConnection) -> Room | Response:
    server = server_of(request)
    if not server.allows("pages", request.scope):
        return refusal(say("too_many"), 429)
    try:
        room = await server.rooms.get(request.path_params["id"])
    except RulewrightError as error:
        return refusal(str(error), 409)
    return room if room is not None else refusal(say("not_found"), 404)


# ---------------------------------------------------------------- pages


async def join(request: Request) -> Response:
    """A seat's link: its token goes into a cookie, and leaves the address bar. It can be used again on any device."""
    room = await room_of(request)
    if isinstance(room, Response):
        return room
    table = room.table
    token = request.path_params["token"]
    seat = seat_of_link(table.secret, table.id, token, table.players)
    if seat is None:
        return refusal(say("wrong_link"), 404)
    response = RedirectResponse(f"/table/{table.id}", 303)
    give_pass(response, server_of(request), table, pass_of(request, room).with_seat(seat))
    return response


async def show(request: Request) -> Response:
    """The page of a table as this browser may see it."""
    room = await room_of(request)
    if isinstance(room, Response):
        return room
    if room.is_replay:
        return RedirectResponse(f"/table/{room.table.id}/replay", 303)
    client = Client(pass_of(request, room))
    face = room.face(client)
    seat = room.looker(client).seat
    story = [room.faces.told(n, seat) for n in range(len(room.course.steps))]
    return HTMLResponse(
        page(
            "table.html",
            title=room.ruleset.offer.title,
            table=room.table.id,
            version=room.course.version,
            style=room.ruleset.style,
            picture=framed(room.ruleset.board.picture(face.picture)),
            fragments=face.whole,
            story=story,
            links=_links(request, room, client.passed),
            fresh=not room.course.steps[1:],
            bots=room.ruleset.offer.bots,
        )
    )


def _links(request: Request, room: Room, passed: Pass) -> list[Json]:
    """Links to hand out: the host has those of all people, others those of their own seats."""
    table, names = room.table, room.ruleset.game.info["seats"]
    base = server_of(request).settings.url.rstrip("/") or str(request.base_url).rstrip("/")
    out = []
    for seat, who in enumerate(table.seats):
        mine = seat in passed.seats
        if who == PERSON and (mine or passed.host):
            token = link_token(table.secret, table.id, seat)
            label = say("own_link" if mine else "link_of", name=names[seat])
            url = f"{base}/table/{table.id}/join/{token}"
            out.append({"seat": seat, "label": label, "url": url})
    return sorted(out, key=lambda link: link["seat"] in passed.seats)


async def style(request: Request) -> Response:
    """The colours of a game's picture."""
    text = server_of(request).catalogue.styles.get(request.path_params["name"])
    if text is None:
        return PlainTextResponse("", 404)
    return Response(text, media_type="text/css")


# ---------------------------------------------------------------- the socket


async def socket(socket: WebSocket) -> None:
    """One connection: one task reads and acts, another sends; when either ends, both do."""
    server = server_of(socket)
    address = group(socket.client.host) if socket.client else "?"
    with server.connections.one_more(address) as fits:
        room = await room_of(socket) if fits else None
        if not isinstance(room, Room):
            await socket.close(4429 if room is None else 4404)
            return
        if len(room.clients) >= server.settings.limits.connections_per_table:
            await socket.close(4429)
            return
        await socket.accept()
        client = Client(pass_of(socket, room))
        room.join(client)
        client.refresh()
        sending = asyncio.create_task(_send(socket, room, client))
        try:
            await _receive(socket, server, room, client, address)
        finally:
            room.leave(client)
            client.close()
            sending.cancel()


async def _send(socket: WebSocket, room: Room, client: Client) -> None:
    try:
        while not client.closed:
            answers, changed = await client.next()
            patch = room.patch(client) if changed else None
            for message in [*([patch] if patch else []), *answers]:
                text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
                await socket.send_text(text)
        await socket.close(1013)
    except (WebSocketDisconnect, RuntimeError, OSError):
        # it is gone; whoever reads from it finds out by itself
        client.closed = True


async def _receive(
    socket: WebSocket, server: Server, room: Room, client: Client, address: str
) -> None:
    limits = server.settings.limits
    rate = Rate(limits.messages)
    while not client.closed:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            return
        if not rate.allows(address):
            client.say({"type": "problem", "text": say("too_fast")})
            continue
        try:
            message = messages.read(text)
        except messages.BadMessage:
            client.say({"type": "problem", "text": say("bad_message")})
            continue
        if isinstance(message, messages.Advise) and not server.rates["advice"].allows(address):
            client.say({"type": "problem", "text": say("too_fast")})
            continue
        await room.handle(client, message)
