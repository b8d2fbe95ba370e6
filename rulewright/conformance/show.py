"""Values at the edge → short text as scenarios write them."""

from __future__ import annotations


def flow(value: object) -> str:
    """A value in YAML's short form; true, false and none as scenarios write them."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return f"[{', '.join(flow(v) for v in value)}]"
        case dict():
            return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
        case _:
            pass
    return str(value)


def rounded_down(percent: float) -> float:
    """To one digit, and never up: what is missing must not look like 100."""
    return int(percent * 10 + 1e-9) / 10
