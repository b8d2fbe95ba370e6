"""Requests of the studio's pages → changes of files, grids, answers of the language service. For who runs it alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.studio import opening, playing
from rulewright.studio.door import studio_door
from rulewright.studio.edits import Edit, EditError
from rulewright.studio.grid_operations import perform
from rulewright.studio.play import offer_all
from rulewright.studio.requests import Answering, Json, Studio, asked, studio_of
from rulewright.studio.workbench import MOST_LISTENERS, Bench
from rulewright.web.app import More, Server
from rulewright.web.settings import Settings

STATIC = Path(__file__).parent / "static"


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
        try:
            for one in several if isinstance(several, list) else [data]:
                changed += await asyncio.to_thread(perform, bench.project, one, group)
        except Exception:
            # all of it or nothing
            if changed:
                await asyncio.to_thread(bench.project.undo)
                bench.changed()
            raise
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
        "sight": sight, "ask": ask, "play": playing.play, "board": playing.board, "compare": playing.compare,
        "conformance": playing.conformance, "position": playing.position, "attempt": playing.attempt, "keep": playing.keep,
    }  # fmt: skip
    return [
        Route("/", lambda request: RedirectResponse("/studio", 303), methods=["GET"]),
        Route("/studio", opening.start, methods=["GET"]),
        Route("/studio/open", opening.open_folder, methods=["POST"]),
        Mount("/studio/static", StaticFiles(directory=STATIC)),
        Route("/studio/sit/{table}", playing.sit, methods=["GET"]),
        Route("/studio/{id}", opening.show, methods=["GET"]),
        Route("/studio/{id}/compare.html", playing.compare_page, methods=["GET"]),
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
