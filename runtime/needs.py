"""A condition that compares numbers, and the numbers → what is needed and what is there, in words."""

from __future__ import annotations

import re

from rulewright.runtime.data import Json

_COMPARED = re.compile(r"(.+?) (<=|>=|<|>|==) (.+)")
_STATE = re.compile(r"(\w+)\[\w+\]")
# the same comparison with its sides changed
_SWAPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "=="}
_NEEDS = {">=": "", ">": "more than ", "<=": "at most ", "<": "fewer than ", "==": "exactly "}


def compared(text: str, found: list[int]) -> Json:
    """`numbers` by the texts of both sides, and `needs` in words; nothing for a condition that compares no numbers."""
    parts = _COMPARED.fullmatch(text)
    if not found or parts is None:
        return {}
    left, sign, right = parts.groups()
    a, b, left_own, right_own = found
    told = ((left, a), (right, b))
    words = ", ".join(f"{side} is {n}" for side, n in told if side != str(n))
    if right_own:
        words = _own(right, b, _SWAPPED[sign], a) or words
    elif left_own:
        words = _own(left, a, sign, b) or words
    return {"numbers": {left: a, right: b}, "needs": words}


def _own(text: str, has: int, sign: str, wanted: int) -> str | None:
    """What the chooser has, against what it must be."""
    state = _STATE.fullmatch(text)
    if state is None:
        return None
    return f"needs {_NEEDS[sign]}{wanted} {state[1].replace('_', ' ')}, you have {has}"
