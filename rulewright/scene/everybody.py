"""The views of all seats → what everybody sees, as data of the same form: what a seat sees alone is hidden."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
_MISSING = object()


def seen_by_all(state: Any) -> Json:
    """A view for those who have no seat, such as spectators."""
    players = int(state.view(0).game.info["players"])
    views: list[Json] = [state.view(seat).data for seat in range(players)]
    out: Json = views[0]
    for other in views[1:]:
        out = _common(out, other)
    out = dict(out)
    out["seat"] = None
    out.pop("legal", None)
    return out


def _common(a: Any, b: Any) -> Any:
    """What two views share: a value that one of them hides is hidden, and what one of them lacks is left out."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return a if a == b else {"hidden": True}
    for one in (a, b):
        if set(one) == {"hidden"}:
            return one
    return {
        key: _common(value, b[key])
        for key, value in a.items()
        if b.get(key, _MISSING) is not _MISSING
    }
