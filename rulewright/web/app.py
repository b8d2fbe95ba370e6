"""Settings and a store → the web application: its routes, what every answer carries, and what is refused at the door."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.web import lobby, replays, table_pages
from rulewright.web.bots_pool import Workers
from rulewright.web.bots_worker import work_patiently
from rulewright.web.catalogue import Catalogue
from rulewright.web.limits import Connections, Rate, group
from rulewright.web.page import page
from rulewright.web.rooms import Rooms
from rulewright.web.settings import Settings
from rulewright.web.store import Store
from rulewright.web.words import say

STATIC = Path(__file__).parent / "static"
# no script, style or picture but our own, none inside the page, and nobody may frame it
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(slots=True)
class Server:
    """All that the routes share."""

    settings: Settings
    store: Store
    workers: Workers
    catalogue: Catalogue
    rooms: Rooms
    connections: Connections
    rates: dict[str, Rate] = field(default_factory=dict)

    def allows(self, what: str, scope: Scope) -> bool:
        """Whether this visitor has not done it too often."""
        return self.rates[what].allows(address_of(scope))


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return group(str(client[0])) if client else "?"


@dataclass(frozen=True, slots=True)
class More:
    """What another room adds to the server: routes before ours, its own door, and what lives as long as the server does."""

    routes: Sequence[BaseRoute]
    door: Middleware
    lives: Callable[[Starlette], AbstractAsyncContextManager[None]]


def make_app(
    settings: Settings, store: Store, folders: Sequence[str] = (), more: More | None = None
) -> Starlette:
    limits = settings.limits

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        workers = Workers(limits.bot_processes, limits.bots_waiting)
        catalogue = Catalogue(folders, workers, limits.build_seconds)
        # what options bring is nice to know: it must hold up neither the server nor the bots
        patient = Workers(1, limits.previews_waiting, work_patiently)
        rooms = Rooms(store, catalogue, workers, settings, patient)
        connections = Connections(limits.connections, limits.connections_per_address)
        rates = {
            "tables": Rate(limits.new_tables), "replays": Rate(limits.replays),
            "pages": Rate(limits.pages), "advice": Rate(limits.advice),
        }  # fmt: skip
        await store.open()
        app.state.server = Server(settings, store, workers, catalogue, rooms, connections, rates)
        rooms.start()
        try:
            async with more.lives(app) if more is not None else contextlib.nullcontext():
                yield
        finally:
            await rooms.close()
            workers.close()
            patient.close()
            await store.close()

    routes: list[BaseRoute] = [
        *(more.routes if more is not None else ()),
        Route("/", lobby.show, methods=["GET"]),
        Route("/tables", lobby.make, methods=["POST"]),
        Route("/replays", replays.drop, methods=["POST"]),
        Route("/table/{id}", table_pages.show, methods=["GET"]),
        Route("/table/{id}/join/{token}", table_pages.join, methods=["GET"]),
        Route("/table/{id}/replay", replays.show, methods=["GET"]),
        Route("/table/{id}/game.jsonl", replays.download, methods=["GET"]),
        Route("/table/{id}/continue", replays.go_on, methods=["POST"]),
        WebSocketRoute("/table/{id}/socket", table_pages.socket),
        Route("/board/{name}.css", table_pages.style, methods=["GET"]),
        Route("/healthy", healthy, methods=["GET"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Door, settings=settings) if more is None else more.door],
        exception_handlers={404: _not_found, 500: _broken},
    )


async def healthy(request: Request) -> Response:
    """For who runs the server: whether it answers and the store does."""
    await request.app.state.server.store.count()
    return PlainTextResponse("ok")


async def _not_found(request: Request, error: Exception) -> Response:
    return HTMLResponse(page("message.html", text=say("not_found")), 404)


async def _broken(request: Request, error: Exception) -> Response:
    return PlainTextResponse("internal error", 500)


class Door:
    """Refuses what is not meant for us, or was not asked by our own pages; every answer carries the headers."""

    headers: ClassVar[Mapping[str, str]] = HEADERS

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    def admits(self, scope: Scope) -> bool:
        """Whether who asks may come in at all; everybody may, but a room of its own may ask for more."""
        return True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        known = self.settings.knows_host(host)
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            # what changes something must come from a page of ours
            known = known and self.settings.knows_origin(headers.get("origin"), host)
        known = known and self.admits(scope)
        if known:
            await self._let_in(scope, receive, _with_headers(scope, send, self.headers))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": say("wrong_origin")})
        else:
            refused = PlainTextResponse(say("wrong_origin"), 403)
            await refused(scope, receive, _with_headers(scope, send, self.headers))

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; a request that is cut off because the server stops is told so, and nobody reads a traceback of it."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            await PlainTextResponse(say("stops"), 503)(scope, receive, send)


def _with_headers(scope: Scope, send: Send, given: Mapping[str, str]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in given.items():
                headers[name] = value
            if "cache-control" not in headers:
                kept = scope["path"].startswith(("/static/", "/board/"))
                headers["cache-control"] = "no-cache" if kept else "no-store"
        await send(message)

    return sending
