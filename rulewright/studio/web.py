"""Requests of the studio's pages → changes of files, grids, answers of the language service, tables to play at. For who runs it alone."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import games, spec_path
from rulewright.new_specs import make_copy, make_game
from rulewright.runtime.errors import RulewrightError
from rulewright.studio.bench import MOST_LISTENERS, Bench, Benches
from rulewright.studio.boards import boards_of
from rulewright.studio.comparing import Comparison, Wanted
from rulewright.studio.edits import Edit, EditError
from rulewright.studio.operations import perform
from rulewright.studio.play import new_table, offer_all, position_of, snapshot
from rulewright.studio.project import Conflict, Project
from rulewright.studio.scenarios import SCENARIOS, scenario_text
from rulewright.web.app import HEADERS, Door, More, Server
from rulewright.web.catalogue import BOTS
from rulewright.web.course import PERSON
from rulewright.web.lobby import body_of
from rulewright.web.settings import Settings
from rulewright.web.tables import give_pass
from rulewright.web.tokens import Pass

Json = dict[str, Any]
STATIC = Path(__file__).parent / "static"
COOKIE = "studio"
MOST_BYTES = 2_000_000
_ENV = Environment(
    loader=PackageLoader("rulewright.studio"), autoescape=True, auto_reload=False, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip


@dataclass(slots=True)
class Studio:
    """What the studio's routes share."""

    benches: Benches
    token: str
    # where new folders go
    home: Path

    @property
    def shelf(self) -> Path:
        return self.benches.data / "rules"


# ---------------------------------------------------------------- the door


def studio_door(settings: Settings, token: str) -> Middleware:
    return Middleware(StudioDoor, settings=settings, token=token)


class StudioDoor(Door):
    """Nobody comes in without the token: it stands in the address that the server opened, then in a cookie of this browser."""

    headers: ClassVar[Mapping[str, str]] = {
        **HEADERS,
        "content-security-policy": HEADERS["content-security-policy"].replace(
            "frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'"
        ),
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
    }

    def __init__(self, app: Any, settings: Settings, token: str) -> None:
        super().__init__(app, settings)
        self.token = token

    def admits(self, scope: Scope) -> bool:
        given = ""
        cookies = SimpleCookie()
        with contextlib.suppress(CookieError):
            cookies.load(Headers(scope=scope).get("cookie", ""))
        if COOKIE in cookies:
            given = cookies[COOKIE].value
        elif scope["type"] == "http" and scope["path"] == "/studio" and scope["method"] == "GET":
            query = parse_qs(scope["query_string"].decode("latin-1"))
            given = query.get("token", [""])[0]
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())


def studio_of(request: Any) -> Studio:
    found: Studio = request.app.state.studio
    return found


def server_of(request: Any) -> Server:
    found: Server = request.app.state.server
    return found


# ---------------------------------------------------------------- pages


async def start(request: Request) -> Response:
    """What can be opened. The first visit trades the token of the address for a cookie."""
    studio = studio_of(request)
    if request.query_params.get("token"):
        then = request.query_params.get("open", "")
        target = f"/studio/{then}" if then in studio.benches.paths else "/studio"
        response = RedirectResponse(target, 303)
        response.set_cookie(COOKIE, studio.token, httponly=True, samesite="strict", path="/")
        return response
    return _start_page(studio)


def _start_page(studio: Studio, problem: str = "", status: int = 200) -> Response:
    recent = [
        {"id": id_, "path": path, "name": Path(path).name} for id_, path in studio.benches.recent()
    ]
    text = _ENV.get_template("start.html").render(
        games=games(), recent=list(reversed(recent)), home=str(studio.home), problem=problem
    )
    return HTMLResponse(text, status)


async def open_folder(request: Request) -> Response:
    """A copy of a game, a variant of one, a new game, or a folder that is there."""
    studio = studio_of(request)
    body = await body_of(request, 20_000)
    form = {k: v[0] for k, v in parse_qs((body or b"").decode("utf-8", "replace")).items()}
    try:
        root = await asyncio.to_thread(_made, studio.home, form)
        id_ = studio.benches.remember(root)
    except (RulewrightError, SpecError, OSError) as error:
        return _start_page(studio, str(error).splitlines()[0], 400)
    return RedirectResponse(f"/studio/{id_}", 303)


def _made(home: Path, form: dict[str, str]) -> Path:
    name = form.get("name", "").strip()
    match form.get("what"):
        case "copy":
            return make_copy(name, spec_path(form.get("of", "")), home)
        case "variant":
            of = form.get("of", "")
            root = make_copy(form.get("folder", "").strip() or f"my-{of}", spec_path(of), home)
            perform(Project(root), {"op": "variant", "name": name})
            return root
        case "new":
            return make_game(name, home)
        case "folder":
            path = Path(form.get("folder", "")).expanduser()
            return path if path.is_absolute() else home / path
        case _:
            raise EditError("say what is to be opened")


async def bench_of(request: Any) -> Bench | Response:
    bench = await studio_of(request).benches.get(request.path_params["id"])
    if bench is None:
        return JSONResponse({"problem": "there is no such folder any more"}, 404)
    return bench


async def show(request: Request) -> Response:
    bench = await bench_of(request)
    if isinstance(bench, Response):
        return RedirectResponse("/studio", 303)
    text = _ENV.get_template("studio.html").render(
        id=bench.id, name=bench.project.root.name, folder=str(bench.project.root), bots=BOTS
    )
    return HTMLResponse(text)


# ---------------------------------------------------------------- what pages ask

Answering = Callable[[Request, Bench, Json], Awaitable[Any]]


def asked(answering: Answering) -> Callable[[Request], Awaitable[Response]]:
    """A route that takes JSON and gives JSON; what can't be done is told with the status 409 or 400."""

    async def route(request: Request) -> Response:
        bench = await bench_of(request)
        if isinstance(bench, Response):
            return bench
        data: Any = {}
        if request.method == "POST":
            body = await body_of(request, MOST_BYTES)
            if body is None:
                return JSONResponse({"problem": "this is too large"}, 413)
            try:
                data = json.loads(body or b"{}")
            except ValueError:
                data = None
        if not isinstance(data, dict):
            return JSONResponse({"problem": "this is no JSON"}, 400)
        try:
            return JSONResponse(await answering(request, bench, data))
        except Conflict as error:
            return JSONResponse({"problem": str(error), "text": error.text}, 409)
        except SpecError as error:
            return JSONResponse({"problem": str(error).splitlines()[0]}, 400)
        except (RulewrightError, ValueError, KeyError, TypeError, OSError) as error:
            return JSONResponse({"problem": str(error) or "this can't be done"}, 400)

    return route


async def index(request: Request, bench: Bench, data: Json) -> Any:
    """Everything that the page shows besides grids: files, tables, variants, problems."""
    found = await asyncio.to_thread(bench.grids)
    return {"index": found.index(), "state": bench.state(), "problems": bench.problems()}


async def grid(request: Request, bench: Bench, data: Json) -> Any:
    grids = await asyncio.to_thread(bench.grids)
    variant = str(data.get("variant") or "")
    if data.get("constants"):
        return grids.constants(str(data["constants"]), variant)
    return grids.table(str(data.get("table")), variant)


async def uses(request: Request, bench: Bench, data: Json) -> Any:
    grids = await asyncio.to_thread(bench.grids)
    texts = {file: bench.project.text(file) for file in bench.project.files()}
    return {"uses": grids.uses(str(data["row"]), texts)}


async def edit(request: Request, bench: Bench, data: Json) -> Any:
    """One operation in a grid, or several that are one step to undo."""
    async with bench.lock:
        await asyncio.to_thread(bench.project.look)
        group = str(data.get("group") or "")
        several = data.get("all")
        if isinstance(several, list):
            group = group or f"all {bench.project.version}"
        changed: list[str] = []
        for one in several if isinstance(several, list) else [data]:
            changed += await asyncio.to_thread(perform, bench.project, one, group)
    bench.changed()
    return {"changed": changed, "state": bench.state()}


async def write(request: Request, bench: Bench, data: Json) -> Any:
    """The text of a file as it is in the editor now."""
    file, base, text = str(data["file"]), str(data["base"]), data["text"]
    if not isinstance(text, str):
        raise EditError("a text is needed")
    async with bench.lock:
        await asyncio.to_thread(bench.project.look)
        group = str(data.get("group") or "")
        if data.get("force"):
            base = bench.project.hash(file)
        found = await asyncio.to_thread(bench.project.replace, file, base, text, group)
    bench.changed()
    return {"hash": bench.project.hash(file), "text": found if found != text else None}


async def read(request: Request, bench: Bench, data: Json) -> Any:
    file = str(data["file"])
    return {"file": file, "text": bench.project.text(file), "hash": bench.project.hash(file)}


async def fix(request: Request, bench: Bench, data: Json) -> Any:
    """The edit of a problem's fix, if the file is the one that the problem was found in."""
    file = str(data["file"])
    async with bench.lock:
        text = bench.project.text(file)
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        places = [int(data[k]) for k in ("line", "column", "end_line", "end_column")]
        if not 1 <= places[0] <= places[2] <= len(starts):
            raise EditError("the file has changed since; look again")
        start, end = starts[places[0] - 1] + places[1] - 1, starts[places[2] - 1] + places[3] - 1
        if text[start:end].replace("\r\n", "\n") != str(data.get("old")):
            raise EditError("the file has changed since; look again")
        one = Edit(start, end, str(data["text"]))
        label = f"{file}: {str(data.get('label') or 'fixed')[:60]}"
        await asyncio.to_thread(bench.project.change, label, {file: [one]})
    bench.changed()
    return {"state": bench.state()}


async def undo(request: Request, bench: Bench, data: Json) -> Any:
    async with bench.lock:
        found = await asyncio.to_thread(bench.project.undo)
    bench.changed()
    return {"labels": found, "state": bench.state()}


async def redo(request: Request, bench: Bench, data: Json) -> Any:
    async with bench.lock:
        found = await asyncio.to_thread(bench.project.redo)
    bench.changed()
    return {"labels": found, "state": bench.state()}


async def sight(request: Request, bench: Bench, data: Json) -> Any:
    players = data.get("players")
    variants = [str(v) for v in data.get("variants") or []]
    bench.look_at(int(players) if players is not None else None, variants)
    return {"state": bench.state()}


async def ask(request: Request, bench: Bench, data: Json) -> Any:
    """Hover, completion, definition, formatting, the palette."""
    what = str(data.pop("what", ""))
    if what not in ("hover", "complete", "define", "format", "palette"):
        raise EditError(f"nobody knows {what!r}")
    found = await bench.ask(what, data)
    return {"answer": found["answer"]}


# ---------------------------------------------------------------- playing


async def play(request: Request, bench: Bench, data: Json) -> Response | Any:
    """A table with the rules as they are; with `carry` the game of another table goes on there."""
    if bench.in_sight["errors"] and not data.get("last_good"):
        raise EditError("there are mistakes in the rules; the last good ones stay at the table")
    server, studio = server_of(request), studio_of(request)
    counts = bench.known_spec.get("players") or [2]
    players = int(data.get("players") or bench.players or max(counts))
    seats = [str(s) for s in data.get("seats") or []][:players]
    seats += ["random"] * (players - len(seats))
    mine = [i for i, who in enumerate(seats) if who == PERSON]
    variants = [str(v) for v in data.get("variants") or bench.variants]
    carry = None
    if data.get("carry"):
        carry = await server.rooms.get(str(data["carry"]))
        if carry is not None:
            mine = [i for i, who in enumerate(carry.course.seats) if who == PERSON]
    position = data.get("position")
    table, carried = await new_table(
        server, studio.shelf, bench.project.root, players, variants, seats, carry,
        position if isinstance(position, dict) else None,
    )  # fmt: skip
    return {
        "table": table.id,
        "mine": mine,
        "carried": None if carried is None else {
            "decisions": carried.decisions, "of": carried.of, "stopped": carried.stopped,
        },
    }  # fmt: skip


async def sit(request: Request) -> Response:
    """Into a table that was made here: its seats go into a cookie, and the page of the table follows."""
    server = server_of(request)
    room = await server.rooms.get(request.path_params["table"])
    if room is None:
        return JSONResponse({"problem": "there is no such table"}, 404)
    seats = [i for i, who in enumerate(room.course.seats) if who == PERSON]
    response = RedirectResponse(f"/table/{room.table.id}", 303)
    give_pass(response, server, room.table, Pass(frozenset(seats), host=True))
    return response


async def board(request: Request, bench: Bench, data: Json) -> Any:
    """The picture of the game at its beginning, and which places in it can be dragged and linked."""
    if bench.in_sight["errors"]:
        raise EditError(
            "there are mistakes in the rules; the board can be drawn when they are mended"
        )
    return await boards_of(server_of(request), bench, data)


async def position(request: Request, bench: Bench, data: Json) -> Any:
    """The position of a table, to be changed by hand; who asks sees everything, as it is their own table."""
    room = await server_of(request).rooms.get(str(data["table"]))
    if room is None:
        raise EditError("there is no such table")
    found = position_of(room)
    own = {v["name"] for v in room.ruleset.game.info["state"] if not v.get("about")}
    return {
        "save": found,
        "state": {k: v for k, v in found["state"].items() if k in own},
        "zones": found["zones"],
        "procedures": sorted(room.ruleset.game.full.info.get("procedures", {})),
        "variants": list(room.table.variants),
        "players": room.table.players,
    }


async def keep(request: Request, bench: Bench, data: Json) -> Any:
    """A position as a scenario of the spec; it may break the piece set, as scenarios may."""
    async with bench.lock:
        text = bench.project.text(SCENARIOS) if SCENARIOS in bench.project.files() else ""
        added = scenario_text(data)
        label = f"scenario {str(data.get('name'))[:60]}"
        await asyncio.to_thread(bench.project.change, label, {SCENARIOS: text + added})
    bench.changed()
    return {"file": SCENARIOS, "line": text.count("\n") + 1, "state": bench.state()}


async def conformance(request: Request, bench: Bench, data: Json) -> Any:
    """All scenarios run, with the clauses behind them; or the small changes of a file that no scenario notices."""
    if bench.in_sight["errors"]:
        raise EditError("there are mistakes in the rules; scenarios can't be run yet")
    if data.get("mutants"):
        return await bench.ask_long("mutants", {"file": str(data["mutants"])})
    original = studio_of(request).benches.original(bench.id, bench.project.root.name)
    return await bench.ask_long("conformance", {"original": str(original)})


async def compare(request: Request, bench: Bench, data: Json) -> Any:
    """Begin a comparison, stop it, or look how far it is. News of it go to all pages."""
    running = bench.comparison
    if data.get("look"):
        return running.last if running is not None else {}
    if running is not None:
        await running.stop()
        if data.get("stop"):
            return running.last
    studio = studio_of(request)
    root = bench.project.root
    if bench.in_sight["errors"]:
        raise EditError("there are mistakes in the rules; they can't be played yet")
    now = await asyncio.to_thread(snapshot, root, studio.shelf)
    variant = str(data.get("variant") or "")
    fits = next((v for v in bench.known_spec.get("variants", ()) if v["name"] == variant), None)
    variants = (variant,) if fits is not None and not fits["automatic"] else ()
    base = data.get("against") == "base" and bool(variants)
    before = now if base else studio.benches.original(bench.id, root.name)
    counts = bench.known_spec.get("players") or [2]
    players = int(data.get("players") or max(counts))
    if not base and variants and not (before / "variants" / f"{variant}.yaml").is_file():
        before_variants: tuple[str, ...] = ()
    else:
        before_variants = () if base else variants
    games = max(10, min(5_000, int(data.get("games") or 200)))
    title = str(bench.known_spec.get("title") or root.name)
    wanted = Wanted(
        str(before), str(now), before_variants, variants, players, str(data.get("bots") or ""), games,
        bool(data.get("early")), f"{title} before", f"{title} with {variant}" if variants else f"{title} now",
    )  # fmt: skip
    bench.comparison = Comparison(wanted, bench.tell)
    return bench.comparison.last


async def compare_page(request: Request) -> Response:
    """The page of the last comparison, to be kept and sent around."""
    bench = await bench_of(request)
    if isinstance(bench, Response):
        return bench
    if bench.comparison is None or not bench.comparison.page:
        return JSONResponse({"problem": "there is no comparison yet"}, 404)
    headers = {"content-disposition": 'attachment; filename="compare.html"'}
    return HTMLResponse(bench.comparison.page, headers=headers)


# ---------------------------------------------------------------- news


async def socket(socket: WebSocket) -> None:
    """What changes, as it changes."""
    bench = await studio_of(socket).benches.get(socket.path_params["id"])
    if bench is None or len(bench.listeners) >= MOST_LISTENERS:
        await socket.close(4404)
        return
    await socket.accept()
    queue: asyncio.Queue[Json] = asyncio.Queue()
    queue.put_nowait(bench.state())
    queue.put_nowait(bench.problems())
    bench.listeners.add(queue)

    async def sending() -> None:
        while True:
            await socket.send_text(json.dumps(await queue.get(), ensure_ascii=False))

    task = asyncio.create_task(sending())
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        pass
    finally:
        bench.listeners.discard(queue)
        task.cancel()


# ---------------------------------------------------------------- all of it


def routes() -> list[BaseRoute]:
    posts: dict[str, Answering] = {
        "grid": grid, "uses": uses, "edit": edit, "write": write, "read": read, "fix": fix, "undo": undo, "redo": redo,
        "sight": sight, "ask": ask, "play": play, "board": board, "compare": compare,
        "conformance": conformance, "position": position, "keep": keep,
    }  # fmt: skip
    return [
        Route("/", lambda request: RedirectResponse("/studio", 303), methods=["GET"]),
        Route("/studio", start, methods=["GET"]),
        Route("/studio/open", open_folder, methods=["POST"]),
        Mount("/studio/static", StaticFiles(directory=STATIC)),
        Route("/studio/sit/{table}", sit, methods=["GET"]),
        Route("/studio/{id}", show, methods=["GET"]),
        Route("/studio/{id}/compare.html", compare_page, methods=["GET"]),
        WebSocketRoute("/studio/{id}/socket", socket),
        Route("/studio/{id}/index", asked(index), methods=["GET"]),
        *(Route(f"/studio/{{id}}/{n}", asked(f), methods=["POST"]) for n, f in posts.items()),
    ]


def more(settings: Settings, studio: Studio) -> More:
    @contextlib.asynccontextmanager
    async def lives(app: Starlette) -> AsyncIterator[None]:
        app.state.studio = studio
        studio.benches.start()
        server: Server = app.state.server
        await asyncio.to_thread(offer_all, server.catalogue, studio.shelf)
        try:
            yield
        finally:
            await studio.benches.close()

    return More(routes(), studio_door(settings, studio.token), lives)
