"""The first page → a folder to work on: a copy, a variant, an example, a new game, or one that is there."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.engines import examples, games, spec_path
from rulewright.new_specs import check_name, make_copy, make_game
from rulewright.runtime.errors import RulewrightError
from rulewright.studio.door import COOKIE
from rulewright.studio.edits import EditError
from rulewright.studio.grid_operations import perform
from rulewright.studio.requests import Studio, bench_of, studio_of
from rulewright.web.catalogue import BOTS
from rulewright.web.lobby import body_of

_ENV = Environment(
    loader=PackageLoader("rulewright.studio"), autoescape=True, auto_reload=False, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip


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
        games=games(),
        examples=examples(),
        recent=list(reversed(recent)),
        home=str(studio.home),
        problem=problem,
    )
    return HTMLResponse(text, status)


async def open_folder(request: Request) -> Response:
    """A copy of a game, a variant of one, an example, a new game, or a folder that is there."""
    studio = studio_of(request)
    body = await body_of(request, 20_000)
    form = {k: v[0] for k, v in parse_qs((body or b"").decode("utf-8", "replace")).items()}
    try:
        root = await asyncio.to_thread(_made, studio.home, form)
        id_ = studio.benches.remember(root)
        target = f"/studio/{id_}"
        if form.get("what") == "variant":
            # what is compared with is the folder without it, so it is begun when that is kept
            bench = await studio.benches.get(id_)
            assert bench is not None
            async with bench.lock:
                asked = {
                    "op": "variant",
                    "name": form.get("name", "").strip(),
                    "about": form.get("about", "").strip(),
                }
                await asyncio.to_thread(perform, bench.project, asked)
            bench.changed()
            target += f"?variant={quote(asked['name'])}"
    except (RulewrightError, SpecError, OSError) as error:
        return _start_page(studio, str(error).splitlines()[0], 400)
    return RedirectResponse(target, 303)


def _made(home: Path, form: dict[str, str]) -> Path:
    name, of = form.get("name", "").strip(), form.get("of", "")
    match form.get("what"):
        case "copy" | "example":
            return make_copy(name or _free(home, of), spec_path(of), home)
        case "variant":
            folder = home / f"my-{of}"
            check_name(name)
            # the copy that is there is a place for any number of variants
            return folder if _is_copy(folder) else make_copy(folder.name, spec_path(of), home)
        case "new":
            return make_game(name, home)
        case "folder":
            path = Path(form.get("folder", "")).expanduser()
            return path if path.is_absolute() else home / path
        case _:
            raise EditError("say what is to be opened")


def _free(home: Path, game: str) -> str:
    """A name for a copy that nothing has yet."""
    names = (f"my-{game}" if n == 1 else f"my-{game}-{n}" for n in count(1))
    return next(name for name in names if not (home / name).exists())


def _is_copy(folder: Path) -> bool:
    return (folder / "game.yaml").is_file()


async def show(request: Request) -> Response:
    bench = await bench_of(request)
    if isinstance(bench, Response):
        return RedirectResponse("/studio", 303)
    text = _ENV.get_template("studio.html").render(
        id=bench.id, name=bench.project.root.name, folder=str(bench.project.root), bots=BOTS
    )
    return HTMLResponse(text)
