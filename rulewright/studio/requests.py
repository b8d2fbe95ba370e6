"""A request of a page → the studio's parts that it is about; answers as JSON, with what can't be done in words."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rulewright.compiler.text.diagnostics import SpecError
from rulewright.runtime.errors import RulewrightError
from rulewright.studio.project import Conflict
from rulewright.studio.workbench import Bench, Benches
from rulewright.web.app import Server
from rulewright.web.lobby import body_of

Json = dict[str, Any]
MOST_BYTES = 2_000_000


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


def studio_of(request: Any) -> Studio:
    found: Studio = request.app.state.studio
    return found


def server_of(request: Any) -> Server:
    found: Server = request.app.state.server
    return found


async def bench_of(request: Any) -> Bench | Response:
    bench = await studio_of(request).benches.get(request.path_params["id"])
    if bench is None:
        return JSONResponse({"problem": "there is no such folder any more"}, 404)
    return bench


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
