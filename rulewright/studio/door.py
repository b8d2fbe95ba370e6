"""Whoever comes → let in with the token of the address that the server opened, or sent away."""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, ClassVar
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.types import Scope

from rulewright.web.app import HEADERS, Door
from rulewright.web.settings import Settings

COOKIE = "studio"


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
