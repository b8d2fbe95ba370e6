"""A hand-written engine in C as a subject: what could be reached at all; it is called as a library, and plays inside itself."""

from __future__ import annotations

import ctypes
from typing import Any


def prepare(args: dict[str, Any]) -> dict[str, Any]:
    library = ctypes.CDLL(args["path"])
    library.limit_games.restype = ctypes.c_longlong
    library.limit_games.argtypes = [ctypes.c_int, ctypes.c_longlong, ctypes.c_longlong]
    players = args["players"]

    def inside(count: int, seed: int) -> tuple[int, int]:
        decisions = int(library.limit_games(players, count, seed))
        return decisions, decisions

    return {"play": inside, "clone": library.limit_copy, "options": 0.0, "version": ""}
