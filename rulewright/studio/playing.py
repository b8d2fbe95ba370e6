"""Requests about play → tables with the rules as they are, positions, scenarios, comparisons, the picture of the board."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from rulewright.studio.comparing import Comparison, Wanted
from rulewright.studio.edits import EditError
from rulewright.studio.opening_picture import boards_of
from rulewright.studio.play import new_table, position_of, snapshot
from rulewright.studio.requests import Json, bench_of, server_of, studio_of
from rulewright.studio.scenarios import SCENARIOS, scenario_text
from rulewright.studio.workbench import Bench
from rulewright.web.course import PERSON
from rulewright.web.table_pages import give_pass
from rulewright.web.tokens import Pass


async def play(request: Request, bench: Bench, data: Json) -> Response | Any:
    """A table with the rules as they are, or with the last ones that were right; with `carry` the game of another table goes on."""
    texts = bench.playable()
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
        position if isinstance(position, dict) else None, texts,
    )  # fmt: skip
    return {
        "table": table.id,
        "mine": mine,
        "old": texts is not None,
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
    return await boards_of(server_of(request), studio_of(request).shelf, bench, data)


async def position(request: Request, bench: Bench, data: Json) -> Any:
    """The position of a table, to be changed by hand, with the types of all that is in it; who asks sees everything, as it is their
    own table."""
    room = await server_of(request).rooms.get(str(data["table"]))
    if room is None:
        raise EditError("there is no such table")
    found = position_of(room)
    game = room.ruleset.game
    own = {v["name"]: v["type"] for v in game.info["state"] if not v.get("about")}
    return {
        "save": found,
        "types": own,
        "families": game.info["families"],
        "members": {kind: [str(m) for m in names] for kind, names in game.values.names.items()},
        "procedures": game.full.info.get("procedures", {}),
        "seats": list(game.info["seats"]),
        "variants": list(room.table.variants),
        "players": room.table.players,
    }


async def attempt(request: Request, bench: Bench, data: Json) -> Any:
    """A scenario carried out as far as it is written."""
    if bench.in_sight["errors"]:
        raise EditError("there are mistakes in the rules; scenarios can't be run yet")
    return await bench.ask_far("attempt", data)


async def keep(request: Request, bench: Bench, data: Json) -> Any:
    """A scenario of the spec, and whether it holds; it may break the piece set, as scenarios may."""
    added = scenario_text(data, bool(bench.known_spec.get("clauses")))
    async with bench.lock:
        text = bench.project.text(SCENARIOS) if SCENARIOS in bench.project.files() else ""
        label = f"scenario {str(data.get('name'))[:60]}"
        whole = text + added if text else added.lstrip("\n")
        await asyncio.to_thread(bench.project.change, label, {SCENARIOS: whole})
    bench.changed()
    wrong = "there are mistakes in the rules"
    if not bench.in_sight["errors"]:
        wrong = (await bench.ask_far("attempt", data))["problem"]
    line = text.count("\n") + 2 if text else 1
    return {"file": SCENARIOS, "line": line, "wrong": wrong, "state": bench.state()}


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
    if data.get("stop"):
        if running is None:
            return {}
        await running.stop()
        return running.last
    if running is not None:
        await running.end()
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
    games = max(10, min(5_000, int(data.get("games") or 100)))
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
