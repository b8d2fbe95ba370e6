"""Requests in the lobby → the page with all games, and new tables."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rulewright.runtime.errors import RulewrightError
from rulewright.web.catalogue import Catalogue, NotOffered, Offer
from rulewright.web.course import PERSON
from rulewright.web.page import page
from rulewright.web.table_pages import give_pass, refusal, server_of
from rulewright.web.tokens import Pass
from rulewright.web.words import say

Form = dict[str, list[str]]
_USUAL = "mcts:200"
ME, INVITED = "me", "invited"


async def show(request: Request) -> Response:
    return await _page(request)


async def _page(request: Request, problem: str = "", status: int = 200) -> Response:
    catalogue = server_of(request).catalogue
    # the first time the specs are read, which takes a while; nobody else waits for that
    offers, examples = await asyncio.to_thread(lambda: (catalogue.offers, catalogue.examples))
    shown = page("lobby.html", offers=offers, examples=examples, usual=_USUAL, problem=problem)
    return HTMLResponse(shown, status)


async def body_of(request: Request, most: int) -> bytes | None:
    """The body of a request; None when it is too large. It is not read further than that."""
    out = b""
    async for part in request.stream():
        out += part
        if len(out) > most:
            return None
    return out


async def form_of(request: Request, most: int) -> Form | None:
    body = await body_of(request, most)
    if body is None:
        return None
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return {}


async def make(request: Request) -> Response:
    """A table as the form says; whoever made it sits at the seats that are theirs, and has the others' links."""
    server = server_of(request)
    if not server.allows("tables", request.scope):
        return refusal(say("too_many"), 429)
    form = await form_of(request, server.settings.limits.form_bytes)
    if form is None:
        return refusal(say("too_large"), 413)
    if await server.store.count() >= server.settings.limits.tables:
        return refusal(say("full"), 503)
    try:
        offer, players, variants, options, seats, mine = _wanted(server.catalogue, form)
        ruleset = await server.rooms.ruleset(offer.name, players, variants, options)
    except RulewrightError as error:
        return await _page(request, say("wrong_form", why=error), 400)
    table = await server.rooms.make(ruleset, seats)
    response = RedirectResponse(f"/table/{table.id}", 303)
    give_pass(response, server, table, Pass(frozenset(mine), host=True))
    return response


def _wanted(
    catalogue: Catalogue, form: Form
) -> tuple[Offer, int, list[str], dict[str, Any], list[str], list[int]]:
    offer = catalogue.offer(_one(form, "game"))
    count = _one(form, "players")
    if not (count.isascii() and count.isdigit() and int(count) in offer.players):
        raise NotOffered(f"{offer.title} is not for {count!r} players")
    players = int(count)
    seats, mine = [], []
    for seat in range(players):
        who = _one(form, f"seat{seat}") or INVITED
        if who == ME:
            mine.append(seat)
        elif who != INVITED and who not in offer.bots:
            raise NotOffered(f"there is no bot {who!r}")
        seats.append(PERSON if who in (ME, INVITED) else who)
    fitting = {v.name for v in offer.variants if players in v.players}
    variants = [v for v in form.get("variant", []) if v in fitting]
    options = {
        c.name: _one(form, f"option-{c.name}")
        for c in offer.choices
        if players in c.players and _one(form, f"option-{c.name}")
    }
    return offer, players, variants, options, seats, mine


def _one(form: Form, name: str) -> str:
    return form.get(name, [""])[0]
