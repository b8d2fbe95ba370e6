"""What is known of an engine → whether a seat sees an entry of a variable or a zone."""

from __future__ import annotations

from rulewright.runtime.info import Info, TypeRow


def sees(info: Info, visible: str, key: TypeRow | None, owner: int, seat: int) -> bool:
    """Whether a seat sees what belongs to an owner: a seat, or, where teams are the keys, a team."""
    match visible:
        case "all":
            return True
        case "owner":
            return owner == seat
        case "team":
            teams = info["teams"]
            if key is not None and key["kind"] == "Team":
                return owner == teams[seat]
            return teams[owner] == teams[seat]
        case _:
            return False
