"""Who may see a value: an annotation of every expression, and what becomes of it where values come together."""

from __future__ import annotations

from typing import TypeAlias

# None: all; "nobody"; "any seat" is not a level. An owner is named by the text of the expression that
# indexes the map: "v12" for local number 12, "#2" for seat 2.
Secrecy: TypeAlias = str | None
NOBODY = "nobody"
TEAM = "team of "


def join(a: Secrecy, b: Secrecy) -> Secrecy:
    """Who may see a value made from two: whoever may see both."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    # a seat sees what its team sees
    if b == team_of(a):
        return a
    return b if a == team_of(b) else NOBODY


def team_of(token: str) -> str:
    """Who is meant by the team of a seat."""
    return token if token == NOBODY or token.startswith(TEAM) else TEAM + token


def sees(token: Secrecy, secrecy: Secrecy) -> bool:
    """Whether a seat (None: all) may see a value."""
    if secrecy is None:
        return True
    return token is not None and token != NOBODY and secrecy in (token, team_of(token))
